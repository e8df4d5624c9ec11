"""Rows of SQLAlchemy's models that are written column by column: `{c.name: getattr(self, c.name) for c in …}`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.answers.stores import Stores
from ingest.web.constants.constants import constant
from ingest.web.program.targets import ClassTarget, External, ParameterTarget, Target
from ingest.web.schemas.json_results import BY_HAND
from ingest.web.schemas.sqlalchemy_columns import column_schema
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_TABLES: Final = frozenset({"__table__", "__mapper__"})
_INSPECTING: Final = frozenset({"inspect", "class_mapper", "object_mapper"})
_NAMES: Final = frozenset({"name", "key"})
_SQLALCHEMY: Final = frozenset({"sqlalchemy", "flask_sqlalchemy"})


class Rows:
    """Works out such objects; `of_class` tells of which class an expression is."""

    def __init__(self, stores: Stores, of_class: Callable[[ast.expr, Scope], Target | None]) -> None:
        self._stores = stores
        self._program = stores.program
        self._of_class = of_class

    def of(self, node: ast.DictComp, scope: Scope) -> Schema | None:
        """What is in the object that a comprehension over the columns of a model makes; None for any other."""
        each = node.generators[0]
        owner = _owner(each.iter)
        if len(node.generators) > 1 or owner is None or not isinstance(each.target, ast.Name):
            return None
        name = each.target.id
        if not _names(node.key, name):
            return None
        model = self._model(owner, scope)
        held = self._columns(model, node.value, name) if model is not None else {}
        if model is None or not held:
            return None
        left = self._left_out(each.ifs, name, scope)
        kept = {column: schema for column, schema in held.items() if column not in (left or ())}
        made: Schema = {"type": "object", "properties": kept}
        if left is None:
            return normalise(made)
        made["required"] = sorted(kept)
        return normalise({**made, "x-complete": True} if self._is_whole(model) else made)

    def _model(self, node: ast.Name, scope: Scope) -> ClassTarget | None:
        """The model whose columns are meant: of the object whose method is being read, where that is known."""
        target = self._program.resolve(node, scope)
        given = self._stores.owner(target) if isinstance(target, ParameterTarget) else None
        found = self._of_class(*given) if given is not None else None
        found = found if isinstance(found, ClassTarget) else self._of_class(node, scope)
        return found if isinstance(found, ClassTarget) else None

    def _columns(self, model: ClassTarget, value: ast.expr, name: str) -> dict[str, Schema]:
        """The columns of a model as `value` gives each; none where one of them has another name in its table."""
        from ingest.web.marshmallow.columns import columns_of

        found: dict[str, Schema] = {}
        for column in columns_of(self._stores.instances, model, foreign=True):
            first = column.node.args[0] if isinstance(column.node, ast.Call) and column.node.args else None
            if isinstance(first, ast.Constant) and first.value != column.name:
                return {}
            held = column_schema(self._stores.instances, column.node, model.body) or unknown(BY_HAND)
            found[column.name] = {"type": "string"} if _as_text(value, name) else held
            if not (_as_text(value, name) or _taken(value, name)):
                found[column.name] = unknown(BY_HAND)
        return found

    def _left_out(self, tests: list[ast.expr], name: str, scope: Scope) -> set[str] | None:
        """The columns that the tests of a comprehension leave out; None where that cannot be known."""
        found: set[str] = set()
        for test in tests:
            match test:
                case ast.Compare(left=left, ops=[ast.NotEq() | ast.NotIn() as how], comparators=[other]):
                    value = constant(self._program, other, scope)
                    names = value if isinstance(how, ast.NotIn) else [value]
                    listed = isinstance(names, list | tuple) and all(isinstance(n, str) for n in names)
                    if not _names(left, name) or not listed or not isinstance(names, list | tuple):
                        return None
                    found |= {str(each) for each in names}
                case _:
                    return None
        return found

    def _is_whole(self, model: ClassTarget) -> bool:
        """Whether all that a model inherits columns from is seen: SQLAlchemy's own bases have none."""
        owners = [each for each in self._program.ancestry(model) if isinstance(each, ClassTarget)]
        return all(self._is_seen(base, owner.scope) for owner in owners for base in owner.node.bases)

    def _is_seen(self, node: ast.expr, scope: Scope) -> bool:
        found = self._program.resolve(node, scope)
        if isinstance(found, External):
            return found.root in _SQLALCHEMY
        return isinstance(found, ClassTarget) or (isinstance(node, ast.Attribute) and node.attr == "Model")


def _owner(node: ast.expr) -> ast.Name | None:
    """The object whose columns an expression lists."""
    listing = any(
        (isinstance(each, ast.Attribute) and each.attr in _TABLES)
        or (isinstance(each, ast.Call) and _last(each.func) in _INSPECTING)
        for each in nodes_of(node)
    )
    names = [
        each
        for each in nodes_of(node)
        if isinstance(each, ast.Name) and each.id not in _INSPECTING | {"type", "db", "sa", "sqlalchemy"}
    ]
    return names[0] if listing and len(names) == 1 else None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _names(node: ast.expr, name: str) -> bool:
    """Whether an expression is the name of the column that a round has: `c.name`, `str(c.key)`, or `c` itself."""
    match node:
        case ast.Attribute(value=ast.Name(id=each), attr=attr):
            return each == name and attr in _NAMES
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return _names(inner, name)
        case ast.Name(id=each):
            return each == name
    return False


def _taken(node: ast.expr, name: str) -> bool:
    """Whether an expression is what a row holds in the column: `getattr(self, c.name)`."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, key, *_], keywords=[]):
            return _names(key, name)
    return False


def _as_text(node: ast.expr, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return _taken(inner, name)
    return False
