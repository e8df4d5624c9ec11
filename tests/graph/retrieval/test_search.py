"""Facts are found by their words, by what they mean, by their relations, and by their very names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy
import pytest

from graph.facts import Extract, Fact, Kind, Location, Relation, Tag, Verb
from graph.retrieval.index import Index
from graph.retrieval.question import understood
from graph.retrieval.search import Searcher
from graph.retrieval.vectors import Exact
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer

if TYPE_CHECKING:
    from graph.retrieval.embedding import Vectors


class Counting:
    """An embedder of three meanings, told by a word each; it counts the texts that it was given."""

    name = "three meanings"
    dimension = 3

    def __init__(self) -> None:
        self.texts = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        words = (("stock", "sold", "available"), ("ship", "deliver", "parcel"), ("price", "cost", "euro"))
        rows = [[float(any(word in text.lower() for word in each)) for each in words] for text in texts]
        vectors = numpy.array(rows, dtype=numpy.float32).reshape(len(texts), 3) + 0.01
        scaled: Vectors = vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
        return scaled


def function(key: str, doc: str, line: int = 1) -> Fact:
    return Fact(
        tag=Tag.CODE,
        kind=Kind.FUNCTION,
        key=key,
        name=key.rpartition(".")[2],
        source=Location("shop.py", line, line + 1),
        aspects={"parameters": [], "doc": {"summary": doc}},
    )


FACTS = [
    function("shop.reserve", "Takes copies out of stock.", 1),
    function("shop.send", "Brings a parcel on its way.", 5),
    function("shop.total", "Adds up what all of it costs.", 9),
    function("shop.colour", "Chooses a colour.", 13),
]
RELATIONS = [Relation(Verb.CALLS, "code:function:shop.total", "code:*:shop.colour", 10)]


def write(store: Store, facts: list[Fact], relations: Sequence[Relation] = ()) -> None:
    writer = Writer(store)
    with writer.transaction():
        extract = Extract(facts=facts, relations=list(relations))
        writer.replace(Owner(name="shop.py", reader="python 1", digest=str(len(facts))), extract)
    store.publish()


@pytest.fixture
def store() -> Store:
    store = Store.open(None)
    write(store, FACTS, RELATIONS)
    return store


def nobody(_: str) -> None:
    pytest.fail("nothing is to be told")


def indexed(store: Store, embedder: Counting, tell: Callable[[str], None] = nobody) -> Searcher:
    index = Index(store)
    index.refresh(tell)
    index.embed(embedder)
    return Searcher(store, embedder, Exact(store, embedder.dimension))


def names(searcher: Searcher, question: str, **wanted: Any) -> list[str]:
    return [hit.fact.name for hit in searcher.search(question, **wanted)]


def test_a_word_is_found_in_another_form(store: Store) -> None:
    Index(store).refresh(nobody)
    (hit, *_) = Searcher(store, None, None).search("which parcels?")
    assert hit.fact.name == "send"
    assert hit.signals.keyword > 0
    assert hit.signals.vector == 0


def test_a_meaning_is_found_without_a_common_word(store: Store) -> None:
    (hit, *_) = indexed(store, Counting()).search("when is it sold?")
    assert hit.fact.name == "reserve"
    assert hit.signals.vector > 0.9
    assert hit.signals.keyword == 0


def test_a_relation_leads_to_what_neither_words_nor_meaning_find(store: Store) -> None:
    Index(store).refresh(nobody)
    hits = Searcher(store, None, None).search("costs")
    assert [hit.fact.name for hit in hits] == ["total", "colour"]
    assert hits[1].signals.graph > 0
    assert hits[1].signals.keyword == 0


def test_a_key_in_the_question_comes_first(store: Store) -> None:
    (hit, *_) = indexed(store, Counting()).search("does shop.colour bring a parcel that costs something?")
    assert hit.fact.name == "colour"
    assert hit.signals.exact


def test_kinds_and_witnesses_narrow_the_search(store: Store) -> None:
    searcher = indexed(store, Counting())
    assert names(searcher, "parcel", kinds=[Kind.CLASS]) == []
    assert names(searcher, "parcel", tags=[Tag.SPEC]) == []
    assert names(searcher, "parcel", kinds=[Kind.FUNCTION], tags=[Tag.CODE])[0] == "send"


@pytest.mark.parametrize(
    "question", ["", "???", '"', "a OR NOT (", "books*", 'NEAR("x" y)', "\x00", "of the"]
)
def test_no_question_is_taken_for_query_syntax(store: Store, question: str) -> None:
    indexed(store, Counting()).search(question)


def test_an_unchanged_store_embeds_nothing_again(store: Store) -> None:
    embedder = Counting()
    indexed(store, embedder)
    first = embedder.texts
    assert first == len(FACTS)
    indexed(store, embedder)
    assert embedder.texts == first


def test_a_moved_fact_is_not_embedded_again_and_a_changed_one_is(store: Store) -> None:
    embedder = Counting()
    indexed(store, embedder)
    write(
        store,
        [function("shop.reserve", "Takes copies out of stock.", 100), function("shop.send", "By ship.", 5)],
    )
    searcher = indexed(store, embedder)
    assert embedder.texts == len(FACTS) + 1
    assert sorted(names(searcher, "stock by ship costs")) == ["reserve", "send"]


def test_a_text_that_comes_back_has_its_vector_still(store: Store) -> None:
    embedder = Counting()
    indexed(store, embedder)
    write(store, FACTS[:1])
    indexed(store, embedder)
    write(store, FACTS)
    searcher = indexed(store, embedder)
    assert embedder.texts == len(FACTS)
    assert len(names(searcher, "parcel")) == len(FACTS)


def test_another_model_makes_all_vectors_anew(store: Store) -> None:
    embedder = Counting()
    indexed(store, embedder)
    embedder.name = "three other meanings"
    indexed(store, embedder)
    assert embedder.texts == 2 * len(FACTS)


def test_a_keyword_index_that_disagrees_with_the_facts_is_made_anew(store: Store) -> None:
    embedder, said = Counting(), list[str]()
    indexed(store, embedder)
    store.dialect.execute("DELETE FROM words WHERE rowid = (SELECT min(rowid) FROM words)")
    assert not Index(store).is_current()
    searcher = indexed(store, embedder, said.append)
    assert said == ["crossfact: the facts and the keyword index disagreed; it is made anew from the facts."]
    assert embedder.texts == len(FACTS)
    assert names(searcher, "stock")[0] == "reserve"


def test_a_vector_that_was_cut_or_lost_is_seen_and_made_anew(store: Store) -> None:
    embedder = Counting()
    indexed(store, embedder)
    store.dialect.execute("UPDATE vector SET numbers = x'00' WHERE id = 1")
    store.dialect.execute("DELETE FROM vector WHERE id = 2")
    assert not Exact(store, embedder.dimension).sound
    Index(store).forget_damaged(embedder.dimension)
    assert Index(store).waiting() == 2
    Index(store).embed(embedder)
    assert Exact(store, embedder.dimension).sound
    assert embedder.texts == len(FACTS) + 2


def test_a_question_is_taken_apart() -> None:
    question = understood(
        'Why does POST /orders/{id} answer 409 for "out of print" in shop.OutOfStock, see AC-3.2?'
    )
    assert question.phrases == (("out", "print"),)
    assert {"POST /orders/{id}", "409", "shop.OutOfStock", "AC-3.2"} <= set(question.exact)
    assert question.is_by_name
    assert not understood("what happens when a book is out of print?").is_by_name
