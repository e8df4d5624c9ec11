"""What is meant by the text that stands below an example: without remarks and places in memory, as text or as value."""

from __future__ import annotations

import ast
import re

import msgspec

from crossval.compare.annotations import parse_expression
from engine.generators.functions.needed_steps import Step
from graph.literals import is_literal, literal_value

# A text in quotes that stand in it as well, as nobody writes them by hand: 'it's'.
_QUOTED = re.compile(r"([\"'])([^\"'\\\n]*(?<=\w)'(?=\w)[^\"'\\\n]*)\1")
# What an object shows, or several of them do, and a remark behind it.
_BEHIND = re.compile(r"(<[^<>\n]*>|\w+\(.*\)|\[\w+\([^#\n]*\)\])[ \t]+# \S[^\n]*")
# A remark in the line below, which mostly announces what comes next.
_BELOW = re.compile(r"(?:\n#[ \t]+\S[^\n]*)+\Z")
# Where an object lies in memory, and where its class does, which may be one of the example.
_LYING = re.compile(r"<(?:[\w.]+\.)?(\w+) object at 0x[0-9a-fA-F]+>")
_OBJECT = re.compile(r"[A-Z]\w*\([^\n]*\)")
# What prints a text with the marks around it that Python, JSON or a shell would need.
QUOTING = re.compile(r"repr|!r\b|quot|dump|json|escape|encode|sql|literal|serial", re.IGNORECASE)


def meant(step: Step) -> Step:
    """A step with what is meant by the text that is expected."""
    expected = step.expected
    if (below := _BELOW.search(expected)) and _is_value(expected[: below.start()]):
        expected = expected[: below.start()]
    if remark := _BEHIND.fullmatch(expected):
        expected = remark[1]
    if quoted := _QUOTED.fullmatch(expected):
        expected = repr(quoted[2])
    if not is_literal(expected):
        expected = _LYING.sub(r"<...\1 object at 0x...>", expected)
    return step if expected == step.expected else msgspec.structs.replace(step, expected=expected)


def printed_value(step: Step) -> str:
    """What an example prints, as source, where the text below may be shown as it is printed or as a value: a text in
    quotes, or an object as it is made; empty for all else."""
    is_open = isinstance(literal_value(step.expected), str) or _OBJECT.fullmatch(step.expected) is not None
    if not is_open or "..." in step.expected or QUOTING.search(step.source):
        return ""
    match step.tree.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[only], keywords=[]))] if (
            not isinstance(only, ast.Starred)
        ):
            return ast.unparse(only)
    return ""


def _is_value(text: str) -> bool:
    return is_literal(text) or isinstance(parse_expression(text), ast.Call)
