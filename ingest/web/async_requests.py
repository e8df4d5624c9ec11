"""What a handler reads from the request that it is given (aiohttp, Starlette), itself and through its helpers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graph.schema_algebra import Schema, unknown
from ingest.web.answers import Answers
from ingest.web.async_values import AsyncValues, is_loads, is_test, refuses, with_default
from ingest.web.bindings import Bound, parameters
from ingest.web.calls import argument, is_static
from ingest.web.constants import Missing, constant, text_of
from ingest.web.demanding import demands_with_helpers
from ingest.web.flask_handing import hand_on
from ingest.web.flask_models import BodyModels
from ingest.web.flask_nodes import FLAG, is_flag, value_of
from ingest.web.flask_reading import Field, Reading, field_of, follow
from ingest.web.flows import Flows
from ingest.web.instances import Instances
from ingest.web.loop_keys import rounds_of
from ingest.web.models import Models
from ingest.web.operations import Parameter
from ingest.web.program import Program
from ingest.web.request_words import Vocabulary
from ingest.web.scopes import Scope
from ingest.web.specialised import called_by, with_told
from ingest.web.targets import External, FunctionTarget

_CONVERSIONS: dict[str, Schema] = {
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.str": {"type": "string"},
    "uuid.UUID": {"type": "string", "format": "uuid"},
}
_OWN_HEADERS = frozenset({"authorization", "content-type", "accept"})
_ONE = frozenset({"get", "getone", "pop"})
_MANY = frozenset({"getlist", "getall"})
_FUNCTIONS = 200


class RequestReader:
    """Reads the uses of requests in functions of one program."""

    def __init__(
        self,
        program: Program,
        instances: Instances,
        vocabulary: Vocabulary,
        answers: Answers,
        models: Models | None = None,
    ) -> None:
        self.program = program
        self.instances = instances
        self.vocabulary = vocabulary
        self.answers = answers
        self.models = BodyModels(program, instances, models or Models(program))

    def read(self, handler: FunctionTarget, followed: tuple[FunctionTarget, ...] = ()) -> Reading:
        """What a handler takes; `followed` are the functions that it calls."""
        reading = Reading()
        names = [node.arg for node, _ in parameters(handler.node)]
        if handler.scope.is_class and not is_static(handler):
            names = names[1:]
        values = AsyncValues(self.program, self.instances, self.vocabulary)
        values.known.add((handler.node, names[0] if names else ""))
        functions = with_told(self.instances, (handler, *followed))
        handed = hand_on(values, functions)
        demands = demands_with_helpers(
            handler, values, lambda node, scope: refuses(self.program, self.answers, node, scope)
        )
        waiting = [(handler, names[0] if names else "")]
        if self.vocabulary.owner:
            waiting += [(f, "") for f in followed if f.scope.is_class and f.node is not handler.node]
        seen: set[tuple[ast.AST, str]] = set()
        walks: list[_Walk] = []
        giving: list[FunctionTarget] = []
        flows = Flows(self.program, self.instances, functions)
        around = _Around(values, handed, demands.passed, flows, giving, handler.node)
        held = {node for node, _ in values.aliases}
        waiting += [(function, "") for function in functions if function.node in held]
        for function, name in waiting:
            if (function.node, name) not in seen and len(seen) < _FUNCTIONS:
                seen.add((function.node, name))
                self.program.saw(function.scope.path)
                walk = _Walk(self, reading, function, name, around)
                walk.walk()
                waiting += walk.passed
                walks.append(walk)
        for function in giving:
            for walk in walks:
                walk.given_back(function)
        for walk in walks:
            walk.convert()
        reading.demand(demands.found)
        reading.helpers = demands.helpers
        return reading


@dataclass(frozen=True, slots=True)
class _Around:
    """What is known of all functions that serve one operation; `giving` takes those that give the body back."""

    values: AsyncValues
    handed: dict[ast.Call, FunctionTarget]
    certain: set[ast.AST]
    flows: Flows
    giving: list[FunctionTarget]
    handler: ast.AST


class _Walk:
    """The uses of the request in one function, where it has this name."""

    def __init__(
        self,
        owner: RequestReader,
        reading: Reading,
        function: FunctionTarget,
        name: str,
        around: _Around,
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
        self.names: dict[str, str] = {}

    def walk(self) -> None:
        body = self.function.node.body
        stack: list[ast.AST] = list(body) if isinstance(body, list) else [body]
        while stack:
            parent = stack.pop()
            for child in ast.iter_child_nodes(parent):
                self.parents[child] = parent
                stack.append(child)
        for node in list(self.parents):
            if self.is_request(node):
                self.use(node)
        held = {
            name: part
            for (owner, name), part in self.around.values.aliases.items()
            if owner is self.function.node
        }
        for node in list(self.parents):
            if isinstance(node, ast.Name) and node.id in held and isinstance(node.ctx, ast.Load):
                outer = self.parents.get(node)
                if not isinstance(outer, ast.UnaryOp | ast.If | ast.BoolOp) and not is_test(outer, node):
                    (self.form_field if held[node.id].place == "form" else self.json_field)(node)

    def convert(self) -> None:
        """Notes which values are always turned into a number or a day, wherever that happens."""
        for node in self.parents:
            if isinstance(node, ast.Call) and node in self.certain:
                part = self.values.formed(node, self.scope) or self.values.of(node, self.scope)
                if part is not None and (part.form or part.type in ("integer", "number")):
                    self.reading.convert(part)

    def is_request(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return bool(self.name) and node.id == self.name and isinstance(node.ctx, ast.Load)
        return (
            bool(self.words.owner)
            and isinstance(node, ast.Attribute)
            and node.attr == self.words.owner
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            and self.function.scope.is_class
        )

    def use(self, node: ast.AST) -> None:
        outer = self.parents.get(node)
        if isinstance(outer, ast.Attribute):
            self.attribute(outer)
        elif isinstance(outer, ast.Call | ast.keyword):
            self.given(node, outer)
        elif not isinstance(outer, ast.Subscript):
            self.unclear()

    def attribute(self, node: ast.Attribute) -> None:
        if node.attr in self.words.urls:
            inner = self.parents.get(node)
            if isinstance(inner, ast.Attribute) and inner.attr == "query":
                self.each(inner, self.mapping("query"))
        elif node.attr in self.words.mappings:
            self.each(node, self.mapping(self.words.mappings[node.attr]))
        elif node.attr in (self.words.json, self.words.form) and isinstance(self.parents.get(node), ast.Call):
            self.body(node, self.parents[node])
        elif node.attr == self.words.content:
            self.loaded(node)
        elif node.attr in self.words.raw and self.decoded(node):
            return
        elif node.attr in self.words.raw:
            self.reading.complete = False
            self.reading.guarded = self.reading.guarded or node.attr in self.words.credentials
        elif node.attr in self.words.credentials:
            self.reading.guarded = True

    def given(self, node: ast.AST, outer: ast.AST) -> None:
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
            self.unclear()

    def each(self, node: ast.AST, consume: Callable[[ast.AST], None]) -> None:
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

    def mapping(self, where: str) -> Callable[[ast.AST], None]:
        """Notes one value that is taken from the query, the headers, the cookies or a form that is there already."""
        if where in ("form", "file"):
            self.reading.files = self.reading.files or where == "file"
            return self.form_field

        def consume(node: ast.AST) -> None:
            for _ in self.rounds(node):
                one(node)

        def one(node: ast.AST) -> None:
            name, schema, required = self.item(node, {"type": "string"})
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
            self.flow(found.key, node)
            old = self.reading.parameters.get(found.key)
            if old is not None:
                required = (
                    True if True in (required, old.required) else required if old.required is None else False
                )
                known = old.schema if old.schema.get("type") not in (None, "string") else schema
                found = Parameter(where, old.name, required, known, old.source)
            self.reading.parameters[found.key] = found

        return consume

    def loaded(self, node: ast.Attribute) -> None:
        """The bytes of the body, which `json.loads(request.body)` reads as JSON."""
        call = self.parents.get(node)
        if (
            not isinstance(call, ast.Call)
            or call.args != [node]
            or not is_loads(self.program, call, self.scope)
        ):
            self.reading.complete = False
            return
        self.body(node, call)

    def decoded(self, node: ast.Attribute) -> bool:
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
            self.each(outer, self.json_field)
        else:
            self.modelled(schema)
        return True

    def modelled(self, schema: Schema) -> None:
        several = self.reading.model is not None and self.reading.model != schema
        self.reading.model = unknown("several models are made of the body") if several else schema

    def body(self, node: ast.Attribute, whole: ast.AST) -> None:
        """One call of `request.json()`, or of what reads a form: `whole`."""
        if isinstance(self.parents.get(whole), ast.Await):
            whole = self.parents[whole]
        place = self.program.place(node, self.scope)
        if node.attr == self.words.form:
            self.reading.form_at = self.reading.form_at or place
            self.each(whole, self.form_field)
            return
        self.reading.json_at = self.reading.json_at or place
        self.reading.json_optional = self.reading.json_optional or node not in self.certain
        self.each(whole, self.json_field)

    def text(self, node: ast.expr | None) -> str | None:
        """The constant text of a key, or what a loop's variable is in this round."""
        if isinstance(node, ast.Name) and node.id in self.names:
            return self.names[node.id]
        return text_of(self.program, node, self.scope)

    def rounds(self, node: ast.AST) -> Iterator[None]:
        """Once for each name that a loop over fixed names takes of a mapping here; once where there is none."""
        for names in rounds_of(self.program, node, self.parents, self.scope):
            self.names = names
            yield
        self.names = {}

    def form_field(self, node: ast.AST) -> None:
        for _ in self.rounds(node):
            self.one_of_form(node)

    def one_of_form(self, node: ast.AST) -> None:
        name, schema, required = self.item(node, unknown("text or a file"))
        self.reading.form_at = self.reading.form_at or self.program.place(node, self.scope)
        self.flow(f"form.{name or ''}", node)
        if name is None:
            self.reading.form_whole = True
        else:
            old = self.reading.form.get(name)
            needed = required or (old.required if old is not None else required)
            self.reading.form[name] = Field(schema, needed, self.program.place(node, self.scope))

    def json_field(self, node: ast.AST) -> None:
        if self._is_passed(node) or self._is_handed(node):
            return
        schema = self.models.made_of(node, self.parents, self.scope)
        if schema is not None:
            self.modelled(schema)
            return
        for _ in self.rounds(node):
            self.one_of_json(node)

    def one_of_json(self, node: ast.AST) -> None:
        name, schema, required = self.item(node, {})
        self.flow(f"json.{name or ''}", node)
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
                self.each(outer if isinstance(outer, ast.Await) else node, self.json_field)

    def flow(self, key: str, node: ast.AST) -> None:
        """Follows the value that is taken from a mapping; the mapping itself where no name is given."""
        follow(self.reading.fates, self.flows, key, node, self.parents, self.function)

    def item(self, node: ast.AST, plain: Schema) -> tuple[str | None, Schema, bool | None]:
        """The constant name that is taken from a mapping, its schema, and whether it must be there."""
        outer = self.parents.get(node)
        if isinstance(outer, ast.Subscript) and outer.value is node:
            name = self.text(outer.slice)
            return name, self.converted(outer, plain), True if outer in self.certain else None
        if isinstance(outer, ast.Compare) and outer.comparators == [node]:
            return self.text(outer.left), plain, None
        call = self.parents.get(outer) if isinstance(outer, ast.Attribute) else None
        if not (isinstance(outer, ast.Attribute) and isinstance(call, ast.Call) and call.func is outer):
            return None, plain, None
        name = self.text(argument(call, 0, "key"))
        if outer.attr in _MANY:
            return name, {"type": "array", "items": plain}, None
        if outer.attr not in _ONE:
            return None, plain, None
        written = argument(call, 1, "default")
        default = constant(self.program, written, self.scope)
        schema = self.converted(call, plain)
        if not isinstance(default, Missing) and default is not None:
            schema = with_default(schema, default)
        return name, schema, False if written is not None and default is not None else None

    def converted(self, node: ast.AST, plain: Schema) -> Schema:
        """The schema of a value that is taken here and turned into a number or UUID on the spot."""
        outer = self.parents.get(node)
        if isinstance(outer, ast.Call) and outer.args == [node] and not outer.keywords:
            target = self.program.resolve(outer.func, self.scope)
            if isinstance(target, External) and target.dotted in _CONVERSIONS:
                return dict(_CONVERSIONS[target.dotted])
        return plain

    def unclear(self) -> None:
        self.reading.complete = False
        self.reading.guarded = True
