"""Makes sets out of projects whose code or tests name requirements by id: in markers, comments or docstrings.

The ids are taken out of both sides, so that words and structure alone can tell the links.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
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


def _single_tests(folder: Path, mark: re.Pattern[str]) -> tuple[dict[str, str], Gold]:
    """Each test function as a file of its own, without its marks, and which marks stand above or on it."""
    code: dict[str, str] = {}
    gold: Gold = set()
    for file in sorted(folder.rglob("test_*.py")):
        text = file.read_text("utf-8")
        lines = text.splitlines()
        above = 0
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and node.end_lineno:
                written = "\n".join(lines[above : node.end_lineno])
                path = f"{file.stem}/{node.name}.py"
                gold.update((each, path) for each in mark.findall(written))
                code[path] = mark.sub("", written)
            above = node.end_lineno or above
    return code, gold


def spec_trace(folder: Path) -> Parts:
    """The points of specs, which end in a key, and the single tests whose comments name it."""
    requirements: dict[str, str] = {}
    for page in sorted((folder / "docs/specs").rglob("*.md")):
        text = re.sub(r"\n +", " ", page.read_text("utf-8"))
        for said, key in re.findall(r"^- (.+?) `\[([\w-]+)\]`$", text, re.MULTILINE):
            requirements[key] = said
    code, gold = _single_tests(folder / "tests", re.compile(r"# SPEC: [\w/-]+#([\w-]+)\n"))
    return requirements, code, gold


def pytest_gxp(folder: Path) -> Parts:
    """The requirements for the qualification of the tool, and the single tests that each of them lists."""
    register: dict[str, ast.expr] = {}
    page = folder / "tool_qualification/tq_requirements.py"
    for node in ast.walk(ast.parse(page.read_text("utf-8"))):
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            register = {ast.literal_eval(key): value
                        for key, value in zip(node.value.keys, node.value.values, strict=True) if key}  # fmt: skip
            break
    entries = {name: ast.literal_eval(entry) for name, entry in register.items()}
    code, cases = _single_tests(folder / "tool_qualification", re.compile(r"\b(TQ-\d+\.\d+)\b"))
    gold = {(name, path) for name, entry in entries.items() for case, path in cases if case in entry["cases"]}
    return {name: entry["statement"] for name, entry in entries.items()}, code, gold


def _told(node: dict[str, object], place: str) -> Iterator[tuple[str, str, list[str]]]:
    """Each story of a tree of fmf: its place, its words, and what its `link` says (`implemented-by /tmt/x.py`)."""
    said = node.get("link", [])
    links = [f"{kind} {end}" for entry in (said if isinstance(said, list) else [said])
             if isinstance(entry, dict) for kind, end in entry.items()]  # fmt: skip
    words = "\n".join(str(node[key]) for key in ("title", "summary", "story", "description") if key in node)
    if len(words.split()) > 5:
        yield place, words, links
    for key, value in node.items():
        if key.startswith("/") and isinstance(value, dict):
            yield from _told(value, place + key)


def _tmt(folder: Path, kind: str, code: dict[str, str]) -> Parts:
    requirements: dict[str, str] = {}
    gold: Gold = set()
    for page in sorted(each for part in ("spec", "stories") for each in (folder / part).rglob("*.fmf")):
        tree = yaml.safe_load(page.read_text("utf-8")) or {}
        for place, words, links in _told(tree, page.relative_to(folder).with_suffix("").as_posix()):
            requirements[place.replace("/", "_")] = words
            ends = {each.partition(" ")[2].strip("/") for each in links if each.startswith(kind)}
            gold |= {
                (place.replace("/", "_"), path)
                for path in code
                for end in ends
                if path in {end, f"{end}/test.sh"}
            }
    return requirements, code, gold


def tmt(folder: Path) -> Parts:
    """Stories and the pages of the specification, and the modules that their links name."""
    files = sorted((folder / "tmt").rglob("*.py"))
    return _tmt(folder, "implemented-by", _texts(folder, files))


def tmt_tests(folder: Path) -> Parts:
    """The same, and the tests (in shell) that their links name."""
    return _tmt(folder, "verified-by", _texts(folder, sorted((folder / "tests").rglob("test.sh"))))


def _texts(folder: Path, files: list[Path]) -> dict[str, str]:
    texts = {each.relative_to(folder).as_posix(): each.read_text("utf-8", errors="replace") for each in files}
    return {path: text for path, text in texts.items() if len(text) > _SHORTEST}


MAKERS: dict[str, Callable[[Path], Parts]] = {
    "rtmx": rtmx,
    "pactkit": pactkit,
    "pactkit-tests": pactkit_tests,
    "livespec": livespec,
    "jamb": jamb,
    "spec-trace": spec_trace,
    "pytest-gxp": pytest_gxp,
    "tmt": tmt,
    "tmt-tests": tmt_tests,
}
"""Name of a set → what makes it from an unpacked source distribution."""
