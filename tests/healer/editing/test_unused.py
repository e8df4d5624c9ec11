"""With the tests that used them, imports go too; all others stay as they are written."""

from __future__ import annotations

import pytest

from healer.editing.edits import edited
from healer.payload import Payload

TEST = "def test_old():\n    assert {use}\n\n\ndef test_new():\n    assert keep(os)\n"


@pytest.mark.parametrize(
    ("imports", "use", "left"),
    [
        ("from shop import keep, old\n", "old()", "from shop import keep\n"),
        ("from shop import old, keep  # é\n", "old()", "from shop import keep  # é\n"),
        ("from shop import old as o\nfrom shop import keep\n", "o()", "from shop import keep\n"),
        ("import os, old.part, keep\n", "old.part", "import os, keep\n"),
        (
            "from shop import (\n    keep,\n    old,  # gone\n)\n",
            "old()",
            "from shop import (\n    keep,  # gone\n)\n",
        ),
        ("from shop import keep, unused\n", "1 == 2", "from shop import keep, unused\n"),
        ("from shop import keep\n", "keep", "from shop import keep\n"),
    ],
)
def test_an_import_goes_with_the_last_test_that_used_it(imports: str, use: str, left: str) -> None:
    before = f"{imports}\n\n{TEST.format(use=use)}"
    payload = Payload(reasoning="", file_to_patch="tests/test_it.py", retire=("test_old",))
    after = edited(payload, before).words
    assert after.startswith(left)
    assert "test_old" not in after
    assert after.endswith("def test_new():\n    assert keep(os)\n")
    assert edited(payload, after).already
