"""Follows functions that became asynchronous, or no longer are: what tests await, and how they run it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from healer.healers.callees import Run, runs
from healer.healers.plan import Plan
from healer.movements import Cause
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

ASYNCHRONY = frozenset({Cause.BECAME_ASYNC, Cause.BECAME_SYNC})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_RUNNERS = frozenset({"asyncio.run", "anyio.run", "asyncio.get_event_loop().run_until_complete"})
_SETTINGS = ("pyproject.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg")
_AUTOMATIC = re.compile(r"^\s*asyncio_mode\s*=\s*[\"']?auto", re.M)
_MARKER = re.compile(r"@\s*(pytest\.mark\.(?:asyncio|anyio|trio)\b(?:\([^()\n]*\))?)")
_TIGHTER = (ast.Attribute, ast.Subscript, ast.Call, ast.Await)


def asynchrony(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which calls of asynchronous functions are awaited, and those of others are not."""
    to_async = {each.subject: each for each in plan.of(Cause.BECAME_ASYNC)}
    to_sync = {each.subject: each for each in plan.of(Cause.BECAME_SYNC)}
    if not to_async and not to_sync:
        return []
    tests = _Tests(file, plan)
    edits: list[Edit] = []
    for run in runs(file, plan, {**to_async, **to_sync}):
        function = run.callee.function
        made = list(tests.awaited(run) if function in to_async else _called(file, run))
        if made:
            edits += made
            plan.follow({**to_async, **to_sync}[function])
    return edits + list(tests.finished())


class _Tests:
    """The functions of one file that have to await something."""

    def __init__(self, file: Meanings, plan: Plan) -> None:
        self.file = file
        self.source = file.source
        self._marker = _marker(file, plan)
        self._turned: dict[ast.FunctionDef, None] = {}
        self._runs = False

    def awaited(self, run: Run) -> Iterator[Edit]:
        """The edits of a call whose result has to be awaited."""
        node = run.node
        if run.first:
            yield from self._passed(run)
            return
        parent = self.source.parents.get(node)
        if isinstance(parent, ast.Await) or _is_run(parent):
            return
        around = next((each for each in self.source.above(node) if isinstance(each, _FUNCTIONS)), None)
        can_await = isinstance(around, ast.AsyncFunctionDef)
        if isinstance(around, ast.FunctionDef) and self._may_turn(around):
            self._turned[around] = None
            can_await = True
        start, end = self.source.start(node), self.source.end(node)
        lazy = self._lazy(node) if can_await else None
        if lazy is not None:
            first, last = self.source.start(lazy), self.source.end(lazy)
            if self.source.text[first] != "(" or not isinstance(self.source.parents.get(lazy), ast.Call):
                return  # what awaits is no ordinary generator
            yield Edit(first, first + 1, "([")
            yield Edit(last - 1, last, "])")
        if can_await:
            binds = isinstance(parent, _TIGHTER) and not _is_argument(parent, node)
            is_power = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow)
            yield Edit(start, start, "(await " if binds or is_power else "await ")
            if binds or is_power:
                yield Edit(end, end, ")")
        else:
            self._runs = True
            yield Edit(start, start, "asyncio.run(")
            yield Edit(end, end, ")")

    def finished(self) -> Iterator[Edit]:
        """The edits of functions that became asynchronous, and the import that running needs."""
        for function in self._turned:
            start = self.source.start(function)
            yield Edit(start, start, "async ")
            if not self._is_marked(function):
                first = min([start, *(self.source.start(each) - 1 for each in function.decorator_list)])
                first = self.source.line_start(first)
                indent = self.source.text[first : len(self.source.text)]
                indent = indent[: len(indent) - len(indent.lstrip(" \t"))]
                yield Edit(first, first, f"{indent}@{self._marker}\n")
        if self._runs and "asyncio" not in self.file.bindings.module.bound:
            yield from imported(self.file, "import asyncio")

    def _passed(self, run: Run) -> Iterator[Edit]:
        """A function that another one calls, `pytest.raises(Error, f, 1)`: what it gives has to be run there."""
        start, end = self.source.start(run.function), self.source.end(run.node) - 1
        if "raises" in ast.unparse(run.node.func).lower():
            words = self.source.text[self.source.end(run.function) : end].lstrip(", \n").rstrip(", \n")
            self._runs = True
            yield Edit(start, end, f"lambda: asyncio.run({self.source.segment(run.function)}({words}))")

    def _lazy(self, node: ast.Call) -> ast.GeneratorExp | None:
        """The generator that a call stands in, for one of its elements."""
        for each in self.source.above(node):
            if isinstance(each, (*_COMPREHENSIONS, *_FUNCTIONS)):
                return each if isinstance(each, ast.GeneratorExp) else None
        return None

    def _may_turn(self, function: ast.FunctionDef) -> bool:
        """Whether a test can become asynchronous: pytest runs it then, and nobody calls it."""
        around = self.source.parents[function]
        if not function.name.startswith("test"):
            return False
        if isinstance(around, ast.ClassDef):
            bases = [ast.unparse(base) for base in around.bases]
            if any("TestCase" in base for base in bases):
                return any("IsolatedAsyncio" in base for base in bases)
        return self._marker is not None and isinstance(around, ast.Module | ast.ClassDef)

    def _is_marked(self, function: ast.FunctionDef) -> bool:
        """Whether pytest runs an asynchronous test without a further marker."""
        around = self.source.parents[function]
        bases = around.bases if isinstance(around, ast.ClassDef) else []
        if any("TestCase" in ast.unparse(base) for base in bases):
            return True
        return not self._marker or self._marker in map(self.source.segment, function.decorator_list)


def _called(file: Meanings, run: Run) -> Iterator[Edit]:
    """The edits of a call that needs no awaiting any more."""
    source, node = file.source, run.node
    parent = source.parents.get(node)
    if isinstance(parent, ast.Await):
        start = source.start(parent)
        yield Edit(start, source.start(node), "")
        yield from _without_parentheses(file, parent)
    elif isinstance(parent, ast.Call) and _is_run(parent) and parent.args == [node] and not parent.keywords:
        yield Edit(source.start(parent), source.start(node), "")
        yield Edit(source.end(node), source.end(parent), "")


def _without_parentheses(file: Meanings, node: ast.Await) -> Iterator[Edit]:
    """The parentheses that only an `await` needed: `(await f()).x`."""
    source = file.source
    start, end = source.start(node), source.end(node)
    parent = source.parents.get(node)
    is_needless = isinstance(parent, ast.Attribute | ast.Subscript | ast.Await) or (
        isinstance(parent, ast.Call) and parent.func is node
    )
    if is_needless and source.text[start - 1 : start] == "(" and source.text[end : end + 1] == ")":
        yield Edit(start - 1, start, "")
        yield Edit(end, end + 1, "")


def _is_run(node: ast.AST | None) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    return name in _RUNNERS or name.endswith("run_until_complete")


def _is_argument(parent: ast.AST | None, node: ast.expr) -> bool:
    """Whether a node is an argument of a call, or the index of a subscript, rather than what is called."""
    if isinstance(parent, ast.Call):
        return parent.func is not node
    return isinstance(parent, ast.Subscript) and parent.slice is node


def _marker(file: Meanings, plan: Plan) -> str | None:
    """The marker by which pytest runs asynchronous tests here; empty where none is needed, `None` where none is known.

    Evidence is a marker in the file or in a `conftest.py`, and the mode of pytest-asyncio in the settings.
    """
    for name in _SETTINGS:
        if _AUTOMATIC.search(plan.read(name) or ""):
            return ""
    found = _MARKER.findall(file.source.text)
    if "pytest" in file.bindings.module.bound and found:
        return str(found[0])
    if re.search(r"^pytestmark\s*=.*\b(asyncio|anyio)\b", file.source.text, re.M):
        return ""
    return None


def imported(file: Meanings, statement: str) -> Iterator[Edit]:
    """The edit by which a module imports something: before its first import, else at its top behind its words."""
    body, source = file.source.tree.body, file.source
    imports = [each for each in body if isinstance(each, ast.Import | ast.ImportFrom)]
    plain = [each for each in imports if not _is_future(each)]
    if plain:
        place = source.line_start(source.start(plain[0]))
        yield Edit(place, place, f"{statement}\n")
        return
    is_worded = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    above = imports[-1] if imports else body[0] if is_worded else None
    place = source.line_end(source.end(above)) if above is not None else 0
    yield Edit(place, place, f"\n{statement}\n" if above is not None else f"{statement}\n\n")


def _is_future(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
