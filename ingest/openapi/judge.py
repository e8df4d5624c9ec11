"""The judge of contracts: whether one is valid, apart from reading it, because that takes far longer."""

from __future__ import annotations

from graph.facts import Extract, Skipped
from ingest import versions
from ingest.ingestor import Document, Role
from ingest.located import read_located
from ingest.openapi.files import Files
from ingest.openapi.reader import version_of
from ingest.openapi.validity import validate
from ingest.trees.tree import Tree


class ContractJudge:
    """Says what makes a contract invalid; about one that cannot be read the reader has said all there is."""

    name = "contract-validity"
    version = versions.CONTRACT_VALIDITY
    roles = frozenset({Role.CONTRACT})

    def judge(self, document: Document) -> Extract:
        """The defects of a contract, or why it was not checked."""
        tree = read_located(document.text, document.path)
        version = version_of(tree) if isinstance(tree, Tree) else None
        if not isinstance(tree, Tree) or version is None:
            return Extract()
        files = Files(document, tree)
        try:
            defects, skipped = validate(files, version)
        except TimeoutError:
            skipped = [Skipped(document.path, 0, "whether the contract is valid was not settled in time")]
            return Extract(skipped=skipped)
        return Extract(defects=defects, skipped=skipped)
