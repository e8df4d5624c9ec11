"""The report as one HTML file that loads nothing and runs nothing but its own script, whatever the facts hold."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from importlib.resources import files

import msgspec

from crossval.report.escape import brief, json_safe
from crossval.report.html.document import document
from crossval.report.shown import Shown

SCRIPTS = (
    "dom.js",
    "data.js",
    "frames.js",
    "filter.js",
    "rows.js",
    "findings.js",
    "overview.js",
    "stories.js",
    "tests.js",
    "source.js",
    "limits.js",
    "drawing.js",
    "graph.js",
    "print.js",
    "main.js",
)
"""The parts of the page's one script, in the order in which they need each other."""

_SLOT = re.compile(r"\{\{ (\w+) \}\}")
_MARKUP = {"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"}


def show(shown: Shown) -> str:
    """The whole page. The same report gives the same bytes, but for the seconds that the run took.

    No text of the project becomes markup: it stands in a JSON block without any `<`, the script puts it into the page
    as text, and the page's policy forbids all scripts, styles and requests that are not its own.
    """
    name = shown.name or "this project"
    script = "\n".join(_file(part) for part in SCRIPTS)
    script = f'"use strict";\n(() => {{\n{script}}})();\n'
    style = _file("page.css")
    told = {
        "title": html.escape(f"{brief(name, 200)}: crossfact report"),
        "policy": _policy(script, style),
        "style": style,
        "script": script,
        "data": _inert(document(shown, name)),
    }
    return _SLOT.sub(lambda slot: told[slot.group(1)], _file("page.html"))


def _policy(script: str, style: str) -> str:
    """What the page may do: run this very script, use this very style, and ask nobody for anything."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'sha256-{_digest(script)}'",
            f"style-src 'sha256-{_digest(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _inert(value: object) -> str:
    """JSON without any character that could end the block it stands in."""
    encoded = json_safe(msgspec.json.encode(value).decode())
    return re.sub("[<>&]", lambda match: _MARKUP[match.group()], encoded)


def _file(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
