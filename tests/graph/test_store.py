"""The fact store keeps what was written, shows only what was published, and forgets nothing it should not."""

from __future__ import annotations

import gc
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from graph.errors import DamagedStore, StoreError
from graph.facts import Defect, Extract, Fact, Kind, Location, Relation, Tag, Verb
from graph.source import Memory
from graph.store.records import TYPES, Owner, tag_and_kind
from graph.store.store import Store
from graph.store.writing import Writer


def function(name: str, path: str = "shop.py", line: int = 1, **aspects: object) -> Fact:
    return Fact(
        tag=Tag.CODE,
        kind=Kind.FUNCTION,
        key=f"shop.{name}",
        name=name,
        source=Location(path, line, line + 1),
        aspects=dict(aspects),
    )


def write(store: Store, extract: Extract, path: str = "shop.py", module: str = "shop") -> None:
    writer = Writer(store)
    with writer.transaction():
        writer.replace(Owner(name=path, digest="d", role="python", module=module, reader="r:1"), extract)


def retract(store: Store, path: str) -> None:
    writer = Writer(store)
    with writer.transaction():
        writer.retract([path])


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "facts.db")


def test_facts_come_back_as_they_were_written(store: Store) -> None:
    fact = function("pay", kind="function", parameters=[["amount", "keyword-only", "int", None, 3]])
    write(store, Extract(facts=[fact]))
    store.publish()
    assert list(store.facts()) == [fact]


def test_nothing_is_seen_before_it_is_published(store: Store) -> None:
    write(store, Extract(facts=[function("pay")]))
    assert list(store.facts()) == []
    store.publish()
    assert [fact.name for fact in store.facts()] == ["pay"]


def test_only_what_was_published_is_worth_waiting_for_the_disk(tmp_path: Path) -> None:
    def synchronous(store: Store) -> int:
        ((level,),) = store.dialect.execute("PRAGMA synchronous")
        return int(level)

    new = Store.open(tmp_path / "facts.db")
    write(new, Extract(facts=[function("pay")]))
    assert synchronous(new) == 0
    new.publish()
    assert synchronous(new) == 2
    new.close()
    assert synchronous(Store.open(tmp_path / "facts.db")) == 2


def test_writing_the_same_again_makes_no_new_revision(store: Store) -> None:
    extract = Extract(
        facts=[function("pay")],
        relations=[Relation(Verb.CALLS, "code:function:shop.pay", "code:*:shop.charge", 2)],
    )
    write(store, extract)
    first = store.publish()
    write(store, extract)
    assert store.publish() == first


def test_a_changed_fact_is_closed_and_a_new_one_opened(store: Store) -> None:
    write(store, Extract(facts=[function("pay", returns="int")]))
    store.publish()
    write(store, Extract(facts=[function("pay", returns="str")]))
    store.publish()
    rows = store.dialect.execute("SELECT born, died FROM fact ORDER BY born")
    assert list(rows) == [(1, 2), (2, None)]
    assert [fact.aspects for fact in store.facts()] == [{"returns": "str"}]


def test_a_fact_that_only_moved_keeps_its_row(store: Store) -> None:
    write(store, Extract(facts=[function("pay", line=1)]))
    store.publish()
    write(store, Extract(facts=[function("pay", line=9)]))
    store.publish()
    assert [fact.source.line for fact in store.facts()] == [9]
    assert list(store.dialect.execute("SELECT count(*) FROM fact")) == [(1,)]


def test_retracting_a_file_takes_its_facts_and_relations(store: Store) -> None:
    relation = Relation(Verb.CALLS, "code:function:shop.pay", "code:*:shop.charge", 2)
    write(store, Extract(facts=[function("pay")], relations=[relation]))
    store.publish()
    retract(store, "shop.py")
    store.publish()
    assert list(store.facts()) == []
    assert list(store.relations()) == []
    assert store.owners() == {}


def test_a_key_that_two_documents_define_names_the_document(store: Store) -> None:
    write(store, Extract(facts=[function("pay", path="a.py")]), path="a.py", module="a")
    write(store, Extract(facts=[function("pay", path="b.py")]), path="b.py", module="b")
    store.publish()
    ids = [fact.id for fact in store.facts()]
    assert ids == ["code:function:shop.pay@a.py", "code:function:shop.pay@b.py"]
    assert [fact.source.path for fact in store.named("code:function:shop.pay@b.py")] == ["b.py"]
    assert len(store.named("code:function:shop.pay")) == 2
    retract(store, "a.py")
    store.publish()
    assert [fact.id for fact in store.facts()] == ["code:function:shop.pay"]


def test_a_relation_to_a_key_of_unknown_kind_finds_its_fact(store: Store) -> None:
    relation = Relation(Verb.CALLS, "code:function:shop.pay", "code:*:shop.charge", 2)
    write(store, Extract(facts=[function("pay"), function("charge")], relations=[relation]))
    store.publish()
    (charge,) = store.named("code:*:shop.charge")
    assert store.relations_of(charge) == [relation]


def test_facts_of_a_module_are_those_read_from_its_file(store: Store) -> None:
    write(store, Extract(facts=[function("pay", path="a.py")]), path="a.py", module="a")
    write(store, Extract(facts=[function("owe", path="b.py")]), path="b.py", module="b")
    store.publish()
    assert [fact.name for fact in store.facts(modules={"b"})] == ["owe"]


def test_facts_that_have_an_aspect_are_told_from_those_that_only_speak_of_it(store: Store) -> None:
    has, nested, says = (
        function("pay", claims=[]),
        function("owe", doc={"claims": 1}),
        function("say", doc={"text": '"claims":'}),
    )
    extract = Extract(facts=[has, nested, says])
    write(store, extract, module="a")
    store.publish()
    for source in (store, Memory([extract], {has.source.path: "a"})):
        assert [fact.name for fact in source.facts(having="claims")] == ["pay"]
        assert [fact.name for fact in source.facts(modules={"a"}, having="claims")] == ["pay"]
        assert not list(source.facts(modules={"b"}, having="claims"))


def test_notes_of_a_reader_are_kept_with_its_file(store: Store) -> None:
    defect = Defect(
        rule="contract-invalid",
        subject="file a",
        aspect="source",
        message="m",
        tag=Tag.SPEC,
        path="a",
        line=3,
    )
    write(store, Extract(defects=[defect]))
    assert store.notes().defects == [defect]
    write(store, Extract())
    assert store.notes().defects == []


def test_old_revisions_are_pruned(store: Store) -> None:
    for number in range(30):
        write(store, Extract(facts=[function("pay", returns=str(number))]))
        store.publish(keep=5)
    ((count,),) = store.dialect.execute("SELECT count(*) FROM fact")
    assert count == 6


def test_a_failed_transaction_leaves_the_store_as_it_was(store: Store) -> None:
    write(store, Extract(facts=[function("pay")]))
    store.publish()
    writer = Writer(store)
    with pytest.raises(RuntimeError), writer.transaction():
        writer.replace(Owner(name="x.py", reader="r:1"), Extract(facts=[function("gone", path="x.py")]))
        raise RuntimeError
    with writer.transaction():
        writer.replace(Owner(name="y.py", reader="r:1"), Extract(facts=[function("kept", path="y.py")]))
    store.publish()
    assert [fact.name for fact in store.facts()] == ["kept", "pay"]


def test_a_store_of_a_newer_crossfact_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path / "facts.db").close()
    with sqlite3.connect(tmp_path / "facts.db") as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StoreError, match="written by a newer crossfact") as caught:
        Store.open(tmp_path / "facts.db")
    assert "Upgrade" in caught.value.remedy


def test_who_opens_a_new_store_waits_for_those_who_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "facts.db"
    reader = sqlite3.connect(place, check_same_thread=False)
    reader.execute("CREATE TABLE t (a)")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM t").fetchone()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **{**k, "timeout": 0}))
    leaves = threading.Timer(0.2, reader.close)
    leaves.start()
    Store.open(place).close()
    leaves.join()


def test_a_store_that_another_thread_opened_and_nobody_holds_any_more_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[sqlite3.Connection] = []
    held: list[Store] = []
    connect = sqlite3.connect

    def noted(*arguments: Any, **options: Any) -> sqlite3.Connection:
        made.append(connect(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    opens = threading.Thread(target=lambda: held.append(Store.open(None)))
    opens.start()
    opens.join()
    held.clear()
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        made[0].execute("SELECT 1")


def test_a_file_that_is_no_database_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "facts.db").write_bytes(b"not a database" * 100)
    with pytest.raises(DamagedStore):
        Store.open(tmp_path / "facts.db")


def test_an_ambiguous_end_is_the_fact_of_the_file_that_it_was_read_from(store: Store) -> None:
    """What several files told one owner (a resolver, a contract in parts) is no less certain."""
    write(store, Extract(facts=[function("pay", "other.py")]), "other.py")
    route = Fact(
        tag=Tag.CODE, kind=Kind.OPERATION, key="GET /pay", name="GET /pay", source=Location("shop.py", 1, 2)
    )
    handled = Relation(Verb.HANDLED_BY, route.id, "code:function:shop.pay")
    extract = Extract(facts=[route, function("pay")], relations=[handled])
    write(store, extract, "resolver:web", module="")
    store.publish()
    (relation,) = store.relations()
    assert (relation.first, relation.second) == (route.id, "code:function:shop.pay@shop.py")
    (pay,) = store.named("code:function:shop.pay@shop.py")
    assert store.relations_of(pay) == [relation]


def test_one_owner_may_find_a_key_in_two_files(store: Store) -> None:
    facts = [function("pay", path="a.py"), function("pay", path="b.py")]
    write(store, Extract(facts=facts), path="resolver:x")
    store.publish()
    ids = ["code:function:shop.pay@a.py", "code:function:shop.pay@b.py"]
    assert [fact.id for fact in store.facts()] == ids
    write(store, Extract(facts=facts[::-1]), path="resolver:x")
    assert not store.pending
    write(store, Extract(facts=facts[1:]), path="resolver:x")
    store.publish()
    assert [fact.id for fact in store.facts()] == ["code:function:shop.pay"]


def test_ends_that_one_owner_found_in_two_files_belong_together_where_they_stand(store: Store) -> None:
    facts = [function(name, path=path) for name in ("pay", "owe") for path in ("a.py", "b.py")]
    relation = Relation(Verb.CALLS, "code:function:shop.pay", "code:function:shop.owe", 1)
    write(store, Extract(facts=facts, relations=[relation]), path="resolver:x")
    store.publish()
    assert [(r.first.rpartition("@")[2], r.second.rpartition("@")[2]) for r in store.relations()] == [
        ("a.py", "a.py"),
        ("b.py", "b.py"),
    ]


def test_a_new_kind_leaves_the_numbers_of_older_stores_as_they_are() -> None:
    assert (TYPES["spec", "operation"], TYPES["spec", "commit"], TYPES["spec", "*"]) == (0, 13, 14)
    assert len(set(TYPES.values())) == len(TYPES)
    assert [tag_and_kind(TYPES["code", kind]) for kind in Kind] == [("code", kind) for kind in Kind]
