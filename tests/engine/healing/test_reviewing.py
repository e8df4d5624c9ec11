"""`crossfact review`: a person decides, and even then a test may not check less, nor break another."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from engine.audit import read_trail
from engine.healing.queue import Pending, Queue
from engine.healing.records import Proposal, Result
from engine.healing.reviewing import Decision, approve, reject
from graph.errors import UsageError
from healer.payload import Payload, Update
from planner.cases import Status
from planner.checklist import FILE, Checklist, load, save
from tests.commands import crossfact, inside
from tests.engine.healing.conftest import SHOP, TESTS, Yard
from tests.engine.healing.test_healing import RENAMED, Proposing, case, update

ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture
def waiting(yard: Yard) -> Yard:
    """The constant is another one, and nobody knows whether it may: an edit of the test waits."""
    yard.write({"tests/test_limit.py": "import shop\n\n\ndef test_limit():\n    assert shop.LIMIT == 10\n"})
    yard.heal()
    yard.change("shop.py", ("LIMIT = 10", "LIMIT = 12"))
    edit = update("LIMIT == 10", "LIMIT == 12", "tests/test_limit.py")
    done = yard.heal(by=[Proposing(edit)])
    assert [each.result for each in done.treatments] == [Result.NEEDS_HUMAN]
    return yard


def entry(yard: Yard) -> Pending:
    (only,) = Queue(yard.project).entries()
    return only


def decided(yard: Yard, **given: object) -> Decision:
    return approve(
        yard.project,
        entry(yard).id,
        validator=yard.validator,
        tell=yard.told.append,
        **given,  # type: ignore[arg-type]
    )


def test_an_edit_that_a_person_approves_of_is_made_and_leaves_the_queue(waiting: Yard) -> None:
    assert entry(waiting).judgement.ruling == "UNDECIDED"
    assert "+    assert shop.LIMIT == 12" in entry(waiting).proposals[0].diff
    assert decided(waiting).kept
    assert "LIMIT == 12" in waiting.read("tests/test_limit.py")
    assert Queue(waiting.project).entries() == []
    last = read_trail(waiting.project).entries[-1]
    assert (last.action, last.by) == ("approve", "human")


def test_an_edit_that_a_person_turns_down_is_never_offered_again(waiting: Yard) -> None:
    edit = entry(waiting).proposals[0].payloads
    reject(waiting.project, entry(waiting).id, tell=waiting.told.append)
    assert Queue(waiting.project).entries() == []
    done = waiting.heal(by=[Proposing(edit)])
    assert (
        done.treatments[0].proposals[0].outcome
        == "refused: a person rejected this edit or took it back before"
    )
    assert entry(waiting).proposals == ()


def test_an_approved_edit_that_weakens_the_test_is_refused_all_the_same(waiting: Yard) -> None:
    weak = Proposal(
        healer="human", payloads=update("    assert shop.LIMIT == 10\n", "    pass\n", "tests/test_limit.py")
    )
    decision = decided(waiting, proposal=weak)
    assert not decision.kept
    assert "asserts 0 things instead of 1" in decision.words
    assert "LIMIT == 10" in waiting.read("tests/test_limit.py")
    assert len(Queue(waiting.project).entries()) == 1


def test_an_approved_edit_with_which_the_test_is_red_is_taken_back(waiting: Yard) -> None:
    wrong = Proposal(healer="human", payloads=update("== 10", "== 11", "tests/test_limit.py"))
    decision = decided(waiting, proposal=wrong)
    assert not decision.kept
    assert decision.words.startswith("still red")
    assert "LIMIT == 10" in waiting.read("tests/test_limit.py")


def test_an_edit_of_a_file_that_changed_meanwhile_is_not_made(waiting: Yard) -> None:
    waiting.change("tests/test_limit.py", ("def test_limit", "# by hand\ndef test_limit"))
    with pytest.raises(UsageError, match="was changed since"):
        decided(waiting)


def test_an_entry_that_does_not_exist_names_those_that_do(waiting: Yard) -> None:
    with pytest.raises(UsageError, match="no such entry"):
        approve(waiting.project, "zzzz", validator=waiting.validator, tell=print)
    with pytest.raises(UsageError, match="there is no proposal 2"):
        decided(waiting, number=2)


def test_a_test_is_retired_only_by_a_person_and_its_case_is_obsolete_then(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": SHOP[: SHOP.index("def total")].rstrip() + "\n"})
    retire = (Payload(reasoning="total is gone", file_to_patch="tests/test_shop.py", retire=("test_total",)),)
    only = TESTS.replace("from shop import price, total", "import shop\nfrom shop import price").replace(
        "assert total(", "assert shop.total("
    )
    yard.write({"tests/test_shop.py": only})
    save(yard.root / FILE, Checklist(), [case("total", status=Status.FAILED)])
    done = yard.heal(by=[Proposing(retire)])
    assert [each.result for each in done.treatments] == [Result.NEEDS_HUMAN]
    assert "def test_total" in yard.read("tests/test_shop.py")
    assert decided(yard).kept
    assert "def test_total" not in yard.read("tests/test_shop.py")
    (kept,) = load(yard.root / FILE).cases
    assert (kept.status, kept.node) == (Status.OBSOLETE, "")


def asked(yard: Yard, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return inside(ROOT, *arguments, "--project", str(yard.root), "--no-history", input=given)


def test_the_command_lists_approves_and_takes_payloads_as_json(waiting: Yard) -> None:
    listed = asked(waiting, "review", "--json")
    assert listed.returncode == 1
    (pending,) = json.loads(listed.stdout)
    assert pending["proposals"][0]["method"] == "update"
    assert asked(waiting, "review", "--approve", "nothing").returncode == 2
    bad = asked(waiting, "review", "--edit", pending["id"], "--payload", "-", given='{"file": 1}')
    assert (bad.returncode, "is no payload" in bad.stderr) == (2, True)
    assert "Traceback" not in bad.stderr
    written = {
        "reasoning": "the limit is 12 now",
        "file_to_patch": "tests/test_limit.py",
        "update": {"old_str": "== 10", "new_str": "== 12"},
    }
    done = asked(
        waiting, "review", "--edit", pending["id"], "--payload", "-", "--json", given=json.dumps(written)
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["kept"] is True
    assert "== 12" in waiting.read("tests/test_limit.py")
    assert crossfact(waiting.root, "review").stdout == "Nothing waits for a person.\n"
    assert asked(waiting, "audit", "verify").returncode == 0


def test_the_command_heals_and_says_so_as_json_and_by_its_exit_code(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    dry = asked(yard, "heal", "tests", "--dry-run", "--json")
    assert dry.returncode == 1, dry.stderr
    assert json.loads(dry.stdout)["clusters"][0]["outcome"] == "PROPOSED"
    done = crossfact(yard.root, "heal", "tests", "--no-history", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    (cluster,) = document["clusters"]
    assert (cluster["outcome"], cluster["ruling"]) == ("HEALED", "TEST_STALE")
    assert cluster["cited"][0]["path"] == "shop.py"
    assert document["tests"]["red"] == 1
    assert "green" in {each["outcome"] for each in cluster["proposals"]}
    assert asked(yard, "heal", "nowhere").returncode == 2
    assert asked(yard, "heal", "tests", "--since", "store:99").returncode in (0, 2)
    knowledge = asked(yard, "audit", "kb")
    assert "renamed" in knowledge.stdout


def test_a_payload_that_speaks_of_two_edits_is_refused(waiting: Yard) -> None:
    both = Payload(
        reasoning="",
        file_to_patch="tests/test_limit.py",
        update=Update("== 10", "== 12"),
        new_content="x = 1",
    )
    decision = decided(waiting, proposal=Proposal(healer="human", payloads=(both,)))
    assert "not exactly one" in decision.words
