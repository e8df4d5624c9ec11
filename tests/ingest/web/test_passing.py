"""Modules that are looked at in passing: what they raise is known without their syntax trees."""

from __future__ import annotations

import ast

import pytest

from ingest.web.program import sources
from ingest.web.program.program import Program
from ingest.web.raising.risks import Risks
from tests.ingest.test_web_pages import Files

_FILES = {
    "app.py": "from fastapi import FastAPI\nimport shop\nimport store\nimport plain\nimport own\n",
    "shop.py": "from fastapi import HTTPException\nimport store\ndef buy():\n    raise HTTPException(404)\n"
    "def sell():\n    store.put()\n",
    "store.py": "import plain\ndef put():\n    raise ValueError(1)\ndef get():\n    plain.find()\n",
    "plain.py": "import shop\ndef find():\n    shop.buy()\ndef other():\n    return 1\n",
    "own.py": "from fastapi import HTTPException\nclass Gone(HTTPException):\n    pass\n"
    "def leave():\n    raise Gone()\n",
}


@pytest.mark.parametrize("few", [0, 1000])
def test_what_may_raise_is_the_same_whether_trees_are_kept_or_not(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_FEW", few)
    program = Program(Files(_FILES))
    root = program.module("app")
    assert root is not None
    risks = Risks(program, [root], telling=True)
    named = {
        node.name
        for text in _FILES.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    }
    assert {name for name in named if risks.has(name)} == {"buy", "find", "get", "leave"}
    kept = {module.name for module in program.modules}
    assert kept == ({path.removesuffix(".py") for path in _FILES} if few else {"app", "own"})
