"""Ignore files: which paths git, or the user, wants left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec

from graph.compiled import compiled
from graph.facts import Skipped
from ingest.text import lines, read_bytes

_GROUP = r"\(\?P<\w+>"
# Names with single stars, question marks and sets of letters: most patterns are nothing else.
_PLAIN_SEGMENT = r"(?=[^/]*[^/*])(?:[\w.~@+$,?-]|\[[a-zA-Z0-9]+\]|\*(?!\*))+"
_PLAIN = compiled(rf"(!?)(/?)({_PLAIN_SEGMENT}(?:/{_PLAIN_SEGMENT})*)(/?)", re.ASCII)


class _Rule(msgspec.Struct, frozen=True):
    """One pattern: whether it ignores or keeps, what it matches as a whole, and whether that is a path or a name."""

    ignore: bool
    expression: str
    of_path: bool

    def matches(self, path: str) -> bool:
        return _compiled(self.expression).fullmatch(path) is not None


class Patterns:
    """The patterns of one ignore file, which stands in `folder` (relative to the root, empty for the root itself).

    For a file above the root, `above` is the root's path relative to the file's folder, with a slash at its end.
    """

    def __init__(self, source: Iterable[str], folder: str = "", above: str = "") -> None:
        self._rules = [rule for line in source if (rule := _rule(line))]
        self._rules.reverse()
        self._cut = len(folder) + 1 if folder else 0
        self._above = above
        # Most paths match no pattern at all: two alternations find that out faster than a hundred patterns. A pattern
        # without an inner slash needs to see the last name only.
        self._by_name = _any_of([rule.expression for rule in self._rules if not rule.of_path])
        self._by_path = _any_of([rule.expression for rule in self._rules if rule.of_path])

    def __bool__(self) -> bool:
        return bool(self._rules)

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """True to ignore the path (relative to the root), False to keep it, None where no pattern speaks of it."""
        return self._check(self._above + path[self._cut :] + ("/" if folder else ""))

    def hides(self, path: str) -> bool:
        """Whether the path (of a folder below this file's, or empty for the root), or one that leads to it, is to
        be ignored."""
        whole = self._above + (path[self._cut :] + "/" if path else "")
        return any(self._check(whole[: slash.end()]) for slash in re.finditer("/", whole))

    def _check(self, path: str) -> bool | None:
        name = path[path.rfind("/", 0, -1) + 1 :]
        if (self._by_name and self._by_name.fullmatch(name)) or (
            self._by_path and self._by_path.fullmatch(path)
        ):
            return next((rule.ignore for rule in self._rules if rule.matches(path)), None)
        return None


def ignored(stack: tuple[Patterns, ...], path: str, *, folder: bool) -> bool:
    """Whether the ignore files say so; the deepest that speaks of the path comes first in the stack, and decides."""
    for patterns in stack:
        verdict = patterns.verdict(path, folder=folder)
        if verdict is not None:
            return verdict
    return False


def read_patterns(root: Path, path: str, folder: str = "", above: str = "") -> Patterns | None:
    """The patterns of an ignore file, or None where there are none."""
    data = read_bytes(root, path)
    if isinstance(data, Skipped):
        return None
    # As names of files are decoded, so that both agree whatever the bytes are.
    patterns = Patterns(lines(data.decode("utf-8", "surrogateescape")), folder, above)
    return patterns or None


def patterns_above(root: Path) -> tuple[Patterns, ...]:
    """What the repository says about the root: `.gitignore` of the folders above it up to the repository's top, and
    `.git/info/exclude`; the nearest first. Patterns that would ignore the root itself are left out, because it was
    asked for. Empty where the root is not in a repository.
    """
    found: list[Patterns] = []
    above = ""
    folder = root
    while True:
        if above and (patterns := read_patterns(folder, ".gitignore", above=above)):
            found.append(patterns)
        if (folder / ".git").exists():
            if patterns := read_patterns(folder, ".git/info/exclude", above=above):
                found.append(patterns)
            break
        if folder.parent == folder:
            return ()
        above = f"{folder.name}/{above}"
        folder = folder.parent
    return tuple(p for p in found if not p.hides(""))


def _rule(line: str) -> _Rule | None:
    if not line.strip() or line.startswith("#") or _explodes(line):
        return None
    plain = _PLAIN.fullmatch(line.strip(" "))
    return _plain_rule(*plain.groups()) if plain and line[:1] != " " else _any_rule(line)


def _plain_rule(kept: str, anchor: str, body: str, end: str) -> _Rule:
    """What `_any_rule` gives for the parts of a plain pattern; importing its library takes longer than all the rest."""
    expression = re.escape(body).replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
    expression = expression.replace(r"\[", "[").replace(r"\]", "]")
    of_path = bool(anchor) or "/" in body
    before, after = "^" if of_path else "^(?:.+/)?", "(?:/)" if end else "(?:(?:/)|$)"
    return _Rule(not kept, f"{before}{expression}{after}", of_path)


def _any_rule(line: str) -> _Rule | None:
    import warnings

    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of sets of characters that look nested
            pattern = GitIgnoreSpecPattern(line)
    except (ValueError, re.error):
        return None  # git passes over a pattern that it does not understand, too
    if pattern.include is None or pattern.regex is None:
        return None
    body = line.strip().removeprefix("!")
    expression = _whole(re.sub(_GROUP, "(?:", pattern.regex.pattern), body)
    return _Rule(pattern.include, expression, "/" in body.removesuffix("/"))


def _whole(expression: str, body: str) -> str:
    """An expression for the very path that a pattern speaks of. The one for searching takes what lies below a folder,
    too; but git asks about the folder before what it holds, and a deeper ignore file may have kept that."""
    if not expression.startswith("^"):
        return ".*/" if body.endswith("/") else ".+"
    return expression + ".+" if body.endswith("/**") else expression


def _explodes(line: str) -> bool:
    """Whether matching could take for ever: the time grows with a power of the number of stars."""
    return line.count("*") > 10 or any(part.count("*") > 4 for part in line.split("/"))


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.DOTALL)


def _any_of(sources: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{source})" for source in sources), re.DOTALL) if sources else None
