"""Views of the REST framework as classes with policies: what they say, else what the settings say."""

from __future__ import annotations

import ast
from functools import partial
from typing import Final

import msgspec

from ingest.web.constants.constants import MISSING, Constant, Missing, constant, elements, text_of
from ingest.web.django.settings import Given, Settings
from ingest.web.django.spaces import version_of
from ingest.web.drf.bases import lacks
from ingest.web.drf.given_policies import list_given
from ingest.web.drf.media_types import PARSED, RENDERED, form_of
from ingest.web.program.class_decorators import decorated
from ingest.web.program.nulls import is_none, stands_for_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import is_self
from ingest.web.syntax.scopes import Scope

REST: Final = "rest_framework"
_DEFAULTS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "permission_classes": ("DEFAULT_PERMISSION_CLASSES", ("AllowAny",)),
    "authentication_classes": (
        "DEFAULT_AUTHENTICATION_CLASSES",
        ("SessionAuthentication", "BasicAuthentication"),
    ),
    "parser_classes": ("DEFAULT_PARSER_CLASSES", ("JSONParser", "FormParser", "MultiPartParser")),
    "renderer_classes": ("DEFAULT_RENDERER_CLASSES", ("JSONRenderer", "BrowsableAPIRenderer")),
    "filter_backends": ("DEFAULT_FILTER_BACKENDS", ()),
    "throttle_classes": ("DEFAULT_THROTTLE_CLASSES", ()),
}
_DEPTH: Final = 10
_BY_SPACE: Final = "NamespaceVersioning"
_BEFORE: Final = frozenset({"__init__", "setup", "dispatch", "initialize_request", "initial"})
"""The methods that run before a request is answered, so that what they set on the view holds for it."""


class View(msgspec.Struct, frozen=True):
    """A view class with what an action or `as_view(…)` puts over its attributes; `target` is None for functions."""

    target: ClassTarget | None
    over: dict[str, tuple[ast.expr, Scope]] = msgspec.field(default_factory=dict)


class Policies:
    """Reads the policies of views of one program."""

    def __init__(self, program: Program, settings: Settings) -> None:
        self.program = program
        self.settings = settings

    def member(self, view: View, name: str) -> Target | None:
        """What a view itself says by an attribute; None where only the framework says something."""
        if name in view.over:
            node, scope = view.over[name]
            return self.program.resolve(node, scope) or ValueTarget(node, scope)
        if view.target is not None and (setter := self._early(view.target).get(name)) is not None:
            return setter
        if view.target is not None and (told := self._decorated(view.target, name)) is not None:
            return told
        found = self.of_class(view.target, name) if view.target is not None else None
        return None if isinstance(found, External) and found.root == REST and found.name == name else found

    def _decorated(self, view: ClassTarget, name: str) -> Target | None:
        """What a decorator of the view, or of a base that says nothing of its own before, sets an attribute to."""
        for base in self.program.ancestry(view):
            if not isinstance(base, ClassTarget):
                continue
            found = decorated(self.program, base, name)
            if found is not None or name in base.body.bindings:
                return found
        return None

    def _early(self, view: ClassTarget) -> dict[str, FunctionTarget]:
        """The attributes that a view sets on itself before it answers, by the methods that do; these hold."""
        found: dict[str, FunctionTarget] = {}
        called: list[str] = []
        for base in self.program.ancestry(view):
            if isinstance(base, ClassTarget):
                early = partial(self._sets, base)
                kept, further = self.program.remember(("set early", base.node), early)
                found |= kept
                called += further
        for name in called:
            owners = [base for base in self.program.ancestry(view) if isinstance(base, ClassTarget)]
            # The framework's own classes, which may stand before, have no methods of such names.
            owner = next((each for each in owners if name in each.body.bindings), view)
            method = self.program.class_member(owner, name)
            if isinstance(method, FunctionTarget):
                found |= dict.fromkeys(_stored(method.node), method)
        return found

    def _sets(self, owner: ClassTarget) -> tuple[dict[str, FunctionTarget], list[str]]:
        """What the early methods of a class set, and the methods of the view that they call."""
        found: dict[str, FunctionTarget] = {}
        called: list[str] = []
        for statement in owner.node.body:
            if isinstance(statement, Function) and statement.name in _BEFORE:
                method = self.program.class_member(owner, statement.name)
                if isinstance(method, FunctionTarget):
                    found |= dict.fromkeys(_stored(statement), method)
                    called += _own_calls(statement)
        return found, called

    def of_class(self, view: ClassTarget, name: str) -> Target | None:
        """What a name of a view class stands for; external where a base from outside says it, None where unknown."""
        found = self.program.class_member(view, name, lacks=lacks)
        if isinstance(found, External) and found.root == REST:
            # The framework's own classes come after all views of the project that inherit from them.
            for base in self.program.ancestry(view):
                if isinstance(base, ClassTarget) and name in base.body.bindings and self._is_view(base):
                    return self.program.class_member(base, name)
        return found

    def _is_view(self, target: ClassTarget) -> bool:
        return any(
            isinstance(base, External) and base.root == REST and not lacks(base, "as_view")
            for base in self.program.ancestry(target)
        )

    def text(self, view: View, name: str) -> str | Missing | None:
        """A constant text attribute: None where the view has none."""
        found = self.member(view, name)
        if found is None:
            return None
        value = text_of(self.program, found.node, found.scope) if isinstance(found, ValueTarget) else None
        if value is None and stands_for_none(found):
            return None
        return MISSING if value is None else value

    def value(self, view: View, name: str) -> Constant:
        """The constant of an attribute, else `MISSING`; None where the view has none."""
        found = self.member(view, name)
        if found is None:
            return None
        return constant(self.program, found.node, found.scope) if isinstance(found, ValueTarget) else MISSING

    def classes(self, view: View, name: str) -> tuple[list[Target | None], bool] | None:
        """The classes that a policy lists and whether the code names them; None where the list cannot be known."""
        found = self.member(view, name)
        if found is None:
            return self._preset(name)
        if not isinstance(found, ValueTarget):
            return None
        listed = self._spread(name, found.node, found.scope, 0)
        return None if listed is None else (listed, True)

    def _preset(self, name: str) -> tuple[list[Target | None], bool] | None:
        """The same of what holds for all views that say nothing."""
        setting, usual = _DEFAULTS[name]
        given = self.settings.rest(setting)
        # An application without a project around it is read and written as the framework does by itself.
        alone = not self.settings.found and name in ("parser_classes", "renderer_classes")
        if given is None or alone:
            return [External(f"{REST}.{each}") for each in usual], False
        if isinstance(given, Missing):
            return None
        listed = elements(self.program, given.node, given.scope)
        return None if listed is None else ([self.named(n, s) for n, s in listed], True)

    def _spread(
        self, name: str, node: ast.expr | None, scope: Scope, depth: int
    ) -> list[Target | None] | None:
        """The classes of a list that may be made of others, such as the one that the framework's views have."""
        if depth > _DEPTH:
            return None
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                found: list[Target | None] = []
                for part in parts:
                    if not isinstance(part, ast.Starred):
                        found.append(self.program.resolve(part, scope))
                        continue
                    inner = self._spread(name, part.value, scope, depth + 1)
                    if inner is None:
                        return None
                    found += inner
                return found
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = (self._spread(name, each, scope, depth + 1) for each in (left, right))
                return None if first is None or second is None else first + second
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner_node]):
                return self._spread(name, inner_node, scope, depth + 1)
            case ast.Call() if (given := list_given(self.program, node, scope)) is not None:
                return self._spread(name, *given, depth + 1)
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not None and target.node is not node:
            return self._spread(name, target.node, target.scope, depth + 1)
        if isinstance(target, External) and target.root == REST and target.name in (name, _DEFAULTS[name][0]):
            preset = self._preset(name)
            return preset[0] if preset is not None else None
        return None

    def named(self, node: ast.expr, scope: Scope) -> Target | None:
        """The class that settings name, by its dotted path or as itself."""
        text = text_of(self.program, node, scope)
        if text is None:
            return self.program.resolve(node, scope)
        place, _, name = text.rpartition(".")
        module = self.program.module(place)
        return self.program.member(module, name) if module is not None else External(text)

    def parsed(self, view: View) -> tuple[list[str], bool] | None:
        """The media types that a view takes and whether the code names them; None where unknown."""
        return self._media_types(view, "parser_classes", PARSED)

    def rendered(self, view: View) -> list[str] | None:
        """The media types that a view answers with; None where unknown."""
        found = self._media_types(view, "renderer_classes", RENDERED)
        return found[0] if found is not None else None

    def pagination(self, view: View) -> Target | Missing | None:
        """The pagination class of a view's lists: None where there is none, `MISSING` where it is not known."""
        found = self.member(view, "pagination_class")
        if found is not None:
            if stands_for_none(found):
                return None
            return found if isinstance(found, ClassTarget | External) else MISSING
        if view.target is not None and isinstance(self.member(view, "paginator"), FunctionTarget):
            return MISSING
        given = self.settings.rest("DEFAULT_PAGINATION_CLASS")
        if not isinstance(given, Given):
            return None if given is None else MISSING
        if is_none(given.node):
            return None
        target = self.named(given.node, given.scope)
        return target if isinstance(target, ClassTarget | External) else MISSING

    def versioned(self, view: View, spaces: tuple[str, ...] = ()) -> str:
        """The name of the class by which a view tells versions of itself apart, with the version where the namespaces
        of the route (`spaces`) are it; empty where there is no such class, or none that is known. What writes a
        contract leaves out views of other versions than its own."""
        found = self.member(view, "versioning_class")
        given = self.settings.rest("DEFAULT_VERSIONING_CLASS")
        unseen = isinstance(found, External) and found.name == "versioning_class"
        if (found is None or unseen) and isinstance(given, Given):
            # Bases from outside of the project hardly ever have a policy of their own for this.
            found = self.named(given.node, given.scope)
        if isinstance(found, ClassTarget):
            name, spaced = found.qualified, self._by_space(found)
        else:
            known = isinstance(found, External) and found.name.endswith("Versioning")
            name = found.name if known and isinstance(found, External) else ""
            spaced = name == _BY_SPACE
        return f"{name} {version}" if spaced and (version := version_of(spaces, self._allowed())) else name

    def _by_space(self, versioning: ClassTarget) -> bool:
        bases = self.program.ancestry(versioning)
        return any(isinstance(base, External) and base.name == _BY_SPACE for base in bases)

    def _allowed(self) -> list[str] | None:
        """The versions that the settings allow; None where they say nothing, or nothing that is known."""
        given = self.settings.rest("ALLOWED_VERSIONS")
        found = constant(self.program, given.node, given.scope) if isinstance(given, Given) else None
        return [str(each) for each in found] if isinstance(found, list) else None

    def _media_types(self, view: View, name: str, table: dict[str, str]) -> tuple[list[str], bool] | None:
        hook = "get_parsers" if name == "parser_classes" else "get_renderers"
        if self.member(view, hook) is not None:
            return None
        listed = self.classes(view, name)
        if listed is None:
            return None
        place = self.program.place(view.target.node, view.target.scope) if view.target is not None else None
        found = [form_of(self.program, each, table, place) for each in listed[0]]
        known = [each for each in found if each is not None]
        return ([each for each in known if each], listed[1]) if len(known) == len(found) else None


def told_view(base: External, node: ast.expr, scope: Scope) -> ClassTarget:
    """A view without anything of its own, which inherits from what an expression stands for."""
    made = ast.ClassDef(name=base.name, bases=[node], keywords=[], body=[ast.Pass()], decorator_list=[])
    return ClassTarget(ast.fix_missing_locations(ast.copy_location(made, node)), scope)


def _stored(node: ast.AST) -> list[str]:
    """The attributes that a method sets on its object."""
    return [
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and is_self(part.value)
    ]


def _own_calls(node: ast.AST) -> list[str]:
    """The methods of its own object that a method calls."""
    return [
        part.func.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and is_self(part.func.value)
    ]
