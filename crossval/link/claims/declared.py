"""What the classes of the code declare of their attributes: values, defaults and bounds of models beside requests.

Pydantic's models, data classes, SQLAlchemy's and Django's say them in an annotation, a call or a plain value. What the
text does not tell is left out. Sizes of columns are no limits of what people may enter, so they are left out, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from crossval.compare.claims import words
from crossval.link.claims.enumerations import Enumeration, Enumerations, literal, parsed
from crossval.link.claims.readings import GENERIC, readings
from crossval.link.claims.subjects import MENTIONED, NAMED, Candidate, Context, Named, owner_words
from graph.facts import Fact, Json, Kind, Tag
from graph.source import FactSource

_COLUMNS = frozenset({"Column", "mapped_column"})
_FIELDS = frozenset({"Field", "field", "attrib", "ib"})
_WRAPPERS = frozenset({"Optional", "Mapped", "Annotated", "Required", "NotRequired", "Final", "ReadOnly"})
_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "Decimal": "number",
    "list": "array",
    "List": "array",
}
_BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
_LENGTHS = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
_NO_PART = frozenset({"enum", "choice", "option", "value", "type"})
_COMPARED = frozenset({"enumeration", "default", "quantity"})


class _Class(NamedTuple):
    """Where an attribute stands: its class, and what its module and the classes around have by name."""

    key: str
    enumerations: Enumerations
    attributes: Mapping[str, list[Fact]]


class Declared:
    """Attributes of classes, with what they declare, and enumerations by their names."""

    def __init__(self, source: FactSource) -> None:
        facts = list(source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE, Kind.CLASS, Kind.MODULE}))
        classes = {fact.key: fact for fact in facts if fact.kind is Kind.CLASS}
        self._attributes: dict[str, list[Fact]] = {}
        for fact in facts:
            if fact.kind is Kind.ATTRIBUTE:
                self._attributes.setdefault(fact.key.rpartition(".")[0], []).append(fact)
        modules = {fact.key: fact for fact in facts if fact.kind is Kind.MODULE}
        self._enumerations = Enumerations(classes, self._attributes, modules)
        held = (fact for key in classes for fact in self._attributes.get(key, ()))
        self._named = Named((fact for fact in held if not fact.aspects.get("instance")), alone=False)

    def candidates(self, claim: Json, context: Context) -> list[Candidate]:
        """The attributes that the claim may speak of, with their schemas; else the enumerations called so."""
        if claim["kind"] not in _COMPARED:
            return []
        found = []
        for candidate in self._named.candidates(claim, context):
            fact = candidate.fact
            if not owner_words(fact) <= context.mentioned | frozenset(words(claim.get("subject") or "")):
                continue
            schema = self._schema(fact)
            if schema:
                aspects = {**fact.aspects, "schema": schema}
                found.append(candidate._replace(fact=msgspec.structs.replace(fact, aspects=aspects)))
        if claim["kind"] == "enumeration" and not any(
            "enum" in each.fact.aspects["schema"] for each in found
        ):
            return list(self._called(claim, context))
        return found

    def _called(self, claim: Json, context: Context) -> Iterator[Candidate]:
        """Enumerations whose names say of what the values are: `OrderStatus` of the status of an order."""
        for name, owner in readings(claim):
            if not name:
                continue
            for each in self._enumerations:
                called = frozenset(words(each.fact.name)) - _NO_PART
                if not frozenset(name) <= called:
                    continue
                rest = called - frozenset(name) - GENERIC
                if owner and rest == frozenset(owner):
                    yield _candidate(each, NAMED)
                elif not owner and rest and rest <= context.mentioned:
                    yield _candidate(each, MENTIONED)

    def _schema(self, fact: Fact) -> dict[str, Json]:
        place = _Class(fact.key.rpartition(".")[0], self._enumerations, self._attributes)
        annotation, value = fact.aspects.get("annotation"), fact.aspects.get("value")
        schema = _annotated(parsed(annotation), place) if annotation else {}
        node = parsed(value) if value is not None else None
        if isinstance(node, ast.Call):
            return {**schema, **_called_with(node, schema, place)}
        return {**schema, **_default(node, place)} if annotation else {}


def _candidate(each: Enumeration, confidence: float) -> Candidate:
    aspects = {**each.fact.aspects, "schema": each.schema()}
    return Candidate(msgspec.structs.replace(each.fact, aspects=aspects), confidence)


def _annotated(node: ast.expr | None, place: _Class) -> dict[str, Json]:
    """What an annotation tells: an enumeration, literals, a type, and what `Annotated` adds."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = parsed(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = [each for each in (node.left, node.right) if ast.unparse(each) != "None"]
        return _annotated(sides[0], place) if len(sides) == 1 else {}
    if isinstance(node, ast.Subscript):
        name, inner = _last(node.value), node.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if name == "Literal":
            values = [literal(each) for each in parts]
            return {} if ... in values or len(values) < 2 else {"enum": values}
        if name in _TYPES:
            return {"type": _TYPES[name]}
        if name not in _WRAPPERS:
            return {}
        schema = _annotated(parts[0], place)
        for each in parts[1:]:
            if isinstance(each, ast.Call) and _last(each.func) in _FIELDS:
                schema |= _bounds(each, schema)
        return schema
    if not isinstance(node, ast.Name | ast.Attribute):
        return {}
    found = place.enumerations.named(ast.unparse(node), place.key)
    if found is not None:
        return found.schema()
    return {"type": _TYPES[_last(node)]} if _last(node) in _TYPES else {}


def _called_with(call: ast.Call, known: dict[str, Json], place: _Class) -> dict[str, Json]:
    """What a field or column is told: `Field(default=1, ge=0)`, `Column(Enum("a", "b"))`, `CharField(choices=…)`."""
    name = _last(call.func)
    given = {each.arg: each.value for each in call.keywords if each.arg}
    if name in _COLUMNS:
        kinds = [each for each in call.args if isinstance(each, ast.Call) and _last(each.func) == "Enum"]
        schema = _of_column(kinds[0], place) if kinds else {}
        return {**schema, **_default(given.get("default", given.get("server_default")), place)}
    if name in _FIELDS:
        first = call.args[0] if call.args and name == "Field" else None
        return {**_bounds(call, known), **_default(given.get("default", first), place)}
    if name.endswith("Field") and ("choices" in given or "default" in given):
        return {**_choices(given.get("choices"), place), **_default(given.get("default"), place)}
    return {}


def _of_column(call: ast.Call, place: _Class) -> dict[str, Json]:
    """The values of SQLAlchemy's `Enum(Status)` and `Enum("open", "closed")`."""
    if len(call.args) == 1 and isinstance(call.args[0], ast.Name | ast.Attribute):
        found = place.enumerations.named(ast.unparse(call.args[0]), place.key)
        return found.schema() if found else {}
    values = [literal(each) for each in call.args]
    return {"enum": values} if len(values) > 1 and all(isinstance(each, str) for each in values) else {}


def _choices(node: ast.expr | None, place: _Class) -> dict[str, Json]:
    """The values of Django's choices: a class's, or pairs that stand there or in a constant."""
    if isinstance(node, ast.Name):
        node = _constant(node.id, place) or node
    if isinstance(node, ast.Attribute | ast.Name):
        written = ast.unparse(node).removesuffix(".choices")
        found = place.enumerations.named(written, place.key)
        return found.schema() if found else {}
    if not isinstance(node, ast.List | ast.Tuple) or len(node.elts) < 2:
        return {}
    pairs = [each for each in node.elts if isinstance(each, ast.Tuple | ast.List) and len(each.elts) == 2]
    values = [literal(each.elts[0]) for each in pairs]
    if len(pairs) < len(node.elts) or ... in values:
        return {}
    labels = [literal(each.elts[1]) for each in pairs]
    told = [labels] if all(isinstance(each, str) for each in labels) else []
    return {"enum": values, "x-called": told}


def _constant(name: str, place: _Class) -> ast.expr | None:
    """The value of a constant of the class, or of what is around it."""
    within = place.key
    while within:
        for fact in place.attributes.get(within, ()):
            if fact.name == name and "value" in fact.aspects:
                return parsed(fact.aspects["value"])
        within = within.rpartition(".")[0]
    return None


def _default(node: ast.expr | None, place: _Class) -> dict[str, Json]:
    """A default that is written out, or a member of an enumeration."""
    if isinstance(node, ast.Name):
        node = _constant(node.id, place)
    value = literal(node)
    if value is not ...:
        return {"default": value} if node is not None else {}
    if not isinstance(node, ast.Attribute):
        return {}
    if node.attr == "value" and isinstance(node.value, ast.Attribute):
        node = node.value
    found = place.enumerations.named(ast.unparse(node.value), place.key)
    return found.default(node.attr) if found else {}


def _bounds(call: ast.Call, known: dict[str, Json]) -> dict[str, Json]:
    """The bounds that Pydantic's `Field` is given, where the type says of what they are."""
    found: dict[str, Json] = {}
    lengths = _LENGTHS.get(known.get("type", ""))
    for each in call.keywords:
        value = literal(each.value)
        if value is ... or not isinstance(value, int | float):
            continue
        if each.arg in _BOUNDS and known.get("type") in ("integer", "number"):
            found[_BOUNDS[each.arg]] = value
        elif each.arg in ("min_length", "max_length") and lengths:
            found[lengths[each.arg == "max_length"]] = value
    return found


def _last(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]
