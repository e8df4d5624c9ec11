"""What the methods of a serializer make of its fields at run time, where that can be seen."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final, Literal, TypeAlias

import msgspec

from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import is_self
from ingest.web.syntax.walks import nodes_of

_UNREADABLE: Final = frozenset(
    {
        "build_field",
        "get_extra_kwargs",
        "__new__",
    }
)
Direction: TypeAlias = Literal["request", "response"]
_SHOWN: Final = frozenset({"queryset", "help_text", "label", "style", "error_messages", "initial"})
_COUNTS: Final = frozenset({"set", "frozenset", "list", "tuple", "sorted", "len", "iter"})
_LOOKS: Final = frozenset({"keys", "items", "values", "get", "pop"})


class Reshaping(msgspec.Struct, frozen=True):
    """The names in answers that a serializer sets, changes or takes away by hand, fields that it makes otherwise
    than it declares them, those that it takes away on a condition, the directions in which it makes all by hand, and
    whether it chooses by hand which fields of its model it has."""

    answered: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    open: frozenset[Direction] = frozenset()
    renamed: bool = False


def reshaping(node: ast.ClassDef) -> Reshaping | None:
    """What a class makes of its fields beside what it declares; None where that cannot be known.

    Fields that are only taken away for some requests count as being there.
    """
    found = _Found()
    for statement in node.body:
        if not isinstance(statement, Function):
            continue
        if statement.name in _UNREADABLE or not _read(statement, found):
            return None
    return Reshaping(
        frozenset(found.answered),
        frozenset(found.changed),
        frozenset(found.taken),
        frozenset(found.open),
        any(isinstance(each, Function) and each.name == "get_field_names" for each in node.body),
    )


class _Found(msgspec.Struct):
    answered: set[str] = msgspec.field(default_factory=set)
    changed: set[str] = msgspec.field(default_factory=set)
    taken: set[str] = msgspec.field(default_factory=set)
    open: set[Direction] = msgspec.field(default_factory=set)


def _read(function: Function, found: _Found) -> bool:
    """Notes what one method makes of the fields; tells whether that could be seen."""
    match function.name:
        case "__init__":
            found.taken |= _taken_away(function)
            return _keeps(function, _of_self, found.changed)
        case "get_fields":
            name = _inherited(function, "get_fields")
            return name is not None and _keeps(function, partial(_is_named, name=name), found.changed)
        case "to_internal_value" | "to_representation":
            # `self.fields["author"] = AuthorSerializer()` before the base's own method reads or writes.
            if not _keeps(function, _of_self, found.changed):
                return False
            answers = function.name == "to_representation"
            touched = set[str]() if _leaves_to_base(function) else _touched(function) if answers else None
            found.answered |= touched or set()
            if touched is None:
                found.open.add("response" if answers else "request")
        case "data":
            found.open.add("response")
    return True


def _taken_away(function: Function) -> set[str]:
    """The names of the fields that a method takes away: `self.fields.pop("old_password")`."""
    found: set[str] = set()
    for part in ast.walk(function):
        match part:
            case ast.Call(
                func=ast.Attribute(attr="pop", value=owner), args=[ast.Constant(value=str(name)), *_]
            ) if _of_self(owner):
                found.add(name)
            case ast.Delete(targets=[ast.Subscript(value=owner, slice=ast.Constant(value=str(name)))]) if (
                _of_self(owner)
            ):
                found.add(name)
    return found


def _keeps(function: Function, is_fields: Callable[[ast.AST], bool], changed: set[str]) -> bool:
    """Whether all that a function does to the fields is to look at them, to take some away on a condition, or to
    change some by name, which are added to those that are changed."""
    parents = {id(child): parent for parent in ast.walk(function) for child in ast.iter_child_nodes(parent)}
    own = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
    returned = False
    for statement in function.body:
        always = {id(part) for part in _unconditional(statement)} if not returned else frozenset()
        returned = returned or any(isinstance(part, ast.Return) for part in ast.walk(statement))
        for part in ast.walk(statement):
            if is_fields(part) and (name := _named_field(part, parents)):
                if _is_set(part, parents):
                    changed.add(name)
                continue
            if isinstance(part, ast.Attribute) and _changes(part, is_fields, own):
                return False
            if is_fields(part) and not _is_harmless(part, parents, id(part) in always):
                return False
    return True


def _named_field(part: ast.AST, parents: dict[int, ast.AST]) -> str:
    """The constant name by which one of the fields is looked at or set; empty where it is used otherwise."""
    match parents.get(id(part)):
        case ast.Subscript(slice=ast.Constant(value=str(name)), ctx=ast.Load() | ast.Store(), value=value):
            return name if value is part else ""
    return ""


def _is_set(part: ast.AST, parents: dict[int, ast.AST]) -> bool:
    """Whether a field that is named is replaced, or anything of it but what people are told and which rows it takes."""
    one = parents[id(part)]
    match parents.get(id(one)):
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return name not in _SHOWN
        case ast.Attribute(ctx=ast.Load()) | ast.Compare() | ast.Delete():
            return False
    return True


def _changes(part: ast.Attribute, is_fields: Callable[[ast.AST], bool], own: set[str]) -> bool:
    """Whether an attribute of something else than the serializer and what its method is given is set, or its `Meta` is
    looked at."""
    if part.attr in ("Meta", "exclude"):
        return True
    if isinstance(part.value, ast.Subscript) and is_fields(part.value.value):
        return isinstance(part.ctx, ast.Store) and not isinstance(part.value.slice, ast.Constant)
    return isinstance(part.ctx, ast.Store) and getattr(part.value, "id", "") not in own


def _is_harmless(part: ast.AST, parents: dict[int, ast.AST], always: bool) -> bool:
    match parents.get(id(part)):
        case ast.Attribute(attr=name):
            return name in _LOOKS and not (always and name == "pop")
        case ast.Subscript(ctx=ast.Del()):
            return not always
        case ast.Call(func=ast.Name(id=name)):
            return name in _COUNTS
        case ast.Assign(targets=targets):
            return isinstance(part, ast.Name) and part in targets
        case ast.For() | ast.comprehension() | ast.Compare() | ast.Return():
            return True
    return False


def _unconditional(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are reached in every run."""
    if not isinstance(statement, ast.If | ast.For | ast.While | ast.Try | ast.Match):
        yield from ast.walk(statement)


def _of_self(part: ast.AST) -> bool:
    return isinstance(part, ast.Attribute) and part.attr == "fields" and is_self(part.value)


def _is_named(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Name) and part.id == name


def _inherited(function: Function, method: str) -> str | None:
    """The variable that is given what the base's method of this name makes, and that is returned; None for others."""
    found = ""
    for part in ast.walk(function):
        match part:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(attr=called, value=ast.Call(func=ast.Name(id="super")))),
            ) if called == method:
                if found:
                    return None
                found = name
    given = [part.value for part in ast.walk(function) if isinstance(part, ast.Return)]
    return found if found and given and all(_is_named(value, found) for value in given if value) else None


def _leaves_to_base(function: Function) -> bool:
    """Whether a method gives in each case what the base's method makes of its argument: one that writes may change
    that before, one that reads does no more than set fields."""
    given = [part.value for part in nodes_of(function) if isinstance(part, ast.Return)]
    if not given or not all(_is_of_base(each, function) for each in given):
        return False
    return function.name == "to_representation" or all(
        (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        or (
            isinstance(each, ast.Assign)
            and isinstance(each.targets[0], ast.Subscript)
            and _of_self(each.targets[0].value)
        )
        for each in function.body[:-1]
    )


def _is_of_base(node: ast.expr | None, function: Function) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name, value=ast.Call(func=ast.Name(id="super"))), args=args):
            return name == function.name and all(isinstance(each, ast.Name) for each in args)
    return False


def _touched(function: Function) -> set[str] | None:
    """The names that a `to_representation` changes in what its base makes; None where it may do more."""
    name = _inherited(function, "to_representation")
    if name is None:
        return None
    parents = {id(child): parent for parent in ast.walk(function) for child in ast.iter_child_nodes(parent)}
    found: set[str] = set()
    for part in ast.walk(function):
        if not _is_named(part, name):
            continue
        around = parents[id(part)]
        key: Iterable[ast.expr] = ()
        match around:
            case ast.Return():
                continue
            case ast.Assign(targets=[ast.Name(id=target)]) if target == name:
                continue
            case ast.Subscript(ctx=ast.Load()):
                continue
            case ast.Subscript(slice=index):
                key = [index]
            case ast.Attribute(attr="get"):
                continue
            case ast.Attribute(attr="pop"):
                call = parents[id(around)]
                key = call.args[:1] if isinstance(call, ast.Call) else ()
        names = [each.value for each in key if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if not names:
            return None
        found.update(names)
    return found
