"""What healing learns: each attempt counts, one that a person takes back failed, and damaged files are ignored."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.healing.learning import Learning
from engine.project import Project
from tests.engine.healing.conftest import TESTS, Yard
from tests.engine.healing.test_healing import RENAMED


def experiences(yard: Yard) -> dict[str, tuple[int, int, int]]:
    learning = Learning(yard.project, yard.told.append)
    return {
        f"{each.cause} {each.healer}": (each.healed, each.failed, each.reverted)
        for each in learning.knowledge.experiences()
    }


def test_a_heal_counts_and_one_that_a_person_takes_back_counts_as_failed(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    yard.heal()
    assert experiences(yard) == {"renamed names": (1, 0, 0)}
    yard.write({"tests/test_shop.py": TESTS})
    yard.heal(dry=True)
    assert experiences(yard) == {"renamed names": (1, 0, 0)}
    done = yard.heal()
    assert "a person took it back" in done.treatments[0].proposals[0].outcome
    assert yard.read("tests/test_shop.py") == TESTS
    assert experiences(yard)["renamed names"] == (0, 1, 1)
    again = yard.heal()
    assert "took it back before" in again.treatments[0].proposals[0].outcome
    assert experiences(yard)["renamed names"] == (0, 1, 1)


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"version": 99, "experiences": []}', b'[{"healer": "../x"}]', b"\xff"]
)
def test_a_file_that_is_none_is_told_and_ignored(yard: Yard, content: bytes) -> None:
    file = yard.root / ".crossfact/healing/knowledge.json"
    file.parent.mkdir()
    file.write_bytes(content)
    assert experiences(yard) == {}
    assert any("ignored" in each for each in yard.told)


def test_counts_go_to_other_projects_only_where_the_user_wants_it(yard: Yard, tmp_path: Path) -> None:
    data = {"XDG_DATA_HOME": str(tmp_path / "data")}
    yard.heal()
    yard.write({"shop.py": RENAMED})
    treatments = yard.heal().treatments
    project = yard.project
    Learning(project, print, data).learn(treatments)
    assert not (tmp_path / "data").exists()
    sharing = msgspec.structs.replace(project.settings, heal_share=True)
    Learning(Project(project.root, (), sharing, project.store), print, data).learn(treatments)
    (file,) = (tmp_path / "data/crossfact/healing").iterdir()
    text = file.read_text(encoding="utf-8")
    assert "renamed" in text
    assert "price" not in text
    assert "shape" not in text or '"shape": ""' in text
