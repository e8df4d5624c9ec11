"""The columns that foreign keys of SQLAlchemy's models refer to by a text (`ForeignKey("campaigns.id")`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, ValueTarget
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_ROOTS = ("sqlalchemy", "flask_sqlalchemy")
_MODELS = re.compile(r"\b__tablename__\b|\b\w+\.Model\b|\bColumn\b|\bmapped_column\b")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def referred(instances: Instances, key: ast.Call, scope: Scope) -> tuple[ClassTarget, str] | None:
    """The model and the name of the column that a foreign key refers to; None where there is not exactly one."""
    node = argument(key, 0, "column")
    found = instances.program.resolve(node, scope)
    if isinstance(node, ast.Attribute) and isinstance(found, ValueTarget):
        owner = instances.program.resolve(node.value, scope)
        return (owner, node.attr) if isinstance(owner, ClassTarget) else None
    table, _, column = (text_of(instances.program, node, scope) or "").rpartition(".")
    models = instances.program.remember(("tables",), lambda: _tables(instances.program)).get(table, [])
    return (models[0], column) if len(models) == 1 and column else None


def _tables(program: Program) -> dict[str, list[ClassTarget]]:
    """The models of a project by the names of their tables."""
    found: dict[str, list[ClassTarget]] = {}
    for module in _modules(program):
        for name, bindings in module.scope.bindings.items():
            node = bindings[-1].node
            if isinstance(node, ast.ClassDef):
                model = ClassTarget(node, module.scope)
                written = model.body.bindings.get("__tablename__", [])
                text = text_of(program, written[-1].value, model.body) if written else None
                found.setdefault(text or "_".join(_HUMP.split(name)).lower(), []).append(model)
    return found


def _modules(program: Program) -> Iterator[Module]:
    direct = program.importers_named(_ROOTS)
    further = [
        name
        for name in program.importers_named(direct)
        if name not in direct and _MODELS.search(program.text(name))
    ]
    for name in sorted({*direct, *further}):
        module = program.module(name)
        if module is not None:
            yield module
