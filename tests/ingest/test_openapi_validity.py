"""Contracts that are not valid, or not even readable."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from graph.facts import Defect, Extract
from ingest.ingestor import Document, Role
from ingest.openapi import validity
from ingest.openapi.judge import ContractJudge
from ingest.openapi.reader import OpenApiReader

HEAD = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"


def read(text: str, validate: bool = True) -> Extract:
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text)
    return judged(document) if validate else OpenApiReader().read(document)


def judged(document: Document) -> Extract:
    """What reading a contract and judging it tell together, as a run's report would."""
    extract, verdict = OpenApiReader().read(document), ContractJudge().judge(document)
    together = {(d.path, d.line, d.message): d for d in (*extract.defects, *verdict.defects)}
    return msgspec.structs.replace(
        extract, defects=list(together.values()), skipped=[*extract.skipped, *verdict.skipped]
    )


def only(extract: Extract) -> Defect:
    assert len(extract.defects) == 1, extract.defects
    defect = extract.defects[0]
    assert (defect.subject, defect.aspect, defect.path) == ("file api.yaml", "source", "api.yaml")
    return defect


@pytest.mark.parametrize("version", ["2.0", "3.0.3", "3.1.0", "3.2.0"])
def test_valid_contracts_of_every_version_have_no_defect(version: str) -> None:
    keyword = "swagger" if version == "2.0" else "openapi"
    text = (
        f"{keyword}: '{version}'\ninfo: {{title: T, version: '1'}}\npaths:\n  /a/{{id}}:\n    get:\n      parameters:\n"
        "        - {name: id, in: path, required: true, "
        + ("type: string" if version == "2.0" else "schema: {type: string}")
        + "}\n      responses:\n        200: {description: ok}\n"
    )
    extract = read(text)
    assert (extract.defects, extract.skipped) == ([], [])
    assert [fact.id for fact in extract.facts][2] == "spec:response:GET /a/{id}#200"


@pytest.mark.parametrize(
    ("where", "count"),
    [("schema: {type: file}", 0), ("schema: {type: object, properties: {a: {type: file}}}", 1)],
)
def test_an_answer_of_version_2_may_be_a_file_and_a_property_may_not(where: str, count: int) -> None:
    text = (
        "swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      responses:\n"
        f"        200: {{description: ok, {where}}}\n"
    )
    assert len(read(text).defects) == count


@pytest.mark.parametrize(
    ("said", "count"), [("itemSchema: {type: string}", 0), ("itemSchema: {type: string}, itemShema: {}", 1)]
)
def test_what_frameworks_write_of_the_next_version_is_no_mistake(said: str, count: int) -> None:
    text = HEAD + (
        "paths:\n  /a:\n    get:\n      responses:\n        '200':\n          description: ok\n"
        f"          content: {{application/jsonl: {{{said}}}}}\n"
    )
    assert len(read(text).defects) == count


def test_a_mistake_is_told_with_its_line_and_the_rest_is_read() -> None:
    text = HEAD + (
        "paths:\n  /a:\n    get:\n      responses:\n        '200': {description: ok}\n"
        "  /b:\n    get:\n      parameters:\n        - {name: q, in: nowhere}\n"
    )
    extract = read(text)
    defect = extract.defects[0]
    assert (defect.rule, defect.line) == ("contract-invalid", 11)
    ids = [fact.id for fact in extract.facts]
    assert "spec:operation:GET /a" in ids and "spec:operation:GET /b" in ids


@pytest.mark.parametrize(
    ("paths", "line", "words"),
    [
        ("  /a/{id}:\n    get: {responses: {200: {description: ok}}}\n", 5, "'id'"),
        ("  /a: {get: {operationId: x}}\n  /b:\n    get:\n      operationId: x\n", 6, "not unique"),
    ],
)
def test_mistakes_without_a_pointer_are_located_by_their_operation(paths: str, line: int, words: str) -> None:
    defect = only(read(f"{HEAD}paths:\n{paths}"))
    assert (defect.line, words in defect.message) == (line, True)


def test_a_default_that_does_not_fit_is_located_by_its_schema() -> None:
    text = HEAD + (
        "paths: {}\ncomponents:\n  schemas:\n    A:\n      properties:\n        n:\n"
        "          type: integer\n          default: five\n"
    )
    defect = only(read(text))
    assert (defect.line, "'five' is not of type 'integer'" in defect.message) == (10, True)


def test_a_schema_that_breaks_its_dialect_is_located_by_its_line() -> None:
    schema = "      type: integer\n      maximum: 12\n      exclusiveMaximum: true\n"
    defect = read(HEAD + "components:\n  schemas:\n    A: {type: string}\n    B:\n" + schema).defects[0]
    assert (defect.line, defect.message) == (9, "exclusiveMaximum: true is not of type 'number'")


@pytest.mark.parametrize(
    "schema",
    [
        r"{type: string, pattern: '[\p{L}\p{N}]+'}",
        r"{type: string, pattern: '^[\w-\.]*$'}",
        "{type: string, format: time, default: '23:20:50.52'}",
    ],
)
def test_what_only_this_validator_objects_to_is_no_mistake(schema: str) -> None:
    for version in ("3.0.3", "3.1.0"):
        head = HEAD.replace("3.1.0", version)
        extract = read(f"{head}paths: {{}}\ncomponents:\n  schemas:\n    A: {schema}\n")
        assert (extract.defects, extract.skipped) == ([], [])


def test_schemas_of_another_dialect_are_no_mistake() -> None:
    dialect = "https://json-schema.org/draft-07/schema#"
    text = f"{HEAD}paths: {{}}\ncomponents: {{schemas: {{A: {{$schema: '{dialect}', type: string}}}}}}\n"
    assert read(text).defects == []


def test_unreadable_text_is_one_defect_with_line_and_remedy() -> None:
    defect = only(read(HEAD + "paths: [\n"))
    assert (defect.rule, defect.line) == ("contract-unreadable", 4)
    assert "Correct the YAML" in defect.message


def test_a_text_without_a_version_is_no_contract() -> None:
    assert only(read("info: {}\n")).rule == "contract-unreadable"
    assert only(read("- openapi: 3.0.0\n")).rule == "contract-unreadable"


def test_an_unknown_version_is_said_and_the_rest_is_read() -> None:
    extract = read("info: {}\nopenapi: 4.0.0\npaths: {/a: {get: {}}}\n")
    assert (only(extract).line, "4.0.0" in only(extract).message) == (2, True)
    assert [fact.id for fact in extract.facts] == ["spec:operation:GET /a"]


def test_duplicate_keys_are_told_once_each() -> None:
    extract = read(HEAD + "paths:\n  /a: {}\n  /a: {}\n")
    defect = only(extract)
    assert (defect.rule, defect.line) == ("contract-duplicate-key", 5)
    assert "line 4" in defect.message


def test_an_alias_bomb_and_deep_nesting_are_one_defect() -> None:
    bomb = HEAD + "x-0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for n in range(1, 12):
        bomb += f"x-{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n"
    assert only(read(bomb)).rule == "contract-unreadable"
    deep = HEAD + "components: {schemas: {A: " + "{items: " * 5000 + "{}" + "}" * 5000 + "}}"
    assert only(read(deep)).rule == "contract-unreadable"


def test_at_most_twenty_mistakes_of_one_contract_are_told() -> None:
    paths = "".join(f"  /p{n}: {{get: {{parameters: [{{name: q, in: nowhere}}]}}}}\n" for n in range(40))
    assert len(read(f"{HEAD}paths:\n{paths}").defects) == 20


def test_the_verdict_can_be_left_out() -> None:
    assert read(HEAD + "paths: 5\n", validate=False).defects == []


def test_a_very_long_contract_is_read_but_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(validity.MAX_CHARACTERS, "3.1", 50)
    extract = read(HEAD + "paths: {/a: {get: {}}, b: 5}\n")
    assert extract.defects == []
    assert [skipped.line for skipped in extract.skipped] == [0]
    assert len(extract.facts) == 1


SENSELESS = [
    "paths: 5\ncomponents: [1]\nsecurity: 7\nservers: x\n",
    "paths: {/a: 5, /b: {get: 5, put: [], parameters: {a: 1}}}\n",
    "paths: {/b: {get: {parameters: [5, {in: 7}, {name: [1], in: query}], requestBody: 5, responses: [1]}}}\n",
    "paths: {/b: {get: {tags: 5, security: [5, {a: 5}], responses: {200: 5, 201: {content: 5, headers: 7}}}}}\n",
    "components: {schemas: {A: 5, B: [1], C: {properties: 5, allOf: 7, items: 5, type: {}, enum: 5}}}\n",
    "components: {schemas: {C: {discriminator: {mapping: {a: 5, b: Nope}}, $ref: 5}}}\n",
    "components: {securitySchemes: {a: 5}, schemas: {A: {type: [5]}}}\nsecurity: [{a: []}]\n",
]
SENSELESS_2 = (
    "swagger: 2.0\npaths: {/b: {get: {parameters: [{in: body}, {in: formData}], consumes: 5, produces: [5], "
    "responses: {200: {schema: 5, headers: {a: 5}}}}}}\ndefinitions: 5\nbasePath: 7\n"
)


@pytest.mark.parametrize("text", [*(HEAD + text for text in SENSELESS), SENSELESS_2])
def test_senseless_values_never_raise(text: str) -> None:
    extract = read(text)
    assert all(defect.rule == "contract-invalid" for defect in extract.defects)
    assert extract.defects


def test_nothing_is_opened_for_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    (tmp_path / "secret.yaml").write_text("type: object")
    text = f"{HEAD}paths: {{}}\ncomponents: {{schemas: {{A: {{$ref: 'file://{tmp_path}/secret.yaml'}}}}}}\n"
    extract = read(text)
    assert (extract.defects, len(extract.skipped), extract.reads) == ([], 1, [])
