"""Who only keeps the values that it is given: data classes, rows of a database, lists, queries that look for one."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.queried import Queried, is_mapped
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.schemas.sqlalchemy_columns import held_type
from ingest.web.syntax.bindings import Bound, Function
from ingest.web.syntax.flow_words import LOOKUPS
from ingest.web.syntax.naming import last_name, uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of
from ingest.web.values.instances import PLAIN, Instances

_CHECKED = frozenset({"validates", "CheckConstraint", "__setattr__", "listens_for"})
_ASKS = frozenset(
    {
        "like",
        "ilike",
        "contains",
        "icontains",
        "startswith",
        "istartswith",
        "endswith",
        "any",
        "has",
        "in_",
        "is_",
    }
)


def looks_up(call: ast.Call, called: object, function: FunctionTarget) -> bool:
    """Whether a call looks for rows of one of Django's models (`Book.objects.filter(…)`)."""
    if isinstance(called, External) and called.root != "django":
        return False
    if isinstance(called, External) and called.name in ("get_object_or_404", "aget_object_or_404"):
        return True
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in LOOKUPS:
        return False
    chain: list[ast.AST] = [call.func.value]
    for part in ast.walk(call.func.value):
        if isinstance(part, ast.Name):
            chain += [b.value for b in function.body.bindings.get(part.id, []) if b.value is not None]
    return any(
        isinstance(part, ast.Attribute) and part.attr == "objects"
        for each in chain
        for part in ast.walk(each)
    )


def asks_a_column(call: ast.Call, program: Program, scope: Scope) -> bool:
    """Whether a column of SQLAlchemy's is compared (`Book.title.ilike(word)`, `filter_by(title=word)`)."""
    if not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr == "filter_by":
        return bool(program.importers_named(("sqlalchemy", "flask_sqlalchemy")))
    owner = call.func.value
    if call.func.attr not in _ASKS or not isinstance(owner, ast.Attribute):
        return False
    table = program.resolve(owner.value, scope)
    return isinstance(table, ClassTarget) and is_mapped(program, table)


def only_holds(owner: ClassTarget) -> bool:
    """Whether making an instance only keeps what is given: a dataclass, a named tuple or a typed dictionary."""
    names = {last_name(part) for part in _said(owner)}
    methods = {part.name for part in owner.node.body if isinstance(part, Function)}
    known = names <= {"dataclass", "dataclasses", "NamedTuple", "TypedDict", "frozen", "total", "slots"}
    return (
        bool(names & {"dataclass", "NamedTuple", "TypedDict"})
        and known
        and not methods
        & {
            "__post_init__",
            "__init__",
            "__new__",
            "__setattr__",
        }
    )


def is_row(program: Program, owner: ClassTarget) -> bool:
    """Whether a class is a table of SQLAlchemy's."""
    return is_mapped(program, owner) or any(
        isinstance(base, External) and base.root in ("sqlalchemy", "flask_sqlalchemy")
        for base in program.ancestry(owner)
    )


def keeper(instances: Instances, node: ast.expr, scope: Scope) -> ClassTarget | External | None:
    """The class of an object that is given a value: also of a row that a query gave."""
    made = instances.of(node, scope)
    queried = Queried(instances.program, instances.callee, lambda name, place: None, list)
    return made if isinstance(made, ClassTarget) else queried.one(node, scope) or made


def held_by_row(instances: Instances, owner: ClassTarget, name: str) -> tuple[str, bool] | None:
    """The type of a row's column that takes what it is given as it is, and whether its length is limited.

    None where something else decides about it: a validator, a property, a check of the table.
    """
    for base in instances.program.ancestry(owner):
        if isinstance(base, ClassTarget) and _CHECKED & _named(base.node):
            return None
    found = instances.program.class_member(owner, name) if name else None
    return held_type(instances, found.node, found.scope) if isinstance(found, ValueTarget) else None


def _named(node: ast.AST) -> set[str]:
    """The names that stand anywhere in a class."""
    parts = list(ast.walk(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return names | {part.attr for part in parts if isinstance(part, ast.Attribute)}


def is_container(node: ast.expr, instances: Instances, scope: Scope) -> bool:
    """Whether an expression is surely a list, a dictionary or a set of Python's own."""
    owner = instances.of(node, scope)
    if owner == PLAIN or (isinstance(owner, External) and owner.root in ("builtins", "collections")):
        return True
    bindings = scope.bindings.get(node.id, []) if isinstance(node, ast.Name) else []
    return bool(bindings) and all(
        binding.how is Bound.VALUE
        and binding.value is not None
        and isinstance(binding.value, ast.Dict | ast.List | ast.Set)
        for binding in bindings
    )


def is_set(owner: ClassTarget, name: str) -> bool:
    """Whether a function of the class runs when this attribute is set."""
    return any(isinstance(part, Function) and part.name == name for part in owner.node.body)


def _said(owner: ClassTarget) -> list[ast.expr]:
    decorators = [uncalled(d) for d in owner.node.decorator_list]
    return [*decorators, *owner.node.bases]


def is_given_on(container: ast.expr, function: FunctionTarget, functions: Sequence[FunctionTarget]) -> bool:
    """Whether a helper gives a container of its own to who called it, and so to what may check what it holds; the first
    of the functions is no helper."""
    if functions and function.node is functions[0].node:
        return False
    return isinstance(container, ast.Name) and any(
        isinstance(part, ast.Name) and part.id == container.id
        for value, _ in returned(function)
        for part in nodes_of(value)
    )
