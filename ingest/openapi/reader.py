"""The reader of contracts: OpenAPI 2.0, 3.0, 3.1 and 3.2, in YAML or JSON, in one file or many."""

from __future__ import annotations

from collections.abc import Iterable

from graph.facts import Defect, Extract, Fact, Relation, Unknown
from ingest import versions
from ingest.ingestor import Document, Role
from ingest.located import read_located
from ingest.openapi.components import Components
from ingest.openapi.files import Files, duplicate, unreadable
from ingest.openapi.node import Node
from ingest.openapi.notes import suppressions
from ingest.openapi.operations import Operations
from ingest.openapi.security import Security
from ingest.openapi.sniff import looks_like_contract as looks_like_contract
from ingest.trees.tree import Tree


class OpenApiReader:
    """Reads one contract with all local files that it refers to; whether it is valid, `ContractJudge` says."""

    name = "openapi"
    version = versions.OPENAPI
    roles = frozenset({Role.CONTRACT})

    def read(self, document: Document) -> Extract:
        """The facts of a contract. What is wrong in it is told as defects beside the facts that could be read."""
        tree = read_located(document.text, document.path)
        if not isinstance(tree, Tree):
            return Extract(defects=[unreadable(tree.path, tree.line, tree.reason, tree.remedy)])
        version = version_of(tree)
        if version is None:
            reason = "it has neither `openapi` nor `swagger` at its top level"
            remedy = "State the version, for example `openapi: 3.1.0`."
            return Extract(defects=[unreadable(tree.path, 1, reason, remedy)])
        files = Files(document, tree)
        found = list(_facts(files, version))
        return Extract(
            facts=[each for each in found if isinstance(each, Fact)],
            relations=[each for each in found if isinstance(each, Relation)],
            skipped=files.skipped,
            unknown=_nothing_promised(tree),
            defects=_distinct([*_duplicates(files), *files.defects]),
            suppressions=[
                note for each in files.trees for note in suppressions(each, files.texts[each.path])
            ],
            reads=files.reads,
        )


def _nothing_promised(tree: Tree) -> list[Unknown]:
    """A note where the contract has `paths` but none in them; one without `paths` is a library of components."""
    if tree.value.get("paths") != {}:
        return []
    line = tree.line(tree.value, "paths")
    return [Unknown(f"file {tree.path}", "operations", tree.path, line, "the contract names no operations")]


def version_of(tree: Tree) -> str | None:
    """The version of OpenAPI that a document states, as text, or None where it is no contract."""
    value = tree.value
    stated = value.get("openapi", value.get("swagger")) if isinstance(value, dict) else None
    return str(stated) if isinstance(stated, str | int | float) and not isinstance(stated, bool) else None


def _facts(files: Files, version: str) -> Iterable[Fact | Relation]:
    root = files.main
    version_2 = version.startswith("2")
    parts = root.mapping("components")
    schemes: Node = root.mapping("securityDefinitions") if version_2 else parts.mapping("securitySchemes")
    components = Components(files, siblings_count=not version.startswith(("2", "3.0")))
    components.declare(root.mapping("definitions") if version_2 else parts.mapping("schemas"))
    operations = Operations(files, components, Security(files, schemes), version_2)
    yield from operations.facts()
    yield from components.facts(operations.uses)


def _duplicates(files: Files) -> list[Defect]:
    return [
        duplicate(tree.path, each.line, each.key, each.first_line)
        for tree in files.trees
        for each in tree.duplicates
    ]


def _distinct(defects: list[Defect]) -> list[Defect]:
    return list({(each.rule, each.path, each.line, each.message): each for each in defects}.values())
