"""`crossfact diff` and `crossfact query` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import crossfact, git, inside

STUB = "def pay(amount: int = 1) -> int: ...\n"
CODE = "def pay(amount: int = {}) -> int:\n    return amount\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository whose first commit agrees with its stub, and whose files now do not."""
    (tmp_path / "shop.pyi").write_text(STUB, encoding="utf-8")
    (tmp_path / "shop.py").write_text(CODE.format(1), encoding="utf-8")
    (tmp_path / "gone.py").write_text("LIMIT = 3\n", encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "shop.py", "shop.pyi", "gone.py")
    git(tmp_path, "commit", "-qm", "First")
    git(tmp_path, "tag", "v1")
    (tmp_path / "shop.py").write_text("\n" + CODE.format(2), encoding="utf-8")
    (tmp_path / "gone.py").unlink()
    return tmp_path


def test_against_git_it_names_the_facts_and_the_findings_that_came(shop: Path) -> None:
    done = crossfact(shop, "diff", "v1", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [each["rule"] for each in answer["findings"]["came"]] == ["argument-default-mismatch"]
    assert answer["findings"]["went"] == []
    assert [each["id"] for each in answer["facts"]["removed"]] == [
        "code:attribute:gone.LIMIT",
        "code:module:gone",
    ]
    (changed,) = answer["facts"]["changed"]
    assert changed["id"] == "code:function:shop.pay"
    assert [each["aspect"] for each in changed["changes"]] == ["parameters"]


def test_the_other_way_round_the_finding_went(shop: Path) -> None:
    git(shop, "commit", "-qam", "Second")
    answer = json.loads(inside(shop, "diff", "HEAD", "v1", "--json").stdout)
    assert answer["findings"]["came"] == []
    assert [each["rule"] for each in answer["findings"]["went"]] == ["argument-default-mismatch"]


def test_nothing_in_the_project_is_touched_by_looking_at_a_commit(shop: Path) -> None:
    before = {path.name: path.read_bytes() for path in shop.iterdir() if path.is_file()}
    inside(shop, "diff", "v1")
    assert {path.name: path.read_bytes() for path in shop.iterdir() if path.is_file()} == before
    assert not (shop / "gone.py").exists()
    answer = json.loads(inside(shop, "facts", "--kind", "attribute", "--json").stdout)
    assert answer == []


def test_without_arguments_it_compares_the_last_two_revisions_of_the_store(shop: Path) -> None:
    inside(shop, "check")
    (shop / "shop.py").write_text(CODE.format(1), encoding="utf-8")
    inside(shop, "check")
    done = inside(shop, "diff")
    assert done.stdout.splitlines()[0].startswith("From store:1 to store:2: 0 findings came, 1 went")
    assert "the store does not keep" in done.stderr


def test_what_is_new_stands_in_what_holds_it_and_specs_come_first(shop: Path) -> None:
    (shop / "till.py").write_text("DRAWERS = 2\n\n\ndef ring() -> None: ...\n", encoding="utf-8")
    (shop / "us.md").write_text(
        "# US-1: Ring\n\nAcceptance criteria:\n\n- It rings\n- It rings twice\n", "utf-8"
    )
    told = inside(shop, "diff", "v1").stdout
    assert "  - code:module:gone (gone.py:1): is a module. (and 1 fact in it)\n" in told
    assert "  + code:module:till (till.py:1): is a module. (and 2 facts in it)\n" in told
    assert "ring" not in told.replace("It rings", "") and "DRAWERS" not in told
    shown = inside(shop, "diff", "v1", "--format", "markdown").stdout
    rows = [row.split(" | ")[:2] for row in shown.splitlines() if row.startswith(("| +", "| ~", "| −"))]
    assert [sign[2:] + " " + what.replace("&#58;", ":") for sign, what in rows] == [
        "+ spec:story:US-1",
        "+ spec:criterion:US-1.1",
        "+ spec:criterion:US-1.2",
        "~ code:function:shop.pay",
        "− code:module:gone",
        "+ code:module:till",
    ]


def test_markdown_has_no_markup_of_the_project(shop: Path) -> None:
    (shop / "shop.py").write_text(
        'def pay(amount: int = "`|<b>[x](y)") -> int:\n    return 1\n', encoding="utf-8"
    )
    done = inside(shop, "diff", "v1", "--format", "markdown")
    assert "<b>" not in done.stdout.replace("<br>", "")
    assert "| 🔴 error |" in done.stdout


@pytest.mark.parametrize("revision", ["nothing", "store:99", "--upload-pack=x", "v1:shop.py"])
def test_a_revision_that_does_not_exist_is_one_clear_message(shop: Path, revision: str) -> None:
    done = inside(shop, "diff", "--", revision)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "help:" in done.stderr


@pytest.mark.parametrize("revisions", ["v1..HEAD", "v1.."])
def test_two_revisions_may_be_named_as_git_does(shop: Path, revisions: str) -> None:
    git(shop, "commit", "-qam", "Second")
    answer = json.loads(inside(shop, "diff", revisions, "--json").stdout)
    assert (answer["older"], answer["newer"]) == ("v1", "HEAD")
    assert [each["rule"] for each in answer["findings"]["came"]] == ["argument-default-mismatch"]


@pytest.mark.parametrize("revisions", ["v1...HEAD", "v1..HEAD..v1"])
def test_what_is_no_range_of_two_revisions_is_told(shop: Path, revisions: str) -> None:
    git(shop, "commit", "-qam", "Second")
    done = inside(shop, "diff", revisions, "--json")
    assert (done.returncode, "git knows no revision" in done.stderr) == (2, True)


def test_a_shallow_clone_is_told_how_to_get_a_missing_revision(
    shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    git(shop, "commit", "-qam", "Second")
    clone = tmp_path_factory.mktemp("clone") / "shop"
    git(shop.parent, "clone", "-q", "--depth", "1", f"file://{shop}", str(clone))
    done = inside(clone, "diff", "HEAD~1")
    assert (done.returncode, "git fetch --unshallow" in done.stderr) == (2, True)


def test_queries_answer_in_tables_and_json(shop: Path) -> None:
    done = crossfact(shop, "query", "MATCH (f:function) RETURN f.id, f.path ORDER BY f.id")
    assert done.stdout.splitlines() == [
        "f.id                    f.path",
        "----------------------  --------",
        "code:function:shop.pay  shop.py",
        "spec:function:shop.pay  shop.pyi",
    ]
    answer = json.loads(inside(shop, "query", "--sql", "SELECT count(*) AS n FROM facts", "--json").stdout)
    assert (answer["columns"], answer["cut"]) == (["n"], False)
    assert "default" not in inside(shop, "query", "gaps").stdout
    assert inside(shop, "query", "impact", "nothing.py").returncode == 2
    done = inside(shop, "query", "gaps")
    assert (done.stdout, done.stderr) == ("", "crossfact: no gap is found.\n")
    done = inside(shop, "query", "impact", "shop.pyi")
    assert done.stdout.splitlines()[0] == (
        "1 shop.py:2: code:function:shop.pay: is a function that takes (amount) and returns int. "
        "(implements, spec:function:shop.pay)"
    )


def test_a_body_that_changed_is_told_in_words(shop: Path) -> None:
    (shop / "shop.py").write_text(
        CODE.format(1).replace("return amount", "return amount + 1"), encoding="utf-8"
    )
    done = inside(shop, "diff", "v1")
    assert (
        "~ code:function:shop.pay (shop.py:1)\n      body: what it does is written otherwise\n" in done.stdout
    )


def test_of_long_values_the_part_that_differs_is_shown(tmp_path: Path) -> None:
    story = "# US-1: Order\n\nAcceptance criteria:\n\n- AC-1: {}\n"
    words = "An order of more than ten books of one kind that is made on a Sunday by somebody new is answered with {}."
    (tmp_path / "order.md").write_text(story.format(words.format(202)), encoding="utf-8")
    inside(tmp_path, "ingest")
    (tmp_path / "order.md").write_text(story.format(words.format(409)), encoding="utf-8")
    inside(tmp_path, "ingest")
    done = inside(tmp_path, "diff")
    assert "text: …somebody new is answered with 202. → …somebody new is answered with 409.\n" in done.stdout
