"""Reads what pages tell of names: what a list of changes announces, and what a manual documents.

Only names that are marked as such count, and only sentences that say nothing else: "Remove ``Old`` (breaking change)",
"Renamed :class:`Old` to :class:`New`", "``parse`` now raises ``NewError`` instead of ``OldError``", "The default of
``size`` is ``5`` now". Below a heading "Removed", or a point "Removed functions:", a name alone says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from graph.facts import Json


def _name(group: str) -> str:
    """The pattern of a name that is marked as one, as a named group."""
    return (
        r"(?::(?:py:)?(?:class|func|meth|mod|attr|exc|data|obj):)?`{1,2}(?:[^`<>]*<)?[@~.!]?"
        rf"(?P<{group}>[A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?>?`{{1,2}}"
    )


_ANY = _name("name").replace("(?P<name>", "(?:")
_NOUN = (
    r"(?:modules?|submodules?|class(?:es)?|functions?|methods?|attributes?|propert(?:y|ies)|constants?|exceptions?"
    r"|errors?|decorators?|alias(?:es)?|shims?|names?|types?|helpers?|variables?)"
)
_BEFORE = rf"(?:(?:the|an?|all|both|our|old|deprecated|obsolete|unused|legacy|previously|public|private|{_NOUN})\s+)*"
_EITHER = rf"{_BEFORE}{_ANY}(?:\s+{_NOUN})?"
_LIST = rf"{_EITHER}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+){_EITHER})*"
_END = (
    r"(?=\s*(?:$|[.;:(\[#]|,?\s*(?:in\s+favou?r\s+of|which|since|because|that\s+(?:was|were)|instead|use|deprecated"
    r"|from\s+(?:the\s+)?(?:public|api|module)|by\s+@|\d)\b|,\s*(?:use|which)))"
)
_GONE = re.compile(rf"^(?:remove[sd]?|drop(?:ped|s)?|delete[sd]?)\s+(?P<names>{_LIST}){_END}", re.IGNORECASE)
_IS_GONE = re.compile(
    rf"^(?P<names>{_LIST})\s+(?:has|have|was|were|is|are)(?:\s+been|\s+now)*\s+(?:removed|dropped|deleted|gone)\b"
    r"(?!\s+(?:support|from\s+the\s+(?:queue|list|result|output)))",
    re.IGNORECASE,
)
_RENAMED = re.compile(
    rf"^rename[sd]?\s+{_BEFORE}{_name('old')}(?:\s+{_NOUN})?\s+(?:to|as|into)\s+{_BEFORE}{_name('new')}",
    re.IGNORECASE,
)
_IS_RENAMED = re.compile(
    rf"^{_BEFORE}{_name('old')}(?:\s+{_NOUN})?\s+(?:has|was|is)(?:\s+been|\s+now)*\s+(?:renamed\s+(?:to|as)|called)\s+"
    rf"{_BEFORE}{_name('new')}",
    re.IGNORECASE,
)
_MOVED = re.compile(
    rf"^(?:move[sd]?\s+{_BEFORE}{_name('old')}(?:\s+{_NOUN})?(?:\s+from\s+{_ANY})?\s+(?:to|into)"
    rf"|{_BEFORE}{_name('other')}(?:\s+{_NOUN})?\s+(?:has|was|is)(?:\s+been|\s+now)*\s+moved\s+(?:to|into))\s+"
    rf"{_BEFORE}{_name('new')}",
    re.IGNORECASE,
)
_RAISES = re.compile(
    rf"^{_BEFORE}{_name('subject')}(?:\s+{_NOUN})?\s+(?:now|will)\s+(?:now\s+)?raises?\s+(?:an?\s+)?{_name('new')}"
    rf"(?:\s+exception)?\s+(?:instead\s+of|rather\s+than)\s+(?:an?\s+)?{_name('old')}",
    re.IGNORECASE,
)
_VALUE = r"`{1,2}(?P<%s>[^`]+)`{1,2}"
_FROM = rf"(?:\s+from\s+{_VALUE % 'old'})?"
_IN = (
    rf"(?:\s+(?:{_NOUN}|parameter|argument|option|keyword|setting))?"
    rf"(?:\s+(?:of|in|for|to)\s+{_BEFORE}{_name('subject')})?"
)
_DEFAULT = [
    re.compile(each.replace("<IN>", _IN).replace("<FROM>", _FROM), re.IGNORECASE)
    for each in (
        rf"^(?:the\s+)?default(?:\s+value)?\s+(?:of|for)\s+(?:the\s+)?{_name('name')}<IN>\s+(?:is\s+now|is|was|has)\s*"
        rf"(?:been\s+)?(?:changed\s*)?<FROM>(?:\s*to)?\s*{_VALUE % 'new'}",
        rf"^(?:change[ds]?|switch(?:ed)?|set)\s+(?:the\s+)?default(?:\s+value)?\s+(?:of|for)\s+(?:the\s+)?{_name('name')}"
        rf"<IN><FROM>\s+to\s+{_VALUE % 'new'}",
        rf"^(?:the\s+)?{_name('name')}<IN>\s+(?:now\s+defaults|defaults\s+now|defaults)\s+to\s+{_VALUE % 'new'}"
        rf"(?:\s*,?\s*(?:instead\s+of|rather\s+than|not|was|previously)\s+{_VALUE % 'old'})?",
    )
]
_REMOVED_PART = re.compile(
    r"(?:\*\*|#+\s*)?(?:removed|removals?|deleted|dropped)(?:\s+features?)?:?(?:\*\*)?:?\s*#*$", re.IGNORECASE
)
_REMOVED_LIST = re.compile(r"^(?:remove[sd]?|drop(?:ped|s)?|delete[sd]?)\b[^`.]*:$", re.IGNORECASE)
_ALONE = re.compile(rf"^(?P<names>{_LIST})(?:\s*\([^`()]*\)|{_END})", re.IGNORECASE)
_EACH = re.compile(_name("name"))
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+")
_RULE = re.compile(r"^[ \t]*([=\-~^\"'+*#.])\1{2,}[ \t]*$")
_LINK = re.compile(r"\[(`[^`]+`)\]\([^)]*\)")
_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z`:])")
_DOCUMENTED = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?:py:)?(?P<auto>auto)?(?P<what>module|class|exception|function|method"
    r"|classmethod|staticmethod|attribute|data|property|decorator|currentmodule)::[ \t]*(?P<name>[A-Za-z_][\w.]*)",
    re.MULTILINE,
)
_SHOWS_NAMES = re.compile(
    r"^[ \t]*\.\. (?:py:)?(?:auto)?(?:class|exception|function|data|module)::", re.MULTILINE
)


def looks_like_manual(text: str) -> bool:
    """Whether a page documents definitions by directives."""
    return bool(_SHOWS_NAMES.search(text))


def changes(text: str) -> list[Json]:
    """What a list of changes announces: [what, the name before, the name after or "", subject or "", words, line];
    `what` is `removed`, `renamed`, `moved`, `raises`, or `default`, which has the values and `function#parameter`."""
    return [row for each in _items(text) for row in _announced(each)]


def documented(text: str) -> list[Json]:
    """The definitions that directives document, by dotted name as the page gives it: [name, line]."""
    found: list[Json] = []
    module, around = "", [(-1, "")]
    for match in _DOCUMENTED.finditer(text):
        what, name, depth = match["what"], match["name"], len(match["indent"])
        if what in ("module", "currentmodule"):
            module = name
            if what == "module" or match["auto"]:
                found.append([name, _line(text, match.start())])
            continue
        while around[-1][0] >= depth:
            around.pop()
        holder = around[-1][1] or module
        is_full = not holder or (bool(module) and name.startswith(f"{module}."))
        full = name if is_full else f"{holder}.{name}"
        around.append((depth, full))
        found.append([full, _line(text, match.start())])
    return found


class _Item(NamedTuple):
    """A point or paragraph as one line of words, with the line that it begins at; `is_removed` says that it stands
    below a heading or another point that tells what was removed."""

    words: str
    line: int
    is_removed: bool


def _items(text: str) -> Iterator[_Item]:
    part, above = False, _Above()
    for words, line, indent in _points(text):
        if indent < 0:
            part, above = bool(_REMOVED_PART.match(words)), _Above()
            continue
        above.enter(indent, bool(_REMOVED_LIST.match(words)))
        yield _Item(words, line, part or above.is_removed)


class _Above:
    """The points that a point stands below, by their depths."""

    def __init__(self) -> None:
        self._points: list[tuple[int, bool]] = []

    def enter(self, indent: int, tells: bool) -> None:
        """Come to a point at a depth, which `tells` that those below it were removed."""
        while self._points and self._points[-1][0] >= indent:
            self._points.pop()
        self._points.append((indent, tells))

    @property
    def is_removed(self) -> bool:
        """Whether one of the points above the last one tells so."""
        return any(tells for _, tells in self._points[:-1])


def _points(text: str) -> Iterator[tuple[str, int, int]]:
    """Points and paragraphs, each as one line of words with its line and its depth; -1 for a heading."""
    words: list[str] = []
    first = depth = 0
    lines = [*text.splitlines(), ""]
    for number, line in enumerate(lines, start=1):
        item = _ITEM.match(line)
        is_heading = line.startswith("#") or bool(
            number < len(lines) and line.strip() and _RULE.match(lines[number])
        )
        is_label = bool(not item and _REMOVED_PART.match(line.strip()) and not words)
        if (item or not line.strip() or is_heading or _RULE.match(line)) and words:
            yield " ".join(words), first, depth
            words = []
        if is_heading or is_label:
            yield line.strip("# \t"), number, -1
        elif line.strip() and not _RULE.match(line):
            if not words:
                first, depth = number, len(line) - len(line.lstrip())
            words.append((line[item.end() :] if item else line).strip())


def _announced(item: _Item) -> Iterator[Json]:
    for number, sentence in enumerate(_SENTENCE.split(_LINK.sub(r"\1", item.words))):
        said = sentence.strip().removeprefix("**").strip()
        line = item.line
        if found := _RAISES.match(said):
            yield ["raises", found["old"], found["new"], found["subject"], said, line]
        elif found := next(filter(None, (each.match(said) for each in _DEFAULT)), None):
            yield [
                "default",
                found["old"] or "",
                found["new"],
                f"{found['subject'] or ''}#{found['name']}",
                said,
                line,
            ]
        elif found := _RENAMED.match(said) or _IS_RENAMED.match(said):
            yield ["renamed", found["old"], found["new"], "", said, line]
        elif found := _MOVED.match(said):
            yield ["moved", found["old"] or found["other"], found["new"], "", said, line]
        elif (
            found := _GONE.match(said)
            or _IS_GONE.match(said)
            or (_ALONE.match(said) if item.is_removed and not number else None)
        ):
            for each in _EACH.finditer(found["names"]):
                yield ["removed", each["name"], "", "", said, line]


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
