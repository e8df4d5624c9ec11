"""The members of enumerations, written as classes or made by calls, with their values.

What a value is worth is read by the caller's `Read`; anything but a JSON value means that it cannot be known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeAlias

from graph.facts import Json
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope

Read: TypeAlias = Callable[[ast.expr, Scope], object]
_JSON = (str, int, float, list, dict, type(None))
_CHOICES = frozenset({"Choices", "TextChoices", "IntegerChoices"})
_OPTIONS = frozenset({"value", "names", "type", "module", "qualname"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_CASES = {"lower": str.lower, "upper": str.upper}


def is_enum(program: Program, target: Target | None) -> bool:
    """Whether this is a class of enumerated values."""
    return program.is_a(target, {"enum"}, _ENUMS) or _is_choices(program, target)


def _is_choices(program: Program, target: Target | None) -> bool:
    """Whether this is an enumeration of Django's, whose members are written as values with their labels."""
    return program.is_a(target, {"django"}, _CHOICES)


def members_of_class(program: Program, target: ClassTarget, read: Read) -> dict[str, Json] | None:
    """The members that a class body writes, with their values; None where one of them cannot be known."""
    members: dict[str, Json] = {}
    made = _function(program.class_member(target, "__new__"))
    position = _value_position(made) if made is not None else None
    if made is not None and position is None:
        return None
    last = 0
    labelled = _is_choices(program, target)
    for name, node in _written(target.node):
        if labelled and isinstance(node, ast.Tuple) and len(node.elts) == 2:
            node = node.elts[0]
        if isinstance(node, ast.Call) and program.resolve(node.func, target.body) == External("enum.auto"):
            value = _automatic(program, target, name, last)
        else:
            value = read(node, target.body)
        if position is not None:
            values = value if isinstance(value, list) else [value]
            value = values[position] if position < len(values) else ...
        if not isinstance(value, _JSON):
            return None
        last = value if isinstance(value, int) else last
        as_text = isinstance(value, int) and program.is_a(target, {"builtins"}, {"str"})
        members[name] = str(value) if as_text else value
    return members


def members_of_call(
    program: Program, node: ast.expr | None, scope: Scope, read: Read
) -> dict[str, Json] | None:
    """The members of an enum that is made by a call, `Enum("Color", "RED GREEN")`; None where they are not known."""
    if not isinstance(node, ast.Call):
        return None
    made = program.resolve(node.func, scope)
    options = {keyword.arg: keyword.value for keyword in node.keywords}
    names = node.args[1] if len(node.args) > 1 else options.get("names")
    if names is None or not is_enum(program, made) or not options.keys() <= _OPTIONS:
        return None
    if isinstance(made, ClassTarget) and (members_of_class(program, made, read) or _generates(program, made)):
        return None
    members = _listed(read(names, scope), program.is_a(made, {"enum"}, {"StrEnum"}))
    mixed = options.get("type")
    texts = isinstance(mixed, ast.Name) and mixed.id == "str"
    if members is not None and (texts or program.is_a(made, {"builtins"}, {"str"})):
        return {name: str(value) for name, value in members.items()}
    return members


def _listed(written: object, as_text: bool) -> dict[str, Json] | None:
    """The members that a text of names, a list of names or pairs, or a dictionary stands for."""
    if isinstance(written, dict):
        return written
    names = written.replace(",", " ").split() if isinstance(written, str) else written
    members: dict[str, Json] = {}
    for number, each in enumerate(names if isinstance(names, list) else (), 1):
        pair = each if isinstance(each, list) else [each, str(each).lower() if as_text else number]
        if len(pair) != 2 or not isinstance(pair[0], str):
            return None
        members[pair[0]] = pair[1]
    return members or None


def _automatic(program: Program, target: ClassTarget, name: str, last: int) -> object:
    """The value of `auto()`; no JSON value where it cannot be known."""
    own = _function(program.class_member(target, "_generate_next_value_"))
    if own is not None:
        text = _generated(own, name)
        return ... if text is None else text
    if program.is_a(target, {"enum"}, {"StrEnum"}):
        return name.lower()
    if program.is_a(target, {"django"}, {"TextChoices"}):
        return name
    return last + 1


def _generates(program: Program, target: ClassTarget) -> bool:
    """Whether a class makes its members' values by itself."""
    own = ("__new__", "_generate_next_value_")
    return any(_function(program.class_member(target, name)) is not None for name in own)


def _function(target: Target | None) -> Function | None:
    known = isinstance(target, FunctionTarget) and isinstance(target.node, Function)
    return target.node if known else None  # type: ignore[union-attr, return-value]  # known says what it is


def _written(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Each member's name with the expression of its value, in source order."""
    left_out: set[str] = set()
    for statement in node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        value = getattr(statement, "value", None)
        if not targets or value is None:
            continue
        for target in targets:
            for name, inner in _unpacked(target, value):
                if name == "_ignore_":
                    left_out.update(_words(inner))
                elif not _is_reserved(name) and name not in left_out and not _is_no_member(inner):
                    yield name, _bare(inner)


def _value_position(made: Function) -> int | None:
    """Which of a member's written values becomes its value, where the enumeration's own `__new__` says so plainly."""
    names = [argument.arg for argument, _ in parameters(made)][1:]
    for part in ast.walk(made):
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Name):
            target = part.targets[0]
            if isinstance(target, ast.Attribute) and target.attr == "_value_" and part.value.id in names:
                return names.index(part.value.id)
    return None


def _generated(made: Function, name: str) -> str | None:
    """What the enumeration's own `_generate_next_value_` makes of a name: the name, in one case or as it is."""
    first = next((argument.arg for argument, _ in parameters(made)), "")
    statements = [s for s in made.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if len(statements) != 1 or not isinstance(statements[0], ast.Return):
        return None
    match statements[0].value:
        case ast.Name(id=word) if word == first:
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=word), attr=case), args=[]) if word == first:
            return _CASES[case](name) if case in _CASES else None
    return None


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for inner, part in zip(target.elts, value.elts, strict=False):
            yield from _unpacked(inner, part)


def _is_reserved(name: str) -> bool:
    """Whether Python keeps a name from being a member: `__private`, `__dunder__` and `_sunder_`; `_0` is one."""
    return name.startswith("__") or (len(name) > 2 and name[0] == name[-1] == "_")


def _words(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return [word for text in texts for word in text.replace(",", " ").split()]


def _is_no_member(node: ast.expr) -> bool:
    """Functions and what is marked as `nonmember` are attributes of the class, not members."""
    return isinstance(node, ast.Lambda) or _called(node) == "nonmember"


def _bare(node: ast.expr) -> ast.expr:
    return node.args[0] if isinstance(node, ast.Call) and node.args and _called(node) == "member" else node


def _called(node: ast.expr) -> str:
    """The last part of the name that an expression calls, else an empty string."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
