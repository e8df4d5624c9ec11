"""Follows names that are written as texts: targets of mocks and patches, modules to import, attributes by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from healer.healers.moves import NAMES
from healer.healers.names import members
from healer.healers.plan import Plan
from healer.reading.meaning import Sort
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

_WHOLE = frozenset(
    {"patch", "import_module", "importorskip", "__import__", "run_module", "getLogger", "import_string"}
)
"""Functions whose first argument is a dotted name."""
_PATCHED = frozenset({"setattr", "delattr", "dict", "multiple", "stopall"})
_PAIRS = frozenset({"object", "setattr", "delattr", "getattr", "hasattr", "spy"})
"""Functions whose first two arguments are a thing and the name of one of its attributes."""
_LOGGERS = frozenset({"logger", "logger_name"})
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")
_FACT = re.compile(r"((?:spec|code):\w+:)([A-Za-z_][\w.]*)(.*)", re.DOTALL)


def targets(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits of all texts of a file that name something which moved."""
    if not plan.moves:
        return []
    return list(_Targets(file, plan).edits())


class _Targets:
    def __init__(self, file: Meanings, plan: Plan) -> None:
        self.file = file
        self.source = file.source
        self.plan = plan
        self.moves = plan.moves
        self._done: set[ast.Constant] = set()

    def edits(self) -> Iterator[Edit]:
        for node in self.source.nodes:
            if isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.Subscript):
                yield from self._subscript(node)
        if self.plan.bold:
            yield from self._others()

    def _call(self, node: ast.Call) -> Iterator[Edit]:
        name = called(node.func)
        first = _text(node.args[0]) if node.args else None
        if first is not None and (name in _WHOLE or name in _PATCHED or name == "spec"):
            yield from self._cited(first) if name == "spec" else self._whole(first)
            if name == "multiple":
                yield from self._keywords(str(first.value), node.keywords)
        for keyword in node.keywords:
            if keyword.arg in _LOGGERS and (text := _text(keyword.value)) is not None:
                yield from self._whole(text)
        for each in node.args[1:2] if name in ("setitem", "delitem", "dict") else ():
            if (text := _text(each)) is not None:
                yield from self._whole(text)
        second = _text(node.args[1]) if len(node.args) > 1 else None
        if first is None and second is not None and name in _PAIRS:
            yield from self._pair(node, second)
        if name == "dict":
            yield from self._modules(node)

    def _modules(self, node: ast.Call) -> Iterator[Edit]:
        """`patch.dict(sys.modules, {"shop.cart": …})`."""
        for each in node.args:
            for key in each.keys if isinstance(each, ast.Dict) else ():
                if key is not None and (text := _text(key)) is not None:
                    yield from self._whole(text)

    def _whole(self, node: ast.Constant) -> Iterator[Edit]:
        old = str(node.value)
        is_name = _DOTTED.fullmatch(old) or self.plan.then.is_module(old)
        new = self.moves.module(old) or self.moves.went(old) if is_name else ""
        self._done.add(node)
        if new:
            yield from self._written(node, old, new)

    def _written(self, node: ast.Constant, old: str, new: str) -> Iterator[Edit]:
        edit = self.source.within_literal(node, old, new)
        if edit is not None:
            yield edit

    def _cited(self, node: ast.Constant) -> Iterator[Edit]:
        """The id of a fact by which a test cites what it checks; facts of specs move when the specs do."""
        self._done.add(node)
        cited = _FACT.fullmatch(str(node.value))
        if cited is None:
            return
        for movement in self.plan.of(*NAMES, side="spec"):
            before, after = str(movement.before or ""), str(movement.after or "")
            if after and (cited[2] == before or cited[2].startswith(f"{before}.")):
                self.plan.follow(movement)
                new = cited[1] + after + cited[2][len(before) :] + cited[3]
                yield from self._written(node, str(node.value), new)
                return

    def _keywords(self, holder: str, keywords: list[ast.keyword]) -> Iterator[Edit]:
        """The attributes that `patch.multiple` names as keywords."""
        for keyword in keywords:
            new = self.moves.went(f"{holder}.{keyword.arg}") if keyword.arg else ""
            place = self.source.identifier(keyword, keyword.arg or "")
            if new and place is not None:
                yield Edit(place.start, place.end, new.rpartition(".")[2])

    def _pair(self, node: ast.Call, second: ast.Constant) -> Iterator[Edit]:
        """A thing and the name of one of its attributes: `patch.object(cart, "total")`."""
        self._done.add(second)
        name = str(second.value)
        meaning = self.file.owner(self.file.of(node.args[0]))
        if meaning is None:
            words = {self.moves.member(each) for each in members(self.plan, name)} - {""}
            if self.plan.bold and len(words) == 1:
                yield from self._written(second, name, words.pop())
            return
        if meaning.sort is Sort.OBJECT:
            member = self.plan.then.member(meaning.name, name)
        elif meaning.home is not None and isinstance(meaning.node, ast.ClassDef):
            member = meaning.home.inherited(meaning.node, name)
        else:
            yield from self._named(node, second, meaning.name)
            return
        word = self.moves.member(member) if member else ""
        if word:
            yield from self._written(second, name, word)

    def _named(self, node: ast.Call, second: ast.Constant, holder: str) -> Iterator[Edit]:
        name = str(second.value)
        new = self.moves.went(f"{holder}.{name}") if holder else ""
        if not new:
            return
        place, _, word = new.rpartition(".")
        if place in (holder, self.moves.went(holder)) or self.plan.now.resolve(
            place
        ) == self.plan.now.resolve(self.moves.went(holder) or holder):
            if word != name:
                yield from self._written(second, name, word)
            return
        # A patch may name its target whole, so that nothing has to be imported for it.
        if called(node.func) in ("object", "setattr", "delattr") and isinstance(node.func, ast.Attribute):
            yield Edit(self.source.start(node.args[0]), self.source.end(second), f'"{new}"')
            if node.func.attr == "object":
                yield Edit(self.source.end(node.func.value), self.source.end(node.func), "")

    def _subscript(self, node: ast.Subscript) -> Iterator[Edit]:
        text = _text(node.slice)
        if text is None:
            return
        if ast.unparse(node.value) == "sys.modules":
            yield from self._whole(text)
            return
        canonical = self.file.canonical(self.file.of(node.value))
        if canonical and self.plan.then.is_class(canonical):  # a member of an enum by its name
            member = self.plan.then.member(canonical, str(text.value))
            word = self.moves.member(member) if member else ""
            if word:
                yield from self._written(text, str(text.value), word)

    def _others(self) -> Iterator[Edit]:
        """Texts that hold a dotted name of the code which is another one now, such as what `repr` shows of a class."""
        old = {each for each in self.moves.subjects() if "." in each and not self.plan.now.resolve(each)}
        if not old:
            return
        dotted = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(old, reverse=True)))})(?![\w/])")
        for node in self.source.nodes:
            text = _text(node) if isinstance(node, ast.expr) else None
            if (
                text is None
                or text in self._done
                or isinstance(self.source.parents[text], ast.Expr | ast.JoinedStr)
            ):
                continue
            for name in set(dotted.findall(str(text.value))):
                new = self.moves.went(name)
                if new:
                    yield from self._written(text, name, new)


def called(node: ast.expr) -> str:
    """The last part of the name of what is called."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _text(node: ast.expr) -> ast.Constant | None:
    return node if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
