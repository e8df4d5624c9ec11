"""Makes sets out of spec-driven projects, whose lists of tasks name the files that a story or a change touches.

What a plan names and the distribution does not hold is left out, so such a set knows most of its links, not all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

Gold = set[tuple[str, str]]
Parts = tuple[dict[str, str], dict[str, str], Gold]

_STORY = re.compile(r"^#{2,4} (?:User Story|US) ?-?(\d+)\b(.*)$", re.MULTILINE)
_NEXT = re.compile(r"^#{2,3} (?!User Story)", re.MULTILINE)
_OF_STORY = re.compile(r"\[US(\d+)\]")
_FILE = re.compile(r"[\w./-]+\.(?:py|tsx?|jsx?)\b")
_PATH = re.compile(r"[\w./-]+/[\w./-]+")
_SUFFIXES = frozenset({".py", ".ts", ".tsx", ".js", ".jsx"})
_NO_PRODUCT = re.compile(
    r"(?:^|/)(?:tests?|node_modules|dist|specs|\.specify|docs|examples?)/|(?:^|/)test_|conftest|setup\.py"
    r"|\.test\.|\.spec\.|\.min\.js|\.d\.ts"
)
_LONGEST = 300_000
_MOST_FILES = 30


def stories(folder: Path) -> Parts:
    """User stories of Spec Kit (`spec.md`), and the files that the tasks marked `[US1]` of its `tasks.md` name."""
    code = _code(folder)
    requirements: dict[str, str] = {}
    gold: Gold = set()
    for tasks in sorted(folder.rglob("tasks.md")):
        if not tasks.with_name("spec.md").exists():
            continue
        feature = tasks.parent.name
        for number, text in _stories(tasks.with_name("spec.md").read_text("utf-8", errors="replace")):
            requirements[f"{feature}-US{number}"] = text
        for line in tasks.read_text("utf-8", errors="replace").splitlines():
            files = {_resolved(name, code) for name in _FILE.findall(line)}
            gold.update(
                (f"{feature}-US{number}", file)
                for number in _OF_STORY.findall(line)
                for file in files
                if file
            )
    return requirements, code, gold


def changes(folder: Path) -> Parts:
    """Proposed changes of OpenSpec, requirements of Kiro, specs of Spec Kit, and the files that their plans name."""
    code = _code(folder)
    requirements: dict[str, str] = {}
    gold: Gold = set()
    for tasks in sorted(folder.rglob("tasks.md")):
        pages = [tasks.with_name(name) for name in ("proposal.md", "requirements.md", "spec.md")]
        page = next((each for each in pages if each.exists()), None)
        if page is None:
            continue
        plan = [each for each in (tasks, page, tasks.with_name("design.md")) if each.exists()]
        named = {name for each in plan for name in _FILE.findall(each.read_text("utf-8", errors="replace"))}
        files = {file for name in named if (file := _resolved(name, code))}
        if 1 <= len(files) <= _MOST_FILES:
            title = tasks.parent.name
            text = _FILE.sub(" ", page.read_text("utf-8", errors="replace"))
            requirements[title] = f"{title.replace('-', ' ')}\n{_PATH.sub(' ', text)}"
            gold.update((title, file) for file in files)
    return requirements, code, gold


def _stories(page: str) -> Iterator[tuple[str, str]]:
    """Number and text of each story, without the names of files."""
    heads = list(_STORY.finditer(page))
    for index, head in enumerate(heads):
        end = heads[index + 1].start() if index + 1 < len(heads) else len(page)
        other = _NEXT.search(page, head.end(), end)
        title = re.sub(r"^\W*", "", re.sub(r"\(Priority.*", "", head[2]))
        yield head[1], f"{title}\n{_FILE.sub(' ', page[head.end() : other.start() if other else end])}"


def _code(folder: Path) -> dict[str, str]:
    """The product's files that say something, by path."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.suffix in _SUFFIXES and file.is_file() and not _NO_PRODUCT.search(path):
            text = file.read_text("utf-8", errors="replace")
            if text.strip() and len(text) < _LONGEST:
                found[path] = text
    return found


def _resolved(name: str, code: Collection[str]) -> str | None:
    """The one file that a name means, by the longest end of its path that only one file has."""
    parts = name.lstrip("./").split("/")
    for first in range(max(len(parts) - 1, 1)):
        end = "/".join(parts[first:])
        hits = [path for path in code if path == end or path.endswith(f"/{end}")]
        if len(hits) == 1:
            return hits[0]
    return None


MAKERS: dict[str, Callable[[Path], Parts]] = {"stories": stories, "changes": changes}
"""Name of a kind of set → what makes it from an unpacked source distribution."""
