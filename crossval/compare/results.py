"""Compares the return type that a stub promises with what the body of the code's function shows of its result."""

from __future__ import annotations

from crossval.compare.annotations import UNKNOWN, Annotation, Scope, normalise
from crossval.compare.decorators import changes_return, decorator_names
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.compare.inclusion import can_hold
from crossval.compare.typenames import standard_class
from crossval.compare.verdicts import NARROWING, Verdict
from crossval.pairs import Difference
from graph.facts import Fact

_ITERATES = frozenset(
    {"collections.abc.Generator", "collections.abc.Iterator", "collections.abc.Iterable", "object"}
    | {"collections.abc.AsyncGenerator", "collections.abc.AsyncIterator", "collections.abc.AsyncIterable"}
)
_UNLIMITED = frozenset({"str", "int", "float", "bytes"})
_ABSTRACT = frozenset({"abc.abstractmethod", "typing.overload"})


def compare_returned(spec: Fact, code: Fact, spec_scope: Scope, code_scope: Scope) -> Comparison:
    """The values that the body returns although the stub's return type surely does not admit them.

    Bodies of abstract methods count as little as return types that are no standard types or classes of the project.
    """
    text = spec.aspects.get("returns")
    promised = spec_scope.annotation(text) if isinstance(text, str) else UNKNOWN
    if promised == UNKNOWN or changes_return(spec, spec_scope) or changes_return(code, code_scope):
        return Comparison()
    if not _ABSTRACT.isdisjoint(decorator_names(code, code_scope)):
        return Comparison()
    if code.aspects.get("generator"):
        return _against_generator(spec, code, promised)
    if bool(spec.aspects.get("async")) != bool(code.aspects.get("async")):
        return Comparison()
    returned: list[tuple[str, int]] = [(text, line) for text, line in code.aspects.get("returned", [])]
    end = _end(spec, code, spec_scope, code_scope)
    if end:
        returned.append(("None", end))
    values = [text for text, _ in returned if text != "None"]
    for shown, line in returned:
        # A function without any other value may be a hook, which subclasses fill.
        if shown == "None" and not values and not end:
            continue
        if can_hold(_given(promised), shown_type(shown, code_scope)) is Verdict.DIFFER:
            change = "ends" if (shown, line) == ("None", end) else "returned"
            return Comparison((_discrepancy(change, str(spec.aspects["returns"]), shown, line),))
    return Comparison()


def shown_type(text: str, scope: Scope) -> Annotation:
    """The type of a value that a body shows; what is written for a literal is the reader's, whatever the module calls
    `Literal`."""
    return normalise(text, {}) if text.startswith("Literal[") else scope.annotation(text)


def _given(promised: Annotation) -> Annotation:
    """What a function that is annotated so gives: one that narrows a type gives a truth value."""
    return Annotation("bool") if promised.name in NARROWING else promised


def _end(spec: Fact, code: Fact, spec_scope: Scope, code_scope: Scope) -> int:
    """The line of the body's end where running can reach it, else 0.

    Conditions that compare one parameter cover all its values only if these are few: no texts, no numbers.
    """
    if "ends" in code.aspects:
        return int(code.aspects["ends"])
    name, line = code.aspects.get("ends_unless", ("", 0))
    for fact, scope in ((spec, spec_scope), (code, code_scope)):
        for row in fact.aspects.get("parameters", []) if name else ():
            if row[0] == name and row[2]:
                alternatives = scope.annotation(row[2]).alternatives
                return int(line) if any(each.name in _UNLIMITED for each in alternatives) else 0
    return 0


def _against_generator(spec: Fact, code: Fact, promised: Annotation) -> Comparison:
    """A function that yields returns an iterator, whatever else it does."""
    possible = any(
        not member.certain or member.name in _ITERATES or standard_class(member.name) is None
        for member in promised.alternatives
    )
    if possible or spec.aspects.get("async"):
        return Comparison()
    shown = "an async generator" if code.aspects.get("async") else "a generator"
    return Comparison((_discrepancy("returned", str(spec.aspects["returns"]), shown, 0),))


def _discrepancy(change: str, promised: str, shown: str, line: int) -> Discrepancy:
    return Discrepancy("", Difference(change=change, spec=promised, code=shown, code_line=line))
