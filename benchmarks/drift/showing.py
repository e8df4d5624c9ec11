"""Whether a project's own text shows a status where crossfact says that it is answered: read apart from the readers.

A finding that tells of a status which the framework exports nowhere is taken for true only where the statement itself
has the status, or what it raises or names has it. All other such findings have to be read by somebody.
"""

from __future__ import annotations

import ast
import re
from http import HTTPStatus
from pathlib import Path

from graph.facts import Fact

_NUMBER = re.compile(r"(?<![\w.])[1-5]\d\d(?![\w.])")
_NAMED = re.compile(r"HTTP_([1-5]\d\d)")
_WORDS = {
    "Http404": "404",
    "get_object_or_404": "404",
    "get_list_or_404": "404",
    "aget_object_or_404": "404",
    "first_or_404": "404",
    "get_or_404": "404",
    "get_object": "404",
    "raise_exception": "400",
    "ValidationError": "400",
    "ParseError": "400",
    "SuspiciousOperation": "400",
    "PermissionDenied": "403",
    "NotAuthenticated": "401",
    "AuthenticationFailed": "401",
    "InvalidToken": "401",
    "AuthenticationError": "401",
    "AuthorizationError": "403",
    "Throttled": "429",
}
_FAILURES = [each for each in HTTPStatus if each.value >= HTTPStatus.BAD_REQUEST]
_WORDS |= {"".join(part.capitalize() for part in each.name.split("_")): str(each.value) for each in _FAILURES}
_WORDS |= {f"HTTP{name}": status for name, status in _WORDS.items()}
_DEPTH = 4
_STATUSES = {each.name: str(each.value) for each in HTTPStatus}


class Sources:
    """The Python files of a project, as text and as trees."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: list[tuple[ast.stmt, str, str]] | None = None
        self._calls: dict[str, set[str]] | None = None

    def shows(self, fact: Fact, status: str) -> bool:
        """Whether the statement of a response, or what it names, has the status and no other one."""
        text = self._text(fact)
        own = statuses(text)
        if own:
            return status in own
        raised = str(fact.aspects.get("exception") or "")
        wanted = set(re.findall(r"[A-Za-z_]\w+", text)) | {raised} - {""}
        told = any(status in self._told(name) for name in wanted) or status in self._answered(raised)
        return told or status in self._given(fact)

    def _given(self, fact: Fact) -> set[str]:
        """The statuses that the function around a statement has as a default, keeps under a name of the statement, or
        is given where it is called."""
        around = [
            node
            for node, _, path in self._statements()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and path == fact.source.path
            and node.lineno <= fact.source.line <= (node.end_lineno or 0)
        ]
        if self._calls is None:
            self._calls = {}
            for node, _, _ in self._statements():
                for call in (each for each in ast.walk(node) if isinstance(each, ast.Call)):
                    name = ast.unparse(call.func).rpartition(".")[2]
                    given = [ast.unparse(each) for each in (*call.args, *(k.value for k in call.keywords))]
                    self._calls.setdefault(name, set()).update(statuses(" ".join(given)))
        defaults = {status for each in around for status in statuses(ast.unparse(each.args))}
        named = set(re.findall(r"[A-Za-z_]\w+", self._text(fact)))
        kept = [part for each in around for part in ast.walk(each) if isinstance(part, ast.Assign)]
        defaults |= {s for part in kept if _defined(part) & named for s in statuses(ast.unparse(part.value))}
        return defaults | {status for each in around for status in self._calls.get(each.name, ())}

    def _text(self, fact: Fact) -> str:
        path = self._folder / fact.source.path
        lines = path.read_text(errors="replace").splitlines() if path.is_file() else []
        return "\n".join(lines[fact.source.line - 1 : fact.source.end_line])

    def _told(self, name: str, depth: int = 0) -> set[str]:
        """The statuses in what the project defines by a name, and in the classes above it where it has none."""
        found: set[str] = set()
        for node, text, _ in self._statements():
            if isinstance(node, ast.ClassDef) and node.name == name:
                bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
                above = {status for base in bases if depth < _DEPTH for status in self._told(base, depth + 1)}
                found |= statuses(text) or above | {_WORDS[base] for base in bases if base in _WORDS}
            elif name in _defined(node):
                found |= statuses(text)
        return found

    def _answered(self, raised: str) -> set[str]:
        """The statuses of functions that speak of an exception without raising it, as handlers do."""
        told = re.compile(rf"(?<!raise )\b{re.escape(raised)}\b") if raised else None
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        texts = [text for node, text, _ in self._statements() if isinstance(node, functions)]
        return {status for text in texts if told and told.search(text) for status in statuses(text)}

    def _statements(self) -> list[tuple[ast.stmt, str, str]]:
        """All statements on the first two levels of all files, with their text and file."""
        if self._read is None:
            self._read = []
            for path in sorted(self._folder.rglob("*.py")):
                try:
                    tree = ast.parse(path.read_text(errors="replace"))
                except SyntaxError:
                    continue
                inner = [part for node in tree.body if isinstance(node, ast.ClassDef) for part in node.body]
                place = path.relative_to(self._folder).as_posix()
                self._read += [(node, ast.unparse(node), place) for node in (*tree.body, *inner)]
        return self._read


def _defined(node: ast.stmt) -> set[str]:
    """The names that a statement defines or sets."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {each.id for each in targets if isinstance(each, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def statuses(text: str) -> set[str]:
    """The statuses that a text has as numbers, or by a name of the standard library or of a framework."""
    found = {*_NUMBER.findall(text), *_NAMED.findall(text)}
    for name in re.findall(r"[A-Za-z_]\w+", text):
        found |= {table[name] for table in (_WORDS, _STATUSES) if name in table}
    return found
