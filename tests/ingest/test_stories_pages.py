"""Pages of stories and features with the facts that the readers take from them: tests/ingest/{stories,gherkin}/*.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

from graph.facts import Extract
from ingest.gherkin_features import GherkinReader
from ingest.ingestor import Document, Role
from ingest.stories.reader import StoryReader, looks_like_stories
from tests.pages import Case, Pages

FOLDER = Path(__file__).parent
CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n+~~~~(?P<path>\S+)\n(?P<text>.*?)^~~~~\n+```facts\n(?P<facts>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
FILES = [*FOLDER.glob("stories/*.md"), *FOLDER.glob("gherkin/*.md")]
PAGES = Pages(FILES, CASE, "facts")


@PAGES.each()
def test_a_page_yields_its_facts(case: Case, update: bool) -> None:
    case.holds(rendered(read(case["path"], case["text"])), update)


def test_every_case_of_every_page_is_seen() -> None:
    for page in FILES:
        fences = re.findall("^~~~~", page.read_text("utf-8"), re.MULTILINE)
        assert len(fences) == 2 * len(PAGES.cases(page)) > 0, page


def read(path: str, text: str) -> Extract:
    if path.endswith(".feature"):
        return GherkinReader().read(Document(path, Role.FEATURE, text))
    extract = StoryReader().read(Document(path, Role.STORY, text))
    assert looks_like_stories(text) or not extract.facts, "what has stories looks like it"
    return extract


def rendered(extract: Extract) -> str:
    """The extract as text; aspects that are false or empty are not shown."""
    rows = []
    for fact in extract.facts:
        rows.append(f"{fact.id} {fact.source.line}-{fact.source.end_line} {fact.name}")
        for name, value in fact.aspects.items():
            if value and (name not in ("text", "title") or value != fact.name):
                rows.append(f"    {name}: {json.dumps(value, ensure_ascii=False)}")
    contained = [edge.second for edge in extract.relations]
    assert contained == [fact.id for fact in extract.facts if fact.kind == "criterion"], (
        "each criterion has its story"
    )
    rows += [f"defect {defect.rule} @{defect.line}: {defect.message}" for defect in extract.defects]
    rows += [f"skipped @{skipped.line}: {skipped.reason}" for skipped in extract.skipped]
    rows += [
        f"ignore {', '.join(item.rules)} {item.first}-{item.last}: {item.reason}"
        for item in extract.suppressions
    ]
    return "".join(row + "\n" for row in rows)
