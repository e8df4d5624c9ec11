"""The types that drf-spectacular names, as schemas."""

from __future__ import annotations

from typing import Final

from graph.schema_algebra import Schema, unknown


def _text(format: str = "") -> Schema:
    return {"type": "string", "format": format} if format else {"type": "string"}


OPENAPI_TYPES: Final[dict[str, Schema]] = {
    "NUMBER": {"type": "number"},
    "FLOAT": {"type": "number", "format": "float"},
    "DOUBLE": {"type": "number", "format": "double"},
    "BOOL": {"type": "boolean"},
    "STR": _text(),
    "BYTE": _text("byte"),
    "BINARY": _text("binary"),
    "PASSWORD": _text("password"),
    "INT": {"type": "integer"},
    "INT32": {"type": "integer", "format": "int32"},
    "INT64": {"type": "integer", "format": "int64"},
    "UUID": _text("uuid"),
    "URI": _text("uri"),
    "URI_REF": _text("uri-reference"),
    "URI_TPL": _text("uri-template"),
    "IRI": _text("iri"),
    "IRI_REF": _text("iri-reference"),
    "IP4": _text("ipv4"),
    "IP6": _text("ipv6"),
    "HOSTNAME": _text("hostname"),
    "IDN_HOSTNAME": _text("idn-hostname"),
    "DECIMAL": {"type": "number", "format": "double"},
    "DATETIME": _text("date-time"),
    "DATE": _text("date"),
    "TIME": _text("time"),
    "DURATION": _text("duration"),
    "EMAIL": _text("email"),
    "IDN_EMAIL": _text("idn-email"),
    "REGEX": _text("regex"),
    "JSON_PTR": _text("json-pointer"),
    "JSON_PTR_REL": _text("relative-json-pointer"),
    "OBJECT": {"type": "object"},
    "NONE": unknown("there is no value"),
    "ANY": {},
}
