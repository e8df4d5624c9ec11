"""Which definition of the code speaks of which definition of a stub, and what is not known about either."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.findings import Finding, Outcome
from crossval.link.definitions.definitions import align_definitions
from crossval.link.stories.tests import align_criteria
from crossval.validate import cross_validate
from graph.facts import Extract, Fact, Kind, Location, Relation, Tag, Verb
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader

READER = PythonReader()


def read(files: Mapping[str, str]) -> Memory:
    """The facts of these stubs and modules."""
    modules = {path: path.rsplit(".", 1)[0].replace("/", ".").removesuffix(".__init__") for path in files}
    roles = {path: Role.STUB if path.endswith(".pyi") else Role.PYTHON for path in files}
    extracts = [
        READER.read(Document(path=path, role=roles[path], text=text, module=modules[path]))
        for path, text in files.items()
    ]
    return Memory(extracts, modules)


def outcome(files: Mapping[str, str]) -> Outcome:
    return cross_validate(read(files), aligners=(align_definitions,))


def rules(files: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(finding.rule, finding.subject) for finding in outcome(files).findings]


def test_without_stubs_nothing_is_compared() -> None:
    alignment = align_definitions(read({"shop.py": "def tax(): ..."}))
    assert not alignment.pairs
    assert not alignment.unknown


def test_a_module_without_code_is_one_finding_however_much_its_stub_declares() -> None:
    found = rules({"shop/a.pyi": "def f(): ...\nclass C:\n    x: int", "shop/b.py": ""})
    assert found == [("module-not-implemented", "module shop.a")]


def test_a_private_module_without_source_may_be_compiled() -> None:
    result = outcome({"shop/_fast.pyi": "def f(): ...", "shop/b.py": ""})
    assert not result.findings
    assert [unknown.subject for unknown in result.unknown] == ["module shop._fast"]


def test_a_module_that_its_parent_makes_at_run_time_is_not_missed() -> None:
    assert not rules({"six/moves.pyi": "def f(): ...", "six.py": "moves = make_module('six.moves')"})


def test_a_class_that_is_missing_is_one_finding_however_many_members_it_has() -> None:
    found = rules({"a.pyi": "class C:\n    x: int\n    def f(self): ...", "a.py": ""})
    assert found == [("class-not-implemented", "class a.C")]


@pytest.mark.parametrize(
    "code",
    [
        "from vendor import f",
        "from vendor import *",
        "from b import f",
        "from b import *",
        "import b\nf = b.f",
        "def __getattr__(name): ...",
        "try:\n    from vendor import f\nexcept ImportError:\n    def f(x): ...",
    ],
)
def test_a_name_that_comes_from_elsewhere_is_not_missing(code: str) -> None:
    assert not rules({"a.pyi": "def f(x): ...", "a.py": code, "b.py": "def f(x): ..."})


def test_a_star_import_brings_only_what_the_other_module_exports() -> None:
    files = {"a.pyi": "def f(): ...\ndef g(): ...", "a.py": "from b import *"}
    assert rules({**files, "b.py": "__all__ = ['f']\ndef f(): ...\ndef g(): ..."}) == [
        ("function-not-implemented", "function a.g")
    ]


def test_imports_in_a_circle_end() -> None:
    files = {"a.pyi": "def f(): ...", "a.py": "from b import *", "b.py": "from a import *\nfrom c import g"}
    assert rules(files | {"c.py": "from b import g"}) == [("function-not-implemented", "function a.f")]


def test_a_class_that_inherits_from_itself_ends() -> None:
    assert not rules(
        {
            "a.pyi": "class C:\n    x: int",
            "a.py": "class C(C.D, _D): ...\nclass _D(_E): ...\nclass _E(_D): ...",
        }
    )


def test_a_reexported_function_is_compared_where_it_is_defined() -> None:
    found = outcome(
        {"a.pyi": "def f(x): ...", "a.py": "from b import f", "b.py": "\n\ndef f(y): ..."}
    ).findings
    assert [(finding.rule, finding.primary.path, finding.primary.line) for finding in found] == [
        ("argument-renamed", "b.py", 3)
    ]


def test_a_star_import_of_the_stub_declares_what_the_other_stub_does() -> None:
    files = {
        "a.pyi": "from b import *",
        "b.pyi": "def f(): ...",
        "b.py": "def f(): ...",
        "a.py": "def f(): ...",
    }
    assert not rules(files)


@pytest.mark.parametrize(
    ("bases", "missing"),
    [
        ("", True),
        ("Known", True),
        ("Exception", True),
        ("Generic[T]", True),
        ("vendor.Model", False),
        ("call()", False),
    ],
)
def test_a_method_is_missing_only_where_all_base_classes_are_known(bases: str, missing: bool) -> None:
    code = f"import vendor\nfrom typing import Generic\nclass Known: ...\nclass C({bases}): ..."
    found = rules({"a.pyi": "class C:\n    def f(self): ...\nclass Known: ...", "a.py": code})
    gaps = [each for each in found if each[0] == "function-not-implemented"]
    assert gaps == ([("function-not-implemented", "function a.C.f")] if missing else [])


@pytest.mark.parametrize(
    "code",
    [
        "class C(metaclass=Meta): ...",
        "@register\nclass C: ...",
        "class C:\n    def __getattr__(self, name): ...",
        "class C:\n    __slots__ = ('x', 'f')",
    ],
)
def test_a_dynamic_class_may_have_any_member(code: str) -> None:
    found = rules({"a.pyi": "class C:\n    x: int\n    def f(self): ...", "a.py": code})
    assert not [rule for rule, _ in found if rule != "metaclass-mismatch"]


@pytest.mark.parametrize(
    ("stub", "code", "missing"),
    [
        ("self, x", "class C:", True),
        ("self", "class C:", False),
        ("self, x", "class C(Exception):", False),
        ("self, x", "class C:\n    def __new__(cls, x): ...", False),
        ("self, x", "from dataclasses import dataclass\n@dataclass\nclass C:\n    x: int", False),
        ("self, x", "class _B:\n    def __init__(self, x): ...\nclass C(_B):", False),
    ],
)
def test_a_constructor_is_missing_where_only_that_of_object_is_left(
    stub: str, code: str, missing: bool
) -> None:
    found = rules(
        {"a.pyi": f"class C:\n    x: int = ...\n    def __init__({stub}): ...", "a.py": f"{code}\n    x = 1"}
    )
    gaps = [each for each in found if each[0] == "function-not-implemented"]
    assert gaps == ([("function-not-implemented", "function a.C.__init__")] if missing else [])


def test_members_of_standard_base_classes_are_there() -> None:
    stub = "import enum\nclass C(enum.Enum):\n    A = 1\n    name: str\nclass E(OSError):\n    errno: int"
    code = "from enum import Enum\nclass C(Enum):\n    A = 1\nclass E(OSError): ..."
    assert not rules({"a.pyi": stub, "a.py": code})
    assert rules({"a.pyi": stub, "a.py": code.replace("A = 1", "B = 1")}) == [
        ("attribute-not-in-stub", "attribute a.C.B"),
        ("attribute-not-implemented", "attribute a.C.A"),
    ]


def test_a_definition_under_a_condition_is_not_missed() -> None:
    stub = "import sys\nif sys.version_info >= (3, 14):\n    def f(): ...\n    class C:\n        x: int"
    assert not rules({"a.pyi": stub, "a.py": ""})
    assert not rules({"a.pyi": "", "a.py": stub.replace("x: int", "x: int = 1")})


def test_of_several_variants_only_a_difference_from_all_counts() -> None:
    code = "if FAST:\n    def f(x): ...\nelse:\n    def f(x, y): ..."
    assert not rules({"a.pyi": "def f(x): ...", "a.py": code})
    assert rules({"a.pyi": "def f(z, x, y): ...", "a.py": code}) != []


def test_private_names_of_a_stub_promise_nothing() -> None:
    stub = (
        "from typing import TypeAlias, TypeVar, Union\n_T = TypeVar('_T')\n_Alias: TypeAlias = int\n"
        "_Other = Union[int, str]\n_Private = int\nclass _Shape:\n    x: int\n"
    )
    assert not rules({"a.pyi": stub, "a.py": ""})


def test_a_private_function_of_a_stub_is_a_promise() -> None:
    assert rules({"a.pyi": "def _f(): ...", "a.py": ""}) == [("function-not-implemented", "function a._f")]


def test_a_name_outside_of_all_is_not_public() -> None:
    code = "__all__ = ['f']\ndef f(): ...\ndef g(): ...\nclass C: ...\nLIMIT = 3"
    assert not rules({"a.pyi": "__all__ = ['f']\ndef f(): ...", "a.py": code})
    assert len(rules({"a.pyi": "def f(): ...", "a.py": code.split("\n", 1)[1]})) == 3


def test_an_alias_is_compared_with_what_it_stands_for() -> None:
    code = "class C:\n    def f(self, x): ...\n    g = f\nD = C"
    stub = "class C:\n    def f(self, x): ...\n    def g(self, y): ...\nclass D:\n    def f(self, y): ..."
    assert rules({"a.pyi": stub, "a.py": code}) == [
        ("argument-renamed", "function a.C.g"),
        ("argument-renamed", "function a.D.f"),
        ("attribute-not-in-stub", "attribute a.D.g"),
    ]


def test_a_gap_shows_the_place_that_stays_silent() -> None:
    (finding,) = outcome({"a.pyi": "def f(): ...", "a.py": ""}).findings
    assert finding.spec is not None
    assert finding.code is None
    assert [witness.path for witness in finding.related] == ["a.py"]


def test_what_is_not_known_is_told_with_its_reason() -> None:
    result = outcome(
        {"a.pyi": "def f(x: int): ...\ndef g(): ...", "a.py": "from vendor import g\ndef f(x): ..."}
    )
    assert [(unknown.subject, unknown.aspect) for unknown in result.unknown] == [
        ("function a.f", "signature.types"),
        ("function a.g", "exists"),
    ]


def marked(files: Mapping[str, str], kind: Kind, aspect: str) -> Outcome:
    """The outcome where the code's facts of this kind have one aspect more."""
    facts = [
        msgspec.structs.replace(fact, aspects=fact.aspects | {aspect: True})
        if (fact.kind, fact.tag) == (kind, Tag.CODE)
        else fact
        for fact in read(files).facts()
    ]
    source = Memory([Extract(facts=facts)], dict.fromkeys(files, "a"))
    return cross_validate(source, aligners=(align_definitions,))


@pytest.mark.parametrize(("kind", "missing"), [(Kind.MODULE, []), (Kind.CLASS, ["function a.f"])])
def test_what_is_made_at_run_time_is_not_missed(kind: Kind, missing: list[str]) -> None:
    files = {"a.pyi": "def f(): ...\nclass C:\n    x: int", "a.py": "class C: ..."}
    assert [finding.subject for finding in marked(files, kind, "dynamic").findings] == missing


def test_without_a_readable_all_nothing_is_called_public() -> None:
    result = marked({"a.pyi": "", "a.py": "def f(): ..."}, Kind.MODULE, "exports_computed")
    assert not result.findings
    assert [unknown.aspect for unknown in result.unknown] == ["exports"]


@given(
    st.permutations(["def f(x: int) -> str: ...", "class C(B):\n    x: int", "class B: ...", "LIMIT: int"])
)
def test_the_order_of_definitions_changes_nothing(stub: list[str]) -> None:
    code = "LIMIT = 'a'\nclass C:\n    y: int = 1\ndef f(y: int) -> int: ..."

    def essence(finding: Finding) -> tuple[str, str, str]:
        return finding.rule, finding.subject, finding.aspect

    found = outcome({"a.pyi": "\n".join(stub), "a.py": code}).findings
    assert sorted(map(essence, found)) == [
        ("argument-renamed", "function a.f", "signature.x.name"),
        ("attribute-not-implemented", "attribute a.C.x", "exists"),
        ("attribute-not-in-stub", "attribute a.C.y", "exists"),
        ("attribute-type-mismatch", "attribute a.LIMIT", "type"),
        ("class-not-implemented", "class a.B", "exists"),
        ("return-type-mismatch", "function a.f", "returns"),
    ]


def spec(kind: Kind, key: str, *, explicit: bool) -> Fact:
    place = Location("stories.md", 1, 1)
    return Fact(
        tag=Tag.SPEC,
        kind=kind,
        key=key,
        name=key,
        source=place,
        aspects={"explicit_id": explicit, "text": key},
    )


@pytest.mark.parametrize(
    ("cited", "untested"),
    [
        ("AC-1", ["US-3.2", "US-3.3"]),
        ("US-3.2", ["AC-1", "US-3.3"]),
        ("spec:criterion:US-3.2", ["AC-1", "US-3.3"]),
        ("US-3", []),
        ("US-99", []),
        ("spec:response:GET /books#200", []),
    ],
)
def test_a_criterion_is_tested_by_a_citation_of_it_or_of_its_story(cited: str, untested: list[str]) -> None:
    criteria = [
        spec(Kind.CRITERION, "AC-1", explicit=True),
        spec(Kind.CRITERION, "US-3.2", explicit=False),
        spec(Kind.CRITERION, "US-3.3", explicit=False),
        spec(Kind.CRITERION, "a-derived-id.1", explicit=False),
    ]
    story = spec(Kind.STORY, "US-3", explicit=True)
    contains = [Relation(Verb.CONTAINS, story.id, criterion.id) for criterion in criteria[:3]]
    place = Location("tests/test_a.py", 1, 2)
    test = Fact(
        tag=Tag.TEST, kind=Kind.TEST, key="t", name="t", source=place, aspects={"cites": [[cited, 1]]}
    )
    source = Memory([Extract(facts=[story, test, *criteria], relations=contains)])
    found = cross_validate(source, aligners=(align_criteria,)).findings
    assert sorted(finding.subject.removeprefix("criterion ") for finding in found) == untested
