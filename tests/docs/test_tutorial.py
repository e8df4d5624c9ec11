"""The tutorial does what it shows."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.consoles import ROOT, blocks, commands, differs, run

TUTORIAL = ROOT / "docs" / "TUTORIAL.md"


@pytest.mark.timeout(300)
def test_the_tutorial_does_what_it_shows(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    ran = 0
    for block in blocks(TUTORIAL):
        if block.language == "diff":
            done = subprocess.run(
                ["git", "apply", "-"], input=block.text, cwd=shop, text=True, capture_output=True, check=False
            )
            assert done.returncode == 0, done.stderr
            continue
        for command in commands(block):
            where = f"{TUTORIAL.name}:{command.line}: {command.words}"
            if command.words == "cp -r specs_examples/bookshop shop":
                left_out = shutil.ignore_patterns(".crossfact", "__pycache__")
                shutil.copytree(ROOT / "specs_examples" / "bookshop", shop, ignore=left_out)
            elif command.words != "cd shop":
                done = run(command.words, shop)
                assert done.returncode in (0, 1) and "Traceback" not in done.stderr, where + done.stderr
                missing = differs(command.output, done.stdout)
                assert not missing, f"{where}\nlacks: {missing}\n{done.stdout}{done.stderr}"
                ran += 1
    assert ran > 10
    assert (shop / "report.md").read_text(encoding="utf-8").strip()


def test_what_is_shown_is_held_against_what_is_printed() -> None:
    assert not differs(("a", "…", "c …"), "a\nb\nb\nc d\n")
    assert differs(("a", "c"), "a\nb\nc\n") == "c"
    assert differs(("a",), "a\nb\n") == "a"
    assert not differs((), "")
