"""The fields that a class body declares, as they stand in its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import msgspec

from graph.facts import Location
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, unsubscripted
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

_FIRST = re.compile(
    r"\borm_mode\b|@validator\b|@root_validator\b|__root__|allow_population_by_field_name|pydantic\.v1"
)
_SECOND = re.compile(
    r"\bmodel_config\b|\bfield_validator\b|\bmodel_validator\b|\bConfigDict\b|\bRootModel\b|\bcomputed_field\b"
    r"|\bpydantic_settings\b|\.model_dump\b|\.model_validate\b|\bfrom_attributes\b|\bfield_serializer\b"
)
SERIALIZED = "a serializer gives the value another form"


class FieldText(msgspec.Struct, frozen=True):
    """One declared field: its annotation and default as source; `named` tells that JSON calls it by this very name."""

    name: str
    annotation: ast.expr
    default: ast.expr | None
    place: Location
    computed: bool = False
    total: bool = True
    unread: str = ""
    named: bool = False


def is_first_pydantic(program: Program) -> bool:
    """Whether the project's code runs with Pydantic 1: its environment has that, or where it has none, the code uses
    what only 1 knows, and nothing of 2."""

    def judged() -> bool:
        if version := program.outside.version("pydantic"):
            return version.startswith("1.")
        texts = [program.text(name) for name in program.importers_named(["pydantic", "sqlmodel"])]
        return any(map(_FIRST.search, texts)) and not any(map(_SECOND.search, texts))

    return program.remember(("first pydantic",), judged)


def fields_of(
    program: Program, target: ClassTarget, typed_dict: bool, private: bool = False
) -> Iterator[FieldText]:
    """The fields that this class itself declares, in source order; `private` ones count where that is said."""
    total = not any(
        k.arg == "total" and isinstance(k.value, ast.Constant) and k.value.value is False
        for k in target.node.keywords
    )
    written = serialized(program, target)
    for statement in target.node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            if _is_field(program, statement, name, target.body, private):
                place = program.place(statement, target.scope)
                unread = SERIALIZED if name in written or "*" in written else ""
                yield FieldText(
                    name,
                    statement.annotation,
                    None if typed_dict else statement.value,
                    place,
                    False,
                    total,
                    unread,
                )
        elif isinstance(statement, Function) and (computed := _computed(program, statement, target)):
            yield computed


def withdrawn(program: Program, target: ClassTarget) -> Iterator[str]:
    """The names that a class makes attributes of its own again, whatever its bases say."""
    for statement in target.node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            inner = program.resolve(unsubscripted(statement.annotation), target.body)
            if isinstance(inner, External) and inner.name == "ClassVar":
                yield statement.target.id


def _is_field(program: Program, statement: ast.AnnAssign, name: str, scope: Scope, private: bool) -> bool:
    hidden = name.startswith("__" if private else "_")
    if name == "model_config" or (hidden and name != "__root__"):
        return False
    inner = program.resolve(unsubscripted(statement.annotation), scope)
    if isinstance(inner, External) and inner.name in ("ClassVar", "PrivateAttr", "KW_ONLY"):
        return False
    if isinstance(statement.value, ast.Call):
        made = program.resolve(statement.value.func, scope)
        return not (isinstance(made, External) and made.name in ("Relationship", "PrivateAttr"))
    return True


def serialized(program: Program, target: ClassTarget) -> set[str]:
    """The fields that a class gives another form in answers, `*` for every one."""
    names: set[str] = set()
    for statement in target.node.body:
        if isinstance(statement, Function):
            for call in statement.decorator_list:
                if (
                    isinstance(call, ast.Call)
                    and _named(program, call.func, target.body) == "field_serializer"
                ):
                    values = [constant(program, argument, target.body) for argument in call.args]
                    names.update("*" if isinstance(value, Missing) else str(value) for value in values)
    return names


def _computed(
    program: Program, node: ast.FunctionDef | ast.AsyncFunctionDef, target: ClassTarget
) -> FieldText | None:
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        if _named(program, call.func if call else decorator, target.body) == "computed_field":
            annotation = (
                argument(call, None, "return_type") or node.returns or ast.Name("Any", ast.Load(), lineno=1)
            )
            name = constant(program, argument(call, None, "alias"), target.body)
            place = program.place(node, target.scope)
            named = isinstance(name, str)
            return FieldText(
                str(name) if named else node.name, annotation, None, place, computed=True, named=named
            )
    return None


def decorated(
    program: Program, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, name: str
) -> bool:
    """Whether a method has a decorator of Pydantic's of this name."""
    return any(_named(program, uncalled(d), scope) == name for d in node.decorator_list)


def _named(program: Program, node: ast.expr, scope: Scope) -> str:
    target = program.resolve(node, scope)
    return target.name if isinstance(target, External) and target.root == "pydantic" else ""
