"""Pages of tests that went stale: what moved in the code, and the edits by which the healers follow it."""

from __future__ import annotations

import ast
import difflib
import re
from pathlib import Path

import msgspec
import pytest

from healer.guarding.backed import backing_of
from healer.guarding.forbidden import weaknesses
from healer.healers.registry import HEALERS
from healer.movements import Movement
from tests.healer.healers.patients import healed, movement, patient

PAGES = Path(__file__).parent / "pages"
BLOCK = re.compile(r"^```(\S+)\n(.*?)^```$", re.M | re.S)


def cases() -> list[tuple[Path, str]]:
    return [
        (page, title)
        for page in sorted(PAGES.glob("*.md"))
        for title in re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.M)
    ]


@pytest.mark.parametrize(
    ("page", "title"), cases(), ids=lambda part: part if isinstance(part, str) else part.stem
)
def test_a_stale_test_is_healed_as_its_page_says(page: Path, title: str, update: bool) -> None:
    content = page.read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", content, re.M | re.S)
    assert section is not None
    blocks = dict(BLOCK.findall(section[1]))
    found = outcome(blocks)
    if update:
        new = section[0].replace(f"```healed\n{blocks['healed']}```", f"```healed\n{found}```")
        page.write_text(content.replace(section[0], new), encoding="utf-8")
        return
    assert found == blocks["healed"]


def of_specs(moved: Movement) -> Movement:
    """The movement as the specs would tell it too."""
    return msgspec.structs.replace(moved, side="spec")


def outcome(blocks: dict[str, str]) -> str:
    """The lines of the tests that the first attempt takes and gives."""
    now = {path[4:]: text for path, text in blocks.items() if path.startswith("now/")}
    then = now | {path[5:]: text for path, text in blocks.items() if path.startswith("then/")}
    if any(path.startswith("gone/") for path in blocks):
        now = {path: text for path, text in now.items() if f"gone/{path}" not in blocks}
    tests = {
        path: text
        for path, text in blocks.items()
        if "/" in path or path.endswith((".toml", ".py"))
        if not path.startswith(("now/", "then/", "gone/"))
    }
    moved = [movement(**msgspec.json.decode(line)) for line in blocks["movements"].splitlines()]
    failure = msgspec.json.decode(blocks["failure"]) if "failure" in blocks else {}
    nodes = [path for path in tests if Path(path).name.startswith("test_")]
    failure = {"nodes": nodes} | failure
    sick = patient(then, now, tests, moved, **failure)
    asked = [each for each in HEALERS if any(True for _ in each.propose(sick))]
    assert len(asked) <= 1, "a failure is the business of one healer"
    new = healed(asked[0], sick) if asked else {}
    told = msgspec.structs.replace(sick, movements=(*sick.movements, *map(of_specs, sick.movements)))
    for path, text in new.items():
        assert weaknesses(tests[path], text, backing_of(told, ())) == (), "the gate lets it through"
    lines: list[str] = []
    for path, text in sorted(new.items()):
        ast.parse(text)
        rows = difflib.unified_diff(tests[path].splitlines(), text.splitlines(), n=0, lineterm="")
        lines += [path, *(row for row in list(rows)[2:] if not row.startswith("@@"))]
    return "".join(f"{line}\n" for line in lines)
