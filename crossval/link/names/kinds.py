"""Compares two definitions that go by one name, whatever kind each is and however many variants it has."""

from __future__ import annotations

from collections.abc import Sequence

from crossval.compare.accessors import compare_accessors
from crossval.compare.annotations import Scope
from crossval.compare.attributes import compare_attributes
from crossval.compare.decorators import binding, is_overload, unknown_decorator
from crossval.compare.discrepancies import Comparison, Discrepancy, Silence, common
from crossval.compare.markers import compare_markers
from crossval.compare.signatures import compare_functions, compare_overloads
from crossval.compare.typenames import standard_class
from crossval.compare.values import read_constant
from crossval.pairs import Difference
from graph.facts import Fact, Kind


def compare_variants(
    spec: Sequence[Fact], code: Sequence[Fact], spec_scope: Scope, code_scope: Scope
) -> Comparison:
    """How the code's definition differs from the stub's: only what holds for every variant of either."""
    accessors = compare_accessors(spec, code, spec_scope, code_scope)
    return accessors + _compare_readers(_readers(spec), _readers(code), spec_scope, code_scope)


def _compare_readers(
    spec: Sequence[Fact], code: Sequence[Fact], spec_scope: Scope, code_scope: Scope
) -> Comparison:
    spec_kinds, code_kinds = {fact.kind for fact in spec}, {fact.kind for fact in code}
    if len(spec_kinds) > 1 or len(code_kinds) > 1:
        return Comparison(silences=(Silence("kind", "it is defined in several ways"),))
    if spec_kinds == code_kinds == {Kind.FUNCTION}:
        return _compare_function_variants(spec, code, spec_scope, code_scope)
    return common([_compare_kinds(ours, theirs, spec_scope, code_scope) for ours in spec for theirs in code])


def kind_name(fact: Fact) -> str:
    """What a definition is called in a sentence: `function`, `method`, `property`, `class`, `attribute`, …"""
    if fact.kind is Kind.FUNCTION:
        kind: str = fact.aspects.get("kind", "function")
        return {"classmethod": "class method", "staticmethod": "static method"}.get(kind, kind)
    return str(fact.kind)


def _readers(facts: Sequence[Fact]) -> Sequence[Fact]:
    """The definitions that tell how a name is read: no setters and deleters."""
    kept = [fact for fact in facts if fact.aspects.get("kind") not in {"setter", "deleter"}]
    return kept or facts


def _compare_function_variants(
    spec: Sequence[Fact], code: Sequence[Fact], spec_scope: Scope, code_scope: Scope
) -> Comparison:
    implementations = [fact for fact in code if not is_overload(fact, code_scope)] or code
    groups: dict[str, list[Fact]] = {}
    for fact in spec:
        groups.setdefault(fact.aspects.get("guard", ""), []).append(fact)
    compared = []
    for implementation in implementations:
        for group in groups.values():
            if any(is_overload(fact, spec_scope) for fact in group):
                compared.append(compare_overloads(group, implementation, spec_scope, code_scope))
            else:
                compared.extend(
                    compare_functions(fact, implementation, spec_scope, code_scope) for fact in group
                )
    return common(compared)


def _compare_kinds(spec: Fact, code: Fact, spec_scope: Scope, code_scope: Scope) -> Comparison:
    match spec.kind, code.kind:
        case Kind.ATTRIBUTE, Kind.ATTRIBUTE:
            return compare_attributes(spec, code, spec_scope, code_scope)
        case Kind.CLASS, Kind.CLASS:
            return compare_markers(spec, code, spec_scope, code_scope)
        case Kind.FUNCTION, Kind.ATTRIBUTE:
            if binding(spec, spec_scope) == "property":
                return compare_attributes(spec, code, spec_scope, code_scope)
            differ = _is_plain_value(code) and unknown_decorator(spec, spec_scope) is None
        case Kind.CLASS, Kind.ATTRIBUTE:
            differ = _is_plain_value(code)
        case Kind.ATTRIBUTE, Kind.FUNCTION:
            if binding(code, code_scope) == "property":
                return compare_attributes(spec, code, spec_scope, code_scope)
            differ = _is_plain_type(spec, spec_scope) and unknown_decorator(code, code_scope) is None
        case Kind.ATTRIBUTE, Kind.CLASS:
            differ = _is_plain_type(spec, spec_scope)
        case Kind.FUNCTION, Kind.CLASS:
            # A decorator may put a function in the place of the class, and a property may give it.
            differ = unknown_decorator(code, code_scope) is None and binding(spec, spec_scope) != "property"
        case _:
            differ = unknown_decorator(code, code_scope) is None
    if not differ:
        return Comparison(
            silences=(
                Silence("kind", f"the code has it as {kind_name(code)}, which may stand for the same thing"),
            )
        )
    difference = Difference(change="kind", spec=kind_name(spec), code=kind_name(code))
    return Comparison((Discrepancy("", difference),))


def _is_plain_value(attribute: Fact) -> bool:
    """Whether an attribute surely holds a plain value, nothing that can be called."""
    text = attribute.aspects.get("value")
    if not isinstance(text, str):
        return False
    literal = read_constant(text)
    return literal is not None and literal.value is not None and not attribute.aspects.get("instance")


def _is_plain_type(attribute: Fact, scope: Scope) -> bool:
    """Whether an attribute's annotation surely leaves no room for something that can be called."""
    text = attribute.aspects.get("annotation")
    if not isinstance(text, str):
        return False
    for member in scope.annotation(text).alternatives:
        class_ = standard_class(member.name)
        if class_ is None or not member.certain or class_ in (object, type) or issubclass(class_, type):
            return False
        if "__call__" in vars(class_) or member.name.startswith("collections.abc."):
            return False
    return True
