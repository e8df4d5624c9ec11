"""What a test asserts of the value of an example, or of a text that shows it."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from crossval.compare.annotations import parse_expression
from engine.generators.functions.example_names import called_names
from engine.generators.functions.facts import NoTestError
from engine.generators.functions.needed_steps import Step
from engine.generators.functions.written import Written
from engine.generators.source import literal
from graph.literals import NO_LITERAL, literal_value

# What Python writes otherwise than it did, and where it lies.
_REWRITTEN = {"timedelta": "datetime", "OrderedDict": "collections"}
_OLD_TEXT = re.compile(r"(?<![\w'\"])u(?=['\"])")
# A set of several things, or what is called like one and holds texts, written in the order of hashes.
_UNORDERED = re.compile(
    r"\{[^{}:]+,[^{}:]+\}|\b\w*(?:[sS]et|[mM]ap|[bB]ag)\([\[{(][^()]*['\"][^()]*,[^()]*['\"][^()]*\)"
)
# One line that is no object by its look: neither a call of a class nor what brackets tell of something in memory.
_BARE = re.compile(r"(?![\w.]+\(|<[\w.]+ )[^\s\[({'\"].*[^\s:)\]}>]|<(\w+)\b[^\n]*</\1>")
# What gives a text, by its name.
_WRITES = re.compile(r"dump|json|str|format|join|render|text|serial|encode|export|write", re.IGNORECASE)
# A text in marks that Python itself would write otherwise, as there is none of the others in it.
_DOUBLE = re.compile(r"(?<![\w'\"\\])\"([^'\"\\\n]*)\"(?![\w'\"])")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
# So many digits behind the point are the same everywhere.
_DIGITS = 9
# What is no longer than this stands on one line.
_SHORT = 72
_LAID_OUT = frozenset({"pprint", "pp"})


def value_lines(step: Step, written: Written) -> list[str]:
    """The assertions that `found` is what an example gives; the imports that they need are added to the test."""
    value = literal_value(step.expected)
    if value is NO_LITERAL:
        plain, imports = _rewritten(step.expected)
        if imports:
            written.imports += imports
            return [f"assert found == {plain}"]
        if _asks_type(step.tree) and _DOTTED.fullmatch(step.expected):
            # Some consoles show the name of a class alone.
            name = 'f"{found.__module__}.{found.__name__}"'
            return [f"assert {literal(step.expected)} in (found.__name__, {name})"]
        if _BARE.fullmatch(step.expected) and "..." not in step.expected and not step.directives:
            # Many write a text as it reads, without its quotes.
            return [f"assert {literal(step.expected)} in (found, repr(found))"]
        if plain := _with_usual_marks(step):
            return [f"assert repr(found) in ({literal(plain)}, {literal(step.expected)})"]
        return text_lines("repr(found)", step, "", written)
    if "..." in step.expected and any(part is ... for part in _parts(value)):
        return text_lines("repr(found)", step, "", written)
    if value is None or isinstance(value, bool):
        return [f"assert found is {value!r}"]
    if "..." in step.expected and "ELLIPSIS" in step.directives:
        return text_lines("repr(found)", step, "", written)
    if _is_rounded(value):
        return [f"assert found == pytest.approx({value!r}, rel=1e-9)"]
    return [f"assert found == {literal(value) if isinstance(value, str) else repr(value)}"]


def _with_usual_marks(step: Step) -> str:
    """An object on one line with the marks around its texts that Python writes, where it is shown with the others, as
    many do by hand; empty for all else."""
    expected = step.expected
    if "\n" in expected or "..." in expected or step.directives or _UNORDERED.search(expected):
        return ""
    tree = parse_expression(expected)
    objects = tree.elts if isinstance(tree, ast.List | ast.Tuple) else [tree]
    is_shown = bool(objects) and all(isinstance(each, ast.Call) for each in objects)
    return _DOUBLE.sub(r"'\1'", expected) if is_shown and _DOUBLE.search(expected) else ""


def _asks_type(tree: ast.Module) -> bool:
    """Whether a piece of code ends with asking of which class something is."""
    match tree.body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__")):
            return True
    return False


def json_value(expected: str) -> Any:
    """The value of a text that is an object or array of JSON over several lines; NO_LITERAL of any other."""
    return _read_json(expected) if "\n" in expected else NO_LITERAL


def _read_json(text: str) -> Any:
    try:
        return json.loads(text) if text[:1] in ("{", "[") else NO_LITERAL
    except ValueError:
        return NO_LITERAL


def is_shown_as_json(step: Step) -> bool:
    """Whether what an example gives is shown as JSON, which may be how it is written or the text that it is: nothing
    that Python writes so, or what a call of such a name gives."""
    if _read_json(step.expected) is NO_LITERAL:
        return False
    is_python = literal_value(step.expected) is not NO_LITERAL
    return not is_python or any(_WRITES.search(name) for name in called_names(step.tree))


def json_lines(step: Step, written: Written) -> list[str]:
    """The assertions that `found` is the value of what an example shows as JSON, or a text of it."""
    written.top.append("import json")
    written.act.append("read = json.loads(found) if isinstance(found, str | bytes) else found")
    return [f"assert read == {_read_json(step.expected)!r}"]


def _is_rounded(value: Any) -> bool:
    """Whether a number, or one of several numbers, has so many digits that the last ones differ between machines."""
    if isinstance(value, list | tuple | dict):
        held = list(value.values()) if isinstance(value, dict) else value
        return any(map(_is_rounded, held)) and all(isinstance(each, int | float) for each in held)
    return isinstance(value, float) and len(repr(value).partition(".")[2]) > _DIGITS


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [part for pair in value.items() for each in pair for part in _parts(each)]
    if isinstance(value, list | tuple | set):
        return [part for each in value for part in _parts(each)]
    return [value]


def text_lines(expression: str, step: Step, end: str, written: Written) -> list[str]:
    """The assertion that some text is the expected one, with doctest's `...` and free spaces where it has them."""
    # Python 2 wrote texts as u'…'; no repr does so any more.
    expected = _OLD_TEXT.sub("", step.expected) + end
    if _UNORDERED.search(expected):
        raise NoTestError(
            "an expected text without a set of several things: in which order they stand is not said"
        )
    # Where pprint breaks its lines depends on its width.
    laid_out = (
        isinstance(step.tree.body[-1], ast.Expr) and next(called_names(step.tree.body[-1]), "") in _LAID_OUT
    )
    if "NORMALIZE_WHITESPACE" in step.directives or laid_out or (not end and "\n" in step.expected):
        expression, expected = f'" ".join({expression}.split())', " ".join(expected.split())
    if "..." in step.expected:
        written.top.append("import re")
        pattern = ".*".join(re.escape(part) for part in expected.split("..."))
        return [f"assert re.fullmatch({pattern!r}, {expression}, re.DOTALL)"]
    if end and "\n" in step.expected:
        # Nobody shows the empty lines at the end.
        return [f"assert {expression}.rstrip() == {_by_lines(expected.rstrip(), step)}"]
    return [f"assert {expression} == {_by_lines(expected, step)}"]


def _by_lines(expected: str, step: Step) -> str:
    """A long text as source: each line of what is shown is one of it."""
    lines = step.expected.splitlines()
    if len(lines) == 1 or len(expected) <= _SHORT:
        return literal(expected)
    parts, rest = [], expected
    for line in (each.strip() for each in lines):
        place = rest.find(line)
        end = place + len(line)
        end += len(rest[end:]) - len(rest[end:].lstrip()) if place >= 0 else 0
        if place < 0 or not line:
            continue
        parts.append(rest[:end])
        rest = rest[end:]
    if rest and parts:
        parts[-1] += rest
    return (
        "(\n" + "\n".join(f"    {literal(part)}" for part in parts) + "\n)"
        if len(parts) > 1
        else literal(expected)
    )


def _rewritten(expected: str) -> tuple[str, list[str]]:
    """A text that says a value which versions of Python write differently, and the imports that it needs.

    There are none for other texts. Everything in it is a literal, but for such values, which are named without their
    module, as an example may use its name for something else.
    """
    tree = parse_expression(expected)
    if tree is None:
        return expected, []
    plain = ast.unparse(_Plain().visit(tree))
    imports: set[str] = set()
    for node in ast.walk(ast.parse(plain)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _REWRITTEN:
                imports.add(f"from {_REWRITTEN[name]} import {name}")
            case ast.Call():
                return expected, []
            case ast.Name(id=name) if name not in _REWRITTEN:
                return expected, []
            case ast.Constant(value=value) if value is ...:
                return expected, []
    return plain, sorted(imports)


class _Plain(ast.NodeTransformer):
    """Names such values without their module."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and _REWRITTEN.get(node.attr) == node.value.id:
            return ast.Name(node.attr, ast.Load())
        return node
