"""What a page shows of a block of Python: what a remark says behind a line, and what is printed below the block."""

from __future__ import annotations

import ast
import re
import textwrap

from graph.literals import is_literal, literal_value

# The block that follows at once, or behind a few words that announce what comes of the one above.
_ANNOUNCED = (
    r"(?:[ \t]*\n)*(?:[^\n`]{0,50}\b(?:outputs?|prints?|printed|produces?|results?|gives?|returns?|shows?|yields?)\b"
    r"[^\n`]{0,20}:?[^\n\w]*\n(?:[ \t]*\n)*)?"
)
_FENCED = re.compile(
    rf"[^\n]*\n{_ANNOUNCED}[ \t]*(?P<mark>`{{3,}}|~{{3,}})[ \t]*\{{?\.?(?P<language>[\w-]*)[^\n`]*\n"
    r"(?P<body>.*?)^[ \t]*(?P=mark)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_DIRECTED = re.compile(
    rf"{_ANNOUNCED}(?P<indent>[ \t]*)\.\. (?:code|code-block|sourcecode)::[ \t]*(?P<language>[\w-]*)[ \t]*\n"
    r"(?:[ \t]+:[^\n]*\n)*(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*\n)+)",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    {"", "text", "txt", "console", "output", "none", "plain", "plaintext", "out", "shell-session"}
)
_PYTHON = frozenset({"python", "python3", "py", "pycon"})
_LONGEST = 1000
# What stands for a text or a tree as a text, so that what is printed looks like a value and is none.
_WRITES = re.compile(
    r"dump|json|str|repr|format|join|render|text|serial|encode|unparse|pretty|write|yaml|toml", re.IGNORECASE
)
_REMARK = re.compile(r"[ \t]*#[ \t]*(?P<value>[^#\n]+?)[ \t]*")


def output_below(text: str, end: int) -> str:
    """The text that a page shows below a block that ends there, where that is what it prints; empty where not sure."""
    for pattern in (_FENCED, _DIRECTED):
        found = pattern.match(text, end)
        if found is None:
            continue
        body = textwrap.dedent(found["body"].strip("\n")).rstrip()
        language = found["language"].lower()
        shows = language in _PLAIN or (language in _PYTHON and is_literal(body))
        if shows and body and len(body) <= _LONGEST and not body.startswith(("$ ", ">>>", "Traceback")):
            return body
    return ""


def printed(tree: ast.Module, output: str) -> dict[ast.stmt, str]:
    """What each statement of a block prints, where it ends with printing and what it prints is shown as a whole."""
    prints = [each for each in tree.body if is_print(each)]
    every = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in ("print", "pprint")]
    if not output or not prints or tree.body[-1] is not prints[-1] or len(prints) != len(every):
        return {}
    lines = [line.rstrip() for line in output.splitlines()]
    if len(prints) == 1:
        return {prints[0]: output}
    return dict(zip(prints, lines, strict=True)) if len(lines) == len(prints) and all(lines) else {}


def remarked(behind: str) -> str:
    """The literal that a remark behind an expression tells; a plain number may as well count the lines."""
    found = _REMARK.fullmatch(behind)
    value = found["value"] if found is not None else ""
    return value if value and not value.isdigit() and is_literal(value) else ""


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
