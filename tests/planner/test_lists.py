"""Tests of how much of a list an answer shows."""

from __future__ import annotations

import pytest

from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.lists import is_paged, limit_of, most_of, total_of
from planner.contracts.operations import Operation, read_operations


def _lister(parameter: str, required: str = "[items]") -> Operation:
    text = f"""\
openapi: 3.1.0
info: {{title: Shop, version: '1'}}
paths:
  /items:
    get:
      parameters: [{parameter}]
      responses: {{'200': {{description: All, content: {{application/json: {{schema: {{type: object,
        required: {required}, properties: {{items: {{type: array}}, count: {{type: integer}}}}}}}}}}}}}}
"""
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")
    return read_operations(Memory([OpenApiReader().read(document)]))[0]


@pytest.mark.parametrize(
    ("bounds", "most"), [(", maximum: 50", 50), (", exclusiveMaximum: 50", 49), ("", 1000)]
)
def test_a_limit_takes_so_many_at_most(bounds: str, most: int) -> None:
    limit = limit_of(_lister(f"{{name: limit, in: query, schema: {{type: integer{bounds}}}}}"))
    assert limit is not None
    assert most_of(limit) == most


def test_a_size_is_a_limit_beside_a_page_alone() -> None:
    size, page = (f"{{name: {name}, in: query, schema: {{type: integer}}}}" for name in ("size", "page"))
    assert limit_of(_lister(size)) is None
    found = limit_of(_lister(f"{page}, {size}"))
    assert found is not None and found.name == "size"


@pytest.mark.parametrize("name", ["page", "cursor", "limit", "offset"])
def test_a_list_may_show_a_page_of_what_there_is(name: str) -> None:
    assert is_paged(_lister(f"{{name: {name}, in: query, schema: {{type: string}}}}"))
    assert not is_paged(_lister("{name: colour, in: query, schema: {type: string}}"))


def test_how_many_there_are_is_what_an_answer_surely_counts() -> None:
    assert total_of(_lister("", "[items, count]")) == "count"
    assert total_of(_lister("")) is None
