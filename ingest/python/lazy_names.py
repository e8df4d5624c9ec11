"""What a module's own `__getattr__` gives for each name: `return getattr(import_module(_LAZY[name]), name)`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

import msgspec

from ingest.python.imports import absolute
from ingest.python.spelled import Reading, Unreadable, Untold, bound, unreadable

_IMPORTING = frozenset(
    {"importlib.import_module", "import_module", "_import_module", "_importlib.import_module"}
)
_MOST_STEPS = 20_000
_COMPARED = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)
_LOOKUPS = frozenset({"KeyError", "LookupError", "Exception"})


class Loaded(msgspec.Struct, frozen=True):
    """The names that are answered at all, and what each is an import of, where that is known."""

    names: frozenset[str]
    targets: dict[str, str]


def loaded(
    function: str, module: str, package: str, imports: dict[str, str], constant: Callable[[str], str | None]
) -> Loaded | None:
    """What a function answers, followed once for each name that it knows; None where it may answer any other name.

    `imports` are the module's own, `constant` gives the text of the value that the module binds to a name once.
    """
    try:
        body = ast.parse(function).body
    except SyntaxError:
        return None
    match body:
        case [ast.FunctionDef(args=ast.arguments(posonlyargs=[], args=[only], vararg=None), body=statements)]:
            known = {"__name__": module, "__package__": package, "__spec__.parent": package}
            following = _Following(constant, known, imports)
        case _:
            return None
    try:
        if following.run(statements, {only.arg: _OTHER}) is not _RAISED:
            return None
    except _UNKNOWN:
        return None
    targets: dict[str, str] = {}
    names = set()
    for name in sorted(following.told):
        try:
            given = following.run(statements, {only.arg: name})
        except _UNKNOWN:
            given = None
        if given is not _RAISED:
            names.add(name)
        if isinstance(given, _Imported):
            targets[name] = given.name
    return Loaded(frozenset(names), targets)


class _Imported(msgspec.Struct, frozen=True):
    """A module, or what one has under a name."""

    name: str


class _Marker:
    """A value that is only ever compared with itself."""


_OTHER = _Marker()
"""A name that no table and no condition speaks of."""
_RAISED = _Marker()
_FALLS_THROUGH = _Marker()
_GLOBALS = _Marker()
_UNKNOWN = (Unreadable, TypeError, ValueError, ArithmeticError, LookupError, RecursionError)


class _Missing(Unreadable):
    """A table has no such key."""


class _Following(Reading):
    """Runs the statements of a function, as far as their text tells what they do; `told` are the names it knows."""

    def __init__(
        self, constant: Callable[[str], str | None], known: dict[str, str], imports: dict[str, str]
    ) -> None:
        super().__init__(constant)
        self.told: set[str] = set()
        self._known = known
        self._imports = imports
        self._set: dict[str, object] = {}
        self._steps = 0

    def run(self, body: Iterable[ast.stmt], names: dict[str, object]) -> object:
        """What the statements return; `_RAISED` where they raise, `_FALLS_THROUGH` where they do neither."""
        for statement in body:
            done = self._step(statement, names)
            if done is not _FALLS_THROUGH:
                return done
        return _FALLS_THROUGH

    def _step(self, statement: ast.stmt, names: dict[str, object]) -> object:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise Unreadable
        match statement:
            case ast.Raise():
                return _RAISED
            case ast.Return(value=value):
                return None if value is None else self.value(value, names)
            case ast.If(test=test, body=body, orelse=other):
                try:
                    holds = self._holds(test, names)
                except _UNKNOWN:
                    return self._either(body, other, names)
                return self.run(body if holds else other, names)
            case ast.Try(body=body, handlers=handlers, orelse=other):
                try:
                    done = self.run(body, names)
                except _Missing:
                    return self._handled(handlers, names)
                return self.run(other, names) if done is _FALLS_THROUGH else done
            case ast.With(body=body):
                return self.run(body, names)
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                for item in self.items(over, names):
                    if self.run(body, names | bound(target, item)) is not _FALLS_THROUGH:
                        raise Unreadable
            case ast.Assign(targets=targets, value=value):
                self._bind(targets, self.value(value, names), names)
            case ast.Import(names=listed):
                for each in listed:
                    root = each.name if each.asname else each.name.partition(".")[0]
                    names[each.asname or root] = _Imported(root)
            case ast.ImportFrom(module=source, names=listed, level=level):
                holder = _absolute(f"{'.' * level}{source or ''}", self._known["__package__"])
                for each in listed:
                    names[each.asname or each.name] = _Imported(f"{holder}.{each.name}")
            case ast.Expr() | ast.Pass() | ast.Global():
                pass
            case _:
                raise Unreadable
        return _FALLS_THROUGH

    def _either(self, body: list[ast.stmt], other: list[ast.stmt], names: dict[str, object]) -> object:
        """What comes of either branch of a condition that is not told: where one raises, only the other goes on."""
        if _OTHER not in names.values():
            raise Unreadable
        first, second = self.run(body, dict(names)), self.run(other, dict(names))
        if first is not second and _RAISED not in (first, second):
            raise Unreadable
        return second if first is _RAISED else first

    def _handled(self, handlers: list[ast.ExceptHandler], names: dict[str, object]) -> object:
        for handler in handlers:
            caught = ast.unparse(handler.type) if handler.type is not None else "Exception"
            if _LOOKUPS.intersection(caught.strip("()").replace(",", " ").split()):
                return self.run(handler.body, names)
        raise Unreadable

    def _bind(self, targets: list[ast.expr], value: object, names: dict[str, object]) -> None:
        for target in targets:
            match target:
                case ast.Name(id=name):
                    names[name] = value
                case ast.Tuple(elts=parts) if isinstance(value, tuple) and len(parts) == len(value):
                    for part, item in zip(parts, value, strict=True):
                        self._bind([part], item, names)
                case ast.Subscript(value=holder, slice=key) if self.value(holder, names) is _GLOBALS:
                    self._set[str(self.value(key, names))] = value
                case _:
                    raise Unreadable

    def _holds(self, test: ast.expr, names: dict[str, object]) -> bool:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return not self._holds(inner, names)
            case ast.BoolOp(op=operation, values=values):
                return self._joined(values, names, decisive=isinstance(operation, ast.Or))
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as kind], comparators=[held]):
                among = self._has(self.items(held, names), self.value(left, names))
                return among is isinstance(kind, ast.In)
            case ast.Compare(left=left, ops=[kind], comparators=[right]) if isinstance(kind, _COMPARED):
                same = self._has((self.value(right, names),), self.value(left, names))
                return same is isinstance(kind, ast.Eq | ast.Is)
            case _:
                value = self.value(test, names)
                return unreadable() if isinstance(value, _Marker | Untold) else bool(value)

    def _joined(self, values: list[ast.expr], names: dict[str, object], *, decisive: bool) -> bool:
        """What conditions come to of which one that is `decisive` decides; then the others need not be told."""
        untold = False
        for each in values:
            try:
                if self._holds(each, names) is decisive:
                    return decisive
            except _UNKNOWN:
                untold = True
        if untold:
            raise Unreadable
        return not decisive

    def _has(self, held: Iterable[object], value: object) -> bool:
        """Whether a value is among others; where the asked name is, these are names that the function knows."""
        listed = list(held)
        if any(isinstance(each, Untold) for each in (*listed, value)):
            raise Unreadable
        if value is _OTHER:
            self.told.update(each for each in listed if isinstance(each, str))
            return False
        return value in listed

    def value(self, node: ast.expr, names: dict[str, object]) -> object:
        """What an expression comes to, imports included."""
        match node:
            case ast.NamedExpr(target=target, value=value):
                self._bind([target], self.value(value, names), names)
                return names[target.id]
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.value(body if self._holds(test, names) else other, names)
            case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[key, *default], keywords=[]):
                try:
                    return self._item(held, key, names)
                except _Missing:
                    return self.value(default[0], names) if default else None
            case ast.Call():
                return self._call(node, names)
            case ast.Subscript(value=held, slice=key) if not isinstance(key, ast.Slice):
                return self._item(held, key, names)
            case ast.Name() | ast.Attribute() if (dotted := ast.unparse(node)) in self._known:
                return self._known[dotted]
            case ast.Name(id=name) if name in self._imports and name not in names:
                return _Imported(self._imports[name])
            case ast.Attribute(value=held, attr=name):
                owner = self.value(held, names)
                return _Imported(f"{owner.name}.{name}") if isinstance(owner, _Imported) else unreadable()
            case _:
                return super().value(node, names)

    def _item(self, held: ast.expr, key: ast.expr, names: dict[str, object]) -> object:
        """What a table has under a key."""
        table, wanted = self.value(held, names), self.value(key, names)
        if table is _GLOBALS:
            table = self._set
        if isinstance(table, dict):
            if wanted is _OTHER:
                self._has(table, wanted)
            if wanted not in table:
                raise _Missing
            return table[wanted]
        if isinstance(table, tuple | str) and isinstance(wanted, int):
            return table[wanted]
        raise Unreadable

    def _call(self, call: ast.Call, names: dict[str, object]) -> object:
        match call:
            case ast.Call(func=ast.Name(id="globals"), args=[]):
                return _GLOBALS
            case ast.Call(func=ast.Name(id="getattr"), args=[holder, name, *_]):
                owner, member = self.value(holder, names), self.value(name, names)
                if isinstance(owner, _Imported) and isinstance(member, str):
                    return _Imported(f"{owner.name}.{member}")
            case ast.Call(func=ast.Name(id="__import__"), args=[name, *given], keywords=keywords):
                module = self.value(name, names)
                whole = len(given) == 3 or any(each.arg == "fromlist" for each in keywords)
                if isinstance(module, str):
                    return _Imported(module if whole else module.partition(".")[0])
            case ast.Call(func=function, args=[name, *given], keywords=keywords) if (
                ast.unparse(function) in _IMPORTING
            ):
                module = self.value(name, names)
                given += [each.value for each in keywords if each.arg == "package"]
                package = self.value(given[0], names) if given else self._known["__package__"]
                if isinstance(module, str) and isinstance(package, str):
                    return _Imported(_absolute(module, package))
            case _:
                self._look_up([*call.args, *(each.value for each in call.keywords)], names)
                return super().value(call, names)
        raise Unreadable

    def _look_up(self, given: Iterable[ast.expr], names: dict[str, object]) -> None:
        """Fail as a call does whose arguments ask a table for what it has not, whatever the call gives."""
        for each in given:
            try:
                self.value(each, names)
            except _Missing:
                raise
            except _UNKNOWN:
                continue


def _absolute(module: str, package: str) -> str:
    """The name of a module that may be told as seen from a package."""
    return absolute(module, package) or unreadable()
