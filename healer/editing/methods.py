"""Chooses by which method an edit is made: one unique text, a diff within a function, or a function written anew."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterator
from typing import Any

import msgspec

from healer.analysis import Analysis
from healer.editing.edits import edited
from healer.editing.exchanging import Refused
from healer.editing.functions import named_functions, parsed
from healer.editing.texts import rows
from healer.payload import Payload, Update

ORDER = ("update", "patch", "rewrite")
"""From the smallest to the largest; where one fails, the next is tried."""


class Thresholds(msgspec.Struct, frozen=True):
    """Up to where a method is chosen: `patch_lines` changed lines are too many for a patch, more than `update_lines`
    lines around a change for one unique text."""

    update_lines: int = 5
    patch_lines: int = 10


DEFAULTS = Thresholds()


def methods(analysis: Analysis, thresholds: Thresholds = DEFAULTS) -> tuple[str, ...]:
    """The methods for a failure, the first choice first: what the failure's text and reach allow, then the larger ones.

    `update` needs one place whose text is unique in its file, `patch` few lines within one function.
    """
    if analysis.scope == "local" and analysis.uniqueness == 1.0 and analysis.locations <= 1:
        return ORDER
    if analysis.scope != "file_wide" and analysis.lines < thresholds.patch_lines:
        return ORDER[1:]
    return ORDER[2:]


def expressed(
    path: str,
    before: str,
    after: str,
    *,
    reasoning: str,
    cites: tuple[str, ...] = (),
    thresholds: Thresholds = DEFAULTS,
) -> Payload:
    """A change of a file as the payload of the smallest method that can make it.

    Raises Refused where nothing would change.
    """
    if before == after:
        raise Refused("nothing would change")
    for edit in _candidates(path, before, after, thresholds):
        payload = Payload(reasoning=reasoning, file_to_patch=path, cites=cites, **edit)
        with contextlib.suppress(Refused):
            if edited(payload, before).words == after:
                return payload
    return Payload(reasoning=reasoning, file_to_patch=path, cites=cites, new_content=after)


def _candidates(path: str, before: str, after: str, thresholds: Thresholds) -> Iterator[dict[str, Any]]:
    for update in _updates(before, after, thresholds):
        yield {"update": update}
    name = _only_function(before, after)
    patch = diff(before, after, path)
    if name and sum(line[:1] in ("+", "-") for line in patch[2:]) < thresholds.patch_lines:
        yield {"patch": "\n".join(patch) + "\n"}
    if name:
        yield {"function": name, "new_content": _source(after, name)}


def diff(before: str, after: str, path: str = "", around: int = 2) -> list[str]:
    """The lines of a unified diff, without their ends, with so many lines around each change."""
    old, new = before.split("\n"), after.split("\n")
    lines = [f"--- a/{path}", f"+++ b/{path}"]
    # The one of the standard library takes frequent lines of long files for noise, and so shows more than changed.
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(around):
        first, last = group[0], group[-1]
        lines.append(f"@@ -{first[1] + 1},{last[2] - first[1]} +{first[3] + 1},{last[4] - first[3]} @@")
        for kind, start, end, from_, until in group:
            if kind == "equal":
                lines += (f" {line}" for line in old[start:end])
                continue
            lines += (f"-{line}" for line in old[start:end])
            lines += (f"+{line}" for line in new[from_:until])
    return lines


def _updates(before: str, after: str, thresholds: Thresholds) -> Iterator[Update]:
    """The change as the exchange of one text: its lines, then with more and more of those around them."""
    old, new = rows(before), rows(after)
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    last = 0
    while last < most - first and old[-1 - last] == new[-1 - last]:
        last += 1
    start, end = first, len(old) - last
    if max(end - start, len(new) - last - first) > thresholds.update_lines:
        return
    for _ in range(thresholds.update_lines):
        yield Update("".join(old[start:end]), "".join(new[start : end + len(new) - len(old)]))
        if start > 0:
            start -= 1
        elif end < len(old):
            end += 1
        else:
            return


def _only_function(before: str, after: str) -> str:
    """The one function that a change lies in; empty where it lies in several or in none."""
    try:
        old, new = _sources(before), _sources(after)
    except Refused:
        return ""
    changed = [name for name in old if old[name] != new.get(name)]
    if len(changed) != 1 or old.keys() != new.keys():
        return ""
    return changed[0]


def _sources(words: str) -> dict[str, str]:
    lines = rows(words)
    spans = {
        name: (min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1, node.end_lineno)
        for name, node in named_functions(parsed(words))
    }
    return {name: "".join(lines[first:last]) for name, (first, last) in spans.items()}


def _source(words: str, name: str) -> str:
    return _sources(words)[name]
