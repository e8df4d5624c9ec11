"""The uses of a request in one function that holds it: what is taken of it, and to whom it is handed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from graph.schema_algebra import unknown
from ingest.web.program.calls import named_arguments, parameter_names
from ingest.web.program.handler_nodes import ASKED, FLAG, taken_text
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget
from ingest.web.records.operations import Parameter
from ingest.web.requests.async_bodies import BodyUses
from ingest.web.requests.async_values import is_test
from ingest.web.requests.multipart import parts_read
from ingest.web.requests.parts import Part
from ingest.web.requests.passing import awaited, only_passed
from ingest.web.requests.read_fields import Field
from ingest.web.syntax.naming import is_self, last_name
from ingest.web.syntax.walks import children_of
from ingest.web.values.specialised import called_by

_READER = External("aiohttp.MultipartReader.from_response")
_OWN_HEADERS = frozenset({"authorization", "content-type", "accept"})


class Walk(BodyUses):
    """The uses of the request in one function, where it has this name."""

    def walk(self) -> None:
        """Reads all uses of the request and of what holds parts of it."""
        body = self.function.node.body
        stack: list[ast.AST] = list(body) if isinstance(body, list) else [body]
        while stack:
            parent = stack.pop()
            for child in children_of(parent):
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
                    self._held_by(held[node.id].place)(node)

    def _held_by(self, place: str) -> Callable[[ast.AST], None]:
        """Notes one value that is taken of what a function is handed: the body, or a mapping such as the query."""
        if place in ("query", "header", "cookie"):
            return self._mapping(place)
        return self._form_field if place == "form" else self._json_field

    def convert(self) -> None:
        """Notes which values are always turned into a number or a day, wherever that happens."""
        for part in self._converted(always=True):
            self.reading.convert(part)

    def doubt(self) -> None:
        """Notes which values of a query that it is handed a helper turns into a number in some runs alone."""
        handed = self.around.values.aliases.items()
        if any(owner is self.function.node and part.place == "query" for (owner, _), part in handed):
            for part in self._converted(always=False):
                self.reading.doubt(part)

    def _converted(self, always: bool) -> Iterator[Part]:
        for node in self.parents:
            if not isinstance(node, ast.Call):
                continue
            part = self.values.formed(node, self.scope) or self.values.of(node, self.scope)
            if part is not None and part.is_converted and self._whenever_given(node, part) == always:
                yield part

    def _whenever_given(self, node: ast.AST, part: Part) -> bool:
        """Whether something is surely done wherever the request has a value: always, or if it is asked for."""
        outer: ast.AST | None = self.parents.get(node)
        while node not in self.certain and outer is not None:
            if isinstance(outer, ast.IfExp | ast.If):
                inside = outer.body if isinstance(outer.body, list) else [outer.body]
                if node not in inside or not self._asks_for(outer.test, part):
                    return False
                if outer.test in self.certain:
                    return True
            elif isinstance(outer, ast.For | ast.While | ast.BoolOp | ast.comprehension):
                return False
            node, outer = outer, self.parents.get(outer)
        return node in self.certain

    def _asks_for(self, test: ast.expr, part: Part) -> bool:
        """Whether a test only asks if the request has a value: `since`, `since is not None`, `"since" in query`."""
        match test:
            case ast.Compare(left=ast.Constant(value=name), ops=[ast.In()], comparators=[_]):
                return bool(name == part.name)
            case ast.Compare(left=held, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
                test = held
        found = self.values.of(test, self.scope)
        return found is not None and found.key == part.key

    def _is_request(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            named = node.id in self.names or (bool(self.name) and node.id == self.name)
            return named and isinstance(node.ctx, ast.Load)
        owned = self.words.is_owned(node) and self.function.scope.is_class
        return owned or self.values.is_kept(node, self.scope)

    def _use(self, node: ast.AST) -> None:
        outer = self.parents.get(node)
        if isinstance(outer, ast.Attribute):
            self._attribute(outer)
        elif isinstance(outer, ast.Call | ast.keyword):
            self._given(node, outer)
        elif not isinstance(outer, ast.Subscript) and not self._is_named(outer) and not self._keeps(outer):
            self._unclear()

    def _keeps(self, outer: ast.AST | None) -> bool:
        """Whether an object keeps the request that it is made with, for its methods: `self.request = request`."""
        owner = self.function.scope.node
        if not isinstance(owner, ast.ClassDef) or getattr(self.function.node, "name", "") != "__init__":
            return False
        match outer:
            case ast.Assign(targets=[ast.Attribute(value=held, attr=name)]) if is_self(held):
                self.values.keeping.setdefault(owner, set()).add(name)
                return True
        return False

    def _is_named(self, outer: ast.AST | None) -> bool:
        """Whether the request is only given another name here."""
        match outer:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                return name in self.names
        return False

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
        elif node.attr in self.words.raw and (self._decoded(node) or self._in_parts(node)):
            return
        elif node.attr in self.words.sent:
            if not only_passed(self.program, self.parents, awaited(node, self.parents), self.scope):
                self.reading.raw_at = self.reading.raw_at or self.program.place(node, self.scope)
        elif node.attr in self.words.raw:
            self.reading.complete = False
            self.reading.guarded = self.reading.guarded or node.attr in self.words.credentials
        elif node.attr in self.words.credentials:
            self.reading.guarded = True

    def _in_parts(self, node: ast.Attribute) -> bool:
        """Whether a form is read part by part here, which is noted then."""
        call = self.parents.get(node)
        return node.attr == self.words.parts and isinstance(call, ast.Call) and self._read_in_parts(call)

    def _read_in_parts(self, call: ast.Call) -> bool:
        found = parts_read(self.program, call, self.parents, self.scope)
        if found is None:
            return False
        self.reading.form_at = self.reading.form_at or self.program.place(call, self.scope)
        self.reading.files = True
        self.reading.form_whole = self.reading.form_whole or found.open
        for name, node in found.names.items():
            field = Field(unknown("text or a file"), None, self.program.place(node, self.scope))
            self.reading.form.setdefault(name, field)
        return True

    def _given(self, node: ast.AST, outer: ast.AST) -> None:
        """The request is handed to another function."""
        call = self.parents.get(outer) if isinstance(outer, ast.keyword) else outer
        called = called_by(self.instances, call, self.scope) if isinstance(call, ast.Call) else None
        if isinstance(called, FunctionTarget) and isinstance(call, ast.Call):
            names = parameter_names(called)
            if isinstance(outer, ast.keyword):
                self.passed.append((called, outer.arg or ""))
                return
            position = call.args.index(node) if node in call.args else len(names)
            if position < len(names):
                self.passed.append((called, names[position]))
                return
        if isinstance(called, ClassTarget) and isinstance(call, ast.Call) and self._made(called, call, node):
            return
        if called == _READER and isinstance(call, ast.Call) and self._read_in_parts(call):
            return
        wrapped = self.program.resolve(call.func, self.scope) if isinstance(call, ast.Call) else None
        if isinstance(wrapped, ParameterTarget) and wrapped.scope is not self.scope:
            # What a decorator puts its wrapper around, which is read by itself.
            return
        rendered = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute | ast.Name)
        name = last_name(call.func) if isinstance(call, ast.Call) else ""
        if not (rendered and (name == "TemplateResponse" or name.startswith("render"))):
            self._unclear()

    def _made(self, owner: ClassTarget, call: ast.Call, node: ast.AST) -> bool:
        """Whether an object of the project's is made with the request and only asked, here or by what is given it."""
        begin = self.program.class_member(owner, "__init__")
        names = (
            [name for name, given in named_arguments(call, begin) if given is node]
            if (isinstance(begin, FunctionTarget))
            else []
        )
        if not names or not isinstance(begin, FunctionTarget) or not self._followed(call):
            return False
        self.values.made.append(owner)
        self.passed.append((begin, names[0]))
        return True

    def _hands_over(self, call: ast.Call) -> bool:
        """Whether a function of the project is called, which is followed then."""
        called = called_by(self.instances, call, self.scope)
        if isinstance(called, FunctionTarget):
            self.passed.append((called, ""))
        return isinstance(called, FunctionTarget)

    def _followed(self, made: ast.AST) -> bool:
        """Whether all that is done with an object can be seen: its members are asked, or functions are given it."""
        outer = self.parents.get(made)
        match outer:
            case ast.Attribute():
                return True
            case ast.Call() if outer.func is not made:
                return self._hands_over(outer)
            case ast.keyword() if isinstance(call := self.parents.get(outer), ast.Call):
                return self._hands_over(call)
            case ast.Assign(targets=[ast.Name(id=name)]) if isinstance(made, ast.Call):
                uses = [
                    each
                    for each in self.parents
                    if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
                ]
                return len(self.scope.bindings.get(name, ())) == 1 and all(map(self._followed, uses))
        return False

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
            if name is None and (
                self._is_handed(node) or only_passed(self.program, self.parents, node, self.scope)
            ):
                return
            if name is None:
                self._whole(node, where)
                return
            if where == "header" and name.lower() in _OWN_HEADERS:
                self.reading.guarded = self.reading.guarded or name.lower() == "authorization"
                return
            told = taken_text(node, self.parents)
            if told is not None:
                schema, required = told, False if told is FLAG else required
            found = Parameter(where, name, required, schema, self.program.place(node, self.scope))
            self._flow(found.key, node)
            old = self.reading.parameters.get(found.key)
            if old is not None:
                required = (
                    True if True in (required, old.required) else required if old.required is None else False
                )
                settled = schema is ASKED or old.schema.get("type") not in (None, "string")
                known = old.schema if settled else schema
                found = Parameter(where, old.name, required, known, old.source)
            self.reading.parameters[found.key] = found

        return consume

    def _whole(self, node: ast.AST, where: str) -> None:
        """All of the query, the headers or the cookies is taken at once."""
        place = self.program.place(node, self.scope)
        taken = self.models.parameters(node, self.parents, self.scope, where, place)
        if taken is None:
            self.reading.complete = False
            self.reading.guarded = self.reading.guarded or where != "query"
        for parameter in taken or ():
            self.reading.parameters.setdefault(parameter.key, parameter)

    def _unclear(self) -> None:
        self.reading.complete = False
        self.reading.guarded = True
