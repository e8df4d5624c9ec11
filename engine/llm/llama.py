"""The ports of LlamaIndex, filled with our endpoint, our embedder and our searcher.

Importing this module takes seconds: only what has a model write something does.
"""

from __future__ import annotations

from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import CustomLLM
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from engine.llm.client import Endpoint
from graph.retrieval.embedding import Embedder
from graph.retrieval.search import Searcher
from graph.statements import statement

_WINDOW = 32_000
_OUTPUT = 2_000


class EndpointLanguageModel(CustomLLM):
    """A language model behind an `Endpoint`."""

    _endpoint: Endpoint = PrivateAttr()

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__()
        self._endpoint = endpoint

    @property
    def metadata(self) -> LLMMetadata:
        """What LlamaIndex wants to know of a model; the window is one that nearly all models have."""
        return LLMMetadata(context_window=_WINDOW, num_output=_OUTPUT, model_name=self._endpoint.model)

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """The whole reply to a prompt. Raises ModelError."""
        return CompletionResponse(text=self._endpoint.complete(prompt))

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """The reply in one piece."""
        yield self.complete(prompt)


class EmbedderModel(BaseEmbedding):
    """An `Embedder`, for what else of LlamaIndex wants one."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(model_name=embedder.name)
        self._embedder = embedder

    def _get_text_embedding(self, text: str) -> list[float]:
        return [float(number) for number in self._embedder.embed([text])[0]]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class FactRetriever(BaseRetriever):
    """The facts that a `Searcher` finds, as nodes named by the facts' ids."""

    def __init__(self, searcher: Searcher, limit: int = 10) -> None:
        self._searcher = searcher
        self._limit = limit
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._searcher.search(query_bundle.query_str, limit=self._limit)
        return [
            NodeWithScore(node=TextNode(id_=hit.fact.id, text=statement(hit.fact)), score=hit.score)
            for hit in hits
        ]
