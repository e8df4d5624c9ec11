"""The uses of a request's body in one function: the fields that are taken of it, the models made of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Protocol

import msgspec
from msgspec.structs import replace

from graph.schema_algebra import Schema, unknown
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget
from ingest.web.requests.async_items import Items
from ingest.web.requests.async_values import AsyncValues, is_loads, is_test
from ingest.web.requests.flows import Flows
from ingest.web.requests.inner_fields import inner_of
from ingest.web.requests.mapping_items import is_own_entry, is_tidied
from ingest.web.requests.models import BodyModels
from ingest.web.requests.read_fields import Field, field_of, taken_too
from ingest.web.requests.reading import Reading, follow
from ingest.web.requests.request_words import Vocabulary
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances
from ingest.web.values.specialised import called_by

_OWN_HEADERS = frozenset({"authorization", "content-type", "accept"})


class Reader(Protocol):
    """What a walk needs of the reader that begins it."""

    program: Program
    instances: Instances
    vocabulary: Vocabulary
    models: BodyModels


class Around(msgspec.Struct, frozen=True):
    """What is known of all functions that serve one operation.

    `giving` takes those that give the body back, with the place that it has in the tuple that they give, if any.
    """

    values: AsyncValues
    handed: dict[ast.Call, FunctionTarget]
    certain: set[ast.AST]
    flows: Flows
    giving: list[tuple[FunctionTarget, int | None]]
    handler: ast.AST


class BodyUses:
    """What one function does with the body of a request, which has this name there."""

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
        self.names = self.values.aliases_of_request(self.scope, name)
        self.certain = around.certain
        self.parents: dict[ast.AST, ast.AST] = {}
        self.passed: list[tuple[FunctionTarget, str]] = []
        self.items = Items(owner.program, self.parents, self.scope, self.certain)

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
        self._named(target.id, consume)

    def _named(self, name: str, consume: Callable[[ast.AST], None]) -> None:
        """Gives every use of a variable to `consume`, but for questions whether it is there."""
        for use in list(self.parents):
            if isinstance(use, ast.Name) and use.id == name and isinstance(use.ctx, ast.Load):
                around = self.parents.get(use)
                if not isinstance(around, ast.UnaryOp | ast.If | ast.BoolOp) and not is_test(around, use):
                    consume(use)

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
        known = self.reading.model
        if known is None or known == schema:
            self.reading.model = schema
            return
        # What was checked by a schema that is written out is what a class is then made of.
        written = [each for each in (known, schema) if "$ref" not in each and each.get("type") == "object"]
        self.reading.model = (
            written[0] if len(written) == 1 else unknown("several models are made of the body")
        )

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
        own = is_own_entry(node, self.parents)
        if own:
            self._put_in(node)
            return
        name, schema, required = self.items.of(node, {})
        required = None if own is None else required
        self._flow(f"json.{name or ''}", node)
        if name is None:
            self.reading.json_whole = True
            return
        old = self.reading.fields.get(name)
        place = old.place if old else self.program.place(node, self.scope)
        found = field_of(schema.get("default"), place, required or (old.required if old else required))
        inner = inner_of(self.program, self.parents, self.scope, node, self.certain)
        self.reading.fields[name] = replace(found, inner=taken_too(old.inner if old else None, inner))

    def _put_in(self, node: ast.AST) -> None:
        """Notes the name of an entry that the code puts into the body: who sends the request may leave it out."""
        outer = self.parents.get(node)
        put = isinstance(outer, ast.Subscript) and isinstance(outer.ctx, ast.Store)
        if isinstance(outer, ast.Subscript) and put and not is_tidied(outer, self.parents):
            name = self.items.keys.text(outer.slice)
            self.reading.put_in |= {name} if name is not None else set()

    def _is_passed(self, node: ast.AST) -> bool:
        """Whether the whole body is only looked at (`isinstance(data, dict)`), or given back to whoever called."""
        outer = self.parents.get(node)
        holds = bool(self.name) or self.function.scope.is_class
        several = outer if isinstance(outer, ast.Tuple) else None
        returned = self.parents.get(several) if several is not None else outer
        if isinstance(returned, ast.Return) and holds and self.function.node is not self.around.handler:
            number = several.elts.index(node) if several is not None and isinstance(node, ast.expr) else None
            self.around.giving.append((self.function, number))
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

    def given_back(self, function: FunctionTarget, number: int | None) -> None:
        """Reads what becomes here of the body that a function gives back, at one place of a tuple or alone."""
        for node in list(self.parents):
            if not isinstance(node, ast.Call):
                continue
            called = called_by(self.instances, node, self.scope)
            if isinstance(called, FunctionTarget) and called.node is function.node:
                outer = self.parents.get(node)
                whole = outer if isinstance(outer, ast.Await) else node
                if number is None:
                    self._each(whole, self._json_field)
                else:
                    self._unpacked(whole, number)

    def _unpacked(self, whole: ast.AST, number: int) -> None:
        """Reads what becomes of one part of a tuple that a call gives: `body, problem = await read(request)`."""
        outer = self.parents.get(whole)
        target = outer.targets[0] if isinstance(outer, ast.Assign) and len(outer.targets) == 1 else None
        names = target.elts if isinstance(target, ast.Tuple) else []
        name = names[number] if number < len(names) else None
        if not isinstance(name, ast.Name) or len(self.scope.bindings.get(name.id, ())) != 1:
            self.reading.json_whole = True
            return
        self._named(name.id, self._json_field)

    def _flow(self, key: str, node: ast.AST) -> None:
        """Follows the value that is taken from a mapping; the mapping itself where no name is given."""
        follow(self.reading.fates, self.flows, key, node, self.parents, self.function)
