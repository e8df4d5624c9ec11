"""Which plug-ins are offered is looked up once, and again when something was installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.offered import Memory

OURS = "[crossfact.rules]\nduty = duties:duty\n"


@pytest.fixture(autouse=True)
def bytecode_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)


def install(folder: Path, name: str, text: str = "", suffix: str = ".dist-info") -> Path:
    place = folder / f"{name}{suffix}"
    place.mkdir(parents=True)
    (place / "entry_points.txt").write_text(text)
    return place


def aged(folder: Path, seconds: int) -> None:
    os.utime(folder, (seconds, seconds))


def looked_up(folder: Path, kept: Path) -> bytes:
    memory = Memory(kept)
    found = memory.of(str(folder))
    memory.save()
    return found


def test_a_folder_that_did_not_change_is_not_looked_through_again(tmp_path: Path) -> None:
    site, kept = tmp_path / "site", tmp_path / "kept"
    place = install(site, "duties", OURS)
    aged(site, 1_000)
    assert looked_up(site, kept) == OURS.encode()
    (place / "entry_points.txt").unlink()
    assert looked_up(site, kept) == OURS.encode()


def test_what_is_installed_or_taken_out_is_seen(tmp_path: Path) -> None:
    site, kept = tmp_path / "site", tmp_path / "kept"
    install(site, "other", "[console_scripts]\nother = other:main\n")
    aged(site, 1_000)
    assert looked_up(site, kept) == b""
    place = install(site, "duties", OURS)
    aged(site, 2_000)
    assert looked_up(site, kept) == OURS.encode()
    (place / "entry_points.txt").unlink()
    place.rmdir()
    aged(site, 3_000)
    assert looked_up(site, kept) == b""


@pytest.mark.parametrize("suffix", [".egg-info", ".dist-info"])
def test_what_may_still_change_unseen_is_not_kept(suffix: str, tmp_path: Path) -> None:
    site, kept = tmp_path / "site", tmp_path / "kept"
    place = install(site, "duties", OURS, suffix)
    if suffix == ".egg-info":
        aged(site, 1_000)  # else the folder changed a moment ago
    assert looked_up(site, kept) == OURS.encode()
    (place / "entry_points.txt").write_text("")
    assert looked_up(site, kept) == b""


def test_a_folder_that_is_not_there_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Memory(None).of(str(tmp_path / "none"))
