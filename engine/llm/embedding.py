"""Embeds texts by an OpenAI-compatible endpoint instead of the installed model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.configuration import Settings
from engine.llm.client import Endpoint

if TYPE_CHECKING:
    from graph.retrieval.embedding import Vectors

_BATCH = 64


class Remote:
    """An `Embedder` whose vectors come over the network; their length is learnt by asking once."""

    def __init__(self, settings: Settings) -> None:
        """Asks the endpoint for one vector. Raises ModelError."""
        self._endpoint = Endpoint(
            settings.embedding_url, settings.embedding_model, settings.llm_key, settings.llm_timeout
        )
        self.name = f"{settings.embedding_url} {settings.embedding_model}"
        self.dimension = len(self._endpoint.embed(["dimension"])[0])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        import numpy

        vectors = numpy.zeros((len(texts), self.dimension), dtype=numpy.float32)
        for start in range(0, len(texts), _BATCH):
            batch = list(texts[start : start + _BATCH])
            vectors[start : start + len(batch)] = self._endpoint.embed(batch)
        lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
        scaled: Vectors = (vectors / numpy.maximum(lengths, 1e-12)).astype(numpy.float32)
        return scaled
