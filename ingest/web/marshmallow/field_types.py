"""The field types of marshmallow and its companions, with the schema that each has by itself."""

from __future__ import annotations

from typing import Final

from graph.schema_algebra import Schema, unknown

ROOTS: Final = frozenset(
    {
        "marshmallow",
        "apiflask",
        "flask_smorest",
        "flask_marshmallow",
        "flask_rebar",
        "webargs",
        "marshmallow_sqlalchemy",
        "marshmallow_enum",
    }
)
SCHEMA_NAMES: Final = frozenset(
    {
        *("Schema", "SQLAlchemySchema", "SQLAlchemyAutoSchema", "EmptySchema"),
        *("RequestSchema", "ResponseSchema"),
    }
)
GENERATED_NAMES: Final = frozenset({"SQLAlchemyAutoSchema", "PaginationSchema", "auto_field"})


def _text(format: str = "") -> Schema:
    return {"type": "string", "format": format} if format else {"type": "string"}


_INTEGER: Schema = {"type": "integer"}
_NUMBER: Schema = {"type": "number"}
_BOOLEAN: Schema = {"type": "boolean"}

PLAIN: Final[dict[str, Schema]] = {
    "String": _text(),
    "Str": _text(),
    "UUID": _text("uuid"),
    "Number": _NUMBER,
    "Integer": _INTEGER,
    "Int": _INTEGER,
    "Decimal": _NUMBER,
    "Float": _NUMBER,
    "Boolean": _BOOLEAN,
    "Bool": _BOOLEAN,
    "DateTime": _text("date-time"),
    "NaiveDateTime": _text("date-time"),
    "AwareDateTime": _text("date-time"),
    "LocalDateTime": _text("date-time"),
    "Time": _text(),
    "Date": _text("date"),
    "TimeDelta": unknown("a duration is an integer or a number by version"),
    "Email": _text("email"),
    "URL": _text("uri"),
    "Url": _text("uri"),
    "URLFor": _text("uri"),
    "AbsoluteURLFor": _text("uri"),
    "IP": _text("ip"),
    "IPv4": _text("ipv4"),
    "IPv6": _text("ipv6"),
    "File": _text("binary"),
    "Upload": _text("binary"),
}
"""The fields whose values are one JSON value."""

CONTAINERS: Final = frozenset(
    {
        "List",
        "DelimitedList",
        "CommaSeparatedList",
        "QueryParamList",
        "Dict",
        "Mapping",
        "Nested",
        "Pluck",
        "Enum",
    }
)
ANYTHING: Final = frozenset({"Raw", "Field", "Inferred"})
COMPUTED: Final = frozenset(
    {
        "Function",
        "Method",
        "Constant",
        "Tuple",
        "DelimitedTuple",
        "Hyperlinks",
        "Config",
        "Related",
        "EnumField",
    }
)

NAMES: Final = frozenset({*PLAIN, *CONTAINERS, *ANYTHING, *COMPUTED, "auto_field"})
"""Every name under which these libraries offer a field."""
