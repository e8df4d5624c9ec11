"""What specs state about the thing that a red test asserts, and which side they take."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from graph.facts import Fact
from healer.analysis import Analysis, Category
from healer.judging.raising import exceptions
from healer.judging.returning import types
from healer.judging.served import answered, promised
from healer.judging.statement import Side, Statement
from healer.judging.uses import Uses
from healer.judging.witnesses import Witnesses, doc, plain, raised, rows, words
from healer.movements import Cause, Movement
from healer.reading.same import same_value

_LITERAL = re.compile(r"`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d+(?:\.\d+)*|\b(?:None|True|False)\b")

_WHERE = re.compile(r"^ *\+ +(?:where|and) +(?P<value>.+?) = (?P<call>[\w.]+\(.*\))$", re.MULTILINE)


def statements(
    analysis: Analysis, uses: Uses, witnesses: Witnesses, subjects: Sequence[str]
) -> Iterator[Statement]:
    """What the specs of the things that a failed statement is about say to the values in it.

    `subjects` are canonical names, as they were: what the statement calls first, then what changed behind it.
    """
    facts: dict[str, Fact] = {}
    for name in subjects:
        facts.update((fact.id, fact) for fact in (*witnesses.about(name), *witnesses.inherited(name)))
    yield from answered(analysis, witnesses)
    for fact in facts.values():
        yield from _examples(analysis, uses, fact, witnesses)
        yield from exceptions(analysis, fact, witnesses)
        yield from types(analysis, fact)
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
        yield from ((movement, each) for each in promised(movement, witnesses))
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


def _examples(analysis: Analysis, uses: Uses, fact: Fact, witnesses: Witnesses) -> Iterator[Statement]:
    """Examples of the very call that the test makes."""
    calls = {_call(each) for _, each in uses.calls}
    if plain(fact.key).rpartition(".")[0] not in witnesses.classes:
        calls |= set(_made(analysis))
    wanted = analysis.wanted or analysis.expected
    for source, result, *_ in doc(fact).get("examples") or ():
        call = _call_in(str(source))
        if not call or call not in calls:
            continue
        if wanted and same_value(result, wanted):
            yield Statement(Side.TEST, fact.id, f"its example `{source}` gives {result}", 0.97)
        elif analysis.observed and same_value(result, analysis.observed):
            yield Statement(Side.CODE, fact.id, f"its example `{source}` gives {result}", 0.97)


def _nothing(analysis: Analysis, fact: Fact) -> Iterator[Statement]:
    """Whether nothing came where the words tell of something."""
    told = str(doc(fact).get("returns") or "")
    if analysis.observed == "None" and analysis.expected not in ("", "None") and told and "None" not in told:
        yield Statement(Side.TEST, fact.id, f"it returns {told}, and None came", 0.85)


def _values(analysis: Analysis, fact: Fact) -> Iterator[Statement]:
    """Whether the prose about a thing names the value that the test expects, and not the one that came."""
    expected = analysis.wanted or analysis.expected
    if analysis.category is not Category.ASSERTION_FAILURE or not expected or not analysis.observed:
        return
    told = [each.strip("`") for each in _LITERAL.findall(words(fact))]
    wanted = any(same_value(each, expected) for each in told)
    came = any(same_value(each, analysis.observed) for each in told)
    if wanted and not came:
        yield Statement(Side.TEST, fact.id, f"what is said of it names {expected}", 0.75)


def _made(analysis: Analysis) -> Iterator[str]:
    """The calls of functions that gave what was compared, with their arguments as the report shows them."""
    for found in _WHERE.finditer(analysis.message):
        name = found["call"].partition("(")[0]
        is_method = re.search(rf"(?:where|and) +{re.escape(name)} = ", analysis.message)
        if not is_method and same_value(found["value"], analysis.observed):
            yield _call_in(found["call"])


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
