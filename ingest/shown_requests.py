"""Requests that a page shows as `curl`, `http` (httpie) or plain HTTP, each with the answer shown below it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from graph.facts import Json

_BLOCK = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*\{?\.?(?P<kind>[\w-]*)[^\n]*\n(?P<body>.*?)^[ \t]*(?P=mark)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_SHOWS = re.compile(
    r"^[ \t]*(?:[$>#%][ \t]+)?(?:curl[ \t]|(?:https?[ \t]+)?(?:GET|POST|PUT|PATCH|DELETE)[ \t]+[:/\w])",
    re.MULTILINE,
)
_SHELL = frozenset({"", "bash", "sh", "shell", "console", "shell-session", "terminal", "zsh", "text"})
_ANSWERS = frozenset({"", "json", "http", "javascript", "js", "jsonc", "text", "console"})
_COMMAND = re.compile(r"(?:[$>#%][ \t]+)?(?P<line>(?:curl|https?)[ \t].*)")
_PLAIN = re.compile(r"(?P<method>GET|POST|PUT|PATCH|DELETE) (?P<url>\S+)(?: HTTP/[\d.]+)?[ \t]*")
_STATUS = re.compile(r"HTTP/[\d.]+ (?P<status>[1-5]\d\d)\b")
_SAID = re.compile(r"(?i)\b(?:response|returns?|status|answers?|answered)\b\D{0,20}(?P<status>[1-5]\d\d)\b")
_HEADER = re.compile(r"(?P<name>[A-Za-z][\w-]*):[ \t]*(?P<value>.*)")
_HEADING = re.compile(r"^(?:#|={3,}|-{3,})", re.MULTILINE)
_OPEN = re.compile(r"<[^<>]*>|\$\w|\$\{|\{\{|\.\.\.|…|YOUR[_-]|\{[\w-]+\}|/:\w")
_HOST = re.compile(r"(?:https?://)?(?:[\w.-]+|\$\{?\w+\}?|\{\{\s*\w+\s*\}\})?(?::\d+)?(?=/|$)")
_FLAGS = frozenset({"i", "s", "S", "v", "k", "L", "f", "g", "N", "sS", "si", "is", "sv", "sSL", "sL"})
_LONG_FLAGS = frozenset(
    {
        "--include",
        "--silent",
        "--show-error",
        "--verbose",
        "--insecure",
        "--location",
        "--fail",
        "--compressed",
    }
)
_DATA = frozenset({"-d", "--data", "--data-raw", "--data-binary", "--json"})
_BETWEEN = 200


class Shown(msgspec.Struct):
    """A request that is shown, and what is shown of its answer; `body` and `answer` are JSON texts."""

    method: str
    url: str
    line: int
    headers: dict[str, str] = {}
    body: str = ""
    status: str = ""
    answer: str = ""


def shows_requests(text: str) -> bool:
    """Whether a page may show requests: cheap, and never wrong where it says no."""
    return _SHOWS.search(text) is not None


def shown_requests(text: str) -> Iterator[Json]:
    """The requests of a page with what they are answered with, as rows of the aspect `requests`.

    Left out are those with a part to be filled in, and those whose content is no JSON.
    """
    found: list[Shown] = []
    end = 0
    for block in _BLOCK.finditer(text):
        between, end = text[end : block.start()], block.end()
        kind, body = block["kind"].lower(), block["body"]
        first = text.count("\n", 0, block.start("body")) + 1
        known = list(_of_block(body, first)) if kind in _SHELL or kind == "http" else []
        if known:
            found += known
        elif found and kind in _ANSWERS and _is_about(found[-1], between):
            said = _SAID.search(between)
            _take_answer(found[-1], body, said["status"] if said else "")
    rows = (_row(each) for each in found)
    yield from (row for row in rows if row is not None)


def _is_about(shown: Shown, between: str) -> bool:
    """Whether a block below a request is its answer: few words between them, and nothing else was shown."""
    is_near = len(between.strip()) <= _BETWEEN and _HEADING.search(between) is None
    return is_near and not shown.answer and not shown.status


def _of_block(body: str, first: int) -> Iterator[Shown]:
    """The requests of one block, each with the lines below it as its answer."""
    lines = body.splitlines()
    current: Shown | None = None
    below: list[str] = []
    at = 0
    while at < len(lines):
        start, text = at, lines[at].strip()
        command, plain = _COMMAND.fullmatch(text), _PLAIN.fullmatch(text)
        at += 1
        if command is None and plain is None:
            below.append(lines[start])
            continue
        if current is not None:
            _take_answer(current, "\n".join(below), "")
            yield current
        below = []
        if command is not None:
            words, at = _words(lines, start)
            current = _of_command(words, first + start) if words else None
        else:
            assert plain is not None, "one of both"
            current = Shown(plain["method"], plain["url"], first + start)
            at = _take_content(current, lines, at)
    if current is not None:
        _take_answer(current, "\n".join(below), "")
        yield current


def _words(lines: list[str], start: int) -> tuple[list[str], int]:
    """The words of a command and the line after it: it goes on after a backslash and in open quotes."""
    command = _COMMAND.fullmatch(lines[start].strip())
    text = command["line"] if command else ""
    at = start + 1
    while True:
        if not text.rstrip().endswith("\\"):
            try:
                return shlex.split(text), at
            except ValueError:
                pass  # A quote is open.
        if at >= len(lines):
            return [], at
        joined = text.rstrip()
        text = f"{joined[:-1]} {lines[at].strip()}" if joined.endswith("\\") else f"{text}\n{lines[at]}"
        at += 1


def _of_command(words: list[str], line: int) -> Shown | None:
    if "|" in words:
        words = words[: words.index("|")]
    return _of_curl(words[1:], line) if words[0] == "curl" else _of_httpie(words[1:], line)


def _of_curl(words: list[str], line: int) -> Shown | None:
    """What `curl` is asked for; None where an option is none of the plain ones."""
    shown, given = Shown("", "", line), iter(words)
    for word in given:
        if word in ("-X", "--request"):
            shown.method = next(given, "").upper()
        elif word.startswith("-X") and word[2:].isalpha():
            shown.method = word[2:].upper()
        elif word in ("-H", "--header"):
            _take_header(shown, next(given, ""))
        elif word in _DATA:
            shown.body += next(given, "")
            if word == "--json":
                shown.headers["Content-Type"] = "application/json"
        elif word in ("--url",):
            shown.url = next(given, "")
        elif word.startswith("-"):
            if word[1:] not in _FLAGS and word not in _LONG_FLAGS:
                return None
        elif shown.url:
            return None
        else:
            shown.url = word
    shown.method = shown.method or ("POST" if shown.body else "GET")
    return shown if shown.url else None


def _of_httpie(words: list[str], line: int) -> Shown | None:
    """What `http` is asked for, whose items are `name=text`, `name:=json`, `name==query` and `Header:value`."""
    if len(words) < 2 or not words[0].isupper():
        return None
    shown, body, query = Shown(words[0], words[1], line), {}, []
    for word in words[2:]:
        name, sign, value = next(
            (word.partition(sign) for sign in (":=", "==", "=", ":") if sign in word), (word, "", "")
        )
        try:
            if sign == ":=":
                body[name] = json.loads(value)
            elif sign == "=":
                body[name] = value
            elif sign == "==":
                query.append(f"{name}={value}")
            elif sign == ":":
                shown.headers[name] = value
            else:
                return None
        except ValueError:
            return None
    shown.body = json.dumps(body) if body else ""
    shown.url += f"?{'&'.join(query)}" if query else ""
    return shown


def _take_content(shown: Shown, lines: list[str], at: int) -> int:
    """Read the headers and the body of a request in plain HTTP, and say on which line what is below it begins."""
    while at < len(lines) and (header := _HEADER.fullmatch(lines[at].strip())):
        shown.headers[header["name"]] = header["value"]
        at += 1
    if at < len(lines) and lines[at].strip():
        return at
    start = at = at + 1
    while (
        at < len(lines) and not _STATUS.match(lines[at].strip()) and not _PLAIN.fullmatch(lines[at].strip())
    ):
        at += 1
    shown.body = "\n".join(lines[start:at]).strip()
    return at


def _take_header(shown: Shown, text: str) -> None:
    header = _HEADER.fullmatch(text.strip())
    if header is not None:
        shown.headers[header["name"]] = header["value"]


def _take_answer(shown: Shown, text: str, status: str) -> None:
    """Read what is shown below a request: a status line with headers, JSON, or both."""
    shown.status = shown.status or status
    lines = [line for line in text.strip().splitlines() if not line.lstrip().startswith(("< ", "> ", "* "))]
    if lines and (found := _STATUS.match(lines[0].strip())):
        shown.status = found["status"]
        while lines and lines[0].strip():
            lines.pop(0)
    content = "\n".join(lines).strip().removeprefix("# =>").strip()
    if content.startswith(("{", "[")):
        shown.answer = content


def _row(shown: Shown) -> dict[str, Json] | None:
    """A request as the aspect has it; None where something in it is to be filled in, or its content is no JSON."""
    url = shown.url[_HOST.match(shown.url).end() :] if _HOST.match(shown.url) else shown.url  # type: ignore[union-attr]
    parts = urlsplit(url)
    headers = {
        name: each
        for name, each in shown.headers.items()
        if name.lower() not in ("accept", "host", "content-type", "content-length")
    }
    if not url.startswith("/") or _OPEN.search(url) or any(_OPEN.search(each) for each in headers.values()):
        return None
    row: dict[str, Any] = {"method": shown.method, "path": parts.path, "line": shown.line}
    if parts.query:
        row["query"] = [list(each) for each in parse_qsl(parts.query, keep_blank_values=True)]
    if headers:
        row["headers"] = headers
    try:
        if shown.body:
            row["body"] = json.loads(shown.body)
    except ValueError:
        return None
    if shown.status:
        row["status"] = shown.status
    try:
        if shown.answer:
            row["answer"] = json.loads(shown.answer)
    except ValueError:
        pass  # An answer that is cut short says no more than its status.
    return row
