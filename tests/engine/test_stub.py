"""Stub skeletons: facts of a module in, a stub out that parses, says only what is known, and agrees with its code."""

from __future__ import annotations

import ast
import subprocess
import sysconfig
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.validate import cross_validate
from engine.stubs.skeleton import Skeletons
from graph.facts import Extract
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader
from tests.commands import crossfact

Stub = Callable[..., str]


def read(path: str, text: str) -> Extract:
    role = Role.STUB if path.endswith(".pyi") else Role.PYTHON
    return PythonReader().read(Document(path=path, role=role, text=text, module=module_of(path)))


def module_of(path: str) -> str:
    return ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")


def source(files: Mapping[str, str]) -> Memory:
    extracts = [read(path, text) for path, text in files.items()]
    return Memory(extracts, {path: module_of(path) for path in files})


def stub_of(code: str, path: str = "shop.py", **others: str) -> str:
    """The stub of one file, beside others whose names have `__` for `/`."""
    files = {f"{name.replace('__', '/')}.py": textwrap.dedent(text) for name, text in others.items()}
    text = Skeletons(source({path: textwrap.dedent(code), **files})).write(module_of(path))
    assert text is not None
    ast.parse(text)
    return text


def lines_of(code: str, path: str = "shop.py", **others: str) -> list[str]:
    return [line for line in stub_of(code, path, **others).splitlines() if line]


def test_what_methods_of_a_data_class_set_is_no_argument_of_its_constructor() -> None:
    code = """
        from dataclasses import dataclass
        from typing import Optional

        @dataclass
        class Cart:
            code: Optional[str] = None

            def __post_init__(self):
                self.total = 1

        @dataclass
        class Gift(Cart):
            text: str = ""

            def __post_init__(self):
                self.code = "gift"
    """
    assert [line for line in lines_of(code) if ": " in line and "def" not in line] == [
        "    total: int = field(init=False)",
        "    code: Optional[str] = None",
        "    text: str = ''",
    ]


def test_a_property_that_a_call_makes_is_written_with_decorators() -> None:
    code = """
        class Cart:
            def get_total(self, tax=0) -> int: ...
            def _set_name(self, name): ...
            total = property(get_total)
            name = property(lambda self: self._name, _set_name)
    """
    assert lines_of(code) == [
        "class Cart:",
        "    def get_total(self, tax=0) -> int: ...",
        "    @property",
        "    def total(self) -> int: ...",
        "    @property",
        "    def name(self): ...",
        "    @name.setter",
        "    def name(self, value): ...",
    ]


def test_a_function_keeps_kinds_annotations_and_simple_defaults() -> None:
    code = """
        def pay(amount: int, /, currency="EUR", *rates: float, fee=compute(), note: str = "", **rest): ...
        def wait(*, seconds=-1): ...
        async def fetch(): ...
    """
    assert lines_of(code) == [
        'def pay(amount: int, /, currency="EUR", *rates: float, fee=..., note: str = "", **rest): ...',
        "def wait(*, seconds=-1): ...",
        "async def fetch(): ...",
    ]


def test_a_default_of_none_is_part_of_the_type() -> None:
    code = "def find(name: str = None, place: 'str | None' = None, thing: object = None): ..."
    assert lines_of(code) == [
        "def find(name: str | None = None, place: str | None = None, thing: object = None): ..."
    ]


def test_what_annotations_need_is_imported_and_nothing_else() -> None:
    code = """
        from __future__ import annotations
        import json
        import collections.abc
        from decimal import Decimal as Money
        from typing import Literal

        def price(book: "Money", way: Literal["net", "gross"]) -> collections.abc.Sequence[Money]: ...
    """
    assert lines_of(code) == [
        "import collections.abc",
        "from decimal import Decimal as Money",
        "from typing import Literal",
        "def price(book: Money, way: Literal['net', 'gross']) -> collections.abc.Sequence[Money]: ...",
    ]


def test_a_name_that_nothing_defines_is_incomplete() -> None:
    assert lines_of("def price(book: Ghost): ...") == [
        "from _typeshed import Incomplete",
        "def price(book: Incomplete): ...",
    ]


def test_private_definitions_appear_where_public_ones_need_them() -> None:
    code = """
        class _Base: ...
        class _Unused: ...
        class Cart(_Base):
            _secret = 1
            def _hidden(self): ...
    """
    assert lines_of(code) == ["class _Base: ...", "class Cart(_Base): ..."]


def test_classes_show_their_kinds_of_methods_and_what_constructors_set() -> None:
    code = """
        from functools import cached_property

        class Cart:
            size = 3
            def __init__(self, owner: str, limit=5):
                self.owner = owner
                self.limit = limit
                self.items = []
            @property
            def total(self) -> int: return 1
            @total.setter
            def total(self, value): ...
            @classmethod
            def empty(cls): ...
            @staticmethod
            def parse(text): ...
            @cached_property
            def hash(self): ...
            def __len__(self): return 0
    """
    assert lines_of(code) == [
        "from _typeshed import Incomplete",
        "from functools import cached_property",
        "class Cart:",
        "    owner: str",
        "    limit: Incomplete",
        "    items: list[Incomplete]",
        "    size: int",
        "    def __init__(self, owner: str, limit=5) -> None: ...",
        "    @property",
        "    def total(self) -> int: ...",
        "    @total.setter",
        "    def total(self, value): ...",
        "    @classmethod",
        "    def empty(cls): ...",
        "    @staticmethod",
        "    def parse(text): ...",
        "    @cached_property",
        "    def hash(self): ...",
        "    def __len__(self) -> int: ...",
    ]


def test_overloads_stay_and_their_implementation_goes() -> None:
    code = """
        from typing import overload

        @overload
        def get(key: str) -> str: ...
        @overload
        def get(key: int) -> int: ...
        def get(key): ...
    """
    assert lines_of(code)[1:] == [
        "@overload",
        "def get(key: str) -> str: ...",
        "@overload",
        "def get(key: int) -> int: ...",
    ]


def test_constants_have_the_type_of_their_literal_and_its_value() -> None:
    code = """
        LIMIT = 3
        NAMES = ("a", "b")
        TABLE = {"a": 1}
        RATE: float = 0.5
        started = None
        engine = start()
        a, b = 1, 2
    """
    assert lines_of(code) == [
        "from _typeshed import Incomplete",
        "LIMIT: int = 3",
        "NAMES: tuple[str, str]",
        "TABLE: dict[str, int]",
        "RATE: float = 0.5",
        "started: Incomplete | None",
        "engine: Incomplete",
        "a: int",
        "b: int",
    ]


def test_enumerations_records_and_type_variables_keep_their_form() -> None:
    code = """
        import enum
        from dataclasses import dataclass, field
        from typing import NamedTuple, TypeVar

        T = TypeVar("T", bound="Colour")
        Pair = tuple[T, T]

        class Colour(enum.Enum):
            RED = 1
            GREEN = enum.auto()
            BLUE = compute()

        @dataclass(frozen=True)
        class Row:
            _key: int
            names: list[str] = field(default_factory=list, repr=bool(1))
            size: int = 3

        class Point(NamedTuple):
            x: int
            y: int = 0
    """
    assert lines_of(code)[3:] == [
        "T = TypeVar('T', bound='Colour')",
        "Pair = tuple[T, T]",
        "class Colour(enum.Enum):",
        "    RED = 1",
        "    GREEN = 2",
        "    BLUE = ...",
        "@dataclass(frozen=True)",
        "class Row:",
        "    _key: int",
        "    names: list[str] = field(default_factory=list, repr=...)",
        "    size: int = 3",
        "class Point(NamedTuple):",
        "    x: int",
        "    y: int = 0",
    ]


def test_what_calls_make_is_a_class_whose_base_the_stub_imports() -> None:
    code = """
        from collections import namedtuple
        from enum import IntFlag
        import typing as t

        Point = namedtuple("Point", "x y", defaults=[0])
        Odd = t.TypedDict("Odd", {"x": int, "not-a-name": str}, total=False)

        class Right(IntFlag):
            READ = 1
            WRITE = 2
            BOTH = READ | WRITE
            OLD = READ
    """
    assert lines_of(code) == [
        "from _typeshed import Incomplete",
        "from enum import IntFlag",
        "from typing import NamedTuple, TypedDict",
        "class Point(NamedTuple):",
        "    x: Incomplete",
        "    y: Incomplete = 0",
        "Odd = TypedDict('Odd', {'x': int, 'not-a-name': str}, total=False)",
        "class Right(IntFlag):",
        "    READ = 1",
        "    WRITE = 2",
        "    BOTH = ...",
        "    OLD = READ",
    ]


def test_a_class_that_makes_what_is_called_so_then_is_none() -> None:
    code = """
        class Flat(type):
            def __new__(cls, name, bases, own): ...

        Flat = Flat("Flat", (object,), {})

        class Cart:
            pass

        Cart = frozen(Cart)
    """
    assert lines_of(code) == ["from _typeshed import Incomplete", "Flat: Incomplete", "class Cart: ..."]


def test_all_that_another_module_has_is_written_out() -> None:
    others = {"shop__carts": "__all__ = ['Cart']\nclass Cart: ..."}
    extended = (
        "from shop.carts import *\nfrom shop import carts\n__all__ = ['x']\n__all__ += carts.__all__\nx = 1"
    )
    imported = "from shop.carts import *\nfrom shop.carts import __all__"
    whole = "import shop.carts\n__all__ = ['shop']"
    assert "import shop.carts" in lines_of(whole, "shop/lists.py", **others)
    assert '__all__ = ["Cart", "x"]' in lines_of(extended, "shop/__init__.py", **others)
    assert '__all__ = ["Cart"]' in lines_of(imported, "shop/__init__.py", **others)


def test_type_parameters_are_kept_with_what_they_need() -> None:
    code = """
        from shop.carts import Cart

        type Rows[T] = list[T] | None
        type Key = int

        def first[T](rows: list[T], default: T | None = None) -> T: return rows[0]

        class Shelf[T: Cart, *Ts, **P = [int]](list[T]):
            def pick[V: (int, str) = int](self, by: V, of: T) -> "Shelf[T]": return self

        def other(row: T) -> T: ...
        def lost[T: Unknown](row: T) -> None: ...
    """
    written = Skeletons(source({"shop.py": textwrap.dedent(code)})).write("shop")
    # Only Python 3.12 and later can parse it.
    assert written is not None
    assert [line for line in written.splitlines() if line] == [
        "from _typeshed import Incomplete",
        "from shop.carts import Cart",
        "type Rows[T] = list[T] | None",
        "type Key = int",
        "def first[T](rows: list[T], default: T | None = None) -> T: ...",
        "class Shelf[T: Cart, *Ts, **P = [int]](list[T]):",
        "    def pick[V: (int, str) = int](self, by: V, of: T) -> Shelf[T]: ...",
        "def other(row: Incomplete) -> Incomplete: ...",
        "def lost(row: Incomplete) -> None: ...",
    ]


def test_generators_are_told_from_their_body() -> None:
    code = """
        def walk():
            yield 1
        async def stream() -> "Iterator":
            yield 1
        async def pour():
            yield 1
    """
    assert lines_of(code)[1:] == [
        "from collections.abc import AsyncGenerator, Generator",
        "def walk() -> Generator[Incomplete, Incomplete, Incomplete]: ...",
        "def stream() -> Incomplete: ...",
        "def pour() -> AsyncGenerator[Incomplete, Incomplete]: ...",
    ]


def test_only_tests_of_the_platform_stay_conditions() -> None:
    code = """
        import sys
        if sys.version_info >= (3, 12):
            def new(): ...
        else:
            def new(old): ...
        try:
            import fast
            FAST = True
        except ImportError:
            FAST = False
        if DEBUG:
            def trace(): ...
    """
    assert lines_of(code) == [
        "import sys",
        "if sys.version_info >= (3, 12):",
        "    def new(): ...",
        "if not sys.version_info >= (3, 12):",
        "    def new(old): ...",
        "FAST: bool",
        "def trace(): ...",
    ]


def test_a_test_of_the_operating_system_is_one_that_type_checkers_know() -> None:
    code = """
        import os
        if os.name == "nt":
            def registry(): ...
    """
    assert lines_of(code) == ["import sys", "if sys.platform == 'win32':", "    def registry(): ..."]


def test_what_only_a_run_as_a_script_defines_is_left_out() -> None:
    code = """
        def here(): ...
        if __name__ == "__main__":
            def here(item): ...
            class Demo: ...
            import sys
            if sys.platform == "win32":
                row = Demo()
    """
    assert lines_of(code) == ["def here(): ..."]


def test_what_only_older_versions_of_python_need_is_left_out() -> None:
    code = """
        import sys
        PY2 = sys.version_info < (3,)
        def here(): ...
        try:
            from inspect import iscoroutine
        except ImportError:
            def iscoroutine(item): ...
        if PY2:
            class Long: ...
        try:
            from others import other
        except ImportError:
            def other(item): ...
    """
    assert lines_of(code)[-2:] == ["def here(): ...", "def other(item): ..."]


def test_what_is_defined_where_the_standard_library_lacks_something_is_left_out() -> None:
    code = """
        import datetime
        import others
        if not hasattr(datetime, "timezone"):
            class UTC(datetime.tzinfo): ...
        if not hasattr(others, "zone"):
            class Zone: ...
        if not hasattr(datetime, "UTC"):
            def utc(): ...
        else:
            def utc(): ...
    """
    assert lines_of(code) == ["class Zone: ...", "def utc(): ..."]


def test_what_exists_for_type_checkers_alone_says_so() -> None:
    code = """
        from typing import TYPE_CHECKING, TypedDict
        if TYPE_CHECKING:
            class Row(TypedDict):
                key: int
    """
    assert lines_of(code) == [
        "from typing import TypedDict, type_check_only",
        "@type_check_only",
        "class Row(TypedDict):",
        "    key: int",
    ]


def test_a_package_offers_what_its_init_imports_from_it() -> None:
    code = """
        import os
        from .cart import Cart
        from . import rates as _rates
    """
    assert lines_of(code, "shop/__init__.py") == ["from shop.cart import Cart as Cart"]


def test_all_is_kept_with_the_imports_and_submodules_that_it_names() -> None:
    code = """
        from .cart import Cart
        __all__ = ["Cart", "rates"]
    """
    assert lines_of(code, "shop/__init__.py", shop__cart="class Cart: ...", shop__rates="X = 1") == [
        "from shop import rates as rates",
        "from shop.cart import Cart",
        '__all__ = ["Cart", "rates"]',
    ]


def test_names_made_at_run_time_leave_the_stub_open() -> None:
    assert lines_of("globals().update(make())\n") == [
        "from _typeshed import Incomplete",
        "def __getattr__(name: str) -> Incomplete: ...",
    ]


def test_an_own_name_does_not_hide_what_the_stub_imports() -> None:
    assert lines_of("Incomplete = 1\nengine = start()\n") == [
        "from _typeshed import Incomplete as _Incomplete",
        "Incomplete: int",
        "engine: _Incomplete",
    ]


def test_an_unknown_module_has_no_stub() -> None:
    assert Skeletons(source({"shop.py": ""})).write("store") is None


_STANDARD = (
    *("argparse", "ast", "bdb", "calendar", "cmd", "codecs", "configparser", "contextlib", "copy", "csv"),
    *("dataclasses", "datetime", "decimal", "difflib", "enum", "fractions", "ftplib", "functools", "heapq"),
    *(
        "inspect",
        "ipaddress",
        "locale",
        "mailbox",
        "mimetypes",
        "ntpath",
        "optparse",
        "pathlib",
        "pickle",
        "platform",
    ),
    *("queue", "random", "sched", "selectors", "shelve", "smtplib", "statistics", "subprocess", "tarfile"),
    *("threading", "tokenize", "traceback", "typing", "unittest.case", "urllib.parse", "uuid", "zipfile"),
)


def findings(code: str, stub: str) -> list[str]:
    """What the stub and its code disagree on; what is wrong with the code's docstrings alone is left out."""
    found = cross_validate(source({"m.py": code, "m.pyi": stub})).findings
    return [f"{each.rule}: {each.message}" for each in found if not each.rule.startswith("docstring-")]


@pytest.mark.parametrize("module", _STANDARD)
def test_the_stub_of_a_standard_module_parses_and_agrees_with_it(module: str) -> None:
    place = Path(sysconfig.get_path("stdlib"), *module.split("."))
    path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    code = path.read_text(encoding="utf-8")
    stub = Skeletons(source({"m.py": code})).write("m") or ""
    ast.parse(stub)
    assert findings(code, stub) == []


def test_a_list_of_names_that_is_computed_is_declared() -> None:
    code = "__all__ = ['a']\n\ntry:\n    import ssl\nexcept ImportError:\n    pass\nelse:\n    __all__.extend(['b'])\n"
    stub = Skeletons(source({"m.py": code})).write("m") or ""
    assert "__all__: list[str]" in stub
    assert findings(code, stub) == []


_names = st.sampled_from(["a", "b", "c", "_d", "Engine"])
_types = st.sampled_from(["", ": int", ": 'Engine'", ": list[str] | None", ": Ghost"])
_values = st.sampled_from(["", " = 1", " = None", " = 'x'", " = make()", " = (1, 'a')", " = []", " = {}"])
_decorators = st.sampled_from(
    ["", "@property\n", "@classmethod\n", "@staticmethod\n", "@unknown(1, make())\n"]
)
_bodies = st.sampled_from(
    [
        *(("", body) for body in ("pass", "yield 1", "return 1")),
        *((" -> int", "return 1"), (" -> 'Engine'", "return make()"), (" -> None", "pass")),
    ]
)


@st.composite
def _functions(draw: st.DrawFn) -> str:
    names = draw(st.lists(_names, unique=True, max_size=4))
    star = draw(st.integers(0, len(names)))
    listed = [
        name + draw(_types) + (draw(_values) or " = 0" if index else draw(_values))
        for index, name in enumerate(names)
    ]
    if any(" = " in each for each in listed[:1]):
        listed = [each if " = " in each else f"{each} = 0" for each in listed]
    if star < len(names):
        listed.insert(star, "*")
    head = draw(st.sampled_from(["def", "async def"]))
    result, body = draw(_bodies)
    return f"{head} {draw(_names)}({', '.join(listed)}){result}:\n    {body}\n"


@st.composite
def _modules(draw: st.DrawFn) -> str:
    parts = draw(st.lists(_functions(), max_size=4))
    parts += [
        draw(_names) + draw(_types) + (draw(_values) or " = 2") + "\n" for _ in range(draw(st.integers(0, 3)))
    ]
    members = [draw(_decorators) + each for each in draw(st.lists(_functions(), max_size=4))]
    members += [draw(_names) + draw(_types) + (draw(_values) or " = 2") + "\n"]
    base = draw(st.sampled_from(["", "(Exception)", "(make(1))", "(Ghost)", "(Engine, metaclass=M)"]))
    parts.append(f"class {draw(_names)}{base}:\n{textwrap.indent(''.join(members), '    ')}")
    return "".join(draw(st.permutations(parts)))


@given(_modules())
def test_the_stub_of_any_module_parses_and_agrees_with_it(code: str) -> None:
    stub = Skeletons(source({"m.py": code})).write("m") or ""
    ast.parse(stub)
    assert findings(code, stub) == []


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return crossfact(project, "stub", *arguments)


def test_the_command_writes_the_stub_of_a_module_that_the_project_has(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(
        "def pay(amount: int = 1) -> int:\n    return amount\n", encoding="utf-8"
    )
    done = run(tmp_path, "shop")
    assert (done.returncode, done.stdout) == (0, "def pay(amount: int = 1) -> int: ...\n")
    assert run(tmp_path, "shop", "--output", "shop.pyi").stdout == ""
    assert (tmp_path / "shop.pyi").read_text(encoding="utf-8") == done.stdout


def test_a_module_may_be_named_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "src" / "shop").mkdir(parents=True)
    (tmp_path / "src" / "shop" / "__init__.py").write_text("X = 1\n", encoding="utf-8")
    (tmp_path / "src" / "shop" / "till.py").write_text("OPEN = True\n", encoding="utf-8")
    assert run(tmp_path, "src/shop/till.py").stdout == "OPEN: bool = True\n"
    assert run(tmp_path, "src/shop/__init__.py").stdout == "X: int = 1\n"
    assert "no module of code is called src/shop/tally.py" in run(tmp_path, "src/shop/tally.py").stderr


def test_the_command_names_the_nearest_module(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("X = 1\n", encoding="utf-8")
    done = run(tmp_path, "shp")
    assert done.returncode == 2
    assert "no module of code is called shp" in done.stderr
    assert "Nearest: shop" in done.stderr


def test_a_module_that_is_not_read_as_code_is_told_with_the_reason(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "RATE = 1\n",
        "shop/made.py": "# This file is automatically generated. Do not edit.\n\ndef pay(): ...\n",
        "tests/test_pay.py": "def test_pay():\n    assert pay() == 1\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert "shop/made.py: was generated, as it says itself" in run(tmp_path, "shop.made").stderr
    assert "tests/test_pay.py is read as tests" in run(tmp_path, "tests/test_pay.py").stderr
    assert "no module of code is called shop.other" in run(tmp_path, "shop.other").stderr


def test_a_name_of_a_builtin_type_stays_one() -> None:
    code = """
        Text = str
        def shout(text: Text) -> Text: ...
    """
    assert lines_of(code)[0] == "Text = str"
