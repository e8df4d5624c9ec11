"""Suppressions in a contract: `x-crossfact-ignore` at any mapping, and comments."""

from __future__ import annotations

from collections.abc import Iterator

from graph.facts import Json, Suppression
from ingest.openapi.node import Node, root_of
from ingest.suppressions import rule_names, scan
from ingest.trees.tree import Tree

KEYWORD = "x-crossfact-ignore"


def suppressions(tree: Tree, text: str) -> list[Suppression]:
    """All notes of one document; one at a mapping covers the lines of that mapping with its key."""
    found = scan(text, tree.path)
    if KEYWORD in text:
        found.extend(_in_tree(root_of(tree)))
    return found


def _in_tree(root: Node) -> Iterator[Suppression]:
    waiting = [root]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node.value) in seen or not isinstance(node.value, dict | list):
            continue
        seen.add(id(node.value))
        for key, child in node.members(extensions=True):
            if key == KEYWORD:
                for line, rules, reason in _notes(child):
                    yield Suppression(node.tree.path, line, rules, reason, node.line, node.last)
            else:
                waiting.append(child)
        waiting.extend(node.items())


def _notes(node: Node) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """Line, rules and reason of each note: `{rule: reason}`, `["rule reason"]` or `rule reason`."""
    if isinstance(node.value, dict):
        for rule, reason in node.members(extensions=True):
            yield reason.line, rule_names(rule), _reason(reason.value)
    elif isinstance(node.value, list):
        for item in node.items():
            yield item.line, *_split(item.value)
    else:
        yield node.line, *_split(node.value)


def _split(value: Json) -> tuple[tuple[str, ...], str]:
    rule, _, reason = _reason(value).partition(" ")
    return rule_names(rule), reason.strip()


def _reason(value: Json) -> str:
    return "" if value is None else str(value).strip()
