"""The reader of Python code and stubs."""

from __future__ import annotations

from graph.facts import Extract, Relation, Tag, Verb
from ingest import versions
from ingest.ingestor import Document, Role
from ingest.python.citations import citations
from ingest.python.definitions import tell
from ingest.python.module import take_apart
from ingest.python.recovery import verdict
from ingest.python.silences import suppressions


class PythonReader:
    """Reads `.py` files as code and `.pyi` files as spec, without importing or running anything."""

    name = "python"
    version = versions.PYTHON
    roles = frozenset({Role.PYTHON, Role.STUB})

    def read(self, document: Document) -> Extract:
        """The facts of one file; of a broken one those of its sound parts."""
        tag = Tag.SPEC if document.role is Role.STUB else Tag.CODE
        module = take_apart(document, tag)
        extract = tell(module)
        if tag is Tag.CODE:
            implemented: dict[tuple[str, str], int] = {}
            for scope, cited, line in citations(module):
                implemented.setdefault((scope.id, f"spec:*:{cited}"), line)
            extract.relations.extend(
                Relation(Verb.IMPLEMENTS, first, second, line)
                for (first, second), line in implemented.items()
            )
        defects, skipped = verdict(module.source, module.root, tag)
        extract.defects.extend(defects)
        extract.skipped.extend(skipped)
        extract.suppressions.extend(suppressions(module, document.text))
        return extract
