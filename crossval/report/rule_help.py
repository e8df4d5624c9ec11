"""What the rules say about themselves: one rule for a terminal, or all of them as a Markdown page."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from crossval.report.colour import Paint
from crossval.report.escape import clean, clean_line
from crossval.rules.rule import Rule
from crossval.suppressions import ABOUT_SUPPRESSIONS

_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
_CODE = re.compile(r"^```.*\n([\s\S]*?)^```$", re.MULTILINE)
_BLANK = re.compile(r"\n\s*\n")
_ITEM = re.compile(r"([-*]|\d+\.) ")
_INDENT = "  "
_WIDEST = 100
_NARROWEST = 40

_INTRODUCTION = """\
# Rules

Every rule has a name that never changes its meaning. Name it to hear of nothing else (`--select`), to hear no more
of it (`--ignore`), or to change its severity (`--severity RULE=LEVEL`); all three also take a family, a kind or a
glob such as `response-*`. `crossfact explain RULE` prints what stands here. A single finding is silenced next to
its evidence, in the spec or in the code, by `# crossfact: ignore[RULE] reason`; the reason is mandatory.

A **gap**: one side is silent. A **contradiction**: both sides speak and differ. A **defect**: one side is wrong in
itself. The severity is the highest that a rule gives; where a difference can break nobody, a rule may rate it lower.

This page is written from the rules themselves: change their docstrings, then run `pytest --update`.
"""


def explain(rule: Rule, *, width: int, colour: bool) -> str:
    """The rule's whole help as wrapped plain text that ends in a line feed."""
    paint = Paint(colour)
    room = min(max(width, _NARROWEST), _WIDEST)
    label = paint.severity(rule.severity, clean_line(rule.name))
    lines = [f"{label} ({rule.severity}, {rule.kind}, family {clean_line(rule.family)})", ""]
    lines += textwrap.wrap(clean_line(rule.summary), room)
    is_below_heading = False
    for block in _blocks(f"{clean(rule.help).expandtabs(4)}\n\n{_silencing(clean_line(rule.name))}"):
        heading = _HEADING.fullmatch(block)
        if not is_below_heading:
            lines.append("")
        lines += [paint.strong(heading.group(1))] if heading else _shown(block, room)
        is_below_heading = heading is not None
    return "\n".join(lines) + "\n"


def markdown(rule: Rule) -> str:
    """The rule's whole help as Markdown: what is wrong, why it matters, how to fix it, how to silence it."""
    return f"{rule.summary}\n\n{rule.help}\n\n{_silencing(rule.name)}\n"


def catalogue(rules: Sequence[Rule]) -> str:
    """The page of all rules, by family and name: a table, then each rule's help."""
    ordered = sorted(rules, key=lambda rule: (rule.family, rule.name))
    parts = [_INTRODUCTION, _table(ordered)]
    family = ""
    for rule in ordered:
        if rule.family != family:
            family = rule.family
            parts.append(f"\n## {family}\n")
        parts.append(_section(rule))
    return "".join(parts)


def _silencing(name: str) -> str:
    everywhere = (
        f"put `{name}` under `ignore` in the configuration, or accept today's with `crossfact baseline`."
    )
    if name in ABOUT_SUPPRESSIONS:
        return f"## How to silence it\nNot in one place; for the whole project, {everywhere}"
    note = f"`# crossfact: ignore[{name}] reason`"
    return (
        f"## How to silence it\nIn one place, write {note} on its line. For the whole project, {everywhere}"
    )


def _table(rules: Iterable[Rule]) -> str:
    lines = ["", "| rule | family | kind | severity | what is wrong |", "|---|---|---|---|---|"]
    for rule in rules:
        summary = rule.summary.replace("|", r"\|")
        words = f"[{summary}](#{rule.name})"
        lines.append(f"| `{rule.name}` | {rule.family} | {rule.kind} | {rule.severity} | {words} |")
    return "\n".join(lines) + "\n"


def _section(rule: Rule) -> str:
    facts = f"*{rule.kind}, {rule.severity}*"
    return f"\n### {rule.name}\n\n{facts}\n\n{rule.summary}\n\n{_demoted(rule.help)}\n"


def _demoted(text: str) -> str:
    """The help with its headings two levels lower, so that they stand below the rule's own."""
    code = [range(*match.span()) for match in _CODE.finditer(text)]
    return _HEADING.sub(
        lambda match: match.group() if any(match.start() in span for span in code) else f"##{match.group()}",
        text,
    )


def _blocks(text: str) -> Iterator[str]:
    """The help's headings, paragraphs and lists; fenced code without its fences, indented."""
    for index, part in enumerate(_CODE.split(text)):
        if index % 2:
            yield textwrap.indent(part.rstrip("\n"), _INDENT)
            continue
        for block in _BLANK.split(_HEADING.sub(r"\n\n\g<0>\n\n", part)):
            if block.strip():
                yield block.strip("\n")


def _shown(block: str, room: int) -> list[str]:
    """A paragraph wrapped, a list item by item; what is indented as it stands."""
    lines = block.split("\n")
    if block.startswith(" "):
        return [f"{_INDENT}{line}".rstrip() for line in lines]
    items: list[str] = []
    for line in lines:
        if not items or _ITEM.match(line):
            items.append(line)
        else:
            items[-1] += f" {line.strip()}"
    return [line for item in items for line in _wrapped(item, room)]


def _wrapped(item: str, room: int) -> list[str]:
    hanging = _INDENT * 2 if _ITEM.match(item) else _INDENT
    return textwrap.wrap(
        item,
        room,
        initial_indent=_INDENT,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
