"""Pages of files before and after, with the movements that are told: tests/healer/moving/*.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

from graph.facts import Json
from healer.movements import Movement
from tests.healer.moving.changing import moved
from tests.pages import Case, Pages

CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n(?P<files>(?:(?!^## ).)*?)^```movements\n(?P<movements>.*?)^```$", re.M | re.S
)
PAGES = Pages(Path(__file__).parent.glob("*.md"), CASE, "movements")
FILE = re.compile(r"^```(?P<when>before|after|both)/(?P<path>\S+)\n(?P<text>.*?)^```$", re.M | re.S)


@PAGES.each()
def test_a_page_tells_its_movements(case: Case, update: bool) -> None:
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for file in FILE.finditer(case["files"]):
        for when, files in (("before", before), ("after", after)):
            if file["when"] in (when, "both"):
                files[file["path"]] = file["text"]
    case.holds("".join(f"{rendered(each)}\n" for each in moved(before, after)), update)


def test_every_page_has_cases_and_every_case_is_seen() -> None:
    PAGES.assert_that_all_are_seen()


def rendered(movement: Movement) -> str:
    """A movement on one line."""
    words = f"{movement.side} {movement.cause} {movement.subject}"
    if (movement.before, movement.after) != (None, None) and movement.cause != "body-changed":
        words += f": {_value(movement.before)} -> {_value(movement.after)}"
    return words + " (whole)" * movement.whole


def _value(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)
