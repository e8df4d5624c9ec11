"""Classes whose members no body spells out: calls make them, and `attrs` makes their constructors."""

from __future__ import annotations

import pytest

from tests.crossval.test_constructors import found

NAMED = "from collections import namedtuple\n"
TYPED = "from typing import NamedTuple, TypedDict\n"
ENUM = "from enum import Enum\n"
ATTR = "import attr\n"
ATTRS = "import attrs\n"


@pytest.mark.parametrize(
    ("stub", "code", "expected"),
    [
        (
            TYPED + "class P(NamedTuple):\n    x: int\n    y: int\n    z: int",
            NAMED + "P = namedtuple('P', 'x, y')",
            ["attribute-not-implemented attribute a.P.z exists"],
        ),
        (
            TYPED + "class P(NamedTuple):\n    x: int",
            NAMED + "P = namedtuple('P', ['x', 'y'], defaults=(1,))",
            ["attribute-not-in-stub attribute a.P.y exists"],
        ),
        (
            TYPED + "class P(NamedTuple):\n    x: int\n    y: int",
            NAMED + "class P(namedtuple('P', ('y', 'x'))):\n    pass",
            ["argument-order-mismatch function a.P.__init__ signature"],
        ),
        (
            TYPED + "class P(NamedTuple):\n    x: int\n    y: int",
            TYPED + "P = NamedTuple('P', [('x', int), ('y', str)])",
            ["attribute-type-mismatch attribute a.P.y type"],
        ),
        (
            TYPED + "class P(TypedDict):\n    x: int",
            TYPED + "P = TypedDict('P', {'x': int, 'y': int}, total=False)",
            [
                "attribute-not-in-stub attribute a.P.y exists",
                "key-required-mismatch class a.P required",
            ],
        ),
        (
            ENUM + "class P(Enum):\n    A = 1\n    B = 2\n    C = 3",
            ENUM + "P = Enum('P', 'A B', module=__name__)",
            ["attribute-not-implemented attribute a.P.C exists"],
        ),
        (
            "class P:\n    x: int\n    y: int\n    def __init__(self, y: int, x: int = ...) -> None: ...",
            ATTR + "@attr.s\nclass P:\n    x = attr.ib(default=1)\n    y = attr.ib()\n    z = 1",
            [
                "argument-order-mismatch function a.P.__init__ signature",
                "attribute-not-in-stub attribute a.P.z exists",
            ],
        ),
        (
            "class B:\n    x: int\nclass P(B):\n    y: int\n    def __init__(self, y: int, x: int) -> None: ...",
            ATTRS + "@attrs.define\nclass B:\n    x: int\n@attrs.define\nclass P(B):\n    y: int",
            [
                "function-not-in-stub function a.B.__init__ exists",
                "argument-order-mismatch function a.P.__init__ signature",
            ],
        ),
        (
            "class P:\n    x: str\n    def run(self, b: int) -> int: ...\n    y: int",
            "P = type('P', (object,), {'x': 1, 'run': lambda self, a: a})",
            [
                "argument-renamed function a.P.run signature.b.name",
                "attribute-type-mismatch attribute a.P.x type",
                "attribute-not-implemented attribute a.P.y exists",
            ],
        ),
        (
            "class P: ...",
            "class M(type): ...\nP = M('P', (), {})",
            ["class-not-in-stub class a.M exists", "metaclass-mismatch class a.P metaclass"],
        ),
        (
            "class P:\n    x: int\n    def __init__(self, x: int) -> None: ...",
            ATTRS + "@attrs.frozen(kw_only=True)\nclass P:\n    x: int",
            ["argument-kind-mismatch function a.P.__init__ signature.x.kind"],
        ),
    ],
)
def test_what_makes_a_class_tells_its_members(stub: str, code: str, expected: list[str]) -> None:
    assert found({"a.pyi": stub, "a.py": code}) == expected


@pytest.mark.parametrize(
    ("stub", "code"),
    [
        (TYPED + "class P(NamedTuple):\n    x: int", NAMED + "P = namedtuple('P', FIELDS)"),
        (TYPED + "class P(NamedTuple):\n    x: int", NAMED + "P = namedtuple('P', 'x y'.split())"),
        (
            TYPED + "class P(NamedTuple):\n    x: int\n    def __new__(cls, text: str) -> P: ...",
            NAMED + "class P(namedtuple('P', 'x')):\n    def __new__(cls, text): ...",
        ),
        (
            "class P:\n    x: int\n    def __init__(self, x: int = ...) -> None: ...",
            ATTR + "@attr.s\nclass P:\n    x = attr.ib()\n    @x.default\n    def _y(self): ...",
        ),
        (
            "class P:\n    _x: int\n    def __init__(self, x: int) -> None: ...",
            ATTR + "@attr.s\nclass P:\n    _x = attr.ib()\n    _y = attr.ib(init=False)",
        ),
        (
            "class P:\n    x: int\n    def __init__(self, size: int) -> None: ...",
            ATTRS + "@attrs.define\nclass P:\n    x: int = attrs.field(alias='size')",
        ),
        (
            "class P:\n    x: int\n    def __init__(self, z: int) -> None: ...",
            ATTR + "@attr.s(these={'z': attr.ib()})\nclass P:\n    x = 1",
        ),
        (
            "class P:\n    x: int\n    def __init__(self, x: int) -> None: ...",
            "from vendor import made\n@made\nclass P:\n    x: int",
        ),
    ],
)
def test_what_is_computed_or_comes_to_the_same_is_no_finding(stub: str, code: str) -> None:
    assert found({"a.pyi": stub, "a.py": code}) == []


def test_a_name_that_every_branch_defines_is_missed_in_the_stub() -> None:
    code = "if a:\n    def f(): pass\n    X = 1\nelif b:\n    X = 2\nelse:\n    def f(): pass\n    X = 3"
    assert found({"a.pyi": "", "a.py": code}) == ["attribute-not-in-stub attribute a.X exists"]
    code = "if a:\n    if b:\n        X = 1\n    else:\n        X = 2\nelse:\n    X = 3"
    assert found({"a.pyi": "", "a.py": code}) == ["attribute-not-in-stub attribute a.X exists"]


def test_an_import_that_is_tried_is_meant_where_the_project_has_it() -> None:
    files = {
        "a.pyi": "class C:\n    def f(self) -> None: ...",
        "a.py": "try:\n    from b import Base\nexcept ImportError:\n    from c import Base\nclass C(Base): ...",
        "b.py": "class Base: ...",
    }
    assert found(files) == ["function-not-implemented function a.C.f exists"]
    assert found({**files, "b.py": "", "c.py": "class Base: ..."}) == []


GETS_ANY = "class A:\n    def __getattr__(self, name): ...\n"


def test_what_instances_may_have_says_nothing_of_the_class() -> None:
    code = GETS_ANY + "class B(A):\n    def f(self): ..."
    stub = GETS_ANY + "class B(A):\n    def f(self): ...\n    def g(self): ...\n"
    assert found({"a.pyi": stub, "a.py": code}) == []
    for member in ("@staticmethod\n    def h(): ...", "@classmethod\n    def h(cls): ..."):
        assert found({"a.pyi": stub + f"    {member}", "a.py": code}) == [
            "function-not-implemented function a.B.h exists"
        ]
    sets = code.replace("def __getattr__(self, name): ...", "def _g(self, x): setattr(self, x, 1)")
    assert found({"a.pyi": stub + "    class D: ...", "a.py": sets}) == [
        "class-not-implemented class a.B.D exists"
    ]


def test_a_stub_that_says_what_instances_answer_still_lists_methods() -> None:
    code = GETS_ANY + "class B(A):\n    x = 1\n    def f(self): ..."
    stub = GETS_ANY + "class B(A): ..."
    assert found({"a.pyi": stub, "a.py": code}) == ["function-not-in-stub function a.B.f exists"]
    closed = code.replace("__getattr__(self, name)", "h(self)").replace("def h", "def _h")
    assert found({"a.pyi": stub, "a.py": closed}) == []


@pytest.mark.parametrize(
    ("stub", "code", "expected"),
    [
        ("X: str = 'ab'", "A = 'a'\nX = A + 'c'", ["attribute-value-mismatch attribute a.X value"]),
        ("X: int = 6", "A = 2\nB = A + 1\nX = A * B", []),
        ("X: str", "A = 2\nX = A * 3", ["attribute-type-mismatch attribute a.X type"]),
        (
            "def f(x: int = 1) -> None: ...",
            "A = 2\ndef f(x=A): pass",
            ["argument-default-mismatch function a.f signature.x.default"],
        ),
        (
            "class C:\n    A: int\n    def f(self, x: int = 1) -> None: ...",
            "A = 1\nclass C:\n    A = 2\n    def f(self, x=A): pass",
            ["argument-default-mismatch function a.C.f signature.x.default"],
        ),
        (
            "from enum import Enum\nclass C(Enum):\n    A = 1\ndef f(x: int = 1) -> None: ...",
            "from enum import Enum\nclass C(Enum):\n    A = 1\ndef f(x=C.A): pass",
            [],
        ),
        ("def f(x: int = 1) -> None: ...", "A = 2\nif b:\n    A = 1\ndef f(x=A): pass", []),
        ("X: str = 'ab'", "X = Y\nY = X", []),
    ],
)
def test_names_of_constants_are_worth_their_values(stub: str, code: str, expected: list[str]) -> None:
    assert [line for line in found({"a.pyi": stub, "a.py": code}) if "-not-in-stub" not in line] == expected
