"""Which of two types includes the other, and whether a type admits a literal value."""

from __future__ import annotations

from crossval.compare.annotations import ELLIPSIS, LITERAL, NONE, UNKNOWN, Annotation
from crossval.compare.typenames import includes, standard_class
from crossval.compare.verdicts import Verdict, compare
from crossval.pairs import Stricter
from graph.literals import NO_LITERAL, literal_value

_MOST_ITEMS = 200
_DISPLAYED = frozenset({"tuple", "list", "set", "dict"})
_PROMOTED = frozenset({"bytes", "bytearray", "memoryview"})


def stricter(spec: Annotation, code: Annotation) -> Stricter:
    """Which of two differing annotations admits fewer values, as far as the standard types tell."""
    code_fits, spec_fits = _covers(spec, code), _covers(code, spec)
    if code_fits == spec_fits:
        return Stricter.NEITHER
    return Stricter.CODE if code_fits else Stricter.SPEC


def admits(annotation: Annotation, value: object) -> Verdict:
    """Whether a literal value has the type: `EQUAL` if it has, `DIFFER` only where that is certain."""
    literal = NONE if value is None else Annotation(LITERAL, (Annotation(repr(value)),))
    if isinstance(value, tuple) and (said := _admits_items(annotation, value)) is not None:
        return said
    if annotation == UNKNOWN or _covers(annotation, literal):
        return Verdict.EQUAL
    certain = all(member.certain and _is_nominal(member, value) for member in annotation.alternatives)
    return Verdict.DIFFER if certain else Verdict.UNKNOWN


def _admits_items(annotation: Annotation, value: tuple[object, ...]) -> Verdict | None:
    """Whether a tuple's items fit the only type, where that is a tuple of certain items; else None."""
    if annotation.name != "tuple" or not annotation.arguments or len(value) > _MOST_ITEMS:
        return None
    wanted = annotation.arguments
    if any(part.name == "typing.Unpack" for part in wanted):
        return None
    if len(wanted) == 2 and wanted[1].name == "...":
        wanted = wanted[:1] * len(value)
    if wanted == (Annotation("()"),):
        wanted = ()
    if len(wanted) != len(value):
        return Verdict.DIFFER
    verdicts = {admits(*pair) for pair in zip(wanted, value, strict=True)}
    if Verdict.DIFFER in verdicts:
        return Verdict.DIFFER
    return Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts else Verdict.EQUAL


def can_hold(annotation: Annotation, value: Annotation) -> Verdict:
    """Whether a type may hold values of a standard type: `DIFFER` only where no such value can belong to it.

    What they contain counts where `value` says it: a plain `list` may be a `list[int]`, a `list[str]` is none.
    """
    verdicts = {
        _can_hold_one(member, part) for member in annotation.alternatives for part in value.alternatives
    }
    if Verdict.EQUAL in verdicts:
        return Verdict.EQUAL
    return Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts else Verdict.DIFFER


def _can_hold_one(member: Annotation, value: Annotation) -> Verdict:
    if member.name in {"object", value.name}:
        if value.name == LITERAL and set(value.arguments).isdisjoint(member.arguments):
            return Verdict.DIFFER if member.certain else Verdict.UNKNOWN
        return _can_hold_items(member, value)
    if not member.certain or not value.certain:
        return Verdict.UNKNOWN
    if member.name == LITERAL:
        of_literals = {_literal_type(each) for each in member.arguments}
        return Verdict.UNKNOWN if any(includes(value.name, each) for each in of_literals) else Verdict.DIFFER
    names = {_literal_type(each) for each in value.arguments} if value.name == LITERAL else {value.name}
    if any(includes(member.name, name) for name in names):
        return Verdict.EQUAL
    narrower = any(includes(name, member.name) for name in names)
    promoted = member.name in _PROMOTED and not names.isdisjoint(_PROMOTED)
    return Verdict.UNKNOWN if narrower or promoted else Verdict.DIFFER


def _can_hold_items(member: Annotation, value: Annotation) -> Verdict:
    """Whether what a display holds may be what a type of the same name says; each item's alternatives count."""
    wanted, held = member.arguments, value.arguments
    if member.name not in _DISPLAYED or not wanted or not held or ELLIPSIS in held:
        return Verdict.EQUAL
    if any(part.name == "typing.Unpack" for part in wanted):
        return Verdict.UNKNOWN
    if member.name == "tuple" and wanted[1:] == (ELLIPSIS,):
        wanted = wanted[:1] * len(held)
    if len(wanted) != len(held):
        return Verdict.DIFFER if member.name == "tuple" else Verdict.UNKNOWN
    pairs = zip(wanted, held, strict=True)
    verdicts = {can_hold(ours, each) for ours, theirs in pairs for each in theirs.alternatives}
    return Verdict.DIFFER if Verdict.DIFFER in verdicts else Verdict.EQUAL


def _is_nominal(annotation: Annotation, value: object) -> bool:
    """Whether a literal's own type tells if it belongs here; what a protocol asks for, `None` has as good as never."""
    if annotation.name == LITERAL or standard_class(annotation.name) is not None:
        return True
    abstract = annotation.name.startswith(("collections.abc.", "contextlib.Abstract"))
    return annotation.name != "collections.abc.Hashable" if value is None else not abstract


def _covers(wide: Annotation, narrow: Annotation) -> bool:
    """Whether each value of the second type surely is one of the first."""
    return all(
        any(_covers_one(candidate, member) for candidate in wide.alternatives)
        for member in narrow.alternatives
    )


def _covers_one(wide: Annotation, narrow: Annotation) -> bool:
    if wide.name == "object" or compare(wide, narrow) is Verdict.EQUAL:
        return True
    if narrow.name == LITERAL:
        if wide.name == LITERAL:
            return set(narrow.arguments) <= set(wide.arguments)
        return all(includes(wide.name, _literal_type(value)) for value in narrow.arguments)
    if not includes(wide.name, narrow.name):
        return False
    if not wide.arguments:
        return True
    if len(wide.arguments) != len(narrow.arguments):
        return False
    return all(_covers(*pair) for pair in zip(wide.arguments, narrow.arguments, strict=True))


def _literal_type(value: Annotation) -> str:
    found = literal_value(value.name) if value.certain else NO_LITERAL
    return "?" if found is NO_LITERAL else type(found).__name__
