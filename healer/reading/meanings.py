"""What expressions of tests stand for in the code: names, and objects whose class can be known."""

from __future__ import annotations

import ast
from functools import cached_property

from graph.facts import Kind
from healer.reading.bindings import Binding, Bindings, Scope
from healer.reading.marks import fixture_name, parametrized
from healer.reading.meaning import OTHER, Around, Meaning, Sort, same
from healer.reading.source import Source
from healer.reading.world import World
from ingest.displays import DISPLAYS

_DEPTH = 24


class Meanings:
    """The meanings of the expressions of one file of a suite, by the code of one revision."""

    def __init__(self, source: Source, bindings: Bindings, world: World, around: Around) -> None:
        self.source = source
        self.bindings = bindings
        self.world = world
        self.around = around
        self._known: dict[ast.expr, Meaning | None] = {}
        self._imported: dict[ast.AST, str] = {}
        for _, statement in bindings.imports():
            for alias in statement.names:
                self._imported[alias] = self._target(statement, alias)

    @cached_property
    def fixtures(self) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
        """The fixtures of the file by the names by which tests ask for them."""
        found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in self.source.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (name := fixture_name(node)):
                found.setdefault(name, []).append(node)
        return found

    def imported(self, alias: ast.alias) -> str:
        """The dotted name that an alias of an import stands for; relative ones are made whole."""
        return self._imported.get(alias, "")

    def of(self, node: ast.expr, depth: int = _DEPTH) -> Meaning | None:
        """What an expression stands for; `None` where the text does not tell."""
        if node not in self._known:
            self._known[node] = None  # what means itself means nothing
            self._known[node] = self._of(node, depth - 1) if depth > 0 else None
        return self._known[node]

    def canonical(self, meaning: Meaning | None) -> str:
        """The canonical name of a thing of the code that is meant itself; empty where it is none, or not known."""
        if meaning is None or meaning.sort not in (Sort.NAME, Sort.MEMBER):
            return ""
        return meaning.name if meaning.sort is Sort.MEMBER else self.world.resolve(meaning.name)

    def owner(self, meaning: Meaning | None) -> Meaning | None:
        """The object that a value is: that of a property or an attribute whose class is told by its annotation."""
        if meaning is None or meaning.sort in (Sort.OBJECT, Sort.LOCAL, Sort.OTHER):
            return meaning
        canonical = self.canonical(meaning)
        fact = self.world.fact(canonical) if canonical else None
        if fact is None or (fact.kind is Kind.FUNCTION and fact.aspects.get("kind") != "property"):
            return meaning
        if fact.kind in (Kind.CLASS, Kind.MODULE):
            return meaning
        found = self.world.returned(canonical)
        return Meaning(Sort.OBJECT, found) if found else None

    def bases(self, node: ast.ClassDef, depth: int = _DEPTH) -> list[str]:
        """The canonical names of the code's classes that a class of the tests derives from, the nearest first."""
        found: list[str] = []
        for base in node.bases if depth > 0 else ():
            meaning = self.of(base)
            canonical = self.canonical(meaning)
            if meaning is not None and meaning.home is not None and isinstance(meaning.node, ast.ClassDef):
                found += meaning.home.bases(meaning.node, depth - 1)
            elif canonical and self.world.is_class(canonical):
                found.append(canonical)
        return found

    def inherited(self, node: ast.ClassDef, name: str) -> str:
        """The canonical name of a member that a class of the tests has from the code's; empty where it has none."""
        return next((found for base in self.bases(node) if (found := self.world.member(base, name))), "")

    def called(self, function: Meaning | None, depth: int = _DEPTH) -> Meaning | None:
        """What a call of a thing gives."""
        if function is None or function.sort is Sort.OTHER:
            return None
        if isinstance(function.node, ast.ClassDef):
            return function._replace(sort=Sort.LOCAL)
        if function.home is not None and isinstance(function.node, ast.FunctionDef | ast.AsyncFunctionDef):
            return function.home.given(function.node, depth)
        canonical = self.canonical(function)
        if canonical and self.world.is_class(canonical):
            return Meaning(Sort.OBJECT, canonical)
        if canonical and self.world.function(canonical) is not None:
            found = self.world.returned(canonical)
            return Meaning(Sort.OBJECT, found) if found else None
        return None

    def _of(self, node: ast.expr, depth: int) -> Meaning | None:
        match node:
            case ast.Name():
                return self._name(node, depth)
            case ast.Attribute():
                return self._attribute(node, depth)
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"))) as function):
                return self.called(self._super(function))
            case ast.Call(func=function):
                return self.called(self.of(function, depth), depth)
            case ast.Await(value=value) | ast.NamedExpr(value=value):
                return self.of(value, depth)
            case ast.IfExp(body=body, orelse=orelse):
                return same([self.of(body, depth), self.of(orelse, depth)])
        return OTHER if isinstance(node, DISPLAYS) else None

    def _name(self, node: ast.Name, depth: int) -> Meaning | None:
        scope = self.bindings.scope(node)
        if scope is None:
            return self._starred(node.id)
        return self.bound(scope, node.id, depth)

    def bound(self, scope: Scope, name: str, depth: int = _DEPTH) -> Meaning | None:
        """What a name of a scope stands for, by all that binds it."""
        return same([self._binding(scope, each, depth) for each in scope.bound.get(name, ())])

    def _binding(self, scope: Scope, binding: Binding, depth: int) -> Meaning | None:
        match binding.node:
            case ast.alias():
                target = self.imported(binding.node)
                is_dotted = binding.node.asname is None and "." in binding.node.name
                target = target.partition(".")[0] if is_dotted else target
                return self.around.named(target, depth) or Meaning(Sort.NAME, target)
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                return Meaning(Sort.NAME, "", binding.node, self)
            case ast.arg():
                return self._argument(scope, binding.node, depth)
        if binding.value is None or binding.element:
            return self._element(binding.value, depth) if binding.value is not None else None
        if binding.annotated:
            return self.annotation(binding.value)
        if binding.entered:
            return self._entered(binding.value, depth)
        return self.owner(self.of(binding.value, depth))

    def annotation(self, node: ast.expr | None) -> Meaning | None:
        """The object that an annotation of the tests speaks of."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return None
            scope = self.bindings.module
            root = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if not isinstance(root, ast.Name):
                return None
            meaning = self.bound(scope, root.id)
            if meaning is None or meaning.sort is not Sort.NAME or meaning.node is not None:
                return None
            name = self.world.resolve(meaning.name + ast.unparse(node)[len(root.id) :])
            return Meaning(Sort.OBJECT, name) if name and self.world.is_class(name) else None
        if not isinstance(node, ast.Name | ast.Attribute):
            return None
        return self.called(self.of(node)) if self._is_class(self.of(node)) else None

    def _is_class(self, meaning: Meaning | None) -> bool:
        if meaning is not None and isinstance(meaning.node, ast.ClassDef):
            return True
        canonical = self.canonical(meaning)
        return bool(canonical) and self.world.is_class(canonical)

    def _argument(self, scope: Scope, node: ast.arg, depth: int) -> Meaning | None:
        function = scope.node
        if node.annotation is not None and (found := self.annotation(node.annotation)) is not None:
            return found
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        arguments = [*function.args.posonlyargs, *function.args.args]
        around = scope.parent.node if scope.parent is not None else None
        decorators = {ast.unparse(each).rpartition(".")[2] for each in function.decorator_list}
        is_method = isinstance(around, ast.ClassDef) and "staticmethod" not in decorators
        if is_method and arguments and arguments[0] is node:
            return Meaning(Sort.NAME if "classmethod" in decorators else Sort.LOCAL, "", around, self)
        values = parametrized(function, node.arg)
        if values is not None:
            return same([self.of(each, depth) for each in values])
        return self.around.fixture(self.source.path, node.arg, function, depth)

    def _attribute(self, node: ast.Attribute, depth: int) -> Meaning | None:
        match node.value:
            case ast.Call(func=ast.Name(id="super")):
                return self._super(node)
        base = self.owner(self.of(node.value, depth))
        if base is None:
            return None
        if base.home is not None and isinstance(base.node, ast.ClassDef):
            if base.sort is Sort.LOCAL:
                return base.home.of_local(base.node, node.attr, depth)
            inherited = base.home.inherited(base.node, node.attr)
            return Meaning(Sort.MEMBER, inherited) if inherited else None
        if base.sort is Sort.NAME and not base.node:
            return Meaning(Sort.NAME, f"{base.name}.{node.attr}")
        if base.sort is Sort.OBJECT:
            found = self.world.member(base.name, node.attr)
            return Meaning(Sort.MEMBER, found) if found else None
        return OTHER if base.sort is Sort.OTHER else None

    def _super(self, node: ast.Attribute) -> Meaning | None:
        around = next((each for each in self.source.above(node) if isinstance(each, ast.ClassDef)), None)
        found = self.inherited(around, node.attr) if around is not None else ""
        return Meaning(Sort.MEMBER, found) if found else None

    def of_local(self, owner: ast.ClassDef, name: str, depth: int) -> Meaning | None:
        """A member of an object of a class of the tests: inherited, or set on `self` in one of its methods."""
        scope = self.bindings.scopes[owner]
        inherited = self.inherited(owner, name)
        if inherited:
            return Meaning(Sort.MEMBER, inherited)
        if name in scope.bound:
            return self.bound(scope, name, depth)
        values = [
            self.owner(self.of(statement.value, depth))
            for statement in ast.walk(owner)
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Attribute)
            and target.attr == name
            and isinstance(target.value, ast.Name)
            and target.value.id in ("self", "cls")
        ]
        if not values:
            for base in owner.bases:
                meaning = self.of(base, depth)
                if meaning is None or meaning.home is None or depth <= 0:
                    continue
                if isinstance(meaning.node, ast.ClassDef):
                    return meaning.home.of_local(meaning.node, name, depth - 1)
        return same(values)

    def _entered(self, node: ast.expr, depth: int) -> Meaning | None:
        meaning = self.owner(self.of(node, depth))
        if meaning is not None and meaning.sort is Sort.OBJECT:
            entering = self.world.member(meaning.name, "__enter__")
            entering = entering or self.world.member(meaning.name, "__aenter__")
            fact = self.world.function(entering) if entering else None
            gives = fact.aspects.get("gives") if fact is not None else None
            if gives == ["parameter", "self"]:
                return meaning
            found = self.world.returned(entering) if entering else ""
            return Meaning(Sort.OBJECT, found) if found else None
        return None

    def _element(self, node: ast.expr, depth: int) -> Meaning | None:
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return same([self.owner(self.of(each, depth)) for each in node.elts])
        return None

    def given(self, node: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> Meaning | None:
        """What a function of this file gives, by its annotation, its `return` or its `yield`."""
        if node.returns is not None and (found := self.annotation(node.returns)) is not None:
            return found
        values = [
            each.value
            for each in ast.walk(node)
            if isinstance(each, ast.Return | ast.Yield) and each.value is not None
        ]
        return same([self.owner(self.of(each, depth - 1)) for each in values]) if depth > 0 else None

    def _starred(self, name: str) -> Meaning | None:
        """What a name that nothing binds means where exactly one star import has it."""
        stars = [
            self._imported[alias]
            for alias in (alias for alias in self._imported if isinstance(alias, ast.alias))
            if alias.name == "*"
        ]
        found = [f"{module}.{name}" for module in stars if self.world.resolve(f"{module}.{name}")]
        return Meaning(Sort.NAME, found[0]) if len(found) == 1 else None

    def _target(self, statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
        if isinstance(statement, ast.Import):
            return alias.name
        module = self.around.absolute(self.source.path, statement.module or "", statement.level)
        return module if alias.name == "*" else f"{module}.{alias.name}"
