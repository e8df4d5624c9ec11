"""Python modules as syntax trees whose healthy parts survive a broken statement."""

from __future__ import annotations

import ast
import re
import warnings

import msgspec

from graph.facts import Skipped
from ingest.ingestor import Document
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.casts import without_casts
from ingest.web.syntax.parallel import split
from ingest.web.syntax.quart import as_flask
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.threads import call_directly
from ingest.web.syntax.walks import children_of

_ROUNDS = 25
_DEPTH = 150
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_CONTINUES = re.compile(r"[\s)\]}#]|(?:else|elif|except|finally)\b|$")
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


class Module(msgspec.Struct, eq=False):
    """One parsed module: its place, its names, and what of it could not be read."""

    name: str
    path: str
    package: bool
    tree: ast.Module
    scope: Scope
    skipped: tuple[Skipped, ...] = ()

    @classmethod
    def of(
        cls, name: str, path: str, package: bool, tree: ast.Module, skipped: tuple[Skipped, ...] = ()
    ) -> Module:
        """A module with its own scope."""
        scope = Scope(module=name, path=path, node=tree, parent=None, qualified=name)
        return cls(name, path, package, tree, scope, skipped)

    def absolute(self, target: str | None, level: int) -> str:
        """The dotted name of the module that `from ..target import` of this level names here."""
        if not level:
            return target or ""
        parts = self.name.split(".")
        kept = parts[: len(parts) - level + self.package]
        return ".".join([*kept, target] if target else kept)

    def imports(self) -> list[str]:
        """The dotted names that this module imports anywhere; of `from a import b` both `a` and `a.b`."""
        names: list[str] = []
        for scope in self.scope.descend():
            names.extend(self.absolute(target, level) for target, level in scope.stars)
            for bindings in scope.bindings.values():
                for binding in bindings:
                    if binding.how is Bound.MODULE:
                        names.append(binding.module or "")
                    elif binding.how is Bound.MEMBER:
                        dotted = self.absolute(binding.module, binding.level)
                        names.extend((dotted, f"{dotted}.{binding.member}"))
        return names


def parse(document: Document) -> Module:
    """The module of a document; statements at top level that are broken are left out and listed as skipped."""
    tree, skipped = _parse(document.text, document.path)
    tree = as_flask(without_casts(tree, document.text), document.text)
    body = []
    for statement in tree.body:
        if _too_deep(statement):
            skipped.append(Skipped(document.path, statement.lineno, "nested too deeply to be read"))
        else:
            body.append(statement)
    split(body)
    call_directly(body, document.text)
    tree.body = body
    package = document.path.rsplit("/", 1)[-1] == "__init__.py"
    return Module.of(document.module, document.path, package, tree, tuple(skipped))


def _parse(text: str, path: str) -> tuple[ast.Module, list[Skipped]]:
    skipped: list[Skipped] = []
    lines = _LINE.findall(text)
    for _ in range(_ROUNDS):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse("".join(lines)), skipped
        except _UNREADABLE as error:
            line = getattr(error, "lineno", None) or 0
            if not _blank(lines, line):
                skipped.append(Skipped(path, line, f"cannot be parsed: {error}"))
                break
            skipped.append(Skipped(path, line, f"a statement that cannot be parsed was left out: {error}"))
    return ast.Module(body=[], type_ignores=[]), skipped


def _blank(lines: list[str], number: int) -> bool:
    """Empty the statement at top level that holds this line; false where nothing was left to empty."""
    if not 1 <= number <= len(lines):
        return False
    first = number - 1
    while first > 0 and (_CONTINUES.match(lines[first]) or lines[first - 1].startswith("@")):
        first -= 1
    last = number
    decorated = lines[first].startswith("@")
    while last < len(lines) and (decorated or _CONTINUES.match(lines[last])):
        decorated = lines[last].startswith("@")
        last += 1
    if not any(line.strip() for line in lines[first:last]):
        return False
    for index in range(first, last):
        lines[index] = lines[index][len(lines[index].rstrip("\r\n")) :]
    return True


def _too_deep(statement: ast.stmt) -> bool:
    level: list[ast.AST] = [statement]
    for _ in range(_DEPTH):
        level = [child for parent in level for child in children_of(parent)]
        if not level:
            return False
    return True
