"""Which model of a Django project a name stands for: a class, its label, a setting, or what a function looks up."""

from __future__ import annotations

import ast
import re
from typing import Final

from graph.facts import Location
from ingest.web.constants.constants import constant, setting_of, text_of
from ingest.web.django.querysets import label_of, split_label
from ingest.web.django.settings import Settings
from ingest.web.django.tables import OUTSIDE, ModelClass
from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

_CLASS = re.compile(r"^class (\w+)\b", re.M)
_DOTTED: Final = re.compile(r"\w+\.\w+$")
_SETTINGS: Final = "django.conf.settings."
_DEPTH = 10


class NamedModels:
    """Finds the models of one program by what names them; `names` are the modules that may hold models."""

    def __init__(self, program: Program, settings: Settings, names: tuple[str, ...]) -> None:
        self.program = program
        self.settings = settings
        self.names = names
        self._index: dict[str, list[tuple[str, str]]] | None = None

    def model(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> ModelClass | None:
        """The model that an expression names: as a class, as text, or as the user model of the settings."""
        if node is None or depth > _DEPTH:
            return None
        value = text_of(self.program, node, scope)
        target = self.program.resolve(node, scope)
        if value is not None:
            return self._by_name(value, scope)
        if isinstance(target, External) and target.name == "AUTH_USER_MODEL":
            return self.user()
        if isinstance(target, External) and target.dotted.startswith(_SETTINGS):
            name = target.name
            return self.program.remember(("swappable", name), lambda: self._swappable(name))
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            return self._called(target.node, target.scope, depth)
        if isinstance(target, ClassTarget):
            return target if self.is_model(target) else None
        return target if isinstance(target, External) and target.root == "django" else None

    def _swappable(self, setting: str) -> ModelClass | None:
        """The model that says for itself that a setting may name another: `swappable = "SHOP_BOOK_MODEL"`."""
        wanted = re.compile(rf"""^\s+swappable\s*=\s*["']{setting}["']""", re.M)
        found = []
        for name in self.names:
            module = self.program.module(name) if wanted.search(self.program.text(name)) else None
            for each in module.scope.bindings if module is not None else ():
                target = self.program.member(module, each) if module is not None else None
                meta = self.program.class_member(target, "Meta") if isinstance(target, ClassTarget) else None
                said = self.program.class_member(meta, "swappable") if isinstance(meta, ClassTarget) else None
                text = text_of(self.program, said.node, said.scope) if isinstance(said, ValueTarget) else None
                if isinstance(target, ClassTarget) and text == setting and target not in found:
                    found.append(target)
        return found[0] if len(found) == 1 else None

    def _called(self, call: ast.Call, scope: Scope, depth: int) -> ModelClass | None:
        """The model that a function gives: the users', or the one that it is told by its name (`"shop.Book"`)."""
        made = self.program.resolve(call.func, scope)
        if isinstance(made, External) and made.name == "get_user_model":
            return self.user()
        if isinstance(made, FunctionTarget) and (key := _setting_asked(call)):
            named_so = self.settings.under(key)
            return self._by_name(named_so, scope) if named_so is not None else None
        if not isinstance(made, External | FunctionTarget) or "model" not in last_name(call.func):
            return None
        if len(call.args) == 1 and label_of(call) is not None and (asked := self._asked(call.args[0], scope)):
            return asked
        named = [setting_of(self.program, each, scope) for each in call.args[:2]]
        if named and named[0] is not None and _DOTTED.match(named[0]):
            return self._by_name(named[0], scope)
        if len(named) == 2 and all(named):
            swapped = self.settings.value(f"{named[0]}_{named[1]}_MODEL".upper())
            return self._by_name(swapped if isinstance(swapped, str) else f"{named[0]}.{named[1]}", scope)
        if len(call.args) == 1 and named[0] is not None and named[0].isidentifier():
            return self._find(named[0], "", self.program.place(call, scope))
        results = returned(made) if isinstance(made, FunctionTarget) and not call.args else []
        return self._among(results, depth)

    def _asked(self, node: ast.expr, scope: Scope) -> ModelClass | None:
        """The model that stands for a setting which nobody sets, where the registry is asked by that."""
        target = self.program.resolve(node, scope)
        unset = isinstance(target, External) and text_of(self.program, node, scope) is None
        return self.model(node, scope) if unset else None

    def _among(self, results: list[tuple[ast.expr, Scope]], depth: int) -> ModelClass | None:
        """The model that a function gives: the one that it looks up by a setting, else the one that stands for it where
        there is no such setting."""
        split = [split_label(node, scope) for node, scope in results]
        results = [(label or node, scope) for label, (node, scope) in zip(split, results, strict=True)]
        looked_up = [(label_of(node), node, scope) for node, scope in results]
        unset = [
            node for label, node, scope in looked_up if label and constant(self.program, label, scope) is None
        ]
        stated = [(n, s) for label, n, s in looked_up if label and n not in unset]
        wanted = stated or [(node, scope) for node, scope in results if node not in unset]
        found = [self.model(node, scope, depth + 1) for node, scope in wanted]
        return found[0] if found and all(each == found[0] for each in found) else None

    def is_model(self, target: Target | None) -> bool:
        """Whether this is a model class of the project."""
        return isinstance(target, ClassTarget) and self.program.is_a(target, {"django"}, set(OUTSIDE))

    def user(self) -> ModelClass | None:
        """The model of the users, as the settings name it."""
        value = self.settings.value("AUTH_USER_MODEL")
        if isinstance(value, str):
            place = Location(min(self.settings.sources, default=""), 1, 1)
            return self._find(value.rpartition(".")[2], value.partition(".")[0], place)
        return External("django.contrib.auth.models.User") if self.settings.found else None

    def _by_name(self, name: str, scope: Scope) -> ModelClass | None:
        label, _, bare = name.rpartition(".")
        here = self.program.module_of(scope)
        if not label and here is not None:
            target = self.program.member(here, bare)
            if isinstance(target, ClassTarget):
                return target
        if label == "auth":
            return External(f"django.contrib.auth.models.{bare}")
        return self._find(bare, label, self.program.place(scope.node, scope))

    def _find(self, name: str, label: str, place: Location) -> ClassTarget | None:
        """The one model class of this name, in whatever case; of several, the one in the application of this label.
        One that an installed application has is told at `place`."""
        if self._index is None:
            self._index = {}
            for module_name in self.names:
                for found in _CLASS.findall(self.program.text(module_name)):
                    self._index.setdefault(found.lower(), []).append((module_name, found))
        places = self._index.get(name.lower(), [])
        if len(places) > 1 and label:
            places = [each for each in places if label in each[0].split(".")]
        modules = [(self.program.module(module), found) for module, found in places]
        if not places and label:
            # Models that only inherit from another application's need not name Django themselves.
            modules = [(self._models(each, place), name) for each in self._installed(label)]
        targets = []
        for module, found in modules:
            target = self.program.member(module, self._spelled(module, found)) if module is not None else None
            if isinstance(target, ClassTarget) and self.is_model(target):
                targets.append(target)
        return targets[0] if len(targets) == 1 else None

    def _models(self, application: str, place: Location) -> Module | None:
        name = f"{application}.models"
        return self.program.module(name) or self.program.installed(name, place)

    def _spelled(self, module: Module, name: str) -> str:
        """A name of a module as it writes it: Django's own names of models are in no case."""
        if name in module.scope.bindings:
            return name
        return next((each for each in module.scope.bindings if each.lower() == name.lower()), name)

    def _installed(self, label: str) -> list[str]:
        """The applications of a label, as the settings name them; by its own name where they do not."""
        names = self.settings.value("INSTALLED_APPS")
        found = [str(name).partition(".apps.")[0] for name in names] if isinstance(names, list) else []
        return [name for name in found if name.rpartition(".")[2] == label] or [label]


def _setting_asked(call: ast.Call) -> str:
    """The name by which a function of the project is asked for a setting that names a model:
    `get_setting("BOOK_MODEL")`."""
    match call:
        case ast.Call(args=[ast.Constant(value=str(key))], keywords=[]) if key.endswith("_MODEL"):
            return key if "setting" in last_name(call.func) or "conf" in last_name(call.func) else ""
    return ""
