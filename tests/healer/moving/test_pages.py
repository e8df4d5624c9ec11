"""Pages of files before and after, with the movements that are told: tests/healer/moving/*.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graph.facts import Json
from healer.movements import Movement
from tests.healer.moving.changing import moved

PAGES = Path(__file__).parent
CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n(?P<files>(?:(?!^## ).)*?)^```movements\n(?P<movements>.*?)^```$", re.M | re.S
)
FILE = re.compile(r"^```(?P<when>before|after|both)/(?P<path>\S+)\n(?P<text>.*?)^```$", re.M | re.S)


def cases() -> list[tuple[Path, str]]:
    return [
        (page, match["title"])
        for page in sorted(PAGES.glob("*.md"))
        for match in CASE.finditer(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(
    ("page", "title"), cases(), ids=lambda part: part if isinstance(part, str) else part.stem
)
def test_a_page_tells_its_movements(page: Path, title: str, request: pytest.FixtureRequest) -> None:
    content = page.read_text(encoding="utf-8")
    match = next(match for match in CASE.finditer(content) if match["title"] == title)
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for file in FILE.finditer(match["files"]):
        for when, files in (("before", before), ("after", after)):
            if file["when"] in (when, "both"):
                files[file["path"]] = file["text"]
    found = "".join(f"{rendered(each)}\n" for each in moved(before, after))
    if request.config.getoption("--update", default=False):
        start, end = match.span("movements")
        page.write_text(content[:start] + found + content[end:], encoding="utf-8")
        return
    assert found == match["movements"]


def test_every_page_has_cases_and_every_case_is_seen() -> None:
    for page in PAGES.glob("*.md"):
        content = page.read_text(encoding="utf-8")
        assert content.count("\n## ") + content.startswith("## ") == len(CASE.findall(content)) > 0, page


def rendered(movement: Movement) -> str:
    """A movement on one line."""
    words = f"{movement.side} {movement.cause} {movement.subject}"
    if (movement.before, movement.after) != (None, None) and movement.cause != "body-changed":
        words += f": {_value(movement.before)} -> {_value(movement.after)}"
    return words + " (whole)" * movement.whole


def _value(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)
