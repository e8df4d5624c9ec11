"""Markdown as a flat list of blocks, each line of text with the number of the line that it stands on."""

from __future__ import annotations

import functools
import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CHECKBOX = re.compile(r"\[([ xX])\]\s+")
_PICTURE = re.compile("^(?:[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0f\u200d]*\\s*)+(?=\\S)")
# Headings and numbered items of a tracker's markup: `h3. Acceptance Criteria`, `# First`.
_TRACKERS = re.compile(r"^h(?P<level>[1-6])\.[ \t]+(?=\S)", re.MULTILINE)
_NUMBERED = re.compile(r"^#[ \t]+(?=\S)", re.MULTILINE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


class Shape(StrEnum):
    """What a block is."""

    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    TABLE = "table"
    FENCE = "fence"


class Line(NamedTuple):
    """One line of text without markup (but for the backticks of code), and its number."""

    text: str
    number: int


class Row(NamedTuple):
    """One row of a table."""

    cells: tuple[str, ...]
    line: int


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One heading, paragraph, list item's first paragraph, table or fenced block.

    `level` is a heading's level; `depth` counts the lists around the block. `checked` is None but for items of
    checklists. A table's first row is its header. `language` is the first word of a fence's information.
    """

    shape: Shape
    first: int
    last: int
    depth: int = 0
    level: int = 0
    lines: tuple[Line, ...] = ()
    checked: bool | None = None
    rows: tuple[Row, ...] = ()
    language: str = ""

    @property
    def text(self) -> str:
        """All lines, joined by line ends."""
        return "\n".join(line.text for line in self.lines)

    @property
    def flat(self) -> str:
        """The text on one line, with single blanks."""
        return " ".join(self.text.split())


def read_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text in their order; block quotes are looked through, HTML is left out."""
    blocks: list[Block] = []
    tokens = _parser().parse(text.replace("\r\n", "\n").replace("\r", "\n"))
    depth = 0
    starts_item = False
    skip_until = -1
    for position, token in enumerate(tokens):
        if position <= skip_until:
            continue
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "list_item_open":
            starts_item = True
        elif token.type == "table_open":
            skip_until = next(p for p in range(position, len(tokens)) if tokens[p].type == "table_close")
            blocks.append(_table(tokens[position:skip_until], depth))
        elif token.type == "inline" or token.type == "fence":
            blocks.append(_block(token, tokens[position - 1], depth, starts_item))
            starts_item = False
    return blocks


def end_of_section(blocks: list[Block], index: int) -> int:
    """The first block after the section that a heading begins."""
    level = blocks[index].level
    later = range(index + 1, len(blocks))
    return next(
        (n for n in later if blocks[n].shape is Shape.HEADING and blocks[n].level <= level), len(blocks)
    )


def as_markdown(text: str) -> str:
    """A page in a tracker's markup with its headings and numbered items as Markdown has them; any other as it is."""
    if _TRACKERS.search(text) is None or re.search(r"^#{2,6} ", text, re.MULTILINE):
        return text
    return _TRACKERS.sub(lambda match: "#" * int(match["level"]) + " ", _NUMBERED.sub("1. ", text))


@functools.cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


def _block(token: Token, opening: Token, depth: int, starts_item: bool) -> Block:
    first, last = _span(token)
    if token.type == "fence":
        # An unclosed fence has no closing line, but then nothing follows either.
        content = token.content.removesuffix("\n").split("\n")
        return Block(
            shape=Shape.FENCE,
            first=first,
            last=last,
            depth=depth,
            lines=tuple(Line(text, first + number) for number, text in enumerate(content, start=1)),
            language=(token.info.split() or [""])[0].lower(),
        )
    lines = _inline_lines(token, first, last)
    if opening.type == "heading_open":
        level = int(opening.tag[1:])
        return Block(shape=Shape.HEADING, first=first, last=last, depth=depth, level=level, lines=lines)
    if not starts_item:
        return Block(shape=Shape.TEXT, first=first, last=last, depth=depth, lines=lines)
    checked = None
    if box := _CHECKBOX.match(lines[0].text):
        checked = box[1] != " "
        lines = (Line(lines[0].text[box.end() :], lines[0].number), *lines[1:])
    return Block(shape=Shape.ITEM, first=first, last=last, depth=depth, lines=lines, checked=checked)


def _table(tokens: list[Token], depth: int) -> Block:
    rows: list[Row] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append(Row((), _span(token)[0]))
        elif token.type == "inline":
            cell = "\n".join(line.text for line in _inline_lines(token, *_span(token)))
            rows[-1] = Row((*rows[-1].cells, cell), rows[-1].line)
    first, last = _span(tokens[0])
    return Block(shape=Shape.TABLE, first=first, last=last, depth=depth, rows=tuple(rows))


def _span(token: Token) -> tuple[int, int]:
    """The first and the last line, from 1 and both included, of a token's 0-based half-open map."""
    assert token.map is not None, "block tokens have a map"
    return token.map[0] + 1, max(token.map[0] + 1, token.map[1])


def _inline_lines(token: Token, first: int, last: int) -> tuple[Line, ...]:
    lines: list[Line] = []
    text = ""
    number = first
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            lines.append(Line(text.strip(), number))
            text = ""
            number = min(number + 1, last)
        elif child.type == "html_inline" and _BREAK.fullmatch(child.content):
            lines.append(Line(text.strip(), number))
            text = ""
        elif child.type == "code_inline":
            text += f"`{child.content}`"
        elif child.type in ("text", "image") or (
            child.type == "html_inline" and not child.content.startswith("<!--")
        ):
            text += child.content
    lines.append(Line(text.strip(), number))
    # "✅ Acceptance criteria": a picture before the words says nothing.
    return (lines[0]._replace(text=_PICTURE.sub("", lines[0].text)), *lines[1:])
