"""Parameters of paths, with what the code surely does not check of their values."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ingest.web.records.operations import Parameter
from ingest.web.requests.flows import Flows
from ingest.web.syntax.flow_words import EVERYTHING


def typed_path(parameters: list[Parameter], flows: Flows) -> list[Parameter]:
    """Parameters of a path, with what the first function of the flows surely does not check of them."""
    return [
        unchecked_in_path(each, flows.fate_of_argument(each.name).unchecked())
        if each.place == "path"
        else each
        for each in parameters
    ]


def unchecked_in_path(parameter: Parameter, unchecked: Iterable[str]) -> Parameter:
    """A parameter of a path with what is surely not checked of it (`*` for all)."""
    plain = {key: value for key, value in parameter.schema.items() if key not in ("pattern", "x-implied")}
    if plain not in ({"type": "string"}, {"type": "integer"}):
        return parameter
    free = set(unchecked)
    free = set(EVERYTHING) if "*" in free else free
    number = plain["type"] == "integer"
    free -= {"required", *(("type",) if number else ())}
    matched = parameter.schema.get("pattern")
    if matched is not None:
        # The route matches it before the code sees it, lengths included where it counts.
        free -= {"pattern", "enum", *(("minLength", "maxLength") if "{" in matched else ())}
    if not free:
        return parameter
    told = ["*"] if free == EVERYTHING else sorted(free)
    # What is in the path has a digit or letter at least, and hardly ever a sign.
    implied = ["positive"] if number else ["filled"]
    implied += parameter.schema.get("x-implied", ())
    return replace(parameter, schema={**parameter.schema, "x-unchecked": told, "x-implied": implied})
