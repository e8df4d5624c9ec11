"""The uses of the forms of a Flask request in one function: the fields and files that are taken of them."""

from __future__ import annotations

import ast
from collections.abc import Set
from typing import Protocol

from graph.schema_algebra import Schema
from ingest.web.program.handler_nodes import is_question
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.requests.flows import Flows
from ingest.web.requests.items import Items
from ingest.web.requests.models import BodyModels
from ingest.web.requests.parts import put_in
from ingest.web.requests.passing import is_asked
from ingest.web.requests.read_fields import Field
from ingest.web.requests.reading import Reading, follow
from ingest.web.requests.returned_bodies import is_returned
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.scopes import Scope

AFTER = 1_000_000_000
"""A line behind all others."""


class Reader(Protocol):
    """What is needed of the reader that begins with a function."""

    program: Program
    values: RequestValues
    models: BodyModels


class FormUses:
    """What one function does with forms.

    `certain` are the expressions that each accepted request passes, `handed` the calls that are given the whole body,
    `giving` the functions that give it back.
    """

    def __init__(
        self,
        reader: Reader,
        reading: Reading,
        function: FunctionTarget,
        certain: set[ast.AST],
        flows: Flows,
        handed: dict[ast.Call, FunctionTarget],
        giving: Set[ast.AST] = frozenset(),
    ) -> None:
        self.flows = flows
        self.giving = giving
        self.handed = handed
        self.function = function
        self.program = reader.program
        self.values = reader.values
        self.models = reader.models
        self.reading = reading
        self.scope: Scope = function.body
        self.node = function.node
        self.certain = certain
        self.parents: dict[ast.AST, ast.AST] = {}
        self.items = Items(reader.program, {}, function.body, certain)

    def form(self, node: ast.Attribute) -> None:
        """One use of `request.form` or `request.files`."""
        whole, name = self._held(node)
        if not name and is_asked(whole, self.parents):
            return
        if not name and self.node in self.giving and is_returned(whole, self.parents):
            # A helper gives the body back, be it JSON or a form.
            self.reading.either = True
            self.reading.form_at = self.reading.form_at or self.program.place(node, self.scope)
            return
        taken = ast.Name(name, ast.Load(), lineno=AFTER, end_lineno=AFTER) if name else whole
        part = self.values.of(taken, self.scope) if isinstance(taken, ast.expr) else None
        if part is not None and not part.name and part.place == "json":
            # One variable holds the body, be it JSON or a form: what is taken of it is read where that is named.
            self.reading.either = True
            self.reading.form_at = self.reading.form_at or self.program.place(node, self.scope)
            return
        uses = self._loads(name) if name and part is not None and not part.name else [node]
        for use in uses:
            for _ in self.items.keys.rounds(use):
                self._form_field(use, node.attr)

    def _held(self, node: ast.expr) -> tuple[ast.AST, str]:
        """The whole expression that gives a form as it is (`request.form.to_dict()`), and the name that it is given."""
        whole: ast.AST = node
        outer = self.parents.get(whole)
        while isinstance(outer, ast.BoolOp | ast.IfExp) or (
            isinstance(outer, ast.Attribute | ast.Call) and self._is_whole(outer)
        ):
            if isinstance(outer, ast.IfExp) and outer.test is whole:
                break
            whole, outer = outer, self.parents.get(outer)
        if (
            isinstance(outer, ast.Assign)
            and len(outer.targets) == 1
            and isinstance(outer.targets[0], ast.Name)
        ):
            return whole, outer.targets[0].id
        if put_in(outer) is whole:
            return whole, self._owner(outer)
        return whole, ""

    @staticmethod
    def _owner(call: ast.AST | None) -> str:
        """The name of the object whose method is called."""
        function = call.func if isinstance(call, ast.Call) else None
        owner = function.value if isinstance(function, ast.Attribute) else None
        return owner.id if isinstance(owner, ast.Name) else ""

    def _is_whole(self, node: ast.Attribute | ast.Call) -> bool:
        """Whether an expression is still all of the body: a copy of it, or the method that makes one."""
        call = self.parents.get(node) if isinstance(node, ast.Attribute) else node
        part = self.values.of(call, self.scope) if isinstance(call, ast.Call) else None
        return part is not None and not part.name

    def _loads(self, name: str) -> list[ast.Name]:
        return [
            node
            for node in self.parents
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ]

    def flow(self, key: str, node: ast.AST) -> None:
        """Follows the value that is taken from a mapping; the mapping itself where no name is given."""
        follow(self.reading.fates, self.flows, key, node, self.parents, self.function)

    def _form_field(self, node: ast.Attribute | ast.Name, where: str) -> None:
        name, schema, required = self.items.of(node, {"type": "string"})
        self.flow(f"form.{name or ''}", node)
        self.reading.files = self.reading.files or where == "files"
        place = self.program.place(node, self.scope)
        self.reading.form_at = self.reading.form_at or place
        if name is None and isinstance(node, ast.Name) and self._only_asks(node):
            return
        if name is None:
            self.reading.form_whole = True
            return
        if where == "files":
            file: Schema = {"type": "string", "format": "binary"}
            schema = {"type": "array", "items": file} if schema.get("type") == "array" else file
        old = self.reading.form.get(name)
        self.reading.form[name] = Field(schema, required or (old.required if old else required), place)

    def _only_asks(self, node: ast.Name) -> bool:
        """Whether a use of a form takes nothing of it: `"title" in form`, `not form`."""
        outer = self.parents.get(node)
        return isinstance(outer, ast.UnaryOp | ast.If | ast.BoolOp | ast.IfExp) or is_question(outer, node)
