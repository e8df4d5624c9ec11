"""Gherkin text read by the official parser, past its errors, and in the wider dialects of behave and radish."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from gherkin.errors import (
    CompositeParserException,
    ParserException,
    UnexpectedEOFException,
    UnexpectedTokenException,
)
from gherkin.parser import Parser, ParserContext
from gherkin.token_matcher import TokenMatcher

from graph.facts import Json

if TYPE_CHECKING:
    from gherkin.token import Token
    from gherkin.token_matcher import MatchedItems

_MOST_ERRORS = 10
# A tag with its arguments: radish writes `@constant(Number: 5)`.
_TAG = re.compile(r"@[^\s@(]+(?:\([^()]*\))?")


class Problem(NamedTuple):
    """A place that the parser could not read."""

    line: int
    message: str


class Tree(NamedTuple):
    """The parser's document, as far as it got, and the problems that it met, in the order of their lines."""

    document: dict[str, Json]
    problems: tuple[Problem, ...]


def read_tree(text: str) -> Tree:
    """The document of a text.

    What the official grammar refuses is tried in the wider one that runners accept, and so are scenarios in which it
    finds words but no steps: it is taken where every one of them then consists of steps.
    """
    strict = _parse(text, TokenMatcher())
    if strict.problems:
        wide = _parse(text, _WideMatcher())
        return wide if len(wide.problems) < len(strict.problems) else strict
    silent = {line for line, said, steps in _scenarios(strict.document) if said and not steps}
    if not silent:
        return strict
    wide = _parse(text, _WideMatcher())
    spoken = {line for line, said, steps in _scenarios(wide.document) if steps and not said}
    return wide if not wide.problems and silent <= spoken else strict


def _scenarios(document: dict[str, Json]) -> Iterator[tuple[int, bool, bool]]:
    """Each scenario's line, whether it describes itself, and whether it has steps."""
    waiting = list((document.get("feature") or {}).get("children", ()))
    while waiting:
        child = waiting.pop()
        waiting += child.get("rule", {}).get("children", ())
        if scenario := child.get("scenario"):
            yield scenario["location"]["line"], bool(scenario["description"]), bool(scenario["steps"])


class _Tolerant(Parser):
    """Reads on after any number of errors and keeps the first ten."""

    def add_error(self, context: ParserContext, error: ParserException) -> None:
        if len(context.errors) < _MOST_ERRORS:
            context.errors.append(error)


class _WideMatcher(TokenMatcher):
    """Accepts what behave accepts too: step keywords in any case, and doc strings between `'''`.

    Tags may have arguments with blanks, as in radish. Source: the parsers of behave 1.3 and radish 0.18.
    """

    def match_StepLine(self, token: Token) -> bool:  # noqa: N802 - the name of the parser
        if super().match_StepLine(token):
            return True
        said = token.line.get_line_text()
        for keyword in self._sorted_step_keywords:
            if said[: len(keyword)].lower() == keyword.lower():
                kinds = self.keyword_types[keyword]
                self._set_token_matched(
                    token,
                    "StepLine",
                    token.line.get_rest_trimmed(len(keyword)),
                    said[: len(keyword)],
                    keyword_type=kinds[0] if len(kinds) == 1 else "Unknown",
                )
                return True
        return False

    def match_DocStringSeparator(self, token: Token) -> bool:  # noqa: N802 - the name of the parser
        if super().match_DocStringSeparator(token):
            return True
        opens = not self._active_doc_string_separator
        return opens and self._match_DocStringSeparator(token, "'''", True)

    def match_TagLine(self, token: Token) -> bool:  # noqa: N802 - the name of the parser
        if not token.line.startswith("@"):
            return False
        said = re.split(r"\s#", token.line.get_line_text(), maxsplit=1)[0]
        if _TAG.sub("", said).strip():
            return super().match_TagLine(token)
        indent = token.line.indent + 1
        items: list[MatchedItems] = [
            {"column": indent + tag.start(), "text": tag[0]} for tag in _TAG.finditer(said)
        ]
        self._set_token_matched(token, "TagLine", items=items)
        return True


def _parse(text: str, matcher: TokenMatcher) -> Tree:
    parser = _Tolerant()
    try:
        return Tree(dict(parser.parse(text, matcher)), ())
    except CompositeParserException as failure:
        errors = failure.errors
    rows = text.split("\n")
    # One line may break several rules; the first that the parser names is what the reader has to mend.
    problems: dict[int, Problem] = {}
    for error in errors:
        line = error.location["line"]
        problems.setdefault(line, Problem(line, _reason(error, rows)))
    return Tree(_rest(parser), tuple(problems[line] for line in sorted(problems)))


def _reason(error: ParserException, rows: list[str]) -> str:
    if isinstance(error, UnexpectedEOFException):
        return "the text ends inside a tag line, table or doc string"
    if isinstance(error, UnexpectedTokenException):
        line = error.location["line"]
        text = rows[line - 1].strip() if line <= len(rows) else ""
        return f"{text[:80]!r} is not expected here"
    return str(error).partition(": ")[2]


def _rest(parser: Parser) -> dict[str, Json]:
    """What the parser had built when it met an error, with the nodes closed that the end of the text left open."""
    builder = parser.ast_builder
    while len(builder.stack) > 1:
        with contextlib.suppress(ParserException):
            builder.end_rule(builder.current_node.rule_type)
    document = parser.get_result()
    return dict(document) if isinstance(document, dict) else {}
