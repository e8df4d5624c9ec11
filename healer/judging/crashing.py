"""Crashes that no test can be to blame for: a name that nothing binds, an operation that values of these types lack."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graph.facts import Fact
from healer.analysis import Analysis
from healer.judging.statement import Side, Statement
from healer.judging.witnesses import Witnesses, plain
from healer.movements import Cause, Movement
from healer.reading.suite import is_of_tests

_UNBOUND = re.compile(
    r"name '(?P<name>\w+)' is not defined|cannot access (?:local|free) variable '(?P<local>\w+)'"
    r"|local variable '(?P<before>\w+)' referenced before assignment"
)
_OPERATION = re.compile(
    r"unsupported operand type\(s\) for|'[^']+' not supported between instances of|bad operand type for"
    r"|can only concatenate|can't concat"
)
_TYPE = re.compile(r"'(\w+)'|\b(?:concatenate|concat) (\w+)")
_BUILTIN = frozenset({"int", "str", "float", "bool", "bytes", "list", "dict", "set", "tuple"})
"""None may be what a test gives against an annotation."""


def crashed(analysis: Analysis, changed: Iterable[Movement], witnesses: Witnesses) -> Statement | None:
    """What the code says against its crash: None where the code did not fail by itself in what changed.

    A name that a function uses and nothing binds is wrong whatever is given. An operation that builtin types lack is
    where all that the function takes and gives is annotated, as it was before: then it is called as it says.
    """
    root = analysis.root
    if root is None or root.owner != "project" or is_of_tests(root.path):
        return None
    fact = witnesses.around(root.path, root.line)
    if fact is None:
        return None
    name = plain(fact.key)
    moved = [each for each in changed if witnesses.now(plain(each.subject.partition("#")[0])) == name]
    message = analysis.message.partition("\n")[0]
    if analysis.exception in ("NameError", "UnboundLocalError") and (found := _UNBOUND.search(message)):
        unbound = next(each for each in found.groups() if each)
        return Statement(Side.TEST, fact.id, f"`{name}` uses `{unbound}`, which nothing binds there", 0.93)
    is_same = bool(moved) and all(each.cause is Cause.BODY_CHANGED for each in moved)
    if analysis.exception == "TypeError" and _OPERATION.search(message) and is_same and _is_annotated(fact):
        types = {one or other for one, other in _TYPE.findall(message)} - {""}
        if types and all(each in _BUILTIN for each in types if len(each) > 1):
            words = "its own annotations say what it takes and gives, and its own operation fails"
            return Statement(Side.TEST, fact.id, words, 0.88)
    return None


def _is_annotated(fact: Fact) -> bool:
    """Whether a function is annotated in full, its object aside."""
    rows = fact.aspects.get("parameters") or ()
    own = rows[1:] if fact.aspects.get("kind") in ("method", "classmethod", "property") else rows
    return bool(fact.aspects.get("returns")) and all(row[2] for row in own)
