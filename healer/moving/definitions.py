"""What changed within one definition that is known then and now: a class, a function or an attribute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from graph.facts import Fact, Json, Kind, Tag
from graph.literals import NO_LITERAL, literal_value
from healer.movements import Cause, Movement
from healer.moving.annotated import spelled
from healer.moving.bodies import Bodies, rewritten, unprefixed
from healer.moving.grouping import Group
from healer.moving.parameters import Row, compared, defaults, own_names
from healer.moving.undoing import Undo, combinations

_PROPERTY = "property"
_CALLED = frozenset({"method", "function", "classmethod", "staticmethod"})


class Definition(msgspec.Struct, frozen=True):
    """One definition then and now; `undo` writes back what else moved, `more` are names that may have to go with it,
    `group` are parameters that one object has now."""

    before: Fact
    after: Fact
    undo: Undo
    more: Sequence[Mapping[str, str]] = ()
    group: Group | None = None

    @property
    def facts(self) -> tuple[str, ...]:
        """The ids of both facts."""
        return tuple(dict.fromkeys((self.before.id, self.after.id)))

    @property
    def undos(self) -> list[Undo]:
        """The ways of undoing that are worth a try."""
        own = own_names(self.before, self.after)
        return combinations(self.undo, [*([own] if own else []), *({**own, **each} for each in self.more)])

    def then(self, text: Json) -> Json:
        """An expression's text with the names of then."""
        return rewritten(text, self.undo.names) if isinstance(text, str) else text

    def is_same(self, then: Json, now: Json, *, is_type: bool = False) -> bool:
        """Whether two expressions' texts, or lists or dicts of them, are the same but for what is undone."""
        if isinstance(then, list) and isinstance(now, list):
            return len(then) == len(now) and all(map(self.is_same, then, now))
        if isinstance(then, dict) and isinstance(now, dict):
            return then.keys() == now.keys() and all(self.is_same(then[name], now[name]) for name in then)
        if not isinstance(then, str) or not isinstance(now, str):
            return bool(then == now)
        if not is_type and is_respelled(then, now):
            return True
        text = rewritten(now, self.undo.names, is_type=is_type)
        ways = (now, text, unprefixed(now, self.undo.prefixes), unprefixed(text, self.undo.prefixes))
        return then in ways or (is_type and spelled(then) in map(spelled, ways))


def is_whole(each: Definition, bodies: Bodies) -> bool:
    """Whether the body of a definition is the same but for what is undone."""
    if each.before.kind is Kind.ATTRIBUTE:
        return "value" in each.before.aspects and _has_same_value(each, bodies)
    return bodies.equal(each.before, each.after, each.undos)


def is_respelled(then: Json, now: Json) -> bool:
    """Whether two source texts spell one literal in different ways."""
    if not isinstance(then, str) or not isinstance(now, str) or then == now:
        return False
    value = literal_value(then)
    return value is not NO_LITERAL and repr(value) == repr(literal_value(now))


def _is_respelled(each: Definition) -> bool:
    return is_respelled(each.before.aspects.get("value"), each.after.aspects.get("value"))


def of_function(each: Definition, bodies: Bodies) -> Iterator[Movement]:
    """What changed of a function: parameters, shape, exceptions, result, body."""
    side, whole = str(each.before.tag), is_whole(each, bodies)
    key, owner, facts = each.before.key, each.after.key, each.facts
    for movement in _parameters(each):
        yield msgspec.structs.replace(movement, side=side, whole=whole, facts=facts, owner=owner)
    for cause in _shapes(each):
        yield Movement(cause=cause, side=side, subject=key, before=key, after=owner, facts=facts, whole=whole)
    yield from _exceptions(each, bodies)
    then, now = each.before.aspects, each.after.aspects
    result = then.get("returns"), now.get("returns")
    if None not in result and not each.is_same(*result, is_type=True):
        yield Movement(
            cause=Cause.RETURN_CHANGED,
            side=side,
            subject=key,
            before=result[0],
            after=now["returns"],
            facts=facts,
            whole=whole,
        )
    decorated = each.is_same(then.get("decorators", []), now.get("decorators", []))
    # A body of which nobody knows whether it is the same counts as another one.
    is_other = not whole or (not decorated and not any(_shapes(each)))
    if (
        each.before.tag is Tag.CODE
        and is_other
        and not any(movement.whole for movement in _exceptions(each, bodies))
    ):
        yield changed_body(each)


def of_class(each: Definition, bodies: Bodies, *, is_explained: bool) -> Iterator[Movement]:
    """What changed of a class or module itself; `is_explained` says that a change of an attribute of it is told."""
    if each.before.tag is Tag.CODE and not has_same_head(each):
        yield changed_body(each)
        return
    if each.before.tag is Tag.CODE and not is_explained and not is_whole(each, bodies):
        yield changed_body(each)


def _has_same_value(each: Definition, bodies: Bodies) -> bool:
    """Whether an attribute has the same value but for what is undone; of long ones facts have but the beginning."""
    then, now = each.before.aspects, each.after.aspects
    if "body" in then and "body" in now:
        return bodies.equal(each.before, each.after, each.undos)
    is_alike = then.get("body") == now.get("body") or _is_respelled(each)
    return is_alike and each.is_same(then.get("value"), now.get("value"))


def has_same_head(each: Definition) -> bool:
    """Whether a class has the same bases, keywords and decorators."""
    then, now = each.before.aspects, each.after.aspects
    return all(each.is_same(then.get(name), now.get(name)) for name in ("bases", "keywords", "decorators"))


def of_attribute(each: Definition, bodies: Bodies) -> Iterator[Movement]:
    """What changed of an attribute: its value, or its declared type."""
    then, now = each.before.aspects, each.after.aspects
    side, key = str(each.before.tag), each.before.key
    # Whether instances get one value or several is told by the bodies of the methods that give them.
    is_of_methods = bool(then.get("instance") and now.get("instance")) and ("value" in then) != (
        "value" in now
    )
    if not is_of_methods and not _has_same_value(each, bodies):
        yield Movement(
            cause=Cause.CONSTANT_CHANGED,
            side=side,
            subject=key,
            before=then.get("value"),
            after=now.get("value"),
            facts=each.facts,
        )
    if not each.is_same(then.get("annotation"), now.get("annotation"), is_type=True):
        yield Movement(
            cause=Cause.FIELD_CHANGED,
            side=side,
            subject=key,
            before=then.get("annotation"),
            after=now.get("annotation"),
            facts=each.facts,
        )


def changed_body(each: Definition) -> Movement:
    """That what a definition does changed in a way that is not told otherwise."""
    return Movement(
        cause=Cause.BODY_CHANGED,
        side=str(each.before.tag),
        subject=each.before.key,
        before=each.before.aspects.get("body"),
        after=each.after.aspects.get("body"),
        owner=each.after.key,
        facts=each.facts,
    )


def _shapes(each: Definition) -> Iterator[Cause]:
    then, now = each.before.aspects, each.after.aspects
    if then.get("kind") in _CALLED and now.get("kind") == _PROPERTY:
        yield Cause.BECAME_PROPERTY
    if then.get("kind") == _PROPERTY and now.get("kind") in _CALLED:
        yield Cause.BECAME_METHOD
    if bool(then.get("async")) != bool(now.get("async")):
        yield Cause.BECAME_ASYNC if now.get("async") else Cause.BECAME_SYNC


def _parameters(each: Definition) -> Iterator[Movement]:
    found = compared(each.before, each.after)
    key = each.before.key
    rows = {"before": _listed(found.then), "after": _listed(found.now)}

    def told(cause: Cause, name: str, before: Json, after: Json) -> Movement:
        subject = f"{key}#{name}" if name else key
        return Movement(cause=cause, side="", subject=subject, before=before, after=after, parameters=rows)

    for old, new in found.renamed.items():
        yield told(Cause.PARAMETER_RENAMED, old, old, new)
    names_then = {new: old for old, new in found.renamed.items()}
    if found.order:
        yield told(
            Cause.PARAMETERS_REORDERED, "", [row.name for row in found.then], [row.name for row in found.now]
        )
    for name in found.keyword_only:
        yield told(Cause.PARAMETER_KEYWORD_ONLY, names_then.get(name, name), names_then.get(name, name), name)
    group = each.group
    if group is not None:
        yield told(Cause.PARAMETERS_GROUPED, "", list(group.names), [group.parameter, group.type])
    for name in found.removed if group is None else ():
        yield told(Cause.PARAMETER_REMOVED, name, name, None)
    for name in found.added:
        if group is None or name != group.parameter:
            yield told(Cause.PARAMETER_ADDED, name, None, name)
    for name, then, now in defaults(found):
        if not each.is_same(then, now):
            yield told(Cause.DEFAULT_CHANGED, names_then.get(name, name), then, now)


def _listed(rows: Sequence[Row]) -> list[Json]:
    return [[row.name, row.kind, row.default] for row in rows]


def _exceptions(each: Definition, bodies: Bodies) -> Iterator[Movement]:
    """The exception that a function raises instead of another one."""
    then = list(dict.fromkeys(str(row[0]) for row in each.before.aspects.get("raises", ())))
    now = list(dict.fromkeys(str(each.then(row[0])) for row in each.after.aspects.get("raises", ())))
    gone, come = [name for name in then if name not in now], [name for name in now if name not in then]
    if len(gone) == len(come) == 1:
        names = {come[0].rpartition(".")[2]: gone[0].rpartition(".")[2]}
        undos = [msgspec.structs.replace(undo, names={**undo.names, **names}) for undo in each.undos]
        yield Movement(
            cause=Cause.EXCEPTION_CHANGED,
            side=str(each.before.tag),
            subject=each.before.key,
            before=gone[0],
            after=come[0],
            owner=each.after.key,
            facts=each.facts,
            whole=bodies.equal(each.before, each.after, undos),
        )
