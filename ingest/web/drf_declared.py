"""What drf-spectacular's `extend_schema` declares for an operation."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.bindings import Function
from ingest.web.calls import argument, has_stars
from ingest.web.constants import constant, entries, status_of, text_of
from ingest.web.drf_serializers import SerializerModels
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, External, FunctionTarget, ValueTarget


@dataclass(slots=True)
class Declared:
    """The arguments of all `extend_schema` that hold for an operation, the nearest deciding.

    `unread` tells that more may be declared than can be read, `custom` that a class of the project's own describes the
    operation, `several` that parameters are declared in more than one place, which adds them up.
    """

    given: dict[str, tuple[ast.expr, Scope]] = field(default_factory=dict)
    hidden: bool = False
    unread: bool = False
    custom: bool = False
    several: bool = False

    def has(self, name: str) -> bool:
        """Whether something is declared by this name."""
        return name in self.given


@dataclass(slots=True)
class DeclaredResponses:
    """Declared answers by status: media types with schemas (None: the usual media types), or None without content."""

    found: dict[str, tuple[Schema | None, str | None, Location]] = field(default_factory=dict)
    complete: bool = True


class DeclarationReader:
    """Reads the declarations of one program."""

    def __init__(self, program: Program, models: SerializerModels) -> None:
        self.program = program
        self.models = models

    def of(
        self, view: ClassTarget | None, handler: FunctionTarget | None, action: str, method: str
    ) -> Declared:
        """What is declared for an action of a view (or for a function) and a method."""
        calls: list[tuple[ast.Call, Scope]] = []
        hidden = False
        for owner in self.program.ancestry(view) if view is not None else []:
            if isinstance(owner, ClassTarget):
                seen, whole = self._of_view(owner, (action, method.lower()))
                calls += seen
                hidden = hidden or not whole
                calls += self._dispatched(owner, (action, method.lower()))
                # A class that defines the action itself is not reached by what its bases say of theirs.
                if any(isinstance(s, Function) and s.name == action for s in owner.node.body):
                    break
        if handler is not None and isinstance(handler.node, Function):
            calls += self.models.decorators(handler.node, handler.scope, "extend_schema")
        for owner in self.program.ancestry(view) if view is not None else []:
            if isinstance(owner, ClassTarget):
                calls += self.models.decorators(owner.node, owner.scope, "extend_schema")
        declared = self._merged(calls, method, view, self._shown(handler))
        owners = [o for o in self.program.ancestry(view) if isinstance(o, ClassTarget)] if view else []
        # An extension of drf-spectacular may describe the view as another one, a function of the project declare more.
        described = any(owner.node.name in self.models.tables.extended for owner in owners)
        around = [(d, o.scope) for o in owners for d in o.node.decorator_list]
        if handler is not None and isinstance(handler.node, Function):
            around += [(d, handler.scope) for d in handler.node.decorator_list]
        declared.unread = declared.unread or described or hidden
        declared.unread = declared.unread or any(self._may_declare(*each) for each in around)
        return declared

    def _of_view(
        self, owner: ClassTarget, names: tuple[str, ...]
    ) -> tuple[list[tuple[ast.Call, Scope]], bool]:
        """What `extend_schema_view` on a class declares for an action of these names, and whether that is all."""
        found: list[tuple[ast.Call, Scope]] = []
        whole = True
        for call, place in self.models.decorators(owner.node, owner.scope, "extend_schema_view"):
            given = [(k.arg, k.value, place) for k in call.keywords if k.arg is not None]
            for spread in [k.value for k in call.keywords if k.arg is None]:
                table = entries(self.program, spread, place)
                named = [(text_of(self.program, k, s), v, s) for k, v, s in table or []]
                whole = whole and table is not None and all(name is not None for name, _, _ in named)
                given += [(name, value, scope) for name, value, scope in named if name is not None]
            for name, node, scope in given:
                bound = self.program.resolve(node, scope) if not isinstance(node, ast.Call) else None
                if isinstance(bound, ValueTarget) and bound.node is not None:
                    node, scope = bound.node, bound.scope
                if name not in names:
                    continue
                several = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
                found += [(each, scope) for each in several if isinstance(each, ast.Call)]
                whole = whole and all(isinstance(each, ast.Call) for each in several)
        return found, whole

    def _dispatched(self, owner: ClassTarget, names: tuple[str, ...]) -> list[tuple[ast.Call, Scope]]:
        """The declarations that Django's `method_decorator(extend_schema(…), name=…)` puts on methods of a class."""
        found = []
        for decorator in owner.node.decorator_list:
            made = (
                self.program.resolve(decorator.func, owner.scope) if isinstance(decorator, ast.Call) else None
            )
            if not isinstance(decorator, ast.Call) or not isinstance(made, External):
                continue
            if made.name != "method_decorator" or made.root != "django":
                continue
            node, scope = argument(decorator, 0, "decorator"), owner.scope
            target = self.program.resolve(node, scope) if node is not None else None
            if isinstance(target, ValueTarget) and target.node is not None:
                node, scope = target.node, target.scope
            name = text_of(self.program, argument(decorator, 1, "name"), owner.scope)
            if name in names and isinstance(node, ast.Call) and self._declares(node, scope):
                found.append((node, scope))
        return found

    def _may_declare(self, decorator: ast.expr, scope: Scope) -> bool:
        """Whether a decorator is a function of the project that itself uses `extend_schema`, or cannot be seen."""
        made = decorator.func if isinstance(decorator, ast.Call) else decorator
        target = self.program.resolve(made, scope)
        if target is None and not isinstance(made, ast.Attribute):
            return True
        called = target.body.calls if isinstance(target, FunctionTarget) else []
        names = {getattr(call.func, "id", getattr(call.func, "attr", "")) for call in called}
        return not names.isdisjoint({"extend_schema", "extend_schema_view"})

    def _declares(self, node: ast.Call, scope: Scope) -> bool:
        """Whether a call may be `extend_schema` or something of the project around it."""
        made = self.program.resolve(node.func, scope)
        return not isinstance(made, External) or made.root == "drf_spectacular"

    def _shown(self, handler: FunctionTarget | None) -> ValueTarget | None:
        """What the framework's decorator `@schema(…)` says of a function."""
        if handler is None or not isinstance(handler.node, Function):
            return None
        for node in handler.node.decorator_list:
            made = self.program.resolve(node.func, handler.scope) if isinstance(node, ast.Call) else None
            known = isinstance(made, External) and made.root == "rest_framework" and made.name == "schema"
            if known and isinstance(node, ast.Call) and node.args:
                return ValueTarget(node.args[0], handler.scope)
        return None

    def _merged(
        self,
        calls: list[tuple[ast.Call, Scope]],
        method: str,
        view: ClassTarget | None,
        told: ValueTarget | None,
    ) -> Declared:
        declared = Declared()
        for call, scope in calls:
            made = self.program.resolve(call.func, scope)
            if not (isinstance(made, External) and made.name == "extend_schema"):
                declared.unread = True
                continue
            methods = constant(self.program, argument(call, None, "methods"), scope)
            if isinstance(methods, list) and method not in [str(m).upper() for m in methods]:
                continue
            declared.unread = (
                declared.unread or has_stars(call) or argument(call, None, "versions") is not None
            )
            for name, position in (("operation_id", 0), ("parameters", 1), ("request", 2), ("responses", 3)):
                node = argument(call, position, name)
                if node is not None:
                    declared.several = declared.several or (name == "parameters" and name in declared.given)
                    declared.given.setdefault(name, (node, scope))
            for keyword in call.keywords:
                if keyword.arg is not None:
                    declared.given.setdefault(keyword.arg, (keyword.value, scope))
        if "exclude" in declared.given:
            declared.hidden = constant(self.program, *declared.given["exclude"]) is True
        shown = self.program.class_member(view, "schema") if view is not None else told
        if (
            isinstance(shown, ValueTarget)
            and isinstance(shown.node, ast.Constant)
            and shown.node.value is None
        ):
            declared.hidden = True
        if isinstance(shown, ValueTarget) and isinstance(shown.node, ast.Call):
            describing = self.program.resolve(shown.node.func, shown.scope)
            declared.custom = isinstance(describing, ClassTarget)
        declared.unread = declared.unread or declared.custom or "operation" in declared.given
        return declared

    def text(self, declared: Declared, name: str) -> str | None:
        """A declared constant text."""
        return text_of(self.program, *declared.given[name]) if name in declared.given else None

    def flag(self, declared: Declared, name: str) -> bool:
        """Whether something is declared as true."""
        return name in declared.given and constant(self.program, *declared.given[name]) is True

    def request(self, declared: Declared) -> tuple[dict[str | None, Schema | None], bool] | None:
        """The declared bodies by media type (None: the usual ones), and whether they could be read.

        None where nothing is declared.
        """
        if "request" not in declared.given:
            return None
        node, scope = declared.given["request"]
        table = entries(self.program, node, scope)
        if table is None and self._is_field(node, scope):
            return {None: unknown("a field alone is no body")}, True
        if table is None:
            return {None: self._typed(node, scope)}, True
        found: dict[str | None, Schema | None] = {}
        for key, value, inner in table:
            media_type = text_of(self.program, key, inner)
            if media_type is None or "/" not in media_type:
                return {}, False
            found[media_type] = self._typed(value, inner)
        return found, True

    def _is_field(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a declared body or answer is a field and no serializer."""
        if not isinstance(node, ast.Call) or not self.models.reader.is_field(node, scope):
            return False
        if self.models.reader.is_stated(node, scope):
            return False
        made = self.program.resolve(node.func, scope)
        several = isinstance(made, External) and made.name.endswith("Serializer")
        return not several and not self.models.is_serializer(made)

    def responses(self, declared: Declared, success: str) -> DeclaredResponses | None:
        """The declared answers; `success` is the status of what is declared without one. None where undeclared."""
        if "responses" not in declared.given:
            return None
        node, scope = declared.given["responses"]
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Dict):
            node, scope = target.node, target.scope
        answer = DeclaredResponses()
        if self._is_field(node, scope):
            # A field alone is no answer that contracts tell of.
            answer.complete = False
            return answer
        if not isinstance(node, ast.Dict | ast.BinOp):
            answer.found[success] = (self._typed(node, scope), None, self.program.place(node, scope))
            return answer
        table = entries(self.program, node, scope)
        for key, value, inner in table or []:
            media_type: str | None = None
            if isinstance(key, ast.Tuple) and key.elts:
                media_type = text_of(self.program, key.elts[-1], inner)
                key = key.elts[0]
            status = status_of(self.program, key, inner)
            text = str(status) if status is not None else text_of(self.program, key, inner)
            if text is None:
                answer.complete = False
                continue
            answer.found[text] = (self._typed(value, inner), media_type, self.program.place(key, inner))
        answer.complete = answer.complete and table is not None
        return answer

    def tells_many(self, declared: Declared, success: str) -> bool:
        """Whether the first of the declared answers is a list of what a serializer writes."""
        told = self.responses(declared, success)
        if told is None or not told.found:
            return False
        schema = told.found[min(told.found)][0]
        return schema is not None and schema.get("type") == "array"

    def _typed(self, node: ast.expr, scope: Scope) -> Schema | None:
        """A declared type, also within `OpenApiResponse` and `OpenApiRequest`; None for no content."""
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not None:
            node, scope = target.node, target.scope
        made = self.program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(made, External):
            if made.name == "OpenApiResponse":
                inner = argument(node, 0, "response")
                return self.models.of_value(inner, scope) if inner is not None else None
            if made.name == "OpenApiRequest":
                return self.models.of_value(argument(node, 0, "request"), scope)
        if self._is_field(node, scope):
            return unknown("a field alone is no answer")
        if isinstance(target, External) and target.dotted.endswith("OpenApiTypes.NONE"):
            return None
        return self.models.of_value(node, scope)
