"""Whether two annotations mean the same type, in normal form and as they are written."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from crossval.compare.annotations import ABSORBERS, ELLIPSIS, LITERAL, UNKNOWN, Annotation, Scope
from graph.patterns import pattern

_MOST_COMPARISONS = 400
_WORD = pattern(r"[^\W\d]\w*")


NARROWING = frozenset({"typing.TypeGuard", "typing.TypeIs"})
"""What tells type checkers more of a function that gives a truth value."""


class Verdict(StrEnum):
    """What comparing two annotations tells."""

    EQUAL = "equal"
    DIFFER = "differ"
    UNKNOWN = "unknown"


def compare(spec: Annotation, code: Annotation) -> Verdict:
    """Whether two annotations mean the same type; unknown where a name may be an alias of the other side's."""
    if UNKNOWN in (spec, code):
        return Verdict.UNKNOWN
    if spec == code:
        return Verdict.EQUAL
    if "bool" in (spec.name, code.name) and not NARROWING.isdisjoint((spec.name, code.name)):
        return Verdict.UNKNOWN
    if "object" in (spec.name, code.name) and UNKNOWN in (*spec.alternatives, *code.alternatives):
        return Verdict.UNKNOWN
    if "|" in (spec.name, code.name):
        return _compare_unions(spec.alternatives, code.alternatives)
    if LITERAL in (spec.name, code.name):
        return Verdict.DIFFER if spec.certain and code.certain else Verdict.UNKNOWN
    if spec.name != code.name and _last(spec) != _last(code):
        return Verdict.DIFFER if spec.certain and code.certain else Verdict.UNKNOWN
    if spec.name == "collections.abc.Callable" and ELLIPSIS in (*spec.arguments[:1], *code.arguments[:1]):
        # `...` takes whatever the other side says of parameters.
        spec, code = (Annotation(side.name, side.arguments[1:]) for side in (spec, code))
    if len(spec.arguments) == len(code.arguments):
        return _worst(compare(*pair) for pair in zip(spec.arguments, code.arguments, strict=True))
    counted = spec.name in {"tuple", "[…]"} and (spec.name == "[…]" or (spec.arguments and code.arguments))
    spread = any(part.name == "typing.Unpack" for part in (*spec.arguments, *code.arguments))
    return Verdict.DIFFER if counted and not spread else Verdict.UNKNOWN


def compare_texts(spec: str, code: str, spec_scope: Scope, code_scope: Scope) -> Verdict:
    """Whether two annotations mean the same type.

    Where they only differ by what an alias of one name stands for, the difference is one of the alias, not of
    everything that is annotated with it.
    """
    verdict = compare(spec_scope.annotation(spec), code_scope.annotation(code))
    if verdict is not Verdict.DIFFER:
        return verdict
    shared = frozenset(_WORD.findall(spec)).intersection(_WORD.findall(code))
    if not shared:
        return verdict
    return compare(spec_scope.annotation(spec, keeping=shared), code_scope.annotation(code, keeping=shared))


def _compare_unions(spec: tuple[Annotation, ...], code: tuple[Annotation, ...]) -> Verdict:
    if len(spec) * len(code) > _MOST_COMPARISONS:
        return Verdict.UNKNOWN
    spec, code = _without_narrower(spec), _without_narrower(code)
    return _worst(
        (
            *(_among(member, code, swap=False) for member in spec),
            *(_among(member, spec, swap=True) for member in code),
        )
    )


def _without_narrower(members: tuple[Annotation, ...]) -> tuple[Annotation, ...]:
    """A union's members without the tuples whose values all are those of another: an `int` may stand for a `float`."""
    tuples = [member for member in members if member.name == "tuple" and member.arguments]
    if len(tuples) < 2:
        return members
    return tuple(
        each
        for each in members
        if not any(_is_narrower_tuple(each, other) for other in tuples if other != each)
    )


def _is_narrower_tuple(member: Annotation, other: Annotation) -> bool:
    return (
        member.name == "tuple"
        and len(member.arguments) == len(other.arguments)
        and all(
            ours == theirs or theirs.name in ABSORBERS.get(ours.name, ())
            for ours, theirs in zip(member.arguments, other.arguments, strict=True)
        )
    )


def _among(member: Annotation, others: tuple[Annotation, ...], *, swap: bool) -> Verdict:
    verdicts = {compare(other, member) if swap else compare(member, other) for other in others}
    if Verdict.EQUAL in verdicts:
        return Verdict.EQUAL
    return Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts else Verdict.DIFFER


def _worst(verdicts: Iterable[Verdict]) -> Verdict:
    seen = set(verdicts)
    if Verdict.DIFFER in seen:
        return Verdict.DIFFER
    return Verdict.UNKNOWN if Verdict.UNKNOWN in seen else Verdict.EQUAL


def _last(annotation: Annotation) -> str:
    return annotation.name.rpartition(".")[2]
