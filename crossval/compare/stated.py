"""What a contract states of values beside the one that is compared: it tells what leaving something out means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from crossval.compare.components import Node
from graph.facts import Fact, Json, Kind, Tag

_FEW = 3
_NUMBER = re.compile(r"\d+")


class Needs(msgspec.Struct, frozen=True):
    """Whether spec and code require a field, and whether the spec is known to say which fields are required.

    `whole` is whether the code is seen making all of the object, of which the spec says what is required.
    """

    spec: bool
    code: bool
    stated: bool
    whole: bool = False

    @classmethod
    def of(cls, name: str, spec: Node, code: Node, elsewhere: bool) -> Needs:
        """What the schemas that hold a field say of it; `elsewhere` is whether their document says it of others, which
        tells nothing of what a framework writes by itself (`x-by-framework`), as its version does."""
        here = bool(spec.schema.get("required"))
        elsewhere = elsewhere and code.schema.get("x-by-framework") is not True
        whole = here and code.schema.get("x-complete") is True
        if code.schema.get("x-partial") is True:
            # Whether the field is there at all is not known, so neither is whether it must be.
            return cls(requires(spec, name), requires(spec, name), elsewhere or here, whole)
        return cls(requires(spec, name), requires(code, name), elsewhere or here, whole)


def requires(owner: Node, name: str) -> bool:
    """Whether an object's schema requires a field."""
    required = owner.schema.get("required")
    return isinstance(required, list) and name in required


def requires_read_only(fact: Fact) -> bool:
    """Whether a contract requires here a field that only answers have, and so speaks of what answers always hold."""
    return bool(_read_only(fact) & set((fact.aspects.get("schema") or {}).get("required") or ()))


def names_read_only(fact: Fact) -> bool:
    """Whether a contract says here, of a schema that requests use, that only answers have a field."""
    return "request" in fact.aspects.get("used_in", ()) and bool(_read_only(fact))


def _read_only(fact: Fact) -> set[str]:
    schema = fact.aspects.get("schema")
    if fact.kind is not Kind.SCHEMA or fact.tag is not Tag.SPEC or not isinstance(schema, dict):
        return set()
    return {name for name, each in (schema.get("properties") or {}).items() if each.get("readOnly") is True}


def document_of(fact: Fact) -> str:
    """The document that states a fact."""
    return fact.document or fact.source.path


def admits_null_in_requests(fact: Fact) -> bool:
    """Whether a contract states here of a value in requests that it may be null."""
    used = fact.kind is Kind.BODY or (
        fact.kind is Kind.SCHEMA and "request" in fact.aspects.get("used_in", ())
    )
    return used and fact.tag is Tag.SPEC and _names_null(fact.aspects.get("schema"))


def states_needs_in_answers(facts: Iterable[Fact]) -> set[str]:
    """The documents that state of most of their named schemas in answers which fields are required.

    A schema among them that requires nothing then says that all of its fields may be left out.
    """
    objects: Counter[str] = Counter()
    stating: Counter[str] = Counter()
    for fact in facts:
        schema = fact.aspects.get("schema")
        answers = fact.kind is Kind.SCHEMA and "response" in fact.aspects.get("used_in", ())
        if answers and fact.tag is Tag.SPEC and isinstance(schema, dict) and schema.get("properties"):
            objects[document_of(fact)] += 1
            stating[document_of(fact)] += bool(schema.get("required"))
    return {name for name, count in stating.items() if count > 1 and 2 * count > objects[name]}


def leaves_defaults_optional(facts: Iterable[Fact]) -> set[str]:
    """The documents that, in named schemas of answers, leave nearly all fields optional that have a default in code.

    The generators of web frameworks do so, though the code always answers with such fields. A document counts with
    at least three fields of that kind that are optional, and at most one required for every three of them.
    """
    facts = list(facts)
    defaulted: dict[str, set[str]] = {}
    for fact in facts:
        if fact.tag is Tag.CODE and fact.kind is Kind.SCHEMA:
            name = fact.key.rpartition(".")[2]
            # Of classes that share a name it cannot be told which the document means.
            defaulted[name] = set() if name in defaulted else _defaulted(fact.aspects.get("schema"))
    optional: Counter[str] = Counter()
    required: Counter[str] = Counter()
    for fact in facts:
        schema = fact.aspects.get("schema")
        if fact.tag is not Tag.SPEC or fact.kind is not Kind.SCHEMA or not isinstance(schema, dict):
            continue
        if list(fact.aspects.get("used_in", ())) != ["response"]:
            continue
        names = defaulted.get(fact.key.removesuffix("-Output"), set()) & set(schema.get("properties") or ())
        demanded = len(names & set(schema.get("required") or ()))
        required[document_of(fact)] += demanded
        optional[document_of(fact)] += len(names) - demanded
    return {name for name, count in optional.items() if count >= _FEW and _FEW * required[name] <= count}


def patterns_stated(facts: Iterable[Fact]) -> dict[str, frozenset[str]]:
    """By document the shapes of patterns that it states of at least two values.

    Where a contract writes out what a framework demands of such values by itself, leaving it out says something.
    """
    found: dict[str, Counter[str]] = {}
    for fact in facts:
        if fact.tag is Tag.SPEC and isinstance(schema := fact.aspects.get("schema"), dict):
            found.setdefault(document_of(fact), Counter()).update(_shapes(schema))
    return {
        name: frozenset(shape for shape, count in shapes.items() if count > 1)
        for name, shapes in found.items()
    }


def pattern_shape(pattern: Json) -> str:
    """A pattern without its numbers, which tell how long a value may be and not of what form it is."""
    return _NUMBER.sub("#", str(pattern))


def _shapes(schema: Json) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _shapes(part)
    elif isinstance(schema, dict):
        if isinstance(pattern := schema.get("pattern"), str):
            yield pattern_shape(pattern)
        for part in schema.values():
            yield from _shapes(part)


def _defaulted(schema: Json) -> set[str]:
    """The fields of a class that it always has, but that need not be given."""
    if not isinstance(schema, dict):
        return set()
    required = set(schema.get("required") or ())
    return {
        name
        for name, inner in (schema.get("properties") or {}).items()
        if name not in required and inner.get("x-always") is True and inner.get("readOnly") is not True
    }


def _names_null(schema: Json) -> bool:
    if isinstance(schema, list):
        return any(map(_names_null, schema))
    if not isinstance(schema, dict):
        return False
    kind = schema.get("type")
    if kind == "null" or (isinstance(kind, list) and "null" in kind):
        return True
    inner = [schema.get(key) for key in ("items", "additionalProperties", "anyOf", "allOf", "prefixItems")]
    properties = schema.get("properties")
    return any(map(_names_null, [*inner, *(properties.values() if isinstance(properties, dict) else ())]))
