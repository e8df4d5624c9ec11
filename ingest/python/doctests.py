"""The examples of docstrings: what stands behind `>>>`, and what is expected of it."""

from __future__ import annotations

import ast
import re

from graph.facts import Json
from graph.literals import is_literal
from graph.patterns import pattern
from ingest.python.asserted import asserted_line
from ingest.python.notebook_prompts import plain_prompts
from ingest.python.quiet_examples import with_quiet
from ingest.python.raising_remarks import caught, raised_alone
from ingest.python.shown_output import GIVES, spelled

# As the module `doctest` reads them: a prompt, its continuations, and what is expected up to an empty line or prompt.
_EXAMPLE = pattern(
    r"^(?P<indent>[ \t]*)>>>(?P<source>(?:[ ].*|)(?:\n[ \t]*\.\.\.(?:[ ].*|))*)"
    r"(?P<want>(?:\n(?![ \t]*$|[ \t]*>>>).+)*)",
    re.MULTILINE,
)
# A text of bytes with signs that none of them has by itself: in a docstring that is not raw, `\xf8` is a letter.
_BYTES = pattern(r"\bb(?P<mark>['\"])[^\n'\"]*[^ -~\n][^\n'\"]*(?P=mark)")
_CONTINUED = pattern(r"^[ \t]*\.\.\. ?", re.MULTILINE)
_FENCE = pattern(r"^[ \t]*(?:```|~~~|\"\"\"|''').*$", re.MULTILINE)
# The value may not hold a `#` itself, so that a remark is never taken out of the middle of a text.
_REMARK = pattern(
    rf"#[ \t]*(?P<arrow>[=-]+>|→|⇒|{GIVES}\b[ \t]*:?)?[ \t]*(?P<value>[^#\n]+?)(?:[ \t]+\([^()#\n]*\))?[ \t]*$"
)
# A field of the docstring right below, as nobody prints one.
_FIELD = pattern(r"^[ \t]*:(?:param|type|returns?|rtype|raises?|yields?|ytype)\b[^:\n]*:", re.MULTILINE)
# What shows nothing, so that remarks below it speak of what comes next.
_SILENT = pattern(r"(?:import|from)[ \t]+[\w.]|[^\W\d]\w*[ \t]*=[^=]")
_REMARKS = pattern(r"(?:#[^\n]*(?:\n|\Z))+")
# What Python 2 printed without brackets.
_OLD_PRINT = pattern(r"print[ \t]+(?P<value>(?![(=>.,])[^\n#]*[^\s,#])[ \t]*\Z")
# What Python shows of an object that can be made so.
_MADE = pattern(r"(?:[^\W\d]\w*\.)*[^\W\d]\w*\([^\n#]*\)")
_MOST = 300
_LONGEST = 4000


def examples(text: str, first_line: int) -> list[Json]:
    """The examples of a docstring that begins on a line, in their order: [source, expected text, line].

    The expected text is empty for what prints nothing, such as the lines that prepare an example; a line that doctest
    calls `<BLANKLINE>` is empty in it. Where nothing is shown below a line, a remark behind or below it may tell what
    it gives: `is_even(3)  # False`; and it is `None` for what gives values in other lines. What is too long to be an
    example is cut off with all that follows.
    """
    text = plain_prompts(text)
    if ">>>" not in text:
        return []
    found: list[Json] = []
    end = 0
    shown = text.expandtabs()
    if "b'" in shown or 'b"' in shown:
        shown = _BYTES.sub(_escaped, shown)
    for match in _EXAMPLE.finditer(shown):
        if match.start() < end:
            continue  # It stands inside of a text.
        source = _CONTINUED.sub("", match["source"].strip("\n").removeprefix(" ").rstrip())
        want = _wanted(match["want"], len(match["indent"]))
        if whole := _closed(match, source):
            (source, end), want = whole, ""
        if len(found) == _MOST or len(source) + len(want) > _LONGEST:
            break
        if source:
            source = _of_today(source, want) if source.startswith("print ") else source
            if _SILENT.match(source) and _REMARKS.fullmatch(want):
                want = ""
            if _REMARKS.fullmatch(want) and "print" not in source:
                want = _behind_sign(want)
            want = raised_alone(want) if "print" not in source else want
            want = want or (_remarked(source) if "#" in source else "")
            if source.startswith("#") and found and not found[-1][1]:
                found[-1][1] = _remarked(f"{found[-1][0]}  {source}")
            told = [source, want] if want else asserted_line(source) or [source, want]
            told = caught(*told) or told
            found.append([*told, first_line + text.count("\n", 0, _start(text, match))])
    return with_quiet(found)


def _of_today(source: str, want: str) -> str:
    """What a statement that prints is today; one that prints a dictionary or set, which had no order, gives it."""
    found = _OLD_PRINT.match(source)
    if found is None:
        return source
    try:
        ast.parse(found["value"].strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    value = found["value"].strip()
    return value if want.startswith("{") and is_literal(want) else f"print({value})"


def _escaped(match: re.Match[str]) -> str:
    """A text of bytes as it was written, before its escapes were read."""
    text = match[0]
    if max(text) > "\xff":
        return text
    return "".join(each if " " <= each <= "~" else f"\\x{ord(each):02x}" for each in text)


def _closed(match: re.Match[str], source: str) -> tuple[str, int] | None:
    """A source with the rest of a text that it begins, whose other lines have no prompts, and where that ends."""
    mark = next((each for each in ("'''", '"""') if source.count(each) % 2), "")
    end = match.string.find(mark, match.end("source")) if mark else -1
    if end < 0 or "\n" in source:
        return None
    lines = match.string[match.end("source") + 1 : end].split("\n")
    indent = len(match["indent"])
    inner = (line[indent:] if not line[:indent].strip() else line.lstrip() for line in lines)
    return "\n".join([source, *inner]) + mark, end + len(mark)


def _remarked(source: str) -> str:
    """The value that a remark behind an expression tells, which is a literal and may have more words in brackets."""
    found = _REMARK.search(source)
    if found is None:
        return ""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    match tree.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="print" | "pprint")))]:
            return ""
        case [ast.Expr(end_lineno=int() as line, end_col_offset=int() as end)]:
            behind = source.splitlines()[line - 1].encode()[end:].decode("utf-8", "replace").strip()
            value = spelled(found["value"].strip()) if found["arrow"] else found["value"].strip()
            # A plain number may as well count the lines.
            is_told = is_literal(value) and (found["arrow"] or not value.isdigit())
            return value if is_told and behind == found[0] else ""
    return ""


def _behind_sign(want: str) -> str:
    """The value that stands in a remark alone below a line, where Python shows values; empty for words."""
    value = want.strip().removeprefix("#").strip()
    is_whole = "\n" not in value and "..." not in value
    return value if is_whole and (is_literal(value) or _MADE.fullmatch(value)) else ""


def _start(text: str, match: re.Match[str]) -> int:
    """Where an example begins in the text before its tabs were expanded."""
    return match.start() if len(match.string) == len(text) else _line_start(text, match)


def _line_start(text: str, match: re.Match[str]) -> int:
    lines = match.string.count("\n", 0, match.start())
    return sum(len(line) for line in text.splitlines(keepends=True)[:lines])


def _wanted(text: str, indent: int) -> str:
    """What is expected, without the indentation of its prompt."""
    for end in (_FENCE, _FIELD):
        found = end.search(text)
        text = text[: found.start()] if found else text
    lines = (line[indent:] if not line[:indent].strip() else line.lstrip() for line in text.split("\n")[1:])
    return "\n".join("" if line.strip() == "<BLANKLINE>" else line.rstrip() for line in lines).rstrip("\n")
