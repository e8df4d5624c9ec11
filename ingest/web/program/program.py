"""The program as its source tells it: what a name or a dotted expression stands for, across modules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from graph.facts import Location
from ingest.resolver import Project
from ingest.web.program.annotated import says_nothing
from ingest.web.program.handed_back import handed_back
from ingest.web.program.known_sources import KNOWN, known_module
from ingest.web.program.lineage import Lineage, linearised
from ingest.web.program.managers import made_from
from ingest.web.program.outside import Reach
from ingest.web.program.sources import Sources
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    LoopTarget,
    ModuleTarget,
    ParameterTarget,
    Target,
    ValueTarget,
    unsubscripted,
)
from ingest.web.syntax.bindings import Binding, Bound, Function, is_builtin
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import is_within

_DEPTH = 40


class Program(Sources):
    """The modules of a project, what their names mean, and what readers remember of them.

    With `outside`, classes that its code takes from installed distributions are read as if it had them.
    """

    def __init__(self, project: Project, outside: Reach | None = None) -> None:
        super().__init__(project, outside)
        self.follows = False
        self._asked: dict[str, set[str]] = {}
        self.loads: Callable[[object, Scope], Target | None] | None = None

    @contextmanager
    def following(self) -> Iterator[None]:
        """A block in which parameters stand for what the project's calls give for them, else for their defaults."""
        before, self.follows = self.follows, True
        try:
            yield
        finally:
            self.follows = before

    def resolve(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Target | None:
        """What an expression stands for: names and attributes are followed to their one definition.

        Other expressions stand for themselves (`ValueTarget`); None means that it cannot be known.
        """
        if node is None or depth > _DEPTH:
            return None
        self.saw(scope.path)
        if isinstance(node, ast.Name):
            return self._known(self._name(node.id, scope, node.lineno, depth, node), node, scope)
        if isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if own and (told := scope.told_of_self(node.attr)) is not None:
                return self._follow(*told, depth + 1)
            owner = self.resolve(node.value, scope, depth + 1)
            found = self.attribute(owner, node.attr, depth) if owner is not None else None
            return self._known(found, node, scope)
        return ValueTarget(node, scope)

    def _known(self, found: Target | None, node: ast.expr, scope: Scope) -> Target | None:
        """A class of another package that is known as if the project had it, else what was found."""
        if not isinstance(found, External):
            return found
        if found.dotted in self.outside.led:
            return self.outside.led[found.dotted]
        if (parts := found.dotted.rpartition("."))[0] not in KNOWN:
            if not self.outside.is_asked(found):
                return found
            named = ("installed", found.dotted)
            data = self.remember(named, lambda: self.outside.data(self, found, self.imported_at(node, scope)))
            return data or found
        key = ("known", found.dotted, scope.path, node.lineno)
        module = self.remember(key, lambda: known_module(parts[0], scope.path, node.lineno))
        binding = module.scope.find(parts[2], None) if module is not None else None
        return self._follow(*binding, 0) if binding is not None else found

    def imported_at(self, node: ast.expr, scope: Scope) -> Location:
        """Where the name is bound at which an expression begins."""
        inner = node
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        found = scope.find(inner.id, None) if isinstance(inner, ast.Name) else None
        if found is None or scope.path in self.outside.standing:
            return self.place(node, scope)
        return Location(found[0].path, found[1].line, found[1].line)

    def attribute(self, owner: Target, name: str, depth: int = 0) -> Target | None:
        """What `owner.name` stands for where the owner is a module, a class, external or an object of settings."""
        if isinstance(owner, ModuleTarget):
            return self.member(owner.module, name, depth)
        if isinstance(owner, ClassTarget):
            return self.class_member(owner, name, depth)
        if isinstance(owner, External):
            dotted = f"{owner.dotted}.{name}"
            module = None if owner.root == "builtins" else self.module(dotted)
            return ModuleTarget(module) if module else External(dotted)
        if (
            isinstance(owner, ValueTarget)
            and isinstance(owner.node, ast.Call)
            and (name.isupper() or _is_key(owner.node, name))
            and self.loads
        ):
            return self.loads((owner.node, name), owner.scope)
        return None

    def member(self, module: Module, name: str, depth: int = 0) -> Target | None:
        """What a name of a module stands for, seen from outside."""
        if depth > _DEPTH:
            return None
        self.saw(module.path)
        if name in module.scope.bindings:
            found = module.scope.find(name, None)
            return self._follow(*found, depth + 1) if found else None
        if module.package and (inner := self.near(f"{module.name}.{name}", module.scope)):
            return ModuleTarget(inner)
        return self._starred(module, name, depth)

    def class_member(
        self,
        owner: ClassTarget,
        name: str,
        depth: int = 0,
        lacks: Callable[[External, str], bool] | None = None,
    ) -> Target | None:
        """What a name of a class or of its bases stands for; external where a base is, None where unknown.

        `lacks` tells of which bases outside of the project it is known that they do not have the name.
        """
        for base in self.ancestry(owner):
            if base is None:
                return None
            if isinstance(base, External):
                if base.dotted in ("builtins.object", "typing.Generic", "abc.ABC", "typing.Protocol"):
                    continue
                if lacks is not None and lacks(base, name):
                    continue
                return External(f"{base.dotted}.{name}")
            self.saw(base.scope.path)
            if name in base.body.bindings:
                found = base.body.find(name, None)
                return self._follow(*found, depth + 1) if found else None
        return None

    def ancestry(self, target: ClassTarget) -> Lineage:
        """The class and its ancestors, in the order in which Python looks at them; None stands for an unknown one."""
        # What a base of another distribution is may be found out in between.
        key = ("ancestry", target.node, len(self.outside.led))
        return self.remember(key, lambda: self._ancestry(target, (target.node,)))

    def _ancestry(self, target: ClassTarget, seen: tuple[ast.ClassDef, ...]) -> Lineage:
        above: list[Lineage] = []
        made = [made_from(expression) or (expression,) for expression in target.node.bases]
        for expression in [each for pair in made for each in reversed(pair)]:
            base = self.resolve(unsubscripted(expression), target.scope)
            if isinstance(base, ValueTarget) and isinstance(base.node, ast.Call) and self.loads is not None:
                base = self.loads((base.node, None), base.scope)
            if isinstance(base, ClassTarget) and base.node not in seen and len(seen) < _DEPTH:
                above.append(self._ancestry(base, (*seen, base.node)))
            else:
                above.append([base if isinstance(base, External) else None])
        return [target, *linearised(above)]

    def is_a(self, target: Target | None, roots: Collection[str], names: Collection[str]) -> bool:
        """Whether this is, or inherits from, one of these names of these external packages."""
        bases = self.ancestry(target) if isinstance(target, ClassTarget) else [target]
        return any(isinstance(b, External) and b.root in roots and b.name in names for b in bases)

    def _name(
        self, name: str, scope: Scope, line: int, depth: int, used: ast.Name | None = None
    ) -> Target | None:
        found = scope.find(name, line)
        if found is not None and used is not None and is_within(used, found[1].value):
            # `TABLE = {**TABLE, …}`: within its own value a name is what it was before.
            before = found[0].find(name, found[1].line - 1)
            found = before if before is None or before[1] is not found[1] else found
        if found is not None:
            return self._follow(*found, depth + 1)
        if scope.binds(name):
            return None
        module = self.module_of(scope)
        if module is not None and (starred := self._starred(module, name, depth)):
            return starred
        return External(f"builtins.{name}") if is_builtin(name) else None

    def _starred(self, module: Module, name: str, depth: int) -> Target | None:
        """What modules give a name of which this one imports all names; each is asked once, since they may be many
        that import all of each other."""
        first = name not in self._asked
        asked = self._asked.setdefault(name, set())
        if module.name in asked:
            return None
        asked.add(module.name)
        try:
            return self._of_stars(module, name, depth)
        finally:
            if first:
                del self._asked[name]

    def _of_stars(self, module: Module, name: str, depth: int) -> Target | None:
        outside = []
        for target, level in reversed(module.scope.stars):
            dotted = module.absolute(target, level)
            inner = self.near(dotted, module.scope)
            if inner is None:
                outside.append(dotted)
            elif inner is module or name.startswith("_") or depth > _DEPTH:
                continue
            elif found := self.member(inner, name, depth + 1):
                return found
        if len({dotted.partition(".")[0] for dotted in outside}) == 1 and not is_builtin(name):
            # Of several modules of one package, it does not matter to readers which one offers the name.
            return External(f"{outside[0]}.{name}")
        return None

    def _follow(self, scope: Scope, binding: Binding, depth: int) -> Target | None:
        if depth > _DEPTH:
            return None
        match binding.how:
            case Bound.MODULE:
                return self._imported(binding.module or "", scope)
            case Bound.MEMBER:
                return self._from(scope, binding, depth)
            case Bound.FUNCTION:
                assert isinstance(binding.node, Function)
                return FunctionTarget(binding.node, scope)
            case Bound.CLASS:
                assert isinstance(binding.node, ast.ClassDef)
                return ClassTarget(binding.node, scope)
            case Bound.VALUE:
                return self._value(scope, binding, depth)
            case Bound.PARAMETER:
                assert isinstance(binding.node, ast.arg)
                return ParameterTarget(binding.node.arg, scope, binding.annotation, binding.value)
            case Bound.GIVEN:
                given: Target = binding.given
                return given
            case Bound.LOOP:
                return LoopTarget(binding.value, scope) if binding.value else None
            case Bound.OTHER:
                return self.loads(binding.given, scope) if self.loads and binding.given else None

    def _value(self, scope: Scope, binding: Binding, depth: int) -> Target | None:
        value = binding.value
        if isinstance(value, ast.Name) and value.id in scope.bindings:
            # A name that is bound to its own older self would be followed for ever.
            found = scope.find(value.id, binding.line - 1)
            if found and found[1] is binding:
                # In a class it means what the name stands for outside.
                outside = scope.parent if scope.is_class else None
                return self._name(value.id, outside, value.lineno, depth + 1) if outside else None
        if isinstance(value, ast.Name | ast.Attribute) and says_nothing(binding.annotation):
            return self.resolve(value, scope, depth + 1)
        if isinstance(value, ast.Call) and self.loads and (held := self.loads((value, None), scope)):
            return held
        if (taken := handed_back(value, lambda made: self.resolve(made, scope, depth + 1))) is not None:
            return self.resolve(taken, scope, depth + 1)
        return ValueTarget(value, scope, binding.annotation)

    def _imported(self, dotted: str, scope: Scope) -> Target:
        module = self.near(dotted, scope) or self._beside(dotted, scope)
        return ModuleTarget(module) if module else External(dotted)

    def _beside(self, dotted: str, scope: Scope) -> Module | None:
        """The module that lies beside the one by which the application around is started."""
        if self.is_outside(scope):
            return None
        found = self._places.beside_start(dotted, scope.module)
        module = self.module(found.module) if found is not None else None
        return module if module is not None and module.name != scope.module else None

    def _from(self, scope: Scope, binding: Binding, depth: int) -> Target | None:
        here = self.module_of(scope)
        dotted = here.absolute(binding.module, binding.level) if here else (binding.module or "")
        module = self.near(dotted, scope)
        if module is not None and module is not here:
            return self.member(module, binding.member, depth + 1)
        # A package that imports from itself means its submodule.
        name = f"{dotted}.{binding.member}"
        inner = self.near(name, scope)
        if inner is None and module is None and not binding.level:
            beside = self._beside(dotted, scope)
            if beside is not None and binding.member in beside.scope.bindings:
                return self.member(beside, binding.member, depth + 1)
            inner = self._beside(name, scope)
        return ModuleTarget(inner) if inner else External(name)


def _is_key(call: ast.Call, name: str) -> bool:
    """Whether a call makes something of a dictionary that has a name among its keys: `Names({"book": "shop.Book"})`."""
    match call.args:
        case [ast.Dict(keys=keys)]:
            return any(isinstance(key, ast.Constant) and key.value == name for key in keys)
    return False
