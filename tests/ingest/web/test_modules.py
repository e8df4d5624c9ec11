"""How broken modules are read."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.ingestor import Document, Role
from ingest.web.syntax.modules import Module, parse


def module(text: str, path: str = "shop/app.py") -> Module:
    name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return parse(Document(path=path, role=Role.PYTHON, text=text, module=name))


def names(read: Module) -> list[str]:
    return [node.name for node in read.tree.body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_broken_statement_is_left_out_and_the_lines_of_the_others_stay(end: str) -> None:
    lines = ["def a(): ...", "", "@decorated", "def b(:", "    pass", "", "def c():", "    return 1", ""]
    read = module(end.join(lines))
    assert names(read) == ["a", "c"]
    assert read.tree.body[-1].lineno == 7
    assert [skipped.line for skipped in read.skipped] == [4]


def test_an_else_goes_with_its_if() -> None:
    read = module("if x:\n    y = (\nelse:\n    z = 1\n\ndef a(): ...\n")
    assert names(read) == ["a"]


def test_syntax_of_a_later_python_takes_only_its_own_statement_along() -> None:
    assert names(module("type Id = int\n\ndef a(): ...\n")) in (["a"],)


@pytest.mark.parametrize(
    "text", ["x = '\0'\n", "(" * 5000, "x = " + "-" * 20_000 + "1\n", "'''never closed\n"]
)
def test_what_cannot_be_parsed_at_all_is_an_empty_module(text: str) -> None:
    assert names(module(text)) == []


def test_a_statement_that_is_nested_too_deeply_is_left_out() -> None:
    deep = "x = " + "[" * 160 + "]" * 160 + "\ndef a(): ...\n"
    read = module(deep)
    assert names(read) == ["a"]
    assert len(read.tree.body) == 1
    assert read.skipped


@pytest.mark.parametrize(
    ("path", "target", "level", "expected"),
    [
        ("shop/app.py", "models", 1, "shop.models"),
        ("shop/app.py", None, 1, "shop"),
        ("shop/api/__init__.py", "books", 1, "shop.api.books"),
        ("shop/api/__init__.py", "models", 2, "shop.models"),
        ("shop/app.py", "json", 0, "json"),
        ("app.py", "models", 1, "models"),
    ],
)
def test_relative_imports_are_counted_from_the_package(
    path: str, target: str | None, level: int, expected: str
) -> None:
    assert module("", path).absolute(target, level) == expected


@given(st.text(alphabet="ab():@\"'\\#=[]{},. \n\r\t"))
def test_no_text_stops_the_reader(text: str) -> None:
    module(text)
