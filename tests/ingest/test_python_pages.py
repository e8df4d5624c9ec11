"""Pages of Python files with the facts that the readers take from them: tests/ingest/python/*.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graph.facts import Extract
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader
from ingest.python.tests import PythonTestReader

PAGES = Path(__file__).parent / "python"
CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n+```(?P<path>\S+)\n(?P<text>.*?)^```\n+```facts\n(?P<facts>.*?)^```$",
    re.M | re.S,
)


def cases() -> list[tuple[Path, str]]:
    return [
        (page, match["title"])
        for page in sorted(PAGES.glob("*.md"))
        for match in CASE.finditer(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(
    ("page", "title"), cases(), ids=lambda part: part if isinstance(part, str) else part.stem
)
def test_a_page_yields_its_facts(page: Path, title: str, request: pytest.FixtureRequest) -> None:
    content = page.read_text(encoding="utf-8")
    match = next(match for match in CASE.finditer(content) if match["title"] == title)
    found = rendered(read(match["path"], match["text"]))
    if request.config.getoption("--update", default=False):
        page.write_text(
            content[: match.start("facts")] + found + content[match.end("facts") :], encoding="utf-8"
        )
        return
    assert found == match["facts"]


def test_every_page_has_cases_and_every_case_is_seen() -> None:
    for page in PAGES.glob("*.md"):
        content = page.read_text(encoding="utf-8")
        assert content.count("\n## ") + content.startswith("## ") == len(CASE.findall(content)) > 0, page


def read(path: str, text: str) -> Extract:
    module = path.removesuffix("i").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    if Path(path).name.startswith("test_"):
        return PythonTestReader().read(Document(path=path, role=Role.TEST, text=text, module=module))
    role = Role.STUB if path.endswith(".pyi") else Role.PYTHON
    return PythonReader().read(Document(path=path, role=role, text=text, module=module))


def rendered(extract: Extract) -> str:
    """The extract as text; aspects that are false or empty are not shown, nor are the digests of bodies."""
    lines = []
    for fact in extract.facts:
        lines.append(f"{fact.id} {fact.source.line}-{fact.source.end_line}")
        for name, value in fact.aspects.items():
            if name != "body" and (value or value == ""):
                lines.append(f"    {name}: {json.dumps(value)}")
    lines += [f"{edge.first} {edge.verb} {edge.second} @{edge.line}" for edge in extract.relations]
    lines += [f"defect {defect.rule} @{defect.line}: {defect.message}" for defect in extract.defects]
    lines += [f"skipped @{skipped.line}: {skipped.reason}" for skipped in extract.skipped]
    lines += [f"unknown {item.subject} {item.aspect} @{item.line}: {item.reason}" for item in extract.unknown]
    lines += [f"ignore {item.rules} {item.first}-{item.last}: {item.reason}" for item in extract.suppressions]
    return "".join(line + "\n" for line in lines)
