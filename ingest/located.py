"""Bounded reading of YAML and JSON: every value with its line, and no input that can crash or flood it."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from ingest.trees.tree import Tree, Unreadable

MAX_BYTES = 20_000_000

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


def read_located(text: str, path: str, line_offset: int = 0) -> Tree | Unreadable:
    """The value of a YAML or JSON text with the line of everything in it, or why it cannot be read.

    Scalars are those of YAML 1.2's core schema, restricted to JSON: no dates, no `yes` or `on`, `012` is twelve;
    keys are strings as written. Merge keys (`<<`) are followed. At most 20 MB, 100 levels, 2 million values, 5
    million with aliases followed. `line_offset` is added to every line (for front matter).
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        return Unreadable(
            path, 1, f"larger than {MAX_BYTES:,} bytes", "Split the document into several files."
        )
    json_like = text.lstrip()[:1] in ("{", "[")
    tree = _json_like(text, path) if json_like else _yaml(text, path)
    return _relined(tree, lambda line: line + line_offset) if line_offset else tree


def _yaml(text: str, path: str) -> Tree | Unreadable:
    # Imported here: PyYAML costs start-up time that most commands do not need.
    from ingest.trees.yaml_text import read_yaml

    tree = read_yaml(text, path)
    return _relined(tree, _editor_line(text)) if _breaks_elsewhere(text) else tree


def _json_like(text: str, path: str) -> Tree | Unreadable:
    """YAML's parser is the faster one; JSON's is asked where the two read the same text differently."""
    from ingest.trees.json_text import read_json

    tree: Tree | Unreadable | None = None if _breaks_elsewhere(text) else _yaml(text, path)
    if isinstance(tree, Tree):
        return tree
    strict = read_json(text, path)
    if isinstance(strict, Tree) or path.endswith(".json"):
        return strict
    return tree or _yaml(text, path)


def _breaks_elsewhere(text: str) -> bool:
    """Whether YAML 1.1 breaks lines of this text where editors and JSON do not."""
    return any(character in text for character in "\x85\u2028\u2029")


def _editor_line(text: str) -> Callable[[int], int]:
    """From a line as YAML 1.1 counts them to the line as editors do."""
    lines = [1]
    for match in _BREAK.finditer(text):
        lines.append(lines[-1] + (match.group() in ("\n", "\r", "\r\n")))
    return lambda line: lines[min(line, len(lines)) - 1]


def _relined(tree: Tree | Unreadable, line: Callable[[int], int]) -> Tree | Unreadable:
    if isinstance(tree, Unreadable):
        return msgspec.structs.replace(tree, line=line(tree.line))
    return tree.relined(line)
