"""Requests as people say them, in the form in which they are written: `` `POST /orders` with the body `{…}` ``."""

from __future__ import annotations

import json
import re

_METHOD = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
REQUEST = re.compile(rf"{_METHOD} /\S*")
"""A request as it is written."""
_WRITTEN = rf"`{_METHOD} /[^`\n]*`"
_DOC_STRING = r'"""\n.*?\n"""'
_PATH = (
    r"(?:`(?P<coded>/[^`\s]*)`|\"(?P<quoted>/[^\"\s]*)\"|'(?P<single>/[^'\s]*)'|“(?P<curly>/[^”\s]*)”"
    r"|(?P<bare>/[^\s`\"'“”,;]*))"
)
_PLACE = r"(?:(?:to|on|at|against|for|of|via)\s+)?(?:(?:the\s+)?(?:endpoint|path|URL|URI|route|resource)\s+)?"
_SPOKEN = re.compile(
    rf"(?P<kept>{_DOC_STRING}|{_WRITTEN})"
    rf"|(?<![\w/`\"'])[`\"']?(?P<method>{_METHOD})[`\"']?(?:e?s|ed)?(?:\s+(?:HTTP\s+)?(?:requests?|calls?))?"
    rf"(?:\s+(?:is|was)\s+(?:sent|made|issued))?"
    rf"(?:\s+(?:with|of|containing))?(?:\s+(?:the|an?|this))?(?:\s+(?:JSON|body|payload|object|following)){{0,3}}"
    rf"(?:\s+(?P<body>`[\[{{][^`]*`)\s+(?=to\b|at\b|on\b))?"
    rf"\s*(?<=\s){_PLACE}{_PATH}(?![\w/])",
    re.DOTALL,
)
# "sends `{…}` to `POST /orders`", "submits `{…}` via …"
_BEFORE = re.compile(
    rf"(?P<verb>\b(?:sends?|submits?|posts?|puts?|passes|sent|submitted|posted)\s+(?:[\w-]+\s+){{0,3}})(?P<body>`[\[{{][^`]*`)"
    rf"\s+(?:is\s+\w+\s+)?(?:to|via|by|using|with|in)\s+(?:an?\s+|the\s+)?(?P<request>{_WRITTEN})",
    re.IGNORECASE,
)
# "POSTs any credentials to `/login`"
_WITH = re.compile(
    rf"\b(?P<method>{_METHOD})e?s\s+(?P<what>[^\n]{{1,80}}?)\s+(?:to|at)\s+(?=[`\"']?/)(?P<place>{_PATH})"
)
_CODE = re.compile(rf"{_DOC_STRING}|`[^`]*`", re.DOTALL)
_OBJECT = re.compile(r"'?(?=\{\s*\"|\[\s*\{\s*\")")


def written(text: str) -> str:
    """The text with each spoken request as a written one, and JSON that stands in it as it is between backticks."""
    text = _SPOKEN.sub(_request, _coded(text))
    text = _WITH.sub(lambda match: f"`{match['method']} {_path(match)}` with {match['what']}", text)
    return _BEFORE.sub(lambda match: f"{match['verb']}{match['request']} with the body {match['body']}", text)


def _request(match: re.Match[str]) -> str:
    if match["kept"] is not None:
        return match[0]
    path = _path(match)
    ending = (match["bare"] or "")[len(path) :]
    body = f" with the body {match['body']}" if match["body"] else ""
    return f"`{match['method']} {path}`{body}{ending}"


def _path(match: re.Match[str]) -> str:
    """The path that a match found, without what ends a sentence where nothing encloses it."""
    found = next(
        match[name] for name in ("coded", "quoted", "single", "curly", "bare") if match[name] is not None
    )
    return found.rstrip(".:)") if match["bare"] is not None else found


def _coded(text: str) -> str:
    """The text with backticks around objects and lists of objects in JSON that have none."""
    kept = [match.span() for match in _CODE.finditer(text)]
    parts, end = [], 0
    decoder = json.JSONDecoder()
    for match in _OBJECT.finditer(text):
        start = match.end()
        if start < end or any(first <= start < last for first, last in kept):
            continue
        try:
            _, stop = decoder.raw_decode(text, start)
        except ValueError:
            continue
        if "`" in text[start:stop]:
            continue
        parts += [text[end : match.start()], f"`{text[start:stop]}`"]
        end = stop + (match[0] == "'" and text[stop : stop + 1] == "'")
    return "".join([*parts, text[end:]])
