"""The body that a function which Connexion calls makes a model of: the fields that the model takes and asks for."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name, uncalled

_MADE = frozenset({Family.PYDANTIC, Family.DATACLASS, Family.ATTRS, Family.GENERATED})
_VALIDATE = frozenset({"model_validate", "parse_obj", "from_dict"})
_SURE = frozenset({"integer", "number", "boolean", "array", "object"})


def modelled(models: Models, function: FunctionTarget, name: str) -> Schema | None:
    """The fields of the one model that a function makes of this argument; None where it makes none, or several.

    What Connexion has checked by the contract is no matter of the model: limits and formats are left out.
    """
    found = {owner.node: owner for owner in _made(models, function, name)}
    only = next(iter(found.values())) if len(found) == 1 else None
    if only is not None and models.family(only) is Family.GENERATED:
        # Its setters check again what they are given.
        return models.reference(only)
    fields = models.fields(next(iter(found.values()))) if len(found) == 1 else None
    if not fields:
        return None
    properties: dict[str, Schema] = {}
    for each in fields:
        kind = each.schema.get("type")
        plain: Schema = {"type": kind} if kind in _SURE else unknown("Connexion gives what the contract says")
        properties[each.name] = {**plain, "x-unchecked": ["required"]} if not each.required else plain
    required = sorted(each.name for each in fields if each.required)
    whole: Schema = {"type": "object", "properties": properties}
    return normalise({**whole, "required": required} if required else whole)


def _made(models: Models, function: FunctionTarget, name: str) -> list[ClassTarget]:
    """The classes of which a function makes instances of the whole argument."""
    found: list[ClassTarget] = []
    for node in ast.walk(function.node) if isinstance(function.node, Function) else ():
        if not isinstance(node, ast.Call):
            continue
        spread = len(node.keywords) == 1 and node.keywords[0].arg is None and not node.args
        made, given = (node.func, node.keywords[0].value) if spread else (None, None)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _VALIDATE and len(node.args) == 1:
            made, given = node.func.value, node.args[0]
        whole = isinstance(given, ast.Name) and given.id == name
        if made is None or not (whole or (given is not None and _is_json_of_request(given))):
            continue
        target = models.program.resolve(made, function.body)
        if isinstance(target, ClassTarget) and models.family(target) in _MADE:
            found.append(target)
    return found


def _is_json_of_request(node: ast.expr) -> bool:
    """Whether an expression is the JSON of the request (`connexion.request.get_json()`, `request.json`)."""
    if isinstance(node, ast.Await):
        node = node.value
    named = uncalled(node)
    if not isinstance(named, ast.Attribute) or named.attr not in ("get_json", "json"):
        return False
    owner = named.value
    return last_name(owner) == "request"
