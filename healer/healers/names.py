"""Follows names that were renamed or moved: imports, all uses of what they bind, attributes, and words for names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.facts import Kind
from healer.healers.callees import is_unknown
from healer.healers.importing import Statement, Statements
from healer.healers.plan import Plan
from healer.reading.bindings import Binding, Scope
from healer.reading.meaning import Sort
from healer.reading.meanings import Meanings
from healer.reading.source import Edit, Source
from healer.reading.suite import is_collected


def names(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which a file calls all that it names as it is called now."""
    if not plan.moves:
        return []
    return list(_Names(file, plan).edits())


class _Names:
    def __init__(self, file: Meanings, plan: Plan) -> None:
        self.file = file
        self.source = file.source
        self.bindings = file.bindings
        self.moves = plan.moves
        self.plan = plan
        self.statements = Statements(file)

    def edits(self) -> Iterator[Edit]:
        for scope, statement in list(self.bindings.imports()):
            yield from self._imported(scope, self.statements.of(statement))
        for node in self.source.nodes:
            if isinstance(node, ast.Attribute):
                yield from self._attribute(node)
            elif isinstance(node, ast.Name):
                yield from self._starred(node)
            elif isinstance(node, ast.ClassDef):
                yield from self._overridden(node)
            elif isinstance(node, ast.Call):
                yield from self._fields(node)
        yield from self.statements.edits()

    def _imported(self, scope: Scope, statement: Statement) -> Iterator[Edit]:
        """What becomes of an import, and of the names that it binds."""
        is_from = isinstance(statement.node, ast.ImportFrom)
        for alias in statement.node.names:
            path = self.file.imported(alias)
            if not is_from or alias.name == "*":
                new = self.moves.module(path)
                if new and is_from:
                    statement.into(new, alias, "*")
                elif new:
                    statement.rename(alias, new)
                continue
            new = self.moves.imported(path)
            if not new:
                continue
            module, _, name = new.rpartition(".")
            if not module:
                self._alone(scope, statement, alias, new)
            else:
                local = alias.asname or alias.name
                if alias.asname is None and name != alias.name:
                    renamed = self._renamed(scope, alias, name)
                    local = alias.name if renamed is None else name
                    yield from renamed or ()
                statement.into(module, alias, name if local == name else f"{name} as {local}")

    def _alone(self, scope: Scope, statement: Statement, alias: ast.alias, new: str) -> None:
        local = alias.asname or alias.name
        statement.drop(alias)
        statement.add(f"import {new}" if local == new else f"import {new} as {local}")

    def _renamed(self, scope: Scope, alias: ast.alias, new: str) -> list[Edit] | None:
        """The edits of all uses of an imported name; `None` where it has to keep its name in this file."""
        old = alias.name
        bindings = scope.bound.get(old, [])
        in_all = scope is self.bindings.module and "__all__" in scope.bound
        if len(bindings) != 1 or in_all or not self.bindings.is_free(scope, old, new):
            return None
        if scope is self.bindings.module and not is_collected(self.source.path):
            return None  # who imports it from here is not known
        places = [self.source.identifier(use, old) for use in self.bindings.uses(scope, old)]
        if any(place is None for place in places) or self._is_declared(old):
            return None
        edits = [Edit(place.start, place.end, new) for place in places if place is not None]
        return [*edits, *self._annotated(scope, old, new)]

    def _is_declared(self, name: str) -> bool:
        return any(
            name in node.names for node in self.source.nodes if isinstance(node, ast.Global | ast.Nonlocal)
        )

    def _annotated(self, scope: Scope, old: str, new: str) -> Iterator[Edit]:
        """Annotations that are written as texts."""
        for node in self.source.nodes:
            annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
            if isinstance(annotation, ast.Constant) and annotation.value == old:
                place = self.source.within_literal(annotation, old, new)
                if place is not None and scope is self.bindings.module:
                    yield place

    def _attribute(self, node: ast.Attribute) -> Iterator[Edit]:
        meaning = self.file.of(node)
        if meaning is None:
            yield from self._perhaps(node)
        elif meaning.sort is Sort.MEMBER:
            yield from self._called(node, self.moves.member(meaning.name))
        elif meaning.sort is Sort.NAME and not meaning.node and not self._is_part(node):
            yield from self._chain(node, meaning.name)

    def _is_part(self, node: ast.Attribute) -> bool:
        """Whether a longer dotted name of the code begins with this one."""
        parent = self.source.parents.get(node)
        if not isinstance(parent, ast.Attribute):
            return False
        meaning = self.file.of(parent)
        return meaning is not None and meaning.sort is Sort.NAME and bool(self.file.canonical(meaning))

    def _chain(self, node: ast.Attribute, path: str) -> Iterator[Edit]:
        """A dotted name through an import: `shop.cart.total`, `cart.total`, `Cart.add`."""
        nodes: list[ast.Attribute] = []
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            nodes.insert(0, root)
            root = root.value
        new = self.moves.went(path)
        if not new or not isinstance(root, ast.Name):
            if not new and isinstance(root, ast.Name) and len(nodes) > 1:
                yield from self._chain(nodes[-2], path.rpartition(".")[0])
            return
        holder = self.bindings.scope(root)
        bindings = holder.bound[root.id] if holder is not None else []
        alias = next((each.node for each in bindings if isinstance(each.node, ast.alias)), None)
        if alias is None or holder is None:
            if holder is None:  # a star import gave it
                yield from self._called(node, new.rpartition(".")[2])
            return
        is_plain = isinstance(self.statements.around(alias), ast.Import) and alias.asname is None
        is_dotted = is_plain and "." in alias.name
        base = path.rsplit(".", len(nodes))[0]
        now = new.partition(".")[0] if is_dotted else self.moves.went(base) or base
        if not new.startswith(f"{now}."):
            yield from self._elsewhere(node, root, bindings, new)
            return
        rest = new[len(now) + 1 :].split(".")
        if len(rest) == len(nodes):
            for each, word in zip(nodes, rest, strict=True):
                yield from self._called(each, word if word != each.attr else "")
        else:
            yield Edit(self.source.end(root), self.source.end(node), "." + ".".join(rest))
        if is_plain and now != root.id:
            place = self.source.identifier(root, root.id)
            if place is not None:
                yield Edit(place.start, place.end, now)
        if is_plain:
            self._need(bindings, path, new)

    def _need(self, bindings: list[Binding], path: str, new: str) -> None:
        """A module that a whole dotted name goes through has to be imported, if the one before was."""
        plain = {
            each.node.name: each.node
            for each in bindings
            if isinstance(each.node, ast.alias) and each.node.asname is None
        }
        now = {self.moves.module(name) or name for name in plain}
        module, before = self.plan.now.module_of(new), self.plan.then.module_of(path)
        if any(f"{name}.".startswith(f"{module}.") for name in now if self.plan.now.is_module(name)):
            return
        alias = plain.get(before)
        if alias is not None:
            is_gone = "." in alias.name and not self.plan.now.is_module(
                self.moves.module(alias.name) or alias.name
            )
            self.statements.of_alias(alias).need(alias, module, is_gone=is_gone)

    def _elsewhere(
        self, node: ast.Attribute, root: ast.Name, bindings: list[Binding], new: str
    ) -> Iterator[Edit]:
        """What lives in another module now than the name through which it was reached."""
        alias = next(each.node for each in bindings if isinstance(each.node, ast.alias))
        module = self.plan.now.module_of(new) or new.rpartition(".")[0]
        package, _, name = module.rpartition(".")
        scope = self.bindings.scope(root)
        if scope is None or len(bindings) > 1:
            return
        local = name if self._may_bind(scope, name, module) else module.replace(".", "_")
        statement = self.statements.of_alias(alias)
        word = name if local == name else f"{name} as {local}"
        statement.add(f"from {package} import {word}" if package else f"import {word}")
        statement.left(alias, self.bindings.uses(scope, root.id), root)
        yield Edit(self.source.start(node), self.source.end(node), f"{local}{new[len(module) :]}")

    def _may_bind(self, scope: Scope, name: str, module: str) -> bool:
        bound = scope.bound.get(name, [])
        if any(
            not isinstance(each.node, ast.alias) or self.file.imported(each.node) != module for each in bound
        ):
            return False
        return all(name not in each.bound or each is scope for each in self.bindings.scopes.values())

    def _starred(self, node: ast.Name) -> Iterator[Edit]:
        """A name that a star import gave."""
        if self.bindings.scope(node) is None and isinstance(node.ctx, ast.Load):
            meaning = self.file.of(node)
            new = self.moves.went(meaning.name) if meaning is not None and meaning.name else ""
            place = self.source.identifier(node, node.id)
            if new and place is not None and new.rpartition(".")[2] != node.id:
                yield Edit(place.start, place.end, new.rpartition(".")[2])

    def _called(self, node: ast.Attribute, word: str) -> Iterator[Edit]:
        place = self.source.identifier(node, node.attr) if word and word != node.attr else None
        if place is not None:
            yield Edit(place.start, place.end, word)

    def _perhaps(self, node: ast.Attribute) -> Iterator[Edit]:
        """A member of an object whose class the text does not tell: where it failed, or its name fits, if bold."""
        if not is_unknown(self.file, self.plan, node):
            return
        lacked = self.plan.lacked(self.source.path).get(node.lineno, set())
        words = {
            self.moves.member(subject)
            for subject in members(self.plan, node.attr)
            if self.plan.bold or (subject.split(".")[-2], node.attr) in lacked
        } - {""}
        if len(words) == 1:
            yield from self._called(node, words.pop())

    def _overridden(self, node: ast.ClassDef) -> Iterator[Edit]:
        """Methods and attributes by which a class of the tests overrides what was renamed."""
        meanings = [self.file.of(base) for base in node.bases]
        is_unknown = any(each is None or each.sort is Sort.MEMBER for each in meanings)
        for each in node.body:
            name, place = _defined(self.source, each)
            if place is None:
                continue
            inherited = self.file.inherited(node, name)
            words = {self.moves.member(inherited)} if inherited else set()
            if not inherited and is_unknown and self.plan.bold:
                words = {self.moves.member(subject) for subject in members(self.plan, name)}
            if len(words) == 1 and (new := words.pop()):
                yield Edit(place.start, place.end, new)

    def _fields(self, node: ast.Call) -> Iterator[Edit]:
        """Fields of a class by which its objects are made where no `__init__` says how."""
        canonical = self.file.canonical(self.file.of(node.func)) if node.keywords else ""
        if not canonical or not self.plan.then.is_class(canonical) or self.plan.then.constructor(canonical):
            return
        for keyword in node.keywords:
            field = self.plan.then.member(canonical, keyword.arg) if keyword.arg else ""
            fact = self.plan.then.fact(field) if field else None
            new = self.moves.member(field) if fact is not None and fact.kind is Kind.ATTRIBUTE else ""
            place = self.source.identifier(keyword, keyword.arg or "")
            if new and place is not None:
                yield Edit(place.start, place.end, new)


def _defined(source: Source, node: ast.stmt) -> tuple[str, Edit | None]:
    """The name that a statement of a class defines, and where it stands."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name, source.defined(node)
    target: ast.expr | None = node.target if isinstance(node, ast.AnnAssign) else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    return (target.id, source.identifier(target, target.id)) if isinstance(target, ast.Name) else ("", None)


def members(plan: Plan, name: str) -> list[str]:
    """The canonical names of members of classes that moved and were called so."""
    return [
        subject
        for subject in plan.moves.subjects()
        if subject.rpartition(".")[2] == name and plan.then.is_class(subject.rpartition(".")[0])
    ]
