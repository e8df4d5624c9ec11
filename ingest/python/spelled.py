"""The texts that an expression comes to in loops over values that are written out: `f"level{n}" for n in range(3)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product
from typing import NoReturn, TypeVar

from graph.patterns import pattern

_MOST = 2_000
_LITERALS = (bool, int, float, str, bytes)
_LONGEST = 100_000
_LONGEST_VALUE = 200
_METHODS = frozenset(
    {"upper", "lower", "title", "capitalize", "strip", "replace", "removeprefix", "removesuffix"}
)
_CONSTANTS = {
    "string.ascii_lowercase": "abcdefghijklmnopqrstuvwxyz",
    "string.ascii_uppercase": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "string.digits": "0123456789",
}


# Conversions that fill up to a great width, or to one that is itself put in.
_WIDE_PERCENT = pattern(r"%[^a-zA-Z%]*(?:\d{3}|\*)")
_WIDE_FORMAT = pattern(r"\{[^{}]*(?:\{|\d{3})")
_Long = TypeVar("_Long", str, tuple[object, ...])


class Unreadable(Exception):  # noqa: N818 - no error of anybody's, only a value that is not known
    """An expression has no value that its text tells."""


_UNTOLD = (Unreadable, TypeError, ValueError, ArithmeticError, LookupError, RecursionError)


def spelled(
    key: str, value: str | None, loops: Sequence[tuple[str, str]], constant: Callable[[str], str | None]
) -> dict[str, str | None] | None:
    """The names that an expression comes to within loops, outermost first, each a target and what it goes over.

    Each is told with the value that another expression comes to last, where that is a literal. `constant` gives the
    text that a name of the module is bound to once. None where not all names are told.
    """
    reading = Reading(constant)
    found: dict[str, str | None] = {}
    try:
        node, given = parsed(key), parsed(value) if value is not None else None
        for names in reading.rounds(loops, {}):
            name = reading.value(node, names)
            if not isinstance(name, str) or not name.isidentifier():
                return None
            held = reading.perhaps(given, names) if given is not None else Untold()
            text = repr(held) if isinstance(held, _LITERALS) else ""
            found[name] = text if 0 < len(text) <= _LONGEST_VALUE else None
    except _UNTOLD:
        return None
    return found


def listed(text: str, constant: Callable[[str], str | None]) -> frozenset[str] | None:
    """The texts that a display or a dictionary has, written out or under a name; None where not all are told."""
    try:
        found = list(Reading(constant).items(parsed(text), {}))
    except _UNTOLD:
        return None
    names = frozenset(each for each in found if isinstance(each, str))
    return names if len(names) == len(set(map(str, found))) else None


class Reading:
    """Works out expressions over values that are written out."""

    def __init__(self, constant: Callable[[str], str | None]) -> None:
        self._constant = constant
        self._constants: dict[str, object] = {}
        self._left = _MOST

    def rounds(
        self, loops: Sequence[tuple[str, str]], names: dict[str, object]
    ) -> Iterator[dict[str, object]]:
        """The values of the loops' variables, round by round."""
        if not loops:
            yield names
            return
        target = parsed(loops[0][0])
        for item in self.items(parsed(loops[0][1]), names):
            self._left -= 1
            if self._left < 0:
                raise Unreadable
            yield from self.rounds(loops[1:], {**names, **bound(target, item)})

    def value(self, node: ast.expr, names: dict[str, object]) -> object:
        """What an expression comes to."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.Name() | ast.Attribute():
                dotted = ast.unparse(node)
                if dotted in _CONSTANTS:
                    return _CONSTANTS[dotted]
                return self._bound(node.id) if isinstance(node, ast.Name) else unreadable()
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return tuple(self.value(item, names) for item in items)
            case ast.Dict(keys=keys, values=values) if None not in keys:
                read = [self.value(each, names) for each in keys if each is not None]
                return dict(zip(read, (self.perhaps(each, names) for each in values), strict=True))
            case ast.DictComp(key=key, value=value, generators=generators):
                loops = _loops(generators)
                return {
                    self.value(key, inner): self.perhaps(value, inner) for inner in self.rounds(loops, names)
                }
            case ast.ListComp(elt=item, generators=generators) | ast.SetComp(elt=item, generators=generators):
                return tuple(self.value(item, inner) for inner in self.rounds(_loops(generators), names))
            case ast.JoinedStr(values=values):
                return _bounded("".join(str(self._part(each, names)) for each in values))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = self.value(left, names), self.value(right, names)
                if isinstance(first, str) and isinstance(second, str):
                    return _bounded(first + second)
                if isinstance(first, tuple) and isinstance(second, tuple):
                    return _bounded(first + second)
                return unreadable()
            case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod(), right=right):
                return _narrow(text, _WIDE_PERCENT) % _told(self.value(right, names))
            case ast.Subscript(value=value, slice=ast.Constant(value=int() as place)):
                held = self.value(value, names)
                return held[place] if isinstance(held, str | tuple) else unreadable()
            case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
                return str(_told_once(self.value(inner, names)))
            case ast.Call(func=ast.Attribute(value=value, attr=method), args=given, keywords=[]):
                return self._called(
                    self.value(value, names), method, [self.value(each, names) for each in given]
                )
            case _:
                return unreadable()

    def _bound(self, name: str) -> object:
        """What the module binds to a name once."""
        if name not in self._constants:
            text = self._constant(name)
            self._constants[name] = self.value(parsed(text), {}) if text is not None else unreadable()
        return self._constants[name]

    def perhaps(self, node: ast.expr, names: dict[str, object]) -> object:
        """What an expression comes to, if that is told."""
        try:
            return self.value(node, names)
        except _UNTOLD:
            return Untold()

    def _part(self, node: ast.expr, names: dict[str, object]) -> object:
        match node:
            case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
                return _told_once(self.value(inner, names))
            case ast.Constant(value=value):
                return value
            case _:
                return unreadable()

    def _called(self, value: object, method: str, given: list[object]) -> object:
        texts = [each for each in given if isinstance(each, str)]
        if isinstance(value, str) and len(texts) == len(given):
            if method in _METHODS:
                if len(value) * max(map(len, texts), default=1) > _LONGEST:
                    raise Unreadable
                return getattr(value, method)(*texts)
            if method == "split":
                return tuple(value.split(texts[0] if texts else None))
        if isinstance(value, str) and method == "format" and "." not in value and "[" not in value:
            return _narrow(value, _WIDE_FORMAT).format(*map(_told_once, given))
        if isinstance(value, dict) and not given and method in ("items", "keys"):
            return tuple(value.items() if method == "items" else value)
        return unreadable()

    def items(self, node: ast.expr, names: dict[str, object]) -> Sequence[object]:
        """What a loop goes over."""
        match node:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner]):
                return _few(enumerate(self.items(inner, names)))
            case ast.Call(func=ast.Name(id="zip"), args=parts) if parts:
                return _few(zip(*(self.items(each, names) for each in parts), strict=False))
            case ast.Call(func=ast.Name() | ast.Attribute() as called, args=parts, keywords=[]) if (
                ast.unparse(called) in ("product", "itertools.product")
            ):
                return _few(product(*(self.items(each, names) for each in parts)))
            case ast.Call(func=ast.Name(id="range"), args=bounds, keywords=[]):
                whole = [self.value(each, names) for each in bounds]
                numbers = range(*(each for each in whole if isinstance(each, int)))
                return numbers if len(numbers) <= _MOST else unreadable()
            case ast.Call(func=ast.Name(id="sorted" | "list" | "tuple" | "set"), args=[inner], keywords=[]):
                return self.items(inner, names)
        value = self.value(node, names)
        if isinstance(value, dict):
            return tuple(value)
        return value if isinstance(value, str | tuple) else unreadable()


class Untold:
    """A value of a dictionary, which is none of the names."""


def bound(target: ast.expr, item: object) -> dict[str, object]:
    """The names of a loop's target with their parts of one item."""
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, ast.Tuple) and isinstance(item, tuple | str) and len(target.elts) == len(item):
        pairs = zip(target.elts, item, strict=True)
        return {name: part for each, inner in pairs for name, part in bound(each, inner).items()}
    if isinstance(target, ast.Tuple) and isinstance(item, Untold):
        return {name: item for each in target.elts for name in bound(each, item)}
    raise Unreadable


def _loops(generators: list[ast.comprehension]) -> list[tuple[str, str]]:
    """The loops of a comprehension, outermost first; one that leaves out or waits is not read."""
    if any(each.ifs or each.is_async for each in generators):
        raise Unreadable
    return [(ast.unparse(each.target), ast.unparse(each.iter)) for each in generators]


def _told(value: object) -> object:
    """A value, or a tuple of such, that its text tells."""
    for part in value if isinstance(value, tuple) else (value,):
        _told_once(part)
    return value


def _told_once(value: object) -> str | int:
    return value if isinstance(value, str | int) else unreadable()


def _bounded(value: _Long) -> _Long:
    """A text or tuple, unless it grew too long: what is added to itself again and again doubles each time."""
    return value if len(value) <= _LONGEST else unreadable()


def _few(items: Iterable[object]) -> list[object]:
    """What a loop goes over, unless that is too much."""
    first = list(islice(items, _MOST + 1))
    return first if len(first) <= _MOST else unreadable()


def _narrow(template: str, wide: re.Pattern[str]) -> str:
    """A template, unless what it gives can be much longer than what is put in."""
    return unreadable() if wide.search(template) else template


def parsed(text: str) -> ast.expr:
    """The expression that a text is; raises `Unreadable` where it is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise Unreadable from None


def unreadable() -> NoReturn:
    """Say that a value is not told; a function, so that expressions may say it."""
    raise Unreadable
