"""What code publishes in unusual ways, and values, decorators and overriding methods held against a stub."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import pytest

from crossval.link.definitions.definitions import align_definitions
from crossval.link.names.targets import Target
from crossval.validate import cross_validate
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader

TARGET = Target((3, 12), "linux")


def found(files: Mapping[str, str], target: Target = TARGET) -> list[str]:
    """Rule and subject of all findings in these stubs and modules."""
    modules = {path: path.rsplit(".", 1)[0].replace("/", ".").removesuffix(".__init__") for path in files}
    extracts = [
        PythonReader().read(
            Document(
                path=path,
                role=Role.STUB if path.endswith(".pyi") else Role.PYTHON,
                text=text,
                module=modules[path],
            )
        )
        for path, text in files.items()
    ]
    outcome = cross_validate(
        Memory(extracts, modules), aligners=(lambda source: align_definitions(source, target),)
    )
    return [f"{finding.rule} {finding.subject}" for finding in outcome.findings]


def pair(stub: str, code: str) -> list[str]:
    """The findings of one stub beside its code."""
    return found({"a.pyi": stub, "a.py": code})


SETTER = "def f(target, name, value):\n    setattr({}, name, {})\nclass A:\n    ...\nclass B:\n    ..."


@pytest.mark.parametrize(
    ("target", "value", "names"),
    [
        ("A", "value", ["function-not-implemented function a.B.g"]),
        # The parameter may be any class of the module, but no method such as `__len__` comes from an instance.
        ("target", "value", []),
        # What is no function is no method either, whatever has it.
        (
            "target",
            "1",
            ["function-not-implemented function a.A.g", "function-not-implemented function a.B.g"],
        ),
    ],
)
def test_names_that_a_function_sets_belong_to_what_it_sets_them_on(
    target: str, value: str, names: list[str]
) -> None:
    stub = "def f(target, name, value): ...\nclass A:\n    def g(self): ...\nclass B:\n    def g(self): ..."
    assert pair(stub, SETTER.format(target, value)) == names
    assert pair(f"{stub}\ndef other(): ...", SETTER.format(target, value))[-1:] == [
        "function-not-implemented function a.other"
    ]


def test_what_looks_a_module_up_may_set_any_name_of_it() -> None:
    code = "import sys\ndef f(name):\n    module = sys.modules[name]\n    setattr(module, name, 1)"
    assert not pair("def f(name): ...\ndef g(): ...", code)


def test_special_methods_are_missed_although_instances_may_get_names() -> None:
    stub = "class A:\n    def __get__(self, owner, kind): ...\n    def __setattr__(self, name, value): ..."
    assert pair(stub, "class A:\n    def f(self): self.__dict__['x'] = 1")[1:] == [
        "function-not-implemented function a.A.__get__",
        "function-not-implemented function a.A.__setattr__",
    ]


def test_a_standard_base_gives_only_the_names_that_its_code_has() -> None:
    stub = "from collections import OrderedDict\nclass A(OrderedDict[str, int]): ..."
    code = "from collections import OrderedDict\nclass A(OrderedDict):\n    limit = 3"
    assert pair(stub, code) == ["attribute-not-in-stub attribute a.A.limit"]


def test_an_import_in_the_body_of_a_class_is_a_member_of_it() -> None:
    files = {"a.py": "class A:\n    from b import limit", "b.py": "limit = 3"}
    assert not found({**files, "a.pyi": "class A:\n    limit: int"})
    assert found({**files, "a.pyi": "class A: ..."}) == ["attribute-not-in-stub attribute a.A.limit"]


def test_attributes_of_an_instance_that_the_class_itself_makes_are_there() -> None:
    stub = "class A(str):\n    size: int\n    def __new__(cls, text: str): ...\nclass B: ..."
    code = "class A(str):\n    def __new__(cls, text):\n        self = super().__new__(cls, text)\n"
    code += "        {}\n        return self\nclass B: ..."
    assert not pair(stub, code.format("self.size = 1"))
    assert pair(stub, code.format("other.length = 1")) == ["attribute-not-implemented attribute a.A.size"]


def test_special_names_of_modules_are_public_but_those_that_only_describe_the_file() -> None:
    code = "__docformat__ = 'plain'\n__author__ = 'me'\n__version__ = '1'\n_private = 1"
    assert pair("", code) == ["attribute-not-in-stub attribute a.__docformat__"]


def test_a_constant_that_a_star_import_brings_belongs_to_who_offers_it() -> None:
    files = {
        "a.py": "from b import *",
        "b.py": "from c import *\nLIMIT = 3\ndef f(): ...",
        "c.py": "SIZE = 'x'",
    }
    assert found({**files, "a.pyi": ""}) == [
        "attribute-not-in-stub attribute a.LIMIT",
        "attribute-not-in-stub attribute a.SIZE",
    ]
    assert not found({**files, "a.pyi": "LIMIT: int\nSIZE: str"})


def test_what_makes_up_for_a_name_of_python_2_is_there_in_python_3() -> None:
    code = "try:\n    {0}\nexcept NameError:\n    {0} = str"
    assert pair("", code.format("unicode")) == ["attribute-not-in-stub attribute a.unicode"]
    assert not pair("", code.format("memoryview"))


def test_what_needs_a_name_of_python_2_is_not_there_in_python_3() -> None:
    code = "try:\n    str = {}\nexcept NameError:\n    pass"
    assert not pair("", code.format("basestring"))
    assert pair("", code.format("bytes")) == ["attribute-not-in-stub attribute a.str"]


def test_a_special_method_that_takes_more_than_the_inherited_one_is_reported() -> None:
    method = "class A:\n    def {}: ..."
    assert pair("class A: ...", method.format("__repr__(self, short=False)")) == [
        "argument-extra function a.A.__repr__"
    ]
    assert not pair("class A: ...", method.format("__eq__(self, anything)"))
    assert pair("class A: ...", method.format("__init_subclass__(cls, name='')")) == [
        "argument-extra function a.A.__init_subclass__"
    ]
    code = "class A:\n    def _fail(self, *args): ...\n    __str__ = _fail"
    assert pair("class A:\n    def _fail(self, *args): ...", code) == ["argument-extra attribute a.A.__str__"]


def test_what_abstract_code_has_none_of_the_overloads_says() -> None:
    stub = (
        "import abc, typing\nclass A(abc.ABC):\n    {}@typing.overload\n    def f(self, x: int) -> int: ...\n"
    )
    stub += "    @typing.overload\n    def f(self, x: str) -> str: ..."
    code = "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def f(self, x): ..."
    assert pair(stub.format(""), code) == ["decorator-not-in-stub function a.A.f"]
    assert not pair(stub.format("@abc.abstractmethod\n    "), code)


def test_all_may_ask_functions_and_classes_for_their_names() -> None:
    code = "def f(): ...\ndef g(): ...\n__all__ = (f.__name__, *(f.__name__,), {})"
    assert pair("__all__ = ('f',)\ndef f(): ...", code.format("'f'")) == []
    assert pair("__all__ = ('f',)\ndef f(): ...", code.format("g.__name__")) == [
        "exports-mismatch module a",
        "function-not-in-stub function a.g",
    ]


def test_a_base_that_may_be_anything_declares_no_members() -> None:
    code = "class A:\n    def f(self): ..."
    stub = "from _typeshed import Incomplete\nfrom elsewhere import C\nB: Incomplete\nclass A({}): ..."
    for base in ("Incomplete", "B"):
        assert "function-not-in-stub function a.A.f" in pair(stub.format(base), f"B = make()\n{code}")
    assert "function-not-in-stub function a.A.f" not in pair(stub.format("C"), f"B = make()\n{code}")


def test_an_alias_of_a_class_is_no_function() -> None:
    stub = "class A:\n    def __init__(self, x): ...\nmade = A"
    code = "class A:\n    def __init__(self, x): ...\ndef made(x): ..."
    assert pair(stub, code) == ["definition-kind-mismatch attribute a.made"]


def test_a_property_does_not_give_what_a_class_holds_that_is_no_descriptor() -> None:
    stub = "class M: ...\nclass A:\n    @property\n    def name(self) -> str: ..."
    code = "class M:{}\nclass A:\n    name = M()"
    assert pair(stub, code.format(" ...")) == ["attribute-type-mismatch function a.A.name"]
    assert "attribute-type-mismatch function a.A.name" not in pair(
        stub, code.format("\n    def __get__(self, owner, kind): ...")
    )


def test_an_import_counts_only_on_the_platform_that_its_condition_names() -> None:
    code = (
        "import sys\nif sys.platform == 'win32':\n    from b import A as C\nelse:\n    from b import B as C"
    )
    files = {"a.py": code, "b.py": "class A: ...\nclass B:\n    def f(self, x): ..."}
    assert found({**files, "a.pyi": "class C:\n    def f(self, y): ..."}) == [
        "argument-renamed function a.C.f"
    ]


@pytest.mark.parametrize(
    ("annotation", "value", "differs"),
    [
        ("str", "None", True),
        ("A", "None", True),
        ("A | None", "None", False),
        ("bool", "1", False),
        ("tuple[int, ...]", "(1, 'a')", True),
        ("tuple[int, str]", "(1, 'a')", False),
        ("tuple[int]", "(1, 2)", True),
        ("list[str]", "frozenset({1})", True),
        ("frozenset[int]", "frozenset({1})", False),
        ("A", "A()", False),
        ("A", "B()", False),
        ("B", "A()", True),
        ("str", "A()", True),
        ("Callable[[], None]", "A()", False),
        ("A", "property(len, print)", False),
        ("int", "Chosen()", False),
    ],
)
def test_a_value_of_another_type_than_the_stub_says_is_told(
    annotation: str, value: str, *, differs: bool
) -> None:
    """Of literals, and of what a call of a class gives that does not decide itself what that is."""
    classes = "class A: ...\nclass B(A): ...\nclass Chosen:\n    def __new__(cls): ...\n"
    stub = f"from collections.abc import Callable\n{classes}class C:\n    x: {annotation}"
    expected = ["attribute-type-mismatch attribute a.C.x"] if differs else []
    assert pair(stub, f"{classes}class C:\n    x = {value}") == expected


def test_a_value_that_a_metaclass_may_change_is_not_held_against_a_type() -> None:
    stub = "class M(type): ...\nclass C(metaclass=M):\n    x: str"
    code = "class M(type):\n    def __new__(cls, *args): ...\nclass C(metaclass=M):\n    x = None"
    assert "attribute-type-mismatch attribute a.C.x" not in pair(stub, code)


def test_a_decorator_that_wraps_keeps_the_parameters_and_may_change_the_result() -> None:
    wraps = "import functools\ndef log(f):\n    @functools.wraps(f)\n    def g(*a): ...\n    return g\n"
    plain = wraps.replace("    @functools.wraps(f)\n", "")
    function = "@log\ndef f(x):\n    return 'text'"
    stub = "def log(f): ...\ndef f(y) -> int: ..."
    assert pair(stub, wraps + function) == ["argument-renamed function a.f"]
    assert not pair(stub, plain + function)


def test_what_a_stub_passes_by_position_the_code_cannot_take_by_its_keywords() -> None:
    assert pair("def f(a, b=...): ...", "def f(a, **rest): ...")[:1] == [
        "argument-kind-mismatch function a.f"
    ]
    assert "argument-kind-mismatch function a.f" not in pair(
        "def f(a, *, b=...): ...", "def f(a, **rest): ..."
    )


def test_a_number_is_no_flag() -> None:
    assert pair("def f(a=True): ...", "def f(a=1): ...") == ["argument-default-mismatch function a.f"]
    assert not pair("def f(a=1.0): ...", "def f(a=1): ...")


def test_a_metaclass_is_known_however_the_code_of_both_pythons_names_it() -> None:
    metaclass = "class M(type): ...\n"
    for code in ("@six.add_metaclass(M)\nclass C: ...", "class C(six.with_metaclass(M)): ..."):
        assert pair(f"{metaclass}class C(metaclass=M): ...", f"import six\n{metaclass}{code}") == []
        assert pair(f"{metaclass}class C: ...", f"import six\n{metaclass}{code}") == [
            "metaclass-mismatch class a.C"
        ]


def test_what_a_module_exports_may_be_what_another_exports() -> None:
    files = {"a.py": "from b import *\nfrom b import __all__", "b.py": "__all__ = ['f']\ndef f(): ..."}
    assert not found({**files, "a.pyi": "from b import f as f\n__all__ = ['f']"})
    assert found({**files, "a.pyi": "def f(): ..."}) == ["exports-mismatch module a"]
    assert not found({**files, "a.pyi": "__all__: list[str]\ndef f(): ..."})


def test_a_base_from_outside_is_missed_where_the_stub_imports_it() -> None:
    code = "from vendor import Other\nclass A: ...\nclass B(A, Other): ..."
    assert pair("from vendor import Other\nclass A: ...\nclass B(A): ...", code) == [
        "base-not-in-stub class a.B"
    ]
    assert not pair("class A: ...\nclass B(A): ...", code)


def test_a_stub_of_a_package_that_the_project_only_imports_is_not_missed() -> None:
    files = {"vendor/api.pyi": "def f(): ...", "b.py": "from vendor.api import f"}
    assert found(files) == []
    assert found({**files, "b.py": ""}) == ["module-not-implemented module vendor.api"]


def test_what_all_takes_from_other_modules_is_exported() -> None:
    files = {
        "a.pyi": "__all__ = ['f']\ndef f(): ...",
        "a.py": "import b\nfrom b import *\n__all__ = ['f'] + b.__all__\ndef f(): ...\ndef h(): ...",
        "b.pyi": "__all__ = ['g']\ndef g(): ...",
        "b.py": "__all__ = ['g']\ndef g(): ...",
    }
    assert found(files) == ["exports-mismatch module a", "function-not-in-stub function a.g"]
    files["b.py"] = "__all__ = [name for name in dir()]\ndef g(): ..."
    assert found(files) == []


def test_names_that_all_has_in_any_case_are_public() -> None:
    code = "__all__ = ['f', 'g']\nif x:\n    __all__ += ['h']\ndef f(): ...\ndef g(): ...\ndef i(): ..."
    assert found({"a.pyi": "__all__ = ['f']\ndef f(): ...", "a.py": code}) == [
        "exports-mismatch module a",
        "function-not-in-stub function a.g",
    ]
    removed = code.replace("+= ['h']", "= ['h']")
    assert found({"a.pyi": "__all__ = ['f']\ndef f(): ...", "a.py": removed}) == []


def test_bytes_that_a_star_import_brings_are_offered_like_other_literals() -> None:
    files = {"a.pyi": "", "a.py": "from b import *", "b.pyi": "SALT: bytes", "b.py": "SALT = b'ab'"}
    assert found(files) == ["attribute-not-in-stub attribute a.SALT"]


@pytest.mark.parametrize(
    "text", ["sys.version_info[:2]", "A == B", "not A", "{i: i for i in A}", "'a b'.split()"]
)
def test_a_plain_value_that_a_star_import_brings_belongs_to_who_offers_it(text: str) -> None:
    files = {"a.py": "from b import *", "a.pyi": "", "b.py": f"import sys\nNAME = {text}"}
    assert found(files) == ["attribute-not-in-stub attribute a.NAME"]
    assert not found({**files, "b.py": f"import sys\nNAME = make({text})"})


def test_a_module_has_of_its_package_what_that_imported_before() -> None:
    files = {
        "p/__init__.py": "from p.a import *\nfrom p.b import *\nfrom p.c import *",
        "p/a.py": "FIRST = 1",
        "p/b.py": "from p import *",
        "p/c.py": "LAST = 1",
        "p/b.pyi": "",
    }
    assert found(files) == ["attribute-not-in-stub attribute p.b.FIRST"]


@pytest.mark.parametrize(
    ("module", "stub", "expected"),
    [
        (
            "math",
            "pi: float\ne: float\ninf: float\nnan: float\ntau: float\ndef sin(x: float) -> float: ...",
            [],
        ),
        ("threading", "class Thread: ...\nTIMEOUT_MAX: float", []),
        (
            "bisect",
            "def bisect(): ...\ndef never() -> None: ...",
            ["function-not-implemented function a.never"],
        ),
        ("bisect", "NEVER: int", ["attribute-not-implemented attribute a.NEVER"]),
        (
            "heapq",
            "def heappush(): ...\ndef _heapify_max(): ...",
            ["function-not-implemented function a._heapify_max"],
        ),
        (
            "keyword",
            "",
            ["attribute-not-in-stub attribute a.kwlist", "attribute-not-in-stub attribute a.softkwlist"],
        ),
        ("typing", "List: object", []),
        ("tkinter", "NEVER: int", []),
        ("vendor", "NEVER: int", []),
    ],
)
def test_a_star_import_brings_the_names_of_a_standard_module(
    module: str, stub: str, expected: list[str]
) -> None:
    files = {"a.pyi": stub, "a.py": f"from {module} import *\n"}
    assert found(files, Target(sys.version_info[:2], "linux")) == expected


def test_what_another_version_of_a_standard_module_has_is_not_known() -> None:
    files = {"a.pyi": "def never() -> None: ...", "a.py": "from bisect import *\n"}
    assert found(files, Target((3, 99), "linux")) == []


def test_a_class_of_a_window_has_but_its_own_names_and_those_of_the_library() -> None:
    pytest.importorskip("tkinter")
    pane = "import tkinter as tk\nclass Pane(tk.Frame):\n"
    stub = f"{pane}    def hide(self) -> None: ...\n    def destroy(self) -> None: ..."
    assert pair(stub, f"{pane}    def show(self): pass") == [
        "function-not-in-stub function a.Pane.show",
        "function-not-implemented function a.Pane.hide",
    ]
