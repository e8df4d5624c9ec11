"""Which names a module's own `__getattr__` answers, where its conditions tell: `if name in _MOVED: …`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ingest.python.spelled import listed

Constant = Callable[[str], str | None]
_QUIET = ast.Expr | ast.Import | ast.ImportFrom | ast.Pass | ast.Global | ast.FunctionDef | ast.ClassDef


def answered(function: str, constant: Constant) -> frozenset[str] | None:
    """The names for which a function does not surely raise; None where it may answer any name.

    `constant` gives the text of the value that the module binds to a name once.
    """
    try:
        parsed = ast.parse(function).body
    except SyntaxError:
        return None
    match parsed:
        case [ast.FunctionDef(args=ast.arguments(posonlyargs=[], args=[only], vararg=None), body=body)]:
            return _Answers(only.arg, constant).of(body)
        case _:
            return None


class _Answers:
    """Follows the statements of a function of one name; what it says is never too little."""

    def __init__(self, name: str, constant: Constant) -> None:
        self._name = name
        self._constant = constant

    def of(self, body: list[ast.stmt]) -> frozenset[str] | None:
        """The names that these statements may answer."""
        found: frozenset[str] = frozenset()
        for place, statement in enumerate(body):
            match statement:
                case ast.Raise():
                    return found
                case ast.If(test=test, body=inner, orelse=other):
                    among, outside = self._among(test)
                    if among is not None:
                        found |= among if _may_return(inner) else frozenset()
                    elif outside is not None and _surely_raises(inner):
                        return found | outside
                    elif _may_return(inner):
                        return None
                    if other and not _leaves(inner):
                        return None
                    if other:
                        rest = self.of([*other, *body[place + 1 :]])
                        return None if rest is None else found | rest
                case ast.Try(body=[tried, *_], handlers=[ast.ExceptHandler(type=caught, body=handler)]):
                    keys = self._looked_up(tried)
                    if (
                        keys is None
                        or caught is None
                        or ast.unparse(caught) not in ("KeyError", "(KeyError,)")
                    ):
                        return None
                    return found | keys if _surely_raises(handler) else None
                case ast.Assign(targets=targets) if all(self._name != ast.unparse(each) for each in targets):
                    continue
                case _ if not isinstance(statement, _QUIET):
                    return None
        return None

    def _among(self, test: ast.expr) -> tuple[frozenset[str] | None, frozenset[str] | None]:
        """The names among which the asked one is where a condition holds, and those where it does not; None for any."""
        match test:
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=str() as text)]
            ):
                return (frozenset({text}), None) if name == self._name else (None, None)
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.In() | ast.NotIn() as kind], comparators=[held]
            ):
                names = listed(ast.unparse(held), self._constant) if name == self._name else None
                return (names, None) if isinstance(kind, ast.In) else (None, names)
            case ast.BoolOp(op=ast.Or(), values=values):
                parts = [self._among(each)[0] for each in values]
                known = [each for each in parts if each is not None]
                return (frozenset().union(*known), None) if len(known) == len(parts) else (None, None)
            case ast.BoolOp(op=ast.And(), values=values):
                return next(
                    (part for each in values if (part := self._among(each))[0] is not None), (None, None)
                )
            case _:
                return None, None

    def _looked_up(self, statement: ast.stmt) -> frozenset[str] | None:
        """The keys of a dictionary in which a statement looks the name up."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Subscript) and ast.unparse(node.slice) == self._name:
                return listed(ast.unparse(node.value), self._constant)
        return None


def _may_return(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Return) for statement in body for node in ast.walk(statement))


def _surely_raises(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise) and not _may_return(body)


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise | ast.Return)
