"""Takes away imports that nothing uses any more, once the tests that used them are gone."""

from __future__ import annotations

import ast

from healer.editing.functions import parsed


def without_unused(before: str, after: str) -> str:
    """The text `after` an edit without the imports of its top level that were used `before` and no longer are.

    Raises Refused where one of the texts is no Python.
    """
    used, uses = _used(parsed(before)), _used(parsed(after))
    content = after.encode()
    starts = [0]
    for row in content.split(b"\n"):
        starts.append(starts[-1] + len(row) + 1)
    for node in reversed(parsed(after).body):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        gone = [each for each in node.names if _bound(each) in used - uses]
        for start, end in reversed(_spans(node, gone, starts)):
            content = content[:start] + content[end:]
    return content.decode()


def _spans(
    node: ast.Import | ast.ImportFrom, gone: list[ast.alias], starts: list[int]
) -> list[tuple[int, int]]:
    """The bytes that go with some names of an import, in their order; its lines where all go."""
    if not gone:
        return []
    if len(gone) == len(node.names):
        return [(starts[node.lineno - 1], starts[node.end_lineno or node.lineno])]
    spans = []
    kept = [each for each in node.names if each not in gone]
    for at, alias in enumerate(node.names):
        if alias not in gone:
            continue
        if any(each in kept for each in node.names[at + 1 :]):
            following = node.names[at + 1]
            spans.append((_start(alias, starts), _start(following, starts)))
        else:
            last = node.names[-1]
            spans.append((_end(kept[-1], starts), _end(last, starts)))
            break
    return spans


def _used(tree: ast.Module) -> set[str]:
    """The names that a module uses, those in its texts that are nothing but a name among them."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _start(alias: ast.alias, starts: list[int]) -> int:
    return starts[alias.lineno - 1] + alias.col_offset


def _end(alias: ast.alias, starts: list[int]) -> int:
    return starts[(alias.end_lineno or alias.lineno) - 1] + (alias.end_col_offset or 0)
