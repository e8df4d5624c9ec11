"""The tags of msgspec's structs: the field of JSON that says of which of several classes an object is."""

from __future__ import annotations

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget

_UNREAD = "the tag of the struct cannot be read"


def tagged(program: Program, target: ClassTarget, whole: Schema) -> Schema:
    """The schema of a struct with the field of its tag, where it has one."""
    tag, name = _said(program, target, "tag"), _said(program, target, "tag_field")
    if is_unknown(whole) or (tag in (None, False) and name is None):
        return whole
    if isinstance(tag, Missing | dict | list) or not isinstance(name, str | None):
        return unknown(_UNREAD)
    value: Json = target.node.name if tag in (None, True) else tag
    kind = "integer" if isinstance(value, int) else "string"
    field: Schema = {"enum": [value], "type": kind, "x-always": True, "x-line": target.node.lineno}
    properties = {**whole.get("properties", {}), name or "type": field}
    required = sorted({*whole.get("required", ()), name or "type"})
    return normalise({**whole, "properties": properties, "required": required})


def _said(program: Program, target: ClassTarget, option: str) -> Json | Missing:
    """What the class or the nearest of its bases says for an option; None where none does."""
    for owner in program.ancestry(target):
        for keyword in owner.node.keywords if isinstance(owner, ClassTarget) else ():
            if keyword.arg == option and isinstance(owner, ClassTarget):
                return constant(program, keyword.value, owner.scope)
    return None
