"""Puts generated tests into files: one function among others, replaced where it is ours, left alone where it is not.

A test that a person edited is told by its source: the hash of what was generated is kept with its case.
"""

from __future__ import annotations

import ast
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from graph.errors import UsageError
from graph.files import read_plain, replace_file
from planner.generator import Draft

_LIMIT = 5_000_000


class Placed(msgspec.Struct, frozen=True):
    """Where a draft went: pytest's node id, the hash of its source there, and whether a person's version was kept."""

    case: str
    node: str
    digest: str
    kept: bool = False


class Known(msgspec.Struct, frozen=True):
    """What is known of a case's test from before: its node id, and the hash of what was generated."""

    node: str
    digest: str


def place(root: Path, drafts: Sequence[Draft], known: dict[str, Known]) -> list[Placed]:
    """Write drafts into their files below a project; every file is replaced at once. Gives where each went.

    A function that a person edited (its hash is another than the known one), or that stands there without being ours,
    is left as it is.
    """
    placed: list[Placed] = []
    by_file: dict[str, list[Draft]] = {}
    for draft in drafts:
        by_file.setdefault(draft.module_path, []).append(draft)
    for path, group in sorted(by_file.items()):
        file = _inside(root, path)
        text = _text(file)
        new, here = _with(text, group, known, path)
        if new != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(file, new.encode())
        placed += here
    return placed


def take_out(root: Path, tests: Sequence[Known]) -> None:
    """Remove tests that were generated from their files; one that a person edited stays."""
    by_file: dict[str, list[Known]] = {}
    for test in tests:
        by_file.setdefault(test.node.partition("::")[0], []).append(test)
    for path, group in sorted(by_file.items()):
        file = _inside(root, path)
        text = new = _text(file)
        for test in group:
            name = test.node.partition("::")[2]
            standing = source_of(new, name)
            if standing is not None and digest(standing) == test.digest:
                first, last = _spans(new)[name]
                rows = new.splitlines(keepends=True)
                rest = "".join(rows[last:]).strip("\n")
                new = "".join(rows[:first]).rstrip() + (f"\n\n\n{rest}\n" if rest else "\n")
        if new != text:
            replace_file(file, new.encode())


def digest(source: str) -> str:
    """The hash of a function's source, whatever its layout: 16 hex digits."""
    return hashlib.sha256(ast.dump(ast.parse(source)).encode()).hexdigest()[:16]


def source_of(text: str, name: str) -> str | None:
    """The source of a function at the top of a module, with its decorators; None where there is none."""
    span = _spans(text).get(name)
    if span is None:
        return None
    return "".join(text.splitlines(keepends=True)[span[0] : span[1]])


def _with(text: str, drafts: Sequence[Draft], known: dict[str, Known], path: str) -> tuple[str, list[Placed]]:
    placed = []
    # New functions go to the end together: a file of many tests would be parsed once for each of them otherwise.
    added: dict[str, str] = {}
    imports: list[str] = []
    for draft, source in zip(drafts, formatted([draft.source for draft in drafts]), strict=True):
        fresh = digest(source)
        name = _free_name(text, added, draft, fresh, known, path)
        if name != draft.name:
            source = source.replace(f"def {draft.name}(", f"def {name}(", 1)
            fresh = digest(source)
        standing = source_of(text, name) or added.get(name)
        before = known.get(draft.case)
        kept = standing is not None and digest(standing) not in (fresh, before.digest if before else "")
        if standing is None or (not kept and name in added):
            added[name] = source
        elif not kept and digest(standing) != fresh:
            text = _replaced(text, name, source)
        if not kept:
            imports += draft.imports
        placed.append(
            Placed(draft.case, f"{path}::{name}", before.digest if kept and before else fresh, kept)
        )
    if added:
        text = _appended(text, "\n\n".join(f"{source.rstrip()}\n" for source in added.values()))
    return with_imports(text, imports), placed


def _free_name(
    text: str, added: dict[str, str], draft: Draft, fresh: str, known: dict[str, Known], path: str
) -> str:
    """The name that the case's test has in this file, or one that no other test there has."""
    before = known.get(draft.case)
    if before is not None and before.node.startswith(f"{path}::"):
        return before.node.rpartition("::")[2]
    taken = {
        each.node.rpartition("::")[2]
        for case, each in known.items()
        if case != draft.case and each.node.startswith(f"{path}::")
    }
    taken |= (set(_spans(text)) | set(added)) - {draft.name}
    standing = source_of(text, draft.name) or added.get(draft.name)
    if standing is not None and digest(standing) != fresh:
        taken.add(draft.name)
    name, number = draft.name, 2
    while name in taken:
        name, number = f"{draft.name}_{number}", number + 1
    return name


@lru_cache(maxsize=4)
def _spans(text: str) -> dict[str, tuple[int, int]]:
    """The first row and the one after the last of each function at the top of a module."""
    spans = {}
    for node in _tree(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            spans[node.name] = (first - 1, node.end_lineno or node.lineno)
    return spans


@lru_cache(maxsize=4)
def _tree(text: str) -> ast.Module:
    """The tree of a module, which nobody changes: one text is asked for several times, and may have many tests."""
    return ast.parse(text)


def _appended(text: str, source: str) -> str:
    return f"{text.rstrip()}\n\n\n{source}" if text.strip() else source


def _replaced(text: str, name: str, source: str) -> str:
    first, last = _spans(text)[name]
    rows = text.splitlines(keepends=True)
    return "".join([*rows[:first], source, *rows[last:]])


def with_imports(text: str, imports: Iterable[str]) -> str:
    """The module with these imports at its top, sorted, the standard library first; what is there already stays."""
    tree = _tree(text)
    there = {ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
    missing = [each for each in dict.fromkeys(imports) if each not in there]
    if not missing:
        return text
    rows = text.splitlines(keepends=True)
    block = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    statements = sorted({*there, *missing}, key=_import_order)
    lines: list[str] = []
    for statement in statements:
        if lines and _is_standard(lines[-1]) and not _is_standard(statement):
            lines.append("\n")
        lines.append(f"{statement}\n")
    if not block:
        start = (
            1
            if tree.body
            and isinstance(tree.body[0], ast.Expr)
            and isinstance(tree.body[0].value, ast.Constant)
            else 0
        )
        at = (tree.body[0].end_lineno or 0) if start else 0
        return "".join([*rows[:at], *(["\n"] if at else []), *lines, "\n\n", *rows[at:]])
    first, last = block[0].lineno - 1, block[-1].end_lineno or block[-1].lineno
    simple = all(
        isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body if first < node.lineno <= last
    )
    if not simple:
        return "".join([*rows[:last], *(f"{each}\n" for each in missing), *rows[last:]])
    return "".join([*rows[:first], *lines, *rows[last:]])


def _import_order(statement: str) -> tuple[bool, bool, str]:
    return (not _is_standard(statement), statement.startswith("from"), statement)


def _is_standard(statement: str) -> bool:
    words = statement.split()
    return len(words) > 1 and words[1].partition(".")[0] in sys.stdlib_module_names


def formatted(sources: Sequence[str]) -> list[str]:
    """Functions as ruff formats them, where it is installed; else as they are."""
    program = shutil.which("ruff", path=f"{Path(sys.executable).parent}") or shutil.which("ruff")
    if program is None or not sources:
        return list(sources)
    done = subprocess.run(
        [program, "format", "--isolated", "--no-cache", "--line-length", "100", "-"],
        input="\n\n\n".join(sources),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    rows = done.stdout.splitlines(keepends=True)
    nodes = ast.parse(done.stdout).body if done.returncode == 0 else []
    if len(nodes) != len(sources):
        return list(sources)
    starts = [
        min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))]) - 1
        for node in nodes
    ]
    return ["".join(rows[start : node.end_lineno]) for start, node in zip(starts, nodes, strict=True)]


def _inside(root: Path, path: str) -> Path:
    """The file below the project, whatever links there are. Raises UsageError where it lies elsewhere."""
    file = (root / path).resolve()
    if not file.is_relative_to(root.resolve()) or file.suffix != ".py":
        raise UsageError(f"{path}: lies outside the project", "Name another folder for generated tests.")
    return file


def _text(file: Path) -> str:
    try:
        content = read_plain(file, _LIMIT)
        text = "" if content is None else content.decode("utf-8")
        ast.parse(text)
    except (OSError, ValueError, SyntaxError) as error:
        raise UsageError(f"{file}: cannot be read as Python: {error}", "Mend it, or move it away.") from error
    return text
