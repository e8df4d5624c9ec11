"""The calls that docstrings and pages show of the functions and classes of a project, with all that they are given."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from engine.generators.functions.calls import EITHER, POSITIONAL_ONLY, VAR_KEYWORD, Parameter
from engine.generators.functions.doctests_outside import looked_at
from engine.generators.functions.doctests_refused import changing, prints
from engine.generators.functions.facts import Surface
from engine.generators.functions.needed_steps import TRACEBACK
from graph.facts import Fact, Kind
from graph.literals import NO_LITERAL, literal_value
from planner.functions.drawn_values import words_of

# What is only on the disk or in the network of who wrote the example.
_ELSEWHERE = re.compile(r"(?:[~.]?[/\\]|[A-Za-z]:\\)\S*|[\w./\\-]+\.[a-z][a-z0-9]{1,4}")
# A file below a folder, whatever it is called, for what reads one.
_BELOW_A_FOLDER = re.compile(r"(?:[A-Za-z][\w.-]*/)+[\w.-]+")
_READING = frozenset({"reader", "read", "open", "load", "loader", "file"})
_ASKING = frozenset({"client", "session", "connection", "connect", "server", "socket", "api"})
_ADDRESS = re.compile(r"\w+://|localhost|\d+\.\d+\.\d+\.\d+")
_DEPTH = 4
# What puts a thing that it is given into others, so that nobody shows by it that the thing cannot be made.
_PUTTING = frozenset({"append", "add", "insert", "extend", "push", "put", "setdefault", "update"})
# A text behind a name that is longer would fill a test.
_LONG = 200
# What was read of a project, for as long as somebody asks about it.
_KNOWN: WeakKeyDictionary[Surface, dict[str, list[ast.Call]]] = WeakKeyDictionary()


def shown_calls(fact: Fact, surface: Surface) -> list[ast.Call]:
    """The shown calls of a function, or those that make an object of a class, in which everything given is a literal,
    or the name of one that stands above.

    None of what is shown to raise, and none of a statement of which nothing is made and no result is told, as it may
    be there to show that it fails.
    """
    return _calls(surface).get(fact.unnumbered, [])


def shown_arguments(fact: Fact, surface: Surface, parameters: Sequence[Parameter]) -> dict[str, str]:
    """What the first shown call gives that gives all that has to be given, and nothing else; empty where none does."""
    wanted = {each.name for each in parameters if each.required}
    for call in shown_calls(fact, surface) if wanted else ():
        given = bound_arguments(call, parameters)
        if given is not None and set(given) == wanted:
            return given
    return {}


def bound_arguments(call: ast.Call, parameters: Sequence[Parameter]) -> dict[str, str] | None:
    """What a call gives by the names of the parameters; None where some of it has no place of its own."""
    places = [each.name for each in parameters if each.kind in (POSITIONAL_ONLY, EITHER)]
    names = {each.name for each in parameters if each.kind not in (POSITIONAL_ONLY, VAR_KEYWORD)}
    if len(call.args) > len(places) or any(each.arg not in names for each in call.keywords):
        return None
    pairs = [*zip(places, call.args, strict=False), *((str(each.arg), each.value) for each in call.keywords)]
    return {name: ast.unparse(node) for name, node in pairs}


def _calls(surface: Surface) -> dict[str, list[ast.Call]]:
    """All shown calls of a project by the qualified names of what is called, no two of which give the same."""
    if surface not in _KNOWN:
        found: dict[str, dict[str, ast.Call]] = {}
        for key, call in _read(surface):
            given = ast.unparse(ast.Call(ast.Name(""), call.args, call.keywords))
            found.setdefault(key, {}).setdefault(given, call)
        _KNOWN[surface] = {key: list(calls.values()) for key, calls in found.items()}
    return _KNOWN[surface]


def _read(surface: Surface) -> Iterator[tuple[str, ast.Call]]:
    """The calls of all docstrings and pages, with the qualified names of what is called."""
    for fact in surface.facts.values():
        doc = fact.aspects.get("doc")
        for rows in (doc.get("examples", ()), doc.get("shown", ())) if isinstance(doc, dict) else ():
            reading = _Reading(fact, surface)
            for source, expected, _ in rows:
                yield from reading.calls(str(source), str(expected))


class _Reading:
    """Goes through the statements of one text, and knows what their names stand for."""

    def __init__(self, fact: Fact, surface: Surface) -> None:
        self._surface = surface
        self._module = "" if fact.kind is Kind.PAGE else surface.module(fact)
        self._names: dict[str, str] = {}
        self._objects: dict[str, str] = {}
        self._hidden: set[str] = set()
        self._literals: dict[str, ast.expr] = {}

    def calls(self, source: str, expected: str) -> Iterator[tuple[str, ast.Call]]:
        """The calls of one statement with the qualified names of what they call."""
        try:
            tree = ast.parse(textwrap.dedent(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        is_told = bool(expected) and not TRACEBACK.match(expected)
        is_usable = not expected.startswith("Traceback") and not changing(source) and not looked_at(tree)
        for node in tree.body:
            value = self._value(node, is_told)
            for each in ast.walk(value) if value is not None and is_usable else ():
                if not isinstance(each, ast.Call) or not _is_plain(each := self._told(each)):
                    continue
                known = self._known(each.func)
                if known is not None and not _is_elsewhere(each, known.name):
                    yield known.unnumbered, each
            self._take(node)

    def _value(self, node: ast.stmt, is_told: bool) -> ast.expr | None:
        match node:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                return value
            case ast.Expr(value=value) if is_told or prints(ast.Module([node], [])):
                return value
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=args)) if name in _PUTTING:
                return ast.Tuple(args)
            case ast.For(iter=value) | ast.With(items=[ast.withitem(context_expr=value)]):
                return value
        return None

    def _told(self, call: ast.Call) -> ast.Call:
        """A call with the literals that its names stand for."""
        named = [
            each.id
            for each in (*call.args, *(one.value for one in call.keywords))
            if isinstance(each, ast.Name)
        ]
        if not any(name in self._literals for name in named):
            return call
        args = [self._behind(each) for each in call.args]
        return ast.Call(
            call.func, args, [ast.keyword(each.arg, self._behind(each.value)) for each in call.keywords]
        )

    def _behind(self, given: ast.expr) -> ast.expr:
        return self._literals.get(given.id, given) if isinstance(given, ast.Name) else given

    def _take(self, node: ast.stmt) -> None:
        """What a statement makes its names stand for."""
        match node:
            case ast.Import(names=listed):
                for each in listed:
                    first = each.name.partition(".")[0]
                    self._names[each.asname or first] = each.name if each.asname else first
            case ast.ImportFrom(module=str() as module, names=listed, level=0):
                for each in listed:
                    self._names[each.asname or each.name] = f"{module}.{each.name}"
                    if each.name == "*":
                        self._module = module
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)) if (
                known := self._known(func)
            ) is not None and known.kind is Kind.CLASS:
                self._objects[name] = known.key
                self._names.pop(name, None)
                self._literals.pop(name, None)
            case _:
                made = {
                    each.id
                    for each in ast.walk(node)
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
                }
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    made.add(node.name)
                self._hidden |= made
                self._names = {name: key for name, key in self._names.items() if name not in made}
                self._objects = {name: key for name, key in self._objects.items() if name not in made}
                self._literals = {name: value for name, value in self._literals.items() if name not in made}
                if (named := _named_literal(node)) is not None:
                    self._literals[named[0]] = named[1]

    def _known(self, func: ast.expr) -> Fact | None:
        """The function or class of the project that is called."""
        name = ast.unparse(func) if isinstance(func, ast.Name | ast.Attribute) else ""
        first, dot, rest = name.partition(".")
        if not first.isidentifier() or (first in self._hidden and first not in self._names):
            return None
        if first in self._objects:
            return self._method(f"{self._objects[first]}{dot}{rest}") if rest else None
        start = self._names.get(first) or (self._module and f"{self._module}.{first}")
        fact = self._at(f"{start}{dot}{rest}") if start else None
        return fact if fact is not None and fact.kind in (Kind.FUNCTION, Kind.CLASS) else None

    def _method(self, key: str) -> Fact | None:
        """A method of an object, which is called on it."""
        fact = self._at(key)
        return fact if fact is not None and fact.kind is Kind.FUNCTION else None

    def _at(self, key: str, depth: int = _DEPTH) -> Fact | None:
        """What a qualified name is, also where a module has it from another one."""
        holder, _, last = key.rpartition(".")
        if (fact := self._surface.at(key)) is not None or not holder or not depth:
            return fact
        target = self._surface.resolved(last, holder)
        if target not in (last, key):
            return self._at(target, depth - 1)
        base = self._at(holder, depth - 1)
        return self._surface.at(f"{base.key}.{last}") if base is not None and base.key != holder else None


def _named_literal(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name and the literal of a statement that gives one a name and that nothing below can change."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
            not isinstance(value, ast.List | ast.Dict | ast.Set)
            and literal_value(value) is not NO_LITERAL
            and len(ast.unparse(value)) <= _LONG
        ):
            return name, value
    return None


def _is_plain(call: ast.Call) -> bool:
    """Whether everything that a call gives is a literal, each by its place or name."""
    given = [*call.args, *(each.value for each in call.keywords)]
    return all(each.arg for each in call.keywords) and not any(literal_value(e) is NO_LITERAL for e in given)


def _is_elsewhere(call: ast.Call, name: str) -> bool:
    """Whether a call may look for something that its writer has: a file by its name, or an address that it asks."""
    asks, reads = (bool(set(words_of(name)) & words) for words in (_ASKING, _READING))
    texts = [each.value for each in ast.walk(call) if isinstance(each, ast.Constant)]
    return any(
        _ELSEWHERE.fullmatch(each) is not None
        or ((asks or reads) and _ADDRESS.search(each) is not None)
        or (reads and _BELOW_A_FOLDER.fullmatch(each) is not None)
        for each in texts
        if isinstance(each, str)
    )
