"""`crossfact review --undo`: a heal is taken back byte for byte, counts as failed, and is not made again."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from engine.audit import read_trail
from engine.healing.made import Heals, Made
from engine.healing.queue import Queue
from engine.healing.reviewing import approve
from engine.healing.undoing import undo
from graph.errors import UsageError
from planner.cases import Status
from planner.checklist import FILE, Checklist, load, save
from tests.commands import inside
from tests.engine.healing.conftest import SHOP, TESTS, Yard
from tests.engine.healing.test_healing import RENAMED, Proposing, case, update
from tests.engine.healing.test_learning import experiences

ROOT = Path(__file__).parent.parent.parent.parent
FILE_OF_TESTS = "tests/test_shop.py"


@pytest.fixture
def healed(yard: Yard) -> Yard:
    """A function was renamed, and its tests were healed."""
    yard.heal()
    yard.write({"shop.py": RENAMED})
    yard.heal()
    assert yard.read(FILE_OF_TESTS) != TESTS
    return yard


def only(yard: Yard) -> Made:
    (made,) = Heals(yard.project).all()
    return made


def undone(yard: Yard, identifier: str) -> Made:
    return undo(yard.project, identifier, tell=yard.told.append)


def last(yard: Yard) -> tuple[str, str]:
    entry = read_trail(yard.project).entries[-1]
    return entry.action, entry.by


def test_a_heal_is_taken_back_byte_for_byte_and_counts_as_failed(healed: Yard) -> None:
    assert experiences(healed) == {"renamed names": (1, 0, 0)}
    made = undone(healed, only(healed).id)
    assert (healed.root / FILE_OF_TESTS).read_bytes() == TESTS.encode()
    assert experiences(healed) == {"renamed names": (0, 1, 1)}
    entry = read_trail(healed.project).entries[-1]
    assert (entry.action, entry.by, entry.about["undo"]) == ("undo", "human", made.id)
    assert entry.about["nodes"] == list(made.nodes)
    assert read_trail(healed.project).broken == ()
    assert Heals(healed.project).all() == []


def test_what_was_taken_back_is_not_made_again_and_counts_once(healed: Yard) -> None:
    undone(healed, only(healed).id)
    again = healed.heal()
    assert "took it back before" in again.treatments[0].proposals[0].outcome
    assert healed.read(FILE_OF_TESTS) == TESTS
    assert experiences(healed) == {"renamed names": (0, 1, 1)}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_and_marks_come_back_as_they_were(yard: Yard, newline: str) -> None:
    before = b"\xef\xbb\xbf" + TESTS.replace("\n", newline).encode()
    (yard.root / FILE_OF_TESTS).write_bytes(before)
    yard.heal()
    yard.write({"shop.py": RENAMED})
    yard.heal()
    assert (yard.root / FILE_OF_TESTS).read_bytes() != before
    undone(yard, only(yard).id)
    assert (yard.root / FILE_OF_TESTS).read_bytes() == before


def test_what_was_written_elsewhere_since_stays(healed: Yard) -> None:
    added = "\n\ndef test_more():\n    assert True\n"
    healed.write({FILE_OF_TESTS: healed.read(FILE_OF_TESTS) + added})
    undone(healed, only(healed).id)
    assert healed.read(FILE_OF_TESTS) == TESTS + added


def test_an_edit_at_the_very_place_is_left_and_said(healed: Yard) -> None:
    text = healed.read(FILE_OF_TESTS).replace("cost(2) == 4", "cost(2) == 5")
    assert text != healed.read(FILE_OF_TESTS)
    healed.write({FILE_OF_TESTS: text})
    with pytest.raises(UsageError, match="was edited since, where it was healed"):
        undone(healed, only(healed).id)
    assert healed.read(FILE_OF_TESTS) == text
    assert experiences(healed) == {"renamed names": (1, 0, 0)}
    assert len(Heals(healed.project).all()) == 1


def test_a_later_heal_of_the_same_lines_has_to_be_taken_back_first(healed: Yard) -> None:
    first = only(healed)
    healed.write({"shop.py": RENAMED.replace("cost", "charge")})
    healed.heal()
    second = next(each for each in Heals(healed.project).all() if each.id != first.id)
    with pytest.raises(UsageError) as raised:
        undone(healed, first.id)
    assert second.id in str(raised.value.remedy)
    undone(healed, second.id)
    undone(healed, first.id)
    assert healed.read(FILE_OF_TESTS) == TESTS


def test_a_heal_that_is_gone_with_its_file_is_said(healed: Yard) -> None:
    (healed.root / FILE_OF_TESTS).unlink()
    with pytest.raises(UsageError, match="is not there any more"):
        undone(healed, only(healed).id)
    with pytest.raises(UsageError, match="no such heal"):
        undone(healed, "nothing")
    with pytest.raises(UsageError, match="no such heal"):
        undone(healed, "")


def test_one_that_was_taken_back_by_hand_is_noticed_also_where_nothing_like_it_is_offered(
    healed: Yard,
) -> None:
    healed.write({FILE_OF_TESTS: TESTS})
    healed.heal(by=[])
    assert experiences(healed) == {"renamed names": (0, 1, 1)}
    assert last(healed)[0] == "revert"
    assert Heals(healed.project).all() == []


def test_tests_that_read_as_before_and_are_green_are_of_another_branch_perhaps(healed: Yard) -> None:
    healed.write({FILE_OF_TESTS: TESTS, "shop.py": SHOP})
    healed.heal()
    assert experiences(healed) == {"renamed names": (1, 0, 0)}
    assert len(Heals(healed.project).all()) == 1


def test_an_edit_that_a_person_approved_can_be_taken_back(yard: Yard) -> None:
    before = "import shop\n\n\ndef test_limit():\n    assert shop.LIMIT == 10\n"
    yard.write({"tests/test_limit.py": before})
    yard.heal()
    yard.change("shop.py", ("LIMIT = 10", "LIMIT = 12"))
    yard.heal(by=[Proposing(update("LIMIT == 10", "LIMIT == 12", "tests/test_limit.py"))])
    (entry,) = Queue(yard.project).entries()
    decision = approve(yard.project, entry.id, validator=yard.validator, tell=yard.told.append)
    assert decision.undo == only(yard).id
    undone(yard, decision.undo)
    assert yard.read("tests/test_limit.py") == before
    assert last(yard) == ("undo", "human")


def test_the_case_of_the_checklist_fails_again_and_its_history_tells_why(yard: Yard) -> None:
    mine = case("price")
    save(yard.root / FILE, Checklist(), [mine])
    yard.heal()
    yard.write({"shop.py": RENAMED})
    yard.heal()
    (known,) = load(yard.root / FILE).cases
    assert known.status is Status.HEALED
    undone(yard, only(yard).id)
    (known,) = load(yard.root / FILE).cases
    assert known.status is Status.FAILED
    assert known.analysis == "A person took the heal back."
    assert known.healing_history[-1]["result"] == "UNDONE"


def asked(yard: Yard, *arguments: str) -> subprocess.CompletedProcess[str]:
    return inside(ROOT, *arguments, "--project", str(yard.root), "--no-history")


def test_the_command_lists_heals_and_takes_one_back(healed: Yard) -> None:
    (listed,) = json.loads(asked(healed, "review", "--healed", "--json").stdout)
    assert listed["files"] == [FILE_OF_TESTS]
    assert "+from shop import cost" in listed["diff"]
    assert listed["id"] in asked(healed, "review", "--healed").stdout
    assert asked(healed, "review", "--undo", "zz").returncode == 2
    assert asked(healed, "review", "--undo", listed["id"], "--reject", "x").returncode == 2
    done = asked(healed, "review", "--undo", listed["id"][:4])
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{listed['id']}: taken back; as before: {FILE_OF_TESTS}.")
    assert "Nothing was healed" in asked(healed, "review", "--healed").stdout
    assert asked(healed, "audit", "verify").returncode == 0


def test_what_is_kept_of_heals_may_be_damaged_and_is_no_way_out_of_the_project(healed: Yard) -> None:
    folder = healed.root / ".crossfact/healing/heals"
    made = only(healed)
    (folder / "deadbeef.msgpack").write_bytes(b"\xff")
    (folder / "cafecafe.msgpack").write_bytes((folder / f"{made.id}.msgpack").read_bytes())
    assert only(healed).id == made.id
    hostile = (
        (folder / f"{made.id}.msgpack").read_bytes().replace(b"tests/test_shop.py", b"../st/test_shop.py")
    )
    (folder / f"{made.id}.msgpack").write_bytes(hostile)
    with pytest.raises(UsageError, match="cannot be taken back"):
        undone(healed, made.id)
