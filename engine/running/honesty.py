"""Whether a green test proves anything: some cannot fail, and some could make pytest say what they like."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from graph.files import read_plain
from planner.validator import Outcome, Verdict

_INSIDES = frozenset({"_pytest", "crossfact_report", "gc", "ctypes"})
_SWALLOWED = frozenset({"AssertionError", "Exception", "BaseException"})
_ABOUT_RUNNER = "it proves nothing: its file reaches into the test runner by `{}`"


class Honesty:
    """Looks at the sources of the tests of a project; each file is read once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._modules: dict[str, tuple[ast.Module | None, str]] = {}

    def judged(self, outcome: Outcome) -> Outcome:
        """The outcome; a test that passed and cannot fail is `BROKEN`."""
        if outcome.verdict is not Verdict.PASSED:
            return outcome
        path, _, name = outcome.node.partition("::")
        module, inside = self._module(path)
        if module is None:
            return outcome
        why = _ABOUT_RUNNER.format(inside) if inside else doubt(module, name.partition("[")[0])
        return msgspec.structs.replace(outcome, verdict=Verdict.BROKEN, message=why) if why else outcome

    def _module(self, path: str) -> tuple[ast.Module | None, str]:
        if path not in self._modules:
            tree = None
            with suppress(OSError, ValueError, SyntaxError, RecursionError, MemoryError):
                tree = ast.parse(read_plain(self._root / path) or b"")
            self._modules[path] = tree, reaches_inside(tree) if tree is not None else ""
        return self._modules[path]


def reaches_inside(module: ast.Module) -> str:
    """What of the test runner a file of tests takes hold of; empty where nothing."""
    return next((inside for node in ast.walk(module) if (inside := _inside(node))), "")


def doubt(module: ast.Module, name: str) -> str:
    """Why the pass of a test, `function` or `Class::function`, proves nothing; empty where it may."""
    function = _function(module, name.split("::"))
    if function is None:
        return ""
    body = _until_return(function.body)
    if all(map(_says_nothing, body)):
        return "it proves nothing: there is nothing in it that could fail"
    asserts = [node for node in _executed(body) if isinstance(node, ast.Assert)]
    if asserts and all(_is_swallowed(function, each) for each in asserts) and not _expects(function):
        return "it proves nothing: it catches its own assertions"
    return ""


def _until_return(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that are reached: those after an unconditional return are not."""
    end = next((place for place, node in enumerate(body) if isinstance(node, ast.Return)), len(body))
    return body[: end + 1]


def _function(module: ast.Module, names: list[str]) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    body: list[ast.stmt] = module.body
    for name in names:
        found = [
            node
            for node in body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name
        ]
        if not found:
            return None
        if not isinstance(found[-1], ast.ClassDef):
            return found[-1]
        body = found[-1].body
    return None


def _inside(node: ast.AST) -> str:
    """What of the test runner a statement or expression takes hold of; empty where nothing."""
    match node:
        case ast.Import(names=names):
            return next((each.name for each in names if each.name.partition(".")[0] in _INSIDES), "")
        case ast.ImportFrom(module=str(name), level=0) if name.partition(".")[0] in _INSIDES:
            return name
        case ast.Attribute(attr="pluginmanager"):
            return "pluginmanager"
        case ast.Subscript(value=ast.Attribute(attr="modules"), slice=ast.Constant(value=str(name))):
            return name if name.partition(".")[0] in _INSIDES else ""
        case (
            ast.Call(args=[ast.Constant(value=str(name)), *_], func=ast.Name("__import__"))
            | ast.Call(args=[ast.Constant(value=str(name)), *_], func=ast.Attribute(attr="import_module"))
        ):
            return name if name.partition(".")[0] in _INSIDES else ""
    return ""


def _says_nothing(node: ast.stmt) -> bool:
    """Whether a statement can never fail: words, `pass`, an assertion about a constant, a branch never taken."""
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Return(value=None | ast.Constant()):
            return True
        case ast.Assert(test=test):
            return _is_always_true(test)
        case ast.If(test=ast.Constant(value=value), body=body, orelse=orelse):
            return all(map(_says_nothing, body if value else orelse))
    return False


def _is_always_true(test: ast.expr) -> bool:
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Tuple(elts=[_, *_]) | ast.Lambda():
            return True
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(map(_is_always_true, values))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            same = ast.dump(left) == ast.dump(right)
            return same and all(
                isinstance(each, ast.Constant | ast.Name | ast.Load) for each in ast.walk(left)
            )
    return False


def _executed(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node of statements but those of functions defined within."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _is_swallowed(function: ast.AST, wanted: ast.Assert) -> bool:
    """Whether an assertion stands in a `try` or `suppress` that takes its error and goes on."""
    return any(
        isinstance(node, ast.Try | ast.With)
        and any(wanted is each for each in _executed(node.body))
        and (
            any(map(_takes_all, node.handlers))
            if isinstance(node, ast.Try)
            else any(_suppresses_all(item.context_expr) for item in node.items)
        )
        for node in ast.walk(function)
    )


def _suppresses_all(call: ast.expr) -> bool:
    if not isinstance(call, ast.Call) or ast.unparse(call.func).rpartition(".")[2] != "suppress":
        return False
    return any(_names(each) & _SWALLOWED for each in call.args)


def _takes_all(handler: ast.ExceptHandler) -> bool:
    if handler.type is not None and not _names(handler.type) & _SWALLOWED:
        return False
    return not any(
        isinstance(node, ast.Raise | ast.Assert | ast.Call)
        for each in handler.body
        for node in ast.walk(each)
    )


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _expects(function: ast.AST) -> bool:
    """Whether it says elsewhere that something must be raised or called."""
    return any(
        isinstance(node, ast.Attribute)
        and (node.attr in ("raises", "fail") or node.attr.startswith("assert"))
        for node in ast.walk(function)
    )
