"""What a Flask handler reads from `flask.request`, itself and through the project's functions it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graph.schema_algebra import Schema, unknown
from ingest.web.bindings import Bound, Function
from ingest.web.calls import argument
from ingest.web.constants import Missing, constant, text_of
from ingest.web.flask_reading import Reading
from ingest.web.instances import own_statements
from ingest.web.operations import Parameter
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import External, FunctionTarget

_PLACES = {"args": "query", "headers": "header", "cookies": "cookie"}
_TYPES: dict[str, Schema] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
}
_REQUEST = frozenset({"flask.request", "flask.globals.request"})
_WHOLE_JSON = frozenset({"json", "get_json"})
_OWN_HEADERS = frozenset({"authorization", "content-type", "accept"})


class RequestReader:
    """Reads the uses of the request in functions of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def read(self, functions: Iterable[FunctionTarget]) -> Reading:
        """What these functions take together; the first is the handler."""
        reading = Reading()
        for number, function in enumerate(functions):
            self.program.saw(function.scope.path)
            _Walk(self.program, reading, function, first=number == 0).walk()
        return reading


class _Walk:
    def __init__(self, program: Program, reading: Reading, function: FunctionTarget, first: bool) -> None:
        self.program = program
        self.reading = reading
        self.scope: Scope = function.body
        self.node = function.node
        self.first = first
        self.certain: set[ast.AST] = set()
        self.parents: dict[ast.AST, ast.AST] = {}

    def walk(self) -> None:
        if isinstance(self.node, ast.Lambda):
            return
        self.certain = _always_run(self.node) if self.first else set()
        stack: list[ast.AST] = list(self.node.body)
        while stack:
            parent = stack.pop()
            for child in ast.iter_child_nodes(parent):
                self.parents[child] = parent
                if not isinstance(child, Function | ast.ClassDef):
                    stack.append(child)
        for node in list(self.parents):
            if isinstance(node, ast.Name | ast.Attribute) and self.is_request(node):
                self.use(node)

    def is_request(self, node: ast.expr) -> bool:
        target = self.program.resolve(node, self.scope)
        return isinstance(target, External) and target.dotted in _REQUEST

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
        elif outer.attr in ("values", "full_path", "query_string") or outer.attr in (
            "data",
            "get_data",
            "stream",
        ):
            self.reading.complete = False
        elif outer.attr == "authorization":
            self.reading.guarded = True

    def mapping(self, node: ast.Attribute, where: str) -> None:
        """One use of `request.args`, `request.headers` or `request.cookies`."""
        name, schema, required = self.item(node)
        if name is None:
            self.reading.complete = False
            self.reading.guarded = self.reading.guarded or where != "query"
            return
        if where == "header" and name.lower() in _OWN_HEADERS:
            self.reading.guarded = self.reading.guarded or name.lower() == "authorization"
            return
        place = self.program.place(node, self.scope)
        found = Parameter(where, name, required, schema, place)
        old = self.reading.parameters.get(found.key)
        if old is not None:
            required = required or old.required if required is not False else old.required
            schema = old.schema if old.schema.get("type") else schema
            found = Parameter(where, old.name, required, schema, old.source)
        self.reading.parameters[found.key] = found

    def form(self, node: ast.Attribute) -> None:
        name, schema, required = self.item(node)
        self.reading.files = self.reading.files or node.attr == "files"
        place = self.program.place(node, self.scope)
        self.reading.form_at = self.reading.form_at or place
        if name is None:
            self.reading.form_whole = True
            return
        if node.attr == "files":
            schema = {"type": "string", "format": "binary"}
        old = self.reading.form.get(name)
        self.reading.form[name] = (schema, required or (old[1] if old is not None else required), place)

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
        if (
            isinstance(outer, ast.Assign)
            and len(outer.targets) == 1
            and isinstance(outer.targets[0], ast.Name)
        ):
            self.named(outer.targets[0].id, outer)
        elif not self.member(whole):
            self.reading.json_whole = True

    def named(self, name: str, assignment: ast.Assign) -> None:
        """The uses of a variable that holds the body."""
        bindings = self.scope.bindings.get(name, [])
        if len(bindings) != 1 or bindings[0].how is not Bound.VALUE:
            self.reading.json_whole = True
            return
        for node in list(self.parents):
            if not (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)):
                continue
            outer = self.parents.get(node)
            if isinstance(outer, ast.UnaryOp | ast.If | ast.BoolOp) or _is_membership(outer, node):
                continue
            if not self.member(node):
                self.reading.json_whole = True

    def member(self, node: ast.AST) -> bool:
        """Notes one field that is taken from the body; false where it is used in another way."""
        name, _, required = self.item(node, default_type=False)
        if name is None:
            return False
        old = self.reading.fields.get(name)
        place = self.program.place(node, self.scope)
        schema = unknown("the type of the field is not said")
        self.reading.fields[name] = (
            schema,
            required or (old[1] if old is not None else required),
            old[2] if old else place,
        )
        return True

    def item(self, node: ast.AST, default_type: bool = True) -> tuple[str | None, Schema, bool | None]:
        """The constant name that is taken from a mapping, its schema, and whether it must be there."""
        outer = self.parents.get(node)
        plain: Schema = {"type": "string"} if default_type else {}
        if isinstance(outer, ast.Subscript) and outer.value is node:
            return text_of(self.program, outer.slice, self.scope), plain, outer in self.certain or None
        if isinstance(outer, ast.Compare) and outer.comparators == [node]:
            return text_of(self.program, outer.left, self.scope), plain, None
        call = self.parents.get(outer) if isinstance(outer, ast.Attribute) else None
        if not (isinstance(outer, ast.Attribute) and isinstance(call, ast.Call) and call.func is outer):
            return None, plain, None
        if outer.attr not in ("get", "getlist"):
            return None, plain, None
        name = text_of(self.program, argument(call, 0, "key"), self.scope)
        schema = self.typed(argument(call, 2 if outer.attr == "get" else 1, "type"), plain)
        if outer.attr == "getlist":
            return name, {"type": "array", "items": schema}, None
        written = argument(call, 1, "default")
        default = constant(self.program, written, self.scope)
        if not isinstance(default, Missing) and default is not None and default_type:
            schema = {**schema, "default": default}
        # Without a default the handler may still refuse the request when the value is missing.
        return name, schema, False if written is not None and default is not None else None

    def typed(self, node: ast.expr | None, plain: Schema) -> Schema:
        if node is None:
            return plain
        target = self.program.resolve(node, self.scope)
        if isinstance(target, External) and target.root == "builtins" and target.name in _TYPES:
            # bool("false") is true: whatever is sent is accepted, so no type is promised.
            return unknown("bool() takes any text") if target.name == "bool" else dict(_TYPES[target.name])
        if isinstance(target, External) and target.dotted == "uuid.UUID":
            return {"type": "string", "format": "uuid"}
        return unknown("the conversion is not known")

    def unclear(self) -> None:
        self.reading.complete = False
        self.reading.guarded = True


def _is_membership(outer: ast.AST | None, node: ast.Name) -> bool:
    """`"title" in data` and `data is None` tell nothing that is certain of the body."""
    return isinstance(outer, ast.Compare) and (
        outer.comparators == [node] or all(isinstance(c, ast.Constant) for c in outer.comparators)
    )


def _always_run(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[ast.AST]:
    """The nodes that every request passes: those of the leading statements, up to the first that may leave."""
    found: set[ast.AST] = set()
    for statement in node.body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return):
            heads = [statement.test] if isinstance(statement, ast.If) else []
        else:
            heads = [statement.value] if statement.value is not None else []
        for head in heads:
            stack: list[ast.AST] = [head]
            while stack:
                part = stack.pop()
                found.add(part)
                if isinstance(part, ast.BoolOp):
                    stack.append(part.values[0])
                elif isinstance(part, ast.IfExp):
                    stack.append(part.test)
                elif not isinstance(
                    part, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
                ):
                    stack.extend(ast.iter_child_nodes(part))
        leaves = any(isinstance(inner, ast.Return | ast.Raise) for inner in own_statements([statement]))
        if leaves or isinstance(
            statement, ast.Try | ast.With | ast.AsyncWith | ast.Match | ast.While | ast.For
        ):
            break
    return found
