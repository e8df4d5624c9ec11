from __future__ import annotations

from pathlib import Path

import pytest

from graph.errors import UsageError
from graph.facts import Extract, Fact, Kind, Location, Relation, Tag, Verb
from graph.query import cypher, sql
from graph.query.guard import refuse_effects
from graph.query.named import impact, orphans
from graph.query.table import Limits
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer

LIMITS = Limits(seconds=5, rows=100)


def fact(tag: Tag, kind: Kind, key: str, file: str, **aspects: object) -> Fact:
    return Fact(tag=tag, kind=kind, key=key, name=key, source=Location(file, 1, 2), aspects=aspects)


@pytest.fixture
def store() -> Store:
    store = Store.open(None)
    writer = Writer(store)
    files = {
        "app.py": Extract(
            facts=[
                fact(Tag.CODE, Kind.MODULE, "app", "app.py"),
                fact(Tag.CODE, Kind.FUNCTION, "app.order", "app.py"),
                fact(Tag.CODE, Kind.FUNCTION, "app.lost", "app.py"),
                fact(Tag.CODE, Kind.FUNCTION, "app.command", "app.py", decorators=["click.command('x')"]),
                fact(Tag.CODE, Kind.OPERATION, "POST /orders", "app.py", method="POST"),
            ],
            relations=[
                Relation(Verb.HANDLED_BY, "code:operation:POST /orders", "code:function:app.order"),
                Relation(Verb.CALLS, "code:function:app.order", "code:*:stock.take"),
                Relation(Verb.IMPLEMENTS, "code:function:app.order", "spec:*:US-1.1"),
            ],
        ),
        "stock.py": Extract(
            facts=[
                fact(Tag.CODE, Kind.MODULE, "stock", "stock.py"),
                fact(Tag.CODE, Kind.FUNCTION, "stock.take", "stock.py"),
            ]
        ),
        "stories.md": Extract(
            facts=[
                fact(Tag.SPEC, Kind.STORY, "US-1", "stories.md"),
                fact(Tag.SPEC, Kind.CRITERION, "US-1.1", "stories.md", text='Say "hi",\nthen \0 order'),
                fact(Tag.SPEC, Kind.CRITERION, "US-1.2", "stories.md", text="Nobody does this"),
            ],
            relations=[
                Relation(Verb.CONTAINS, "spec:story:US-1", "spec:criterion:US-1.1"),
                Relation(Verb.CONTAINS, "spec:story:US-1", "spec:criterion:US-1.2"),
            ],
        ),
    }
    for path, extract in files.items():
        module = path.removesuffix(".py") if path.endswith(".py") else ""
        with writer.transaction():
            writer.replace(Owner(name=path, role="python", module=module, reader="r1"), extract)
    store.publish()
    return store


def test_cypher_follows_relations_of_unknown_kind_in_either_direction(store: Store, tmp_path: Path) -> None:
    table = cypher.ask(
        store, "MATCH (s:criterion)-[:implements]-(c) RETURN s.id, c.id, label(c) AS kind", LIMITS, tmp_path
    )
    assert table.columns == ("s.id", "c.id", "kind")
    assert table.rows == (("spec:criterion:US-1.1", "code:function:app.order", "function"),)


def test_cypher_can_ask_for_what_is_missing(store: Store, tmp_path: Path) -> None:
    table = cypher.ask(
        store, "MATCH (s:criterion) WHERE NOT (s)-[:implements]-() RETURN s.text", LIMITS, tmp_path
    )
    assert table.rows == (("Nobody does this",),)


def test_text_with_quotes_lines_and_null_characters_survives(store: Store, tmp_path: Path) -> None:
    table = cypher.ask(store, "MATCH (s:criterion {key: 'US-1.1'}) RETURN s.text", LIMITS, tmp_path)
    assert table.rows == (('Say "hi",\nthen \\0 order',),)


def test_a_text_in_quotes_may_stand_behind_many_without(tmp_path: Path) -> None:
    """The first 256 rows tell the database how a table is written, unless it is said."""
    store = Store.open(None)
    writer = Writer(store)
    names = [f"US-1.{number:03}" for number in range(300)]
    facts = [fact(Tag.SPEC, Kind.CRITERION, name, "stories.md", text="Plain") for name in names]
    facts[-1] = fact(Tag.SPEC, Kind.CRITERION, names[-1], "stories.md", text="One, two, three")
    facts.append(fact(Tag.SPEC, Kind.STORY, "US-1", "stories.md"))
    relations = [
        Relation(
            Verb.CONTAINS,
            "spec:story:US-1",
            f"spec:criterion:{name}",
            reason="One, two" if name == names[-1] else "",
        )
        for name in names
    ]
    with writer.transaction():
        owner = Owner(name="stories.md", role="story", module="", reader="r1")
        writer.replace(owner, Extract(facts=facts, relations=relations))
    store.publish()
    count = "MATCH (s:story)-[:contains]->(c:criterion) RETURN count(*)"
    assert cypher.ask(store, count, LIMITS, tmp_path).rows == ((300,),)


def test_the_copy_is_kept_per_revision_and_follows_the_store(store: Store, tmp_path: Path) -> None:
    count = "MATCH (f:function) RETURN count(*)"
    assert cypher.ask(store, count, LIMITS, tmp_path).rows == ((4,),)
    (kept,) = tmp_path.iterdir()
    stamp = kept.stat().st_mtime_ns
    cypher.ask(store, count, LIMITS, tmp_path)
    assert kept.stat().st_mtime_ns == stamp
    writer = Writer(store)
    with writer.transaction():
        writer.retract(["stock.py"])
    store.publish()
    assert cypher.ask(store, count, LIMITS, tmp_path).rows == ((3,),)
    assert kept not in set(tmp_path.iterdir())


def test_another_store_never_gets_the_copy_of_the_first(store: Store, tmp_path: Path) -> None:
    assert cypher.ask(store, "MATCH (f:function) RETURN count(*)", LIMITS, tmp_path).rows == ((4,),)
    assert cypher.ask(Store.open(None), "MATCH (f:function) RETURN count(*)", LIMITS, tmp_path).rows == (
        (0,),
    )


def test_rows_beyond_the_limit_are_left_out_and_said(store: Store, tmp_path: Path) -> None:
    table = cypher.ask(store, "MATCH (f) RETURN f.id", Limits(5, 2), tmp_path)
    assert (len(table.rows), table.cut) == (2, True)


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("MATCH (a:story RETURN a", "line 1, column 16"),
        ("MATCH (a:nothing) RETURN a", "there is no label or relation nothing"),
        ("MATCH (a:story) WHERE a.colour = 1 RETURN a", "Cannot find property colour"),
        ("", "empty"),
    ],
)
def test_a_query_that_cannot_be_read_is_told_with_its_place(
    store: Store, tmp_path: Path, query: str, part: str
) -> None:
    with pytest.raises(UsageError, match=part):
        cypher.ask(store, query, LIMITS, tmp_path)


def test_a_query_that_takes_too_long_is_ended(store: Store, tmp_path: Path) -> None:
    endless = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b UNWIND range(1, 100000) AS c RETURN count(*)"
    with pytest.raises(UsageError, match="took longer than"):
        cypher.ask(store, endless, Limits(0.05, 10), tmp_path)


@pytest.mark.parametrize(
    "query",
    [
        "CREATE (a:story {id: 'x'})",
        "MATCH (a) SET a.name = 'x'",
        "MATCH (a) DETACH DELETE a",
        "COPY (MATCH (a:story) RETURN a.id) TO '/tmp/out.csv'",
        "LOAD FROM '/etc/passwd' RETURN *",
        "MATCH (a) WITH a LOAD /* quietly */ FROM '/etc/passwd' RETURN *",
        "INSTALL httpfs",
        "ATTACH 'x.db' AS x",
        "EXPORT DATABASE 'x'",
        "CALL threads=1",
        "RETURN 1; DROP TABLE story",
        "return 1 ; // and then\n copy x from 'y'",
    ],
)
def test_whatever_has_an_effect_is_refused_before_it_runs(query: str) -> None:
    with pytest.raises(UsageError, match=r"refused|one query at a time"):
        refuse_effects(query)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:function {name: 'create'}) RETURN a.id",
        "MATCH (a:function) WHERE a.name CONTAINS \"LOAD FROM 'x'\" RETURN a",
        "MATCH (a)-[:contains|calls*1..3]->(b) RETURN a, b ORDER BY a.id LIMIT 3;",
        "CALL show_tables() RETURN *",
    ],
)
def test_words_that_only_name_something_are_let_through(query: str) -> None:
    refuse_effects(query)


def test_sql_reads_facts_and_relations_with_ends_of_unknown_kind_resolved(store: Store) -> None:
    table = sql.ask(store, "SELECT second FROM relations WHERE verb = 'calls'", LIMITS)
    assert table.rows == (("code:function:stock.take",),)
    table = sql.ask(store, "SELECT kind, count(*) FROM facts WHERE tag = 'spec' GROUP BY kind", LIMITS)
    assert table.rows == (("criterion", 2), ("story", 1))
    table = sql.ask(
        store, "SELECT json_extract(aspects, '$.method') FROM facts WHERE kind = 'operation'", LIMITS
    )
    assert table.rows == (("POST",),)


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM fact",
        "ATTACH '/tmp/x.db' AS x",
        "CREATE TABLE t (a)",
        "PRAGMA writable_schema=ON",
        "SELECT load_extension('x')",
    ],
)
def test_sql_that_does_more_than_reading_is_refused(store: Store, query: str) -> None:
    with pytest.raises(UsageError):
        sql.ask(store, query, LIMITS)
    assert sql.ask(store, "SELECT count(*) FROM facts", LIMITS).rows == ((10,),)


def test_sql_reads_the_views_alone(store: Store) -> None:
    with pytest.raises(UsageError) as told:
        sql.ask(store, "SELECT * FROM fact", LIMITS)
    assert str(told.value).startswith("query: there is no view `fact`")
    within = "SELECT count(*) FROM facts WHERE id IN (SELECT first FROM relations UNION SELECT id FROM facts)"
    assert sql.ask(store, within, LIMITS).rows == ((10,),)


def test_sql_takes_aspects_apart(store: Store) -> None:
    keys = "SELECT DISTINCT each.key FROM facts, json_each(facts.aspects) AS each WHERE each.key = 'method'"
    assert sql.ask(store, keys, LIMITS).rows == (("method",),)


def test_sql_that_takes_too_long_is_ended(store: Store) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with pytest.raises(UsageError, match="took longer than"):
        sql.ask(store, endless, Limits(0.05, 10))


def test_orphans_are_what_nothing_points_at(store: Store) -> None:
    assert [each.id for each in orphans(store)] == [
        "spec:criterion:US-1.2",
        "code:function:app.lost",
        "code:operation:POST /orders",
    ]


def test_the_main_of_a_module_and_a_contract_beside_no_routes_are_no_orphans() -> None:
    store = Store.open(None)
    writer = Writer(store)
    code = [fact(Tag.CODE, Kind.MODULE, "run", "run.py")]
    code += [fact(Tag.CODE, Kind.FUNCTION, f"run.{name}", "run.py") for name in ("lost", "main")]
    contract = fact(Tag.SPEC, Kind.OPERATION, "GET /books", "api.yaml", method="GET")
    with writer.transaction():
        writer.replace(Owner(name="run.py", role="python", module="run", reader="r1"), Extract(facts=code))
        writer.replace(
            Owner(name="api.yaml", role="openapi", module="", reader="r1"), Extract(facts=[contract])
        )
    store.publish()
    assert [each.id for each in orphans(store)] == ["code:function:run.lost"]


def test_the_impact_of_a_file_reaches_callers_operations_and_criteria(store: Store) -> None:
    reached = [(each.fact.id, each.steps) for each in impact(store, "stock.py")]
    assert reached == [
        ("code:function:app.order", 1),
        ("code:operation:POST /orders", 2),
        ("spec:criterion:US-1.1", 2),
    ]
