"""Pages of web applications with the facts that the framework readers take from them: tests/ingest/web/*/*.md."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path

from engine.plugins import BUILT_IN_RESOLVERS
from graph.facts import Extract, Fact, Json, Kind
from graph.schema_algebra import without_places
from ingest.ingestor import Document, Role
from ingest.resolver import Resolver
from tests.pages import Case, Pages

RESOLVERS: dict[str, Resolver] = {resolver.name: resolver for resolver in BUILT_IN_RESOLVERS}
CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n+(?P<files>(?:```[^\s`]+\.py\n.*?^```\n+)+)"
    r"```facts(?P<kinds>[a-z ]*)\n(?P<facts>.*?)^```$",
    re.M | re.S,
)
PAGES = Pages((Path(__file__).parent / "web").glob("*/*.md"), CASE, "facts")
FILE = re.compile(r"^```(?P<path>\S+)\n(?P<text>.*?)^```$", re.M | re.S)
USUAL = {
    "deprecated": False,
    "in_schema": True,
    "statuses_complete": True,
    "parameters_complete": True,
    "tags": [],
    "security": [],
}
_INSTALLED = "site-packages/"
SILENT = frozenset({"method", "path", "framework", "name", "in", "status", "media_type"})


class Files:
    """A project of these files, by path; those below `site-packages` are its environment's."""

    def __init__(self, files: dict[str, str]) -> None:
        own = {path: text for path, text in files.items() if not path.startswith(_INSTALLED)}
        self._documents = {
            module_name(path): Document(path=path, role=Role.PYTHON, text=text, module=module_name(path))
            for path, text in own.items()
        }
        self._installed = {
            (name := module_name(path.removeprefix(_INSTALLED))): Document(path, Role.PYTHON, text, name)
            for path, text in files.items()
            if path not in own
        }

    def document(self, module: str) -> Document | None:
        return self._documents.get(module)

    def installed(self, module: str) -> Document | None:
        return self._installed.get(module)

    def installed_version(self, distribution: str) -> str:
        named = (d.path.removeprefix(_INSTALLED).split("/")[0] for d in self._installed.values())
        found = (each.partition("-") for each in named)
        return next((version for name, _, version in found if name == distribution and version), "")

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        names = "|".join(
            re.escape(name) for package in packages for name in {package, package.rsplit(".")[-1]}
        )
        pattern = re.compile(rf"^\s*(from|import)\b.*\b({names})\b", re.M)
        return tuple(sorted(m for m, d in self._documents.items() if pattern.search(d.text)))


def module_name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


@PAGES.each()
def test_a_page_yields_its_facts(case: Case, update: bool) -> None:
    files = {found["path"]: found["text"] for found in FILE.finditer(case["files"])}
    case.holds(rendered(resolved(case.page.parent.name, files), case["kinds"].split()), update)


def test_every_page_has_cases_and_every_case_is_seen() -> None:
    PAGES.assert_that_all_are_seen()


def resolved(framework: str, files: dict[str, str]) -> Extract:
    return RESOLVERS[framework].resolve(Files(files))


def rendered(extract: Extract, kinds: list[str]) -> str:
    """The facts of these kinds (all where empty) as text; what is usual is not shown, places in schemas neither."""
    lines = []
    for fact in extract.facts:
        if not kinds or fact.kind in kinds:
            lines += described(fact)
    if not kinds or "unknown" in kinds:
        lines += [f"unknown {u.subject} {u.aspect} {u.path}:{u.line}: {u.reason}" for u in extract.unknown]
    return "".join(line + "\n" for line in lines)


def described(fact: Fact) -> list[str]:
    more = f" + {', '.join(fact.sources)}" if fact.sources else ""
    lines = [f"{fact.id} {fact.source.path}:{fact.source.line}-{fact.source.end_line}{more}"]
    aspects: dict[str, Json] = without_places(fact.aspects)
    for name, value in aspects.items():
        if name not in SILENT and not (name in USUAL and USUAL[name] == value):
            lines.append(f"    {name}: {json.dumps(value, sort_keys=True)}")
    if fact.kind is Kind.OPERATION and aspects["framework"] == "fastapi" and "security" not in aspects:
        lines.append("    security: unknown")
    return lines
