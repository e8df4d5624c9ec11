"""Follows routes, statuses and fields that the specs changed with the code: what tests request and expect."""

from __future__ import annotations

import ast
import http
import re
from collections.abc import Iterator

from healer.healers.failing import failing
from healer.healers.plan import Plan
from healer.movements import Cause, Movement
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

ANSWERS = frozenset({Cause.ROUTE_CHANGED, Cause.STATUS_CHANGED, Cause.FIELD_CHANGED})
_METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "request"})
_PARAMETER = re.compile(r"\{[^{}]*\}")


def answers(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which failing tests request and expect what is served now."""
    edits: list[Edit] = []
    tactics = {Cause.ROUTE_CHANGED: _routes, Cause.STATUS_CHANGED: _statuses, Cause.FIELD_CHANGED: _fields}
    for cause, tactic in tactics.items():
        # Code that makes its answers of plain dictionaries has no facts about their fields: the contract tells them.
        for movement in plan.of(cause) or plan.of(cause, side="spec"):
            made = [edit for function in failing(file, plan) for edit in tactic(file, function, movement)]
            if made:
                edits += made
                plan.follow(movement)
    return edits


def _routes(file: Meanings, function: ast.AST, movement: Movement) -> Iterator[Edit]:
    """Requests of a route go to the one that it is now; what fills its parameters stays."""
    old_method, old = _operation(movement.before or movement.subject)
    new_method, new = _operation(movement.after)
    if not old or not new:
        return
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        method = node.func.attr
        if method not in _METHODS or not node.args or (old_method and method != old_method.lower()):
            continue
        edits = list(_path(file, node.args[0], old, new))
        if edits or old == new:
            yield from edits
            if new_method and new_method != old_method and method != "request":
                end = file.source.end(node.func)
                yield Edit(end - len(method), end, new_method.lower())


def _path(file: Meanings, node: ast.expr, old: str, new: str) -> Iterator[Edit]:
    """The fixed parts of a path that differ, in a text or an f-string."""
    source = file.source
    if not isinstance(node, ast.Constant | ast.JoinedStr):
        return
    if isinstance(node, ast.Constant) and not isinstance(node.value, str):
        return
    before, after = old.split("/"), new.split("/")
    start, segment = source.start(node), source.segment(node)
    found = re.fullmatch(r"([fF]?[\"'])(/[^?\"'\s]*)(.*[\"'])", segment, re.DOTALL)
    if found is None or "\\" in segment:
        return
    parts = found[2].split("/")
    if len(parts) != len(before) or not all(map(_fits, before, parts)):
        return
    values = [part for want, part in zip(before, parts, strict=True) if _PARAMETER.search(want)]
    filled = [values.pop(0) if _PARAMETER.fullmatch(want) and values else want for want in after]
    if values or any(_PARAMETER.fullmatch(part) and part not in parts for part in filled):
        return  # a parameter came or went
    path = "/".join(filled)
    if path != found[2]:
        yield Edit(start + found.start(2), start + found.end(2), path)


def _fits(want: str, part: str) -> bool:
    return (bool(_PARAMETER.fullmatch(want)) and bool(part)) or want == part


def _statuses(file: Meanings, function: ast.AST, movement: Movement) -> Iterator[Edit]:
    """Comparisons of a status with what it was."""
    old, new = str(movement.before or ""), str(movement.after or "")
    if not (old.isdigit() and new.isdigit()):
        return
    for node in ast.walk(function):
        sides = _compared(node)
        if any("status" in ast.unparse(each).lower() for each in sides):
            for each in sides:
                word = _status(each, old, new)
                if word:
                    yield Edit(file.source.start(each), file.source.end(each), word)


def _status(node: ast.expr, old: str, new: str) -> str:
    """How a status is written that an expression says in the words of then; empty where it says another."""
    if isinstance(node, ast.Constant) and str(node.value) == old:
        return new if isinstance(node.value, int) else repr(new)
    text = ast.unparse(node)
    try:
        was, now = http.HTTPStatus(int(old)), http.HTTPStatus(int(new))
    except ValueError:
        return ""
    if text.endswith(f"HTTPStatus.{was.name}"):
        return text.replace(was.name, now.name)
    if text.endswith(f".HTTP_{old}_{was.name}"):
        return text.replace(f"HTTP_{old}_{was.name}", f"HTTP_{new}_{now.name}")
    return ""


def _fields(file: Meanings, function: ast.AST, movement: Movement) -> Iterator[Edit]:
    """Keys of what is sent and read that are called as the field was."""
    old, new = movement.before, movement.after
    if not (isinstance(old, str) and isinstance(new, str) and old.isidentifier() and new.isidentifier()):
        return
    if movement.subject.rpartition(".")[2] != old:
        return  # it is another type, not another name
    for node in ast.walk(function):
        keys: list[ast.expr | None] = []
        match node:
            case ast.Dict():
                keys = list(node.keys)
            case ast.Subscript():
                keys = [node.slice]
            case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[first, *_]):
                keys = [first]
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()]):
                keys = [left]
        for key in keys:
            if isinstance(key, ast.Constant) and key.value == old:
                edit = file.source.within_literal(key, old, new)
                yield from [edit] if edit is not None else []


def _compared(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Compare(left=left, comparators=comparators):
            return [left, *comparators]
        case ast.Call(func=ast.Attribute(attr="assertEqual"), args=[first, second, *_]):
            return [first, second]
    return []


def _operation(text: object) -> tuple[str, str]:
    """Method and path of `GET /books/{id}`; a path alone has no method."""
    words = str(text or "").split()
    if len(words) == 2:
        return words[0], words[1]
    return "", words[0] if len(words) == 1 and words[0].startswith("/") else ""
