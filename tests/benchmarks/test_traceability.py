"""The traceability benchmark: its measures, and one small set from folders to figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.traceability import executed, measures, planned
from benchmarks.traceability.__main__ import main, measure
from benchmarks.traceability.fitting import usual
from benchmarks.traceability.sets import trlc_converter
from crossval.link.traces.likeness import Likeness

CART = """\
package shop;
/** What a customer is going to buy. */
public class Cart {
    void addBook(Book book) { }
}
"""
FILES = {
    "requirements/R1.txt": "Fill the cart\nA customer puts a book into the cart.",
    "requirements/R2": "Pay an invoice\nAn invoice is paid within thirty days.",
    "code/shop/Cart.java": CART,
    "code/shop/Legacy.txt": CART.replace("Cart", "Basket").replace("customer", "visitor"),
    "code/invoices.py": 'class Invoice:\n    """What is to be paid."""\n\n    def pay(self):\n        ...\n',
    "code/clock.c": "/* time */\nint now(void) { return 0; }\n",
    "gold.csv": "requirement,path\nR1,Cart.java\nR2.TXT,code/invoices.py\n\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_a_set_of_several_languages_is_measured(folder: Path) -> None:
    figures, ranked, known = measure(folder / "requirements", folder / "code", folder / "gold.csv")
    assert known == {("R1", "shop/Cart.java"), ("R2", "invoices.py")}
    assert figures.map == 1
    assert ranked[0][1] >= ranked[-1][1] > 0


def test_the_figures_are_printed_with_average_and_calibration(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = [str(folder / name) for name in ("requirements", "code", "gold.csv")]
    assert main([*part, *part]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:6] == lines[2].split()[:6]
    assert lines[3].split() == ["average", *lines[1].split()[1:6]]
    assert len(lines) == 4 + 2 + 10
    assert main(part[:2]) == 2


def test_measures_are_those_of_the_textbook() -> None:
    gold = {("a", "1"), ("a", "2"), ("b", "3"), ("c", "4")}
    ranked = [
        (("a", "1"), 0.95),
        (("a", "9"), 0.5),
        (("a", "2"), 0.45),
        (("b", "8"), 0.42),
        (("b", "3"), 0.1),
    ]
    figures = measures.score([pair for pair, _ in ranked[:3]], ranked, gold)
    assert figures.precision == pytest.approx(2 / 3)
    assert figures.recall == pytest.approx(1 / 2)
    assert figures.f1 == pytest.approx(4 / 7)
    assert figures.f2 == pytest.approx(5 * (2 / 3) * (1 / 2) / (4 * (2 / 3) + 1 / 2))
    assert figures.map == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2 + 0) / 3)
    assert measures.best_f1([pair for pair, _ in ranked], gold) == pytest.approx(6 / 9)
    bins = measures.bins(ranked, gold)
    assert [each.links for each in bins] == [0, 1, 0, 0, 2, 1, 0, 0, 0, 1]
    assert bins[4].predicted == pytest.approx(0.435)
    assert bins[4].observed == 0.5


def test_nothing_found_is_zero_and_no_division() -> None:
    assert measures.score([], [], {("a", "1")}) == measures.Figures(0, 0, 0, 0, 0)
    assert measures.score([], [], []) == measures.Figures(0, 0, 0, 0, 0)


def test_the_usual_likeness_follows_the_number_of_artifacts() -> None:
    few, many = (Likeness([{"a": 1.0, str(n % 2): 1.0} for n in range(size)]) for size in (4, 64))
    factor, power = usual([few, many])
    assert factor * few.size**power == pytest.approx(few.crowd)
    assert factor * many.size**power == pytest.approx(many.crowd)


def test_records_of_trlc_and_comments_that_name_them_make_a_set(tmp_path: Path) -> None:
    page = tmp_path / "trlc/swe-req/swe-req.trlc"
    page.parent.mkdir(parents=True)
    page.write_text(
        "package SwRequirements\nSwReq sw_req_a {\n"
        "    description = \"It converts \\\"records\\\".\"\n    note = '''In\n  two lines.'''\n}\n"
    )
    code = tmp_path / "src/pyTRLCConverter/dump.py"
    code.parent.mkdir(parents=True)
    code.write_text("def dump():\n    # lobster-trace: SwRequirements.sw_req_a\n    return 1\n" + "#" * 200)
    requirements, files, gold = trlc_converter(tmp_path)
    assert requirements == {"sw_req_a": 'It converts "records".\nIn two lines.\n'}
    assert gold == {("sw_req_a", "dump.py")}
    assert "lobster-trace" not in files["dump.py"]


def test_stories_are_linked_with_the_files_that_their_tasks_name(tmp_path: Path) -> None:
    pages = {
        "specs/001-cart/spec.md": "# Cart\n### User Story 2 - Fill the cart (Priority: P1)\n"
        "Put a book into it, see cart.py.\n### Edge Cases\nNone.\n",
        "specs/001-cart/tasks.md": "- [x] T1 [US2] Write Cart in shop/cart.py and shop/gone.py\n"
        "- [ ] T2 [US9] in shop/cart.py\n",
        "src/shop/cart.py": "class Cart: ...\n",
        "tests/cart.py": "cart = 1\n",
    }
    for path, text in pages.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    requirements, code, gold = planned.stories(tmp_path)
    assert requirements == {"001-cart-US2": "Fill the cart \n\nPut a book into it, see  .\n"}
    assert list(code) == ["src/shop/cart.py"]
    assert ("001-cart-US2", "src/shop/cart.py") in gold
    assert planned.changes(tmp_path)[2] == {("001-cart", "src/shop/cart.py")}


def test_a_feature_is_linked_with_what_it_calls_and_others_do_not(tmp_path: Path) -> None:
    for name in ("cart", "text"):
        (tmp_path / "shop").mkdir(exist_ok=True)
        (tmp_path / f"shop/{name}.py").write_text("x = 1\n")
    recorded = [
        {
            "file": "features/fill.feature",
            "feature": ["Fill"],
            "scenario": "One",
            "steps": ["Given a cart"],
            "called": called,
        }
        for called in (["shop/cart.py"], ["shop/text.py"])
    ]
    recorded.append(recorded[0] | {"file": "features/pay.feature", "called": ["shop/text.py"]})
    requirements, _, gold = executed.features(recorded, tmp_path / "shop")
    assert requirements["fill"] == "Fill\nOne\nGiven a cart\n"
    assert gold == {("fill", "shop/cart.py")}
