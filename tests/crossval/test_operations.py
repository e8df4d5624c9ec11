"""From facts of both witnesses to findings: alignment of operations, their parts, and the whole run."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.compare.http import gather
from crossval.findings import Finding, FindingKind, Severity
from crossval.link.contracts.operations import align_operations, match_operations
from crossval.validate import cross_validate
from graph.facts import ROUTES_BELOW, ROUTES_ENDING, Defect, Extract, Fact, Json, Kind, Location, Tag, Unknown
from graph.source import Memory

_LINES = itertools.count(1)
TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}
BEARER: Json = {"bearer": {"type": "http", "scheme": "bearer"}}


def fact(tag: Tag, kind: Kind, key: str, aspects: dict[str, Json], path: str = "") -> Fact:
    place = path or ("openapi.yaml" if tag is Tag.SPEC else "app.py")
    line = next(_LINES)
    return Fact(tag=tag, kind=kind, key=key, name=key, source=Location(place, line, line), aspects=aspects)


def operation(
    tag: Tag,
    key: str,
    *,
    parameters: dict[str, Json] | None = None,
    body: Json = None,
    responses: dict[str, Json] | None = None,
    path: str = "",
    **aspects: Json,
) -> list[Fact]:
    """Facts of one operation; parameters as `query.limit` → aspects, the body as its schema, responses by status."""
    method, route = key.split(" ")
    own: dict[str, Json] = {"method": method, "path": route, **aspects}
    if tag is Tag.CODE:
        complete = {"framework": "fastapi", "statuses_complete": True, "parameters_complete": True}
        own = {**complete, **own}
    facts = [fact(tag, Kind.OPERATION, key, own, path)]
    for name, parameter in (parameters or {}).items():
        where, _, bare = name.partition(".")
        told = {"in": where, "name": bare, "required": where == "path", "schema": TEXT, **parameter}
        facts.append(fact(tag, Kind.PARAMETER, f"{key}#{name}", told, path))
    if body is not None:
        told = {"media_type": "application/json", "required": True, "schema": body}
        facts.append(fact(tag, Kind.BODY, f"{key}#application/json", told, path))
    for status, response in (responses if responses is not None else {"200": {}}).items():
        told = {"status": status, **response}
        facts.append(fact(tag, Kind.RESPONSE, f"{key}#{status}", told, path))
    return facts


def spec(key: str, **parts: Json) -> list[Fact]:
    return operation(Tag.SPEC, key, **parts)


def code(key: str, **parts: Json) -> list[Fact]:
    return operation(Tag.CODE, key, **parts)


def check(*facts: list[Fact]) -> list[Finding]:
    return cross_validate(Memory([Extract(facts=[f for group in facts for f in group])])).findings


def names(findings: list[Finding]) -> list[tuple[str, str, str]]:
    return [(finding.rule, finding.subject, finding.aspect) for finding in findings]


def test_paths_match_whatever_their_parameters_are_called() -> None:
    ours = spec("GET /books/{bookId}", parameters={"path.bookId": {}})
    theirs = code("GET /books/{id}/", parameters={"path.id": {}})
    assert check(ours, theirs) == []


def test_of_several_operations_for_one_request_the_one_with_the_names_of_the_contract_is_meant() -> None:
    spec = [*operation(Tag.SPEC, "GET /pages/{id}/"), *operation(Tag.SPEC, "GET /pages/{trail}/")]
    code = [*operation(Tag.CODE, "GET /pages/{trail}/"), *operation(Tag.CODE, "GET /pages/{pk}/")]
    pairs = match_operations(gather(spec), gather(code))
    assert {one.path: other.path for one, other in pairs if other is not None} == {
        "/pages/{id}/": "/pages/{pk}/",
        "/pages/{trail}/": "/pages/{trail}/",
    }


def test_of_several_applications_for_one_request_the_one_is_meant_that_answers_most() -> None:
    spec = [*operation(Tag.SPEC, "GET /health"), *operation(Tag.SPEC, "GET /books")]
    one, other = (
        operation(Tag.CODE, "GET /health", path="admin.py"),
        operation(Tag.CODE, "GET /health", path="shop.py"),
    )
    both = [
        *(msgspec.structs.replace(each, document="admin.py") for each in one),
        *(msgspec.structs.replace(each, document="shop.py") for each in other),
    ]
    code = gather([*both, *operation(Tag.CODE, "GET /books", path="shop.py")])
    matched = {s.path: c.fact.source.path for s, c in match_operations(gather(spec), code) if c is not None}
    assert matched == {"/health": "shop.py", "/books": "shop.py"}


def test_an_operation_on_one_side_only_is_a_gap() -> None:
    found = check(spec("GET /books"), spec("PUT /books"), code("GET /books"), code("DELETE /books"))
    assert names(found) == [
        ("operation-undocumented", "DELETE /books", "exists"),
        ("operation-not-implemented", "PUT /books", "exists"),
    ]
    assert [finding.kind for finding in found] == [FindingKind.GAP, FindingKind.GAP]


def test_where_code_outside_may_answer_all_of_a_contract_other_routes_are_not_undocumented() -> None:
    served = [code("GET /mounted", open="prefix"), code("GET /other")]
    assert names(check(spec("GET /mounted/books"), *served)) == []
    assert names(check(spec("GET /books"), code("GET /books"), *served)) == [
        ("operation-undocumented", "GET /other", "exists")
    ]


def test_an_operation_kept_out_of_the_schema_needs_no_contract() -> None:
    assert check(spec("GET /books"), code("GET /books"), code("GET /metrics", in_schema=False)) == []


def test_a_contract_is_not_compared_where_no_routes_are_known() -> None:
    module = fact(Tag.CODE, Kind.MODULE, "app", {})
    outcome = cross_validate(Memory([Extract(facts=[*spec("GET /books"), *spec("GET /authors"), module])]))
    assert outcome.findings == []
    assert [(unknown.subject, unknown.aspect) for unknown in outcome.unknown] == [
        ("file openapi.yaml", "exists")
    ]


def test_without_any_code_every_operation_is_still_to_be_written() -> None:
    assert names(check(spec("GET /books"))) == [("operation-not-implemented", "GET /books", "exists")]


def test_texts_that_no_encoding_has_are_compared_too() -> None:
    broken: Json = {"type": "string", "enum": ["\ud800"], "default": "\udfff"}
    ours = spec("GET /a", parameters={"query.q": {"schema": broken}})
    found = check(ours, code("GET /a", parameters={"query.q": {"schema": {**broken, "default": "x"}}}))
    assert [finding.rule for finding in found] == ["default-mismatch"]


def test_no_operation_is_missing_where_a_route_could_not_be_placed() -> None:
    source = Memory([Extract(facts=[*spec("GET /books"), *spec("PUT /books"), *code("GET /books")])])
    note = Unknown("route", "path", "app.py", 7, "the rule of the route is not constant")
    outcome = cross_validate(source, unseen=[note])
    assert outcome.findings == []
    assert [(unknown.subject, unknown.aspect) for unknown in outcome.unknown] == [("PUT /books", "exists")]


def test_routes_that_lie_below_one_path_leave_open_only_what_lies_there() -> None:
    facts = [*spec("GET /books"), *spec("GET /health/live"), *spec("PUT /books"), *code("GET /books")]
    note = Unknown(f"{ROUTES_BELOW}/health", "routes", "app.py", 7, "what is registered here cannot be known")
    outcome = cross_validate(Memory([Extract(facts=facts)]), unseen=[note])
    assert [(f.rule, f.subject) for f in outcome.findings] == [("operation-not-implemented", "PUT /books")]
    assert [unknown.subject for unknown in outcome.unknown] == ["GET /health/live"]


def test_routes_of_which_it_is_known_how_they_end_leave_open_only_what_ends_so() -> None:
    facts = [*spec("GET /books"), *spec("GET /v1/jobs/{id}"), *spec("PUT /v1/jobs/{id}"), *code("GET /books")]
    note = Unknown(f"{ROUTES_ENDING}GET /jobs/{{}}", "routes", "app.py", 7, "the router is included nowhere")
    outcome = cross_validate(Memory([Extract(facts=facts)]), unseen=[note])
    assert [f.subject for f in outcome.findings] == ["PUT /v1/jobs/{id}"]
    assert [unknown.subject for unknown in outcome.unknown] == ["GET /v1/jobs/{id}"]


def test_requests_that_servers_answer_need_no_route() -> None:
    ours = [*spec("GET /books"), *spec("OPTIONS /books"), *spec("HEAD /books")]
    assert check(ours, code("GET /books", framework="flask")) == []
    assert [f.subject for f in check(ours, code("GET /books"))] == ["HEAD /books"]


@pytest.mark.parametrize(("contract", "app"), [("/api/v1", ""), ("", "/internal"), ("/api", "")])
def test_a_common_prefix_on_one_side_is_seen_through(contract: str, app: str) -> None:
    paths = ("/books", "/books/{id}", "/authors")
    ours = [f for path in paths for f in spec(f"GET {contract}{path}")]
    theirs = [f for path in paths for f in code(f"GET {app}{path}")]
    assert check(ours, theirs) == []


def test_a_prefix_under_which_fewer_than_half_match_is_not_taken() -> None:
    ours = [f for path in ("/a", "/b", "/c") for f in spec(f"GET {path}")]
    found = names(check(ours, code("GET /api/a")))
    assert ("operation-not-implemented", "GET /a", "exists") in found
    assert len(found) == 4


def test_an_operation_outside_the_prefix_still_matches_as_it_stands() -> None:
    ours = [f for path in ("/books", "/authors", "/health") for f in spec(f"GET {path}")]
    theirs = [f for path in ("/api/books", "/api/authors", "/health") for f in code(f"GET {path}")]
    assert check(ours, theirs) == []


@given(st.permutations([f"GET /{first}/{second}" for first in "ab" for second in ("x", "y", "{id}")]))
def test_the_order_of_operations_never_changes_which_match(keys: list[str]) -> None:
    served = gather(f for key in keys for f in code(key.replace("{id}", "{key}")))
    promised = gather(f for key in reversed(keys) for f in spec(key))
    matched = {
        (ours.fact.key, theirs.fact.key if theirs else "")
        for ours, theirs in match_operations(promised, served)
    }
    assert matched == {(key, key.replace("{id}", "{key}")) for key in keys}


def test_a_raised_status_is_shown_with_both_lists_and_the_line_of_the_raise() -> None:
    ours = spec("GET /books/{id}", parameters={"path.id": {}}, responses={"200": {}, "404": {}})
    raised = {"origin": "raised", "exception": "OutOfPrint"}
    answers = {"200": {"origin": "success"}, "404": raised, "409": raised, "422": {"origin": "framework"}}
    theirs = code("GET /books/{id}", parameters={"path.id": {}}, responses=answers)
    (finding,) = check(ours, theirs)
    assert finding.rule == "response-undeclared"
    assert finding.aspect == "responses.409"
    assert (
        finding.message == "GET /books/{id} can answer 409 (OutOfPrint), which the contract does not declare"
    )
    assert finding.spec and finding.spec.fact == "spec:operation:GET /books/{id}"
    assert finding.spec.value == ["200", "404"]
    assert finding.code and finding.code.fact == "code:operation:GET /books/{id}"
    assert finding.code.value == ["200", "404", "409"]
    assert finding.code.line == next(f.source.line for f in theirs if f.key.endswith("#409"))


@pytest.mark.parametrize("declared", ["4XX", "default", "409"])
def test_ranges_and_default_declare_a_status(declared: str) -> None:
    ours = spec("GET /a", responses={"200": {}, declared: {}})
    assert check(ours, code("GET /a", responses={"200": {}, "409": {"origin": "raised"}})) == []


@pytest.mark.parametrize(
    ("status", "complete", "expected"),
    [
        ("404", True, ["response-not-produced"]),
        ("404", False, []),
        ("422", True, []),
        ("500", True, []),
        ("429", True, []),
        ("401", True, []),
        ("4XX", True, []),
        ("default", True, []),
    ],
)
def test_a_declared_status_is_missed_only_where_all_statuses_are_known(
    status: str, complete: bool, expected: list[str]
) -> None:
    ours = spec("GET /a", responses={"200": {}, status: {}})
    found = check(ours, code("GET /a", statuses_complete=complete))
    assert [finding.rule for finding in found] == expected


def test_a_documented_refusal_is_missed_where_nobody_is_ever_asked_who_they_are() -> None:
    ours = spec("GET /a", responses={"200": {}, "403": {}}, security=[])
    assert [finding.rule for finding in check(ours, code("GET /a", security=[]))] == ["response-not-produced"]


def test_two_statuses_of_success_are_one_finding() -> None:
    found = check(
        spec("POST /a", responses={"201": {}}), code("POST /a", responses={"200": {"origin": "success"}})
    )
    assert names(found) == [("success-status-mismatch", "POST /a", "responses.201")]


def test_a_promised_header_is_missed_where_the_code_tells_its_headers() -> None:
    promised: Json = {
        "x-total": {"name": "X-Total", "required": True, "schema": WHOLE, "line": 9},
        "x-page": {"name": "X-Page", "required": False, "schema": WHOLE, "line": 10},
        "x-shelf": {"name": "X-Shelf", "required": True, "schema": WHOLE, "line": 11},
        "x-ratelimit-limit": {"name": "X-RateLimit-Limit", "required": True, "schema": WHOLE, "line": 12},
    }
    given: Json = {"x-shelf": {"name": "X-Shelf", "required": True, "schema": TEXT, "line": 1}}
    ours = spec("GET /a", responses={"200": {"headers": promised}})
    found = check(ours, code("GET /a", responses={"200": {"headers": given}}))
    assert {(f.rule, f.aspect, f.severity) for f in found} == {
        ("response-header-missing", "responses.200.headers.X-Total", Severity.ERROR),
        ("response-header-missing", "responses.200.headers.X-Page", Severity.WARNING),
        ("type-mismatch", "responses.200.headers.X-Shelf.type", Severity.ERROR),
    }
    assert check(ours, code("GET /a", responses={"200": {}})) == []


def test_parameters_differ_in_presence_place_and_type() -> None:
    ours = spec(
        "GET /a",
        parameters={
            "query.limit": {"schema": WHOLE},
            "query.sort": {},
            "query.tenant": {},
            "header.X-Trace": {},
        },
    )
    theirs = code(
        "GET /a",
        parameters={
            "query.limit": {"schema": TEXT},
            "query.page": {"required": True},
            "header.tenant": {},
            "header.x-trace": {},
        },
    )
    found = {(finding.rule, finding.aspect): finding for finding in check(ours, theirs)}
    assert set(found) == {
        ("type-mismatch", "parameters.query.limit.type"),
        ("parameter-not-implemented", "parameters.query.sort"),
        ("parameter-undocumented", "parameters.query.page"),
        ("parameter-location-mismatch", "parameters.query.tenant.in"),
    }
    assert {finding.severity for finding in found.values()} == {Severity.ERROR}


def test_parameters_that_could_not_be_seen_are_not_missed() -> None:
    ours = spec("GET /a", parameters={"query.limit": {}}, body={"type": "object"})
    assert check(ours, code("GET /a", parameters_complete=False)) == []


def test_a_parameter_that_the_framework_takes_by_itself_may_be_promised() -> None:
    contract = spec("GET /b", parameters={"header.X-Fields": {}})
    assert not check(contract, code("GET /b", framework="flask-restx", taken=["header.x-fields"]))
    assert [f.rule for f in check(contract, code("GET /b", framework="flask-restx"))] == [
        "parameter-not-implemented"
    ]


@pytest.mark.parametrize(
    ("framework", "least", "rules"),
    [
        ("flask-smorest", 0, []),
        ("flask-smorest", 1, ["bound-mismatch"]),
        ("fastapi", 0, ["bound-mismatch"]),
    ],
)
def test_werkzeug_takes_no_negative_number_in_a_path(framework: str, least: int, rules: list[str]) -> None:
    contract = spec("GET /b/{n}", parameters={"path.n": {"schema": {**WHOLE, "minimum": least}}})
    served = code("GET /b/{n}", parameters={"path.n": {"schema": WHOLE}}, framework=framework)
    assert [f.rule for f in check(contract, served)] == rules


def test_an_api_key_that_one_side_calls_a_parameter_is_none() -> None:
    key = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    ours = spec("GET /a", security=[{"key": []}], security_schemes=key)
    assert check(ours, code("GET /a", parameters={"header.X-Key": {}})) == []


def test_text_that_a_handler_converts_itself_is_not_of_another_type() -> None:
    ours = spec("GET /a", parameters={"query.limit": {"schema": WHOLE}})
    assert check(ours, code("GET /a", framework="flask", parameters={"query.limit": {}})) == []


def test_bodies_are_missed_on_either_side() -> None:
    body: Json = {"type": "object", "properties": {"a": TEXT}}
    assert [f.rule for f in check(spec("PUT /a", body=body), code("PUT /a"))] == ["body-not-implemented"]
    assert [f.rule for f in check(spec("PUT /a"), code("PUT /a", body=body))] == ["body-undocumented"]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ([{"bearer": []}], [], ["security-mismatch"]),
        ([], [{"bearer": []}], ["security-mismatch"]),
        ([{"bearer": []}], [{"bearer": []}], []),
        ([{"bearer": []}, {}], [], []),
        ([{"bearer": []}], None, []),
    ],
)
def test_security_differs_only_where_both_sides_are_known(
    ours: Json, theirs: Json, expected: list[str]
) -> None:
    known = {} if theirs is None else {"security": theirs}
    promised = spec("GET /a", security=ours, security_schemes=BEARER)
    found = check(promised, code("GET /a", security_schemes=BEARER, **known))
    assert [finding.rule for finding in found] == expected


def test_security_is_not_missed_where_the_handler_reads_credentials() -> None:
    promised = spec("GET /a", security=[{"bearer": []}], security_schemes=BEARER)
    assert check(promised, code("GET /a", security=[], parameters={"header.authorization": {}})) == []


def test_oauth_and_bearer_tokens_look_the_same_on_the_wire() -> None:
    promised = spec("GET /a", security=[{"bearer": []}], security_schemes=BEARER)
    oauth = {"login": {"type": "oauth2"}}
    assert check(promised, code("GET /a", security=[{"login": ["read"]}], security_schemes=oauth)) == []


def test_a_difference_reached_from_two_operations_is_one_finding() -> None:
    book = fact(Tag.SPEC, Kind.SCHEMA, "Book", {"schema": {"type": "object", "properties": {"a": TEXT}}})
    model = fact(
        Tag.CODE, Kind.SCHEMA, "app.Book", {"schema": {"type": "object", "properties": {"a": WHOLE}}}
    )
    model = msgspec.structs.replace(model, source=Location("app.py", 1, 1))
    other = msgspec.structs.replace(model, key="app.Other", source=Location("app.py", 2, 2))
    keys = ("PUT /a", "PUT /b")
    ours = [f for key in keys for f in spec(key, body={"$ref": book.id})]
    theirs = [*code(keys[0], body={"$ref": model.id}), *code(keys[1], body={"$ref": other.id})]
    (finding,) = check(ours, theirs, [book, model, other])
    assert (finding.rule, finding.subject, finding.aspect) == (
        "type-mismatch",
        "schema Book",
        "fields.a.type",
    )
    assert finding.affects == keys
    assert [witness.fact for witness in finding.related] == [other.id]


def test_a_field_on_one_side_is_a_gap_with_the_silent_side_related() -> None:
    body: Json = {"type": "object", "properties": {"a": TEXT}}
    more: Json = {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "required": ["b"]}
    (finding,) = check(spec("PUT /a", body=body), code("PUT /a", body=more))
    assert (finding.rule, finding.kind, finding.severity) == (
        "field-undocumented",
        FindingKind.GAP,
        Severity.ERROR,
    )
    assert finding.spec is None
    assert [witness.path for witness in finding.related] == ["openapi.yaml"]
    (finding,) = check(spec("PUT /a", body=more), code("PUT /a", body=body))
    assert (finding.rule, finding.code) == ("field-not-implemented", None)


def test_a_defect_becomes_a_finding_of_the_rule_it_names() -> None:
    defect = Defect(
        rule="contract-invalid",
        subject="file openapi.yaml",
        aspect="source",
        message="paths is missing",
        tag=Tag.SPEC,
        path="openapi.yaml",
        line=3,
    )
    unnamed = msgspec.structs.replace(defect, rule="no-such-rule")
    (finding,) = cross_validate(Memory([]), defects=[defect, unnamed]).findings
    assert (finding.rule, finding.kind, finding.severity) == (
        "contract-invalid",
        FindingKind.DEFECT,
        Severity.ERROR,
    )
    assert finding.spec and (finding.spec.path, finding.spec.line) == ("openapi.yaml", 3)


def test_nothing_is_missing_in_a_module_that_could_not_be_read() -> None:
    stub = fact(Tag.SPEC, Kind.MODULE, "shop", {"exports": ["price"]}, "shop.pyi")
    price = fact(Tag.SPEC, Kind.FUNCTION, "shop.price", {"kind": "function", "parameters": []}, "shop.pyi")
    source = Memory([Extract(facts=[stub, price])], {"shop.pyi": "shop"})
    outcome = cross_validate(source, unread={"shop": "it is compiled"})
    assert outcome.findings == []


def test_facts_in_any_order_give_the_same_findings() -> None:
    facts = [
        *spec("GET /a", parameters={"query.limit": {"schema": WHOLE}}, responses={"200": {}, "404": {}}),
        *spec("GET /b"),
        *code("GET /a", parameters={"query.limit": {}, "query.page": {}}),
        *code("GET /c"),
    ]
    assert check(facts) == check(list(reversed(facts)))
    assert align_operations(Memory([Extract(facts=facts)])) == align_operations(
        Memory([Extract(facts=facts[::-1])])
    )


def test_of_two_places_of_one_shape_the_one_with_the_same_names_is_meant() -> None:
    promised = gather(operation(Tag.SPEC, "GET /menu/{low}/{high}"))
    named = {f"path.{name}": {"schema": WHOLE} for name in ("low", "high")}
    first = operation(Tag.CODE, "GET /menu/{root}/{path}", parameters={"path.root": {}, "path.path": {}})
    second = operation(Tag.CODE, "GET /menu/{low}/{high}", parameters=named)

    matched = list(match_operations(promised, gather([*first, *second])))

    assert [code.path for _, code in matched if code is not None] == ["/menu/{low}/{high}"]


@pytest.mark.parametrize(
    ("told", "rules"),
    [
        (TEXT, []),
        ({"type": "string", "pattern": "^[0-9]+$"}, []),
        (WHOLE, []),
        ({"type": "boolean"}, ["type-mismatch"]),
        ({"type": "string", "format": "date"}, ["format-mismatch"]),
    ],
)
def test_a_key_in_a_path_may_be_told_as_the_text_that_it_is_made_of(told: Json, rules: list[str]) -> None:
    ours = spec("GET /books/{id}", parameters={"path.id": {"schema": told}})
    theirs = code("GET /books/{id}", parameters={"path.id": {"schema": {**WHOLE, "x-text-too": True}}})

    assert [finding.rule for finding in check(ours, theirs)] == rules


def test_an_application_that_shares_one_promised_operation_with_another_is_not_spoken_of() -> None:
    promised = [*spec("GET /health"), *spec("GET /books")]
    first = [*code("GET /health", application="a.py"), *code("GET /books", application="a.py")]
    theirs = [*code("GET /health", application="b.py"), *code("GET /admin", application="b.py")]
    other = [msgspec.structs.replace(each, document="b.py") for each in theirs]

    assert check(promised, first, other) == []
    assert names(check(promised, first, code("GET /admin", application="a.py"))) == [
        ("operation-undocumented", "GET /admin", "exists")
    ]


@pytest.mark.parametrize(
    ("fields", "aspects"),
    [
        ({"title": TEXT, "pages": WHOLE, "shelf": TEXT}, []),
        ({"title": TEXT, "pages": TEXT, "shelf": TEXT}, ["fields.pages.type"]),
        ({"title": TEXT, "pages": WHOLE, "shelf": TEXT, "price": WHOLE}, ["fields.price"]),
        ({"title": TEXT}, []),
        ({"name": TEXT, "town": TEXT, "street": TEXT}, []),
        ({"title": TEXT, "pages": WHOLE}, []),
    ],
)
def test_of_several_forms_the_one_that_a_contract_means_is_compared(
    fields: dict[str, Json], aspects: list[str]
) -> None:
    forms = {"app.Short": {"title": TEXT}, "app.Long": {"title": TEXT, "pages": WHOLE, "shelf": TEXT}}
    told = {"used_in": ["response"]}
    known = [
        fact(Tag.CODE, Kind.SCHEMA, key, {"schema": {"type": "object", "properties": inner}, **told})
        for key, inner in forms.items()
    ]
    book = fact(Tag.SPEC, Kind.SCHEMA, "Book", {"schema": {"type": "object", "properties": fields}, **told})
    among: Json = {"x-unknown": "the request decides", "x-among": [each.id for each in known]}
    ours = spec("GET /a", responses={"200": {"content": {"application/json": {"$ref": book.id}}}})
    theirs = code("GET /a", responses={"200": {"content": {"application/json": among}}})

    assert [finding.aspect for finding in check(ours, theirs, [book, *known])] == aspects


def test_forms_of_which_one_is_not_known_are_not_compared() -> None:
    open_ = fact(Tag.CODE, Kind.SCHEMA, "app.Open", {"schema": {"x-unknown": "it is made at run time"}})
    long = fact(Tag.CODE, Kind.SCHEMA, "app.Long", {"schema": {"type": "object", "properties": {"a": TEXT}}})
    among: Json = {"x-unknown": "the request decides", "x-among": [open_.id, long.id]}
    ours = spec("GET /a", body={"type": "object", "properties": {"a": WHOLE}})

    assert check(ours, code("GET /a", body=among), [open_, long]) == []
