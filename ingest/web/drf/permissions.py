"""Who may call an action of a view of the REST framework: its permissions, and how callers are known."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from graph.facts import Json
from ingest.web.constants.constants import elements, entries, text_of
from ingest.web.django.settings import Given
from ingest.web.drf.callers import SAFE, refuses_everybody
from ingest.web.drf.conditions import holds
from ingest.web.drf.given_policies import list_given
from ingest.web.drf.schemes import SchemeReader
from ingest.web.drf.stubs import passes_on
from ingest.web.drf.views import REST, Policies, View
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_AUTHENTICATED: Final = frozenset(
    {"IsAuthenticated", "IsAdminUser", "DjangoModelPermissions", "DjangoObjectPermissions"}
)
_TOOLKIT: Final = "oauth2_provider.contrib.rest_framework."
_TOKENS: Final = frozenset(
    {"TokenHasScope", "TokenHasReadWriteScope", "TokenHasResourceScope", "IsAuthenticatedOrTokenHasScope"}
)
_UNSEEN: Final = "another way"
_GATES: Final = frozenset({"get_authenticators", "check_permissions", "permission_denied", "initial"})
_GROWS: Final = frozenset({"append", "extend", "insert", "remove", "pop", "clear"})
_Listed = list[tuple[ast.expr, Scope]]


class PermissionReader:
    """Reads the permissions of the views of one program."""

    def __init__(self, program: Program, policies: Policies) -> None:
        self.program = program
        self.policies = policies
        self.schemes = SchemeReader(program, policies)

    def security(
        self, view: View, action: str, method: str
    ) -> tuple[list[dict[str, list[str]]] | None, dict[str, Json]]:
        """Who is let in, as alternatives of schemes, and the schemes; None where it cannot be known."""
        if view.target is not None and any(self._is_changed(view, name) for name in _GATES):
            return None, {}
        judged = self._permissions(view, action, method)
        if judged is None:
            return None, {}
        if not judged:
            # Without permissions everybody is let in; where callers are known all the same, views may ask by hand.
            authentication = self.policies.classes(view, "authentication_classes")
            unknown_callers = authentication is not None and not authentication[0]
            return ([], {}) if unknown_callers else (None, {})
        guarded = True in judged
        return (None, {}) if not guarded and None in judged else self.ways(view, guarded)

    def _is_changed(self, view: View, gate: str) -> bool:
        """Whether a view may let in others than its policies do, by a method of its own for that."""
        found = self.policies.member(view, gate)
        if found is None:
            return False
        # What does more before or after the framework's own steps refuses more, if anything.
        return not (isinstance(found, FunctionTarget) and passes_on(found, gate))

    def ways(self, view: View, guarded: bool) -> tuple[list[dict[str, list[str]]] | None, dict[str, Json]]:
        """The schemes by which a view knows its callers, as alternatives, of which one is none at all where it is not
        `guarded`; None where they cannot be known."""
        if isinstance(
            self.policies.settings.entry("SPECTACULAR_SETTINGS", "AUTHENTICATION_WHITELIST"), Given
        ):
            # Contracts name some of the ways only.
            return None, {}
        authentication = self.policies.classes(view, "authentication_classes")
        schemes: dict[str, Json] = {}
        missing = False
        for each in authentication[0] if authentication is not None else [None]:
            found = self.schemes.of(each)
            if found is not None:
                schemes[found[0]] = dict(found[1])
            elif not guarded:
                return [], {}
            else:
                missing = True
        if missing:
            # That callers are known by what nobody can name is told beside what is known, if anything is.
            schemes = (
                {**schemes, _UNSEEN: {"x-unknown": "how callers are known is the project's own"}}
                if schemes
                else {}
            )
        ways: list[dict[str, list[str]]] = [{name: []} for name in sorted(schemes)]
        return (ways or None, schemes) if guarded else ([*ways, {}], schemes)

    def _permissions(self, view: View, action: str, method: str) -> list[bool | None] | None:
        """Whether each permission refuses those who are not known; None where it cannot be known which there are."""
        chosen = self.policies.member(view, "get_permissions")
        if chosen is not None:
            if not isinstance(chosen, FunctionTarget) or not isinstance(chosen.node, Function):
                return None
            return self._chosen(_Run(self, view, action, method, chosen).of(chosen.node.body), view, method)
        return self._stated(view, method)

    def _chosen(self, ways: list[_Listed | str | None], view: View, method: str) -> list[bool | None] | None:
        """The same of lists of which one holds, where that does not decide who is let in."""
        found: list[list[bool | None]] = []
        for way in ways:
            judged = (
                [self.judged(node, scope, method) for node, scope in way]
                if isinstance(way, list)
                else None
                if way is None
                else self._stated(view, method)
            )
            if judged is None:
                return None
            found.append(judged)
        if all(True in judged for judged in found):
            return [True]
        return found[0] if all(set(judged) == set(found[0]) for judged in found) else None

    def _stated(self, view: View, method: str) -> list[bool | None] | None:
        """The same of `permission_classes`."""
        found = self.policies.member(view, "permission_classes")
        listed = self.listed(found) if found is not None else None
        if listed is not None:
            return [self.judged(node, scope, method) for node, scope in listed]
        named = self.policies.classes(view, "permission_classes")
        return None if named is None else [self._refuses(target, method) for target in named[0]]

    def listed(self, target: Target | None) -> _Listed | None:
        """The classes of a list of permissions."""
        if not isinstance(target, ValueTarget):
            return None
        node, scope = list_given(self.program, target.node, target.scope) or (target.node, target.scope)
        return elements(self.program, node, scope)

    def judged(self, node: ast.expr, scope: Scope, method: str) -> bool | None:
        """Whether a permission, or several put together, refuses those who are not known."""
        match node:
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() as op, right=right):
                found = {self.judged(left, scope, method), self.judged(right, scope, method)}
                if isinstance(op, ast.BitAnd):
                    return True if True in found else None if None in found else False
                # That one of several lets everybody in is named in no exported contract.
                return True if found == {True} else None
            case ast.UnaryOp():
                return None
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.BinOp):
            return self.judged(target.node, target.scope, method)
        return self._refuses(target, method)

    def _refuses(self, target: Target | None, method: str) -> bool | None:
        if _asks_for_tokens(self.program, target):
            return True
        derived = isinstance(target, ClassTarget)
        if isinstance(target, ClassTarget):
            if refuses_everybody(self.program, target, method):
                return True
            own = self.program.class_member(target, "has_permission")
            base = next((o for o in self.program.ancestry(target) if isinstance(o, External)), None)
            target = None if isinstance(own, FunctionTarget) else base
        if not isinstance(target, External) or target.root != REST:
            return None
        if target.name == "IsAuthenticatedOrReadOnly" and not derived:
            return method not in SAFE
        if target.name in ("IsAuthenticatedOrReadOnly", "DjangoModelPermissionsOrAnonReadOnly"):
            # Those who may read without being known are named in no exported contract.
            return True if method not in SAFE else None
        return True if target.name in _AUTHENTICATED else False if target.name == "AllowAny" else None


def _asks_for_tokens(program: Program, target: Target | None) -> bool:
    """Whether a permission is one of django-oauth-toolkit's, or inherits from one and judges as it does."""
    bases = program.ancestry(target) if isinstance(target, ClassTarget) else [target]
    for base in bases:
        name = (
            base.qualified
            if isinstance(base, ClassTarget)
            else base.dotted
            if isinstance(base, External)
            else ""
        )
        if name.startswith(_TOOLKIT):
            return name.rpartition(".")[2] in _TOKENS
        if isinstance(base, ClassTarget) and "has_permission" in base.body.bindings:
            return False
    return False


class _Run:
    """What `get_permissions` gives for one action, where only the action and the method decide."""

    def __init__(
        self, owner: PermissionReader, view: View, action: str, method: str, chosen: FunctionTarget
    ) -> None:
        self.owner = owner
        self.program = owner.program
        self.view = view
        self.action = action
        self.method = method
        self.scope = chosen.body
        self.variables: dict[str, _Listed] = {}

    def of(self, body: Sequence[ast.stmt]) -> list[_Listed | str | None]:
        """The permissions as expressions of classes, "stated" for those of the class, None where not known; several
        where more than the action and the method decides."""
        found, ends = self._through(body)
        return [*found, None] if ends else found

    def _through(self, body: Sequence[ast.stmt]) -> tuple[list[_Listed | str | None], bool]:
        """What statements give, and whether their end may be reached."""
        found: list[_Listed | str | None] = []
        for place, statement in enumerate(body):
            match statement:
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    continue
                case ast.Return(value=ast.expr() as value):
                    return [*found, self._returned(value)], False
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.Assign(
                        targets=[ast.Attribute(attr="permission_classes" as name, value=ast.Name(id="self"))],
                        value=value,
                    )
                ):
                    listed = elements(self.program, value, self.scope)
                    if listed is None and name == "permission_classes":
                        return [*found, None], False
                    if listed is None:
                        self.variables.pop(name, None)
                    else:
                        self.variables[name] = listed
                case ast.If(test=test, body=then, orelse=other):
                    held = holds(self.program, test, self.scope, self.action, self.method, self._own)
                    ways = [then, other] if held is None else [then if held else other]
                    rest = body[place + 1 :]
                    begun = dict(self.variables)
                    ends = False
                    for way in ways:
                        self.variables = dict(begun)
                        given, goes = self._through([*way, *rest])
                        found += given
                        ends = ends or goes
                    return found, ends
                case ast.Try(body=[ast.Return(value=ast.expr() as value)], handlers=[handler]):
                    given_first = self._returned(value)
                    if given_first != "missing":
                        return [*found, given_first], False
                    given, goes = self._through(handler.body)
                    if not goes:
                        return [*found, *given], False
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr=called))) if called in _GROWS:
                    return [*found, None], False
                case ast.Expr() | ast.Assign():
                    continue
                case _:
                    return [*found, None], False
        return found, True

    def _own(self, name: str) -> Target | None:
        return self.owner.policies.member(self.view, name)

    def _returned(self, node: ast.expr) -> _Listed | str | None:
        match node:
            case ast.Call(func=ast.Attribute(attr="get_permissions", value=ast.Call())):
                return self.variables.get("permission_classes", "stated")
            case ast.List(elts=made) | ast.Tuple(elts=made):
                calls = [each.func for each in made if isinstance(each, ast.Call)]
                return [(each, self.scope) for each in calls] if len(calls) == len(made) else None
            case ast.ListComp(elt=ast.Call(func=ast.Name(id=name)), generators=[one]):
                if getattr(one.target, "id", "") == name and not one.ifs:
                    return self._each(one.iter)
        return None

    def _each(self, node: ast.expr) -> _Listed | str | None:
        """The classes that a comprehension makes instances of."""
        match node:
            case ast.Name(id=name) if name in self.variables:
                return self.variables[name]
            case ast.Attribute(attr="permission_classes", value=ast.Name(id="self")):
                return self.variables.get("permission_classes", "stated")
            case ast.Subscript(
                value=ast.Attribute(attr=table, value=ast.Name(id="self")),
                slice=ast.Attribute(attr="action", value=ast.Name(id="self")),
            ):
                return self._looked_up(self.owner.policies.member(self.view, table))
        return elements(self.program, node, self.scope)

    def _looked_up(self, table: Target | None) -> _Listed | str | None:
        found = entries(self.program, table.node, table.scope) if isinstance(table, ValueTarget) else None
        for key, value, scope in found or []:
            name = text_of(self.program, key, scope)
            if name is None:
                return None
            if name == self.action:
                return elements(self.program, value, scope)
        return "missing" if found is not None else None
