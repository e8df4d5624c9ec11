"""What the documentation says of a definition in full: its docstrings, and the parts of manuals that are about it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from graph.facts import Fact, Kind, Tag
from healer.judging.witnesses import Witnesses, plain
from ingest.change_lists import is_list_of_changes

_HISTORY = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?:versionchanged|versionadded|deprecated|versionremoved)::[^\n]*\n"
    r"(?:(?:[ \t]*\n)*(?P=indent)[ \t]+[^\n]*\n?)*",
    re.MULTILINE,
)
_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?:py:)?[a-z]+::[ \t]*(?P<name>[A-Za-z_][\w.]*)(?P<signature>.*)$"
)
_NESTED = re.compile(
    r"^[ \t]*\.\. (?:py:)?(?:auto)?(?:class|exception|function|method|attribute|data|property)::"
)
_PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
_OPTION = re.compile(r"^[ \t]+:[\w-]+:")
_Read = Callable[[str], str | None]


class Passage(NamedTuple):
    """What one place of the documentation says: `fact` is cited for it, `place` says where it is, in words.

    `parameters` are those that a manual lists, and their defaults as source text, None where there is none.
    """

    fact: str
    place: str
    text: str
    parameters: dict[str, str | None] = {}  # noqa: RUF012 - of a NamedTuple, never changed


class Documentation:
    """Looks up what is written about definitions; `read` gives the text of a file of the project."""

    def __init__(self, read: _Read, witnesses: Witnesses) -> None:
        self._read = read
        self._witnesses = witnesses
        self._docstrings: dict[str, dict[tuple[int, str], str]] = {}
        self._pages: dict[str, list[tuple[Fact, str, int]]] | None = None

    def of(self, name: str) -> Iterator[Passage]:
        """The passages about a definition, by its dotted name; those about a class, for what makes one."""
        for each in dict.fromkeys((name, name.removesuffix(".__init__").removesuffix(".__new__"))):
            for fact in (*self._witnesses.about(each), *self._witnesses.inherited(each)):
                if text := self._docstring(fact):
                    yield Passage(fact.id, "its docstring", _without_history(text))
            yield from self._of_manuals(self._witnesses.now(each))

    def paragraphs(self) -> Iterator[Passage]:
        """The paragraphs of all pages but lists of changes."""
        for page in self._witnesses.store.facts(tag=Tag.SPEC, kinds={Kind.PAGE}):
            text = "" if is_list_of_changes(page.key) else _without_history(self._read(page.key) or "")
            for match in _PARAGRAPH.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield Passage(page.id, f"{page.key}:{line}", match[0])

    def _docstring(self, fact: Fact) -> str:
        path = fact.source.path
        if path not in self._docstrings:
            self._docstrings[path] = dict(_docstrings(self._read(path) or ""))
        return self._docstrings[path].get((fact.source.line, plain(fact.key).rpartition(".")[2]), "")

    def _of_manuals(self, name: str) -> Iterator[Passage]:
        if self._pages is None:
            self._pages = self._listed()
        for page, told, line in self._pages.get(name.rpartition(".")[2], ()):
            if self._is_meant(told, name):
                passage = _cut(self._read(page.key) or "", line)
                if passage is not None:
                    text, parameters = passage
                    yield Passage(page.id, f"{page.key}:{line}", _without_history(text), parameters)

    def _listed(self) -> dict[str, list[tuple[Fact, str, int]]]:
        """What manuals document, by its last name: the page, the name there, and the line."""
        found: dict[str, list[tuple[Fact, str, int]]] = {}
        for page in self._witnesses.store.facts(tag=Tag.SPEC, kinds={Kind.PAGE}):
            for row in page.aspects.get("documents") or ():
                told = str(row[0])
                found.setdefault(told.rpartition(".")[2], []).append((page, told, int(row[1])))
        return found

    def _is_meant(self, told: str, name: str) -> bool:
        """Whether a manual means this definition by a name: its own, one that hands it on, or the end of only this."""
        if told == name or self._witnesses.world.resolve(told) == name:
            return True
        return name.endswith(f".{told}") and self._witnesses.is_only(told)


def _docstrings(text: str) -> Iterator[tuple[tuple[int, str], str]]:
    """The docstrings of a file, by line and name of what they describe."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        found = ast.get_docstring(node) or ""
        for line in {node.lineno, *(each.lineno for each in node.decorator_list)}:
            yield (line, node.name), found


def _without_history(text: str) -> str:
    """The text without what it says of former releases, with as many lines."""
    return _HISTORY.sub(lambda match: "\n" * match[0].count("\n"), f"{text}\n")


def _cut(text: str, line: int) -> tuple[str, dict[str, str | None]] | None:
    """The body of the directive on a line, up to the next definition in it, and the parameters that it lists."""
    lines = text.splitlines()
    match = _DIRECTIVE.match(lines[line - 1]) if 0 < line <= len(lines) else None
    if match is None:
        return None
    body: list[str] = []
    for each in lines[line:]:
        depth = len(each) - len(each.lstrip())
        if each.strip() and (depth <= len(match["indent"]) or _NESTED.match(each)):
            break
        if body or not _OPTION.match(each):
            body.append(each.strip())
    return "\n".join(body).strip(), _parameters(match["signature"])


def _parameters(signature: str) -> dict[str, str | None]:
    """The parameters of a signature with their defaults; nothing where it is not written as Python has it, or with
    brackets around what may be left out: `parse(text, [strict=True])`."""
    written = signature.strip()
    for text in (written, re.sub(r"[\[\]]", "", written)) if written.startswith("(") else ():
        try:
            (node,) = ast.parse(f"def _{text}: ...").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if isinstance(node, ast.FunctionDef):
            return dict(_defaults(node.args))
    return {}


def _defaults(listed: ast.arguments) -> Iterator[tuple[str, str | None]]:
    placed = [*listed.posonlyargs, *listed.args]
    defaults: list[ast.expr | None] = [*[None] * (len(placed) - len(listed.defaults)), *listed.defaults]
    pairs = [*zip(placed, defaults, strict=True), *zip(listed.kwonlyargs, listed.kw_defaults, strict=True)]
    for each, default in pairs:
        yield each.arg, None if default is None else ast.unparse(default)
