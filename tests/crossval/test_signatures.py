"""How a function of the code differs from the one its stub declares, and what is never called a difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.findings import Outcome
from crossval.link.definitions.definitions import align_definitions
from crossval.validate import cross_validate
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader

READER = PythonReader()
HEAD = (
    "import abc, contextlib, functools, typing\nfrom typing import *\n"
    "from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterator\n"
)


def outcome(stub: str, code: str) -> Outcome:
    documents = [
        Document(path="a.pyi", role=Role.STUB, text=HEAD + stub, module="a"),
        Document(path="a.py", role=Role.PYTHON, text=HEAD + code, module="a"),
    ]
    modules = {document.path: document.module for document in documents}
    return cross_validate(Memory(map(READER.read, documents), modules), aligners=(align_definitions,))


def found(stub: str, code: str) -> list[str]:
    """Severity, rule and aspect of what is found."""
    return [f"{f.severity} {f.rule} {f.aspect}" for f in outcome(stub, code).findings]


def parameters(stub: str, code: str) -> list[str]:
    return found(f"def f({stub}): ...", f"def f({code}): ...")


@pytest.mark.parametrize(
    ("stub", "code", "expected"),
    [
        ("a, b", "a", ["error argument-missing signature.b"]),
        ("a, *, b", "a", ["error argument-missing signature.b"]),
        (
            "a, *, b",
            "a, *args",
            ["warning argument-extra signature.*args", "error argument-missing signature.b"],
        ),
        ("*args: int", "", ["error argument-missing signature.*args"]),
        ("**kwargs: int", "", ["error argument-missing signature.**kwargs"]),
        ("a, **kwargs: int", "a, *, b=1", ["note arguments-unspecified signature.unspecified"]),
        (
            "a, /",
            "**kwargs",
            ["warning argument-extra signature.**kwargs", "error argument-missing signature.a"],
        ),
        ("a", "a, b", ["error argument-extra signature.b"]),
        ("a", "a, *, b", ["error argument-extra signature.b"]),
        ("a", "a, b=1", ["warning argument-extra signature.b"]),
        ("a", "a, _b=1", []),
        ("a, b=...", "a, x=1, b=2", ["error argument-extra signature.x"]),
        ("a", "a, **kwargs", ["warning argument-extra signature.**kwargs"]),
        ("a, b", "a, c", ["error argument-renamed signature.b.name"]),
        ("a: int, b: int", "a: int, c: int", ["error argument-renamed signature.b.name"]),
        ("a: int", "c: str", ["error argument-extra signature.c", "error argument-missing signature.a"]),
        ("a=1", "b", ["error argument-extra signature.b", "error argument-missing signature.a"]),
        ("*, a", "*, b", ["error argument-renamed signature.a.name"]),
        ("a, b, c", "c, a, b", ["error argument-order-mismatch signature"]),
        (
            "a, b, c",
            "b, a",
            ["error argument-missing signature.c", "error argument-order-mismatch signature"],
        ),
        ("a", "a, /", ["error argument-kind-mismatch signature.a.kind"]),
        ("a, /", "a", ["warning argument-kind-mismatch signature.a.kind"]),
        ("__a", "a", ["warning argument-kind-mismatch signature.__a.kind"]),
        ("*, a", "a, /", ["error argument-kind-mismatch signature.a.kind"]),
        ("a=1", "a", ["error argument-default-mismatch signature.a.default"]),
        ("a", "a=1", ["warning argument-default-mismatch signature.a.default"]),
        ("a=1", "a=2", ["error argument-default-mismatch signature.a.default"]),
        ("a=None", "a=()", ["error argument-default-mismatch signature.a.default"]),
        ("a: int", "a: str", ["error argument-type-mismatch signature.a.type"]),
        ("*args: int", "*args: str", ["error argument-type-mismatch signature.*args.type"]),
        ("a: int", "a: int | None", ["warning argument-type-mismatch signature.a.type"]),
        ("a: Sequence[int]", "a: list[int]", ["error argument-type-mismatch signature.a.type"]),
    ],
)
def test_parameters_that_differ_are_found(stub: str, code: str, expected: list[str]) -> None:
    assert sorted(parameters(stub, code)) == sorted(expected)


@pytest.mark.parametrize(
    ("stub", "code"),
    [
        ("a, /, b, *args, c, **kwargs", "a, /, b, *args, c, **kwargs"),
        ("__a", "x, /"),
        ("__a", "__a"),
        ("a, b", "*args, **kwargs"),
        ("a, b", "a, *args"),
        ("a, *, b", "a, **kwargs"),
        ("*exc: object", "kind, value, trace"),
        ("a, **kwargs: int", "a, b=1"),
        ("a=...", "a=LIMIT"),
        ("a=1", "a=LIMIT"),
        ("a='x'", 'a="x"'),
        ("a=1", "a=1.0"),
        ("a=-1", "a=- 1"),
        ("a: int | None = None", "a: int = None"),
        ("a: Any", "a: int"),
        ("a: int", "a"),
        ("a: Money", "a: int"),
        ("*, a, b", "*, b, a"),
    ],
)
def test_parameters_that_may_be_the_same_are_no_finding(stub: str, code: str) -> None:
    assert parameters(stub, code) == []


@pytest.mark.parametrize(
    ("stub", "code", "expected"),
    [
        ("def f() -> int: ...", "def f() -> str: ...", ["error return-type-mismatch returns"]),
        ("def f() -> int: ...", "def f() -> int | None: ...", ["error return-type-mismatch returns"]),
        ("def f() -> int | None: ...", "def f() -> int: ...", ["note return-type-mismatch returns"]),
        ("async def f() -> int: ...", "def f() -> int: ...", ["error async-mismatch async"]),
        ("async def f() -> int: ...", "def f(): yield 1", ["error async-mismatch async"]),
        ("async def f() -> int: ...", "async def f(): yield 1", ["error async-mismatch async"]),
        ("def f() -> int: ...", "async def f(): ...", ["error async-mismatch async"]),
        (
            "def f() -> Awaitable[int]: ...",
            "async def f() -> str: ...",
            ["error return-type-mismatch returns"],
        ),
    ],
)
def test_results_that_differ_are_found(stub: str, code: str, expected: list[str]) -> None:
    assert found(stub, code) == expected


@pytest.mark.parametrize(
    ("stub", "code"),
    [
        ("def f() -> int: ...", "def f(): ..."),
        ("def f() -> int: ...", "def f() -> Any: ..."),
        ("async def f() -> int: ...", "def f(): ..."),
        ("async def f() -> int: ...", "def f() -> Task: ..."),
        ("async def f() -> int: ...", "def f() -> Coroutine[Any, Any, int]: ..."),
        ("def f() -> Awaitable[int]: ...", "async def f() -> int: ..."),
        ("def f(): ...", "async def f(): ..."),
        ("def f() -> AsyncIterator[int]: ...", "async def f() -> AsyncIterator[int]:\n    yield 1"),
        ("def f() -> ContextManager[int]: ...", "@contextlib.contextmanager\ndef f() -> Iterator[int]: ..."),
        ("def f(a) -> int: ...", "@other\ndef f(b) -> str: ..."),
        ("@other\ndef f(a) -> int: ...", "def f(b) -> str: ..."),
        ("def f(a) -> int: ...", "@functools.lru_cache(maxsize=None)\ndef f(a) -> int: ..."),
        ("def f(a) -> int: ...", "def f(b): ...\nf = other(f)"),
    ],
)
def test_results_that_may_be_the_same_are_no_finding(stub: str, code: str) -> None:
    assert found(stub, code) == []


@pytest.mark.parametrize(
    ("stub", "code", "expected"),
    [
        ("def f(self, a): ...", "@staticmethod\n    def f(a): ...", ["error method-kind-mismatch kind"]),
        ("@classmethod\n    def f(cls): ...", "def f(self): ...", ["error method-kind-mismatch kind"]),
        ("def f(self): ...", "@property\n    def f(self): ...", ["error method-kind-mismatch kind"]),
        (
            "f: int",
            "@property\n    def f(self) -> str: ...",
            ["error attribute-type-mismatch type", "warning property-accessor-mismatch setter"],
        ),
        ("f: int", "def f(self): ...", ["error definition-kind-mismatch kind"]),
        ("def f(self): ...", "f = 3", ["error definition-kind-mismatch kind"]),
        ("def f(self): ...", "f = None", ["error definition-kind-mismatch kind"]),
        (
            "def __init__(self, a): ...",
            "def __init__(self, b): ...",
            ["error argument-renamed signature.a.name"],
        ),
    ],
)
def test_members_of_another_kind_are_found(stub: str, code: str, expected: list[str]) -> None:
    assert found(f"class C:\n    {stub}", f"class C:\n    {code}") == expected


@pytest.mark.parametrize(
    ("stub", "code"),
    [
        ("def __eq__(self, other, /): ...", "def __eq__(self, value): ..."),
        ("def __new__(cls, a): ...", "@staticmethod\n    def __new__(kind, a): ..."),
        ("@property\n    def f(self) -> int: ...", "@functools.cached_property\n    def f(self) -> int: ..."),
        ("@property\n    def f(self) -> int: ...", "f: int = 3"),
        ("f: int", "@property\n    def f(self) -> int: ...\n    @f.setter\n    def f(self, value): ..."),
        ("@abc.abstractmethod\n    def f(self): ...", "def f(self): ..."),
        ("f: Callable[[], int]", "def f(self): ..."),
        ("def f(self): ...", "f = other(3)"),
        ("def f(self): ...", "f: object = None"),
        ("f: int", "def __init__(self): self.f = 3"),
    ],
)
def test_members_that_may_be_the_same_are_no_finding(stub: str, code: str) -> None:
    assert found(f"class C:\n    {stub}", f"class C:\n    {code}") == []


OVERLOADS = "@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str, b: int) -> str: ...\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(a, b=None): ...", []),
        ("def f(a: object, b: int = 3) -> object: ...", []),
        ("def f(*args): ...", []),
        ("def f(a): ...", ["error argument-missing signature.b"]),
        ("def f(a, b): ...", ["error argument-extra signature.b"]),
        ("def f(a, b=None, c=None): ...", ["warning argument-extra signature.c"]),
        ("async def f(a, b=None): ...", ["error async-mismatch async"]),
        (OVERLOADS + "def f(a, b=None): ...", []),
        (OVERLOADS + "def f(a): ...", ["error argument-missing signature.b"]),
    ],
)
def test_the_implementation_must_accept_each_overload(code: str, expected: list[str]) -> None:
    assert found(OVERLOADS, code) == expected


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [("a=1", "a=1", True), ("a=1", "a", True), ("a=2", "a=2", False), ("a=...", "a", False)],
)
def test_a_default_that_an_overload_writes_out_is_the_one_of_the_code(
    first: str, second: str, told: bool
) -> None:
    stub = f"@overload\ndef f({first}) -> int: ...\n@overload\ndef f({second}, *, b: int) -> str: ...\n"
    expected = ["error argument-default-mismatch signature.a.default"] if told else []
    assert found(stub, "def f(a=2, *, b=None): ...") == expected


def test_a_finding_shows_the_line_of_the_parameter_on_both_sides() -> None:
    (finding,) = outcome("def f(\n    a,\n    b=1,\n): ...", "def f(a,\n  b=2): ...").findings
    assert finding.spec is not None
    assert finding.code is not None
    assert (finding.spec.line, finding.spec.value) == (HEAD.count("\n") + 3, 1)
    assert (finding.code.line, finding.code.value) == (HEAD.count("\n") + 2, 2)
    assert finding.hint


@pytest.mark.parametrize(("name", "hidden"), [("total", True), ("__or__", False)])
def test_nobody_is_asked_to_hide_a_special_method(name: str, hidden: bool) -> None:
    (finding,) = outcome("class A: ...", f"class A:\n    def {name}(self, other): ...").findings
    assert finding.rule == "function-not-in-stub"
    assert ("underscore" in finding.hint) is hidden


def test_an_unknown_decorator_is_told_as_unknown() -> None:
    """CF-1.3"""
    (unknown,) = outcome("def f(a): ...", "@other\ndef f(b): ...").unknown
    assert (unknown.subject, unknown.aspect) == ("function a.f", "signature")


NAME = st.sampled_from("abcdef")
LISTS = st.builds(
    lambda names, marks: (names, sorted(min(mark, len(names)) for mark in marks)),
    st.lists(NAME, unique=True, max_size=5),
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
)


def spelled(parts: tuple[list[str], list[int]], default: str) -> str:
    """A list of parameters: positional-only up to the first mark, keyword-only from the second."""
    names, (slash, star) = parts
    written = [name + default for name in names]
    only = [*written[:slash], "/"] if slash else []
    after = ["*", *written[star:]] if star < len(names) else []
    return ", ".join([*only, *written[slash:star], *after])


@given(LISTS, st.sampled_from(["", "=1", "=..."]))
def test_a_signature_agrees_with_itself(parts: tuple[list[str], list[int]], default: str) -> None:
    assert parameters(spelled(parts, default), spelled(parts, default.replace("...", "LIMIT"))) == []


@given(LISTS, LISTS)
def test_a_wrapper_is_never_blamed_for_what_it_may_pass_on(
    stub: tuple[list[str], list[int]], other: tuple[list[str], list[int]]
) -> None:
    assert not any("missing" in line for line in parameters(spelled(stub, ""), "*args, **kwargs"))
    blamed = parameters("*args, **kwargs", spelled(other, ""))
    assert blamed == ["note arguments-unspecified signature.unspecified"]
