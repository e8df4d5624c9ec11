from __future__ import annotations

from graph.changes import AspectChange, changes, differences
from graph.facts import Extract, Fact, Json, Kind, Location, Tag
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer


def function(name: str, line: int = 1, **aspects: Json) -> Fact:
    return Fact(
        tag=Tag.CODE,
        kind=Kind.FUNCTION,
        key=name,
        name=name,
        source=Location("app.py", line, line),
        aspects=aspects,
    )


def publish(store: Store, *facts: Fact) -> int:
    writer = Writer(store)
    with writer.transaction():
        writer.replace(Owner(name="app.py", role="python", reader="r1"), Extract(facts=list(facts)))
    return store.publish()


def test_facts_are_added_removed_and_changed_between_any_two_kept_revisions() -> None:
    store = Store.open(None)
    first = publish(store, function("a", returns="int"), function("b"))
    publish(store, function("a", returns="str"), function("b"))
    last = publish(store, function("a", returns="str"), function("c"))
    found = changes(store, first, last)
    assert [fact.key for fact in found.added] == ["c"]
    assert [fact.key for fact in found.removed] == ["b"]
    ((before, after),) = found.changed
    assert list(differences(before, after)) == [AspectChange("returns", "int", "str")]
    back = changes(store, last, first)
    assert (back.added, back.removed) == (found.removed, found.added)


def test_what_was_changed_and_changed_back_is_no_difference() -> None:
    store = Store.open(None)
    first = publish(store, function("a", returns="int"))
    publish(store, function("a", returns="str"))
    last = publish(store, function("a", returns="int"))
    assert not changes(store, first, last)


def test_lines_that_moved_inside_aspects_are_no_change() -> None:
    store = Store.open(None)
    row = ["x", "positional-or-keyword", None, "1", 7]
    first = publish(store, function("a", parameters=[row], lines={"x": 7}))
    last = publish(store, function("a", 9, parameters=[[*row[:-1], 15]], lines={"x": 15}))
    assert not changes(store, first, last)


def test_a_value_that_only_changes_its_type_is_a_change() -> None:
    store = Store.open(None)
    first = publish(store, function("a", default=1))
    last = publish(store, function("a", default=True))
    assert len(changes(store, first, last).changed) == 1


def test_the_store_can_be_read_as_it_was() -> None:
    store = Store.open(None)
    first = publish(store, function("a"))
    publish(store, function("b"))
    assert [fact.key for fact in store.at(first).facts()] == ["a"]
    assert [fact.key for fact in store.facts()] == ["b"]
    assert store.oldest == 1
