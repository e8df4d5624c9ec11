"""What a page shows of a block of Python: what a remark says behind a line, and what is printed below the block."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from graph.indents import dedented
from graph.literals import is_literal, literal_value
from graph.patterns import pattern

_WORDS = r"[^\n`]{0,50}\b(?:outputs?|prints?|printed|produces?|results?|gives?|returns?|shows?|yields?)\b"
# The block that follows at once, or behind a few words that announce what comes of the one above.
_ANNOUNCED = (
    rf"(?:[ \t]*\n)*(?P<words>{_WORDS}[^\n`]{{0,20}}:?[^\n\w]*\n(?:[-=~^]{{3,}}[ \t]*\n)?(?:[ \t]*\n)*)?"
)
_FENCED = pattern(
    rf"[^\n]*\n{_ANNOUNCED}[ \t]*(?P<mark>`{{3,}}|~{{3,}})[ \t]*\{{?\.?(?P<language>[\w-]*)[^\n`]*\n"
    r"(?P<body>.*?)^[ \t]*(?P=mark)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_DIRECTED = pattern(
    rf"{_ANNOUNCED}(?P<indent>[ \t]*)\.\. (?:(?:code|code-block|sourcecode)::[ \t]*(?P<language>[\w-]*)[ \t]*"
    r"|(?P<tested>testoutput)::[^\n]*)\n(?P<options>(?:[ \t]+:[^\n]*\n)*)"
    r"(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*\n)+)",
    re.IGNORECASE,
)
# What stands below a paragraph of such words that ends in `::`, which may have a line of its own.
_LITERAL = pattern(
    rf"(?:[ \t]*\n)*(?P<indent>[ \t]*){_WORDS}[^\n`]{{0,20}}(?:::|:[ \t]*\n[ \t]*::)[ \t]*\n"
    r"(?P<body>(?:[ \t]*\n)+(?:(?P=indent)[ \t]+\S[^\n]*\n(?:[ \t]*\n)*)+)",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    {"", "text", "txt", "console", "output", "none", "plain", "plaintext", "out", "shell-session"}
)
# What programs write; and what a page shows of a shell, where what is printed and what is typed look alike.
_WRITTEN = frozenset(
    {
        "html",
        "xml",
        "svg",
        "json",
        "yaml",
        "yml",
        "toml",
        "ini",
        "csv",
        "markdown",
        "md",
        "rst",
        "sql",
        "diff",
    }
)
_SHELLS = frozenset({"bash", "sh", "shell", "zsh"})
_PYTHON = frozenset({"python", "python3", "py", "pycon"})
_LONGEST = 1000
# What stands for a text or a tree as a text, so that what is printed looks like a value and is none.
_WRITES = pattern(
    r"dump|json|str|repr|format|join|render|text|serial|encode|unparse|pretty|write|yaml|toml", re.IGNORECASE
)
_PRINTING = frozenset({"print", "pprint"})
_NUMBER = pattern(r"#[ \t]*(\d{1,3})[ \t]*$")
GIVES = r"(?i:(?:(?:it|this|will|would) ){0,2}(?:returns?|gives?|yields?|evaluates to|equals|results? in))"
"""The words of a remark that tell what an expression gives, as a pattern."""
# Behind the value there may be words in brackets or behind an arrow: `'{"a": 1}' <- a text`.
_REMARK = pattern(
    rf"[ \t]*#[ \t]*(?P<verb>(?:{GIVES}|(?P<prints>(?i:(?:it|this|will|would)[ ]){{0,2}}(?i:prints?)))\b:?[ \t]*)?"
    r"(?P<value>[^#\n]+?)(?:[ \t]+(?:\([^()#\n]*\)|<-+[ \t][^#\n]*))?[ \t]*"
)
# What a page numbers its notes by.
_NOTE = pattern(r"\(\d+\)")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_SPELLED = {"true": "True", "false": "False", "none": "None", "null": "None"}


def output_below(text: str, end: int) -> str:
    """The text that a page shows below a block that ends there, where that is what it prints; empty where not sure."""
    for form in (_FENCED, _DIRECTED, _LITERAL):
        found = form.match(text, end)
        if found is None:
            continue
        body = dedented(found["body"].strip("\n")).rstrip()
        language = "" if form is _LITERAL else (found["language"] or "").lower()
        if form is _DIRECTED and found["tested"] and ("+SKIP" in found["options"] or "..." in body):
            return ""
        shows = language in _PLAIN | _WRITTEN or (language in _PYTHON and is_literal(body))
        shows = shows or (language in _SHELLS and found["words"] is not None)
        if shows and body and len(body) <= _LONGEST and not body.startswith(("$ ", ">>>", "Traceback")):
            return body
    return ""


def printed(tree: ast.Module, output: str) -> dict[int, tuple[int, str]]:
    """What the statements of a block print, where it ends with printing and what it prints is shown as a whole: by the
    place of the first statement that of the last, and their output."""
    noisy = _functions_that_print(tree)
    places = [place for place, each in enumerate(tree.body) if _may_print(each, noisy)]
    if not output or not places or places[-1] != len(tree.body) - 1:
        return {}
    if isinstance(tree.body[-1], ast.Expr) and not is_print(tree.body[-1]):
        return {}  # A value may be shown beside what is printed, or not.
    lines = [line.rstrip() for line in output.splitlines()]
    plain = all(is_print(tree.body[place]) for place in places)
    if plain and len(places) > 1 and len(lines) == len(places) and all(lines):
        return {place: (place, line) for place, line in zip(places, lines, strict=True)}
    tells = any(isinstance(each, ast.Assert) for each in tree.body[places[0] :])
    is_whole = len(lines) >= len(places) or not plain
    return {places[0]: (places[-1], output)} if is_whole and not tells else {}


def last_value(tree: ast.Module, output: str) -> dict[int, tuple[int, str]]:
    """What the last statement of a block that prints nothing gives, where the value is shown below: by its place that
    place, and the value."""
    *_, last = tree.body or [ast.Pass()]
    is_asked = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call | ast.Attribute | ast.Subscript)
    place = len(tree.body) - 1
    return {place: (place, output)} if is_asked and is_literal(output) else {}


def _functions_that_print(tree: ast.Module) -> set[str]:
    """The names of the functions and methods of a block that print."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _names(node) & _PRINTING
    }


def _may_print(node: ast.stmt, noisy: set[str]) -> bool:
    """Whether a statement prints where it stands, or names something of the block that does."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    return bool(_names(node) & (_PRINTING | noisy))


def _names(node: ast.AST) -> set[str]:
    names = (getattr(each, "id", "") or getattr(each, "attr", "") for each in ast.walk(node))
    return {str(each) for each in names if each}


def remarked(behind: str, *, is_number: bool = False) -> str:
    """The literal that a remark behind an expression tells; a plain number where `is_number`, as it may as well count
    the lines."""
    found = _REMARK.fullmatch(behind)
    if found is None:
        return ""
    if found["prints"] and not is_number:
        return ""
    value = spelled(found["value"]) if found["verb"] else found["value"]
    is_told = bool(found["verb"]) or is_number or not value.isdigit()
    return value if is_told and is_literal(value) and not _NOTE.fullmatch(value) else ""


def whole(value: str, following: Sequence[str]) -> str | None:
    """A value that goes on in the comments below; None where it does not end there, or is no value then."""
    open_ones = sum(_BRACKETS.get(sign, 0) for sign in value)
    if not open_ones or is_literal(value):
        return spelled(value)
    for line in following:
        if not line.lstrip().startswith("#"):
            return None
        value += "\n" + line.strip().removeprefix("#")
        open_ones += sum(_BRACKETS.get(sign, 0) for sign in line)
        if open_ones <= 0:
            return value.strip() if is_literal(value.strip()) else None
    return None


def spelled(value: str) -> str:
    """A value that a remark names, as Python spells it: `true` is `True`."""
    return _SPELLED.get(value, value)


def counts_lines(lines: Sequence[str]) -> bool:
    """Whether the plain numbers behind the lines of a block count them: 1, 2, 3."""
    numbers = [int(found[1]) for line in lines if (found := _NUMBER.search(line))]
    return len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))


def row_of(node: ast.Expr, source: str, told: str) -> list[str]:
    """What an expression gives, as source and value: of what is printed, the value that the text stands for."""
    match node.value:
        case ast.Call(func=ast.Name(id="print"), args=[ast.expr() as only], keywords=[]) if is_literal(told):
            value, given = literal_value(told), ast.unparse(only)
            if isinstance(value, str):
                return [f"str({given})", told]
            if isinstance(value, list | tuple | dict) and told != repr(value) and not _WRITES.search(given):
                return [given, told]
    return [source, told]


def is_print(node: ast.stmt) -> bool:
    """Whether a statement prints, and does nothing else."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print" | "pprint"))):
            return True
    return False
