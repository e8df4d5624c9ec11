"""The records of data classes: the libraries that they belong to, and their fields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graph.facts import Location
from graph.schema_algebra import Schema
from ingest.web.facets import Facets
from ingest.web.shapes import Shape


class Family(StrEnum):
    """The libraries whose classes are read as schemas."""

    PYDANTIC = "pydantic"
    DATACLASS = "dataclass"
    MSGSPEC = "msgspec"
    ATTRS = "attrs"
    TYPED_DICT = "typed-dict"
    NAMED_TUPLE = "named-tuple"
    ENUM = "enum"


@dataclass(frozen=True, slots=True)
class ModelField:
    """One property of a class: its name in JSON and in Python, its schema, and whether a request must have it.

    `answered` is its name in answers where that is another than in requests. It is `unnamed` where its names in JSON
    cannot be told, and `computed` where only answers have it.
    """

    name: str
    attribute: str
    schema: Schema
    required: bool
    shape: Shape
    facets: Facets
    place: Location
    answered: str = ""
    unnamed: bool = False
    computed: bool = False
