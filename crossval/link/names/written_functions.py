"""Functions that an expression makes under a name: `f = lambda a: …`, `g = partial(f, 1)`, `h = staticmethod(h)`."""

from __future__ import annotations

import ast

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.compare.decorators import unknown_decorator
from crossval.compare.parameters import (
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
)
from crossval.link.names.constructors import constructor
from crossval.link.names.found import Found, Presence
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from graph.compiled import compiled
from graph.facts import Fact, Json, Kind

_Row = list[Json]
_STARTS = ("lambda", "staticmethod", "classmethod")
_PARTIAL = frozenset({"functools.partial", "functools.partialmethod"})
_BINDINGS = frozenset({"staticmethod", "classmethod"})
_NAME = compiled(r"\w+(?:\.\w+)*")
_DOTTED = compiled(r"\w+(?:\.\w+)+")
_DEEPEST = 3
_BY_POSITION = frozenset({POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD})


def meant(found: Found, lookup: Lookup) -> Found:
    """What a name stands for, where its value is another name of the project; else what was found.

    A function that a class has under a name of its own is a method, and what a module has of a class is a function.
    """
    if any(fact.kind is not Kind.ATTRIBUTE for fact in found.facts):
        return found
    target = lookup.follow_alias(found)
    if target.module is None:
        return found
    if "." in found.local and "." not in target.local:
        facts = tuple(
            msgspec.structs.replace(fact, aspects={**fact.aspects, "kind": "method"})
            if fact.aspects.get("kind") == "function"
            else fact
            for fact in target.facts
        )
        return msgspec.structs.replace(target, facts=facts)
    if "." not in found.local and "." in target.local:
        return msgspec.structs.replace(target, facts=tuple(map(_taken_out, target.facts)))
    return target


def _taken_out(member: Fact) -> Fact:
    """A method as a module has it that takes it from a class: one of the class is bound, another takes its instance."""
    kind = member.aspects.get("kind")
    if member.kind is not Kind.FUNCTION or kind not in ("method", *_BINDINGS):
        return member
    rows = member.aspects["parameters"]
    aspects = {
        **member.aspects,
        "kind": "function",
        "decorators": [text for text in member.aspects["decorators"] if text not in _BINDINGS],
        "parameters": rows[1:] if kind == "classmethod" else rows,
    }
    return msgspec.structs.replace(member, aspects=aspects)


def promised(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """What a stub says of a name. That a function's name is bound again to nobody knows what takes nothing back:
    for `f = classmethod(f)` generators of stubs write `def f(cls): ...` and `f: Incomplete`."""
    match facts:
        case [*functions, attribute] if functions and attribute.kind is Kind.ATTRIBUTE:
            open_ = str(attribute.aspects.get("annotation", "")).rpartition(".")[2] == "Incomplete"
            if open_ and all(each.kind is Kind.FUNCTION for each in functions):
                return tuple(functions)
    return facts


def as_function(found: Found, lookup: Lookup) -> Found:
    """What was found, where an expression surely makes a function of it, as that function; else as it is.

    A function whose name is bound again to what a call makes of it counts as decorated by that.
    """
    if found.module is None or any(fact.aspects.get("guard") for fact in found.facts):
        return found
    match found.facts:
        case [attribute]:
            function = _Maker(lookup).of_attribute(attribute, found.module, found.local)
        case [first, attribute] if first.kind is Kind.FUNCTION and first.source.line < attribute.source.line:
            function = _decorated(first, attribute)
        case _:
            function = None
    return found if function is None else msgspec.structs.replace(found, facts=(function,))


def _decorated(function: Fact, attribute: Fact) -> Fact | None:
    """The function with the decorator that a later assignment applies to it: `f = deprecated(f)`."""
    text = attribute.aspects.get("value")
    tree = parse_expression(text) if attribute.kind is Kind.ATTRIBUTE and isinstance(text, str) else None
    match tree:
        case ast.Call(func=func, args=[ast.Name(id=name)], keywords=[]) if name == function.name:
            decorator = ast.unparse(func)
        case _:
            return None
    decorators = [decorator, *function.aspects.get("decorators", [])]
    kind = decorator if decorator in _BINDINGS | {"property"} else function.aspects.get("kind")
    return msgspec.structs.replace(
        function, aspects={**function.aspects, "kind": kind, "decorators": decorators}
    )


class _Maker:
    """Reads expressions that make functions, in a module or in the body of one of its classes."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    def of_attribute(self, attribute: Fact, module: Module, local: str) -> Fact | None:
        """The function that an attribute surely holds."""
        text = attribute.aspects.get("value")
        if attribute.kind is not Kind.ATTRIBUTE or not isinstance(text, str):
            return None
        if attribute.aspects.get("instance") or attribute.aspects.get("annotation"):
            return None
        if "." not in local and _DOTTED.fullmatch(text):
            aspects = self.bound(text, module)
        else:
            tree = parse_expression(text) if _may_make(text, module) else None
            aspects = None if tree is None else self._made(tree, module, local.rpartition(".")[0], 0)
        if aspects is None:
            return None
        line = attribute.source.line
        rows = [[*row[:4], line] for row in aspects["parameters"]]
        return msgspec.structs.replace(attribute, kind=Kind.FUNCTION, aspects={**aspects, "parameters": rows})

    def _made(self, node: ast.expr, module: Module, owner: str, depth: int) -> dict[str, Json] | None:
        """The aspects of the function that an expression gives; None where that is not known."""
        if depth > _DEEPEST:
            return None
        match node:
            case ast.Lambda(args=arguments):
                kind = "method" if owner else "function"
                return {"kind": kind, "async": False, "parameters": _rows(arguments), "decorators": []}
            case ast.Name() | ast.Attribute():
                return self._named(ast.unparse(node), module, owner)
            case ast.Call(func=ast.Name(id=binding), args=[inner], keywords=[]) if binding in _BINDINGS:
                made = self._made(inner, module, owner, depth + 1) if owner else None
                if made is None or made["kind"] not in ("method", "function"):
                    return None
                return {**made, "kind": binding, "decorators": [binding, *made["decorators"]]}
            case ast.Call(func=func, args=[inner, *given], keywords=keywords):
                name = module.scope.resolve(ast.unparse(func))
                decorator = not given and not keywords and name in module.scope.makers
                if not decorator and (
                    name not in _PARTIAL or (name == "functools.partialmethod") != bool(owner)
                ):
                    return None
                made = self._made(inner, module, owner, depth + 1)
                if made is None or decorator:
                    return made and {**made, "decorators": [ast.unparse(func), *made["decorators"]]}
                return _partial(made, given, keywords, bound=bool(owner))
            case _:
                return None

    def _named(self, name: str, module: Module, owner: str) -> dict[str, Json] | None:
        """The aspects of the only function that a name means, which no decorator has changed, or of what constructs the
        class that it means."""
        sibling = f"{owner}.{name}" if owner else ""
        place: tuple[Module, str] | None = (module, sibling)
        if sibling not in module.definitions:
            place = self._lookup.constant(module, name)
        facts = place[0].definitions.get(place[1], ()) if place is not None else ()
        if place is None or len(facts) != 1 or facts[0].aspects.get("guard"):
            return None
        if facts[0].kind is Kind.CLASS and not owner:
            return self._constructing(Found(Presence.PRESENT, facts, *place), module)
        aspects = facts[0].aspects
        known = place[0] is module and unknown_decorator(facts[0], module.scope) is None
        if facts[0].kind is not Kind.FUNCTION or aspects.get("kind") not in ("function", "method"):
            return None
        if aspects.get("decorators") and not known:
            return None
        return {key: aspects[key] for key in ("kind", "async", "parameters", "decorators")}

    def _constructing(self, class_: Found, module: Module) -> dict[str, Json] | None:
        """The aspects of a function that takes what a class's constructor takes; None where that is not known."""
        assert class_.module is not None, "the class lies in the project"
        lineage = self._lookup.lineage(class_.module, class_.local)
        made = constructor(self._lookup, class_)
        own_new = any(f"{local}.__new__" in owner.definitions for owner, local in lineage.classes)
        if made is None or own_new or lineage.unknown or made.fact.aspects.get("decorators"):
            return None
        rows = made.fact.aspects["parameters"][1:]
        if made.module is not module:
            rows = [[*row[:2], None, *row[3:]] for row in rows]
        return {"kind": "function", "async": False, "parameters": rows, "decorators": []}

    def bound(self, text: str, module: Module) -> dict[str, Json] | None:
        """The aspects of the method that an instance at the top of a module has: `encode = _encoder.encode`.

        None where it is not known which class of the project the instance surely belongs to.
        """
        holder, _, name = text.rpartition(".")
        place = self._lookup.constant(module, holder)
        facts = place[0].definitions.get(place[1], ()) if place is not None else ()
        value = facts[0].aspects.get("value") if len(facts) == 1 else None
        if place is None or not isinstance(value, str) or facts[0].aspects.get("guard"):
            return None
        tree = parse_expression(value)
        if facts[0].kind is not Kind.ATTRIBUTE or not isinstance(tree, ast.Call):
            return None
        class_ = self._lookup.base(place[0], ast.unparse(tree.func))
        if not isinstance(class_, tuple):
            return None
        lineage = self._lookup.lineage(*class_)
        # What a class defines itself comes before all that a base from outside may have.
        own = f"{class_[1]}.{name}" in class_[0].definitions and bool(lineage.outside)
        if (lineage.unknown and not own) or any(
            f"{local}.__new__" in owner.definitions for owner, local in lineage.classes
        ):
            return None
        found = self._lookup.find(class_[0], f"{class_[1]}.{name}")
        method = found.facts[0] if found.module is not None and len(found.facts) == 1 else None
        if method is None or method.kind is not Kind.FUNCTION or method.aspects.get("guard"):
            return None
        if method.aspects.get("decorators") or method.aspects.get("kind") != "method":
            return None
        # What another module writes is read in that module's scope, not in this one's.
        rows = [
            row if found.module is module else [*row[:2], None, *row[3:]]
            for row in method.aspects["parameters"]
        ]
        aspects = {key: method.aspects[key] for key in ("async", "decorators")}
        return {**aspects, "kind": "function", "parameters": rows[1:]}


def _may_make(text: str, module: Module) -> bool:
    head, opened, _ = text.partition("(")
    if text.startswith(_STARTS) or "partial" in head:
        return True
    return (
        bool(opened)
        and _NAME.fullmatch(head) is not None
        and module.scope.resolve(head) in module.scope.makers
    )


def _rows(arguments: ast.arguments) -> list[_Row]:
    """The parameters of a lambda as readers tell them, without lines."""
    listed = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(listed) - len(arguments.defaults))
    defaults += arguments.defaults
    rows = []
    for index, (argument, default) in enumerate(zip(listed, defaults, strict=True)):
        kind = POSITIONAL_ONLY if index < len(arguments.posonlyargs) else POSITIONAL_OR_KEYWORD
        rows.append(_row(argument, kind, default))
    if arguments.vararg is not None:
        rows.append(_row(arguments.vararg, VAR_POSITIONAL, None))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        rows.append(_row(argument, KEYWORD_ONLY, default))
    if arguments.kwarg is not None:
        rows.append(_row(arguments.kwarg, VAR_KEYWORD, None))
    return rows


def _row(argument: ast.arg, kind: str, default: ast.expr | None) -> _Row:
    return [argument.arg, kind, None, None if default is None else ast.unparse(default), 0]


def _partial(
    function: dict[str, Json], given: list[ast.expr], keywords: list[ast.keyword], *, bound: bool
) -> dict[str, Json] | None:
    """A function some of whose arguments are given already; None where not all of them can be told apart."""
    values = {word.arg: ast.unparse(word.value) for word in keywords}
    if None in values or any(isinstance(each, ast.Starred) for each in given):
        return None
    rows: list[_Row] = list(function["parameters"])
    head, rest = (rows[:1], rows[1:]) if bound else ([], rows)
    positional = [row for row in rest if row[1] in _BY_POSITION]
    if len(given) > len(positional) and not any(row[1] == VAR_POSITIONAL for row in rest):
        return None
    kept: list[_Row] = []
    by_name = False
    for row in rest[min(len(given), len(positional)) :]:
        name, kind = row[0], row[1]
        if name in values and kind == POSITIONAL_ONLY:
            return None
        by_name = by_name or (name in values and kind == POSITIONAL_OR_KEYWORD)
        if by_name and kind == VAR_POSITIONAL:
            continue
        changed = KEYWORD_ONLY if by_name and kind == POSITIONAL_OR_KEYWORD else kind
        kept.append([name, changed, row[2], values.pop(name, row[3]), row[4]])
    if values and not any(row[1] == VAR_KEYWORD for row in rest):
        return None
    return {**function, "parameters": [*head, *kept]}
