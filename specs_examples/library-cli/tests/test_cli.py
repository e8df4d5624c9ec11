"""The command line."""

from pathlib import Path

import pytest
from library.cli import main


def test_an_item_can_be_added_and_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = ["--file", str(tmp_path / "catalogue.json")]
    assert main([*file, "add", "Emma", "Jane Austen"]) == 0
    assert main([*file, "search", "austen"]) == 0
    assert main([*file, "list"]) == 0
    assert capsys.readouterr().out == "1: Emma\n1: Emma (Jane Austen)\n1: Emma (Jane Austen)\n"


def test_an_unknown_number_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--file", str(tmp_path / "none.json"), "list", "7"]) == 1
    assert capsys.readouterr().err == "There is no item 7.\n"
