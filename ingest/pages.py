"""The reader of pages: what a README or a manual calls and says comes of it, which requests it shows and how they are
answered, which definitions a manual documents, and what a list of changes announces."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator

from graph.facts import Extract, Fact, Json, Kind, Location, Tag
from graph.literals import is_literal
from ingest.announced import changes, documented, looks_like_manual
from ingest.change_lists import is_list_of_changes
from ingest.ingestor import Document, Role
from ingest.python.doctests import examples
from ingest.python.shown_values import shown_values, shows_blocks, statement
from ingest.shown_output import output_below, printed, remarked, row_of
from ingest.shown_requests import shown_requests, shows_requests

# A fence of Markdown, or a directive of reStructuredText with what is indented below it.
_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*\{?\.?(?:python3?|py)\b[^\n]*\n(?P<body>.*?)^[ \t]*(?P=mark)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?:code|code-block|sourcecode)::[ \t]*(?:python3?|py)[ \t]*\n"
    r"(?:[ \t]+:[^\n]*\n)*(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*\n)+)",
    re.MULTILINE | re.IGNORECASE,
)
_TELLS = re.compile(r"#[ \t]*(?:=>|==>|->|→|⇒)[ \t]*(?P<value>.+?)[ \t]*$")
_SHOWS = re.compile(
    r"^[ \t]*(?:>>> |assert |print\()|#[ \t]*(?:=>|==>|->|→|⇒)|\)[ \t]*#[ \t]*\S", re.MULTILINE
)
# A page about something random: by its title, or by what it says first that it makes.
_CHANCE = re.compile(
    r"\A\W*[^\n]*\brandom(?:ly)?\b"
    r"|\b(?:creat|generat|mak)(?:e|es|ing|or|ion)\b(?:[ \t\n]+[\w-]+){0,4}?[ \t\n]+random(?:ly)?\b",
    re.IGNORECASE,
)
_BEGINNING = 1000
_IMPORTS = re.compile(r"^[ \t]*(?:>>> |\.\.\. )?(?:import|from)[ \t]+\w", re.MULTILINE)


class PageReader:
    """Reads Markdown and reStructuredText; a page that tells neither of Python nor of requests yields nothing."""

    name = "pages"
    version = 9
    roles = frozenset({Role.PAGE})

    def read(self, document: Document) -> Extract:
        """One fact for a page: its `doc.examples`, what it has `doc.shown`, the `requests` that it shows, what it
        `documents`, and the `changes` that a list of them names."""
        text = document.text.replace("\r\n", "\n").replace("\r", "\n")
        doc: dict[str, Json] = {}
        aspects: dict[str, Json] = {"doc": doc}
        shown = sorted([*examples(text, 1), *_of_blocks(text)], key=lambda row: int(row[2]))
        if _CHANCE.search(text, 0, _BEGINNING):
            shown = [[row[0], "", *row[2:]] for row in shown]  # What it shows came up once.
        if any(expected for _, expected, _ in shown):
            doc["examples"] = shown
        if freely := _freely(text):
            doc["shown"] = freely
        if is_list_of_changes(document.path):
            aspects["changes"] = changes(text)
        elif looks_like_manual(text):
            aspects["documents"] = documented(text)
        if not is_list_of_changes(document.path) and shows_requests(text):
            aspects["requests"] = list(shown_requests(text))
        aspects = {name: told for name, told in aspects.items() if told}
        if not aspects:
            return Extract()
        page = Fact(
            tag=Tag.SPEC,
            kind=Kind.PAGE,
            key=document.path,
            name=document.path.rpartition("/")[2],
            source=Location(document.path, 1, max(1, text.count("\n"))),
            aspects=aspects,
        )
        return Extract(facts=[page])


def looks_like_page(text: str) -> bool:
    """Whether a page may tell of Python or of requests: cheap, and never wrong where it says no."""
    shows_python = _SHOWS.search(text) and _IMPORTS.search(text)
    return looks_like_manual(text) or bool(shows_python) or shows_requests(text) or _may_show(text)


def _may_show(text: str) -> bool:
    """Whether code may stand in blocks without prompts that imports what it calls."""
    return shows_blocks(text) and "(" in text and _IMPORTS.search(text) is not None


def _freely(text: str) -> list[Json]:
    """What such blocks show; nothing where none imports anything."""
    rows = shown_values(text, 1) if _may_show(text) else []
    is_importing = any(str(row[0]).startswith(("import ", "from ")) for row in rows if isinstance(row, list))
    return rows if is_importing else []


def _of_blocks(text: str) -> Iterator[Json]:
    """The statements of blocks without prompts: [source, what it gives or nothing, line]."""
    for pattern in (_FENCE, _DIRECTIVE):
        for match in pattern.finditer(text):
            body = match["body"]
            if ">>>" not in body:
                blank = len(body) - len(body.lstrip("\n"))
                first = text.count("\n", 0, match.start("body")) + blank + 1
                below = output_below(text, match.end()) if "print(" in body else ""
                yield from _of_block(textwrap.dedent(body[blank:]), first, below)


def _of_block(text: str, first: int, below: str) -> Iterator[Json]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(tree)):
        return  # Something is left out.
    lines = text.splitlines()
    shown = printed(tree, below)
    for node in tree.body:
        source, line = statement(text, node), first + node.lineno - 1
        if isinstance(node, ast.Assert):
            yield [*_asserted(node), line]
        elif isinstance(node, ast.Expr):
            told = _told(node, lines) or shown.get(node)
            if told is None:
                yield [source, "", line]
            elif is_literal(told) or "print(" in source:
                yield [*row_of(node, source, told), line]
        elif not _only_raises(node):
            yield [source, "", line]


def _asserted(node: ast.Assert) -> list[str]:
    """An assertion as an expression and its value."""
    match node.test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) if is_literal(
            ast.unparse(right)
        ):
            return [ast.unparse(left), ast.unparse(right)]
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return [ast.unparse(node.test), "True"]
    return [f"bool({ast.unparse(node.test)})", "True"]


def _told(node: ast.Expr, lines: list[str]) -> str | None:
    """What a comment behind or below an expression says that it gives."""
    end = (node.end_lineno or node.lineno) - 1
    behind = lines[end].encode()[node.end_col_offset or 0 :].decode("utf-8", "replace")
    if found := _TELLS.search(behind):
        return found["value"]
    if value := remarked(behind):
        return value
    if end + 1 < len(lines) and (found := _TELLS.match(lines[end + 1].strip())):
        return found["value"]
    return None


def _only_raises(node: ast.stmt) -> bool:
    """Whether a statement shows only that something raises: nothing after it needs it."""
    return isinstance(node, ast.Try | ast.Raise) or (
        isinstance(node, ast.With) and "raises" in ast.unparse(node.items[0].context_expr)
    )
