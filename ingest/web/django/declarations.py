"""The columns that the classes of Django's models declare, their own and inherited ones."""

from __future__ import annotations

import ast
from typing import Final

from msgspec.structs import replace

from graph.facts import Json
from ingest.web.constants.constants import constant
from ingest.web.django.columns import GENERATED, PLAIN, RELATIONS
from ingest.web.django.made_columns import set_by_class
from ingest.web.django.tables import Column, Table, outside
from ingest.web.program.calls import has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, Target, ValueTarget

_NO_COLUMNS: Final = frozenset({"GenericForeignKey"})
"""What looks like a column and is only a way to other rows, kept in columns of their own."""
_MADE_OF_OTHERS: Final = frozenset({"ArrayField", GENERATED})
_COLUMN_OPTIONS: Final = frozenset(
    {"null", "blank", "max_length", "help_text", "verbose_name", "editable", "unique", "db_index"}
)
_FORMING: Final = frozenset({"from_db_value", "to_python", "formfield", "value_to_string"})
_MONEY: Final = ("djmoney", "MoneyField")
"""A column that brings another one for the currency."""


class TableReader:
    """Reads the model classes of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def of(self, model: ClassTarget) -> Table:
        """All columns of a model, its own and inherited ones."""
        columns: dict[str, Column] = {}
        complete = True
        for base in reversed(self.program.ancestry(model)):
            if isinstance(base, ClassTarget):
                for column in self._own(base):
                    columns.pop(column.name, None)
                    columns[column.name] = column
                for name in _removed(base):
                    columns.pop(name, None)
            elif base is None:
                complete = False
            elif base.root != "builtins":
                found = outside(base, self.program.place(model.node, model.scope))
                complete = complete and found is not None
                columns.update(found or {})
        return Table(columns, complete)

    def inner(self, column: Column, keyword: str, position: int | None = None) -> Column | None:
        """The column that another one is made of; None where it is made of none that can be seen."""
        node, scope = column.given(keyword, position), column.scope
        if not isinstance(node, ast.Call) or scope is None or has_stars(node):
            return None
        made = self.program.resolve(node.func, scope)
        if (kind := self._kind(made)) is None:
            return None
        kind, fixed = self._set(kind, made, node)
        return Column(column.name, kind, column.place, node, scope, fixed)

    def _set(self, kind: str, made: Target | None, call: ast.Call) -> tuple[str, dict[str, Json]]:
        """The kind of a column with what its class sets by itself; none where that class may do more."""
        fixed = set_by_class(self.program, made, call) if isinstance(made, ClassTarget) else {}
        return (kind if fixed is not None or kind in RELATIONS else "", fixed or {})

    def _own(self, model: ClassTarget) -> list[Column]:
        found = []
        for statement in model.node.body:
            value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
            named = (
                statement.targets[0]
                if isinstance(statement, ast.Assign)
                else getattr(statement, "target", None)
            )
            if isinstance(named, ast.Name) and isinstance(value, ast.IfExp):
                place = self.program.place(statement, model.scope)
                found.append(Column(named.id, "", place, scope=model.body))
            if not isinstance(named, ast.Name) or not isinstance(value, ast.Call):
                continue
            made = self.program.resolve(value.func, model.body)
            kind = "" if _is_of_made_class(made, value) else self._kind(made)
            if isinstance(made, External) and (made.root, made.name) == _MONEY:
                beside = Column(f"{named.id}_currency", "", self.program.place(statement, model.scope))
                found.append(replace(beside, fixed={"default": None}))
            if kind is not None and not has_stars(value):
                place = self.program.place(statement, model.scope)
                kind, fixed = self._set(kind, made, value)
                found.append(Column(named.id, kind, place, value, model.body, fixed))
            elif kind is not None:
                found.append(
                    Column(named.id, "", self.program.place(statement, model.scope), value, model.body)
                )
        return found

    def _kind(self, made: Target | None) -> str | None:
        """The name of the class of a column; empty for one that is not known, None for what is no column."""
        owners = (
            [made]
            if isinstance(made, External)
            else self.program.ancestry(made)
            if isinstance(made, ClassTarget)
            else []
        )
        for owner in owners:
            if (
                isinstance(owner, External)
                and owner.root == "django"
                and (owner.name in PLAIN or owner.name in RELATIONS or owner.name in _MADE_OF_OTHERS)
            ):
                plain = owner is made or owner.name in RELATIONS
                return owner.name if plain or not any(map(_forms_values, owners)) else ""
        last = owners[0] if owners else None
        if isinstance(last, External) and last.name in _NO_COLUMNS:
            return None
        if isinstance(last, External) and last.name.endswith(("Field", "Key")):
            return ""
        based = any(isinstance(o, External) and o.dotted.endswith(".Field") for o in owners)
        return "" if based or (isinstance(last, ClassTarget) and last.node.name.endswith("Field")) else None


def is_marked(program: Program, model: ClassTarget, flag: str) -> bool:
    """Whether the `Meta` in the body of a model says that it is `abstract`, or a `proxy`."""
    if not any(getattr(statement, "name", "") == "Meta" for statement in model.node.body):
        return False
    meta = program.class_member(model, "Meta")
    said = program.class_member(meta, flag) if isinstance(meta, ClassTarget) else None
    return isinstance(said, ValueTarget) and constant(program, said.node, said.scope) is True


def _is_of_made_class(made: Target | None, call: ast.Call) -> bool:
    """Whether a call makes a column by a class that a function gives: `get_field_class()(null=True)`."""
    unseen = made is None or (isinstance(made, ValueTarget) and isinstance(made.node, ast.Call))
    return unseen and any(keyword.arg in _COLUMN_OPTIONS for keyword in call.keywords)


def _removed(model: ClassTarget) -> list[str]:
    """The names that a model takes away by binding them to None."""
    return [
        statement.targets[0].id
        for statement in model.node.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and is_none(statement.value)
    ]


def _forms_values(owner: Target | None) -> bool:
    """Whether a class of columns of the project's own gives its values another form than its base does."""
    body = owner.node.body if isinstance(owner, ClassTarget) else []
    return not _FORMING.isdisjoint(getattr(statement, "name", "") for statement in body)
