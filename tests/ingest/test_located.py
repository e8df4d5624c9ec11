"""The bounded reader of YAML and JSON."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Json
from ingest.located import read_located
from ingest.trees import builder
from ingest.trees.json_text import read_json
from ingest.trees.tree import Tree, Unreadable


def read(text: str, path: str = "a.yaml") -> Tree:
    tree = read_located(text, path)
    assert isinstance(tree, Tree), tree
    return tree


def refused(text: str, path: str = "a.yaml") -> Unreadable:
    tree = read_located(text, path)
    assert isinstance(tree, Unreadable)
    assert tree.path == path
    assert tree.remedy
    return tree


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: on\nb: yes\nc: No\nd: off", {"a": "on", "b": "yes", "c": "No", "d": "off"}),
        ("a: true\nb: False\nc: ~\nd:", {"a": True, "b": False, "c": None, "d": None}),
        ("a: 2020-01-01\nb: 12:30:45", {"a": "2020-01-01", "b": "12:30:45"}),
        ("a: 012\nb: 0o14\nc: 0x1F\nd: -7", {"a": 12, "b": 12, "c": 31, "d": -7}),
        ("a: 1.5\nb: 1e3\nc: .5\nd: 1_000", {"a": 1.5, "b": 1e3, "c": 0.5, "d": "1_000"}),
        ("a: .inf\nb: 1e999", {"a": ".inf", "b": "1e999"}),
        ("200: a\ntrue: b\nnull: c\non: d", {"200": "a", "true": "b", "null": "c", "on": "d"}),
        ("a: !!str 5\nb: ! 5\nc: !!int 5\nd: '5'", {"a": "5", "b": "5", "c": 5, "d": "5"}),
        ("a: &x {n: 1}\nb: *x", {"a": {"n": 1}, "b": {"n": 1}}),
        ("a: &x {n: 1, m: 2}\nb:\n  <<: *x\n  m: 3", {"a": {"n": 1, "m": 2}, "b": {"m": 3, "n": 1}}),
        ("a: &x {n: 1}\nb: {<<: [*x, {k: 2}]}", {"a": {"n": 1}, "b": {"n": 1, "k": 2}}),
        ("'<<': 1", {"<<": 1}),
        ('{"a": [1, 2.5, null, "\\ud83d\\ude00"]}', {"a": [1, 2.5, None, "\U0001f600"]}),
        ('{"a": "\\ud83d"}', {"a": "\ufffd"}),
        ("[1,\t2]", [1, 2]),
        ("a: " + "9" * 5000, {"a": "9" * 5000}),
    ],
)  # fmt: skip
def test_scalars_are_those_of_yaml_1_2_and_keys_are_text(text: str, value: Json) -> None:
    assert read(text).value == value


def test_every_value_has_its_line() -> None:
    tree = read(
        "# top\na:\n  b: 1\n  c:\n    - x\n\n    - y: 2\n      z: |\n        long\n        text\n# end\nd: [1,\n 2]\n"
    )
    assert [tree.line_at(p) for p in ("", "/a", "/a/b", "/a/c/0", "/a/c/1", "/a/c/1/z", "/d", "/d/1")] == [
        2, 2, 3, 5, 7, 8, 12, 13,
    ]  # fmt: skip
    value = tree.value
    assert (tree.line(value, "a"), tree.last_line(value, "a")) == (2, 10)
    assert tree.last_line(value["a"]["c"], 0) == 5
    assert tree.last_line(value, "d") == 13
    assert tree.first_line(value["a"]["c"]) == 5


def test_a_pointer_to_nothing_has_the_line_of_what_is_above_it() -> None:
    tree = read("a:\n  b/c~d: [1]\n")
    assert tree.line_at("/a/b~1c~0d/0") == 2
    assert tree.line_at("/a/none/deeper") == 1
    assert tree.line_at("/a/b~1c~0d/999999999999999999999") == 2


def test_a_merged_member_has_the_line_where_it_is_written() -> None:
    tree = read("a: &x\n  n: 1\nb:\n  <<: *x\n")
    assert tree.line_at("/b/n") == 2


def test_lines_are_counted_as_editors_count_them() -> None:
    tree = read("a: 'x\u2028y'\r\nb: 1\rc: 2\n")
    assert [tree.line_at(f"/{key}") for key in "abc"] == [1, 2, 3]


def test_an_offset_moves_every_line() -> None:
    tree = read_located("a: 1\nb: {c: 2}", "a.md", 10)
    assert isinstance(tree, Tree)
    assert tree.line_at("/b/c") == 12
    broken = read_located("a: [", "a.md", 10)
    assert isinstance(broken, Unreadable)
    assert broken.line >= 11


def test_duplicate_keys_are_reported_and_the_last_one_counts() -> None:
    tree = read("a: 1\nb: 2\na: 3\n")
    assert tree.value == {"a": 3, "b": 2}
    assert [(d.key, d.line, d.first_line) for d in tree.duplicates] == [("a", 3, 1)]
    assert tree.line_at("/a") == 3
    assert [d.key for d in read('{"a": "\\ud83d\\ude00", "a": 1}').duplicates] == ["a"]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: 1\nb: !!python/object/apply:os.system [id]", 2, "not of plain data"),
        ("a: 1\nb: !Ref x", 2, "not of plain data"),
        ("a: !!binary aGk=", 1, "not of plain data"),
        ("a: 1\n---\nb: 2\n", 2, "second document"),
        ("a: &x\n  b: *x", 2, "contains itself"),
        ("a: *x", 1, "no anchor"),
        ("a: 1\n? [1, 2]\n: b", 2, "as a key"),
        ("a: &x 1\n*x : b", 2, "as a key"),
        ("a: 1\n<<: 5\n", 2, "no mapping"),
        ("a: 1\n  b: 2", 2, "not allowed"),
        ("a: 1\nb: \x01", 2, "forbids"),
        ("a: 1\nb: \ud800", 2, "surrogate"),
        ("\n".join(["[" * 100 + "["]), 1, "100 levels"),
        ("[" * 200_000, 1, "100 levels"),
        ("- " * 200, 1, "100 levels"),
        ("{a: " * 50_000, 1, "100 levels"),
    ],
)
def test_what_is_not_plain_data_is_one_clear_value(text: str, line: int, reason: str) -> None:
    error = refused(text)
    assert (error.line, reason in error.reason) == (line, True), error


def test_broken_json_is_explained_as_json() -> None:
    error = refused('{"a": 1,\n "b" 2}', "a.json")
    assert (error.line, error.reason) == (2, "Expecting ':' delimiter")
    assert refused("[" * 100_000, "a.json").reason == "nested more than 100 levels deep"


def test_an_alias_bomb_is_refused() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for n in range(1, 12):
        bomb += f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n"
    assert "5,000,000" in refused(bomb).reason


def test_depth_through_aliases_is_refused() -> None:
    text = "a0: &a0 " + "[" * 60 + "]" * 60 + "\na1: &a1 " + "[" * 60 + "*a0" + "]" * 60
    assert "100 levels" in refused(text).reason


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "MAX_NODES", 1000)
    assert read("[" + "1," * 998 + "1]")
    assert "1,000" in refused("[" + "1," * 1000 + "1]").reason


def test_too_many_bytes_are_refused() -> None:
    assert "20,000,000" in refused("#" * 20_000_001).reason


json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(json_values, max_size=4), st.booleans(), st.sampled_from([None, 1]))
def test_json_means_what_it_means_elsewhere(value: Json, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert read(text).value == json.loads(text)
    own = read_json(text, "a.json")
    assert isinstance(own, Tree)
    assert own.value == json.loads(text)


@given(st.dictionaries(st.text(st.characters(codec="ascii")), json_values, min_size=1))
def test_yaml_that_is_written_is_read(value: Json) -> None:
    assert read(yaml.safe_dump(value, default_style='"')).value == value


@given(st.text(alphabet="ab:-[]{}&*!'\"#|>? \n\t%<012", max_size=60))
def test_no_text_raises(text: str) -> None:
    assert isinstance(read_located(text, "a.yaml"), Tree | Unreadable)
    assert isinstance(read_json(text, "a.json"), Tree | Unreadable)
