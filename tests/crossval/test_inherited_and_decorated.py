"""What decorators, aliases and builtin bases say of how something is called and made, held against a stub."""

from __future__ import annotations

import pytest

from tests.crossval.test_published_names import found, pair

VARIABLES = (
    "from typing import Any, Callable, ParamSpec, TypeVar\n"
    "F = TypeVar('F')\nP = ParamSpec('P')\nR = TypeVar('R')\n"
)
DEPRECATOR = (
    "import functools\nclass Deprecator:\n    def __call__(self, text):\n        def inner(f):\n"
    "            @functools.wraps(f)\n            def g(*a): ...\n            return g\n        return inner\n"
    "    def register(self, f):\n        return f\n"
    "noted = Deprecator()\n"
)
MISSING = ["argument-missing function a.f"]


@pytest.mark.parametrize(
    ("decorator", "used", "told"),
    [
        ("def d(f: F) -> F: ...", "@d", MISSING),
        ("def d(f: 'F') -> 'F': ...", "@d", MISSING),
        ("def d(x: int) -> Callable[[F], F]: ...", "@d(1)", MISSING),
        ("def d(f: Callable[P, R]) -> Callable[P, list[R]]: ...", "@d", MISSING),
        ("def d(f: Callable[P, R]) -> Callable[[int], R]: ...", "@d", []),
        ("def d(f: F) -> R: ...", "@d", []),
        ("def d(f: Any) -> Any: ...", "@d", []),
        ("def d(f: int) -> int: ...", "@d", []),
    ],
)
def test_a_decorator_of_a_stub_keeps_the_parameters_where_its_types_say_so(
    decorator: str, used: str, told: list[str]
) -> None:
    files = {
        "d.pyi": VARIABLES + decorator,
        "d.py": VARIABLES + "def d(f): ...",
        "a.pyi": f"from d import d\n{used}\ndef f(x, y): ...",
        "a.py": "def f(x): ...",
    }
    assert [each for each in found(files) if each.endswith("a.f")] == told


@pytest.mark.parametrize("used", ["@noted('x')", "@Deprecator()", "@noted.register"])
def test_an_instance_may_be_a_decorator(used: str) -> None:
    files = {
        "d.py": DEPRECATOR,
        "a.pyi": "def f(x, y): ...",
        "a.py": f"from d import Deprecator, noted\n{used}\ndef f(x): ...",
    }
    assert found(files) == MISSING
    assert not found({**files, "a.py": f"from e import Deprecator, noted\n{used}\ndef f(x): ..."})


@pytest.mark.parametrize(
    ("base", "code", "told"),
    [
        (
            "dict",
            "def __init__(self, owner, names): ...",
            ["argument-default-mismatch", "argument-kind-mismatch"],
        ),
        ("list", "def __init__(self, owner): ...", ["argument-default-mismatch", "argument-kind-mismatch"]),
        (
            "tuple",
            "def __new__(cls, x, y): ...",
            ["argument-default-mismatch", "argument-extra", "argument-kind-mismatch"],
        ),
        ("dict", "def __init__(self, **names): ...", ["argument-missing"]),
        ("dict", "def __init__(self, *args, **names): ...", []),
        ("list", "def __init__(self, *args): ...", []),
        ("Thread", "def __init__(self, *args, **kwargs): ...", []),
        ("Parameter", "def __init__(self, *args, doc=None, **kwargs): ...", ["argument-extra"]),
    ],
)
def test_a_class_that_is_made_otherwise_than_its_builtin_base_is_told(
    base: str, code: str, told: list[str]
) -> None:
    head = "from threading import Thread\nfrom inspect import Parameter\n"
    files = {"a.pyi": f"{head}class A({base}): ...", "a.py": f"{head}class A({base}):\n    {code}"}
    assert sorted({each.partition(" ")[0] for each in found(files)}) == told


def test_a_function_may_be_a_method_of_a_class_that_is_bound() -> None:
    code = "class A:\n    @classmethod\n    def make(cls, x): ...\n    def use(self, x): ...\nf = A.make\ng = A.use"
    stub = "class A:\n    @classmethod\n    def make(cls, x): ...\n    def use(self, x): ...\n"
    assert not pair(f"{stub}def f(x): ...\ndef g(self, x): ...", code)
    assert pair(f"{stub}def f(y): ...\ndef g(x): ...", code) == [
        "argument-renamed function a.f",
        "argument-extra function a.g",
    ]


def test_a_class_that_is_registered_counts_as_derived() -> None:
    stub = "from abc import ABC\nclass B(ABC): ...\nclass A(B): ..."
    assert not pair(stub, "from abc import ABC\nclass B(ABC): ...\n@B.register\nclass A: ...")


def test_an_overload_that_takes_anything_is_refused_by_code_that_does_not() -> None:
    stub = "from typing import *\n@overload\ndef f(x: int) -> int: ...\n"
    stub += "@overload\ndef f(*args: Any, **kwargs: Any) -> int: ..."
    assert pair(stub, "def f(x): ...") == ["arguments-unspecified function a.f"]
    assert not pair(stub, "def f(x, *args, **kwargs): ...")


def test_every_value_is_an_object() -> None:
    stub = "from typing import *\ndef f(x: Union[int, List[str], object]) -> Any: ..."
    assert not pair(stub, "def f(x: object) -> int: ...")


def test_a_literal_that_a_body_returns_is_one_whatever_the_module_calls_so() -> None:
    assert not pair(
        "class Literal: ...\ndef f() -> bool: ...", "class Literal: ...\ndef f():\n    return False"
    )


def test_what_restores_an_instance_gives_it_no_new_names() -> None:
    code = "class A:\n    def {}(self, state):\n        for n, v in state: setattr(self, n, v)"
    stub = "class A:\n    x: int\n    def {}(self, state): ..."
    assert pair(stub.format("__setstate__"), code.format("__setstate__")) == [
        "attribute-not-implemented attribute a.A.x"
    ]
    assert not pair(stub.format("fill"), code.format("fill"))


def test_a_bare_classvar_leaves_the_type_to_the_value() -> None:
    code = "from typing import ClassVar, Any\nclass A:\n    x: {} = {{f(1): 2}}"
    stub = "from typing import ClassVar\nclass A:\n    x: ClassVar[type[int]]"
    assert pair(stub, code.format("ClassVar")) == ["attribute-type-mismatch attribute a.A.x"]
    assert not pair(stub, code.format("ClassVar[Any]"))


@pytest.mark.parametrize(("base", "told"), [("ABC", True), ("Generic[T]", True), ("Thread", False)])
def test_a_dataclass_over_a_base_without_fields_is_made_of_its_own(base: str, told: bool) -> None:
    head = "from abc import ABC\nfrom threading import Thread\nfrom typing import Generic, TypeVar\nT = TypeVar('T')\n"
    code = f"{head}from dataclasses import dataclass\n@dataclass\nclass A({base}):\n    x: int = LIMIT"
    found_ = pair(f"{head}class A({base}):\n    def __init__(self, x: int) -> None: ...", code)
    assert ("argument-default-mismatch function a.A.__init__" in found_) is told


def test_a_number_of_the_standard_library_belongs_to_who_offers_it() -> None:
    files = {"a.py": "from b import *", "a.pyi": "", "b.py": "from sys import maxsize as most, exit"}
    assert found(files) == ["attribute-not-in-stub attribute a.most"]


@pytest.mark.parametrize("words", ["doc='", "doc = '", "doc= '", "None, None, '"])
def test_a_property_with_long_documentation_cannot_be_set(words: str) -> None:
    stub = "class A:\n    @property\n    def x(self): ..."
    code = "class A:\n    def _x(self): ...\n    x = property( _x, {}{}')"
    assert not [each for each in pair(stub, code.format(words, "long " * 60)) if "A.x" in each]


REGISTER = (
    "KNOWN = {}\ndef register(name):\n    def keep(cls):\n        %s\n        return cls\n    return keep\n"
)


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ("KNOWN[name] = cls", True),
        ("KNOWN[name or cls.__name__] = cls", True),
        ("KNOWN.setdefault(name, []).append(cls)", True),
        ("cls.size = 3", False),
        ("setattr(cls, name, 3)", False),
        ("adorn(cls)", False),
        ("cls = adorn(cls)", False),
    ],
)
def test_a_decorator_that_only_keeps_a_class_leaves_it_as_it_is(kept: str, told: bool) -> None:
    stub = "class C:\n    size: int\ndef register(name: str): ...\nKNOWN: dict"
    code = REGISTER % kept + "@register('c')\nclass C: ...\n"
    expected = ["attribute-not-implemented attribute a.C.size"] if told else []
    assert found({"a.pyi": stub, "a.py": code}) == expected


OPTIONAL = (
    "def mark(function=None, *, name=''):\n    def keep(function):\n        return function\n"
    "    if function is None:\n        return %s\n    return %s\n"
)


@pytest.mark.parametrize(
    ("given", "otherwise"),
    [
        ("functools.partial(mark, name=name)", "function"),
        ("lambda f: mark(f, name=name)", "function"),
        ("keep", "keep(function)"),
    ],
)
@pytest.mark.parametrize("used", ["@mark", "@mark(name='x')"])
def test_a_decorator_may_be_called_first(given: str, otherwise: str, used: str) -> None:
    stub = "def f(a): ...\ndef mark(function=..., *, name=...): ..."
    code = "import functools\n" + OPTIONAL % (given, otherwise) + f"{used}\ndef f(b): ...\n"
    assert found({"a.pyi": stub, "a.py": code}) == ["argument-renamed function a.f"]


def test_an_abstract_property_cannot_be_set() -> None:
    code = "import abc\nclass C(abc.ABC):\n    x = abc.abstractproperty()\n    y = property(abc.abstractmethod(len))"
    stub = "import abc\nclass C(abc.ABC):\n    x: int\n    @property\n    def y(self) -> int: ..."
    assert found({"a.pyi": stub, "a.py": code}) == ["property-accessor-mismatch attribute a.C.x"]
