"""Notes in comments that silence findings: `# crossfact: ignore[rule, …] reason`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.compiled import compiled
from graph.facts import Suppression
from ingest.text import lines

_NOTE = compiled(r"crossfact:[ \t]*ignore\b[ \t]*(?:\[(?P<rules>[^\]\n]*)\])?[ \t]*(?P<reason>.*)")
_SEPARATOR = compiled(r"[,\s]+")


def scan(text: str, path: str, prefixes: Sequence[str] = ("#",)) -> list[Suppression]:
    """The suppressions in the comments of a text, in the order of their lines.

    A comment starts with one of `prefixes` and runs to the end of its line (`<!--` to its `-->`). One at the end
    of a line covers that line; one alone on its line covers the next line that is neither blank nor a comment.
    Text that merely looks like a comment (in a string, say) counts too: callers that know better leave it out.
    """
    if "crossfact:" not in text:
        return []
    rows = lines(text)
    openings = "|".join(re.escape(prefix) for prefix in prefixes)
    comment = re.compile(rf"(?P<code>.*?)(?:{openings})[ \t]*(?P<note>crossfact:[ \t]*ignore\b.*)")
    alone = re.compile(rf"[ \t]*(?:(?:{openings}).*)?")
    found = []
    for index, row in enumerate(rows):
        match = comment.match(row) if "crossfact:" in row else None
        if match is None:
            continue
        covered = index
        if not match["code"].strip():
            covered = next((n for n in range(index + 1, len(rows)) if not alone.fullmatch(rows[n])), index)
        if suppression := note(match["note"], path, index + 1, covered + 1, covered + 1):
            found.append(suppression)
    return found


def note(comment: str, path: str, line: int, first: int, last: int) -> Suppression | None:
    """The suppression that the words of one comment make for the lines `first` to `last`, or None.

    A note without a reason has an empty one, a note that names no rule has no rules.
    """
    match = _NOTE.search(comment)
    if match is None:
        return None
    reason = match["reason"].strip().removesuffix("-->").removesuffix("*/").strip()
    return Suppression(path, line, rule_names(match["rules"] or ""), reason, first, last)


def rule_names(text: str) -> tuple[str, ...]:
    """The names in a list of rules that are separated by commas or blanks."""
    return tuple(name for name in _SEPARATOR.split(text) if name)
