"""Of which type the arguments are that Connexion gives to a function, since it has checked them by the contract."""

from __future__ import annotations

from collections.abc import Iterable

from graph.facts import Fact, Json, Kind
from graph.schema_algebra import Schema
from ingest.web.connexion_names import argument_names

_PLAIN = frozenset({"string", "integer", "number", "boolean"})


def given_by(parts: Iterable[Fact]) -> dict[str, Schema]:
    """The types of the arguments that these parameters and bodies become, by the names that a function may give them.

    What may be left out, or is not written out where it is used, is not known.
    """
    found: dict[str, Schema] = {}
    for part in parts:
        schema = part.aspects.get("schema")
        if not isinstance(schema, dict):
            continue
        if part.kind is Kind.PARAMETER and part.aspects.get("in") in ("path", "query"):
            sure = part.aspects.get("required") is True or schema.get("default") is not None
            known = _plain(schema) if sure else None
            found |= dict.fromkeys(argument_names(part.name), known) if known else {}
        elif part.kind is Kind.BODY and part.aspects.get("required") is True and _is_json(part):
            properties: dict[str, Json] = schema.get("properties") or {}
            fields = {
                name: known for name, inner in properties.items() if (known := _plain(inner)) is not None
            }
            if fields:
                found["body"] = {"type": "object", "properties": fields}
    return found


def _plain(schema: Json) -> Schema | None:
    kind = schema.get("type") if isinstance(schema, dict) else None
    return {"type": kind} if isinstance(kind, str) and kind in _PLAIN else None


def _is_json(part: Fact) -> bool:
    return str(part.aspects.get("media_type")).split(";")[0].endswith(("/json", "+json"))
