"""What a Flask handler reads from `flask.request`, itself and through the project's functions it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Set

from ingest.web.flask.refusals import Refusals
from ingest.web.program.calls import named_arguments
from ingest.web.program.handler_nodes import ASKED, FLAG, parents_within, taken_text
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, Target
from ingest.web.records.operations import Parameter
from ingest.web.requests.bodies import BodyUses
from ingest.web.requests.demanding import demands_with_helpers
from ingest.web.requests.demands import Demands
from ingest.web.requests.fates import Fate
from ingest.web.requests.flows import Flows
from ingest.web.requests.handing import hand_on
from ingest.web.requests.items import Items
from ingest.web.requests.models import BodyModels
from ingest.web.requests.parts import Part
from ingest.web.requests.passing import copied, is_filled, names_chosen, only_passed
from ingest.web.requests.reading import Reading
from ingest.web.requests.returned_bodies import giving_bodies
from ingest.web.requests.values import RequestValues
from ingest.web.schemas.models import Models
from ingest.web.values.instances import Instances
from ingest.web.values.specialised import called_by, with_told

_PLACES = {"args": "query", "headers": "header", "cookies": "cookie"}
_WHOLE_JSON = frozenset({"json", "get_json"})
_ROUTES = frozenset({"path", "full_path", "endpoint", "url_rule", "base_url", "url"})
_AFTER = 1_000_000_000
_OWN_HEADERS = frozenset({"authorization", "content-type", "accept"})


class RequestReader:
    """Reads the uses of the request in functions of one program."""

    def __init__(self, program: Program, models: Models | None = None) -> None:
        self.program = program
        instances = self.instances = Instances(program)
        self.values = RequestValues(program, instances)
        self.models = BodyModels(program, instances, models or Models(program))
        self.refusals = Refusals(program, instances)

    def read(
        self,
        functions: Iterable[FunctionTarget],
        path: Iterable[Parameter] = (),
        wrappers: Set[ast.AST] = frozenset(),
    ) -> Reading:
        """What these functions take together; the first is the handler, which is given the parameters of a path.

        Those of the nodes in `wrappers` lie around it.
        """
        functions = with_told(self.instances, functions)
        flows = Flows(self.program, self.instances, functions)
        reading = Reading()
        demands = Demands()
        handed = hand_on(self.values, functions, wrappers)
        for each in path if functions else ():
            reading.parameters[each.key] = each
            self.values.aliases[functions[0].node, each.name] = Part("path", each.name, "string", given=True)
        giving = giving_bodies(self.values, functions[1:])
        for number, function in enumerate(functions):
            if number == 0 or function.node in wrappers:
                demands.also(demands_with_helpers(function, self.values, self.refusals.refuses))
        for function in functions:
            self.program.saw(function.scope.path)
            walk = _Walk(self, reading, function, demands.passed, flows, handed, giving)
            walk.walk(demands.converted)
        if self.values.kept:
            # What an object keeps may be checked by methods that are not seen from here.
            reading.json_whole = True
            reading.fates["json."] = Fate(lost=True)
        reading.demand(demands.found)
        reading.doubt_fillers()
        reading.helpers = demands.helpers
        return reading


class _Walk(BodyUses):
    """The uses of the request in one function."""

    def walk(self, converted: Set[ast.AST] = frozenset()) -> None:
        """Notes the uses; `converted` are calls that turn a value into another wherever it is there."""
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
        parents = parents_within(self.program, node)
        self.parents = parents
        kept = [part for part in parents if self.is_kept(part)] if self.values.kept else []
        given = [each for each in self.scope.calls if self.is_given_back(each)] if self.giving else []
        of_path = any(owner is node and p.place == "path" for (owner, _), p in self.values.aliases.items())
        if not (requests or aliases or mappings or of_path or kept or given):
            return
        self.items = Items(self.program, self.parents, self.scope, self.certain)
        for use in requests:
            self.use(use)
        for name in aliases:
            self.named(name)
        for call in given:
            self.given_by(call)
        for part in kept:
            self._taken(part)
        for part in list(self.parents):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in mappings:
                self.mapping(part, mappings[part.id])
        for part in self.parents:
            if isinstance(part, ast.Call) and (part in self.certain or part in converted):
                self.conversion(part, part in self.certain)

    def is_given_back(self, call: ast.Call) -> bool:
        """Whether a helper gives the body back here that it took of the request itself."""
        called = called_by(self.values.instances, call, self.scope)
        known = isinstance(called, FunctionTarget) and called.node in self.giving and call not in self.handed
        return known and call in self.parents and not (self.values.kept and self.is_kept(call))

    def is_kept(self, node: ast.AST) -> bool:
        """Whether this is the body that an object keeps, or what one of its methods gives of it."""
        if not isinstance(node, ast.Attribute | ast.Call):
            return False
        if isinstance(node, ast.Attribute):
            return isinstance(node.ctx, ast.Load) and self.is_whole(node) and not self.is_of_request(node)
        function = node.func
        if not isinstance(function, ast.Attribute) or node in self.handed or self.is_of_request(function):
            return False
        return self.values.of(function.value, self.scope) is None and self.is_whole(node)

    def is_of_request(self, node: ast.Attribute) -> bool:
        """Whether this is an attribute of the request itself."""
        return self.values.is_request(node.value, self.scope)

    def is_whole(self, node: ast.expr) -> bool:
        """Whether an expression is the whole body."""
        found = self.values.of(node, self.scope)
        return found is not None and found.place == "json" and not found.name

    def requests(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.Name | ast.Attribute]:
        """The places where a function names the request, in an order that is always the same."""
        return [
            node
            for node in parents_within(self.program, function)
            if isinstance(node, ast.Name | ast.Attribute) and self.values.is_request(node, self.scope)
        ]

    def conversion(self, node: ast.Call, always: bool) -> None:
        """Notes that a text is turned into a number or a day (`int(request.args["n"])`), wherever it is there."""
        part = self.values.formed(node, self.scope) or (self.values.of(node, self.scope) if always else None)
        if part is not None and part.is_converted:
            self.reading.convert(part)

    def use(self, node: ast.expr) -> None:
        outer = self.parents.get(node)
        if not isinstance(outer, ast.Attribute):
            kept = isinstance(outer, ast.Assign) and any(
                isinstance(each, ast.Attribute) and self.values.is_request(each, self.scope)
                for each in outer.targets
            )
            if not (kept or isinstance(outer, ast.keyword | ast.alias) or self.is_handed_on(node, outer)):
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
        elif outer.attr == "values":
            before = set(self.reading.parameters)
            self.mapping(outer, "query")
            self.reading.mixed |= self.reading.parameters.keys() - before
        elif outer.attr in ("query_string", "stream", "get_json"):
            self.reading.complete = self.reading.complete and only_passed(
                self.program, self.parents, outer, self.scope
            )
        elif outer.attr == "authorization":
            self.reading.guarded = True
        elif outer.attr in _ROUTES:
            self.reading.routed = self.reading.routed or self.decides(outer)

    def decides(self, node: ast.AST) -> bool:
        """Whether an expression stands in what decides which branch is taken."""
        inner, outer = node, self.parents.get(node)
        while isinstance(outer, ast.expr):
            inner, outer = outer, self.parents.get(outer)
        if isinstance(outer, ast.Match):
            return outer.subject is inner
        return isinstance(outer, ast.If | ast.While) and outer.test is inner

    def is_handed_on(self, node: ast.expr, call: ast.AST | None) -> bool:
        """Whether a function of the project is given the request, which is read there."""
        if not isinstance(call, ast.Call):
            return False
        called: Target | None = self.values.instances.callee(call.func, self.scope)
        if isinstance(called, ClassTarget):
            called = self.program.class_member(called, "__init__")
        if not isinstance(called, FunctionTarget):
            return False
        names = [name for name, given in named_arguments(call, called) if given is node]
        return any(
            self.values.is_request(ast.Name(name, ast.Load(), lineno=_AFTER), called.body) for name in names
        )

    def mapping(self, node: ast.Attribute | ast.Name, where: str) -> None:
        """One use of `request.args`, `request.headers` or `request.cookies`, or of what a function is handed."""
        if self.is_given(node):
            # What the function takes of it is read there.
            return
        uses = self.uses_of_name(node) if isinstance(node, ast.Attribute) else None
        if uses is None:
            self.taken(node, where)
            return
        filled = [use for use in uses if is_filled(self.parents, use)]
        others = [use for use in uses if use not in filled and not self.is_passed(use)]
        if filled and others:
            self.opened(where)
            return
        for use in others:
            if not self.is_given(use):
                self.taken(use, where)

    def taken(self, node: ast.Attribute | ast.Name, where: str) -> None:
        """What one use of such a mapping takes of it."""
        place = self.program.place(node, self.scope)
        taken = self.models.parameters(node, self.parents, self.scope, where, place)
        if taken is not None:
            self.reading.parameters.update((each.key, each) for each in taken)
            return
        for _ in self.items.keys.rounds(node):
            self.mapped(node, where)

    def is_given(self, node: ast.AST) -> bool:
        """Whether a function of the project is given a mapping."""
        outer = self.parents.get(node)
        return (self.parents.get(outer) if isinstance(outer, ast.keyword) else outer) in self.handed

    def uses_of_name(self, node: ast.Attribute) -> list[ast.Name] | None:
        """The uses of the variable that holds all of a mapping, or a copy of it, once and for all, if any."""
        whole, _ = copied(self.program, self.parents, node, self.scope)
        match self.parents.get(whole):
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.NamedExpr(target=ast.Name(id=name)):
                bindings = self.scope.bindings.get(name, [])
                return self._loads(name) if len(bindings) == 1 else None
        return None

    def is_chosen(self, node: ast.AST, where: str) -> bool:
        """Whether only values of known names are taken: `{k: v for k, v in request.args.items() if k in NAMES}`."""
        names = names_chosen(self.program, self.parents, node, self.scope)
        place = self.program.place(node, self.scope)
        for name in names or ():
            found = Parameter(where, name, None, {"type": "string"}, place)
            self.flow(found.key, node)
            self.reading.parameters.setdefault(found.key, found)
        return names is not None

    def is_passed(self, node: ast.AST) -> bool:
        """See `only_passed`."""
        return only_passed(self.program, self.parents, node, self.scope)

    def opened(self, where: str) -> None:
        """Notes that more may be taken of a mapping than can be seen."""
        self.reading.complete = False
        self.reading.guarded = self.reading.guarded or where != "query"

    def mapped(self, node: ast.Attribute | ast.Name, where: str) -> None:
        name, schema, required = self.items.of(node, {"type": "string"})
        if name is None and (self.is_passed(node) or self.is_chosen(node, where)):
            return
        if name is None:
            self.opened(where)
            return
        if where == "header":
            # WSGI does not tell `-` and `_` apart in the names of headers.
            name = name.replace("_", "-")
        if where == "header" and name.lower() in _OWN_HEADERS:
            self.reading.guarded = self.reading.guarded or name.lower() == "authorization"
            return
        place = self.program.place(node, self.scope)
        told = taken_text(node, self.parents)
        if told is not None:
            schema, required = told, False if told is FLAG else required
        found = Parameter(where, name, required, schema, place)
        self.flow(found.key, node)
        old = self.reading.parameters.get(found.key)
        if old is not None:
            required = required or old.required if required is not False else old.required
            schema = old.schema if schema is ASKED or old.schema.get("type") else schema
            found = Parameter(where, old.name, required, schema, old.source)
        self.reading.parameters[found.key] = found
