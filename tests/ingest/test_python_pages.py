"""Pages of Python files with the facts that the readers take from them: tests/ingest/python/*.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

from graph.facts import Extract
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader
from ingest.python.tests import PythonTestReader
from tests.pages import Case, Pages

CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n+```(?P<path>\S+)\n(?P<text>.*?)^```\n+```facts\n(?P<facts>.*?)^```$",
    re.M | re.S,
)
PAGES = Pages((Path(__file__).parent / "python").glob("*.md"), CASE, "facts")


@PAGES.each()
def test_a_page_yields_its_facts(case: Case, update: bool) -> None:
    case.holds(rendered(read(case["path"], case["text"])), update)


def test_every_page_has_cases_and_every_case_is_seen() -> None:
    PAGES.assert_that_all_are_seen()


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
