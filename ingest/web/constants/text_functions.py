"""Small functions of a project that make one text of another (alias generators), worked out without running them.

Methods of texts and lists, joining, slicing, comprehensions, conditions, loops and calls of other such functions are
understood. What takes more than a fixed number of steps, or calls itself too deeply, is not worked out to its end.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from ingest.web.constants.constants import Missing, constant
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, Target
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.comparisons import COMPARED
from ingest.web.syntax.naming import name_at
from ingest.web.syntax.scopes import Scope

TextFunction: TypeAlias = Callable[[str], str | None]
_LONGEST = 500
_DEPTH = 40
_MOST_STEPS = 5_000
_TEXT = frozenset(
    {
        *("lower", "upper", "title", "capitalize", "swapcase", "strip", "lstrip", "rstrip", "casefold"),
        *("replace", "removeprefix", "removesuffix", "split", "rsplit", "partition", "rpartition", "join"),
        *("startswith", "endswith", "isupper", "islower", "isdigit", "isalpha", "find", "count"),
    }
)
_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    **COMPARED,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


class _UnreadError(Exception):
    """Something in the function is not understood."""


def text_function(program: Program, target: Target | None) -> TextFunction | None:
    """What a function of the project, or a method of `str`, makes of a text; None where it is neither.

    The function that is given back answers None where it meets something that it does not understand.
    """
    if isinstance(target, External):
        owner, _, name = target.dotted.rpartition(".")
        return _method(name) if owner == "builtins.str" and name in _TEXT else None
    if not isinstance(target, FunctionTarget):
        return None

    def made(text: str) -> str | None:
        try:
            found = _Worked(program, target.body, 0, itertools.count()).call(target, [text])
        except (_UnreadError, TypeError, ValueError, IndexError, AttributeError, KeyError, RecursionError):
            return None
        return found if isinstance(found, str) else None

    return made


def _method(name: str) -> TextFunction:
    def made(text: str) -> str | None:
        found = getattr(text, name)() if name not in ("join", "replace") else None
        return found if isinstance(found, str) else None

    return made


class _Worked:
    """The values of the names of one function while it is worked out.

    `steps` counts the expressions and statements that all functions of one call have come to; whatever comes after too
    many of them is not understood.
    """

    def __init__(self, program: Program, scope: Scope, depth: int, steps: Iterator[int]) -> None:
        self.program = program
        self.scope = scope
        self.depth = depth
        self.steps = steps
        self.names: dict[str, Any] = {}

    def call(self, target: FunctionTarget, values: list[Any]) -> Any:
        """What a function gives for these arguments."""
        if self.depth > _DEPTH:
            raise _UnreadError
        inner = _Worked(self.program, target.body, self.depth + 1, self.steps)
        pairs = list(parameters(target.node))
        if target.scope.is_class and isinstance(target.node, Function) and len(pairs) > len(values):
            pairs = pairs[1:]
        if len(values) > len(pairs):
            raise _UnreadError
        for (node, default), given in zip(pairs, [*values, *[_UnreadError] * len(pairs)], strict=False):
            inner.names[node.arg] = (
                inner.value(default) if given is _UnreadError and default is not None else given
            )
        if isinstance(target.node, ast.Lambda):
            return inner.value(target.node.body)
        done, result = inner.run(target.node.body)
        if not done:
            raise _UnreadError
        return result

    def run(self, statements: list[ast.stmt]) -> tuple[bool, Any]:
        """Whether these statements return, and what."""
        for statement in statements:
            self.step()
            match statement:
                case ast.Return(value=ast.expr() as value):
                    return True, self.value(value)
                case ast.If():
                    done, found = self.run(statement.body if self.value(statement.test) else statement.orelse)
                    if done:
                        return True, found
                case ast.Assign(targets=[target], value=value):
                    self.bind(target, self.value(value))
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self.bind(target, self.value(value))
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                    self.names[name] = _short(self.value(name_at(name, value)) + self.value(value))
                case ast.For(orelse=[]):
                    for each in list(self.value(statement.iter)):
                        self.bind(statement.target, each)
                        done, found = self.run(statement.body)
                        if done:
                            return True, found
                case ast.Pass() | ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    raise _UnreadError
        return False, None

    def step(self) -> None:
        """Counts one more expression or statement; raises after too many."""
        if next(self.steps) >= _MOST_STEPS:
            raise _UnreadError

    def bind(self, target: ast.expr, value: Any) -> None:
        """Gives a name, or several, their values."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
            return
        if not isinstance(target, ast.Tuple | ast.List):
            raise _UnreadError
        values, parts = list(value), target.elts
        starred = next((i for i, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
        if starred is not None:
            after = len(parts) - starred - 1
            end = len(values) - after
            values = [*values[:starred], values[starred:end], *values[end:]]
        for part, each in zip(parts, values, strict=True):
            self.bind(part.value if isinstance(part, ast.Starred) else part, each)

    def value(self, node: ast.expr) -> Any:
        """What an expression is worth."""
        self.step()
        match node:
            case ast.Constant(value=str() | int() | None):
                return node.value
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name() | ast.Attribute():
                found = constant(self.program, node, self.scope)
                if isinstance(found, Missing):
                    raise _UnreadError
                return found
            case ast.JoinedStr():
                return _short("".join(self.part(part) for part in node.values))
            case ast.BinOp(op=ast.Add()):
                return _short(self.value(node.left) + self.value(node.right))
            case ast.BinOp(op=ast.Sub()):
                return self.value(node.left) - self.value(node.right)
            case ast.Subscript(slice=ast.Slice() as cut):
                ends = (None if end is None else self.value(end) for end in (cut.lower, cut.upper, cut.step))
                return self.value(node.value)[slice(*ends)]
            case ast.Subscript():
                return self.value(node.value)[self.value(node.slice)]
            case ast.IfExp():
                return self.value(node.body if self.value(node.test) else node.orelse)
            case ast.UnaryOp(op=ast.Not()):
                return not self.value(node.operand)
            case ast.UnaryOp(op=ast.USub()):
                return -self.value(node.operand)
            case ast.BoolOp():
                return self.joined(node)
            case ast.Compare(ops=[op], comparators=[other]) if type(op) in _COMPARED:
                return _COMPARED[type(op)](self.value(node.left), self.value(other))
            case ast.List() | ast.Tuple():
                return self.several(node.elts)
            case ast.ListComp() | ast.GeneratorExp():
                return self.comprehended(node)
            case ast.Call(keywords=[]):
                return self.called(node)
        raise _UnreadError

    def several(self, nodes: list[ast.expr]) -> list[Any]:
        """The values of expressions, those of a starred one among them."""
        found: list[Any] = []
        for node in nodes:
            found += list(self.value(node.value)) if isinstance(node, ast.Starred) else [self.value(node)]
            _short(found)
        return found

    def part(self, node: ast.expr) -> str:
        """One part of an f-string."""
        if isinstance(node, ast.FormattedValue):
            if node.conversion != -1 or node.format_spec is not None:
                raise _UnreadError
            return str(self.value(node.value))
        return str(self.value(node))

    def joined(self, node: ast.BoolOp) -> Any:
        """What `and` or `or` of several gives."""
        found: Any = None
        for value in node.values:
            found = self.value(value)
            if bool(found) is isinstance(node.op, ast.Or):
                break
        return found

    def comprehended(self, node: ast.ListComp | ast.GeneratorExp) -> list[Any]:
        """The list that a comprehension over one iterable makes."""
        if len(node.generators) != 1 or node.generators[0].is_async:
            raise _UnreadError
        (over,) = node.generators
        found = []
        for each in list(self.value(over.iter)):
            self.bind(over.target, each)
            if all(self.value(test) for test in over.ifs):
                found.append(self.value(node.elt))
        return found

    def called(self, node: ast.Call) -> Any:
        """What a method of a text, a builtin, or another function of the project gives."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in _TEXT:
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "str":
                owner, *given = self.several(node.args)
            else:
                owner, given = self.value(node.func.value), self.several(node.args)
            if not isinstance(owner, str):
                raise _UnreadError
            return _short(getattr(owner, node.func.attr)(*given))
        target = self.program.resolve(node.func, self.scope)
        if isinstance(target, FunctionTarget):
            return self.call(target, self.several(node.args))
        return self.builtin(target, node.args)

    def builtin(self, target: Target | None, arguments: list[ast.expr]) -> Any:
        """What one of Python's own functions gives."""
        match target.dotted if isinstance(target, External) else "":
            case "builtins.len":
                return len(self.value(arguments[0]))
            case "builtins.enumerate":
                return list(enumerate(self.value(arguments[0]), *self.several(arguments[1:])))
            case "builtins.list" | "builtins.tuple":
                return list(self.value(arguments[0]))
            case "builtins.str":
                return str(self.value(arguments[0]))
            case "builtins.map" if len(arguments) == 2:
                made = self.mapped(arguments[0])
                return [made(each) for each in list(self.value(arguments[1]))]
        raise _UnreadError

    def mapped(self, node: ast.expr) -> Callable[[Any], Any]:
        """The function that `map` is given."""
        if isinstance(node, ast.Attribute) and node.attr in _TEXT and ast.unparse(node.value) == "str":
            return lambda each: getattr(str(each), node.attr)()
        if isinstance(node, ast.Lambda):
            target: Target | None = FunctionTarget(node, self.scope)
        else:
            target = self.program.resolve(node, self.scope)
        if not isinstance(target, FunctionTarget):
            raise _UnreadError
        return lambda each: self.call(target, [each])


def _short(value: Any) -> Any:
    if isinstance(value, str | list) and len(value) > _LONGEST:
        raise _UnreadError
    return value
