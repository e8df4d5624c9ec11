"""What is known of the arguments that Connexion gives to a function, since it has checked them by the contract."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from graph.facts import Fact, Json, Kind
from graph.schema_algebra import Schema
from ingest.web.connexion.names import argument_names
from ingest.web.connexion.verbatim import unlimited

_DEPTH = 4
_PLAIN = frozenset({"string", "integer", "number", "boolean"})


def given_by(
    parts: Iterable[Fact], schemas: Mapping[str, Fact], checked: Container[str] | None = None
) -> dict[str, Schema]:
    """The types of the arguments that these parameters and bodies become, by the names that a function may give them.

    `schemas` are those that contracts write out elsewhere, by their ids. What may be left out is not known.
    `checked` are the names of what the function checks by itself: fields of other names may be whatever the contract
    allows; None where it may check any.
    """
    found: dict[str, Schema] = {}
    for part in parts:
        schema = _followed(part.aspects.get("schema"), schemas)
        if not isinstance(schema, dict):
            continue
        if part.kind is Kind.PARAMETER and part.aspects.get("in") in ("path", "query"):
            sure = part.aspects.get("required") is True or schema.get("default") is not None
            known = _plain(schema) if sure else None
            found |= dict.fromkeys(argument_names(part.name), known) if known else {}
        elif part.kind is Kind.BODY and part.aspects.get("required") is True and _is_json(part):
            whole = _whole(schema, schemas, checked, 0)
            if whole is not None:
                found["body"] = whole
    return found


def _whole(
    schema: Json, schemas: Mapping[str, Fact], checked: Container[str] | None, depth: int
) -> Schema | None:
    """The object with the fields whose types are known."""
    properties: dict[str, Json] = schema.get("properties") or {}
    fields: dict[str, Schema] = {}
    for name, written in properties.items():
        inner = _followed(written, schemas)
        known = _plain(inner)
        if known is None and depth < _DEPTH and isinstance(inner, dict) and "properties" in inner:
            known = _whole(inner, schemas, checked, depth + 1)
        elif known is not None and checked is not None and name not in checked:
            known = unlimited(known, inner)
        if known is not None:
            fields[name] = known
    return {"type": "object", "properties": fields} if fields else None


def _followed(schema: Json, schemas: Mapping[str, Fact]) -> Json:
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    fact = schemas.get(reference) if isinstance(reference, str) else None
    return fact.aspects.get("schema") if fact is not None else schema


def _plain(schema: Json) -> Schema | None:
    kind = schema.get("type") if isinstance(schema, dict) else None
    if not isinstance(kind, str) or kind not in _PLAIN:
        return None
    formed = kind == "string" and isinstance(schema.get("format"), str)
    return {"type": kind, "format": schema["format"]} if formed else {"type": kind}


def _is_json(part: Fact) -> bool:
    return str(part.aspects.get("media_type")).split(";")[0].endswith(("/json", "+json"))
