"""Reads requests and what they are answered with from the words of a criterion.

What stands in backticks, or in a doc string below a step, is read by its form: a request (`GET /items/5?q=x`), JSON, a
header (`X-Token: foo`) or cookies (`a=1; b=2`). The words between tell on which side of an answer it stands: what comes
before “is answered with”, “is refused with”, “returns”, “then” belongs to the request, what comes after to the answer,
which is told as a whole or, where the words are “contains” or “includes”, in part. A request of which no answer is told
is made for the sake of the next. `{id}` in a path is that field of the last answer that has it. Requests as people say
them (`the client POSTs {…} to /orders`) are read as `planner/stories/spoken.py` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import msgspec

from graph.facts import Fact, Json
from planner.contracts.placeholders import told_values
from planner.stories.fillers import unread
from planner.stories.spoken import REQUEST, written

_PIECE = re.compile(
    r'"""\n(?P<text>.*?)\n"""|`(?P<code>[^`]+)`|(?P<bare>\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /[^\s`"]*)',
    re.DOTALL,
)
_ANSWER = re.compile(
    r"\b(?:answer(?:s|ed)?|respon(?:ds?|se)|returns?|returned|gives?|refused|rejected|fails|status|then)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"\b(?:refused|rejected|fails)\b", re.IGNORECASE)
_STATUS = re.compile(
    r"\b(?:with|code|status|is|an?|returns?|gives?|responds?|then|of|or)[\s:]+"
    r"(?:(?:the|an?|http|status|code|is|of|be|to|still|now|also)[\s:]+)*([1-5]\d\d)\b(?!\s*(?:ms|m?s(?:ec)?\b|milliseconds|seconds|minutes|characters|items|entries|results|bytes))",
    re.IGNORECASE,
)
_OF_ANSWERS = re.compile(
    r"\b(?:answer\w*|respon\w+|return\w*|gives?|receives?|gets?|refused|rejected|fails|status|body|headers?|cookies?|fields?"
    r"|JSON|contain\w*|includ\w+|list\w*|error|message|codes?|shows?|[1-5]\d\d)\b|[{\[]",
    re.IGNORECASE,
)
_ONLY_STATUS = re.compile(r"[1-5]\d\d")
_IN_PART = re.compile(r"\b(?:contain(?:s|ing)?|includ(?:es?|ing)|has|have|with the fields?)\b", re.IGNORECASE)
_HEADER = re.compile(r"(?P<name>[A-Za-z][\w-]*)(?::\s*(?P<value>.+))?")
_COOKIES = re.compile(r"[\w-]+=[^;]*(?:;\s*[\w-]+=[^;]*)*")
_HOLE = re.compile(r"<([^<>\n]+)>")
# A parameter as routes of some frameworks have it: `<int:id>`, `<id>`.
_PARAMETER = re.compile(r"<(?:\w+:)?([A-Za-z_]\w*)>")


# "the client POSTs `{…}`"
_WITHOUT_PATH = re.compile(r"^.*\b(?:POST|PUT|PATCH)e?s\s+`[{\[].*$", re.MULTILINE)


Source = tuple[int, str]
"""The number of an exchange, from 0, and the field of its answer."""


class Listed(msgspec.Struct, frozen=True):
    """What a list shows of some things: those with these `values` in a field, of all `among` which it is told.

    `place` is the field of the answer that is the list, empty for the whole; `ordered` says that their order is told.
    """

    place: str
    field: str
    values: tuple[Json, ...]
    among: tuple[Json, ...]
    ordered: bool = False


class Exchange(msgspec.Struct, frozen=True):
    """A request and what is told of its answer; `answer` holds its JSON where that is told, as a whole or `in_part`.

    `is_shown` says that a page shows the answer. `path` may have names of earlier answers' fields in braces; `query`
    has texts, or lists of them for what is given several times; `told_headers` are those of the answer, with an empty
    value where only the name is told. A `completed` request has all that its operation needs beside what is told;
    `counted` says how many items lists of the answer have, by the field of each, empty for the whole answer. `sources`
    has the names in the path that are not the last such field, but another one; `names` has the fields of the body that
    name what an earlier request made; `by` is what who sends it is called, as the owner of a thing: `seller`.
    `listed` says what a list shows of the things that were made.
    """

    method: str
    path: str
    query: dict[str, Json] = {}
    headers: dict[str, str] = {}
    body: Json = None
    status: str = ""
    refused: bool = False
    answer: tuple[Json, ...] = ()
    in_part: bool = False
    told_headers: dict[str, str] = {}
    is_shown: bool = False
    completed: bool = False
    counted: dict[str, int] = {}
    sources: dict[str, Source] = {}
    names: dict[str, Source] = {}
    by: str = ""
    listed: Listed | None = None

    @property
    def is_told(self) -> bool:
        """Whether anything is told of its answer."""
        told = self.status or self.refused or self.answer or self.counted or self.told_headers
        return bool(told or self.is_shown or self.listed is not None)


class UnclearExchange(Exception):  # noqa: N818 - a reason that becomes a value, never an error of the run
    """Words beside a request that cannot be read; the message says which."""


def exchanges_of(criterion: Fact, row: int = 0) -> list[Exchange]:
    """The exchanges that a criterion tells, with an outline's row of examples put in; empty where it tells none.

    Raises UnclearExchange where something in backticks or other words beside a request cannot be read.
    """
    text = written(filled(_words(criterion), criterion, row))
    if not REQUEST.search(text):
        if sent := _WITHOUT_PATH.search(text):
            raise UnclearExchange(f"the path to which “{sent[0].strip()}” is sent")
        return []
    reading = _Reading()
    end = 0
    for piece in _PIECE.finditer(text):
        reading.hear(text[end : piece.start()])
        reading.see((piece["text"] or piece["code"] or piece["bare"]).strip())
        end = piece.end()
    reading.hear(text[end:])
    found = list(reading.exchanges())
    if not any(each.is_told for each in found):
        return []
    if reading.unclear:
        raise UnclearExchange(reading.unclear)
    return found


def rows_of(criterion: Fact) -> int:
    """How many rows of examples an outline has; 1 for all else."""
    return len(criterion.aspects.get("examples") or ()) or 1


def _words(criterion: Fact) -> str:
    """The words of a criterion in the order of its steps; the outcome is marked by the word that begins it."""
    aspects = criterion.aspects
    if not aspects.get("then"):
        return str(aspects.get("text") or "")
    before = [*(aspects.get("given") or ()), *(aspects.get("when") or ())]
    after = [f"then {each}" for each in map(str, aspects["then"]) if _tells_an_answer(each)]
    return "\n".join([*map(str, before), *(after or ["then"])])


def _tells_an_answer(step: str) -> bool:
    """Whether an outcome says something of an answer; what else comes of a request, an answer cannot show."""
    return _OF_ANSWERS.search(step) is not None or REQUEST.search(written(step)) is not None


def filled(text: str, criterion: Fact, row: int) -> str:
    """A text with a row of an outline's examples put into its places."""
    rows = criterion.aspects.get("examples") or ()
    if row >= len(rows):
        return text
    return _HOLE.sub(lambda hole: str(rows[row].get(hole[1], hole[0])), text)


class _Reading:
    """What was read so far: the exchanges, and where in the one that is open the reading stands.

    `unclear` is what words beside a request say and is not understood, empty where there is nothing.
    """

    def __init__(self) -> None:
        self._done: list[Exchange] = []
        self._open: Exchange | None = None
        self._is_answered = False
        self._is_about = ""
        self._is_in_part = False
        self._asked = ""
        self.unclear = ""

    def exchanges(self) -> Iterator[Exchange]:
        """All that was read."""
        self._close()
        yield from self._done
        if self._open is not None:
            yield self._open

    def hear(self, words: str) -> None:
        """Words between two pieces: they tell of which side the next piece is, and of what sort."""
        if self._open is None:
            return
        answer = _ANSWER.search(words)
        if not self._is_answered:
            self._asked += " " + words[: answer.start() if answer is not None else len(words)]
        if answer is not None:
            self._is_answered, self._is_in_part, self._is_about = True, False, ""
            words = words[answer.start() :]
            if _REFUSED.search(words):
                self._change(refused=True)
        for sort in ("header", "cookie", "body"):
            if sort in words.lower():
                self._is_about = sort
        if self._is_answered:
            status = _STATUS.search(words)
            if status is not None:
                self._change(status=status[1])
            self._is_in_part = self._is_in_part or _IN_PART.search(words) is not None

    def see(self, piece: str) -> None:
        """A piece in backticks or a doc string. Raises UnclearExchange where it cannot be read beside a request."""
        request = piece.rstrip(".,;:")
        if REQUEST.fullmatch(request):
            method, _, url = request.partition(" ")
            self._begin(method, _PARAMETER.sub(r"{\1}", url))
        elif self._open is None:
            return
        elif self._is_about in ("header", "cookie") and not piece.startswith(("{", "[")):
            self._see_header(piece)
        elif self._is_answered and _ONLY_STATUS.fullmatch(piece):
            self._change(status=piece)
        else:
            self._see_json(piece)

    def _close(self) -> None:
        more = unread(self._asked)
        if self._open is not None and more and not self.unclear:
            self.unclear = f"what “{more}” says of {self._open.method} {self._open.path}"
        self._asked = ""

    def _begin(self, method: str, url: str) -> None:
        self._close()
        if self._open is not None:
            self._done.append(self._open)
        parts = urlsplit(url)
        query: dict[str, Json] = {}
        for name, value in parse_qsl(parts.query, keep_blank_values=True):
            if name in query:
                before = query[name]
                query[name] = [*(before if isinstance(before, list) else [before]), value]
            else:
                query[name] = value
        self._open = Exchange(method, parts.path, query)
        self._is_answered, self._is_about = False, ""

    def _see_header(self, piece: str) -> None:
        assert self._open is not None, "its caller looked"
        if self._is_about == "cookie":
            if self._is_answered or not _COOKIES.fullmatch(piece):
                raise UnclearExchange(f"what the cookies `{piece}` are, as `name=value`")
            self._change(headers={**self._open.headers, "Cookie": piece})
            return
        header = _HEADER.fullmatch(piece)
        if header is None or (header["value"] is None and not self._is_answered):
            raise UnclearExchange(f"what the header `{piece}` is, as `Name: value`")
        field = "told_headers" if self._is_answered else "headers"
        before: dict[str, str] = getattr(self._open, field)
        self._change(**{field: {**before, header["name"]: header["value"] or ""}})

    def _see_json(self, piece: str) -> None:
        side = "answer" if self._is_answered else "request"
        try:
            value, is_open = told_values(piece)
        except ValueError:
            raise UnclearExchange(f"what `{piece}` says of the {side}: it is no JSON") from None
        if self._is_answered:
            if value != {} or not is_open:
                self._change(answer=(value,), in_part=self._is_in_part or is_open)
        elif is_open:
            raise UnclearExchange(f"the values that `{piece}` leaves open")
        else:
            self._change(body=value)

    def _change(self, **given: object) -> None:
        assert self._open is not None, "its callers looked"
        self._open = msgspec.structs.replace(self._open, **given)
