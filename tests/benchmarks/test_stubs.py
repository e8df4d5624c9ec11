"""The benchmark of stubs: what its tools read, and that each mutation changes what it says and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest

from benchmarks.stubs.agreement import Verdict, compare, judgements
from benchmarks.stubs.automatic import settle
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.neutral import NEUTRAL
from benchmarks.stubs.operators import OPERATORS, Operator
from benchmarks.stubs.planted import planted
from benchmarks.stubs.records import Kind, Report
from benchmarks.stubs.targets import targets
from benchmarks.stubs.tools import read_stubtest

CODE = """\
import enum

LIMIT = 3
rate: float = 0.5


class Base: ...


class Cart(Base):
    size: int = 1

    def __init__(self, owner: str, limit: int = 5) -> None: ...
    def add(self, title: str, count: int = 1, *, gift: bool = False) -> int: ...
    def total(self, first, second): ...
    @staticmethod
    def parse(text): ...


def find(name: str, place: str) -> "str | None":
    yield name


class Alone: ...
"""
STUB = CODE.replace("    yield name", "    ...").replace("rate: float = 0.5", "rate: float")


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name, file, text in (("stubs", "shop.pyi", STUB), ("runtime", "shop.py", CODE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(text, encoding="utf-8")
    return tmp_path / "stubs", tmp_path / "runtime"


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_each_mutation_applies_and_gives_another_statement(
    operator: Operator, folders: tuple[Path, Path]
) -> None:
    changed = [
        (target, statement)
        for target in targets(*folders)
        if (statement := operator.mutate(target, Random(1))) is not None
    ]
    assert changed
    for target, statement in changed:
        text = ast.unparse(ast.fix_missing_locations(statement))
        assert text != ast.unparse(target.stub)
        ast.parse(text)


def test_mutating_leaves_the_target_as_it_was(folders: tuple[Path, Path]) -> None:
    found = targets(*folders)
    before = [ast.dump(target.stub) for target in found]
    for operator in OPERATORS:
        for target in found:
            operator.mutate(target, Random(1))
    assert [ast.dump(target.stub) for target in found] == before


def test_targets_are_what_both_sides_define_once(folders: tuple[Path, Path]) -> None:
    (folders[1] / "shop.py").write_text(CODE + "\nLIMIT = 4\n_hidden = 1\n", encoding="utf-8")
    symbols = [target.symbol for target in targets(*folders)]
    assert "shop.Cart.add" in symbols
    assert "shop.LIMIT" not in symbols


@pytest.mark.parametrize("name", NEUTRAL)
def test_neutral_changes_give_stubs_that_parse_and_define_the_same(name: str) -> None:
    changed = NEUTRAL[name](STUB, Random(1))
    assert changed != STUB or name == "aliases"
    assert _defined(changed) == _defined(STUB)


def _defined(text: str) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("shop.pay is not present in stub", ("shop.pay", Kind.NOT_IN_STUB)),
        ("shop.pay is not present at runtime", ("shop.pay", Kind.NOT_IN_CODE)),
        ("shop.__all__ is not present in stub", ("shop", Kind.EXPORTS)),
        ('shop.pay is inconsistent, runtime does not have parameter "b"', ("shop.pay", Kind.PARAMETERS)),
        ('shop.pay is an "async def" function at runtime, but not in the stub', ("shop.pay", Kind.ASYNC)),
        ("shop.gone failed to find stubs", ("shop.gone", Kind.MODULE_NOT_IN_STUBS)),
    ],
)
def test_lines_of_stubtest_are_sorted_by_kind(line: str, expected: tuple[str, Kind]) -> None:
    report = read_stubtest(line)
    assert report is not None
    assert report.key == expected


def test_other_output_of_stubtest_is_no_report() -> None:
    assert read_stubtest("Found 3 errors (checked 4 modules)") is None


def test_what_only_one_tool_reports_is_judged() -> None:
    one = Report("shop.a", Kind.TYPE, "")
    two = Report("shop.b", Kind.NOT_IN_STUB, "")
    both = Report("shop.c", Kind.PARAMETERS, "")
    agreed = compare("shop", [one, both], [two, both], [])
    assert agreed.found == (1, 2)
    assert agreed.false == (1, 2)
    assert {each.verdict for each in agreed.disagreements} == {Verdict.UNJUDGED}


def test_what_instances_see_is_not_held_against_a_stub(tmp_path: Path) -> None:
    """A descriptor of the package, and a placeholder of the class that its methods replace, settle themselves."""
    code = (
        "class Cached:\n    def __get__(self, item, owner): ...\n"
        "class Cart:\n    total = Cached()\n    @Cached\n    def tax(self): ...\n"
        "    items = None\n    owner = None\n    def __init__(self):\n        self.items = []\n"
    )
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "shop.py").write_text(code, encoding="utf-8")
    (tmp_path / "stubs").mkdir()
    (tmp_path / "stubs" / "shop.pyi").write_text("class Cart:\n    owner: str\n", encoding="utf-8")
    pair = Pair("shop", "read", "matching", "shop", tmp_path)
    theirs = [
        Report("shop.Cart.items", Kind.TYPE, "variable differs from runtime type None"),
        Report("shop.Cart.owner", Kind.TYPE, "variable differs from runtime type None"),
        Report("shop.Cart.tax", Kind.PROPERTY, "cannot reconcile @property on stub with runtime object"),
        Report("shop.Cart.total", Kind.TYPE, "variable differs from runtime type shop.Cached"),
    ]
    settled = settle(pair, compare("shop", [], theirs, []))
    assert [each.verdict for each in settled.disagreements] == [
        Verdict.NEITHER,
        Verdict.UNJUDGED,
        Verdict.NEITHER,
        Verdict.NEITHER,
    ]


ALIKE_CODE = """\
__all__ = ("find", "Cart")
class Filter:
    def __call__(self): ...
class Base:
    def __get__(self, item, owner): ...
    def __class_getitem__(cls, item): ...
class Special(Base): ...
@Filter(1)
def find(name): ...
@Filter
def look(name): ...
class Meta(type): ...
class Element(metaclass=Meta): ...
class Row(Element):
    width = Given("w")
    height = 3
class Order(Enum):
    def __new__(cls, code): ...
@dataclass(**OPTIONS)
class Line:
    count: Optional[int] = UNSET
    size: int = None
class Cart:
    kind: Special = Special()
    def fill(self, names):
        for name in names:
            setattr(self, name, None)
"""
ALIKE_STUB = """\
__all__ = ["Cart", "find"]
from typing import Any
class Filter:
    def __call__(self): ...
class Base: ...
@Filter
def find(name): ...
@Filter
def look(name, place): ...
Element: Any
class Row(Element):
    width: int
    height: str
class Open(Any): ...
class Cart(Open): ...
class Order(Enum):
    def __new__(cls, code): ...
@dataclass(**OPTIONS)
class Line:
    count: int | None = ...
    size: int = ...
"""


@pytest.mark.parametrize(
    ("symbol", "kind", "message", "verdict"),
    [
        ("shop", Kind.EXPORTS, "variable differs from runtime type tuple[…]", Verdict.NEITHER),
        ("shop.find", Kind.KIND, "is not a function", Verdict.NEITHER),
        ("shop.look", Kind.KIND, "is not a function", Verdict.UNJUDGED),
        ("shop.Row", Kind.METACLASS, "metaclass differs", Verdict.NEITHER),
        ("shop.Row.width", Kind.PROPERTY, "is read-only at runtime but not in the stub", Verdict.RUNTIME),
        ("shop.Row.height", Kind.TYPE, "variable differs from runtime type int", Verdict.UNJUDGED),
        ("shop.Line.count", Kind.TYPE, "variable differs from runtime type object", Verdict.NEITHER),
        ("shop.Line.size", Kind.TYPE, "variable differs from runtime type None", Verdict.UNJUDGED),
        ("shop.Line.__init__", Kind.PARAMETERS, 'parameter "count" is not keyword-only', Verdict.NEITHER),
        ("shop.Order.__new__", Kind.PARAMETERS, 'parameter "code" differs', Verdict.NEITHER),
        ("shop.Cart.fill", Kind.NOT_IN_STUB, "is not present in stub", Verdict.NEITHER),
        ("shop.Cart.kind", Kind.TYPE, "variable differs from runtime type None", Verdict.NEITHER),
        ("shop.Cart.title", Kind.NOT_IN_CODE, "is not present at runtime", Verdict.RUNTIME),
        ("shop.Base._DT", Kind.NOT_IN_CODE, "is not present at runtime", Verdict.NEITHER),
        ("shop.Base.__class_getitem__", Kind.NOT_IN_STUB, "is not present in stub", Verdict.NEITHER),
        ("shop.Cart.__match_args__", Kind.TYPE, "runtime type tuple[Literal['_x']]", Verdict.NEITHER),
        ("shop.Cart.__match_args__", Kind.TYPE, "runtime type tuple[Literal['x']]", Verdict.UNJUDGED),
    ],
)
def test_what_both_sides_say_alike_is_nobodys_fault(
    symbol: str, kind: Kind, message: str, verdict: Verdict, tmp_path: Path
) -> None:
    for folder, name, text in (("runtime", "shop.py", ALIKE_CODE), ("stubs", "shop.pyi", ALIKE_STUB)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text, encoding="utf-8")
    pair = Pair("shop", "read", "matching", "shop", tmp_path)
    (settled,) = settle(pair, compare("shop", [], [Report(symbol, kind, message)], [])).disagreements
    assert settled.verdict is verdict


def test_every_judgement_names_a_kind_and_gives_a_reason() -> None:
    for each in judgements():
        assert each.kind in set(Kind)
        assert each.why


def test_the_demo_plants_22_disagreements() -> None:
    assert len({each.symbol for each in planted()}) == 22
