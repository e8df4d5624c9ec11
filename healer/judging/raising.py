"""What specs state about the exceptions that a red test expects, or that came."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator

from graph.facts import Fact, Kind
from healer.analysis import Analysis, Category
from healer.judging.statement import Side, Statement
from healer.judging.witnesses import Witnesses, doc, plain, raised
from healer.movements import Cause, Movement

_FAULTS = frozenset({"TypeError", "AttributeError", "NameError", "UnboundLocalError", "RecursionError"})
"""What no function raises on purpose when it is called as its spec says."""
_CRASHES = _FAULTS | {
    "IndexError",
    "KeyError",
    "ZeroDivisionError",
    "AssertionError",
    "StopIteration",
    "UnicodeDecodeError",
    "OverflowError",
    "ValueError",
}
_SIGNALS = re.compile(
    r"\b(?:raised|thrown)\s+(?:if|when|whenever|where|for|by|on|because|to)\b", re.IGNORECASE
)
_OTHERS = frozenset({Category.ASSERTION_FAILURE, Category.FIXTURE_ERROR, Category.IMPORT_ERROR})


def exceptions(analysis: Analysis, fact: Fact, witnesses: Witnesses) -> Iterator[Statement]:
    """What a spec says about the exception that is expected, or that came."""
    told = raised(fact)
    expected, observed = _exception(analysis.expected), _exception(analysis.exception)
    missing = "DID NOT RAISE" in analysis.message or "not raised" in analysis.message
    if expected and expected in told and (missing or observed != expected):
        yield Statement(Side.TEST, fact.id, f"it is to raise {expected}: {told[expected]}", 0.95)
    elif expected and observed in told and not missing:
        yield Statement(Side.CODE, fact.id, f"it is to raise {observed}, not {expected}", 0.9)
    elif observed and analysis.category not in _OTHERS and not _kinds(observed).intersection(told):
        yield from _crashes(analysis, fact, witnesses, observed, is_expected=bool(expected))


def unraised(
    analysis: Analysis, movements: Iterable[Movement], witnesses: Witnesses
) -> Iterator[tuple[Movement, Statement]]:
    """The expected exceptions of which their own class says when they are raised, and which nothing raises any more."""
    expected = _exception(analysis.expected)
    for movement in movements:
        before = str(movement.before).rpartition(".")[2]
        if movement.cause is not Cause.EXCEPTION_CHANGED or movement.side != "code" or before != expected:
            continue
        module = witnesses.world.module_of(movement.owner or plain(movement.subject))
        fact = witnesses.code(witnesses.world.resolve(f"{module}.{movement.before}")) if module else None
        told = _SIGNALS.search(str(doc(fact).get("summary") or "")) if fact is not None else None
        if fact is not None and fact.kind is Kind.CLASS and told and before not in witnesses.raised_anywhere:
            words = f"{fact.key} says when it is raised, and nothing raises it any more"
            yield movement, Statement(Side.TEST, fact.id, words, 0.9)


def _kinds(name: str) -> set[str]:
    """An exception's name, and those of the builtin ones that it is a kind of."""
    builtin = getattr(builtins, name, None)
    is_one = isinstance(builtin, type) and issubclass(builtin, Exception)
    return {name, *(each.__name__ for each in (builtin.__mro__ if is_one and builtin is not None else ()))}


def _crashes(
    analysis: Analysis, fact: Fact, witnesses: Witnesses, observed: str, *, is_expected: bool
) -> Iterator[Statement]:
    """Whether the code failed within where its spec says that it gives something, or how it is called."""
    if analysis.root is None or analysis.root.owner != "project":
        return
    gives = (fact.aspects.get("returns") if fact.tag == "spec" else "") or doc(fact).get("returns")
    if gives and observed in (_FAULTS if is_expected else _CRASHES):
        words = f"it is to return {gives}, and nothing says that it raises {observed}"
        yield Statement(Side.TEST, fact.id, words, 0.75)
    elif observed in _FAULTS and _says_how(fact):
        words = f"it says how it is called, and nothing that it raises {observed}"
        yield Statement(Side.TEST, fact.id, words, 0.7)
    elif observed in _CRASHES and not is_expected and _says_how(fact) and _is_by_chance(analysis, witnesses):
        words = f"it says how it is called, and nothing that {observed} comes of it"
        yield Statement(Side.TEST, fact.id, words, 0.7)


def _says_how(fact: Fact) -> bool:
    """Whether a spec tells how a function is called: a stub does, and a docstring that describes parameters."""
    return fact.kind is Kind.FUNCTION and (fact.tag == "spec" or bool(doc(fact).get("params")))


def _is_by_chance(analysis: Analysis, witnesses: Witnesses) -> bool:
    """Whether what came was raised by no `raise` of the function that the code failed in, but by what that did."""
    root = analysis.root
    if root is None:
        return False
    around = [
        fact
        for fact in witnesses.in_file(root.path)
        if fact.source.line <= root.line <= (fact.source.end_line or fact.source.line)
    ]
    rows = [int(row[1]) for fact in around for row in fact.aspects.get("raises") or ()]
    return bool(around) and root.line not in rows


def _exception(text: str) -> str:
    """The last name of an exception that is written alone."""
    name = text.rpartition(".")[2]
    return name if name.isidentifier() else ""
