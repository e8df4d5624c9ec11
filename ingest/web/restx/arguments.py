"""The arguments of Flask-RESTX's request parsers, as parameters and bodies."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema
from graph.schemas import normalise
from ingest.web.records.operations import Body, Parameter

_PLACES = {"args": "query", "values": "query", "headers": "header", "cookies": "cookie", "cookie": "cookie"}
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"


class Argument(msgspec.Struct, frozen=True):
    """One argument of a parser; `location` is where it is looked for, `json` and `form` being bodies, and `either` the
    body as well as the query."""

    name: str
    location: str
    schema: Schema
    required: bool
    place: Location


def settled(arguments: Iterable[Argument], bodiless: bool, tried: bool) -> list[Argument]:
    """The arguments as a method takes them: what is looked for anywhere stands in the query where there is no body, and
    nothing need be there where it is only `tried`."""
    place = "values" if bodiless else "anywhere"
    found = [replace(each, location=place) if each.location == "either" else each for each in arguments]
    return [replace(each, required=False) for each in found] if tried else found


def parameters_of(arguments: Iterable[Argument]) -> list[Parameter]:
    """The arguments that are parameters."""
    return [
        Parameter(_PLACES[found.location], found.name, found.required, found.schema, found.place)
        for found in arguments
        if _PLACES.get(found.location, "cookie") != "cookie"
    ]


def cookies_of(arguments: Iterable[Argument]) -> list[str]:
    """The keys of cookies, which Swagger 2 has no place for and RESTX documents as arguments of the query, and those
    that may stand in the query as well as in a body."""
    listed = list(arguments)
    named = [found.name for found in listed if _PLACES.get(found.location) == "cookie"]
    anywhere = [f"query.{found.name}" for found in listed if found.location == "anywhere"]
    return [*anywhere, *(f"{place}.{name}" for name in named for place in ("cookie", "query"))]


def bodies_of(arguments: Iterable[Argument]) -> list[Body]:
    """The bodies that the other arguments are taken from; a form is taken in either of its media types."""
    listed = list(arguments)
    found = []
    json = [each for each in listed if each.location in ("json", "anywhere")]
    by_hand = any(each.location == "anywhere" for each in json)
    form = [each for each in listed if each.location in ("form", "files")]
    if json:
        required = True if any(each.required for each in json) else None
        found.append(Body("application/json", required, _object(json), json[0].place, by_hand=by_hand))
    if form:
        required = True if any(each.required for each in form) else None
        files = any(each.schema.get("format") == "binary" for each in form)
        if not files:
            found.append(Body(_FORM, required, _object(form), form[0].place))
        found.append(Body(_MULTIPART, required, _object(form), form[0].place, implicit=not files))
    return found


def _object(arguments: list[Argument]) -> Schema:
    shown = {True: {}, False: {"x-hidden": True}}
    properties = {
        each.name: {**each.schema, "x-line": each.place.line, **shown[each.location != "anywhere"]}
        for each in arguments
    }
    required = sorted(each.name for each in arguments if each.required)
    whole: Schema = {"type": "object", "properties": properties}
    return normalise({**whole, "required": required} if required else whole)
