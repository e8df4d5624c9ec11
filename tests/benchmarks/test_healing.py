"""The benchmark of healing: refactorings keep code and tests together, mutants change one place, figures add up."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from benchmarks.healing.comparing import assertions, lost, size, upper_bound
from benchmarks.healing.editing import Editor, after_imports
from benchmarks.healing.operators import bugs
from benchmarks.healing.operators.causes import CAUSES, PAIRED
from benchmarks.healing.running import Runner, Tree
from benchmarks.healing.sources import Change, Sources
from benchmarks.healing.stubs import stub, stubs

CODE = '''\
"""Prices."""
import enum
import math

LIMIT = 40
_hidden = 3


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"


class Cart:
    """A cart; see `add_item`."""

    rate = 0.5

    def __init__(self, owner, size=5):
        self.owner = owner
        self.size = size
        self.entries = []

    def add_item(self, title, count=1, gift=False):
        """Add `title`."""
        if count < 1:
            raise ValueError(title)
        self.entries.append((title, count + 1))

    def total_price(self):
        return len(self.entries) * self.size

    @property
    def label(self):
        return f"{self.owner}'s"


def discount_of(price, percent, floor=0):
    """Lower `price` by percent."""
    return max(math.floor(price - price * percent / 100), floor)


def parts_of(text):
    return [text[:1], text[1:]]


async def fetch_all(name):
    return name


def unused_here(value):
    return value
'''
INIT = "from .shop import Cart, discount_of\n\n__all__ = ['Cart', 'discount_of']\n"
TESTS = """\
import asyncio
from unittest import mock

import pytest

from store import Cart, discount_of
from store.shop import LIMIT, Colour, fetch_all, parts_of, unused_here


@pytest.fixture
def full_cart():
    cart = Cart("Ann", size=2)
    cart.add_item("tea", 3, gift=True)
    return cart


def test_cart(full_cart):
    assert full_cart.total_price() == 2
    assert full_cart.label == "Ann's"
    assert Cart.rate == 0.5


def test_discount():
    assert discount_of(10, 10) == 9
    with mock.patch("store.shop.discount_of") as discount_of_patched:
        assert discount_of_patched is not None


def test_local():
    parts_of = 3
    assert parts_of == 3


def test_others(full_cart):
    assert (LIMIT, Colour.RED.value, parts_of("ab")) == (40, "r", ["a", "b"])
    assert asyncio.run(fetch_all("a")) == "a" and unused_here(1) == 1
    with pytest.raises(ValueError):
        full_cart.add_item("tea", 0)
"""
SOURCES = Sources(
    "store",
    "src/store",
    {"src/store/__init__.py": INIT, "src/store/shop.py": CODE},
    {"tests/test_shop.py": TESTS},
)

MORE_CODE = """\
import math


class Box:
    def __init__(self, size):
        self.inner_size = size

    def grow(self, by=1):
        return Box(self.inner_size + by)


def volume_of(box: Box, times=1):
    return math.floor(box.inner_size**3 * times)


def _secret_of(text):
    return text[::-1]
"""
MORE_TESTS = """\
from unittest import mock

from helping import made
from store.boxes import Box, _secret_of, volume_of


def test_boxes():
    assert volume_of(made(2), times=2) == 16
    assert Box(1).grow().inner_size == 2
    assert _secret_of("ab") == "ba"


def test_patched():
    with mock.patch("store.boxes.math.floor", return_value=7):
        assert volume_of(made(1)) == 7
"""
HELPING = "from store.boxes import Box\n\n\ndef made(size):\n    return Box(size)\n"
MORE = Sources(
    "store",
    "src/store",
    {"src/store/__init__.py": "", "src/store/boxes.py": MORE_CODE},
    {"tests/test_boxes.py": MORE_TESTS, "tests/helping.py": HELPING},
)


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """The process of the benchmark that runs each suite in a fork, here by this interpreter."""
    with Runner(Path(sys.executable)) as started:
        yield started


@pytest.fixture
def run(tmp_path: Path, runner: Runner) -> Run:
    return Run(tmp_path, runner)


class Run:
    """Runs the tests of sources, each time in a folder of their own."""

    def __init__(self, folder: Path, runner: Runner) -> None:
        self._folder = folder
        self._runner = runner
        self._number = 0

    def __call__(self, code: dict[str, str], tests: dict[str, str]) -> bool:
        """Whether all tests are green."""
        self._number += 1
        root = self._folder / str(self._number)
        warning = {"pytest.ini": "[pytest]\nfilterwarnings = error::DeprecationWarning\n"}
        for path, text in {**warning, **code, **tests}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        outcomes = self._runner.run(root, ["src"], ["tests"], seconds=100.0)
        assert outcomes, "the tests neither ran nor failed to be collected"
        return set(outcomes.values()) == {"passed"}


@pytest.mark.parametrize("cause", [each for each in CAUSES if each not in ("module split",)])
def test_a_refactoring_turns_tests_red_and_green_again_where_they_go_along(cause: str, run: Run) -> None:
    """One of each operator's changes, at least, is as good as proven."""
    changes = [(one, change) for one in (SOURCES, MORE) for change in CAUSES[cause](one, Random(1))]
    assert changes
    assert any(_is_proven(one, change, run) for one, change in changes[:6])


def _is_proven(sources: Sources, change: Change, run: Run) -> bool:
    code = dict(change.after.code)
    before = dict(change.damaged or sources.tests)
    return not run(code, before) and run(code, dict(change.after.tests))


@pytest.mark.parametrize("cause", [each for each in PAIRED if each not in CAUSES])
def test_a_change_of_values_shows_in_the_stubs(cause: str) -> None:
    changes = list(PAIRED[cause](SOURCES, Random(1)))
    assert any(stubs(change.after) != stubs(SOURCES) for change in changes)
    for change in changes:
        for text in (*change.after.code.values(), *change.after.tests.values()):
            ast.parse(text)


@pytest.mark.parametrize("kind", bugs.KINDS)
def test_a_mutant_changes_one_place_and_no_test(kind: str) -> None:
    changes = list(bugs.mutants(SOURCES, Random(1), kind))
    assert changes
    for change in changes:
        assert change.after.tests == SOURCES.tests
        assert size(SOURCES.code, change.after.code) == 2
        ast.parse(change.after.code["src/store/shop.py"])


def test_names_that_a_function_binds_itself_are_left_alone() -> None:
    changes = CAUSES["function renamed"](SOURCES, Random(1))
    change = next(each for each in changes if each.subject == "parts_of")
    text = change.after.tests["tests/test_shop.py"]
    assert "    parts_of = 3\n    assert parts_of == 3" in text
    assert 'parts_of("ab")' not in text


def test_the_target_of_a_patch_is_renamed_with_its_function() -> None:
    (change,) = CAUSES["patch target renamed"](SOURCES, Random(1))
    assert '"store.shop.discount_of"' not in change.after.tests["tests/test_shop.py"]


def test_the_same_seed_gives_the_same_changes() -> None:
    for operator in CAUSES.values():
        one, other = ([each.words for each in operator(SOURCES, Random(3))] for _ in range(2))
        assert one == other


def test_a_stub_tells_values_shapes_and_exceptions() -> None:
    text = stub(CODE)
    ast.parse(text)
    assert "LIMIT: int = 40" in text
    assert "def discount_of(price, percent, floor=0):" in text
    assert ":raises ValueError:" in text
    assert "def parts_of(text) -> list[Any]:" in text
    assert "RED = 'r'" in text
    assert "len(self" not in text


def test_an_edit_keeps_what_it_does_not_touch() -> None:
    text = "x = é(a,  b)  # why\n"
    editor = Editor(text)
    call = ast.parse(text).body[0].value  # type: ignore[attr-defined]
    editor.replace(call.args[1], "c")
    editor.replace(call.func, "f")
    assert editor.result() == "x = f(a,  c)  # why\n"


def test_an_import_goes_behind_those_that_are_there() -> None:
    assert after_imports('"""Doc."""\nfrom __future__ import annotations\nimport os\nx = 1\n') == 4
    assert after_imports('"""Doc."""\nx = 1\n') == 2


def test_assertions_are_counted_by_function() -> None:
    before = "def test_a():\n    assert 1\n    with pytest.raises(ValueError): pass\n"
    assert assertions(before) == {"test_a": 2}
    assert lost({"t.py": before}, {"t.py": "def test_a():\n    assert 1\n"}) == ["t.py::test_a"]
    assert lost({"t.py": before}, {"t.py": before + "    assert 2\n"}) == []
    own, renamed = "def test_a():\n    raises(1)\n", "def test_a():\n    raising(1)\n"
    assert lost({"t.py": own}, {"t.py": renamed}, {"t.py": renamed}) == []
    assert lost({"t.py": own}, {"t.py": renamed}, {"t.py": own}) == ["t.py::test_a"]


def test_the_bound_of_a_share_is_that_of_clopper_and_pearson() -> None:
    assert upper_bound(0, 300) == pytest.approx(1 - 0.05 ** (1 / 300))
    assert upper_bound(3, 100) == pytest.approx(0.0757, abs=1e-3)
    assert upper_bound(2, 2) == 1.0


def test_a_tree_is_the_original_again_where_a_case_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "original").mkdir()
    (tmp_path / "original" / "a.py").write_text("a", encoding="utf-8")
    tree = Tree(tmp_path / "original", tmp_path / "tree")
    tree.set({"a.py": "b", "new/c.py": "c"})
    times = (tree.root / "a.py").stat().st_mtime
    tree.set({})
    assert (tree.root / "a.py").read_text(encoding="utf-8") == "a"
    assert (tree.root / "a.py").stat().st_mtime > times
    assert not (tree.root / "new" / "c.py").exists()
