"""What specs state about the thing that a red test asserts, and which side they take."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

import msgspec

from graph.facts import Fact, Kind
from healer.analysis import Analysis, Category
from healer.judging.uses import Uses
from healer.judging.witnesses import Witnesses, doc, plain, raised, rows, same_value, words
from healer.movements import Cause, Movement

_LITERAL = re.compile(r"`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d+(?:\.\d+)*|\b(?:None|True|False)\b")
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
_OTHERS = frozenset({Category.ASSERTION_FAILURE, Category.FIXTURE_ERROR, Category.IMPORT_ERROR})
_PLAIN = frozenset({"int", "str", "float", "bool", "bytes", "list", "dict", "set", "tuple", "None"})


class Side(StrEnum):
    """Whom a spec fact agrees with."""

    TEST = "test"
    CODE = "code"


class Statement(msgspec.Struct, frozen=True):
    """What one spec fact says about what a test asserts: whom it agrees with, and how that reads."""

    side: Side
    fact: str
    words: str
    weight: float = 0.9


def statements(
    analysis: Analysis, uses: Uses, witnesses: Witnesses, subjects: Sequence[str]
) -> Iterator[Statement]:
    """What the specs of the things that a failed statement is about say to the values in it.

    `subjects` are canonical names, as they were: what the statement calls first, then what changed behind it.
    """
    facts: dict[str, Fact] = {}
    for name in subjects:
        facts.update((fact.id, fact) for fact in witnesses.about(name))
    for fact in facts.values():
        yield from _examples(analysis, uses, fact)
        yield from _exceptions(analysis, fact)
        yield from _types(analysis, fact)
        yield from _nothing(analysis, fact)
        yield from _values(analysis, fact)


def kept_values(movements: Iterable[Movement], witnesses: Witnesses) -> Iterator[tuple[Movement, Statement]]:
    """The changes of values and forms of the code for which a spec still states what was before."""
    for movement in movements:
        name = plain(movement.subject.partition("#")[0])
        for fact in witnesses.about(name):
            told = states(fact, movement)
            if told:
                yield movement, Statement(Side.TEST, fact.id, told)
        if movement.cause in (Cause.CONSTANT_CHANGED, Cause.EXCEPTION_CHANGED):
            for fact in witnesses.mentions(name):
                if _claims(fact, movement):
                    yield movement, Statement(Side.TEST, fact.id, f"{fact.key} says {movement.before}", 0.85)


def states(fact: Fact, movement: Movement) -> str:
    """How a spec states what was before a change; empty where it does not."""
    then, now = movement.before, movement.after
    if movement.cause is Cause.DEFAULT_CHANGED:
        return _default(fact, movement)
    if movement.cause is Cause.CONSTANT_CHANGED:
        value = fact.aspects.get("value")
        if fact.tag == "spec" and value not in (None, "...") and same_value(value, then):
            return f"{fact.key} is {value} by its stub"
        return f"its docstring says {then}" if _claims(fact, movement) else ""
    if movement.cause is Cause.EXCEPTION_CHANGED:
        told = raised(fact)
        names = str(then).rpartition(".")[2], str(now).rpartition(".")[2]
        return f"it is to raise {names[0]}" if names[0] in told and names[1] not in told else ""
    if movement.cause is Cause.RETURN_CHANGED and fact.tag == "spec":
        return f"it returns {then}" if fact.aspects.get("returns") == then else ""
    if movement.cause is Cause.FIELD_CHANGED and fact.tag == "spec":
        return f"it is {then}" if fact.aspects.get("annotation") == then else ""
    return ""


def _default(fact: Fact, movement: Movement) -> str:
    names = {movement.subject.partition("#")[2]}
    if fact.tag == "spec":
        for name, _, default in rows(fact):
            if name in names and default not in (None, "...") and same_value(default, movement.before):
                return f"`{name}` is {default} by default"
    for claim in fact.aspects.get("claims") or ():
        is_own = claim.get("kind") == "default" and str(claim.get("subject")) in names
        if is_own and same_value(claim.get("value"), movement.before):
            return str(claim.get("words") or f"the default is {movement.before}")
    return ""


def _claims(fact: Fact, movement: Movement) -> bool:
    values = [claim.get("value") for claim in fact.aspects.get("claims") or ()]
    flat = [part for value in values for part in (value if isinstance(value, list) else [value])]
    before = [each for each in flat if each is not None and same_value(each, movement.before)]
    after = [each for each in flat if each is not None and same_value(each, movement.after)]
    return bool(before) and not after


def _examples(analysis: Analysis, uses: Uses, fact: Fact) -> Iterator[Statement]:
    """Examples of the very call that the test makes."""
    calls = {_call(each) for _, each in uses.calls}
    for source, result, *_ in doc(fact).get("examples") or ():
        call = _call_in(str(source))
        if not call or call not in calls:
            continue
        if analysis.expected and same_value(result, analysis.expected):
            yield Statement(Side.TEST, fact.id, f"its example `{source}` gives {result}", 0.97)
        elif analysis.observed and same_value(result, analysis.observed):
            yield Statement(Side.CODE, fact.id, f"its example `{source}` gives {result}", 0.97)


def _exceptions(analysis: Analysis, fact: Fact) -> Iterator[Statement]:
    told = raised(fact)
    expected, observed = _exception(analysis.expected), _exception(analysis.exception)
    missing = "DID NOT RAISE" in analysis.message or "not raised" in analysis.message
    if expected and expected in told and (missing or observed != expected):
        yield Statement(Side.TEST, fact.id, f"it is to raise {expected}: {told[expected]}", 0.95)
    elif expected and observed in told and not missing:
        yield Statement(Side.CODE, fact.id, f"it is to raise {observed}, not {expected}", 0.9)
    elif observed and analysis.category not in _OTHERS and observed not in told:
        yield from _crashes(analysis, fact, observed, is_expected=bool(expected))


def _crashes(analysis: Analysis, fact: Fact, observed: str, *, is_expected: bool) -> Iterator[Statement]:
    """Whether the code failed within where its spec says that it gives something, or how it is called."""
    if analysis.root is None or analysis.root.owner != "project":
        return
    gives = (fact.aspects.get("returns") if fact.tag == "spec" else "") or doc(fact).get("returns")
    if gives and observed in (_FAULTS if is_expected else _CRASHES):
        words = f"it is to return {gives}, and nothing says that it raises {observed}"
        yield Statement(Side.TEST, fact.id, words, 0.75)
    elif observed in _FAULTS and fact.tag == "spec" and fact.kind is Kind.FUNCTION:
        words = f"its stub says how it is called, and nothing that it raises {observed}"
        yield Statement(Side.TEST, fact.id, words, 0.7)


def _types(analysis: Analysis, fact: Fact) -> Iterator[Statement]:
    """Whether a value that came can be what the spec says is returned."""
    returns = str(fact.aspects.get("returns") or "").strip("\"'")
    if fact.tag != "spec" or not returns or analysis.category is not Category.ASSERTION_FAILURE:
        return
    came, wanted = _type(analysis.observed), _type(analysis.expected)
    if came and came != wanted and not _may_be(came, returns):
        yield Statement(Side.TEST, fact.id, f"it returns {returns} by its stub", 0.95)
    elif wanted and came and wanted != came and not _may_be(wanted, returns):
        yield Statement(Side.CODE, fact.id, f"it returns {returns} by its stub", 0.85)


def returned(changed: Iterable[Movement], witnesses: Witnesses) -> Iterator[tuple[Movement, Statement]]:
    """The functions that changed and give a type now, by what stands in their `return`, that their stub excludes."""
    for movement in changed:
        name = plain(movement.subject.partition("#")[0])
        code = witnesses.code(witnesses.now(name))
        shown = [str(row[0]) for row in (code.aspects.get("returned") or ())] if code is not None else []
        for fact in witnesses.about(name):
            returns = str(fact.aspects.get("returns") or "").strip("\"'")
            if fact.tag == "spec" and returns and "None" in shown and not _may_be("None", returns):
                words = f"its stub says that it returns {returns}, and it returns None"
                yield movement, Statement(Side.TEST, fact.id, words, 0.93)


def _may_be(came: str, returns: str) -> bool:
    """Whether a value of a builtin type can be what an annotation says; only what is plain is known not to be."""
    if came == "None":
        parts = [part.strip() for part in returns.split("|")]
        return not all(part.partition("[")[0] in _PLAIN and part != "None" for part in parts)
    if returns not in _PLAIN:
        return True
    return returns == came or (came, returns) in (("int", "float"), ("bool", "int"), ("bool", "float"))


def _nothing(analysis: Analysis, fact: Fact) -> Iterator[Statement]:
    """Whether nothing came where the words tell of something."""
    told = str(doc(fact).get("returns") or "")
    if analysis.observed == "None" and analysis.expected not in ("", "None") and told and "None" not in told:
        yield Statement(Side.TEST, fact.id, f"it returns {told}, and None came", 0.85)


def _values(analysis: Analysis, fact: Fact) -> Iterator[Statement]:
    """Whether the prose about a thing names the value that the test expects, and not the one that came."""
    if analysis.category is not Category.ASSERTION_FAILURE or not analysis.expected or not analysis.observed:
        return
    told = [each.strip("`") for each in _LITERAL.findall(words(fact))]
    wanted = any(same_value(each, analysis.expected) for each in told)
    came = any(same_value(each, analysis.observed) for each in told)
    if wanted and not came:
        yield Statement(Side.TEST, fact.id, f"what is said of it names {analysis.expected}", 0.75)


def _call(node: ast.Call) -> str:
    """A call as text, by the last name of its function."""
    copy = ast.parse(ast.unparse(node), mode="eval").body
    if isinstance(copy, ast.Call) and isinstance(copy.func, ast.Attribute):
        copy.func = ast.Name(copy.func.attr, ast.Load())
    return ast.unparse(copy)


def _call_in(source: str) -> str:
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    return _call(tree) if isinstance(tree, ast.Call) else ""


def _exception(text: str) -> str:
    """The last name of an exception that is written alone."""
    name = text.rpartition(".")[2]
    return name if name.isidentifier() else ""


def _type(text: str) -> str:
    """The type of a value that is written out; empty where it is none."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ""
    return "None" if value is None else type(value).__name__
