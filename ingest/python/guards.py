"""Under which conditions a definition exists: the `if`, `except`, `for`, … that stand around it."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from graph.compiled import compiled
from graph.patterns import pattern
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

# Whoever asks for one of these and catches NameError makes up for it where Python 3 runs.
_PYTHON_2 = frozenset(
    {"basestring", "unicode", "unichr", "xrange", "raw_input", "long", "reduce", "cmp", "file"}
) | {
    "execfile",
    "reload",
    "buffer",
    "apply",
    "intern",
    "coerce",
}
_OF_PYTHON_2 = "sys.version_info < (3,)"
_BUILTINS = frozenset(dir(builtins))
_WORD = compiled(r"[^\W\d]\w*")
_HELD = rb"(?P<held>(?:sys\.(?:platform|version_info)|os\.name)\b[^\n:,#]*(?:,[ \t]*\d+\)?)*)"
# They begin with a line feed, since that is looked for quickly.
_ASSERTED = pattern(rb"\nassert[ \t]+" + _HELD)
_REFUSED = pattern(rb"\nif[ \t]+" + _HELD + rb":[^\n]*\n(?:[ \t]*\n)*[ \t]+raise\b")
_HEADED = frozenset({"except_clause", "for_statement", "while_statement", "case_clause"})


def guard_of(source: Source, node: Node, scope: Node) -> tuple[str, ...] | None:
    """The conditions from outside to inside between a statement and the scope that it stands in.

    None where a broken part of the tree lies between: then it is not known what the statement belongs to.
    """
    conditions: list[str] = []
    child, parent = node, node.parent
    while parent is not None and parent != scope:
        kind = parent.type
        if kind == "ERROR":
            return None
        if kind == "if_statement":
            conditions += reversed(_branch(source, parent, child))
        elif kind in _HEADED:
            conditions.append(_asked_for(source, parent) or _header(source, parent))
        elif kind == "try_statement" and child.type == "block" and _asks_for_python_2(source, parent):
            conditions.append(_OF_PYTHON_2)
        child, parent = parent, parent.parent
    if parent is None or parent.type == "ERROR":
        return None
    return tuple(reversed(conditions))


def module_guard(source: Source) -> tuple[str, ...]:
    """The platform or version for which alone a module can be imported: `assert sys.platform == "win32"` at its top, or
    an `if` that raises for all others."""
    if b"sys." not in source.data and b"os.name" not in source.data:
        return ()
    data = b"\n" + source.data
    if match := _ASSERTED.search(data):
        return (match["held"].decode("utf-8", "replace").strip(),)
    match = _REFUSED.search(data)
    return (f"not ({match['held'].decode('utf-8', 'replace').strip()})",) if match else ()


def guard_text(conditions: tuple[str, ...]) -> str:
    """Several conditions as one: `A` alone, else `(A) and (B)`."""
    if len(conditions) == 1:
        return conditions[0]
    return " and ".join(part if part.startswith("not (") else f"({part})" for part in conditions)


def _branch(source: Source, statement: Node, branch: Node) -> list[str]:
    """What is known in one branch of an `if`: the conditions before it failed, its own holds."""
    conditions: list[str] = []
    held = statement.child_by_field_name("condition")
    for alternative in statement.children_by_field_name("alternative"):
        if alternative.start_byte > branch.start_byte:
            break
        if held is not None:
            conditions.append(f"not ({source.flat(held)})")
        held = alternative.child_by_field_name("condition")
    if held is not None:
        conditions.append(source.flat(held))
    return conditions


def _asked_for(source: Source, handler: Node) -> str:
    """The Python version that a handler is for, where its `try` only asks whether a builtin is there; else empty."""
    block = handler.parent.child_by_field_name("body") if handler.parent is not None else None
    first = block.named_child(0) if block is not None else None
    if first is None or handler.type != "except_clause" or b"NameError" not in _line(source, handler):
        return ""
    words = set(_WORD.findall(source.text(first)))
    if words & _PYTHON_2:
        return "sys.version_info >= (3,)"
    return _OF_PYTHON_2 if first.type == "expression_statement" and words <= _BUILTINS else ""


def _asks_for_python_2(source: Source, statement: Node) -> bool:
    """Whether what a `try` does first needs a builtin of Python 2 that its handler is for: `str = basestring`."""
    handlers = (each for each in statement.named_children if each.type == "except_clause")
    return any(_asked_for(source, each).endswith(">= (3,)") for each in handlers)


def _line(source: Source, handler: Node) -> bytes:
    return source.data[handler.start_byte : source.data.find(b"\n", handler.start_byte)]


def _header(source: Source, clause: Node) -> str:
    """The line that opens a clause, without its colon."""
    blocks = [child for child in clause.named_children if child.type == "block"]
    end = blocks[0].start_byte if blocks else clause.end_byte
    return " ".join(source.slice(clause.start_byte, end).split("#")[0].split()).rstrip(" :")
