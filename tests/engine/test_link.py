"""`crossfact link` as a user meets it, and how many criteria of the bookshop it links rightly without tags."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from crossval.link.traces.proposing import propose
from crossval.link.traces.words_of import Code, passages
from engine.cli.opening import project_from
from engine.links import project_links
from engine.project import refresh
from tests.commands import crossfact, inside

ROOT = Path(__file__).parent.parent.parent
GOLD = {
    "AC-1.1": {"GET /books", "bookshop.books.list_books"},
    "AC-1.2": {"GET /books", "bookshop.books.list_books"},
    "AC-1.3": {"GET /books/{book_id}", "bookshop.books.get_book", "bookshop.catalogue.find"},
    "AC-2.1": {"POST /books/{book_id}/reviews", "bookshop.reviews.add_review"},
    "AC-2.2": {"POST /books/{book_id}/reviews", "bookshop.reviews.add_review"},
    "AC-3.1": {"POST /orders", "bookshop.orders.place_order"},
    "AC-3.2": {"POST /orders", "bookshop.orders.place_order"},
    "AC-3.3": {"bookshop.pricing.shipping"},
    "AC-4.1": {
        "POST /books",
        "PUT /books/{book_id}",
        "DELETE /books/{book_id}",
        "bookshop.security.staff_only",
    },
    "AC-4.2": {"POST /books", "bookshop.books.add_book", "bookshop.catalogue.add"},
    "AC-4.3": {"GET /books", "GET /books/{book_id}", "bookshop.books.list_books", "bookshop.books.get_book"},
}
"""What each criterion of the bookshop is about, judged by reading; its sources hold no tags."""

GOLD_OF_TEA = {
    "AC-1.1": {"GET /teas", "teashop.teas.list_teas"},
    "AC-1.2": {"GET /teas", "teashop.teas.list_teas"},
    "AC-1.3": {"GET /teas/{tea_id}", "teashop.teas.show_tea"},
    "AC-1.4": {"GET /teas", "teashop.teas.list_teas"},
    **{f"AC-2.{n}": {"POST /accounts", "teashop.accounts.open_account"} for n in range(1, 7)},
    "AC-3.1": {"POST /orders", "teashop.orders.place_order"},
    "AC-3.2": {"teashop.orders.reserve"},
    "AC-4.1": {"DELETE /teas/{tea_id}", "teashop.teas.remove_tea"},
    "AC-4.2": {"POST /teas", "teashop.teas.add_tea"},
}
"""The same of the tea shop, without the criteria that nothing implements."""


@pytest.fixture
def bookshop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "specs_examples" / "bookshop", tmp_path / "bookshop"))


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return inside(folder, "link", *arguments)


def first_of(folder: Path, *, shown: bool = False) -> dict[str, str]:
    """The operation or function that each criterion is linked with first, whatever tags say; or only what is shown."""
    project = project_from((str(folder),), {})
    refresh(project, tell=lambda _: None)
    first: dict[str, str] = {}
    for proposal in propose(passages(project.store), Code(project.store).definitions(), single=True):
        _, kind, key = proposal.artifact.split(":", 2)
        if kind in ("operation", "function") and (proposal.proposed or not shown):
            first.setdefault(proposal.passage.rpartition(":")[2], key)
    return first


def test_criteria_of_the_bookshop_are_linked_with_the_right_operation_or_function(bookshop: Path) -> None:
    first = first_of(bookshop)
    wrong = {criterion for criterion, right in GOLD.items() if first.get(criterion) not in right}
    # AC-4.3 says `paid` where the code says `purchase`.
    assert wrong == {"AC-4.3"}
    shown = first_of(bookshop, shown=True)
    assert shown.items() <= first.items()
    assert {criterion for criterion in GOLD if criterion not in shown} == {"AC-4.3"}


def test_criteria_of_the_tea_shop_are_linked_with_the_right_operation_or_function(tmp_path: Path) -> None:
    first = first_of(Path(shutil.copytree(ROOT / "specs_examples" / "claims-shop", tmp_path / "claims-shop")))
    assert {
        criterion for criterion, right in GOLD_OF_TEA.items() if first.get(criterion) not in right
    } == set()


def test_a_decision_is_kept_and_wins(bookshop: Path) -> None:
    accepted = run(bookshop, "--accept", "AC-1.2", "code:operation:GET /books")
    assert (accepted.returncode, accepted.stdout) == (
        0,
        "accepted: spec:criterion:AC-1.2 - code:operation:GET /books\n",
    )
    assert run(bookshop, "--reject", "code:operation:GET /authors", "AC-1.2").returncode == 0
    found = json.loads(run(bookshop, "AC-1.2", "--json").stdout)
    assert found[0] == {
        "spec": "spec:criterion:AC-1.2",
        "other": "code:operation:GET /books",
        "confidence": 1.0,
        "reason": "accepted by hand",
    }
    assert "code:operation:GET /authors" not in {each["other"] for each in found}
    run(bookshop, "--forget", "AC-1.2", "code:operation:GET /authors")
    assert "GET /authors" in run(bookshop, "AC-1.2").stdout


def test_links_are_concluded_once_for_a_revision(bookshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = project_from((str(bookshop),), {})
    refresh(project, tell=lambda _: None)
    first = project_links(project)

    def again(*_: object, **__: object) -> None:
        raise AssertionError("the links are concluded again")

    monkeypatch.setattr("crossval.link.traces.linking.links", again)
    assert first and project_links(project) == first
    (bookshop / "specs" / "more.md").write_text(STORIES)
    refresh(project, tell=lambda _: None)
    with pytest.raises(AssertionError, match="concluded again"):
        project_links(project)


def test_a_story_lists_the_links_of_its_criteria(bookshop: Path) -> None:
    done = crossfact(bookshop, "link", "US-3", "--least", "0.5")
    assert done.stdout.startswith("spec:criterion:AC-3.1  ")
    assert "AC-1.2" not in done.stdout
    assert "code:operation:GET /orders/{order_id}" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--accept", "AC-1.2"), "--accept takes two facts"),
        (("--accept", "AC-1.2", "US-1"), "one of the two must be a criterion or a story"),
        (("--reject", "AC-1.2", "code:operation:GET /bocks"), "no fact is called code:operation:GET /bocks"),
        (("bookshop.pricing.shipping",), "is no story and no criterion"),
    ],
)
def test_wrong_use_is_told(bookshop: Path, arguments: tuple[str, ...], words: str) -> None:
    done = run(bookshop, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert not (bookshop / "crossfact-links.yaml").exists()


def test_a_decision_names_one_criterion_and_one_thing(tmp_path: Path) -> None:
    page = "# US-{0}: Order\n\nAcceptance criteria:\n\n- AC-1: Orders are kept.\n"
    for number in (1, 2):
        (tmp_path / f"order{number}.md").write_text(page.format(number), encoding="utf-8")
    (tmp_path / "shop.py").write_text("def keep_orders():\n    pass\n", encoding="utf-8")
    done = run(tmp_path, "--accept", "AC-1", "shop.keep_orders")
    assert (done.returncode, done.stdout) == (2, "")
    both = "spec:criterion:AC-1@order1.md, spec:criterion:AC-1@order2.md"
    assert f"AC-1 is ambiguous: {both}\n  help: Decide about one of them, by its whole id.\n" in done.stderr
    done = run(tmp_path, "--accept", "spec:criterion:AC-1@order2.md", "shop.keep_orders")
    assert done.stdout == "accepted: spec:criterion:AC-1@order2.md - code:function:shop.keep_orders\n"


def test_a_mistake_in_the_file_is_told_with_its_line(bookshop: Path) -> None:
    (bookshop / "crossfact-links.yaml").write_text("version: 1\naccepted:\n  - nothing\n")
    done = run(bookshop)
    assert done.returncode == 2
    assert "crossfact-links.yaml:3: a link must be a mapping" in done.stderr


STORIES = """\
# Shop

## US-1: Order

As a customer, I want to order books, so that I can read.

Acceptance criteria:

- AC-1: A book is ordered.
- AC-2: A parcel is sent.
"""
CODE = 'def order():\n    """AC-1"""\n\n\ndef dispatch():\n    ...\n'


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    return inside(folder, "check", ".", "--format", "json")


def test_a_link_accepted_by_hand_convinces_the_rules(tmp_path: Path) -> None:
    (tmp_path / "stories.md").write_text(STORIES)
    (tmp_path / "shop.py").write_text(CODE)

    def missing() -> list[str]:
        findings = json.loads(check(tmp_path).stdout)["findings"]
        return [each["subject"] for each in findings if each["rule"] == "criterion-not-implemented"]

    assert missing() == ["criterion AC-2"]
    assert run(tmp_path, "--accept", "AC-2", "shop.dispatch").returncode == 0
    assert missing() == []
    assert run(tmp_path, "--forget", "AC-2", "shop.dispatch").returncode == 0
    assert missing() == ["criterion AC-2"]


def test_a_check_does_not_pass_over_a_broken_file_of_decisions(tmp_path: Path) -> None:
    (tmp_path / "stories.md").write_text(STORIES)
    (tmp_path / "crossfact-links.yaml").write_text("accepted: 7\n")
    done = check(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "crossfact-links.yaml:1: a list of links is expected" in done.stderr


def test_where_no_criterion_was_found_the_empty_answer_says_what_links_belong_to(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def price() -> int:\n    return 1\n")
    done = run(tmp_path)
    assert done.returncode == 0
    assert "Links belong to acceptance criteria, and no story or feature with any was found." in done.stderr


def test_a_decision_about_what_was_renamed_is_told_and_can_be_forgotten(tmp_path: Path) -> None:
    (tmp_path / "stories.md").write_text(STORIES)
    (tmp_path / "shop.py").write_text(CODE)
    run(tmp_path, "--accept", "AC-2", "shop.dispatch")
    assert "any more" not in run(tmp_path).stderr
    (tmp_path / "shop.py").write_text(CODE.replace("dispatch", "send"))
    told = run(tmp_path).stderr
    assert "crossfact-links.yaml: nothing is called code:function:shop.dispatch any more" in told
    assert "crossfact link --forget 'spec:criterion:AC-2' 'code:function:shop.dispatch'" in told
    done = run(tmp_path, "--forget", "spec:criterion:AC-2", "code:function:shop.dispatch")
    assert (done.returncode, "written" in done.stderr) == (0, True)
    assert "any more" not in run(tmp_path).stderr


def test_a_criterion_of_one_word_is_linked_with_nothing(tmp_path: Path) -> None:
    (tmp_path / "lend.feature").write_text(
        "Feature: lend\n\n  Scenario: lend\n    Then lend\n\n  Scenario: give back\n    Then the book is given back\n",
        encoding="utf-8",
    )
    (tmp_path / "books.py").write_text(
        "def lend() -> None: ...\n\n\ndef give_book_back() -> None: ...\n", encoding="utf-8"
    )
    proposed = run(tmp_path).stdout
    assert "books.give_book_back" in proposed
    assert "books.lend" not in proposed
