"""What the Google, NumPy and reST sections of a docstring say."""

from __future__ import annotations

import re
from keyword import iskeyword

from graph.facts import Json
from graph.patterns import pattern
from ingest.python.docstring_types import before_colon, behind_colon, in_brackets, in_field, with_none

_HINT = pattern(r":\s*$|^\s*-{3,}\s*$|^\s*[:@][a-z]", re.MULTILINE)
_MARKS = (":", "@", "---")

_SECTIONS = {
    **dict.fromkeys(("args", "arguments", "parameters", "params"), "params"),
    **dict.fromkeys(("keyword args", "keyword arguments", "other parameters"), "params"),
    **dict.fromkeys(("returns", "return", "yields"), "returns"),
    **dict.fromkeys(("raises", "raise", "exceptions"), "raises"),
    "attributes": "attributes",
}
_OTHER_SECTIONS = frozenset(
    {
        *("example", "examples", "ignore", "methods", "note", "notes", "references", "see also", "todo"),
        *("usage", "warning", "warnings", "warns"),
    }
)
_RULES = frozenset({"---", "==="})
_FIELD = pattern(r"[:@](\w+)(?:[ \t]+([^:\n]*?))?[ \t]*:(?:[ \t]+|$)(.*)")
_FIELD_SECTIONS = {
    **dict.fromkeys(("param", "parameter", "arg", "argument", "key", "keyword"), "params"),
    **dict.fromkeys(("ivar", "cvar", "var"), "attributes"),
    "return": "returns",
    "returns": "returns",
    **dict.fromkeys(("raise", "raises", "except", "exception"), "raises"),
}
_MOST_TYPE_WORDS = 3
_BUILT_IN_TYPES = frozenset(
    {
        *("bool", "bytes", "dict", "float", "int", "list", "object", "set", "str", "tuple"),
        *("string", "boolean", "integer", "function", "callable"),
    }
)
_GOOGLE_PARAMETER = pattern(r"\\?\*{0,2}(?:\\\*)?([^\W\d]\w*)[ \t]*(?:\(.*?\))?[ \t]*:(?:[ \t]+|$)(.*)")
_GOOGLE_EXCEPTION = pattern(r"((?:[^\W\d]\w*\.)*[^\W\d]\w*)(?:\([^()]*\))?[ \t]*:(?:[ \t]+|$)(.*)")
_NUMPY_NAMES = pattern(r"((?:\\?\*){0,2}[^\W\d]\w*(?:\s*,\s*(?:\\?\*){0,2}[^\W\d]\w*)*)(?:\s*:(?!\w+:`).*)?$")
_NUMPY_EXCEPTION = pattern(r"((?:[^\W\d]\w*\.)*[^\W\d]\w*)\s*:?$")
_REMARKS = frozenset(
    {"Default", "Defaults", "Example", "Examples", "Note", "Notes", "Reference", "See", "Source", "Warning"}
)
# Behind an exception, what it derives from: `NotThere(ShopError, KeyError)`.
_BASES = pattern(r"\([^()]*\)")
# An exception that stands behind the field: `:raises: ValueError if it is bad`.
_RAISED = pattern(
    r"(?:an? )?(?::(?:\w+:)+)?`{0,2}~?"
    r"((?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt))\b`{0,2}[,:]?[ \t]*(.*)"
)
_ROLE = pattern(r":(?:\w+:)+`~?([^`<]+)`")


def sections(text: str) -> dict[str, Json]:
    """What a docstring says, where it does: `summary`, `params`, `attributes` (their names), `returns`, `raises`, and
    `types`: of which type parameters are, and what is returned (`return`), as it is written."""
    text = text.strip()
    if not text:
        return {}
    if not any(mark in text for mark in _MARKS) or _HINT.search(text) is None:
        return {"summary": " ".join(text.partition("\n\n")[0].split())}
    lines = _dedented(text)
    if "```" in text:
        lines = _unfenced(lines)
    reading = _Reading()
    for number, line in enumerate(lines):
        reading.take(line, lines[number + 1] if number + 1 < len(lines) else "")
    return with_none(reading.result(), text)


class _Reading:
    """Goes through a docstring line by line and sorts what it reads into sections."""

    def __init__(self) -> None:
        self._summary: list[str] = []
        self._summary_open = True
        self._section = ""
        self._style = ""
        self._indent = 0
        self._column = 0
        self._named: dict[str, dict[str, list[str]]] = {"params": {}, "attributes": {}}
        self._returns: list[str] = []
        self._raises: list[tuple[str, list[str]]] = []
        self._types: dict[str, str] = {}
        self._current: list[str] | None = None
        self._above = self._line = ""

    def take(self, line: str, following: str) -> None:
        """Read one line; the line after it tells a NumPy header from text."""
        bare = line.strip()
        self._above, self._line = self._line, bare
        indent = len(line) - len(line.lstrip())
        if self._is_field(bare, indent) or self._is_header(bare, indent, following):
            return
        if not bare:
            self._blank()
        elif bare[0] in "-=" and len(set(bare)) == 1 and (bare[0] == "-" or self._style == "numpy"):
            self._summary_open = self._summary_open and not self._summary
        elif self._summary_open and not self._section:
            self._summary.append(bare)
        elif self._section:
            self._entry(bare, indent)

    def result(self) -> dict[str, Json]:
        """The sections that have a content."""
        parts: dict[str, Json] = {
            "summary": " ".join(" ".join(self._summary).split()),
            # A section that says `None` describes nothing.
            # One that begins with a capital and has no words of its own is a title among them.
            "params": {
                n: " ".join(text).strip()
                for n, text in self._named["params"].items()
                if _is_name(n) and (text or not n[0].isupper())
            },
            "attributes": list(filter(_is_name, self._named["attributes"])),
            "returns": " ".join(self._returns).strip(),
            "raises": [[n, " ".join(text).strip()] for n, text in self._raises if not iskeyword(n)],
            "types": {name: text for name, text in self._types.items() if text},
        }
        return {name: part for name, part in parts.items() if part}

    def _blank(self) -> None:
        if self._summary:
            self._summary_open = False
        if self._style == "field":
            self._section, self._style, self._current = "", "", None

    def _is_field(self, bare: str, indent: int) -> bool:
        """`:param int size: text` and its kin, of reST and epydoc."""
        if bare[:1] not in (":", "@"):
            return False
        match = _FIELD.match(bare)
        if match is None:
            return False
        self._summary_open = False
        self._section = _FIELD_SECTIONS.get(match[1], "other")
        self._style, self._indent, self._current = "field", indent, None
        argument = (match[2] or "").strip()
        text = [match[3]] if match[3] else []
        for name, told in in_field(match[1], argument, match[3]):
            self._types.setdefault(name, told)
        if self._section in self._named and argument:
            self._current = self._named[self._section].setdefault(_bare(_named(argument.split())), text)
        elif self._section == "raises" and argument:
            for name in _BASES.sub("", argument).split(","):
                self._current = text
                self._raises.append((_exception(name), text))
        elif self._section == "raises" and (raised := _RAISED.match(match[3])):
            self._current = [raised[2]] if raised[2] else []
            self._raises.append((raised[1], self._current))
        elif self._section == "returns":
            self._returns += text
            self._current = self._returns
        return True

    def _is_header(self, bare: str, indent: int, following: str) -> bool:
        """`Args:` of Google's style, or a title of NumPy's, underlined with `-`, and one behind such with `=`."""
        rule = following.strip()
        if bare[-1:] != ":" and rule[:3] not in _RULES:
            return False  # as nearly all lines
        name = bare.removesuffix(":").lower()
        opens = self._summary_open and not self._summary
        titled = self._style == "numpy" if rule[:1] == "=" else name in _SECTIONS or not opens
        if len(rule) >= 3 and len(set(rule)) == 1 and rule[:3] in _RULES and bare and titled:
            self._style = "numpy"
        elif bare.endswith(":") and (name in _SECTIONS or name in _OTHER_SECTIONS):
            if not self._section and self._above[-1:] == ":":
                name = ""  # an example of a docstring, which the line above announces
            deeper = bool(self._section) and self._style == "google" and indent > self._indent
            if deeper and not bare[0].isupper():
                return False
            self._style = "google"
        else:
            return False
        self._summary_open = False
        self._section = _SECTIONS.get(name, "other")
        # The first line of a docstring stands at no column that the lines below could be measured by.
        self._indent, self._current = (-1 if opens and self._style == "google" else indent), None
        return True

    def _entry(self, bare: str, indent: int) -> None:
        """A line within a section: a new entry at the entries' column, else more of the current one."""
        if self._style == "field":
            if indent > self._indent and self._current is not None:
                self._current.append(bare)
            return
        if self._style == "google" and indent <= self._indent:
            self._section, self._current = "", None
        elif self._section == "returns":
            if not self._returns:
                self._types.setdefault("return", before_colon(bare, is_numpy=self._style == "numpy"))
            self._returns.append(bare)
        elif self._section in self._named or self._section == "raises":
            self._listed(bare, indent)

    def _listed(self, bare: str, indent: int) -> None:
        if self._style == "numpy":
            opens = indent <= self._indent
        else:
            opens = self._current is None or indent <= self._column
        if not opens:
            if self._current is not None:
                self._current.append(bare)
            return
        self._column = indent
        self._current = []
        if self._style == "numpy":
            self._numpy_entry(bare)
        else:
            self._google_entry(bare)

    def _numpy_entry(self, bare: str) -> None:
        if self._section == "raises":
            found = _NUMPY_EXCEPTION.match(_unmarked(bare))
            if found is not None and self._current is not None:
                self._raises.append((found[1], self._current))
            return
        match = _NUMPY_NAMES.match(bare)
        if match is None or self._current is None:
            return
        for name in match[1].split(","):
            self._named[self._section][_bare(name)] = self._current
            if self._section == "params":
                self._types.setdefault(_bare(name), behind_colon(bare))

    def _google_entry(self, bare: str) -> None:
        pattern = _GOOGLE_EXCEPTION if self._section == "raises" else _GOOGLE_PARAMETER
        match = pattern.match(_unmarked(bare))
        if match is None or self._current is None:
            return
        if match[2]:
            self._current.append(match[2])
        if self._section == "raises":
            self._raises.append((match[1], self._current))
        else:
            self._named[self._section][match[1]] = self._current
            if self._section == "params":
                self._types.setdefault(match[1], in_brackets(bare))


def _dedented(text: str) -> list[str]:
    """The lines without the indentation that all but the first share."""
    lines = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    return [lines[0].strip(), *(line[margin:].rstrip() for line in lines[1:])]


def _unfenced(lines: list[str]) -> list[str]:
    """The lines outside of fenced blocks: what such a block shows is an example, even of a docstring."""
    kept, is_open = [], False
    for line in lines:
        if line.lstrip().startswith("```"):
            is_open = not is_open
        elif not is_open:
            kept.append(line)
    return kept


def _named(words: list[str]) -> str:
    """The parameter of `:param int size:`, or of `:param size int:` as generated clients write it, also of
    `:param size int, str:`; empty where it may be either word."""
    first, *others = words
    if len(others) > 1 and first.isidentifier() and not _is_type(first):
        types = all(_is_type(word.rstrip(",")) or word == "or" for word in others)
        if types or _is_type(words[-1]):
            return first
        return words[-1] if len(others) <= _MOST_TYPE_WORDS else ""  # a remark without a colon before it
    if len(words) != 2 or _is_type(words[0]) or not words[0].isidentifier():
        return words[-1]
    if _is_type(words[1]):
        return words[0]
    return "" if words[1][:1].isupper() else words[1]


def _is_type(word: str) -> bool:
    return word in _BUILT_IN_TYPES or word.endswith("]")


def _bare(name: str) -> str:
    """A parameter's name without the stars and backslashes of its spelling."""
    return name.strip().lstrip("\\*`").rstrip("`")


def _is_name(text: str) -> bool:
    """Whether a parameter can be called this: no keyword, no type (`:param int|None: …`), no remark (`Default: 3`)."""
    return text.isidentifier() and not iskeyword(text) and text not in _REMARKS


def _unmarked(text: str) -> str:
    """Text without the reST role around a leading name: :class:`ValueError` is ValueError."""
    return _ROLE.sub(r"\1", text) if ":`" in text else text


def _exception(name: str) -> str:
    return _unmarked(name).strip(" `~")
