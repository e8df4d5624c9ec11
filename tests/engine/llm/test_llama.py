"""The ports of LlamaIndex are filled by our searcher, embedder and endpoint."""

from __future__ import annotations

import pytest

from engine.llm.client import Endpoint
from graph.facts import Extract, Fact, Kind, Location, Tag
from graph.retrieval.embedding import MiniLm
from graph.retrieval.index import Index
from graph.retrieval.search import Searcher
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer
from tests.engine.llm.scripted import serving


@pytest.mark.filterwarnings("ignore")  # LlamaIndex warns of its own fields while it is imported
def test_facts_come_back_as_nodes_and_a_model_speaks() -> None:
    from engine.llm.llama import EmbedderModel, EndpointLanguageModel, FactRetriever

    store = Store.open(None)
    fact = Fact(
        tag=Tag.CODE, kind=Kind.MODULE, key="shop", name="shop", source=Location("shop.py", 1, 1), aspects={}
    )
    writer = Writer(store)
    with writer.transaction():
        writer.replace(Owner(name="shop.py", reader="python 1"), Extract(facts=[fact]))
    store.publish()
    Index(store).refresh(print)
    (node,) = FactRetriever(Searcher(store, None, None)).retrieve("shop")
    assert (node.node_id, node.text) == ("code:module:shop", "shop is a module.")
    assert len(EmbedderModel(MiniLm(1)).get_query_embedding("shop")) == 384
    with serving("Hello.") as script:
        model = EndpointLanguageModel(Endpoint(script.url, "scripted", "", 20))
        assert model.complete("Say hello.").text == "Hello."
        assert [each.text for each in model.stream_complete("Say hello.")] == ["Hello."]
