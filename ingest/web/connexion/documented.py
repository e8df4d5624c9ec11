"""Of which type a docstring says an argument is, as generators of handlers write it: `:type limit: int`."""

from __future__ import annotations

import ast
import re
from typing import Final

from graph.facts import Json
from graph.schema_algebra import Schema
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function

_FIELD = re.compile(
    r"^[ \t]*:(?:type[ \t]+(?P<name>\w+)[ \t]*:[ \t]*(?P<kind>\w+)"
    r"|param[ \t]+(?P<before>\w+)[ \t]+(?P<called>\w+)[ \t]*:.*)[ \t]*$",
    re.MULTILINE,
)
_KINDS: Final = {
    **dict.fromkeys(("int", "integer"), "integer"),
    **dict.fromkeys(("str", "string"), "string"),
    **dict.fromkeys(("bool", "boolean"), "boolean"),
    "float": "number",
}
_NUMBERS = frozenset({"integer", "number"})


def documented_kind(handler: FunctionTarget, name: str, promised: Json) -> Schema | None:
    """The type that the docstring gives an argument, where it is a plain one; any number is as good as another."""
    text = ast.get_docstring(handler.node, clean=False) if isinstance(handler.node, Function) else None
    for field in _FIELD.finditer(text or ""):
        if name not in (field["name"], field["called"]):
            continue
        kind = _KINDS.get(field["kind"] or field["before"])
        wanted = promised.get("type") if isinstance(promised, dict) else None
        if kind is None or (kind in _NUMBERS and wanted in _NUMBERS):
            return {"type": wanted} if kind is not None else None
        return {"type": kind, "x-unchecked": ["type"]} if kind == "string" else {"type": kind}
    return None
