"""The normal form of Python's type annotations, in which two spellings of one type are equal."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache

import msgspec

from crossval.compare.making import Making, NothingMade
from crossval.compare.typenames import OF_TYPESHED, TRANSPARENT, UNINFORMATIVE, is_certain, resolve
from graph.literals import parse_quietly

_LONGEST = 2000
_DEEPEST = 40


class Annotation(msgspec.Struct, frozen=True, order=True):
    """A type in normal form.

    `name` is a canonical qualified name, or one of `|` (a union of its arguments), `typing.Literal` (its arguments
    are named by the values' `repr`), `[…]` (the parameters of a callable), `...`, `()` and `?` (nothing known).
    `certain` is false for names that may be an alias of, or a variable for, something else.
    """

    name: str
    arguments: tuple[Annotation, ...] = ()
    certain: bool = True

    def __str__(self) -> str:
        """The annotation in one canonical spelling, which normalises to itself."""
        inner = [str(argument) for argument in self.arguments]
        match self.name:
            case "?":
                return "typing.Any"
            case "|":
                return " | ".join(inner)
            case "[…]":
                return f"[{', '.join(inner)}]"
            case _:
                return f"{self.name}[{', '.join(inner)}]" if inner else self.name

    @property
    def alternatives(self) -> tuple[Annotation, ...]:
        """The members of a union, or the annotation itself."""
        return self.arguments if self.name == "|" else (self,)


UNKNOWN = Annotation("?", certain=False)
NONE = Annotation("None")
ELLIPSIS = Annotation("...")
_TRUTH_VALUES = {Annotation("True"), Annotation("False")}
_EMPTY = Annotation("()")
LITERAL = "typing.Literal"
ABSORBERS = {"bool": ("int", "float", "complex"), "int": ("float", "complex"), "float": ("complex",)}
_PREFIXES = (
    *(("str", quote) for quote in "'\""),
    *(("bytes", f"b{quote}") for quote in "'\""),
    *((kind, digit) for kind in ("int", "float", "complex") for digit in "-0123456789"),
    *((kind, name) for kind in ("bool", "int") for name in ("True", "False")),
)


class Scope:
    """The names that the annotations of one module can use; it remembers what it has normalised.

    `names` maps a local name to its qualified name; `classes` are the qualified names which are known to be
    classes, and hence no aliases; `makers` tells what decorators of the project make of functions, and `aliased`
    what a qualified name stands for that is an alias of a type.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        classes: Collection[str] = (),
        makers: Making | None = None,
        aliased: Callable[[str], Annotation | None] | None = None,
    ) -> None:
        self._names = names
        self._classes = classes
        self.makers = makers or NothingMade()
        self._aliased = aliased
        self._known: dict[str, Annotation] = {}

    def annotation(self, text: str, *, keeping: Collection[str] = ()) -> Annotation:
        """The normal form of an annotation's source text; aliases of the names `keeping` stand for themselves."""
        if keeping:
            aliased = self._aliased
            kept = Scope(
                self._names,
                self._classes,
                self.makers,
                lambda name: aliased(name) if aliased and name.rpartition(".")[2] not in keeping else None,
            )
            return kept.annotation(text)
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._parsed(text, 0)
        return found

    def known(self, name: str) -> str | None:
        """What a name of the module stands for; None where it has none of that name."""
        return self._names.get(name)

    def resolve(self, dotted: str) -> str:
        """The canonical qualified name of a dotted name as written in the module."""
        return resolve(dotted, self._names)

    def _parsed(self, text: str, depth: int) -> Annotation:
        tree = parse_expression(text)
        # `[int]` alone is how some write a list, and `...` what they do not know; type checkers take both for no type.
        told = tree is not None and not isinstance(tree, ast.List)
        found = self._read(tree, depth + 1) if told and tree is not None else UNKNOWN
        return UNKNOWN if found == ELLIPSIS else found

    def _read(self, node: ast.expr, depth: int) -> Annotation:
        if depth > _DEEPEST:
            return UNKNOWN
        match node:
            case ast.Constant(value=None):
                return NONE
            case ast.Constant(value=str() as text):
                return self._parsed(text, depth)
            case ast.Constant(value=value) if value is ...:
                return ELLIPSIS
            case ast.Name() | ast.Attribute():
                return self._named(_dotted(node), ())
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return _union((self._read(left, depth + 1), self._read(right, depth + 1)))
            case ast.Subscript(value=value, slice=inner):
                return self._subscript(_dotted(value), inner, depth + 1)
            case ast.List(elts=items):
                return Annotation("[…]", tuple(self._read(item, depth + 1) for item in items))
            case ast.Tuple(elts=[]):
                return _EMPTY
            case ast.Starred(value=value):
                return self._named("typing.Unpack", (self._read(value, depth + 1),))
            case ast.Call(func=ast.Name(id="type"), args=[ast.Constant(value=None)]):
                return NONE
            case _:
                return UNKNOWN

    def _subscript(self, dotted: str, inner: ast.expr, depth: int) -> Annotation:
        name = self.resolve(dotted) if dotted else ""
        items = inner.elts if isinstance(inner, ast.Tuple) and inner.elts else [inner]
        if name == LITERAL:
            return self._literal(items)
        if name == "typing.Annotated":
            items = items[:1]
        return self._named(dotted, tuple(self._read(item, depth) for item in items))

    def _named(self, dotted: str, arguments: tuple[Annotation, ...]) -> Annotation:
        if not dotted:
            return UNKNOWN
        name = self.resolve(dotted)
        if name in TRANSPARENT:
            return arguments[0] if arguments else UNKNOWN
        if name in UNINFORMATIVE:
            return UNKNOWN
        if name in {"typing.Optional", "typing.Union"}:
            if not arguments:
                return UNKNOWN
            return _union((*arguments, NONE) if name == "typing.Optional" else arguments)
        if name == "None":
            return NONE
        certain = is_certain(name) or name in self._classes
        if not certain and (meant := self._meaning(name)) is not None:
            return meant
        return Annotation(name, _arguments(name, arguments), certain)

    def _meaning(self, name: str) -> Annotation | None:
        """What an alias stands for; where it takes arguments, these stay open."""
        text = OF_TYPESHED.get(name)
        if text is not None:
            return normalise(text, {})
        return self._aliased(name) if self._aliased is not None else None

    def _literal(self, items: Iterable[ast.expr]) -> Annotation:
        values: list[Annotation] = []
        for item in items:
            match item:
                case ast.Constant(value=None):
                    values.append(NONE)
                case ast.Constant(value=value):
                    values.append(Annotation(LITERAL, (Annotation(repr(value)),)))
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
                    values.append(Annotation(LITERAL, (Annotation(repr(-value)),)))
                case ast.Attribute():
                    member = Annotation(self.resolve(_dotted(item)), certain=False)
                    values.append(Annotation(LITERAL, (member,), certain=False))
                case _:
                    return UNKNOWN
        return _union(values)


def normalise(text: str, names: Mapping[str, str], classes: Collection[str] = ()) -> Annotation:
    """The normal form of an annotation's source text in a module whose names stand for these qualified names."""
    return Scope(names, classes).annotation(text)


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> ast.expr | None:
    """The syntax tree of one expression, or None where it is none or too large to bother.

    Of one text it is one tree, which nobody changes: projects say `None`, `str` and `False` thousands of times.
    """
    if len(text) > _LONGEST:
        return None
    try:
        return parse_quietly(f"(\n{text}\n)")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_type(node: ast.expr | None, *, marked: bool) -> bool:
    """Whether an expression has the form of a type; one that is not marked as an alias may be a value of that form."""
    match node:
        case ast.Name() | ast.Attribute():
            return True
        case ast.Subscript(value=ast.Name() | ast.Attribute()):
            return True
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return all(is_type(each, marked=True) for each in (left, right))
        case ast.Constant(value=value):
            return marked and (value is None or isinstance(value, str))
        case _:
            return False


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join((node.id, *reversed(parts)))


def _arguments(name: str, arguments: tuple[Annotation, ...]) -> tuple[Annotation, ...]:
    """The type arguments, without those that say no more than their absence would."""
    if name == "collections.abc.Generator" and len(arguments) == 1:
        arguments = (*arguments, NONE, NONE)
    elif name == "collections.abc.AsyncGenerator" and len(arguments) == 1:
        arguments = (*arguments, NONE)
    if name == "tuple":
        return () if arguments == (UNKNOWN, ELLIPSIS) else arguments
    if name == "collections.abc.Callable" and arguments == (ELLIPSIS, UNKNOWN):
        return ()
    return () if all(argument == UNKNOWN for argument in arguments) else arguments


def _union(parts: Iterable[Annotation]) -> Annotation:
    members = {member for part in parts for member in part.alternatives}
    if Annotation("object") in members:
        # Every value is an object, so that nothing else adds to it but what is not known.
        members &= {Annotation("object"), UNKNOWN}
    names = {member.name for member in members}
    literals = {value for member in members if member.name == LITERAL for value in member.arguments}
    if literals >= _TRUTH_VALUES:
        names.add("bool")
        members.add(Annotation("bool"))
    members = {
        member
        for member in members
        if member.name != LITERAL and names.isdisjoint(ABSORBERS.get(member.name, ()))
    }
    values = sorted(value for value in literals if not names & _types_of(value))
    if values:
        members.add(Annotation(LITERAL, tuple(values), all(value.certain for value in values)))
    kept = tuple(sorted(members))
    if len(kept) == 1:
        return kept[0]
    return Annotation("|", kept, all(member.certain for member in kept))


def _types_of(value: Annotation) -> set[str]:
    """The types that a literal's value has."""
    return {kind for kind, prefix in _PREFIXES if value.certain and value.name.startswith(prefix)}
