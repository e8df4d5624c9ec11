"""The file of links that people decided by hand: read with the line of every mistake, written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import yaml

from crossval.link.traces.records import Decisions
from graph.errors import ConfigurationError
from graph.files import keep_file, read_plain

_HEADER = """\
# Links between stories or criteria (spec) and code or tests (other) that people decided by hand.
# They win over whatever crossfact concludes: an accepted link is certain, a rejected one is never proposed again.
# `crossfact link --accept SPEC OTHER` and `--reject SPEC OTHER` keep this file; it may be edited, and belongs in git.
"""
_LARGEST = 16 * 1024 * 1024
_PARTS = ("accepted", "rejected")
_ENDS = ("spec", "other")
_SPEC = ("spec:criterion:", "spec:story:")

Pair = tuple[str, str]


def load(file: Path) -> Decisions:
    """The decisions in a file; none where there is no file. Raises ConfigurationError with every mistake's line."""
    try:
        content = read_plain(file, _LARGEST)
    except (OSError, ValueError) as error:
        raise _broken(file, [f"{file.name}: it cannot be read: {error}"]) from error
    if content is None:
        return Decisions()
    try:
        node = yaml.compose(content.decode("utf-8-sig"), Loader=yaml.SafeLoader)
    except RecursionError as error:
        raise _broken(file, [f"{file.name}: it is nested too deeply"]) from error
    except UnicodeDecodeError as error:
        raise _broken(file, [f"{file.name}: it is not UTF-8"]) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise _broken(
            file, [f"{file.name}:{line}: it is no YAML: {getattr(error, 'problem', error)}"]
        ) from error
    reader = _Reader(file.name)
    decided = reader.decisions(node)
    if reader.mistakes:
        raise _broken(file, reader.mistakes)
    return decided


def save(decisions: Decisions, file: Path) -> bool:
    """Write the decisions, sorted; whether the file had to be changed. Raises ConfigurationError."""
    return keep_file(file, _rendered(decisions).encode("utf-8"), "the file of links")


def accept(decisions: Decisions, pairs: Iterable[Pair]) -> Decisions:
    """The decisions with these links accepted, whatever was said of them before."""
    chosen = frozenset(pairs)
    return Decisions(decisions.accepted | chosen, decisions.rejected - chosen)


def reject(decisions: Decisions, pairs: Iterable[Pair]) -> Decisions:
    """The decisions with these links rejected, whatever was said of them before."""
    chosen = frozenset(pairs)
    return Decisions(decisions.accepted - chosen, decisions.rejected | chosen)


def forget(decisions: Decisions, pairs: Iterable[Pair]) -> Decisions:
    """The decisions without these links: the evidence decides again."""
    chosen = frozenset(pairs)
    return Decisions(decisions.accepted - chosen, decisions.rejected - chosen)


def _broken(file: Path, mistakes: list[str]) -> ConfigurationError:
    return ConfigurationError("\n".join(mistakes), f"Correct {file.name}; its first lines say what it is.")


def _rendered(decisions: Decisions) -> str:
    parts = [_HEADER, "version: 1\n"]
    for name in _PARTS:
        pairs = sorted(getattr(decisions, name))
        parts.append(f"{name}:\n" if pairs else f"{name}: []\n")
        for spec, other in pairs:
            parts.append(f"  - spec: {_quoted(spec)}\n    other: {_quoted(other)}\n")
    return "".join(parts)


def _quoted(identifier: str) -> str:
    """A JSON string, which is YAML too, whatever the id holds."""
    return msgspec.json.encode(identifier).decode()


class _Reader:
    """Walks the nodes of the file and collects what is wrong with them."""

    def __init__(self, name: str) -> None:
        self.mistakes: list[str] = []
        self._name = name

    def decisions(self, node: yaml.Node | None) -> Decisions:
        """What the file decides; what cannot be understood becomes a mistake."""
        if node is None:
            return Decisions()
        found: dict[str, set[Pair]] = {part: set() for part in _PARTS}
        lines: dict[Pair, str] = {}
        for key, value in self._members(node, "the file"):
            if key == "version":
                if not (isinstance(value, yaml.ScalarNode) and value.value == "1"):
                    self._wrong(value, "only version 1 is known")
            elif key not in found:
                self._wrong(value, f"{key!r} is not known; there are version, accepted and rejected")
            else:
                for pair, entry in self._pairs(value):
                    if lines.setdefault(pair, key) != key:
                        self._wrong(entry, f"{pair[0]} and {pair[1]} are both accepted and rejected")
                    found[key].add(pair)
        return Decisions(frozenset(found["accepted"]), frozenset(found["rejected"]))

    def _pairs(self, node: yaml.Node) -> Iterable[tuple[Pair, yaml.Node]]:
        if isinstance(node, yaml.ScalarNode) and node.value in ("", "null", "~"):
            return
        if not isinstance(node, yaml.SequenceNode):
            self._wrong(node, "a list of links is expected")
            return
        for entry in node.value:
            ends = {}
            for key, value in self._members(entry, "a link"):
                if key not in _ENDS:
                    self._wrong(value, f"{key!r} is not known; a link has spec and other")
                elif not isinstance(value, yaml.ScalarNode) or value.value.count(":") < 2:
                    self._wrong(value, f"{key} must be the id of a fact, as `crossfact facts` prints it")
                elif key == "spec" and not value.value.startswith(_SPEC):
                    self._wrong(value, "spec must be a criterion or a story")
                else:
                    ends[key] = value.value
            if isinstance(entry, yaml.MappingNode) and len(entry.value) < len(_ENDS):
                self._wrong(entry, "a link has both spec and other")
            if len(ends) == len(_ENDS):
                yield (ends["spec"], ends["other"]), entry

    def _members(self, node: yaml.Node, what: str) -> Iterable[tuple[str, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            self._wrong(node, f"{what} must be a mapping")
            return
        seen = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                self._wrong(key, f"{name} is given twice")
            seen.add(name)
            yield name, value

    def _wrong(self, node: yaml.Node, why: str) -> None:
        self.mistakes.append(f"{self._name}:{node.start_mark.line + 1}: {why}")
