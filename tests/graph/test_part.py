"""A part of the graph holds what lies around the facts that were asked for, tied together, and is bounded."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from graph.facts import Extract, Fact, Kind, Location, Relation, Tag, Verb
from graph.part import Part, part_around
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer


def fact(identifier: str) -> Fact:
    tag, kind, key = identifier.split(":", 2)
    return Fact(tag=Tag(tag), kind=Kind(kind), key=key, name=key, source=Location("a.py", 1, 1))


def store_of(facts: Iterable[str], relations: Iterable[Relation] = ()) -> Store:
    store = Store.open(None)
    writer = Writer(store)
    with writer.transaction():
        extract = Extract(facts=[fact(each) for each in facts], relations=list(relations))
        writer.replace(Owner(name="a.py", reader="r:1"), extract)
    store.publish()
    return store


def ids(part: Part) -> list[str]:
    return [each.id for each in part.facts]


def told(part: Part) -> list[tuple[str, str, str]]:
    return [(edge.verb.value, part.facts[edge.first].key, part.facts[edge.second].key) for edge in part.edges]


CHAIN = [f"code:function:{name}" for name in "abcd"]
CALLS = [Relation(Verb.CALLS, first, f"code:*:{second[-1]}") for first, second in itertools.pairwise(CHAIN)]


def test_it_reaches_two_steps_along_relations_of_either_direction_and_of_unknown_kind() -> None:
    part = part_around(store_of(CHAIN, CALLS), ["code:function:d"])
    assert ids(part) == ["code:function:d", "code:function:c", "code:function:b"]
    assert sorted(told(part)) == [("calls", "b", "c"), ("calls", "c", "d")]


def test_it_says_how_many_neighbours_it_leaves_out() -> None:
    part = part_around(store_of(CHAIN, CALLS), ["code:function:d"])
    assert dict(zip(ids(part), part.others, strict=True))["code:function:b"] == 1


def test_it_is_bounded_and_takes_what_was_asked_for_first() -> None:
    store = store_of(
        [*CHAIN, "code:module:m"], [Relation(Verb.CONTAINS, "code:module:m", each) for each in CHAIN]
    )
    part = part_around(store, ["code:function:a", "code:function:b"], limit=3)
    assert ids(part) == ["code:function:a", "code:function:b", "code:module:m"]


def test_a_module_that_all_are_tied_to_does_not_bring_them_all() -> None:
    many = [f"code:function:f{number}" for number in range(200)]
    store = store_of(
        [*many, "code:module:m"], [Relation(Verb.CONTAINS, "code:module:m", each) for each in many]
    )
    assert len(ids(part_around(store, ["code:function:f0"]))) < 50
    assert len(ids(part_around(store, ["code:module:m"]))) == 201


def test_the_two_sides_of_one_name_are_tied() -> None:
    part = part_around(
        store_of(["spec:operation:GET /a", "code:operation:GET /a"]), ["spec:operation:GET /a"]
    )
    (edge,) = part.edges
    assert (edge.verb, part.facts[edge.first].tag, part.facts[edge.second].tag) == (
        Verb.IMPLEMENTS,
        "code",
        "spec",
    )


def test_added_relations_count_with_their_confidence_and_reason() -> None:
    added = [Relation(Verb.CONTRADICTS, "code:function:a", "spec:function:z", confidence=0.5, reason="why")]
    part = part_around(store_of([*CHAIN, "spec:function:z"], CALLS), ["code:function:a"], added)
    (edge,) = (each for each in part.edges if each.verb is Verb.CONTRADICTS)
    assert (part.facts[edge.first].key, part.facts[edge.second].key) == ("a", "z")
    assert (edge.confidence, edge.reason) == (0.5, "why")


def test_what_is_no_fact_of_its_own_means_the_fact_that_holds_it() -> None:
    store = store_of(["code:function:shop.pay", "spec:schema:Book"])
    part = part_around(store, ["code:parameter:shop.pay#amount", "spec:field:Book.title", "spec:story:US-9"])
    assert ids(part) == ["code:function:shop.pay", "spec:schema:Book"]
    assert part.asked == {
        "code:parameter:shop.pay#amount": (0,),
        "spec:field:Book.title": (1,),
        "spec:story:US-9": (),
    }
