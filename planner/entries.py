"""One case as lines of the checklist, and the change of some of its keys in lines that a person may have edited."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from planner.cases import Case

_INDENT = "    "
_PLAIN = re.compile(r"[A-Za-z][\w ./()-]*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_TRAILING = re.compile(r"\s#[^\n'\"]*$")


def entry_lines(case: Case) -> list[str]:
    """The lines of a new entry, which begins with a dash; what is empty is left out."""
    lines: list[str] = []
    for name, value in _told(case).items():
        lines += rendered(name, value)
    return [f"  - {lines[0].lstrip()}", *lines[1:]]


def entry_of(lines: Sequence[str], keys: Mapping[str, tuple[int, int]], old: Case, new: Case) -> list[str]:
    """The lines of an entry in which exactly the keys that differ are written anew; comments stay where they were."""
    before, after = _told(old), _told(new)
    result: list[str] = []
    position = 0
    for name, (start, end) in sorted(keys.items(), key=lambda each: each[1]):
        result += lines[position:start]
        block = lines[start:end]
        if before.get(name) == after.get(name):
            result += block
        elif name in after:
            result += _exchanged(block, name, after[name])
        else:
            result += [line for line in block if line.lstrip().startswith("#")]
        position = end
    trailing = list(lines[position:])
    fresh = [name for name in after if name not in keys and before.get(name) != after[name]]
    added = [line for name in fresh for line in rendered(name, after[name])]
    return [*result, *added, *trailing]


def key_lines(
    lines: Sequence[str], starts: Sequence[int], value: Mapping[str, Any]
) -> dict[str, tuple[int, int]]:
    """For each key of an entry, the first of its lines and the one after its last; `starts` are its keys' lines."""
    ends = [*sorted(starts)[1:], _last(lines)]
    following = dict(zip(sorted(starts), ends, strict=True))
    return {key: (start, following[start]) for key, start in zip(value, starts, strict=True)}


def rendered(name: str, value: Any) -> list[str]:
    """A key with its value as lines of YAML below an entry's dash; each member of a list of records on its own line."""
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        return [f"{_INDENT}{name}:\n", *(f"{_INDENT}  - {_flow(each)}\n" for each in value)]
    return [f"{_INDENT}{name}: {_flow(value)}\n"]


def _flow(value: Any) -> str:
    """A value on one line: words as they are where YAML cannot take them for something else, else as in JSON."""
    match value:
        case str() if _PLAIN.fullmatch(value) and value.lower() not in _WORDS and not value.endswith(" "):
            return value
        case dict():
            return "{" + ", ".join(f"{_flow(key)}: {_flow(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_flow, value)) + "]"
        case _:
            return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", msgspec.json.encode(value).decode())


def _last(lines: Sequence[str]) -> int:
    """The line after an entry's last value: blank lines and comments at its end belong to nobody."""
    end = len(lines)
    while end > 0 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _exchanged(block: Sequence[str], name: str, value: Any) -> list[str]:
    fresh = rendered(name, value)
    first = block[0]
    dash = first[: len(first) - len(first.lstrip())] + "- " if first.lstrip().startswith("- ") else ""
    if dash:
        fresh[0] = f"{dash}{fresh[0].lstrip()}"
    if len(block) == 1 and len(fresh) == 1 and (comment := _TRAILING.search(first.rstrip("\n"))):
        fresh[0] = fresh[0].rstrip("\n") + f" {comment.group()}\n"
    kept = [line for line in block[1:] if line.lstrip().startswith("#") or not line.strip()]
    return [*fresh, *kept]


def _told(case: Case) -> dict[str, Any]:
    """What of a case is worth a line: its id and words, and whatever is not empty."""
    values: dict[str, Any] = msgspec.to_builtins(case)
    always = ("id", "description", "subject", "technique", "layer", "status")
    order = [*always, *(name for name in values if name not in always)]
    return {
        name: _plain(values[name]) for name in order if name in always or not _is_empty(name, values[name])
    }


def _is_empty(name: str, value: Any) -> bool:
    return value in ("", 0, 0.0, None) or (isinstance(value, list | tuple | dict) and not value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value
