"""Tests of the cases that a page's requests ask for."""

from __future__ import annotations

from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.pages import PageReader
from planner.stories.page_cases import page_cases
from tests.planner.test_conversations import CONTRACT

PAGE = """\
# Notes

```sh
curl localhost/todos -d '{"title": "Milk"}'
{"id": 1, "title": "Milk"}
curl -i localhost/todos/1
HTTP/1.1 200 OK
curl localhost/elsewhere
{"a": 1}
curl localhost/sums
```
"""


def test_each_request_with_an_answer_that_a_contract_has_is_a_case() -> None:
    read = [
        OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")),
        PageReader().read(Document(path="README.md", role=Role.PAGE, text=PAGE, root="")),
    ]
    cases = list(page_cases(Memory(read)))
    assert [case.description for case in cases] == [
        'README.md shows how POST /todos with {"title": "Milk"} is answered',
        "README.md shows that GET /todos/{id} is answered with 200",
    ]
    assert all(case.cites[0] == "spec:page:README.md" for case in cases)
    assert [case.target["operation"] for case in cases] == ["POST /todos", "GET /todos/{number}"]
