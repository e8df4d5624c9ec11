"""Loops over tables that stand in the source, one round after the other."""

from __future__ import annotations

import ast
from functools import partial

from ingest.web.constants.constants import elements, entries
from ingest.web.constants.gathered import named
from ingest.web.constants.possible import possible_elements
from ingest.web.constants.table_rules import of_own_class
from ingest.web.program.entry_points import with_loaded
from ingest.web.program.program import Program
from ingest.web.program.targets import Target
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.symbol_table import Loop
from ingest.web.values.django_applications import listed_applications
from ingest.web.values.imported_names import found_modules, listed_members, listed_modules, with_imports

_MOST = 200


def rounds(program: Program, call: ast.Call, scope: Scope) -> list[Scope]:
    """The scope as each round of the loops around a call sees it; the scope alone where they cannot be followed."""
    found = [scope]
    for loop in scope.loops(call):
        unrolled: list[Scope] = []
        for outer in found:
            table = _table(program, loop, outer)
            if table is None or len(unrolled) + len(table) > _MOST:
                return [scope]
            told = [outer.round(given, doubtful=not certain) for given, certain in table]
            unrolled += [with_imports(with_loaded(program, each, loop), loop) for each in told]
        found = unrolled
    return found


def _table(program: Program, loop: Loop, scope: Scope) -> list[tuple[dict[str, Target], bool]] | None:
    """What the names of a loop stand for, round by round, each with whether it certainly is one."""
    modules = listed_modules(program, loop, scope)
    if modules is None:
        modules = listed_applications(program, loop, scope)
    modules = listed_members(program, loop, scope) if modules is None else modules
    if modules is not None:
        return [(given, True) for given in modules]
    if (columns := _columns(loop)) is not None:
        rows = _side_by_side(program, columns, scope)
        return [(given, True) for given in rows] if rows is not None else None
    listed, around = of_own_class(program, loop.iter, scope) or (loop.iter, scope)
    if (held := possible_elements(program, listed, around)) is not None:
        told = [(_given(program, loop.target, node, place, True), sure) for node, place, sure in held]
        known = [(given, sure) for given, sure in told if given is not None]
        return known if len(known) == len(told) else None
    rows = _rows(program, loop.target, loop.iter, scope)
    if rows is None:
        found = found_modules(program, loop, scope)
        return [(given, False) for given in found] if found is not None else None
    return [(given, True) for given in rows]


def _columns(loop: Loop) -> list[tuple[ast.expr, ast.expr]] | None:
    """The names of a loop over `zip(…)` or `enumerate(…)`, each with what it goes through; None of any other loop."""
    match loop.target, loop.iter:
        case ast.Tuple(elts=[_, name]), ast.Call(func=ast.Name(id="enumerate"), args=[listed, *_]):
            return [(name, listed)]
        case ast.Tuple(elts=names), ast.Call(func=ast.Name(id="zip"), args=lists) if len(names) == len(lists):
            return list(zip(names, lists, strict=True))
    return None


def _side_by_side(
    program: Program, columns: list[tuple[ast.expr, ast.expr]], scope: Scope
) -> list[dict[str, Target]] | None:
    """What the names of several lists stand for that are gone through together, as far as the shortest reaches."""
    told = [_rows(program, name, listed, scope, everything=True) for name, listed in columns]
    known = [rows for rows in told if rows is not None]
    if len(known) < len(told):
        return None
    return [{name: each for row in rows for name, each in row.items()} for rows in zip(*known, strict=False)]


def seen_in_rounds(
    program: Program, target: ast.expr, iterable: ast.expr, scope: Scope
) -> list[Scope] | None:
    """A function's scope as each round of a loop over a table sees it, with all else that is bound there.

    None stands for a loop over something that does not stand in the source.
    """
    table = _rows(program, target, iterable, scope, everything=True)
    if table is None or len(table) > _MOST:
        return None
    found = []
    for given in table:
        inner = scope.round(given)
        inner.bindings.update({name: each for name, each in scope.bindings.items() if name not in given})
        found.append(inner)
    return found


def _rows(
    program: Program, target: ast.expr, iterable: ast.expr, scope: Scope, everything: bool = False
) -> list[dict[str, Target]] | None:
    """What a loop's names stand for, row by row; of `everything` also what is no name, such as a tuple of types."""
    table = _itemised(iterable)
    own = of_own_class(program, table or iterable, scope) if everything else None
    if own is not None:
        # `self.FIELDS` is what the class around says.
        iterable, scope = own
        table = iterable if table is not None else None
    if table is not None and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        pairs = entries(program, table, scope)
        if pairs is None:
            return None
        rows = [
            _joined(
                _given(program, target.elts[0], key, place, everything),
                _given(program, target.elts[1], value, place, everything),
            )
            for key, value, place in pairs
        ]
    else:
        listed = elements(program, iterable, scope)
        if listed is None and everything:
            keys = entries(program, _itemised(iterable, "keys") or iterable, scope)
            listed = [(key, place) for key, _, place in keys] if keys is not None else None
        if listed is None:
            return None
        rows = [_given(program, target, element, place, everything) for element, place in listed]
    known = [row for row in rows if row is not None]
    return known if len(known) == len(rows) else None


def _itemised(node: ast.expr, method: str = "items") -> ast.expr | None:
    """The dictionary of `dictionary.items()`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method:
        return node.func.value
    return None


def _given(
    program: Program, target: ast.expr, node: ast.expr, scope: Scope, everything: bool
) -> dict[str, Target] | None:
    """What the names of a target stand for where an expression is assigned to it."""
    return named(program, target, node, scope, partial(elements, program), everything)


def _joined(first: dict[str, Target] | None, second: dict[str, Target] | None) -> dict[str, Target] | None:
    return None if first is None or second is None else {**first, **second}
