"""Finds the movement that explains a failure of form: its very symbol, argument or fixture, and not merely any."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from healer.analysing.categories import called, holder_of
from healer.analysis import Analysis, Category
from healer.judging.uses import Uses
from healer.judging.witnesses import Witnesses
from healer.movements import GONE, NAMES, Cause, Movement

_UNEXPECTED = re.compile(r"unexpected keyword argument|multiple values")
_MISSING = re.compile(r"missing (?:\d+|a) required")
_TOO_MANY = re.compile(r"takes .*given|too many positional")
_NOT_CALLABLE = re.compile(r"'?[\w.]+'? object is not callable")
_MODULE_CALLED = "'module' object is not callable"
_NOT_AWAITABLE = re.compile(
    r"object .* can't be used in 'await' expression|.*was expected, got|.*required, not"
)
_COROUTINE = re.compile(r"coroutine")
_METHOD = re.compile(r"bound method|'method'|<function |'function'")

_HANDING_ON = ("__getattr__", "__getattribute__")

_Way = Callable[[Analysis, Movement, Uses, Witnesses], bool]


def explanations(
    analysis: Analysis, movements: Sequence[Movement], uses: Uses, witnesses: Witnesses
) -> Iterator[Movement]:
    """The movements of code, or of fixtures, that by themselves make this failure."""
    way = _WAYS.get(analysis.category)
    for movement in movements:
        if movement.side == "spec":
            continue
        is_own = way is not None and way(analysis, movement, uses, witnesses)
        if is_own or _is_unlike_shape(analysis, movement, uses):
            yield movement


def _imported(analysis: Analysis, movement: Movement, uses: Uses, witnesses: Witnesses) -> bool:
    holder = holder_of(analysis.message)
    name = f"{holder}.{analysis.symbol}" if holder else analysis.symbol
    if movement.side == "test" and movement.cause in NAMES:
        return f".{movement.subject}".endswith(f".{name}")
    if movement.cause not in GONE or movement.side != "code":
        return False
    if _stood_for(name, movement.subject, witnesses):
        return True
    meant = {it for each, it in uses.imported if each == name}
    if movement.cause is Cause.REMOVED:
        return any(_is_within(each, movement.subject) for each in meant)
    return movement.subject in meant and _is_handed_on(holder, movement, witnesses)


def _is_within(name: str, subject: str) -> bool:
    return name == subject or name.startswith(f"{subject}.")


def _is_handed_on(holder: str, movement: Movement, witnesses: Witnesses) -> bool:
    """Whether a package that handed on what moved does so still, under its name of now."""
    after = movement.after if movement.cause in NAMES and isinstance(movement.after, str) else ""
    own = after.rpartition(".")[2]
    return bool(after) and witnesses.world.resolve(f"{witnesses.now(holder)}.{own}") == after


def _lacked(analysis: Analysis, movement: Movement, uses: Uses, witnesses: Witnesses) -> bool:
    """Whether what moved is the attribute that a module or an object of a class lacks."""
    if movement.cause not in GONE or movement.side != "code":
        return False
    place, _, last = movement.subject.rpartition(".")
    if last != analysis.symbol:
        return False
    holder = holder_of(analysis.message)
    if not holder or movement.subject in uses.line:
        return movement.subject in uses.line
    if _stood_for(f"{holder}.{analysis.symbol}", movement.subject, witnesses):
        return True
    name = holder.rpartition(".")[2]
    if any(name == each.rpartition(".")[2] for each in _family(place, witnesses)):
        return True
    # An object that hands on what it lacks to another one: the words name that one.
    known = [each for each in uses.line if each.rpartition(".")[2] == last]
    return not known and last in uses.attributes and not witnesses.has_member(last)


def _family(name: str, witnesses: Witnesses) -> Iterator[str]:
    """A class then and now, and the classes of the code that derive from it."""
    seen: set[str] = set()
    waiting = [name, witnesses.now(name)]
    while waiting and len(seen) < 50:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        yield current
        fact = witnesses.code(current)
        for relation in witnesses.store.relations_of(fact) if fact is not None else ():
            if relation.verb == "inherits" and fact is not None and relation.first != fact.id:
                waiting.append(relation.first.split(":", 2)[2])


def _stood_for(name: str, subject: str, witnesses: Witnesses) -> bool:
    """Whether a dotted name, as a test writes it, stood for the subject: as it is, or by a re-export."""
    if name == subject or name.startswith(f"{subject}."):
        return True
    place, _, last = name.rpartition(".")
    module = witnesses.code(witnesses.now(place)) if place else None
    rows = module.aspects.get("imports", ()) if module is not None else ()
    after = witnesses.now(subject)
    if after.rpartition(".")[2] == last and any(row[0] == last for row in rows):
        return False
    # A package that hands on: it imports now what the subject is called now, so it imported the subject.
    return last == subject.rpartition(".")[2] and any(row[1] == after for row in rows)


def _called(analysis: Analysis, movement: Movement, uses: Uses, witnesses: Witnesses) -> bool:
    """Whether a call fails by what happened to this parameter, or to this function's shape."""
    message, cause = analysis.message, movement.cause
    if message == _MODULE_CALLED:
        return cause in NAMES and movement.side == "code" and _is_hidden_no_more(movement, uses, witnesses)
    if _NOT_CALLABLE.match(message):
        is_made_up = cause in NAMES and _has_any(movement.subject.rpartition(".")[0], witnesses)
        return (cause is Cause.BECAME_PROPERTY or is_made_up) and _is_used(movement, uses)
    if _NOT_AWAITABLE.match(message):
        return cause is Cause.BECAME_SYNC and _is_used(movement, uses)
    name = called(message)
    if cause is Cause.BECAME_PROPERTY and name.endswith(".__call__") and _is_used(movement, uses):
        return True  # what it gives now is called instead of it
    return _is_owner_called(name, message, movement, uses, witnesses) and _is_refused(analysis, movement)


def _is_owner_called(name: str, message: str, movement: Movement, uses: Uses, witnesses: Witnesses) -> bool:
    """Whether the call that an error is about, by this name if it says one, goes to the function that moved."""
    is_one = not name or _is_callee(name, movement.owner)
    is_one = is_one or (bool(_UNEXPECTED.search(message)) and _is_inherited(name, movement.owner, witnesses))
    if not movement.owner or not is_one:
        return False
    runs = [each for each, _ in uses.calls]
    if any(_is_function(each, movement, witnesses) for each in runs):
        return True
    # Else nobody knows what it calls, or it calls another function of this name.
    own = movement.owner.rpartition(".")[2]
    return bool(name) and not any(each.rpartition(".")[2] == own for each in runs)


def _is_refused(analysis: Analysis, movement: Movement) -> bool:
    """Whether the words with which a call is refused are about the parameter that moved."""
    message, cause = analysis.message, movement.cause
    if _UNEXPECTED.search(message):
        if cause in (Cause.PARAMETER_RENAMED, Cause.PARAMETER_REMOVED):
            return bool(movement.before == analysis.symbol)
        if cause is Cause.PARAMETERS_GROUPED:
            return analysis.symbol in (movement.before or ())
        return cause is Cause.PARAMETERS_REORDERED and "multiple values" in message
    if _MISSING.search(message):
        if cause in (Cause.PARAMETER_ADDED, Cause.PARAMETER_RENAMED):
            return movement.after == analysis.symbol or f"'{movement.after}'" in message
        if cause is Cause.DEFAULT_CHANGED and movement.after is None:
            return f"'{movement.subject.partition('#')[2]}'" in message
        return cause is Cause.PARAMETER_KEYWORD_ONLY and f"'{movement.after}'" in message
    if _TOO_MANY.search(message):
        return cause in (Cause.PARAMETER_KEYWORD_ONLY, Cause.PARAMETER_REMOVED, Cause.PARAMETERS_GROUPED)
    return False


def _has_any(name: str, witnesses: Witnesses) -> bool:
    """Whether objects of a class, by its name then, have something under whatever name they are asked for."""
    return any(witnesses.world.member(witnesses.now(name), each) for each in _HANDING_ON)


def _is_hidden_no_more(movement: Movement, uses: Uses, witnesses: Witnesses) -> bool:
    """Whether a call meets a module that had, in its package, the name of the function or class that moved."""
    if movement.subject not in {each for each, _ in uses.calls}:
        return False
    holder, _, own = movement.subject.rpartition(".")
    places = [holder]
    while places[-1]:
        places.append(places[-1].rpartition(".")[0])
    return any(
        witnesses.world.is_module(f"{package}.{own}") and _is_handed_on(package, movement, witnesses)
        for package in places
        if package
    )


def _is_callee(name: str, owner: str) -> bool:
    """Whether an error names this function: Python says `Cart.add()`, and `Cart.__init__()` for a class."""
    return owner == name or owner.endswith(f".{name.replace('.<locals>', '')}")


def _is_inherited(name: str, owner: str, witnesses: Witnesses) -> bool:
    """Whether an error names the method that a function stands for in a base: it hands on keywords that it lacks."""
    holder, _, last = owner.rpartition(".")
    bases = [each.rpartition(".")[2] for each in witnesses.world.lineage(holder)[1:]] if holder else []
    return any(name == f"{base}.{last}" for base in bases)


def _is_function(name: str, movement: Movement, witnesses: Witnesses) -> bool:
    now = witnesses.now(name)
    return movement.owner in (now, f"{now}.__init__", f"{now}.__new__") or movement.subject.startswith(
        f"{name}#"
    )


def _is_used(movement: Movement, uses: Uses) -> bool:
    return movement.subject in (uses.line | uses.test) or movement.subject.rpartition(".")[2] in uses.members


def _asked(analysis: Analysis, movement: Movement, _: Uses, __: Witnesses) -> bool:
    names = movement.cause in (Cause.RENAMED, Cause.REMOVED, Cause.MOVED)
    return movement.side == "test" and names and movement.subject.rpartition(".")[2] == analysis.symbol


def _unnamed(analysis: Analysis, movement: Movement, uses: Uses, _: Witnesses) -> bool:
    """Whether a name that the test got by a star import is the one that moved."""
    last = movement.subject.rpartition(".")[2]
    return movement.cause in GONE and movement.side == "code" and last == analysis.symbol and not uses.line


def _warned(analysis: Analysis, movement: Movement, uses: Uses, witnesses: Witnesses) -> bool:
    """Whether an old name that is kept warns, which the tests take for an error."""
    if not is_warning(analysis) or movement.cause not in NAMES or movement.side != "code":
        return False
    last = movement.subject.rpartition(".")[2]
    if not re.search(rf"(?<!\w){re.escape(last)}(?!\w)", analysis.message):
        return False
    imported = {it for each in uses.imported for it in each}
    is_used = movement.subject in (uses.line | uses.test | imported) or last in uses.members
    return is_used and witnesses.code(str(movement.after)) is not None


def is_warning(analysis: Analysis) -> bool:
    """Whether what was raised is a warning."""
    return analysis.exception.endswith("Warning")


def _is_unlike_shape(analysis: Analysis, movement: Movement, uses: Uses) -> bool:
    """Whether a value shows that it was not called or not awaited: that is told by the value itself."""
    told = f"{analysis.observed}\n{analysis.message}"
    if movement.cause is Cause.BECAME_ASYNC:
        return bool(_COROUTINE.search(told)) and _is_used(movement, uses)
    if movement.cause is Cause.BECAME_METHOD:
        return bool(_METHOD.search(told)) and _is_used(movement, uses)
    return False


_WAYS: dict[Category, _Way] = {
    Category.IMPORT_ERROR: _imported,
    Category.ATTRIBUTE_ERROR: _lacked,
    Category.MOCK_ERROR: _lacked,
    Category.SIGNATURE_ERROR: _called,
    Category.FIXTURE_ERROR: _asked,
    Category.NAME_ERROR: _unnamed,
    Category.OTHER_EXCEPTION: _warned,
}
