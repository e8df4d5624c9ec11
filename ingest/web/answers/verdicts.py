"""How functions tell of mistakes other than by raising: lists of them, and results that their callers refuse for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from ingest.web.values.instances import own_statements

_ADDS = frozenset({"append", "add", "extend", "setdefault", "update"})
_MISTAKES = re.compile(r"error|problem|mistake|issue|invalid|violation|message", re.IGNORECASE)
_EMPTY = frozenset({"list", "dict", "set", "OrderedDict"})


class Verdict(msgspec.Struct, frozen=True):
    """That a caller refuses where a result (or one element of it) is true, or where it is false."""

    refuses: Literal["true", "false"]
    element: int | None = None

    def is_refusal(self, value: ast.expr | None) -> bool:
        """Whether returning this makes the caller refuse, for certain."""
        if self.element is not None:
            if not isinstance(value, ast.Tuple) or len(value.elts) <= self.element:
                return False
            value = value.elts[self.element]
        known = _truth(value)
        return known is not None and known is (self.refuses == "true")

    def gives(self, value: ast.expr | None, name: str) -> bool:
        """Whether returning this gives what is called so, as what the caller tests."""
        if self.element is not None and isinstance(value, ast.Tuple) and len(value.elts) > self.element:
            value = value.elts[self.element]
        named = (
            value.id if isinstance(value, ast.Name) else kept_mistakes(value) if value is not None else None
        )
        return named == name and self.refuses == "true"


def mistakes_of(body: list[ast.stmt]) -> set[str]:
    """The names of lists and dictionaries that a function begins empty and puts things into."""
    begun: set[str] = set()
    added: set[str] = set()
    for statement in own_statements(body):
        begun |= set(_begun(statement))
        if (name := noted_in(statement)) is not None:
            added.add(name)
    return (begun & added) | {name for name in added if "." in name}


def noted_in(statement: ast.stmt) -> str | None:
    """The name of what a statement adds something to."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))) if (
            method in _ADDS
        ):
            return name
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=name)), attr="append"))
        ):
            return name
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute() as kept, attr=method))) if (
            method in _ADDS
        ):
            return kept_mistakes(kept)
        case ast.Assign(targets=[ast.Subscript(value=ast.Attribute() as kept)]):
            return kept_mistakes(kept)
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]):
            return name
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()):
            return name
    return None


def kept_mistakes(node: ast.expr) -> str | None:
    """The name under which an object notes mistakes (`self.errors`); None for anything else."""
    plain = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return ast.unparse(node) if plain and _MISTAKES.search(ast.unparse(node)) else None


def tested(test: ast.expr) -> tuple[ast.expr, Literal["true", "false"]] | None:
    """What a test asks to be true or false: `if errors:`, `if not ok:`, `if error is not None:`, `if len(errors):`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            found = tested(inner)
            return (found[0], "false" if found[1] == "true" else "true") if found is not None else None
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return left, "true"
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return left, "false"
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[inner]),
            ops=[ast.Gt()],
            comparators=[ast.Constant(value=0)],
        ):
            return inner, "true"
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            return inner, "true"
        case ast.NamedExpr(value=inner):
            return inner, "true"
        case ast.Name() | ast.Call() | ast.Await() | ast.Attribute():
            return test, "true"
    return None


def call_behind(node: ast.expr, body: list[ast.stmt]) -> tuple[ast.Call, int | None] | None:
    """The call whose result an expression is, also behind a name, and which element of it."""
    plain = node.value if isinstance(node, ast.Await) else node
    if isinstance(plain, ast.Call):
        return plain, None
    if not isinstance(plain, ast.Name):
        return None
    found = [each for statement in own_statements(body) for each in _assigned(statement, plain.id)]
    return found[0] if len(found) == 1 else None


def _assigned(statement: ast.stmt, name: str) -> Iterator[tuple[ast.Call, int | None]]:
    if not isinstance(statement, ast.Assign):
        return
    value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    if not isinstance(value, ast.Call):
        return
    for target in statement.targets:
        if isinstance(target, ast.Name) and target.id == name:
            yield value, None
        for index, element in enumerate(target.elts if isinstance(target, ast.Tuple) else []):
            if isinstance(element, ast.Name) and element.id == name:
                yield value, index


def _begun(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement gives a list or table which is still empty."""
    if isinstance(statement, ast.Assign | ast.AnnAssign) and _is_empty(statement.value):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def _is_empty(value: ast.expr | None) -> bool:
    match value:
        case ast.List(elts=[]) | ast.Dict(keys=[]) | ast.Call(func=ast.Name(id="defaultdict")):
            return True
        case ast.Call(func=ast.Name(id=name), args=[]):
            return name in _EMPTY
    return False


def _truth(value: ast.expr | None) -> bool | None:
    """Whether a value that stands in the source is true; None where that cannot be told."""
    match value:
        case None:
            return False
        case ast.Constant(value=known):
            return bool(known)
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return bool(elements)
        case ast.Dict(keys=keys):
            return bool(keys)
        case ast.Call(func=ast.Name(id=name)) if name[:1].isupper():
            # An instance of a class is true, as long as the class does not say otherwise.
            return True
        case ast.JoinedStr(values=parts):
            return True if any(isinstance(part, ast.Constant) and part.value for part in parts) else None
    return None
