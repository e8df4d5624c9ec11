"""What marshmallow's schemas make of objects (`schema.dump(order)`), for answers that are put together by hand."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graph.schema_algebra import Schema
from ingest.web.calls import argument
from ingest.web.constants import constant
from ingest.web.instances import Instances
from ingest.web.program import Program
from ingest.web.scopes import Scope

if TYPE_CHECKING:
    from ingest.web.marshmallow import Marshmallow

_PACKAGES = ("marshmallow", "marshmallow_dataclass", "flask_marshmallow", "marshmallow_sqlalchemy")


def marshmallow_of(program: Program, instances: Instances) -> Marshmallow | None:
    """The one reader of marshmallow's schemas of a program; None where it has none."""
    if not program.importers_named(_PACKAGES):
        return None
    from ingest.web.marshmallow import Marshmallow

    return program.remember(("marshmallow",), lambda: Marshmallow(program, instances))


def dumped(program: Program, instances: Instances, node: ast.Call, scope: Scope) -> Schema | None:
    """The form of `schema.dump(value)`; None for any other call, or where the schema is not known."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "dump" or not node.args:
        return None
    marshmallow = marshmallow_of(program, instances)
    use = marshmallow.use(node.func.value, scope) if marshmallow is not None else None
    if marshmallow is None or use is None:
        return None
    found = marshmallow.schema(use)
    many = argument(node, 1, "many")
    if many is None:
        return found
    listed = constant(program, many, scope)
    return {"type": "array", "items": found} if listed is True else found if listed is False else None
