"""Imports that change: aliases are renamed, go to another module, or are dropped, and new statements come."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from healer.reading.meanings import Meanings
from healer.reading.source import Edit

_FROM = re.compile(r"from(\s+)([.\s]*[\w.]*)(?=\s*import\b)")


class Statement:
    """One import statement and what becomes of it."""

    def __init__(self, file: Meanings, node: ast.Import | ast.ImportFrom) -> None:
        self.file = file
        self.node = node
        self._words: dict[ast.alias, str] = {}
        self._dropped: set[ast.alias] = set()
        self._moved: dict[str, list[tuple[ast.alias, str]]] = {}
        self._added: dict[str, None] = {}
        self._left: dict[ast.alias, set[ast.Name]] = {}

    def rename(self, alias: ast.alias, name: str) -> None:
        """The alias imports this instead, under the same local name if it has one of its own."""
        self._words[alias] = f"{name} as {alias.asname}" if alias.asname else name

    def into(self, module: str, alias: ast.alias, words: str) -> None:
        """The alias becomes these words of another module, or of the same."""
        self._moved.setdefault(module, []).append((alias, words))

    def drop(self, alias: ast.alias) -> None:
        """The alias goes."""
        self._dropped.add(alias)

    def add(self, statement: str) -> None:
        """A further import stands beside this one."""
        self._added[statement] = None

    def need(self, alias: ast.alias, module: str, *, is_gone: bool) -> None:
        """A module that is reached by its whole name must be imported; the old one goes where it `is_gone`."""
        renamed = self._words.get(alias, alias.name)
        if module and module != renamed and not renamed.startswith(f"{module}."):
            self.add(f"import {module}")
            if is_gone:
                self.drop(alias)

    def left(self, alias: ast.alias, uses: list[ast.Name], use: ast.Name) -> None:
        """One of the uses of what the alias binds goes; with the last one the alias goes too."""
        gone = self._left.setdefault(alias, set())
        gone.add(use)
        if gone.issuperset(uses):
            self.drop(alias)

    def edits(self) -> Iterator[Edit]:
        """The edits of this statement."""
        module = self._module()
        groups = dict(self._moved)
        stays = groups.pop(module, [])
        words = self._words | dict(stays)
        dropped = set(self._dropped)
        gone = [
            alias
            for alias in self.node.names
            if alias in dropped or any(alias in dict(g) for g in groups.values())
        ]
        if (
            len(groups) == 1
            and not stays
            and not self._added
            and len(gone) == len(self.node.names)
            and not dropped
        ):
            ((target, group),) = groups.items()
            yield from self._retargeted(target)
            words, gone, groups = dict(group), [], {}
        lines = [
            f"from {target} import {', '.join(each for _, each in group)}" for target, group in groups.items()
        ]
        lines += [line for line in self._added if line not in lines]
        yield from self._written(words, gone, lines)

    def _written(
        self, words: dict[ast.alias, str], gone: list[ast.alias], lines: list[str]
    ) -> Iterator[Edit]:
        source, node = self.file.source, self.node
        start, end = source.start(node), source.end(node)
        first = source.line_start(start)
        indent = source.text[first:start]
        if indent.strip():
            indent = ""
        present = self._present()
        lines = [line for line in lines if line not in present]
        if len(gone) == len(node.names):
            if lines:
                yield Edit(start, end, f"\n{indent}".join(lines))
            elif self._is_alone():
                yield Edit(start, end, "pass")
            else:
                yield Edit(first, source.line_end(end), "")
            return
        for alias, new in words.items():
            place = source.start(alias), source.end(alias)
            if source.text[slice(*place)] != new:
                yield Edit(*place, new)
        yield from self._without(gone)
        if lines:
            after = source.line_end(end)
            lead = "" if source.text[:after].endswith("\n") else "\n"
            yield Edit(after, after, lead + "".join(f"{indent}{line}\n" for line in lines))

    def _without(self, gone: list[ast.alias]) -> Iterator[Edit]:
        """The list of names without some of them, and without what is said beside these."""
        source, names = self.file.source, self.node.names
        kept = [alias for alias in names if alias not in gone]
        for at, alias in enumerate(names):
            if alias not in gone:
                continue
            if any(other in kept for other in names[at + 1 :]):
                yield Edit(source.start(alias), source.start(names[at + 1]), "")
            else:
                yield Edit(source.end(kept[-1]), source.end(names[-1]), "")
                return

    def _retargeted(self, target: str) -> Iterator[Edit]:
        source = self.file.source
        found = _FROM.match(source.text, source.start(self.node))
        if found is None or not isinstance(self.node, ast.ImportFrom):
            return
        level = self.node.level
        if level:
            here = self._module()
            base = here[: -len(self.node.module) - 1] if self.node.module else here
            if target.startswith(f"{base}."):
                target = "." * level + target[len(base) + 1 :]
            elif target == base:
                target = "." * level
        yield Edit(found.start(2), found.end(2), target)

    def _module(self) -> str:
        """The whole name of the module that `from … import` names; empty for a plain import."""
        if not isinstance(self.node, ast.ImportFrom):
            return ""
        alias = self.node.names[0]
        path = self.file.imported(alias)
        return path if alias.name == "*" else path[: -len(alias.name) - 1]

    def _present(self) -> set[str]:
        """The imports that stand in the same block."""
        block = self._block()
        return {ast.unparse(each) for each in block if isinstance(each, ast.Import | ast.ImportFrom)} - {
            ast.unparse(self.node)
        }

    def _is_alone(self) -> bool:
        return len(self._block()) == 1

    def _block(self) -> list[ast.stmt]:
        parent = self.file.source.parents[self.node]
        for name in ("body", "orelse", "finalbody"):
            block: list[ast.stmt] = getattr(parent, name, [])
            if any(each is self.node for each in block):
                return block
        return []


class Statements:
    """The import statements of a file."""

    def __init__(self, file: Meanings) -> None:
        self._file = file
        self._all: dict[ast.AST, Statement] = {}
        self._around = {
            alias: node
            for node in file.source.nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }

    def around(self, alias: ast.alias) -> ast.Import | ast.ImportFrom:
        """The statement of an alias."""
        return self._around[alias]

    def of(self, node: ast.Import | ast.ImportFrom) -> Statement:
        """What becomes of a statement."""
        if node not in self._all:
            self._all[node] = Statement(self._file, node)
        return self._all[node]

    def of_alias(self, alias: ast.alias) -> Statement:
        """What becomes of the statement of an alias."""
        return self.of(self._around[alias])

    def edits(self) -> Iterator[Edit]:
        """The edits of all statements."""
        for statement in self._all.values():
            yield from statement.edits()
