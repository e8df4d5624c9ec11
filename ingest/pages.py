"""The reader of pages: what a README or a manual calls and says comes of it, which requests it shows and how they are
answered, which definitions a manual documents, and what a list of changes announces."""

from __future__ import annotations

import re

from graph.facts import Extract, Fact, Json, Kind, Location, Tag
from ingest import versions
from ingest.announced import changes, documented, looks_like_manual
from ingest.change_lists import is_list_of_changes
from ingest.ingestor import Document, Role
from ingest.python.alternatives import without_alternatives
from ingest.python.doctests import examples
from ingest.python.page_sections import sections_of
from ingest.python.shown_values import shown_values, shows_blocks
from ingest.python.told_blocks import told_blocks
from ingest.shown_requests import shown_requests, shows_requests

_SHOWS = re.compile(
    r"^[ \t]*(?:>>> |assert |print\(|In \[\d+\]: )|#[ \t]*(?:=>|==>|->|→|⇒|>)|\)[ \t]*#[ \t]*\S", re.MULTILINE
)
# A page about something random: by its title, or by what it says first that it makes.
_CHANCE = re.compile(
    r"\A\W*[^\n]*\brandom(?:ly)?\b"
    r"|\b(?:creat|generat|mak)(?:e|es|ing|or|ion)\b(?:[ \t\n]+[\w-]+){0,4}?[ \t\n]+(?:random(?:ly)?|fake|dummy)\b",
    re.IGNORECASE,
)
_BEGINNING = 1000
# What a page says of what it tells of, wherever it does.
_UNSURE = re.compile(r"\b(?:is|are)[ \t\n]+(?:non-?|not[ \t\n]+)deterministic\b", re.IGNORECASE)
_IMPORTS = re.compile(r"^[ \t]*(?:>>> |\.\.\. |In \[\d+\]: )?(?:import|from)[ \t]+\w", re.MULTILINE)


class PageReader:
    """Reads Markdown and reStructuredText; a page that tells neither of Python nor of requests yields nothing."""

    name = "pages"
    version = versions.PAGES
    roles = frozenset({Role.PAGE})

    def read(self, document: Document) -> Extract:
        """One fact for a page: its `doc.examples` and `doc.sections`, what it has `doc.shown`, the `requests` that it
        shows, what it `documents`, and the `changes` that a list of them names."""
        text = document.text.replace("\r\n", "\n").replace("\r", "\n")
        doc: dict[str, Json] = {}
        aspects: dict[str, Json] = {"doc": doc}
        rows = sorted([*examples(text, 1), *told_blocks(text)], key=lambda row: int(row[2]))
        shown = without_alternatives(text, rows)
        if _CHANCE.search(text, 0, _BEGINNING) or _UNSURE.search(text):
            shown = [[row[0], "", *row[2:]] for row in shown]  # What it shows came up once.
        if any(expected for _, expected, _ in shown):
            doc["examples"] = shown
            markdown = document.path.endswith((".md", ".markdown"))
            if sections := sections_of(text, shown, is_markdown=markdown):
                doc["sections"] = sections
        if freely := _freely(text):
            doc["shown"] = freely
        if is_list_of_changes(document.path):
            aspects["changes"] = changes(text)
        elif looks_like_manual(text):
            aspects["documents"] = documented(text)
        if not is_list_of_changes(document.path) and shows_requests(text):
            aspects["requests"] = list(shown_requests(text))
        aspects = {name: told for name, told in aspects.items() if told}
        if not aspects:
            return Extract()
        page = Fact(
            tag=Tag.SPEC,
            kind=Kind.PAGE,
            key=document.path,
            name=document.path.rpartition("/")[2],
            source=Location(document.path, 1, max(1, text.count("\n"))),
            aspects=aspects,
        )
        return Extract(facts=[page])


def looks_like_page(text: str) -> bool:
    """Whether a page may tell of Python or of requests: cheap, and never wrong where it says no."""
    text = text.replace("\r\n", "\n") if "\r" in text else text
    shows_python = _SHOWS.search(text) and _IMPORTS.search(text)
    return looks_like_manual(text) or bool(shows_python) or shows_requests(text) or _may_show(text)


def _may_show(text: str) -> bool:
    """Whether code may stand in blocks without prompts that imports what it calls."""
    return shows_blocks(text) and "(" in text and _IMPORTS.search(text) is not None


def _freely(text: str) -> list[Json]:
    """What such blocks show; nothing where none imports anything."""
    rows = shown_values(text, 1) if _may_show(text) else []
    is_importing = any(str(row[0]).startswith(("import ", "from ")) for row in rows if isinstance(row, list))
    return rows if is_importing else []
