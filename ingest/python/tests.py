"""The reader of Python tests: what each test calls, requests, checks, and which spec it cites."""

from __future__ import annotations

from collections.abc import Iterator

from graph.compiled import compiled
from graph.facts import Extract, Fact, Json, Kind, Relation, Tag, Verb, fact_id
from ingest import versions
from ingest.ingestor import Document, Role
from ingest.python.citations import citations, cited_id, ids
from ingest.python.collecting import Collected, Family, fixture_name
from ingest.python.definitions import function_fact, import_relations, module_fact
from ingest.python.digests import Digests
from ingest.python.docstrings import docstring, module_docstring
from ingest.python.dynamic import Dynamic
from ingest.python.exports import read_exports
from ingest.python.imports import Import
from ingest.python.module import Module, take_apart
from ingest.python.observing import Observed, observe
from ingest.python.recovery import verdict
from ingest.python.scopes import Scope
from ingest.python.silences import suppressions

_SPEC_MARKER = compiled(r"(?:^|\.)spec\s*\(")
_LITERAL = compiled(r"\"([^\"\\\n]+)\"|'([^'\\\n]+)'")
_MARKER_NAME = compiled(r"\bmark\.([A-Z]{2,10})_(\d+)(?:_(\d+))?\b")
_MARKS = "pytestmark"
_PUT_OFF = compiled(r"\b(?:skip\w*|xfail|expectedFailure)\b")
_TRYING = frozenset({"try_statement", "with_statement"})
_STEP = compiled(r"(?:\w+\.)?(?:given|when|then|step|Given|When|Then|Step)\(")
_STEP_FRAMEWORKS = ("behave", "pytest_bdd", "radish")


class PythonTestReader:
    """Reads files of pytest and unittest tests. Their fixtures and other functions are no facts of their own, but for
    the step definitions of pytest-bdd and behave."""

    name = "python-tests"
    # What the reader of code reads otherwise, this one does too.
    version = versions.PYTHON_TESTS
    roles = frozenset({Role.TEST})

    def read(self, document: Document) -> Extract:
        """The module and the tests of one file."""
        module = take_apart(document, Tag.TEST)
        extract = Extract()
        whole = module_fact(module, read_exports(module), Dynamic(set()))
        if listed := _fixtures(module):
            whole.aspects["fixtures"] = listed
        if tried := _tried(module):
            whole.aspects["tried_imports"] = tried
        if told := _told(module):
            whole.aspects["told"] = told
        extract.facts.append(whole)
        extract.relations.extend(import_relations(module))
        _Telling(module, extract).tell()
        defects, skipped = verdict(module.source, module.root, Tag.TEST)
        extract.defects.extend(defects)
        extract.skipped.extend(skipped)
        extract.suppressions.extend(suppressions(module, document.text))
        return extract


class _Telling:
    """Makes the facts of one file's tests."""

    def __init__(self, module: Module, extract: Extract) -> None:
        self._module, self._extract = module, extract
        self._here = f"{module.name}."
        self._family = Family(module)
        self._observed = observe(module)
        self._imports: dict[Scope, list[Import]] = {}
        for imported in module.imports.all:
            self._imports.setdefault(imported.scope, []).append(imported)
        self._calls: dict[Scope, dict[str, int]] = {}
        self._cited: dict[Scope, list[tuple[str, int]]] = {}
        for scope, cited, line in citations(module):
            self._cited.setdefault(scope, []).append((cited, line))
        self._marks: dict[Scope, list[tuple[str, int]]] = {}
        for item in module.assignments:
            if item.name == _MARKS and item.node is not None:
                text, line = module.source.text(item.node), module.source.line(item.start)
                self._marks.setdefault(item.scope, []).append((text, line))

    def tell(self) -> None:
        """Add the facts of all tests, and what the file as a whole cites."""
        whole = self._module.scopes.module
        for collected in self._family.collect():
            self._tell(collected)
        self._verify(whole.id, self._cited.get(whole, []))
        self._extract.facts.extend(self._steps())

    def _steps(self) -> Iterator[Fact]:
        """The functions that are step definitions."""
        if any(each.target.startswith(_STEP_FRAMEWORKS) for each in self._module.imports.all):
            for scope in self._module.scopes.all[1:]:
                if scope.kind is Kind.FUNCTION and any(_STEP.match(each) for each in scope.decorators):
                    yield function_fact(self._module, scope)

    def _tell(self, test: Collected) -> None:
        module, function = self._module, test.function
        key = module.scopes.number(Kind.TEST, f"{module.source.path}::{test.name}")
        own = self._family.within(function)
        calls, helpers = self._reach(own, self._family.before(test))
        cites, observed = self._cites(test, own), self._seen(own)
        aspects: dict[str, Json] = {
            "framework": test.framework,
            "imports": [
                [imported.local, imported.target, imported.line]
                for scope in own
                for imported in self._imports.get(scope, ())
            ],
            "requests": [item for part in (*observed, *self._seen(helpers)) for item in part.requests],
            "asserts": [item for part in observed for item in part.asserts],
            "raises": [item for part in observed for item in part.raises],
            "cites": [list(cited) for cited in cites],
            "parametrized": any(
                "parametrize" in mark
                for scope in (function, *test.classes)
                for mark, _ in self._marked(scope)
            ),
        }
        if said := _said(module, function):
            aspects["doc"] = said
        if idle := [item for part in observed for item in part.idle]:
            aspects["idle"] = idle
        if (answers := [item for part in observed for item in part.answers]) and not self._is_put_off(test):
            aspects["answers"] = answers
        self._extract.facts.append(
            Fact(
                tag=Tag.TEST,
                kind=Kind.TEST,
                key=key,
                name=function.name,
                source=module.source.location(function.start, function.end),
                aspects=aspects,
            )
        )
        identity, line = fact_id(Tag.TEST, Kind.TEST, key), module.source.line(function.start)
        relations = self._extract.relations
        relations.append(Relation(Verb.CONTAINS, module.scopes.module.id, identity, line))
        relations.extend(
            Relation(Verb.CALLS, identity, f"code:*:{name}", line) for name, line in calls.items()
        )
        self._verify(identity, cites)

    def _is_put_off(self, test: Collected) -> bool:
        """Whether a test is skipped or said to fail, so that what it expects is not what is so."""
        around = (self._module.scopes.module, *test.classes, test.function)
        return any(_PUT_OFF.search(mark) for scope in around for mark, _ in self._marked(scope))

    def _verify(self, first: str, cites: list[tuple[str, int]]) -> None:
        lines: dict[str, int] = {}
        for cited, line in cites:
            lines.setdefault(cited, line)
        self._extract.relations.extend(
            Relation(Verb.VERIFIES, first, cited if cited.startswith("spec:") else f"spec:*:{cited}", line)
            for cited, line in lines.items()
        )

    def _reach(self, own: list[Scope], before: list[Scope]) -> tuple[dict[str, int], list[Scope]]:
        """What a test calls outside its file, and the file's own functions that it goes through, one step far."""
        helpers = list(before)
        calls: dict[str, int] = {}
        for scope in own:
            for target, line in self._targets(scope).items():
                if not target.startswith(self._here):
                    calls.setdefault(target, line)
                    continue
                helper = self._family.qualified.get(target)
                if helper is None or helper.kind is not Kind.FUNCTION:
                    continue
                if helper not in own and helper not in helpers:
                    helpers.append(helper)
        for helper in helpers:
            for target, line in self._targets(helper).items():
                if not target.startswith(self._here):
                    calls.setdefault(target, line)
        return calls, helpers

    def _targets(self, scope: Scope) -> dict[str, int]:
        """The qualified names that a function calls, with the line of the first call."""
        targets = self._calls.get(scope)
        if targets is None:
            targets = self._calls[scope] = {}
            for name, place in scope.calls.items():
                for target in self._module.names.resolve(scope, name.decode("utf-8", "replace")):
                    targets.setdefault(target, self._module.source.line(place))
        return targets

    def _seen(self, scopes: list[Scope]) -> list[Observed]:
        """What these functions check and request, in their order."""
        return [self._observed[scope] for scope in scopes if scope in self._observed]

    def _marked(self, scope: Scope) -> list[tuple[str, int]]:
        """The decorators of a scope and its `pytestmark`, with a line each."""
        if not scope.decorators:
            return self._marks.get(scope, [])
        line = self._module.source.line(scope.outer)
        return [*((decorator, line) for decorator in scope.decorators), *self._marks.get(scope, [])]

    def _cites(self, test: Collected, own: list[Scope]) -> list[tuple[str, int]]:
        """The ids that a test cites: by its markers and those around it, in its texts and its classes'."""
        around = (self._module.scopes.module, *test.classes)
        cites = [
            (cited, line)
            for scope in (*around, test.function)
            for mark, line in self._marked(scope)
            for cited in _cited_by(mark)
        ]
        cites += [cited for scope in (*test.classes, *own) for cited in self._cited.get(scope, ())]
        return list(dict.fromkeys(cites))


def _said(module: Module, scope: Scope) -> str:
    """The docstring of a scope, on one line; empty without one."""
    is_file = scope is module.scopes.module
    found = module_docstring(module.source) if is_file else docstring(module.source, scope.body)
    return " ".join(found[0].split()) if found else ""


def _told(module: Module) -> dict[str, Json]:
    """The docstrings of the file (by an empty name) and of its classes, by their names within it."""
    prefix = f"{module.scopes.module.qualified}."
    return {
        scope.qualified.removeprefix(prefix) if scope.kind is Kind.CLASS else "": text
        for scope in module.scopes.all
        if scope.kind in (Kind.CLASS, Kind.MODULE) and (text := _said(module, scope))
    }


def _fixtures(module: Module) -> list[Json]:
    """The fixtures of a file: by which name tests ask for each, the digest of its body, and its line."""
    digests = Digests(module)
    return [
        [name, digests.of(scope, 0), module.source.line(scope.start)]
        for scope in module.scopes.all[1:]
        if scope.kind is Kind.FUNCTION and (name := fixture_name(scope))
    ]


def _tried(module: Module) -> list[Json]:
    """The lines of imports that may fail without harm: within `try`, or `with pytest.raises(ImportError)`."""
    lines = []
    for node in module.found.get("import", ()):
        around = node.parent
        while around is not None and around.type not in _TRYING:
            around = around.parent
        if around is not None:
            lines.append(module.source.line(node.start_byte))
    return sorted(lines)


def _cited_by(mark: str) -> list[str]:
    """The ids in a marker: every string of `mark.spec(…)`, id-shaped words elsewhere, a name like `mark.AC_3_2`."""
    if _SPEC_MARKER.search(mark):
        return [cited_id(double or single) for double, single in _LITERAL.findall(mark)]
    named = [
        f"{word}-{number}" + (f".{part}" if part else "") for word, number, part in _MARKER_NAME.findall(mark)
    ]
    return named + [cited for cited in ids(mark) if cited not in named]
