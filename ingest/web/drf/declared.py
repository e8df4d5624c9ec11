"""What drf-spectacular's `extend_schema` or drf-yasg's decorator declares for an operation."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ingest.web.constants.constants import constant, entries, text_of
from ingest.web.drf.declared_forms import Declared, DeclaredForms
from ingest.web.drf.view_extensions import ViewExtensions
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import stands_for_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.serializers.applied import applied_to_method, may_be_applied
from ingest.web.serializers.declaring_functions import added_by
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.serializers.yasg import DECORATOR, PACKAGE, declared_by, is_yasg, methods_of
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

_MAKING = frozenset({"action", "api_view"})


class DeclarationReader(DeclaredForms):
    """Reads the declarations of one program."""

    def __init__(self, program: Program, models: SerializerModels) -> None:
        super().__init__(program, models)
        self.extensions = ViewExtensions(program, models.tables.names)

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
                on_method = applied_to_method(self.program, owner, (action, method.lower()))
                calls += [(each.call, each.scope) for each in on_method]
                hidden = hidden or not whole or not all(each.certain for each in on_method)
                calls += self._dispatched(owner, (action, method.lower()))
                # A class that defines the action itself is not reached by what its bases say of theirs.
                if any(isinstance(s, Function) and s.name == action for s in owner.node.body):
                    break
        if handler is not None and isinstance(handler.node, Function):
            told = self.models.decorators(handler.node, handler.scope, "extend_schema")
            calls += self._reaching(handler, told)
        for owner in self.program.ancestry(view) if view is not None else []:
            if isinstance(owner, ClassTarget):
                calls += self.models.decorators(owner.node, owner.scope, "extend_schema")
        replacement = self.extensions.of(view) if view is not None else None
        if replacement is not None:
            calls = self._replaced(replacement, calls, (action, method.lower()))
        declared = self._merged(calls, method, view, self._shown(handler))
        owners = [o for o in self.program.ancestry(view) if isinstance(o, ClassTarget)] if view else []
        # An extension of drf-spectacular may describe the view as another one, a function of the project declare more.
        described = any(
            owner.node.name in self.models.tables.extended
            for owner in owners
            if replacement is None or view is None or owner.node is not view.node
        )
        around = [(d, o.scope) for o in owners for d in o.node.decorator_list]
        noted: list[tuple[ast.ClassDef | Function, Scope]] = [(o.node, o.scope) for o in owners]
        if handler is not None and isinstance(handler.node, Function):
            noted.append((handler.node, handler.scope))
            around += [(d, handler.scope) for d in handler.node.decorator_list]
        declared.unread = declared.unread or described or hidden
        declared.unread = declared.unread or any(self._may_declare(*each) for each in around)
        declared.unread = declared.unread or any(may_be_applied(self.program, *each) for each in noted)
        return declared

    def _replaced(
        self, replacement: ClassTarget, calls: list[tuple[ast.Call, Scope]], names: tuple[str, ...]
    ) -> list[tuple[ast.Call, Scope]]:
        """What is declared of a view that is described as another one: that one's methods stand in place of its own."""
        own = [each for each in replacement.node.body if isinstance(each, Function) and each.name in names]
        said = [
            call for each in own for call in self.models.decorators(each, replacement.body, "extend_schema")
        ]
        over = self._of_view(replacement, names)[0]
        around = self.models.decorators(replacement.node, replacement.scope, "extend_schema")
        return [*over, *said, *around] if own else [*over, *around, *calls]

    def _reaching(
        self, handler: FunctionTarget, told: list[tuple[ast.Call, Scope]]
    ) -> list[tuple[ast.Call, Scope]]:
        """The declarations above `@action` or `@api_view`: these do not keep what was declared of a function before."""
        if not isinstance(handler.node, Function):
            return told
        for node in handler.node.decorator_list:
            made = self.program.resolve(uncalled(node), handler.scope)
            if isinstance(made, External) and made.root == "rest_framework" and made.name in _MAKING:
                called = [call for call, _ in told if call.lineno > handler.node.lineno]
                return [each for each in told if each[0].lineno < node.lineno or each[0] in called]
        return told

    def _of_view(
        self, owner: ClassTarget, names: tuple[str, ...]
    ) -> tuple[list[tuple[ast.Call, Scope]], bool]:
        """What `extend_schema_view` on a class declares for an action of these names, and whether that is all."""
        found: list[tuple[ast.Call, Scope]] = []
        whole = True
        for call, place in self.models.decorators(owner.node, owner.scope, "extend_schema_view"):
            given = [(k.arg, k.value, place) for k in call.keywords if k.arg is not None]
            for spread in [k.value for k in call.keywords if k.arg is None]:
                table = self._table(spread, place)
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

    def _table(self, node: ast.expr, scope: Scope) -> Sequence[tuple[ast.expr, ast.expr, Scope]] | None:
        """The keys and values of a dictionary, be it written as `dict(list=…)`."""
        target = self.program.resolve(node, scope)
        made = target.node if isinstance(target, ValueTarget) else None
        if isinstance(made, ast.Call) and isinstance(target, ValueTarget) and not made.args:
            kind = self.program.resolve(made.func, target.scope)
            names = [(ast.Constant(value=k.arg), k.value, target.scope) for k in made.keywords if k.arg]
            if kind == External("builtins.dict") and len(names) == len(made.keywords):
                return names
        return entries(self.program, node, scope)

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
        if isinstance(decorator, ast.Call) and added_by(self.program, decorator, scope) is not None:
            return False
        made = uncalled(decorator)
        target = self.program.resolve(made, scope)
        if target is None and not isinstance(made, ast.Attribute):
            return True
        return isinstance(target, FunctionTarget) and _uses_decorators(target)

    def _declares(self, node: ast.Call, scope: Scope) -> bool:
        """Whether a call may be `extend_schema` or something of the project around it."""
        made = self.program.resolve(node.func, scope)
        if isinstance(made, FunctionTarget):
            return _uses_decorators(made)
        return not isinstance(made, External) or made.root in ("drf_spectacular", PACKAGE)

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
        shown_as: ValueTarget | None,
    ) -> Declared:
        declared = Declared()
        for call, scope in calls:
            made = self.program.resolve(call.func, scope)
            if is_yasg(made, DECORATOR):
                told = methods_of(self.program, call, scope)
                if told is None or method in told:
                    declared.beside = True
                    declared.unread = declared.unread or has_stars(call)
                    given = declared_by(call)
                    describing = argument(call, None, "auto_schema")
                    declared.custom = declared.custom or (describing is not None and "exclude" not in given)
                    for name, stated in given.items():
                        declared.given.setdefault(name, (stated, scope))
                continue
            added = added_by(self.program, call, scope)
            if added is None and not (isinstance(made, External) and made.name == "extend_schema"):
                declared.unread = True
                continue
            methods = constant(self.program, argument(call, None, "methods"), scope)
            if isinstance(methods, list) and method not in [str(m).upper() for m in methods]:
                continue
            declared.unread = declared.unread or has_stars(call) or "versions" in (added or {})
            declared.unread = declared.unread or argument(call, None, "versions") is not None
            for name, position in (("operation_id", 0), ("parameters", 1), ("request", 2), ("responses", 3)):
                node = argument(call, position, name)
                if node is not None:
                    declared.several = declared.several or (name == "parameters" and name in declared.given)
                    declared.given.setdefault(name, (node, scope))
            for keyword in call.keywords:
                if keyword.arg is not None:
                    declared.given.setdefault(keyword.arg, (keyword.value, scope))
            for name, said in (added or {}).items():
                declared.given.setdefault(name, said)
        if "exclude" in declared.given:
            declared.hidden = constant(self.program, *declared.given["exclude"]) is True
        shown = self.program.class_member(view, "schema") if view is not None else shown_as
        if stands_for_none(shown):
            declared.hidden = True
        if isinstance(shown, ValueTarget) and isinstance(shown.node, ast.Call):
            made = self.program.resolve(shown.node.func, shown.scope)
            declared.custom = declared.custom or isinstance(made, ClassTarget)
        drawn = self.program.class_member(view, "swagger_schema") if view is not None else None
        declared.hidden = declared.hidden or stands_for_none(drawn)
        declared.custom = declared.custom or isinstance(drawn, ClassTarget)
        declared.unread = declared.unread or declared.custom or "operation" in declared.given
        return declared


def _uses_decorators(function: FunctionTarget) -> bool:
    """Whether a function calls one of the decorators that declare."""
    names = {getattr(call.func, "id", getattr(call.func, "attr", "")) for call in function.body.calls}
    return not names.isdisjoint({"extend_schema", "extend_schema_view", DECORATOR})
