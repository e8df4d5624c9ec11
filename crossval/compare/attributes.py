"""Compares an attribute or constant of a stub with the one of the code: its type and its value."""

from __future__ import annotations

import ast
from types import NoneType

from crossval.compare.annotations import UNKNOWN, Annotation, Scope, is_type, parse_expression
from crossval.compare.discrepancies import Comparison, Discrepancy, Silence
from crossval.compare.inclusion import admits, can_hold, stricter
from crossval.compare.values import FLAGS, as_json, compare_values, read_constant
from crossval.compare.verdicts import Verdict, compare, compare_texts
from crossval.pairs import Difference, SourceText, Stricter
from graph.facts import Fact, Json, Kind

_QUOTES = "\"'"
_NOT_IMPLEMENTED = Annotation("types.NotImplementedType")


def compare_attributes(spec: Fact, code: Fact, spec_scope: Scope, code_scope: Scope) -> Comparison:
    """How the code's attribute differs; an unannotated constant is held against the stub's type by its value.

    Either side may be a property, whose return type is the attribute's type.
    """
    texts = (_type_text(spec), _type_text(code))
    ours, theirs = _annotation(spec, spec_scope), _annotation(code, code_scope)
    verdict = (
        compare_texts(texts[0], texts[1], spec_scope, code_scope)
        if texts[0] is not None and texts[1] is not None
        else compare(ours, theirs)
    )
    if verdict is Verdict.DIFFER and texts[0] and texts[1] and _is_nothing_yet(code):
        # `x: int = None` in code means a number or nothing, as often as a number.
        own = texts[1].strip(_QUOTES)
        texts = (texts[0], own if admits(theirs, None) is Verdict.EQUAL else f"{own} | None")
        theirs = code_scope.annotation(texts[1])
        verdict = compare_texts(texts[0], texts[1], spec_scope, code_scope)
    match verdict:
        case Verdict.DIFFER:
            types = Comparison((_discrepancy("type", *texts, stricter(ours, theirs)),))
        case Verdict.UNKNOWN if all(texts) and theirs != UNKNOWN:
            reason = f"{texts[0]} and {texts[1]} cannot be compared by reading alone"
            types = Comparison(silences=(Silence("type", reason),))
        case _:
            types = _value_against_type(spec, code, ours, theirs)
    return types + _compare_constants(spec, code) + _compare_aliases(spec, code, spec_scope, code_scope)


def _type_text(fact: Fact) -> str | None:
    text = fact.aspects.get("returns" if fact.kind is Kind.FUNCTION else "annotation")
    return text if isinstance(text, str) else None


def _is_nothing_yet(code: Fact) -> bool:
    """Whether the code gives an attribute the value `None`."""
    return code.kind is Kind.ATTRIBUTE and code.aspects.get("value") == "None"


def _annotation(fact: Fact, scope: Scope) -> Annotation:
    text = _type_text(fact)
    return UNKNOWN if text is None else scope.annotation(text)


def _value_against_type(spec: Fact, code: Fact, ours: Annotation, theirs: Annotation) -> Comparison:
    text = code.aspects.get("value")
    if text is None or code.aspects.get("instance"):
        return Comparison()
    # What stands under a condition is one of several values; an annotation is what the code itself says of them all.
    if theirs != UNKNOWN or code.aspects.get("guard"):
        return Comparison()
    if text == "NotImplemented":
        # To say so of an attribute is how classes leave it to those that derive from them; a property gives a value.
        is_property = spec.kind is Kind.FUNCTION
        differs = is_property and can_hold(ours, _NOT_IMPLEMENTED) is Verdict.DIFFER
        return Comparison((_discrepancy("type", _type_text(spec), SourceText(text)),) if differs else ())
    literal = read_constant(text)
    if literal is None or admits(ours, literal.value) is not Verdict.DIFFER:
        return Comparison()
    if literal.value in FLAGS and any(member.name == "bool" for member in ours.alternatives):
        return Comparison()
    return Comparison((_discrepancy("type", _type_text(spec), as_json(text)),))


def _compare_constants(spec: Fact, code: Fact) -> Comparison:
    ours, theirs = spec.aspects.get("value"), code.aspects.get("value")
    if ours is None or theirs is None or code.aspects.get("instance"):
        return Comparison()
    first, second = read_constant(ours), read_constant(theirs)
    if compare_values(first, second) is not Verdict.DIFFER:
        return Comparison()
    if spec.name == "__slots__" and first and second and _names(first.value) == _names(second.value):
        return Comparison()
    return Comparison((_discrepancy("value", as_json(ours), as_json(theirs)),))


def _compare_aliases(spec: Fact, code: Fact, spec_scope: Scope, code_scope: Scope) -> Comparison:
    """How two aliases of types differ, neither of which is anything else or under a condition; and where the stub has
    one, what the code has that is no type at all."""
    if _is_form_of_type(spec, spec_scope) and _is_display(code):
        return Comparison((_discrepancy("type", spec.aspects["value"], SourceText(code.aspects["value"])),))
    texts = []
    for fact in (spec, code):
        text, said = fact.aspects.get("value"), fact.aspects.get("annotation")
        if not isinstance(text, str) or fact.aspects.get("guard") or fact.aspects.get("instance"):
            return Comparison()
        if said is not None and str(said).strip("\"'").rpartition(".")[2] != "TypeAlias":
            return Comparison()
        if not is_type(parse_expression(text), marked=said is not None):
            return Comparison()
        texts.append(text)
    if compare_texts(texts[0], texts[1], spec_scope, code_scope) is not Verdict.DIFFER:
        return Comparison()
    return Comparison((_discrepancy("type", texts[0], SourceText(texts[1])),))


def _is_form_of_type(attribute: Fact, scope: Scope) -> bool:
    """Whether an attribute is an alias of a type with arguments or of several types: `Set[str]`, `int | str`."""
    text = attribute.aspects.get("value")
    if not isinstance(text, str) or attribute.aspects.get("annotation") is not None:
        return False
    tree = parse_expression(text)
    written = isinstance(tree, ast.Subscript | ast.BinOp) and is_type(tree, marked=False)
    return written and all(each.certain for each in scope.annotation(text).alternatives)


def _is_display(attribute: Fact) -> bool:
    """Whether an attribute always has a value with items, or a number: nothing that could stand for a type."""
    text = attribute.aspects.get("value")
    if not isinstance(text, str) or attribute.aspects.get("guard") or attribute.aspects.get("instance"):
        return False
    literal = read_constant(text)
    if literal is not None:
        return not isinstance(literal.value, str | NoneType)
    return isinstance(parse_expression(text), ast.List | ast.Set | ast.Dict | ast.Tuple)


def _names(slots: object) -> frozenset[object]:
    """What `__slots__` names: one string stands for itself, and the order of several says nothing."""
    return frozenset(slots if isinstance(slots, tuple | list | set | dict) else [slots])


def _discrepancy(change: str, spec: Json, code: Json, stricter: Stricter = Stricter.NEITHER) -> Discrepancy:
    return Discrepancy("", Difference(change=change, spec=spec, code=code, stricter=stricter))
