"""The uses of a request in one function that holds it: what is taken of it, and to whom it is handed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from graph.schema_algebra import Schema, unknown
from ingest.web.async_items import Items
from ingest.web.async_values import AsyncValues, is_loads, is_test
from ingest.web.bindings import Bound, parameters
from ingest.web.calls import is_static
from ingest.web.flask_models import BodyModels
from ingest.web.flask_nodes import FLAG, is_flag, value_of
from ingest.web.flask_reading import Field, Reading, field_of, follow
from ingest.web.flows import Flows
from ingest.web.instances import Instances
from ingest.web.operations import Parameter
from ingest.web.program import Program
from ingest.web.request_words import Vocabulary
from ingest.web.scopes import Scope
from ingest.web.specialised import called_by
from ingest.web.targets import External, FunctionTarget

_OWN_HEADERS = frozenset({"authorization", "content-type", "accept"})


class Reader(Protocol):
    """What a walk needs of the reader that begins it."""

    program: Program
    instances: Instances
    vocabulary: Vocabulary
    models: BodyModels


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of all functions that serve one operation; `giving` takes those that give the body back."""

    values: AsyncValues
    handed: dict[ast.Call, FunctionTarget]
    certain: set[ast.AST]
    flows: Flows
    giving: list[FunctionTarget]
    handler: ast.AST


class Walk:
    """The uses of the request in one function, where it has this name."""

    def __init__(
        self,
        owner: Reader,
        reading: Reading,
        function: FunctionTarget,
        name: str,
        around: Around,
    ) -> None:
        self.around = around
        self.flows = around.flows
        self.values = around.values
        self.program = owner.program
        self.instances = owner.instances
        self.words = owner.vocabulary
        self.models = owner.models
        self.reading = reading
        self.function = function
        self.scope: Scope = function.body
        self.name = name
        self.certain = around.certain
        self.parents: dict[ast.AST, ast.AST] = {}
        self.passed: list[tuple[FunctionTarget, str]] = []
        self.items = Items(owner.program, self.parents, self.scope, self.certain)

    def walk(self) -> None:
        """Reads all uses of the request and of what holds parts of it."""
        body = self.function.node.body
        stack: list[ast.AST] = list(body) if isinstance(body, list) else [body]
        while stack:
            parent = stack.pop()
            for child in ast.iter_child_nodes(parent):
                self.parents[child] = parent
                stack.append(child)
        for node in list(self.parents):
            if self._is_request(node):
                self._use(node)
        held = {
            name: part
            for (owner, name), part in self.around.values.aliases.items()
            if owner is self.function.node
        }
        for node in list(self.parents):
            if isinstance(node, ast.Name) and node.id in held and isinstance(node.ctx, ast.Load):
                outer = self.parents.get(node)
                if not isinstance(outer, ast.UnaryOp | ast.If | ast.BoolOp) and not is_test(outer, node):
                    (self._form_field if held[node.id].place == "form" else self._json_field)(node)

    def convert(self) -> None:
        """Notes which values are always turned into a number or a day, wherever that happens."""
        for node in self.parents:
            if isinstance(node, ast.Call) and node in self.certain:
                part = self.values.formed(node, self.scope) or self.values.of(node, self.scope)
                if part is not None and (part.form or part.type in ("integer", "number")):
                    self.reading.convert(part)

    def _is_request(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return bool(self.name) and node.id == self.name and isinstance(node.ctx, ast.Load)
        return self.words.is_owned(node) and self.function.scope.is_class

    def _use(self, node: ast.AST) -> None:
        outer = self.parents.get(node)
        if isinstance(outer, ast.Attribute):
            self._attribute(outer)
        elif isinstance(outer, ast.Call | ast.keyword):
            self._given(node, outer)
        elif not isinstance(outer, ast.Subscript):
            self._unclear()

    def _attribute(self, node: ast.Attribute) -> None:
        if node.attr in self.words.urls:
            inner = self.parents.get(node)
            if isinstance(inner, ast.Attribute) and inner.attr == "query":
                self._each(inner, self._mapping("query"))
        elif node.attr in self.words.mappings:
            self._each(node, self._mapping(self.words.mappings[node.attr]))
        elif node.attr in (self.words.json, self.words.form) and isinstance(self.parents.get(node), ast.Call):
            self._body(node, self.parents[node])
        elif node.attr == self.words.content:
            self._loaded(node)
        elif node.attr in self.words.raw and self._decoded(node):
            return
        elif node.attr in self.words.raw:
            self.reading.complete = False
            self.reading.guarded = self.reading.guarded or node.attr in self.words.credentials
        elif node.attr in self.words.credentials:
            self.reading.guarded = True

    def _given(self, node: ast.AST, outer: ast.AST) -> None:
        """The request is handed to another function."""
        call = self.parents.get(outer) if isinstance(outer, ast.keyword) else outer
        called = called_by(self.instances, call, self.scope) if isinstance(call, ast.Call) else None
        if isinstance(called, FunctionTarget) and isinstance(call, ast.Call):
            names = [argument_node.arg for argument_node, _ in parameters(called.node)]
            if called.scope.is_class and not is_static(called):
                names = names[1:]
            if isinstance(outer, ast.keyword):
                self.passed.append((called, outer.arg or ""))
                return
            position = call.args.index(node) if node in call.args else len(names)
            if position < len(names):
                self.passed.append((called, names[position]))
                return
        rendered = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute | ast.Name)
        name = getattr(call.func, "attr", getattr(call.func, "id", "")) if isinstance(call, ast.Call) else ""
        if not (rendered and (name == "TemplateResponse" or name.startswith("render"))):
            self._unclear()

    def _each(self, node: ast.AST, consume: Callable[[ast.AST], None]) -> None:
        """Gives every use of a value to `consume`: the value itself, or the variable that holds it."""
        outer = self.parents.get(node)
        held = isinstance(outer, ast.Assign) and outer.value is node and len(outer.targets) == 1
        target = outer.targets[0] if held and isinstance(outer, ast.Assign) else None
        known = Bound.VALUE
        if isinstance(outer, ast.withitem) and outer.context_expr is node:
            target, known = outer.optional_vars, Bound.OTHER
        bindings = self.scope.bindings.get(target.id, []) if isinstance(target, ast.Name) else []
        if not isinstance(target, ast.Name) or len(bindings) != 1 or bindings[0].how is not known:
            consume(node)
            return
        for use in list(self.parents):
            if isinstance(use, ast.Name) and use.id == target.id and isinstance(use.ctx, ast.Load):
                around = self.parents.get(use)
                if not isinstance(around, ast.UnaryOp | ast.If | ast.BoolOp) and not is_test(around, use):
                    consume(use)

    def _mapping(self, where: str) -> Callable[[ast.AST], None]:
        """Notes one value that is taken from the query, the headers, the cookies or a form that is there already."""
        if where in ("form", "file"):
            self.reading.files = self.reading.files or where == "file"
            return self._form_field

        def consume(node: ast.AST) -> None:
            for _ in self.items.keys.rounds(node):
                one(node)

        def one(node: ast.AST) -> None:
            name, schema, required = self.items.of(node, {"type": "string"})
            if name is None and where == "path":
                return
            if name is None:
                self.reading.complete = False
                self.reading.guarded = self.reading.guarded or where != "query"
                return
            if where == "header" and name.lower() in _OWN_HEADERS:
                self.reading.guarded = self.reading.guarded or name.lower() == "authorization"
                return
            taken = value_of(node, self.parents)
            if taken is not None and is_flag(taken, self.parents):
                schema, required = FLAG, False
            found = Parameter(where, name, required, schema, self.program.place(node, self.scope))
            self._flow(found.key, node)
            old = self.reading.parameters.get(found.key)
            if old is not None:
                required = (
                    True if True in (required, old.required) else required if old.required is None else False
                )
                known = old.schema if old.schema.get("type") not in (None, "string") else schema
                found = Parameter(where, old.name, required, known, old.source)
            self.reading.parameters[found.key] = found

        return consume

    def _loaded(self, node: ast.Attribute) -> None:
        """The bytes of the body, which `json.loads(request.body)` reads as JSON."""
        call = self.parents.get(node)
        if (
            not isinstance(call, ast.Call)
            or call.args != [node]
            or not is_loads(self.program, call, self.scope)
        ):
            self.reading.complete = False
            return
        self._body(node, call)

    def _decoded(self, node: ast.Attribute) -> bool:
        """Reads the bytes of the body where they become JSON or a model on the spot; false where they do not."""
        whole: ast.AST | None = self.parents.get(node)
        outer = self.parents.get(whole) if isinstance(whole, ast.Call) else None
        if isinstance(outer, ast.Await):
            whole, outer = outer, self.parents.get(outer)
        if not isinstance(outer, ast.Call) or outer.args[:1] != [whole]:
            return False
        schema = self.models.of_text(outer, self.scope)
        if schema is None and not is_loads(self.program, outer, self.scope):
            return False
        self.reading.json_at = self.reading.json_at or self.program.place(node, self.scope)
        self.reading.json_optional = self.reading.json_optional or node not in self.certain
        if schema is None:
            self._each(outer, self._json_field)
        else:
            self._modelled(schema)
        return True

    def _modelled(self, schema: Schema) -> None:
        several = self.reading.model is not None and self.reading.model != schema
        self.reading.model = unknown("several models are made of the body") if several else schema

    def _body(self, node: ast.Attribute, whole: ast.AST) -> None:
        """One call of `request.json()`, or of what reads a form: `whole`."""
        if isinstance(self.parents.get(whole), ast.Await):
            whole = self.parents[whole]
        place = self.program.place(node, self.scope)
        if node.attr == self.words.form:
            self.reading.form_at = self.reading.form_at or place
            self._each(whole, self._form_field)
            return
        self.reading.json_at = self.reading.json_at or place
        self.reading.json_optional = self.reading.json_optional or node not in self.certain
        self._each(whole, self._json_field)

    def _form_field(self, node: ast.AST) -> None:
        for _ in self.items.keys.rounds(node):
            self._one_of_form(node)

    def _one_of_form(self, node: ast.AST) -> None:
        name, schema, required = self.items.of(node, unknown("text or a file"))
        self.reading.form_at = self.reading.form_at or self.program.place(node, self.scope)
        self._flow(f"form.{name or ''}", node)
        if name is None:
            self.reading.form_whole = True
        else:
            old = self.reading.form.get(name)
            needed = required or (old.required if old is not None else required)
            self.reading.form[name] = Field(schema, needed, self.program.place(node, self.scope))

    def _json_field(self, node: ast.AST) -> None:
        if self._is_passed(node) or self._is_handed(node):
            return
        schema = self.models.made_of(node, self.parents, self.scope)
        if schema is not None:
            self._modelled(schema)
            return
        for _ in self.items.keys.rounds(node):
            self._one_of_json(node)

    def _one_of_json(self, node: ast.AST) -> None:
        name, schema, required = self.items.of(node, {})
        self._flow(f"json.{name or ''}", node)
        if name is None:
            self.reading.json_whole = True
            return
        old = self.reading.fields.get(name)
        place = old.place if old else self.program.place(node, self.scope)
        found = field_of(schema.get("default"), place, required or (old.required if old else required))
        self.reading.fields[name] = found

    def _is_passed(self, node: ast.AST) -> bool:
        """Whether the whole body is only looked at (`isinstance(data, dict)`), or given back to whoever called."""
        outer = self.parents.get(node)
        if isinstance(outer, ast.Return) and self.name and self.function.node is not self.around.handler:
            self.around.giving.append(self.function)
            return True
        named = outer.func if isinstance(outer, ast.Call) and outer.args[:1] == [node] else None
        return isinstance(named, ast.Name) and self.program.resolve(named, self.scope) == External(
            "builtins.isinstance"
        )

    def _is_handed(self, node: ast.AST) -> bool:
        """Whether the whole body is given to a function of the project, in which it is read."""
        outer = self.parents.get(node)
        call = self.parents.get(outer) if isinstance(outer, ast.keyword | ast.Await) else outer
        return isinstance(call, ast.Call) and call in self.around.handed

    def given_back(self, function: FunctionTarget) -> None:
        """Reads what becomes here of the body that a function gives back."""
        for node in list(self.parents):
            if not isinstance(node, ast.Call):
                continue
            called = called_by(self.instances, node, self.scope)
            if isinstance(called, FunctionTarget) and called.node is function.node:
                outer = self.parents.get(node)
                self._each(outer if isinstance(outer, ast.Await) else node, self._json_field)

    def _flow(self, key: str, node: ast.AST) -> None:
        """Follows the value that is taken from a mapping; the mapping itself where no name is given."""
        follow(self.reading.fates, self.flows, key, node, self.parents, self.function)

    def _unclear(self) -> None:
        self.reading.complete = False
        self.reading.guarded = True
