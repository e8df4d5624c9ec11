"""Says in words what speaks for a link."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crossval.link.traces.evidence import FEATURES
from crossval.link.traces.passages import Artifact, Passage
from graph.retrieval.words import terms

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

# Single digits and parts of dates and versions are shared by chance.
_WORD = re.compile(r"[^\W\d_]{3,}|(?<![\w.:/-])\d{2,}(?![\w:/-]|\.\d)")
_MOST = 5
_STRONG = 0.5
_NEIGHBOURS = FEATURES.index("neighbours of best")


class Reasons:
    """Finds the words that a passage and an artifact share; an artifact's words are split once only."""

    def __init__(self, language: str) -> None:
        """`language` names the stemmer, as `language_of` does."""
        self._language = language
        self._known: dict[str, tuple[set[str], set[str]]] = {}

    def of(self, passage: Passage, artifact: Artifact, features: NDArray[numpy.float64]) -> str:
        """The shared words, those of the artifact's name first, and whether its neighbours match as well."""
        parts = []
        name, rest = self._shared(passage, artifact)
        if name:
            parts.append(f"the name has {_listed(name)}")
        if rest:
            parts.append(f"both say {_listed(rest)}")
        if features[_NEIGHBOURS] > _STRONG:
            parts.append("what it uses or what uses it matches too")
        return "; ".join(parts) or "what it uses or what uses it matches"

    def _shared(self, passage: Passage, artifact: Artifact) -> tuple[list[str], list[str]]:
        """The words of the passage that the name has, and those that the rest of the artifact has."""
        name, rest = self._words(artifact)
        named: dict[str, None] = {}
        said: dict[str, None] = {}
        for word in _WORD.findall(passage.text):
            for stem in terms(word, self._language):
                if stem in name:
                    named[word.lower()] = None
                elif stem in rest:
                    said[word.lower()] = None
        return list(named)[:_MOST], [word for word in said if word not in named][:_MOST]

    def _words(self, artifact: Artifact) -> tuple[set[str], set[str]]:
        known = self._known.get(artifact.id)
        if known is None:
            rest = f"{artifact.place} {artifact.symbols} {artifact.comments} {artifact.body}"
            known = set(terms(artifact.name, self._language)), set(terms(rest, self._language))
            self._known[artifact.id] = known
        return known


def _listed(words: list[str]) -> str:
    return ", ".join(f"‘{word}’" for word in words)
