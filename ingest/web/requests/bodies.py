"""The uses of a Flask request's body in one function: the fields that are taken of it, the models made of it."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant
from ingest.web.program.calls import argument
from ingest.web.program.handler_nodes import is_question
from ingest.web.requests.fates import Fate
from ingest.web.requests.form_uses import AFTER, FormUses
from ingest.web.requests.inner_fields import inner_of
from ingest.web.requests.mapping_items import is_tidied
from ingest.web.requests.parts import are_bodies, put_in
from ingest.web.requests.passing import decoded, is_asked, only_passed
from ingest.web.requests.read_fields import field_of, taken_too
from ingest.web.requests.returned_bodies import is_returned, unpacked


class BodyUses(FormUses):
    """What one function does with the body of the request, which may be a form."""

    def json(self, node: ast.Attribute) -> None:
        """One use of `request.json` or `request.get_json()`."""
        whole: ast.AST = node
        optional = False
        if node.attr == "get_json":
            call = self.parents.get(node)
            if not isinstance(call, ast.Call):
                self.unclear()
                return
            silent = constant(self.program, argument(call, 1, "silent"), self.scope)
            optional = silent is True
            whole = call
        place = self.program.place(node, self.scope)
        if self.reading.json_at is None:
            self.reading.json_at = place
        self._perhaps(whole, optional or node not in self.certain)

    def _perhaps(self, whole: ast.AST, optional: bool) -> None:
        """Follows the body, or what stands for it where there is none: `request.json or {}`."""
        outer = self.parents.get(whole)
        while isinstance(outer, ast.BoolOp) or (isinstance(outer, ast.IfExp) and outer.test is not whole):
            optional = True
            self.reading.elsewhere = self.reading.elsewhere or self._is_of_query(outer)
            whole, outer = outer, self.parents.get(outer)
        self.reading.json_optional = self.reading.json_optional or optional
        self._taken(whole)

    def _is_of_query(self, node: ast.BoolOp | ast.IfExp) -> bool:
        """Whether what stands for the body may be all of the query: `request.args or request.json`."""
        choices = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
        parts = [self.values.of(each, self.scope) for each in choices]
        return any(part is not None and not part.name and part.place == "query" for part in parts)

    def raw(self, node: ast.Attribute) -> None:
        """One use of the body's bytes."""
        whole: ast.AST | None = self.parents.get(node) if node.attr == "get_data" else node
        if whole is not None and is_asked(whole, self.parents):
            return
        outer = self.parents.get(decoded(whole, self.parents)) if whole is not None else None
        if isinstance(outer, ast.Call) and self.values.is_loaded(outer, self.scope):
            self.reading.json_at = self.reading.json_at or self.program.place(node, self.scope)
            self._perhaps(outer, node not in self.certain)
            return
        schema = self.models.of_text(outer, self.scope) if outer is not None else None
        if schema is None:
            if whole is None or not only_passed(self.program, self.parents, whole, self.scope):
                self.reading.raw_at = self.reading.raw_at or self.program.place(node, self.scope)
            return
        self.reading.json_at = self.reading.json_at or self.program.place(node, self.scope)
        self._modelled(schema)

    def named(self, name: str) -> None:
        """The uses of a variable that holds the body."""
        loads = self._loads(name)
        if any(self.values.of(node, self.scope) is None for node in loads):
            self.reading.json_whole = True
            self.reading.fates["json."] = Fate(lost=True)
            return
        for node in loads:
            outer = self.parents.get(node)
            if isinstance(outer, ast.Attribute) and self._puts_in_body(self.parents.get(outer), name):
                continue
            if isinstance(outer, ast.UnaryOp | ast.If | ast.BoolOp | ast.IfExp) or is_question(outer, node):
                self._asked(outer, node)
                continue
            if isinstance(outer, ast.Assign) and self.values.of(outer.targets[0], self.scope) is not None:
                # What an object keeps is read where its methods name it.
                continue
            self._used(node)

    def _puts_in_body(self, call: ast.AST | None, name: str) -> bool:
        """Whether a call puts all of the body into the object of this name, which holds one form of it already."""
        given = put_in(call, name)
        part = self.values.of(given, self.scope) if given is not None else None
        return part is not None and are_bodies(part)

    def _asked(self, outer: ast.AST | None, node: ast.Name) -> None:
        """Notes the field of which a question asks whether it is there: `"title" in data`."""
        if isinstance(outer, ast.Compare) and outer.comparators == [node]:
            for _ in self.items.keys.rounds(node):
                name = self.items.keys.text(outer.left)
                if name is not None:
                    self.reading.asked.setdefault(name, self.program.place(outer, self.scope))

    def given_by(self, call: ast.Call) -> None:
        """Reads what becomes here of the body that a helper gives back."""
        part = self.values.of(call, self.scope)
        names = unpacked(self.values, call, self.parents, self.scope) if part is None else []
        if part is not None:
            self._taken(call)
        elif not names:
            self.reading.json_whole = True
            self.reading.fates["json."] = Fate(lost=True)
        for name in names:
            self.named(name)

    def unclear(self) -> None:
        """Notes that the request goes where it cannot be followed: more may be taken, and credentials be looked at."""
        self.reading.complete = False
        self.reading.guarded = True

    def _taken(self, whole: ast.AST) -> None:
        """Follows an expression that is the body to where its fields are taken."""
        outer = self.parents.get(whole)
        if isinstance(outer, ast.NamedExpr):
            self.named(outer.target.id)
        elif (
            isinstance(outer, ast.Assign | ast.AnnAssign)
            and isinstance(
                target := outer.target if isinstance(outer, ast.AnnAssign) else outer.targets[0], ast.Name
            )
            and (isinstance(outer, ast.AnnAssign) or len(outer.targets) == 1)
        ):
            self.named(target.id)
        elif put_in(outer) is whole and self.is_body(self._owner(outer)):
            self.named(self._owner(outer))
        else:
            self._used(whole)

    def is_body(self, name: str) -> bool:
        """Whether a name stands for all of the body at the end of the function."""
        part = self.values.of(ast.Name(name, ast.Load(), lineno=AFTER, end_lineno=AFTER), self.scope)
        return part is not None and are_bodies(part)

    def _used(self, node: ast.AST) -> None:
        """One use of the body: a field of it, a model made of it, or something else."""
        if is_asked(node, self.parents):
            return
        outer = self.parents.get(node)
        call = self.parents.get(outer) if isinstance(outer, ast.keyword) else outer
        if isinstance(call, ast.Call) and call in self.handed:
            # What the function takes of it is read there; it may also give it back.
            if self.values.of(call, self.scope) is not None:
                self._taken(call)
            return
        if self.node in self.giving and is_returned(node, self.parents):
            return
        schema = self.models.made_of(node, self.parents, self.scope)
        if schema is not None:
            self._modelled(schema)
        elif not self._member(node):
            self.reading.json_whole = True
            self.flow("json.", node)

    def _modelled(self, schema: Schema) -> None:
        if self.reading.model is not None and self.reading.model != schema:
            schema = unknown("several models are made of the body")
        self.reading.model = schema

    def _member(self, node: ast.AST) -> bool:
        """Notes one field that is taken from the body; false where it is used in another way."""
        outer = self.parents.get(node)
        if isinstance(outer, ast.Subscript) and outer.value is node and not isinstance(outer.ctx, ast.Load):
            key = constant(self.program, outer.slice, self.scope)
            key = None if is_tidied(outer, self.parents) else key
            self.reading.put_in |= {key} if isinstance(key, str) else set()
            return True
        known = [self._field(node) for _ in self.items.keys.rounds(node)]
        return all(known)

    def _field(self, node: ast.AST) -> bool:
        name, schema, required = self.items.of(node, {})
        if name is None:
            return False
        self.flow(f"json.{name}", node)
        place = self.program.place(node, self.scope)
        old = self.reading.fields.get(name)
        inner = inner_of(self.program, self.parents, self.scope, node, self.certain)
        if old is None:
            found = field_of(schema.get("default"), place, required)
            self.reading.fields[name] = replace(found, inner=inner)
        else:
            both = taken_too(old.inner, inner)
            self.reading.fields[name] = replace(old, required=required or old.required, inner=both)
        return True
