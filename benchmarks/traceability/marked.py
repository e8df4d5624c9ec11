"""Makes sets out of projects whose code or tests name requirements by id: in markers, comments or docstrings.

The ids are taken out of both sides, so that words and structure alone can tell the links.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import yaml

Gold = set[tuple[str, str]]
Parts = tuple[dict[str, str], dict[str, str], Gold]

_SHORTEST = 200


def _pages(folder: Path, pattern: str, name: re.Pattern[str]) -> dict[str, str]:
    """The text of each page whose file's name is an id, without ids and without what names files of tests."""
    found: dict[str, str] = {}
    for page in sorted(folder.rglob(pattern)):
        if match := name.match(page.name):
            lines = page.read_text("utf-8", errors="replace").splitlines()
            kept = (line for line in lines if not re.search(r"\btests?/[\w/]+\.py", line))
            found[match[1]] = "\n".join(kept)
    return found


def _marks(
    requirements: dict[str, str], folder: Path, mark: re.Pattern[str], known: Callable[[str], str]
) -> Parts:
    """The files of a folder without their marks; a mark's first group is an id, which `known` says in full."""
    code: dict[str, str] = {}
    gold: Gold = set()
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text("utf-8", errors="replace")
        if len(text) > _SHORTEST:
            path = file.relative_to(folder).as_posix()
            gold.update((known(each), path) for each in mark.findall(text))
            code[path] = mark.sub("", text)
    return {name: mark.sub("", text) for name, text in requirements.items()}, code, gold


def rtmx(folder: Path) -> Parts:
    """Pages of requirements, and the tests that are marked with their ids."""
    requirements = _pages(folder / "docs/requirements", "*.md", re.compile(r"(REQ-[A-Z0-9-]+)\.md"))
    return _marks(requirements, folder / "tests", re.compile(r"\b(REQ-[A-Z0-9]+-\d+)\b"), str)


def pactkit(folder: Path) -> Parts:
    """Specs of stories and bugs, and the modules whose comments name them."""
    return _pactkit(folder, "src")


def pactkit_tests(folder: Path) -> Parts:
    """Specs of stories and bugs, and the tests that name them."""
    return _pactkit(folder, "tests")


def _pactkit(folder: Path, part: str) -> Parts:
    name = re.compile(r"((?:STORY|BUG|HOTFIX)-[\w-]+)\.md")
    mark = re.compile(r"\b((?:STORY|BUG|HOTFIX)-(?:slim-)?[0-9a-f]{3,24})\b")
    return _marks(_pages(folder / "docs/specs", "*.md", name), folder / part, mark, str)


def livespec(folder: Path) -> Parts:
    """Requirements of OpenSpec, and the modules whose docstrings name them by their titles."""
    requirements: dict[str, str] = {}
    for page in sorted((folder / "openspec/specs").glob("*/spec.md")):
        for text in page.read_text("utf-8").split("### Requirement: ")[1:]:
            words = re.findall(r"[a-z0-9]+", re.sub(r"[&↔()/,.]", " ", text.partition("\n")[0]).lower())
            requirements["-".join(words)] = text

    def known(mark: str) -> str:
        return next((name for name in requirements if mark.endswith(name)), mark)

    return _marks(requirements, folder / "src", re.compile(r"@spec:([a-z0-9-]+)"), known)


def jamb(folder: Path) -> Parts:
    """The items of a tutorial's project, and the tests that are marked with them."""
    requirements = {}
    for item in sorted((folder / "tutorial/srs").glob("*.yml")):
        read = yaml.safe_load(item.read_text("utf-8"))
        requirements[item.stem] = f"{read.get('header', '')}\n{read.get('text', '')}\n"
    mark = re.compile(r"@pytest\.mark\.requirement\(\"(SRS\d+)\"\)\n")
    return _marks(requirements, folder / "tutorial/tests", mark, str)


MAKERS: dict[str, Callable[[Path], Parts]] = {
    "rtmx": rtmx,
    "pactkit": pactkit,
    "pactkit-tests": pactkit_tests,
    "livespec": livespec,
    "jamb": jamb,
}
"""Name of a set → what makes it from an unpacked source distribution."""
