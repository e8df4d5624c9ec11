"""What contracts say of the operations that code serves: what changed along with them, and what they still promise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.facts import Fact, Kind, Tag, Verb
from healer.analysis import Analysis
from healer.judging.lacking import lacking
from healer.judging.statement import Side, Statement
from healer.judging.witnesses import Witnesses
from healer.movements import Cause, Movement

_PARAMETER = re.compile(r"\{[^{}]*\}")
_FAULT = re.compile(r"5\d\d")
_DEPTH = 3


def is_same_operation(one: object, other: object) -> bool:
    """Whether two operations are one, however the parameters in their paths are called."""
    return _PARAMETER.sub("{}", str(one)) == _PARAMETER.sub("{}", str(other))


def tells_served(movement: Movement, other: Movement, witnesses: Witnesses) -> bool:
    """Whether the change of what a contract says is that of the function which serves it.

    A route that changed tells a function that changed nothing but what stands around it, a field all that serves its
    schema. A status tells no body by this alone.
    """
    if movement.cause is not Cause.BODY_CHANGED:
        return False
    is_around = movement.before == movement.after
    served = [each.key for each in _operations(witnesses, Tag.CODE) if _serves(movement, each, witnesses)]
    if other.cause is Cause.ROUTE_CHANGED:
        return is_around and any(is_same_operation(each, other.after) for each in served)
    if other.cause is Cause.STATUS_CHANGED:
        return is_around and any(is_same_operation(each, other.subject) for each in served)
    if other.cause is Cause.FIELD_CHANGED and _is_renaming(other):
        users = _users(other.subject.rpartition(".")[0], witnesses)
        return any(is_same_operation(each, user) for each in served for user in users)
    return False


def is_served_by(movement: Movement, operation: str, witnesses: Witnesses) -> bool:
    """Whether a change is that of the function which serves an operation."""
    return any(
        _serves(movement, each, witnesses) and is_same_operation(each.key, operation)
        for each in _operations(witnesses, Tag.CODE)
    )


def is_same_field(one: str, other: str) -> bool:
    """Whether two fields, of a contract's schema and of a class of the code, are one by the names of both."""
    return one.split(".")[-2:] == other.split(".")[-2:]


def promised(movement: Movement, witnesses: Witnesses) -> Iterator[Statement]:
    """What contracts still promise of a route, a status or a field that the code gave up."""
    before, after = movement.before, movement.after
    if movement.cause in (Cause.ROUTE_CHANGED, Cause.REMOVED):
        for fact in _operations(witnesses, Tag.SPEC):
            if is_same_operation(fact.key, movement.subject):
                yield Statement(Side.TEST, fact.id, f"the contract promises {fact.key}", 0.95)
    elif movement.cause is Cause.STATUS_CHANGED and before is not None:
        answers = _answers(movement.subject, witnesses)
        if str(before) in answers and str(after) not in answers:
            fact = answers[str(before)]
            yield Statement(Side.TEST, fact.id, f"the contract promises {before} of {movement.subject}", 0.95)
    elif movement.cause is Cause.FIELD_CHANGED and _is_renaming(movement):
        fields = list(witnesses.store.facts(tag=Tag.SPEC, kinds={Kind.FIELD}))
        renamed = f"{movement.subject.rpartition('.')[0]}.{after}"
        if not any(is_same_field(each.key, renamed) for each in fields):
            for fact in fields:
                if is_same_field(fact.key, movement.subject):
                    yield Statement(Side.TEST, fact.id, f"the contract has the field {fact.key}", 0.95)


def answered(analysis: Analysis, witnesses: Witnesses) -> Iterator[Statement]:
    """Whether the contract promises what is expected: a status where the server failed instead, or a field that the
    test did not find in an answer."""
    yield from _lacked(analysis, witnesses)
    if not _FAULT.fullmatch(analysis.observed):
        return
    for operation in _requested(analysis, witnesses):
        answers = _answers(operation, witnesses)
        fact = answers.get(analysis.expected)
        if fact is not None and analysis.observed not in answers and "default" not in answers:
            words = f"the contract promises {analysis.expected} of {operation}, and nothing of {analysis.observed}"
            yield Statement(Side.TEST, fact.id, words, 0.9)


def _lacked(analysis: Analysis, witnesses: Witnesses) -> Iterator[Statement]:
    names = lacking(analysis)
    requested = _requested(analysis, witnesses) if names else []
    for fact in witnesses.store.facts(tag=Tag.SPEC, kinds={Kind.FIELD}) if requested else ():
        schema, _, field = fact.key.rpartition(".")
        if field in names and _users(schema, witnesses).intersection(requested):
            yield Statement(Side.TEST, fact.id, f"the contract has the field {fact.key}", 0.9)


def is_requested(movement: Movement, analysis: Analysis, witnesses: Witnesses) -> bool:
    """Whether a test requests the operation that a change is about; also where its requests are not known."""
    rows = _requests(analysis, witnesses)
    return not rows or any(_fits(request, movement.subject) for _, request in rows)


def is_of_operation(movement: Movement) -> bool:
    """Whether a change is about an operation, and not about a definition."""
    return " /" in movement.subject


def _requested(analysis: Analysis, witnesses: Witnesses) -> list[str]:
    """The operation that a test requested last before it failed."""
    rows = [row for row in _requests(analysis, witnesses) if row[0] <= analysis.line]
    if not rows:
        return []
    _, request = max(rows)
    return [each.key for each in _operations(witnesses, Tag.SPEC) if _fits(request, each.key)]


def _requests(analysis: Analysis, witnesses: Witnesses) -> list[tuple[int, str]]:
    """The requests that a test makes, as method and path, with their lines."""
    key = analysis.node.partition("[")[0]
    return [
        (int(line), f"{method} {path}")
        for fact in witnesses.store.by_key(key)
        if fact.kind is Kind.TEST
        for method, path, line in fact.aspects.get("requests") or ()
    ]


def _fits(request: str, operation: str) -> bool:
    pattern = "[^/ ]+".join(re.escape(part) for part in _PARAMETER.split(operation))
    return re.fullmatch(pattern, request.partition("?")[0]) is not None


def _operations(witnesses: Witnesses, tag: Tag) -> list[Fact]:
    return list(witnesses.store.facts(tag=tag, kinds={Kind.OPERATION}))


def _serves(movement: Movement, operation: Fact, witnesses: Witnesses) -> bool:
    handler = operation.aspects.get("handler")
    return handler is not None and handler in (movement.subject, witnesses.now(movement.subject))


def _answers(operation: str, witnesses: Witnesses) -> dict[str, Fact]:
    """What the contract promises as answers of an operation, by status."""
    return {
        fact.key.rpartition("#")[2]: fact
        for fact in witnesses.store.facts(tag=Tag.SPEC, kinds={Kind.RESPONSE})
        if is_same_operation(fact.key.rpartition("#")[0], operation)
    }


def _users(schema: str, witnesses: Witnesses) -> set[str]:
    """The operations of contracts that speak of a schema, also within others."""
    found: set[str] = set()
    level = {f"spec:schema:{schema}"}
    for _ in range(_DEPTH):
        facts = [fact for each in level for fact in witnesses.store.named(each)]
        firsts = {
            relation.first
            for fact in facts
            for relation in witnesses.store.relations_of(fact)
            if relation.verb is Verb.REFERENCES and relation.second == fact.id
        }
        found |= {each.split(":", 2)[2].rpartition("#")[0] for each in firsts if "#" in each}
        level = {each for each in firsts if each.startswith("spec:schema:")}
    return found


def _is_renaming(movement: Movement) -> bool:
    """Whether a field has another name, and not another schema."""
    return movement.before == movement.subject.rpartition(".")[2] and isinstance(movement.after, str)
