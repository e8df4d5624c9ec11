"""What nothing in a project points at, without what its code names in a way that reading does not follow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from engine.project import Project
from engine.ties import project_ties
from graph.facts import Fact, Kind, Skipped, Tag
from graph.query.named import orphans
from ingest.text import read_text

_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = frozenset({Kind.FUNCTION, Kind.CLASS})


def unused(project: Project) -> list[Fact]:
    """The orphans of the graph; of functions and classes those whose name stands nowhere but at a definition of it,
    once for all its definitions.

    A function that is handed on in a table, or imported through another module when it is asked for, is used.
    """
    store = project.store
    found = orphans(store, project_ties(project))
    names = {fact.name for fact in found if _is_code(fact)}
    if not names:
        return found
    code = list(store.facts(kinds=_DEFINED))
    defined = Counter(fact.name for fact in code if fact.name in names)
    paths = {fact.source.path for fact in store.facts(kinds={Kind.MODULE})}
    said = _said(project.root, paths, names)
    return [
        fact
        for fact in found
        if not _is_code(fact) or ("~" not in fact.key and said[fact.name] <= defined[fact.name])
    ]


def _is_code(fact: Fact) -> bool:
    return fact.tag is Tag.CODE and fact.kind in _DEFINED


def _said(root: Path, paths: Iterable[str], names: Collection[str]) -> Counter[str]:
    """How often each name stands in these files."""
    said: Counter[str] = Counter()
    for path in paths:
        text = read_text(root, path)
        if not isinstance(text, Skipped):
            said.update(word for word in _WORD.findall(text) if word in names)
    return said
