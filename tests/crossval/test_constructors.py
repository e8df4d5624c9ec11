"""Constructors that fields make, and methods that a stub's class merely inherits."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from crossval.link.definitions.definitions import align_definitions
from crossval.link.names.targets import Target
from crossval.validate import cross_validate
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader

DATACLASS = "from dataclasses import KW_ONLY, dataclass, field\nfrom typing import ClassVar, NamedTuple\n"


def found(files: Mapping[str, str], target: Target | None = None) -> list[str]:
    """Rule, subject and aspect of all findings in these stubs and modules."""
    modules = {path: path.rsplit(".", 1)[0].replace("/", ".").removesuffix(".__init__") for path in files}
    roles = {path: Role.STUB if path.endswith(".pyi") else Role.PYTHON for path in files}
    extracts = [
        PythonReader().read(Document(path=path, role=roles[path], text=text, module=modules[path]))
        for path, text in files.items()
    ]
    outcome = cross_validate(
        Memory(extracts, modules), aligners=(lambda source: align_definitions(source, target),)
    )
    return [f"{finding.rule} {finding.subject} {finding.aspect}" for finding in outcome.findings]


def classes(stub: str, code: str) -> list[str]:
    return found({"a.pyi": DATACLASS + stub, "a.py": DATACLASS + code})


@pytest.mark.parametrize(
    ("stub", "code", "expected"),
    [
        (
            "@dataclass\nclass C:\n    x: int\n    y: int",
            "@dataclass\nclass C:\n    y: int\n    x: int",
            ["argument-order-mismatch function a.C.__init__ signature"],
        ),
        (
            "@dataclass\nclass C:\n    x: int = ...",
            "@dataclass\nclass C:\n    x: int",
            ["argument-default-mismatch function a.C.__init__ signature.x.default"],
        ),
        (
            "@dataclass\nclass C:\n    x: int",
            "@dataclass(kw_only=True)\nclass C:\n    x: int",
            ["argument-kind-mismatch function a.C.__init__ signature.x.kind"],
        ),
        (
            "class C:\n    x: int\n    y: int\n    def __init__(self, x: int) -> None: ...",
            "@dataclass\nclass C:\n    x: int\n    y: int",
            ["argument-extra function a.C.__init__ signature.y"],
        ),
        (
            "class C(NamedTuple):\n    x: int\n    y: int = ...",
            "class C(NamedTuple):\n    x: int\n    y: int",
            ["argument-default-mismatch function a.C.__init__ signature.y.default"],
        ),
        (
            "@dataclass\nclass B:\n    x: int\n@dataclass\nclass C(B):\n    y: int",
            "@dataclass\nclass B:\n    x: int\n@dataclass\nclass C(B):\n    y: int = 3",
            ["argument-default-mismatch function a.C.__init__ signature.y.default"],
        ),
        (
            "@dataclass\nclass C:\n    x: int\n    y: int",
            "@dataclass\nclass C:\n    x: int\n    y: int = field(init=False)",
            ["argument-missing function a.C.__init__ signature.y"],
        ),
        (
            "@dataclass\nclass B:\n    x: int\n@dataclass\nclass C(B):\n    y: int",
            "@dataclass\nclass B:\n    x: int\nclass C(B):\n    y: int",
            ["argument-missing function a.C.__init__ signature.y"],
        ),
    ],
)
def test_constructors_are_compared_by_their_fields(stub: str, code: str, expected: list[str]) -> None:
    assert classes(stub, code) == expected


@pytest.mark.parametrize(
    ("stub", "code"),
    [
        (
            "@dataclass\nclass C:\n    x: list[int] = ...",
            "@dataclass\nclass C:\n    x: list[int] = field(default_factory=list)",
        ),
        (
            "class C:\n    x: int\n    def __init__(self, x: int) -> None: ...",
            "@dataclass\nclass C:\n    x: int",
        ),
        (
            "@dataclass\nclass C:\n    x: int\n    y: int = ...",
            "@dataclass\nclass C:\n    x: int\n    y: int = field(default=3)",
        ),
        (
            "@dataclass\nclass C:\n    x: int\n    K: ClassVar[int]",
            "@dataclass\nclass C:\n    x: int\n    K: ClassVar[int] = 3",
        ),
        (
            "@dataclass\nclass C:\n    _: KW_ONLY\n    x: int",
            "@dataclass\nclass C:\n    x: int = field(kw_only=True)",
        ),
        ("@dataclass\nclass C:\n    x: int", "import vendor\n@dataclass\nclass C(vendor.Base):\n    x: int"),
        (
            "@dataclass\nclass C:\n    x: int",
            "@dataclass(init=False)\nclass C:\n    x: int\n    def __init__(self, x): ...",
        ),
        ("@dataclass\nclass C:\n    x: int", "@dataclass\nclass C:\n    x: int = field(**options)"),
        (
            "@dataclass\nclass B:\n    x: int\n@dataclass\nclass C(B):\n    y: int",
            "import vendor\n@dataclass\nclass B(vendor.Base):\n    x: int\nclass C(B):\n    y: int",
        ),
    ],
)
def test_fields_that_come_to_the_same_or_are_not_known_are_no_finding(stub: str, code: str) -> None:
    assert classes(stub, code) == []


def test_what_a_stub_inherits_is_held_against_what_the_code_overrides() -> None:
    stub = "class B:\n    def f(self, a: int) -> object: ...\nclass C(B): ..."
    code = "class B:\n    def f(self, a): ...\nclass C(B):\n    def f(self, a, b): ..."
    assert found({"a.pyi": stub, "a.py": code}) == ["argument-extra function a.C.f signature.b"]


def test_an_override_that_takes_other_types_and_returns_less_is_no_finding() -> None:
    stub = "class B:\n    def f(self, a: int) -> object: ...\nclass C(B): ..."
    code = "class B:\n    def f(self, a): ...\nclass C(B):\n    def f(self, a: float) -> int: ..."
    assert found({"a.pyi": stub, "a.py": code}) == []
    assert found({"a.pyi": stub, "a.py": code.replace("float", "float, b=1")}) == [
        "argument-extra function a.C.f signature.b"
    ]


def test_members_of_a_class_that_the_code_imports_are_compared_with_the_stub_of_its_name() -> None:
    files = {
        "shop/cart.pyi": "class Cart:\n    def total(self) -> int: ...",
        "shop/cart.py": "from shop._cart import Cart",
        "shop/_cart.py": "class Cart:\n    def total(self): ...\n    def clear(self): ...",
    }
    assert found(files) == ["function-not-in-stub function shop.cart.Cart.clear exists"]


def test_methods_of_classes_that_inherit_from_the_standard_library_are_compared() -> None:
    stub = "from html.parser import HTMLParser\nclass C(HTMLParser):\n    rawdata: str\n    def f(self) -> None: ..."
    code = "from html.parser import HTMLParser\nclass C(HTMLParser):\n    def g(self): ..."
    assert found({"a.pyi": stub, "a.py": code}) == [
        "function-not-in-stub function a.C.g exists",
        "function-not-implemented function a.C.f exists",
    ]


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("win32", []),
        ("linux", ["function-not-implemented function a.f exists"]),
    ],
)
def test_definitions_count_where_their_conditions_hold(platform: str, expected: list[str]) -> None:
    stub = "import sys\ndef f() -> None: ...\nif sys.platform == 'win32':\n    def g() -> None: ..."
    code = "import sys\nif sys.platform == 'win32':\n    def f(): ...\ndef g(): ..."
    assert found({"a.pyi": stub, "a.py": code}, Target((3, 12), platform)) == expected


def test_the_branch_for_the_target_is_the_one_that_is_compared() -> None:
    stub = "import sys\nif sys.version_info >= (3, 12):\n    def f(a: int): ...\nelse:\n    def f(): ..."
    code = "def f(a): ..."
    assert found({"a.pyi": stub, "a.py": code}, Target((3, 12), "linux")) == []
    assert found({"a.pyi": stub, "a.py": code}, Target((3, 11), "linux")) == [
        "argument-extra function a.f signature.a"
    ]


def test_an_exception_whose_constructor_the_stub_leaves_out_takes_anything_there_only() -> None:
    stub = "class Lost(ValueError): ...\nclass Late(ValueError): ...\nclass Kept(ValueError): ..."
    code = (
        "class Lost(ValueError):\n    def __init__(self, name): ...\n"
        "class Late(ValueError):\n    def __init__(self, name=''): ...\n"
        "class Kept(ValueError):\n    def __init__(self, *names): ..."
    )
    assert found({"a.pyi": stub, "a.py": code}) == [
        "function-not-in-stub function a.Lost.__init__ exists",
        "function-not-in-stub function a.Late.__init__ exists",
    ]


def test_what_the_code_defines_for_type_checkers_only_is_not_missed() -> None:
    code = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    class Row: ..."
    assert found({"a.pyi": "class Row: ...", "a.py": code}) == []


def test_a_base_may_have_the_name_of_the_class_itself() -> None:
    code = "import textwrap\nclass TextWrapper(textwrap.TextWrapper): ..."
    assert found({"a.pyi": "class TextWrapper: ...", "a.py": code}) == [
        "base-not-in-stub class a.TextWrapper inherits"
    ]
    assert found({"a.pyi": code, "a.py": "class TextWrapper: ..."}) == [
        "base-missing class a.TextWrapper bases"
    ]


def test_what_the_code_lists_in_its_own_all_is_not_called_missing() -> None:
    exports = "__all__ = ['table', 'A']\n"
    assert (
        found({"a.pyi": f"{exports}table: dict[str, str]\nA: int", "a.py": f"{exports}make(globals())"}) == []
    )
    assert found({"a.pyi": f"{exports}table: dict[str, str]\nA: int", "a.py": exports}) == []


def test_a_base_that_is_imported_twice_is_not_known() -> None:
    imports = "from tkinter import Frame, LabelFrame\nfrom tkinter.ttk import LabelFrame\n"
    files = {"a.pyi": f"{imports}class C(LabelFrame): ...", "a.py": f"{imports}class C(LabelFrame): ..."}
    assert found(files) == []


def test_members_are_looked_up_in_the_order_in_which_python_does() -> None:
    stub = "class C:\n    def f(self, a): ..."
    code = (
        "class _Base:\n    def f(self, a): ...\n"
        "class _Left(_Base): ...\n"
        "class _Right:\n    def f(self, b, c): ...\n"
        "class C(_Left, _Right): ..."
    )
    assert found({"a.pyi": stub, "a.py": code}) == []
    diamond = code.replace("class _Right:", "class _Right(_Base):")
    assert found({"a.pyi": stub, "a.py": diamond}) != []


def test_a_class_may_be_called_like_the_standard_class_that_it_derives_from() -> None:
    stub = "import builtins\nclass Warning(builtins.Warning): ..."
    assert found({"a.pyi": stub, "a.py": "class Warning(Warning): ..."}) == []


def test_what_a_stub_marks_as_its_own_is_no_promise_whatever_the_mark_is_called() -> None:
    stub = "from typing import type_check_only as _own\n@_own\nclass Row: ..."
    assert found({"a.pyi": stub, "a.py": ""}) == []


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        ("@dataclass(**OPTIONS)", ["argument-kind-mismatch function a.C.__init__ signature.x.kind"]),
        (
            "@dataclass(**{'kw_only': True})",
            ["argument-kind-mismatch function a.C.__init__ signature.x.kind"],
        ),
        ("@record", ["argument-kind-mismatch function a.C.__init__ signature.x.kind"]),
        ("@part", ["argument-kind-mismatch function a.C.__init__ signature.x.kind"]),
        ("@part(kw_only=False)", []),
        ("@dataclass(**read())", []),
        ("@dataclass(**{**read()})", []),
        ("@guarded", []),
    ],
)
def test_options_of_a_data_class_may_be_held_by_variables_of_the_project(
    decorator: str, expected: list[str]
) -> None:
    options = (
        "import sys, os\nfrom dataclasses import dataclass\nfrom functools import partial\n"
        "if sys.version_info >= (3, 10):\n    OPTIONS = {'kw_only': True}\nelse:\n    OPTIONS = {}\n"
        "record = dataclass(kw_only=True)\npart = partial(dataclass, kw_only=True)\n"
        "def read(): return dict(os.environ)\n"
        "if os.name == 'a':\n    guarded = dataclass(kw_only=True)\n"
    )
    imports = "from dataclasses import dataclass\nfrom o import OPTIONS, record, part, read, guarded\n"
    code = f"{imports}{decorator}\nclass C:\n    x: int\n"
    stub = "class C:\n    x: int\n    def __init__(self, x: int) -> None: ...\n"
    assert found({"a.pyi": stub, "a.py": code, "o.py": options}) == expected


def test_a_class_that_implements_an_interface_of_zope_is_compared() -> None:
    imports = "import attr\nfrom zope.interface import implementer\n"
    code = f"{imports}@implementer(object)\n@attr.s\nclass C:\n    x = attr.ib()\n"
    stub = "class C:\n    x: int\n    def __init__(self) -> None: ...\n"
    assert found({"a.pyi": stub, "a.py": code}) == ["argument-extra function a.C.__init__ signature.x"]
