"""Classes of routers that a project derives from the REST framework's: what they change of what these route."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from ingest.web.constants.constants import Missing, constant, elements, text_of
from ingest.web.constants.setting_objects import result_of
from ingest.web.constants.star_arguments import written_out
from ingest.web.django.patterns import Pattern, of_regex
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope

_ROUTES: Final = frozenset({"Route", "DynamicRoute"})
_CHANGING: Final = ("get_routes", "get_lookup_regex", "get_method_map", "get_default_basename")
_COPIES: Final = (External("copy.deepcopy"), External("copy.copy"), External("builtins.list"))
_HOLE: Final = re.compile(r"\{(prefix|lookup|url_path|trailing_slash)\}")
_SLASH: Final = "trailing_slash"
_SLASHES: Final[dict[str | bool, str]] = {"/": "/", "": "", "/?": "/"}
"""What a router ends its paths with; where the slash may be left out, a contract shows it."""
_CHOSEN: Final[dict[str | bool, str]] = {True: "/", False: ""}


class OwnRoute(msgspec.Struct, frozen=True):
    """A row of a router's `routes`: actions by method, or (`mapping` is None) those that `@action` makes."""

    url: str
    mapping: dict[str, str] | None
    detail: bool


_USUAL: Final = (
    OwnRoute("^{prefix}{trailing_slash}$", {"get": "list", "post": "create"}, False),
    OwnRoute("^{prefix}/{url_path}{trailing_slash}$", None, False),
    OwnRoute(
        "^{prefix}/{lookup}{trailing_slash}$",
        {"get": "retrieve", "put": "update", "patch": "partial_update", "delete": "destroy"},
        True,
    ),
    OwnRoute("^{prefix}/{lookup}/{url_path}{trailing_slash}$", None, True),
)
"""The rows of the framework's own routers."""


class OwnRouter(msgspec.Struct, frozen=True):
    """What a router's class changes. `known` tells that it routes what the framework's would, `whole` that it routes
    nothing else; `rows` stand for the framework's where the class has its own, `added` are lists of patterns that come
    beside. Where it `ends` paths itself, `slash` is what it ends them with, None if that is not known."""

    known: bool = True
    whole: bool = True
    ends: bool = False
    slash: str | None = None
    rows: tuple[OwnRoute, ...] = ()
    added: tuple[tuple[ast.expr, Scope], ...] = ()


def own_router(program: Program, target: Target | None) -> OwnRouter:
    """What the class of a router changes; nothing where it is the framework's own."""
    if not isinstance(target, ClassTarget):
        return OwnRouter()
    return program.remember(("router", target.node), lambda: _read(program, target))


def _read(program: Program, target: ClassTarget) -> OwnRouter:
    known, whole = True, not any(_method(program, target, name) for name in _CHANGING)
    register = _method(program, target, "register")
    if register is not None and not _hands_on(register):
        known = False
    added: list[tuple[ast.expr, Scope]] = []
    urls = _method(program, target, "get_urls")
    if urls is not None:
        beside = _beside(urls)
        known = known and _asks_above(urls, "get_urls")
        whole = whole and beside is not None
        added += beside or []
    rows: tuple[OwnRoute, ...] | None = ()
    written = program.class_member(target, "routes")
    if isinstance(written, FunctionTarget) or (isinstance(written, ValueTarget) and written.node is None):
        rows = None
    elif isinstance(written, ValueTarget):
        rows = _rows(program, written.node, written.scope)
    return OwnRouter(
        known and rows is not None, whole, *_slash(program, target), rows=rows or (), added=tuple(added)
    )


def _method(program: Program, target: ClassTarget, name: str) -> FunctionTarget | None:
    found = program.class_member(target, name)
    return found if isinstance(found, FunctionTarget) and isinstance(found.node, Function) else None


def _asks_above(method: FunctionTarget, name: str) -> bool:
    """Whether a method asks the classes above for what the method of this name gives."""
    return any(_is_above(part, name) for part in ast.walk(method.node))


def _is_above(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=asked)):
            return asked == name
    return False


def _hands_on(register: FunctionTarget) -> bool:
    """Whether a router's own `register` registers just what it is given, under the prefix that it is given."""
    assert isinstance(register.node, Function)
    taken = [node.arg for node, _ in parameters(register.node)][1:]
    for part in ast.walk(register.node):
        if isinstance(part, ast.Call) and _is_above(part, "register"):
            starred = any(isinstance(each, ast.Starred) for each in part.args)
            prefix, viewset = argument(part, 0, "prefix"), argument(part, 1, "viewset")
            names = [each.id for each in (prefix, viewset) if isinstance(each, ast.Name)]
            return (starred and not names) or (names == taken[:2] and not _binds(register.node, names))
    return False


def _binds(function: ast.FunctionDef | ast.AsyncFunctionDef, names: list[str]) -> bool:
    """Whether a function gives one of these names another value."""
    return any(
        isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id in names
        for part in ast.walk(function)
    )


def _beside(method: FunctionTarget) -> list[tuple[ast.expr, Scope]] | None:
    """The lists that `get_urls` adds to those of the classes above; None where it does more than that."""
    assert isinstance(method.node, Function)
    found: list[tuple[ast.expr, Scope]] = []
    named = ""
    for statement in method.node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_above(value, "get_urls"):
                named = name
            case ast.Assign(targets=[ast.Name(id=name)]) if name != named:
                pass
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if name == named:
                found.append((value, method.body))
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" | "insert" as verb),
                    args=[*_, value],
                )
            ) if name == named:
                listed = value if verb == "extend" else ast.List([value], ast.Load())
                found.append((ast.copy_location(listed, value), method.body))
            case ast.Return(value=ast.expr() as value):
                parts = list(_summed(value))
                above = [each for each in parts if _is_above(each, "get_urls") or _is_name(each, named)]
                if len(above) != 1:
                    return None
                found += [(each, method.body) for each in parts if each is not above[0]]
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                return None
    return found


def _summed(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            yield from _summed(left)
            yield from _summed(right)
        case ast.List(elts=[*elts]) if any(isinstance(each, ast.Starred) for each in elts):
            for each in elts:
                single = ast.copy_location(ast.List([each], ast.Load()), each)
                yield each.value if isinstance(each, ast.Starred) else single
        case _:
            yield node


def _is_name(node: ast.expr, name: str) -> bool:
    return bool(name) and isinstance(node, ast.Name) and node.id == name


def _slash(program: Program, target: ClassTarget) -> tuple[bool, str | None]:
    """Whether `__init__` of the class decides what paths end with, and what that is; None where it is not known."""
    made = _method(program, target, "__init__")
    for part in ast.walk(made.node) if made is not None else ():
        match part:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr="trailing_slash")]):
                given, texts = part.value, _SLASHES
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value="trailing_slash"))]):
                given, texts = part.value, _CHOSEN
            case ast.Call() if _is_above(part, "__init__") and (handed := argument(part, None, _SLASH)):
                given, texts = handed, _CHOSEN
            case _:
                continue
        assert made is not None
        value = constant(program, given, made.body)
        if isinstance(given, ast.Name) and isinstance(value, Missing):
            # What `__init__` is given, it hands on.
            continue
        return True, texts.get(value) if isinstance(value, str | bool) else None
    return False, None


def _rows(program: Program, node: ast.expr | None, scope: Scope) -> tuple[OwnRoute, ...] | None:
    """The rows of `routes`, with what the body of the class puts into them; None where one of them cannot be read."""
    found: list[OwnRoute] = []
    for part in _summed(node) if node is not None else ():
        if _is_usual(program, part, scope):
            found += _USUAL
            continue
        listed = elements(program, part, scope)
        rows = [_row(program, value, place) for value, place in listed or []]
        known = [row for row in rows if row is not None]
        if listed is None or len(known) < len(rows):
            return None
        found += known
    body = scope.node.body if isinstance(scope.node, ast.ClassDef) else []
    for statement in body:
        match statement:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(
                        attr="update",
                        value=ast.Attribute(
                            attr="mapping",
                            value=ast.Subscript(
                                value=ast.Name(id="routes"), slice=ast.Constant(value=int(number))
                            ),
                        ),
                    ),
                    args=[given],
                )
            ):
                more = constant(program, given, scope)
                if not isinstance(more, dict) or not 0 <= number < len(found):
                    return None
                row = found[number]
                mapping = {**(row.mapping or {}), **{str(k): str(v) for k, v in more.items()}}
                found[number] = replace(row, mapping=mapping)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="routes")))):
                return None
    return tuple(found) if found else None


def _is_usual(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether an expression is the framework's own rows, or a copy of them."""
    match node:
        case ast.Call(args=[copied]) if program.resolve(node.func, scope) in _COPIES:
            return _is_usual(program, copied, scope)
        case ast.Subscript(value=copied, slice=ast.Slice(lower=None, upper=None)):
            return _is_usual(program, copied, scope)
    target = program.resolve(node, scope)
    name = target.dotted if isinstance(target, External) else ""
    return name.startswith("rest_framework.routers.") and name.endswith("Router.routes")


def _row(program: Program, value: ast.expr, place: Scope) -> OwnRoute | None:
    made = program.resolve(value.func, place) if isinstance(value, ast.Call) else None
    if isinstance(value, ast.Call) and isinstance(made, FunctionTarget):
        given = result_of(made, value, place)
        value, place = given if given is not None else (value, place)
        made = program.resolve(value.func, place) if isinstance(value, ast.Call) else None
    if not isinstance(value, ast.Call) or not isinstance(made, External) or made.name not in _ROUTES:
        return None
    value, place = written_out(program, value, place)
    dynamic = made.name == "DynamicRoute"
    url = text_of(program, argument(value, 0, "url"), place)
    mapping = None if dynamic else constant(program, argument(value, 1, "mapping"), place)
    detail = constant(program, argument(value, 2 if dynamic else 3, "detail"), place)
    if url is None or not isinstance(detail, bool) or not (dynamic or isinstance(mapping, dict)):
        return None
    actions = {str(k): str(v) for k, v in mapping.items()} if isinstance(mapping, dict) else None
    return OwnRoute(url, actions, detail)


def filled(
    url: str, base: Pattern, lookup: Pattern, inner: Pattern, slash: str, prefixed: bool
) -> Pattern | None:
    """The path of a row of `routes` for one viewset; None where the row is more than a path."""
    if not prefixed:
        url = re.sub(r"^\^?\{prefix\}/?", "{prefix}", url)
    holes = {"prefix": base, "lookup": lookup, "url_path": inner, "trailing_slash": Pattern(slash)}
    whole = Pattern()
    for number, part in enumerate(_HOLE.split(url)):
        piece = holes[part] if number % 2 else of_regex(part)
        if piece is None:
            return None
        whole = whole.then(piece)
    return whole
