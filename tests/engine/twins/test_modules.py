"""Twins of modules: they are made from facts alone, keep every statement, and their mutants break just one."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.configuration import Settings
from engine.generating import generate
from engine.generators.functions.facts import Surface
from engine.planning import make_plan
from engine.project import Project
from engine.proving_functions import prove_functions
from engine.running.runner import PytestValidator
from engine.twins.modules import Writer, bases_first
from engine.twins.modules_broken import Broken
from engine.twins.modules_mutations import mutations
from graph.store.store import Store
from planner.cases import Case, Status, Technique
from tests.engine.generators.drafting import source_of

EXAMPLES = Path(__file__).parent.parent.parent.parent / "specs_examples"
STUB = '''\
from collections.abc import Iterable, Iterator, MutableMapping
from enum import Enum
from typing import Any, TextIO, overload

class Size(Enum):
    SMALL = 1

class ShopError(Exception):
    def __init__(self, shop: str) -> None: ...

class Cart:
    def __init__(self, owner: str, *, limit: int = 5) -> None: ...
    @classmethod
    def load(cls, name: str) -> Cart: ...
    @property
    def total(self) -> float: ...
    @property
    def owner(self) -> str: ...

class Shelf(MutableMapping[str, int]):
    def __init__(self, maxsize: int) -> None: ...
    def __getitem__(self, key: str) -> int: ...

class Drawer(Shelf): ...

class Rack(dict[str, Any]):
    def __init__(self, title: str) -> None: ...
    def __setitem__(self, key: str, value: Any) -> None: ...
    def get(self, key: str, default: Any = None) -> Any: ...
    def setdefault(self, key: str, default: Any = ...) -> Any: ...
    @overload
    def pop(self, key: str) -> Any: ...
    @overload
    def pop(self, key: str, default: Any) -> Any: ...
    def popitem(self) -> tuple[str, Any]: ...
    def update(self, *given: Any) -> None: ...
    def clear(self) -> None: ...
    def copy(self) -> Rack: ...

class Press:
    def __init__(self, name: str) -> None: ...
    def wrap(self, text: str) -> str: ...
    def unwrap(self, text: str) -> str: ...

class Hydraulic(Press): ...

class Doubled(Hydraulic, Press): ...

class Weight:
    grams: int
    unit: str
    def __init__(self, grams: int) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: Weight) -> bool: ...
    def __repr__(self) -> str: ...
    def __add__(self, other: Weight) -> Weight: ...
    def to_text(self) -> str: ...
    @classmethod
    def from_text(cls, text: str) -> Weight: ...
    @property
    def label(self) -> str: ...
    @label.setter
    def label(self, value: str) -> None: ...

class Pile:
    def __init__(self, items: Iterable[int]) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __contains__(self, item: object) -> bool: ...
    def add(self, item: int) -> None: ...
    def clear(self) -> None: ...
    def pop(self) -> int: ...
    def set_title(self, title: str) -> None: ...
    def get_title(self) -> str: ...

def dump(thing: Any, file: TextIO) -> None: ...
def load(file: TextIO) -> Any: ...
def normalize(text: str) -> str: ...
def pack(text: str | bytes) -> bytes: ...
def unpack(packed: bytes) -> str: ...
def get_mark(text: str) -> str: ...
def verify_mark(text: str, mark: str) -> bool: ...

async def fetch(number: int) -> list[Cart]: ...

def chunked(things: list[int], size: int = 1, /, fill: str = "-") -> list[list[int]]:
    """Cut.

    >>> chunked([1, 2, 3], 2)
    [[1, 2], [3]]

    Raises:
        ShopError: if size is negative
    """
'''


def opened(folder: Path) -> Project:
    settings = msgspec.structs.replace(Settings(), history=False)
    return Project(folder, (), settings, Store.open(None))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, dict[str, Case]]:
    root = tmp_path_factory.mktemp("modules")
    (root / "shop.pyi").write_text(STUB)
    project = opened(root)
    make_plan(project, tell=print)
    return project, {case.id: case for case in generate(project).cases}


def test_every_test_of_a_stub_holds_on_its_twins_though_there_is_no_code(
    shop: tuple[Project, dict[str, Case]],
) -> None:
    _, cases = shop
    written = [case for case in cases.values() if case.status is Status.GENERATED]
    assert {case.technique for case in written} == {
        Technique.CALLABLE,
        Technique.EXAMPLE,
        Technique.IMPORTABLE,
        Technique.PROPERTY,
        Technique.RAISES,
        Technique.RETURNS,
    }
    assert [case.id for case in written if case.proof is None or not case.proof.holds] == []
    assert not [(case.id, case.last_error) for case in cases.values() if case.status is Status.REJECTED]


def test_a_test_that_notices_nothing_is_rejected_with_the_statement(
    shop: tuple[Project, dict[str, Case]], tmp_path: Path
) -> None:
    project, cases = shop
    case = next(each for each in cases.values() if each.technique is Technique.RAISES)
    path, _, name = case.node.partition("::")
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(f"def {name}():\n    import shop\n\n    assert shop.chunked\n")
    (proven,) = prove_functions(tmp_path, [case], project.store, PytestValidator()).values()
    assert proven.status is Status.REJECTED
    assert proven.proof is not None
    assert (proven.proof.twins_green, proven.proof.mutants_killed, proven.proof.mutants) == (1, 0, 2)
    assert proven.last_error == "does not notice the broken statement not raised ShopError"


def test_a_test_that_asks_for_more_than_the_stub_is_red_on_its_twin(
    shop: tuple[Project, dict[str, Case]], tmp_path: Path
) -> None:
    project, cases = shop
    case = next(each for each in cases.values() if each.technique is Technique.RAISES)
    path, _, name = case.node.partition("::")
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(f"def {name}():\n    import shop\n\n    assert shop.chunked([7], 9) == 3\n")
    (proven,) = prove_functions(tmp_path, [case], project.store, PytestValidator()).values()
    assert proven.proof is not None
    assert proven.proof.twins_green == 0
    assert proven.last_error.startswith("red on the twin: AssertionError")


def test_each_mutant_is_another_text_that_python_takes(shop: tuple[Project, dict[str, Case]]) -> None:
    project, cases = shop
    surface = Surface(project.store)
    ((name, members),) = surface.modules().items()
    whole = Writer(surface).module(name, members)
    seen: set[Broken] = set()
    for case in cases.values():
        fact = surface.facts[str(case.target["function"])]
        for broken in mutations(case, fact, surface):
            text = Writer(surface, broken).module(name, members)
            compile(text, name, "exec")
            assert len(Writer(surface, broken).patch(name, members)) < len(whole)
            assert text != whole, broken
            seen.add(broken)
    assert {each.how for each in seen} == {
        *("async", "base", "default", "example", "form", "missing", "more", "not raised", "other raised"),
        *("removed", "renamed", "required", "returns", "value", "forgetful", "forgotten"),
        *(
            "ignored",
            "unsteady",
            "unbounded",
            "unequal",
            "equal",
            "renewed",
            "reflexive",
            "miscounted",
            "lost",
        ),
        "growing",
        "unmade",
    }


def test_a_constructor_of_several_signatures_keeps_what_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "press.pyi").write_text(
        "from typing import overload\n"
        "class Press:\n"
        "    name: str\n"
        "    @overload\n    def __init__(self, name: str) -> None: ...\n"
        "    @overload\n    def __init__(self, name: str, force: int) -> None: ...\n"
    )
    project = opened(tmp_path)
    make_plan(project, tell=print)
    surface = Surface(project.store)
    (members,) = surface.modules().values()
    forgotten = Broken("forgotten", "class press.Press", "name")
    for broken, kept in ((None, True), (forgotten, False)):
        names: dict[str, Any] = {"__name__": "press"}
        exec(Writer(surface, broken).module("press", members), names)  # noqa: S102 (a text of ours)
        assert (names["Press"]("kept").name == "kept") is kept


def test_of_a_constructor_beside_new_nothing_is_broken_that_nobody_could_see(tmp_path: Path) -> None:
    (tmp_path / "press.pyi").write_text(
        "class Press:\n"
        "    def __new__(cls, name: str) -> Press: ...\n"
        "    def __init__(self, name: str) -> None: ...\n"
        "    def close(self, force: int) -> None: ...\n"
    )
    project = opened(tmp_path)
    made = {case.technique: case for case in make_plan(project, tell=print).cases}
    surface = Surface(project.store)
    case = made[Technique.CALLABLE]
    about = {each.subject for each in mutations(case, surface.facts[str(case.target["function"])], surface)}
    assert about == {"function press.Press.close"}
    project.store.close()


def test_a_property_may_be_called_as_its_type() -> None:
    stub = "import datetime\nclass Span:\n    @property\n    def timedelta(self) -> datetime.timedelta: ...\n"
    surface = Surface(source_of({"span.pyi": stub}))
    (members,) = surface.modules().values()
    names: dict[str, Any] = {"__name__": "span"}
    exec(Writer(surface).module("span", members), names)  # noqa: S102 (a text of ours)
    assert names["Span"]().timedelta.days == 1


def test_the_members_of_an_enumeration_have_values_of_its_type(tmp_path: Path) -> None:
    (tmp_path / "wind.pyi").write_text(
        "from enum import Enum\nfrom math import pi\n"
        "class Side(float, Enum):\n    EAST = pi * 0.5\n    SOUTH = pi\n"
        "class Unit(str, Enum):\n    METRE = name()\n    MILE = other()\n"
    )
    project = opened(tmp_path)
    make_plan(project, tell=print)
    surface = Surface(project.store)
    (members,) = surface.modules().values()
    names: dict[str, Any] = {"__name__": "wind"}
    exec(Writer(surface).module("wind", members), names)  # noqa: S102 (a text of ours)
    assert (len(names["Side"]), len(names["Unit"])) == (2, 2)
    project.store.close()


def test_a_class_of_values_derives_from_that_of_the_standard_library(tmp_path: Path) -> None:
    (tmp_path / "feast.pyi").write_text(
        "from datetime import date\nclass Feast(date):\n    def told(self) -> str: ...\n"
    )
    project = opened(tmp_path)
    make_plan(project, tell=print)
    surface = Surface(project.store)
    (members,) = surface.modules().values()
    names: dict[str, Any] = {"__name__": "feast"}
    exec(Writer(surface).module("feast", members), names)  # noqa: S102 (a text of ours)
    assert names["Feast"](2024, 5, 17).month == 5
    project.store.close()


def test_a_twin_answers_as_examples_errors_and_types_say(
    shop: tuple[Project, dict[str, Case]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, _ = shop
    surface = Surface(project.store)
    ((name, members),) = surface.modules().items()
    (tmp_path / "shop.py").write_text(Writer(surface).module(name, members))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "shop", raising=False)
    twin = importlib.import_module("shop")
    monkeypatch.delitem(sys.modules, "shop")
    assert twin.chunked([1, 2, 3], 2) == [[1, 2], [3]]
    assert twin.chunked([1, 2, 3], 3) == [[1]]
    with pytest.raises(twin.ShopError):
        twin.chunked([1], -1)
    assert twin.Cart("me").limit == 5


def test_the_tests_of_an_example_hold_and_show_what_was_planted(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns(".crossfact", "tests", "expected")
    shutil.copytree(EXAMPLES / "library-cli", tmp_path / "library", ignore=ignored)
    project = opened(tmp_path / "library")
    make_plan(project, tell=print)
    cases = generate(project).cases
    written = [case for case in cases if case.status is Status.GENERATED and case.target.get("function")]
    assert len(written) >= 24
    assert [case.id for case in written if case.proof is None or not case.proof.holds] == []


def test_classes_of_a_twin_stand_behind_those_that_they_derive_from() -> None:
    code = "class Late(Error): ...\nclass Error(Exception): ...\nclass Early(Late, Error): ...\nlast = 3\n"
    surface = Surface(source_of({"shop.py": code}))
    members = bases_first(surface.modules()["shop"])
    assert [each.name for each in members] == ["Error", "Late", "Early", "last"]


def test_a_module_that_names_what_python_gives_it_can_define_classes() -> None:
    surface = Surface(source_of({"shop.pyi": "__builtins__: dict[str, object]\nclass Cart: ...\n"}))
    text = Writer(surface).module("shop", surface.modules()["shop"])
    assert "__builtins__" not in text and "class Cart" in text


def test_a_class_has_the_classes_inside_of_it() -> None:
    stub = (
        "from enum import Enum\n\nclass Cart:\n    class Size(Enum):\n        SMALL = 1\n    class Gift(Cart): ...\n"
        "    class Late(Shelf): ...\n    def size(self) -> Cart.Size: ...\n\nclass Shelf: ...\n"
    )
    surface = Surface(source_of({"shop.pyi": stub}))
    made: dict[str, Any] = {"__name__": "shop"}
    exec(Writer(surface).module("shop", surface.modules()["shop"]), made)  # noqa: S102 (our own text)
    assert made["Cart"].Size.SMALL.value == 1
    assert made["Cart"]().size() is made["Cart"].Size.SMALL
    assert {made["Cart"].Gift.__mro__[1], made["Cart"].Late.__mro__[1]} == {object}
