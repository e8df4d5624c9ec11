"""The prose of a project's documentation: paragraphs of its pages, steps of its features, its docstrings, and the
descriptions of its contracts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

_PAGES = frozenset({".md", ".rst", ".txt"})
# Lists of changes tell how things were; no reader of crossfact reads them.
_LEFT_OUT = re.compile(
    r"change|history|news|release|licen[cs]e|whats-?new|upgrad|migrat|requirements|author|egg-info|PKG-INFO",
    re.I,
)
_ROLE = re.compile(r":(?:\w+:)*\w+:`~?([^`<]+?)(?:\s*<[^`>]*>)?`")
_REFERENCE = re.compile(r":(?:ref|doc|term|numref|download):`([^`<]+?)(?:\s*<[^`>]*>)?`")
_UNDERLINE = re.compile(r"([=~^\"'*+#`-])\1{2,}\s*")
_DOUBLED = re.compile(r"(?<!`)``(?!`)")
_STRONG = re.compile(r"\*\*([^*\n]+)\*\*|(?<!\w)\*([^*\n]+)\*(?!\w)")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)|`([^`<\n]+?)\s*<[^`>\n]+>`__?")
_NO_PROSE = re.compile(r"^\s*(?:\.\.|:(?!(?:\w+:)*\w+:`)|#|>|\||[-=~^\"'*+`#]{3,}\s*$|>>>|\$|!|<|@)|^\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_CONTRACT = re.compile(r"^\s*[{\"']*\s*[\"']?(?:openapi|swagger)[\"']?\s*:", re.M)
_STEP = re.compile(r"^\s*(?:Then|And|But)\s+(.*)$")


class Passage(NamedTuple):
    """Some lines of prose: where they stand (path from the projects' folder), and their text."""

    path: str
    line: int
    text: str


def passages(project: Path) -> Iterator[Passage]:
    """All prose of one unpacked project, in the order of its paths."""
    for file in sorted(project.rglob("*")):
        path = file.relative_to(project.parent).as_posix()
        if not file.is_file() or _LEFT_OUT.search(path.partition("/")[2]) or file.stat().st_size > 1_000_000:
            continue
        if file.suffix not in {*_PAGES, ".py", ".feature", ".yaml", ".yml", ".json"}:
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        if file.suffix == ".py":
            yield from _docstrings(path, text)
        elif file.suffix == ".feature":
            yield from _steps(path, text)
        elif file.suffix not in _PAGES:
            yield from _descriptions(path, text)
        else:
            yield from _paragraphs(path, text)


def _paragraphs(path: str, text: str) -> Iterator[Passage]:
    """Paragraphs and items of lists; what is indented is code, or belongs to a directive."""
    gathered: list[str] = []
    begin = 0
    fenced = False
    for number, row in enumerate([*text.split("\n"), ""], start=1):
        if row.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        ends = fenced or _NO_PROSE.match(row) is not None or _BULLET.match(row) is not None
        starts = not fenced and _NO_PROSE.match(row) is None
        if len(gathered) == 1 and _UNDERLINE.fullmatch(row):
            gathered = []  # a heading
        if gathered and (ends or (row.startswith("    ") and not gathered)):
            yield Passage(path, begin, _plain("\n".join(gathered)))
            gathered = []
        if starts and (gathered or not row.startswith("    ")):
            if not gathered:
                begin = number
            gathered.append(_BULLET.sub("", row).strip())


def _docstrings(path: str, text: str) -> Iterator[Passage]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (found := ast.get_docstring(node)):
            line = node.body[0].lineno
            first = found.split("\n\n", 1)[0]
            yield Passage(path, line, _plain(first))
            rest = found[len(first) :]
            for passage in _paragraphs(path, rest):
                yield passage._replace(line=line + first.count("\n") + passage.line - 1)


def _steps(path: str, text: str) -> Iterator[Passage]:
    for number, row in enumerate(text.split("\n"), start=1):
        if match := _STEP.match(row):
            yield Passage(path, number, match[1])


def _descriptions(path: str, text: str) -> Iterator[Passage]:
    """What a contract says in words, each on the line on which its value begins."""
    if _CONTRACT.search(text[:2000]) is None:
        return
    try:
        root = yaml.compose(text, yaml.CSafeLoader)
    except yaml.YAMLError:
        return
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == "description" and isinstance(value, yaml.ScalarNode):
                    yield Passage(path, value.start_mark.line + 1, _plain(value.value))
                waiting.append(value)
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value


def _plain(text: str) -> str:
    """The text without the marks of Markdown and reStructuredText, but for those of code."""
    text = _DOUBLED.sub("`", _ROLE.sub(r"`\1`", _REFERENCE.sub(r"\1", text)))
    text = _LINK.sub(lambda match: match[1] or match[2], text)
    return _STRONG.sub(lambda match: match[1] or match[2], text)
