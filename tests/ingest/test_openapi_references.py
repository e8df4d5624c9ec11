"""References between the files of a contract, and those that are not followed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from graph.facts import Extract, Fact
from graph.schemas import without_places
from ingest.ingestor import Document, Role
from ingest.openapi.judge import ContractJudge
from ingest.openapi.reader import OpenApiReader

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"


def read(root: Path, files: dict[str, str], validate: bool = False) -> Extract:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    main = next(iter(files))
    document = Document(path=main, role=Role.CONTRACT, text=files[main], root=str(root))
    return judged(document) if validate else OpenApiReader().read(document)


def judged(document: Document) -> Extract:
    """What reading a contract and judging it tell together, as a run's report would."""
    extract, verdict = OpenApiReader().read(document), ContractJudge().judge(document)
    together = {(d.path, d.line, d.message): d for d in (*extract.defects, *verdict.defects)}
    return msgspec.structs.replace(
        extract, defects=list(together.values()), skipped=[*extract.skipped, *verdict.skipped]
    )


def facts(extract: Extract) -> dict[str, Fact]:
    found = {fact.id.removeprefix("spec:"): fact for fact in extract.facts}
    assert len(found) == len(extract.facts)
    return found


MANY = {
    "api/openapi.yaml": HEAD
    + """\
paths:
  /books: {$ref: 'paths/books.yaml'}
components:
  schemas:
    Book: {$ref: './schemas/book.yaml'}
    Error: {type: object}
""",
    "api/paths/books.yaml": """\
get:
  parameters:
    - $ref: '../common.yaml#/limit'
  responses:
    '200':
      description: Books
      content:
        application/json:
          schema: {type: array, items: {$ref: ../schemas/book.yaml}}
    '400':
      $ref: '../common.yaml#/bad~1request'
""",
    "api/common.yaml": """\
limit:
  name: limit
  in: query
  schema:
    type: integer
    maximum: 10
bad/request:
  description: Bad
  content:
    application/json:
      schema: {$ref: '#/Error'}
Error:
  type: object
  properties:
    code: {type: integer}
""",
    "api/schemas/book.yaml": """\
allOf:
  - $ref: base.json
  - properties:
      title: {type: string}
""",
    "api/schemas/base.json": '{"type": "object",\n "properties": {\n  "id": {"type": "integer"}}}',
}


def test_a_contract_of_many_files_is_one_contract(tmp_path: Path) -> None:
    extract = read(tmp_path, MANY, validate=True)
    assert (extract.skipped, extract.defects) == ([], [])
    assert extract.reads == sorted([*MANY][1:])
    found = facts(extract)
    operation = found["operation:GET /books"]
    assert (operation.source.path, operation.source.line) == ("api/paths/books.yaml", 1)
    assert operation.sources == ("api/openapi.yaml",)
    limit = found["parameter:GET /books#query.limit"]
    assert (limit.source.path, limit.source.line) == ("api/common.yaml", 1)
    assert limit.aspects["schema"] == {"type": "integer", "maximum": 10, "x-line": 4}


def test_schemas_of_other_files_have_names_of_their_own(tmp_path: Path) -> None:
    found = facts(read(tmp_path, MANY))
    answers = without_places(found["response:GET /books#200"].aspects["content"])
    assert answers["application/json"]["items"] == {"$ref": "spec:schema:Book"}
    bad = found["response:GET /books#400"]
    assert (bad.source.path, bad.source.line) == ("api/paths/books.yaml", 10)
    assert bad.aspects["content"]["application/json"] == {
        "$ref": "spec:schema:common.Error",
        "x-line": 11,
        "x-path": "api/common.yaml",
    }
    assert {key for key in found if key.startswith("schema:")} == {
        "schema:Book", "schema:Error", "schema:base", "schema:common.Error",
    }  # fmt: skip


def test_what_is_merged_from_another_file_keeps_its_place(tmp_path: Path) -> None:
    found = facts(read(tmp_path, MANY))
    assert found["schema:Book"].source.path == "api/schemas/book.yaml"
    assert found["schema:Book"].aspects["schema"]["properties"] == {
        "id": {"type": "integer", "x-line": 3, "x-path": "api/schemas/base.json"},
        "title": {"type": "string", "x-line": 4},
    }
    merged = found["field:Book.id"].source
    assert (merged.path, merged.line) == ("api/schemas/base.json", 3)


def one_reference(root: Path, ref: str, more: dict[str, str] | None = None) -> Extract:
    text = HEAD + (
        "paths:\n  /a:\n    get:\n      responses:\n        '200': {description: ok}\n"
        f"components:\n  schemas:\n    Bad:\n      $ref: '{ref}'\n    Good: {{type: string}}\n"
    )
    return read(root, {"api.yaml": text, **(more or {})}, validate=True)


@pytest.mark.parametrize(
    ("ref", "reason"),
    [
        ("file:///etc/passwd", "is not a local file"),
        ("http://169.254.169.254/latest#/a", "is not a local file"),
        ("https://example.org/a.yaml", "is not a local file"),
        ("//example.org/a.yaml", "is not a local file"),
        ("/etc/passwd", "leads out of the project"),
        ("../../../../../../etc/passwd", "leads out of the project"),
        ("%2e%2e/%2e%2e/etc/passwd", "leads out of the project"),
        ("#anchor", "names an anchor"),
    ],
)
def test_references_out_of_the_project_are_skipped_with_their_line(
    tmp_path: Path, ref: str, reason: str
) -> None:
    extract = one_reference(tmp_path, ref)
    assert [(s.path, s.line, reason in s.reason) for s in extract.skipped] == [("api.yaml", 11, True)]
    assert extract.defects == []
    found = facts(extract)
    assert "x-unknown" in found["schema:Bad"].aspects["schema"]
    assert found["schema:Good"].aspects["schema"]["type"] == "string"
    assert "operation:GET /a" in found


def test_symbolic_links_do_not_lead_out_of_the_project(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("type: object\nproperties: {password: {}}\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "link.yaml").symlink_to(secret)
    extract = one_reference(project, "link.yaml")
    assert [s.line for s in extract.skipped] == [11]
    assert not any("password" in fact.id for fact in extract.facts)


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/stdin"])
def test_devices_behind_links_are_not_read(tmp_path: Path, target: str) -> None:
    (tmp_path / "link.yaml").symlink_to(target)
    assert len(one_reference(tmp_path, "link.yaml").skipped) == 1


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("#/components/schemas/None", "names nothing: api.yaml has no /components/schemas/None"),
        ("nowhere.yaml", "names nothing: there is no file nowhere.yaml"),
        ("#/components/schemas/Bad", "leads in a circle"),
    ],
)
def test_references_to_nothing_are_one_defect(tmp_path: Path, ref: str, message: str) -> None:
    extract = one_reference(tmp_path, ref)
    assert [(d.rule, d.line, message in d.message) for d in extract.defects] == [
        ("contract-invalid", 11, True)
    ]
    assert extract.skipped == []
    assert "operation:GET /a" in facts(extract)


def test_a_circle_of_references_ends(tmp_path: Path) -> None:
    text = HEAD + (
        "paths:\n  /a: {$ref: '#/paths/~1b'}\n  /b: {$ref: '#/paths/~1a'}\n"
        "components:\n  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n"
        "    C: {allOf: [{$ref: '#/components/schemas/D'}, {}]}\n"
        "    D: {allOf: [{$ref: '#/components/schemas/C'}, {}]}\n"
    )
    extract = read(tmp_path, {"api.yaml": text}, validate=True)
    assert {d.rule for d in extract.defects} == {"contract-invalid"}
    assert {"schema:A", "schema:B", "schema:C", "schema:D"} <= facts(extract).keys()


def test_an_unreadable_file_is_one_defect_and_what_names_it_is_skipped(tmp_path: Path) -> None:
    extract = one_reference(tmp_path, "other.yaml", {"other.yaml": "a: 1\nb: ["})
    assert [(d.rule, d.path) for d in extract.defects] == [("contract-unreadable", "other.yaml")]
    assert [(s.path, s.line) for s in extract.skipped] == [("api.yaml", 11)]
    assert extract.reads == ["other.yaml"]


def test_a_chain_of_references_and_a_wide_fan_end_quickly(tmp_path: Path) -> None:
    lines = [HEAD + "paths: {}\ncomponents:\n  schemas:\n    S0: {type: string}"]
    for n in range(1, 1000):
        ref = f"{{$ref: '#/components/schemas/S{n - 1}'}}"
        lines.append(f"    S{n}: {{allOf: [{ref}, {ref}, {{properties: {{p{n}: {ref}}}}}]}}")
    extract = read(tmp_path, {"api.yaml": "\n".join(lines)})
    assert sum(fact.kind == "schema" for fact in extract.facts) == 1000


def test_unknown_parts_do_not_make_a_valid_contract_invalid(tmp_path: Path) -> None:
    text = HEAD + (
        "paths:\n  /a/{id}:\n    post:\n      parameters: [{$ref: 'http://x/#/p'}]\n"
        "      requestBody: {$ref: 'http://x/#/b'}\n"
        "      responses:\n        '200': {$ref: 'http://x/#/r'}\n        default:\n          description: d\n"
        "          headers: {X-A: {$ref: 'http://x/#/h'}}\n"
        "          content: {a/b: {schema: {properties: {$ref: {type: string}}, example: {$ref: 'http://no'}}}}\n"
        "  /b: {$ref: 'http://x/#/path'}\n"
    )
    extract = read(tmp_path, {"api.yaml": text}, validate=True)
    assert extract.defects == []
    assert len(extract.skipped) == 5
    assert "content" not in facts(extract)["response:POST /a/{id}#200"].aspects
