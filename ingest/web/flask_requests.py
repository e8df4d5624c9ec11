"""What a Flask handler reads from `flask.request`, itself and through the project's functions it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from graph.schema_algebra import Schema, unknown
from ingest.web.calls import argument
from ingest.web.constants import constant
from ingest.web.demanding import demands_with_helpers
from ingest.web.fates import Fate
from ingest.web.flask_guards import Demands
from ingest.web.flask_handing import hand_on
from ingest.web.flask_items import Items
from ingest.web.flask_models import BodyModels
from ingest.web.flask_nodes import FLAG, is_flag, is_question, parents_of, value_of
from ingest.web.flask_reading import Field, Reading, field_of, follow
from ingest.web.flask_refusals import Refusals
from ingest.web.flask_values import RequestValues
from ingest.web.flows import Flows
from ingest.web.instances import Instances
from ingest.web.models import Models
from ingest.web.operations import Parameter
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.specialised import with_told
from ingest.web.targets import FunctionTarget

_PLACES = {"args": "query", "headers": "header", "cookies": "cookie"}
_WHOLE_JSON = frozenset({"json", "get_json"})
_OWN_HEADERS = frozenset({"authorization", "content-type", "accept"})


class RequestReader:
    """Reads the uses of the request in functions of one program."""

    def __init__(self, program: Program, models: Models | None = None) -> None:
        self.program = program
        instances = self.instances = Instances(program)
        self.values = RequestValues(program, instances)
        self.models = BodyModels(program, instances, models or Models(program))
        self.refusals = Refusals(program, instances)

    def read(self, functions: Iterable[FunctionTarget]) -> Reading:
        """What these functions take together; the first is the handler."""
        functions = with_told(self.instances, functions)
        flows = Flows(self.program, self.instances, functions)
        reading = Reading()
        demands = Demands()
        handed = hand_on(self.values, functions)
        for number, function in enumerate(functions):
            self.program.saw(function.scope.path)
            if number == 0:
                demands = demands_with_helpers(function, self.values, self.refusals.refuses)
            _Walk(self, reading, function, demands.passed, flows, handed).walk()
        reading.demand(demands.found)
        reading.doubt_fillers()
        reading.helpers = demands.helpers
        return reading


class _Walk:
    def __init__(
        self,
        reader: RequestReader,
        reading: Reading,
        function: FunctionTarget,
        certain: set[ast.AST],
        flows: Flows,
        handed: dict[ast.Call, FunctionTarget],
    ) -> None:
        self.flows = flows
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

    def walk(self) -> None:
        node = self.node
        if isinstance(node, ast.Lambda):
            return
        requests = self.program.remember(("requests", node), lambda: self.requests(node))
        aliases = [
            name for (owner, name), p in self.values.aliases.items() if owner is node and p.place == "json"
        ]
        mappings = {
            name: p.place
            for (owner, name), p in self.values.aliases.items()
            if owner is node and not p.name and p.place in _PLACES.values()
        }
        if not requests and not aliases and not mappings:
            return
        self.parents = parents_of(node)
        self.items = Items(self.program, self.parents, self.scope, self.certain)
        for use in requests:
            self.use(use)
        for name in aliases:
            self.named(name)
        for part in list(self.parents):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in mappings:
                self.mapping(part, mappings[part.id])
        for part in self.parents:
            if isinstance(part, ast.Call) and part in self.certain:
                self.conversion(part)

    def requests(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.Name | ast.Attribute]:
        """The places where a function names the request, in an order that is always the same."""
        return [
            node
            for node in parents_of(function)
            if isinstance(node, ast.Name | ast.Attribute) and self.values.is_request(node, self.scope)
        ]

    def conversion(self, node: ast.Call) -> None:
        """Notes that a text is always turned into a number or a day (`int(request.args["n"])`)."""
        part = self.values.formed(node, self.scope) or self.values.of(node, self.scope)
        if part is not None and (part.form or part.type in ("integer", "number")):
            self.reading.convert(part)

    def use(self, node: ast.expr) -> None:
        outer = self.parents.get(node)
        if not isinstance(outer, ast.Attribute):
            if not isinstance(outer, ast.keyword | ast.alias):
                self.unclear()
            return
        if outer.attr in _PLACES:
            self.mapping(outer, _PLACES[outer.attr])
        elif outer.attr in ("form", "files"):
            self.form(outer)
        elif outer.attr in _WHOLE_JSON:
            self.json(outer)
        elif outer.attr in ("data", "get_data"):
            self.raw(outer)
        elif outer.attr in ("values", "full_path", "query_string", "stream", "get_json"):
            self.reading.complete = False
        elif outer.attr == "authorization":
            self.reading.guarded = True

    def mapping(self, node: ast.Attribute | ast.Name, where: str) -> None:
        """One use of `request.args`, `request.headers` or `request.cookies`, or of what a function is handed."""
        outer = self.parents.get(node)
        if (self.parents.get(outer) if isinstance(outer, ast.keyword) else outer) in self.handed:
            # What the function takes of it is read there.
            return
        place = self.program.place(node, self.scope)
        taken = self.models.parameters(node, self.parents, self.scope, where, place)
        if taken is not None:
            self.reading.parameters.update((each.key, each) for each in taken)
            return
        for _ in self.items.keys.rounds(node):
            self.mapped(node, where)

    def mapped(self, node: ast.Attribute | ast.Name, where: str) -> None:
        name, schema, required = self.items.of(node, {"type": "string"})
        if name is None:
            self.reading.complete = False
            self.reading.guarded = self.reading.guarded or where != "query"
            return
        if where == "header":
            # WSGI does not tell `-` and `_` apart in the names of headers.
            name = name.replace("_", "-")
        if where == "header" and name.lower() in _OWN_HEADERS:
            self.reading.guarded = self.reading.guarded or name.lower() == "authorization"
            return
        place = self.program.place(node, self.scope)
        taken = value_of(node, self.parents)
        if taken is not None and is_flag(taken, self.parents):
            schema, required = FLAG, False
        found = Parameter(where, name, required, schema, place)
        self.flow(found.key, node)
        old = self.reading.parameters.get(found.key)
        if old is not None:
            required = required or old.required if required is not False else old.required
            schema = old.schema if old.schema.get("type") else schema
            found = Parameter(where, old.name, required, schema, old.source)
        self.reading.parameters[found.key] = found

    def form(self, node: ast.Attribute) -> None:
        for _ in self.items.keys.rounds(node):
            self.form_field(node)

    def form_field(self, node: ast.Attribute) -> None:
        name, schema, required = self.items.of(node, {"type": "string"})
        self.flow(f"form.{name or ''}", node)
        self.reading.files = self.reading.files or node.attr == "files"
        place = self.program.place(node, self.scope)
        self.reading.form_at = self.reading.form_at or place
        if name is None:
            self.reading.form_whole = True
            return
        if node.attr == "files":
            schema = {"type": "string", "format": "binary"}
        old = self.reading.form.get(name)
        self.reading.form[name] = Field(schema, required or (old.required if old else required), place)

    def raw(self, node: ast.Attribute) -> None:
        """One use of the body's bytes."""
        whole: ast.AST | None = self.parents.get(node) if node.attr == "get_data" else node
        outer = self.parents.get(whole) if whole is not None else None
        if isinstance(outer, ast.Call) and self.values.is_loaded(outer, self.scope):
            self.reading.json_at = self.reading.json_at or self.program.place(node, self.scope)
            self.reading.json_optional = self.reading.json_optional or node not in self.certain
            self.taken(outer)
            return
        schema = self.models.of_text(outer, self.scope) if outer is not None else None
        if schema is None:
            self.reading.complete = False
            return
        self.reading.json_at = self.reading.json_at or self.program.place(node, self.scope)
        self.modelled(schema)

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
        outer = self.parents.get(whole)
        if isinstance(outer, ast.BoolOp):
            optional = True
            whole, outer = outer, self.parents.get(outer)
        self.reading.json_optional = self.reading.json_optional or optional or node not in self.certain
        self.taken(whole)

    def taken(self, whole: ast.AST) -> None:
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
        else:
            self.used(whole)

    def named(self, name: str) -> None:
        """The uses of a variable that holds the body."""
        loads = [
            node
            for node in self.parents
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ]
        if any(self.values.of(node, self.scope) is None for node in loads):
            self.reading.json_whole = True
            self.reading.fates["json."] = Fate(lost=True)
            return
        for node in loads:
            outer = self.parents.get(node)
            if isinstance(outer, ast.UnaryOp | ast.If | ast.BoolOp | ast.IfExp) or is_question(outer, node):
                continue
            self.used(node)

    def used(self, node: ast.AST) -> None:
        """One use of the body: a field of it, a model made of it, or something else."""
        outer = self.parents.get(node)
        call = self.parents.get(outer) if isinstance(outer, ast.keyword) else outer
        if isinstance(call, ast.Call) and call in self.handed:
            # What the function takes of it is read there; it may also give it back.
            if self.values.of(call, self.scope) is not None:
                self.taken(call)
            return
        schema = self.models.made_of(node, self.parents, self.scope)
        if schema is not None:
            self.modelled(schema)
        elif not self.member(node):
            self.reading.json_whole = True
            self.flow("json.", node)

    def modelled(self, schema: Schema) -> None:
        if self.reading.model is not None and self.reading.model != schema:
            schema = unknown("several models are made of the body")
        self.reading.model = schema

    def member(self, node: ast.AST) -> bool:
        """Notes one field that is taken from the body; false where it is used in another way."""
        outer = self.parents.get(node)
        if isinstance(outer, ast.Subscript) and outer.value is node and not isinstance(outer.ctx, ast.Load):
            return True
        known = [self.field(node) for _ in self.items.keys.rounds(node)]
        return all(known)

    def field(self, node: ast.AST) -> bool:
        name, schema, required = self.items.of(node, {})
        if name is None:
            return False
        self.flow(f"json.{name}", node)
        place = self.program.place(node, self.scope)
        old = self.reading.fields.get(name)
        if old is None:
            self.reading.fields[name] = field_of(schema.get("default"), place, required)
        else:
            self.reading.fields[name] = replace(old, required=required or old.required)
        return True

    def flow(self, key: str, node: ast.AST) -> None:
        """Follows the value that is taken from a mapping; the mapping itself where no name is given."""
        follow(self.reading.fates, self.flows, key, node, self.parents, self.function)

    def unclear(self) -> None:
        self.reading.complete = False
        self.reading.guarded = True
