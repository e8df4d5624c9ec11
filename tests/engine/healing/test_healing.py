"""`crossfact heal`: stale tests follow the code, right tests are left, and files are never left in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from engine.audit import read_trail
from engine.healing.queue import Queue
from engine.healing.records import Result
from engine.planning import read_cases
from healer.evidence import Ruling
from healer.healer import Patient
from healer.payload import Payload, Update
from planner.cases import Case, Layer, Status, Technique
from planner.checklist import FILE, Checklist, save
from tests.engine.healing.conftest import SHOP, TESTS, Yard

ROOT = Path(__file__).parent.parent.parent.parent
RENAMED = SHOP.replace("price", "cost")


class Proposing:
    """A healer that proposes what it is given."""

    name = "given"

    def __init__(self, *attempts: tuple[Payload, ...]) -> None:
        self.attempts = attempts
        self.asked = 0

    def propose(self, patient: Patient) -> Iterable[tuple[Payload, ...]]:
        self.asked += 1
        yield from self.attempts


def update(old: str, new: str, path: str = "tests/test_shop.py") -> tuple[Payload, ...]:
    return (Payload(reasoning="since", file_to_patch=path, update=Update(old, new)),)


def test_a_renamed_function_is_followed_and_nothing_else_is_touched(yard: Yard) -> None:
    assert yard.heal().treatments == ()
    yard.write({"shop.py": RENAMED})
    done = yard.heal()
    (treatment,) = done.treatments
    assert treatment.result is Result.HEALED
    assert treatment.judgement.ruling is Ruling.TEST_STALE
    assert treatment.since == "store:1"
    assert yard.read("tests/test_shop.py") == TESTS.replace("import price", "import cost").replace(
        "price(", "cost("
    ).replace("test_cost", "test_price")
    assert yard.read("shop.py") == RENAMED
    assert set(treatment.healed) == {
        f"tests/test_shop.py::test_{name}" for name in ("price", "refused", "total")
    }
    assert yard.heal().treatments == ()


def test_healing_twice_is_healing_once(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    yard.heal()
    once = yard.read("tests/test_shop.py")
    yard.heal()
    assert yard.read("tests/test_shop.py") == once


@pytest.mark.parametrize(
    "mutant",
    [
        ("amount * rate", "amount + rate"),
        ("rate: int = 2", "rate: int = 3"),
        ("ValueError", "KeyError"),
        ('"negative"', '"no"'),
    ],
)
def test_a_bug_is_not_healed_and_waits_for_a_person(yard: Yard, mutant: tuple[str, str]) -> None:
    yard.heal()
    yard.change("shop.py", mutant)
    done = yard.heal()
    assert done.treatments
    assert all(each.judgement.ruling in (Ruling.UNDECIDED, Ruling.CODE_WRONG) for each in done.treatments)
    assert yard.read("tests/test_shop.py") == TESTS
    assert {each.id for each in Queue(yard.project).entries()} == {
        each.review for each in done.treatments if each.review
    }


def test_a_bug_beside_a_rename_is_not_papered_over(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED.replace("amount * rate", "amount + rate")})
    done = yard.heal()
    assert not any(each.healed for each in done.treatments if "test_price" in str(each.healed))
    assert "== 4" in yard.read("tests/test_shop.py")
    assert "== 6" in yard.read("tests/test_shop.py")


def test_a_cluster_over_several_files_is_one_heal(yard: Yard) -> None:
    yard.write(
        {
            f"tests/test_{n}.py": "from shop import price\n\n\ndef test_it():\n    assert price(1) == 2\n"
            for n in range(3)
        }
    )
    yard.heal()
    yard.write({"shop.py": RENAMED})
    done = yard.heal()
    assert len(done.treatments) == 1
    assert len(done.treatments[0].healed) == 6


def test_a_dry_run_shows_the_diff_and_changes_nothing(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    done = yard.heal(dry=True)
    assert [each.result for each in done.treatments] == [Result.PROPOSED]
    assert "+from shop import cost, total" in done.treatments[0].diff
    assert yard.read("tests/test_shop.py") == TESTS
    assert Queue(yard.project).entries() == []
    assert [each.action for each in read_trail(yard.project).entries] == []


def test_a_weakening_edit_is_refused_whoever_proposes_it_and_the_next_is_tried(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    good = TESTS.replace("import price", "import cost").replace(" price(", " cost(")
    healer = Proposing(
        update("    assert price(2) == 4\n", ""),
        update("import price, total", "import total\n\nprice = lambda amount, rate=2: amount * rate"),
        (Payload(reasoning="", file_to_patch="tests/test_shop.py", new_content=good),),
    )
    done = yard.heal(by=[healer])
    (treatment,) = done.treatments
    assert [each.outcome.partition(":")[0] for each in treatment.proposals] == ["refused", "refused", "green"]
    assert yard.read("tests/test_shop.py") == good


@pytest.mark.parametrize(
    "attempt",
    [
        update("import price", "import cost", "shop.py"),
        update("import price", "import cost", "../outside/test_it.py"),
        update("import price", "import cost", "/etc/passwd"),
        update("nothing like it", "else"),
        (Payload(reasoning="", file_to_patch="tests/test_shop.py"),),
        (*update("import price", "import cost"), *update("import price", "import cost")),
        (Payload(reasoning="", file_to_patch="tests/test_shop.py", new_content="def test(:\n"),),
    ],
)
def test_an_attempt_that_reaches_further_or_does_not_apply_changes_nothing(
    yard: Yard, attempt: tuple[Payload, ...]
) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    done = yard.heal(by=[Proposing(attempt)])
    assert [each.result for each in done.treatments] == [Result.NEEDS_HUMAN]
    assert done.treatments[0].proposals[0].outcome.startswith("refused: ")
    assert yard.read("tests/test_shop.py") == TESTS
    assert yard.read("shop.py") == RENAMED


def test_an_attempt_after_which_tests_are_still_red_is_taken_back(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    done = yard.heal(by=[Proposing(update("import price, total", "import total, price"))])
    assert done.treatments[0].proposals[0].outcome.startswith("still red: ImportError")
    assert yard.read("tests/test_shop.py") == TESTS


def test_an_attempt_that_breaks_a_green_test_is_taken_back(yard: Yard) -> None:
    yard.write(
        {
            "tests/conftest.py": 'import pytest\n\n\n@pytest.fixture\ndef name():\n    return "price"\n',
            "tests/test_a.py": "import shop\n\n\ndef test_a(name):\n    assert getattr(shop, name)(1) == 2\n",
            "tests/test_b.py": "def test_b(name):\n    assert name.startswith('p')\n",
        }
    )
    yard.heal()
    yard.write({"shop.py": RENAMED})
    before = yard.read("tests/conftest.py")
    done = yard.heal("tests/test_a.py", by=[Proposing(update('"price"', '"cost"', "tests/conftest.py"))])
    (treatment,) = done.treatments
    assert [each.outcome for each in treatment.proposals] == ["taken back: breaks tests/test_b.py::test_b"]
    assert treatment.result is Result.NEEDS_HUMAN
    assert yard.read("tests/conftest.py") == before


def test_attempts_are_bounded(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    many = Proposing(*(update("import price, total", f"import price as p{n}, total") for n in range(9)))
    done = yard.heal(by=[many])
    assert len(done.treatments[0].proposals) == 3


def test_a_test_that_fails_by_chance_is_flaky_and_left(yard: Yard) -> None:
    flaky = (
        "from pathlib import Path\n\n\ndef test_sometimes(tmp_path_factory):\n"
        "    place = Path(__file__).with_name('ran')\n    n = len(place.read_text()) if place.exists() else 0\n"
        "    place.write_text('x' * (n + 1))\n    assert n % 2\n"
    )
    yard.write({"tests/test_flaky.py": flaky})
    done = yard.heal("tests/test_flaky.py")
    assert [each.result for each in done.treatments] == [Result.FLAKY]
    assert yard.read("tests/test_flaky.py") == flaky


def test_what_an_interrupted_attempt_left_is_put_back_by_the_next_run(yard: Yard) -> None:
    from engine.healing.recovering import folder_of
    from healer.editing.attempts import Attempt

    Attempt(yard.root, folder_of(yard.project)).change({"tests/test_shop.py": b"half"})
    yard.heal()
    assert yard.read("tests/test_shop.py") == TESTS
    assert any("cut short" in each for each in yard.told)
    assert [each.action for each in read_trail(yard.project).entries] == ["restore"]


def test_only_the_red_tests_run_again_and_then_those_that_share_the_file(yard: Yard) -> None:
    yard.write({"tests/test_other.py": "def test_other():\n    assert len('a') == 1\n"})
    yard.heal()
    yard.change("shop.py", ("rate", "factor"))
    yard.validator.asked.clear()
    done = yard.heal()
    assert [each.result for each in done.treatments] == [Result.HEALED]
    first, *later = yard.validator.asked
    assert set(first) == {"tests/test_other.py", "tests/test_shop.py"}
    assert later == [
        ("tests/test_shop.py::test_price",),
        ("tests/test_shop.py::test_refused", "tests/test_shop.py::test_total"),
    ]
    assert "factor=3" in yard.read("tests/test_shop.py")


def case(name: str, **given: object) -> Case:
    return Case(
        id=name,
        description=name,
        subject="function shop.price",
        aspect="returns",
        technique=Technique.RETURNS,
        layer=Layer.UNIT,
        cites=(),
        node=f"tests/test_shop.py::test_{name}",
        **given,  # type: ignore[arg-type]
    )


def test_the_checklist_says_how_each_test_stands_and_what_was_tried(yard: Yard) -> None:
    yard.heal()
    cases = [
        case("price", status=Status.FAILED),
        case("total", status=Status.FAILED),
        case("refused", status=Status.PASSED),
    ]
    save(yard.root / FILE, Checklist(), cases)
    yard.change("shop.py", ("def price", "def cost"), ("sum(price(", "sum(cost("))
    from engine.healing.healing import Options, heal
    from engine.plugins import healers

    project = yard.project
    done = heal(project, Options(), tell=yard.told.append, healers=healers(), validator=yard.validator)
    assert [each.result for each in done.treatments] == [Result.HEALED]
    standing = {each.id: each for each in read_cases(project)}
    assert standing["price"].status is standing["total"].status is Status.HEALED
    assert standing["price"].error_category == "IMPORT_ERROR"
    assert standing["price"].analysis.startswith("TEST_STALE")
    assert standing["price"].last_passed_revision == project.store.revision
    (history,) = standing["price"].healing_history
    assert history["result"] == "HEALED"
    assert history["healer"] == "names"
    assert standing["refused"].status is Status.PASSED


def test_a_test_that_the_specs_back_says_that_the_code_is_wrong(yard: Yard) -> None:
    stub = "def price(amount: int, rate: int = 2) -> int: ...\ndef total(amounts: list[int]) -> int: ...\n"
    yard.write({"shop.pyi": f"LIMIT: int\n{stub}"})
    yard.heal()
    yard.change("shop.py", ("def price", "def cost"), ("sum(price(", "sum(cost("))
    done = yard.heal()
    assert {each.result for each in done.treatments} == {Result.CODE_WRONG}
    assert all(each.judgement.evidence for each in done.treatments)
    assert yard.read("tests/test_shop.py") == TESTS


def test_what_was_healed_before_is_not_asked_again_behind_another_cause(yard: Yard) -> None:
    yard.heal()
    yard.change(
        "shop.py", ("def price", "def cost"), ("sum(price(", "sum(cost("), ("def total", "def summed")
    )
    done = yard.heal()
    assert any(each.result is Result.HEALED for each in done.treatments)
    assert yard.heal().treatments == ()


def test_line_ends_and_marks_of_a_file_stay(yard: Yard) -> None:
    content = b"\xef\xbb\xbf" + TESTS.replace("\n", "\r\n").encode()
    (yard.root / "tests/test_shop.py").write_bytes(content)
    yard.heal()
    yard.change("shop.py", ("def price", "def cost"), ("sum(price(", "sum(cost("))
    yard.heal()
    now = (yard.root / "tests/test_shop.py").read_bytes()
    assert now.startswith(b"\xef\xbb\xbf")
    assert b"import cost" in now
    assert now.count(b"\r\n") == now.count(b"\n") == content.count(b"\n")


def test_the_trail_tells_each_decision_with_what_it_cites(yard: Yard, tmp_path: Path) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    done = yard.heal()
    (entry,) = read_trail(yard.project).entries
    assert (entry.action, entry.by) == ("heal", "names")
    assert entry.about["cites"] == list(done.treatments[0].judgement.evidence)
    assert "+from shop import cost" in entry.about["diff"]
    assert msgspec.json.decode((tmp_path / ".crossfact/audit.head").read_bytes())["number"] == 1


def test_a_name_behind_which_there_is_no_test_is_told_and_waits_for_nobody(yard: Yard) -> None:
    done = yard.heal("tests/test_shop.py::test_none")
    assert (done.before, done.treatments) == ({}, ())
    assert any("did not collect it" in each for each in yard.told)


def test_a_kill_in_the_middle_of_healing_leaves_files_whole_and_the_next_run_ends_it(yard: Yard) -> None:
    yard.heal()
    yard.write({"shop.py": RENAMED})
    child = subprocess.Popen(
        [sys.executable, "-m", "crossfact", "heal", "tests", "--no-history", "--project", str(yard.root)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    file = yard.root / "tests/test_shop.py"
    while child.poll() is None and file.read_text(encoding="utf-8") == TESTS:
        os.sched_yield()
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    healed = file.read_text(encoding="utf-8")
    assert "import cost" in healed
    assert list(file.parent.glob(".*")) == []
    done = yard.heal(by=[])
    assert [each.result for each in done.treatments] == [Result.NEEDS_HUMAN]
    assert file.read_text(encoding="utf-8") == TESTS
    yard.heal()
    assert file.read_text(encoding="utf-8") == healed


def test_two_causes_in_one_file_are_healed_one_after_the_other(yard: Yard) -> None:
    yard.write(
        {
            "tests/test_shop.py": TESTS.replace("from shop import price, total", "import shop")
            .replace(" price(", " shop.price(")
            .replace(" total(", " shop.total(")
        }
    )
    yard.heal()
    yard.change(
        "shop.py", ("def price", "def cost"), ("sum(price(", "sum(cost("), ("def total", "def summed")
    )
    done = yard.heal()
    assert {each.result for each in done.treatments} == {Result.HEALED}
    assert "shop.cost(" in yard.read("tests/test_shop.py")
    assert "shop.summed(" in yard.read("tests/test_shop.py")
    assert yard.heal().treatments == ()
