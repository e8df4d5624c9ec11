"""The way between two facts is found through relations of either direction, and networkx sees the same graph."""

from __future__ import annotations

import pytest

from graph.facts import Extract, Fact, Kind, Location, Relation, Tag, Verb
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer
from graph.view import graph, neighbours, shortest_path


def function(name: str) -> Fact:
    return Fact(tag=Tag.CODE, kind=Kind.FUNCTION, key=name, name=name, source=Location("a.py", 1, 1))


FACTS = [function(name) for name in ("a", "b", "c", "d", "alone")]
RELATIONS = [
    Relation(Verb.CALLS, "code:function:a", "code:*:b", 1),
    Relation(Verb.CALLS, "code:function:c", "code:function:b", 2),
    Relation(Verb.CALLS, "code:function:c", "code:*:d", 3),
    Relation(Verb.CALLS, "code:function:c", "code:*:outside.the.project", 4),
]


@pytest.fixture
def store() -> Store:
    store = Store.open(None)
    writer = Writer(store)
    with writer.transaction():
        writer.replace(Owner(name="a.py", reader="r:1"), Extract(facts=FACTS, relations=RELATIONS))
    store.publish()
    return store


def test_the_shortest_way_follows_relations_backwards_too(store: Store) -> None:
    start, *_, end = (store.by_key(name)[0] for name in ("a", "d"))
    assert [fact.key for _, fact in shortest_path(store, start, end)] == ["b", "c", "d"]


def test_there_is_no_way_to_a_fact_that_nothing_is_related_to(store: Store) -> None:
    assert shortest_path(store, store.by_key("a")[0], store.by_key("alone")[0]) == []


def test_neighbours_are_facts_of_the_project_only(store: Store) -> None:
    found = neighbours(store, store.by_key("c")[0])
    assert [(relation.verb, fact.key) for relation, fact in found] == [("calls", "d"), ("calls", "b")]


def test_the_networkx_view_ties_ends_of_unknown_kind_to_their_facts(store: Store) -> None:
    view = graph(store.facts(), store.relations())
    assert sorted(view.nodes) == sorted(fact.id for fact in FACTS)
    assert sorted(view.edges(keys=True)) == [
        ("code:function:a", "code:function:b", "calls"),
        ("code:function:c", "code:function:b", "calls"),
        ("code:function:c", "code:function:d", "calls"),
    ]
