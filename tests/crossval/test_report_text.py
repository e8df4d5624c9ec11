from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crossval.findings import Finding, FindingKind, Severity, Witness
from crossval.report.report import Report, make_report
from crossval.report.text import render
from graph.facts import Skipped, Tag, Unknown

CONTRACT = ["paths:", "  /books/{id}:", "    get:", "      responses:", '        "404": {description: gone}']
CODE = [
    "@app.get('/books/{id}')",
    "def book(id):",
    "    if sold_out(id):",
    "        raise HTTPException(409)",
    "",
]
FILES = {"openapi.yaml": CONTRACT, "app/main.py": CODE}

OPERATION = "GET /books/{id}"
UNDECLARED = Finding(
    rule="response-undeclared",
    subject=OPERATION,
    aspect="responses.409",
    message=f"{OPERATION} can answer 409, which the contract does not declare",
    spec=Witness(f"spec:operation:{OPERATION}", "openapi.yaml", 3, ["404"]),
    code=Witness(f"code:operation:{OPERATION}", "app/main.py", 4, ["404", "409"]),
    hint="Declare 409 in the contract, or stop raising it.",
    affects=(OPERATION,),
)


def texts(path: str) -> Sequence[str] | None:
    return FILES.get(path)


def report_of(*findings: Finding, unknown: Sequence[Unknown] = (), skipped: Sequence[Skipped] = ()) -> Report:
    facts = {Tag.SPEC: 41, Tag.CODE: 97, Tag.TEST: 12}
    return make_report(findings, unknown, skipped, facts=facts, sources=14, seconds=0.412)


def test_concise_gives_one_line_per_finding_and_a_closing_line() -> None:
    gap = msgspec.structs.replace(
        UNDECLARED, rule="operation-undocumented", kind=FindingKind.GAP, severity=Severity.WARNING, spec=None
    )
    assert render(report_of(UNDECLARED, gap), texts, width=80, colour=False, concise=True) == (
        "app/main.py:4: warning[operation-undocumented]: "
        "GET /books/{id} can answer 409, which the contract does not declare\n"
        "app/main.py:4: error[response-undeclared]: "
        "GET /books/{id} can answer 409, which the contract does not declare\n"
        "\n"
        "1 error, 1 warning in 14 sources (97 code, 41 spec, 12 test facts) in 0.41 s\n"
    )


def test_full_shows_both_frames_one_under_the_other_and_the_advice() -> None:
    assert render(report_of(UNDECLARED), texts, width=80, colour=False) == (
        "error[response-undeclared]: GET /books/{id} can answer 409, which the contract does not declare\n"
        "  spec openapi.yaml:3\n"
        "    2 |   /books/{id}:\n"
        "  > 3 |     get:\n"
        "    4 |       responses:\n"
        "  code app/main.py:4\n"
        "    3 |     if sold_out(id):\n"
        "  > 4 |         raise HTTPException(409)\n"
        "    5 |\n"
        "  = help: Declare 409 in the contract, or stop raising it.\n"
        "\n"
        "1 error in 14 sources (97 code, 41 spec, 12 test facts) in 0.41 s\n"
    )


def test_frames_stand_side_by_side_on_a_wide_terminal() -> None:
    lines = render(report_of(UNDECLARED), texts, width=120, colour=False).split("\n")
    assert lines[1:5] == [
        "  spec openapi.yaml:3".ljust(62) + "code app/main.py:4",
        "    2 |   /books/{id}:".ljust(62) + "  3 |     if sold_out(id):",
        "  > 3 |     get:".ljust(62) + "> 4 |         raise HTTPException(409)",
        "    4 |       responses:".ljust(62) + "  5 |",
    ]
    assert all(len(line) <= 120 for line in lines)


def test_a_file_that_cannot_be_read_or_has_shrunk_is_still_named() -> None:
    spec = Witness("spec:operation:x", "gone.yaml", 3)
    code = Witness("code:operation:x", "app/main.py", 400)
    text = render(
        report_of(msgspec.structs.replace(UNDECLARED, spec=spec, code=code)), texts, width=80, colour=False
    )
    assert "  spec gone.yaml:3\n  code app/main.py:400\n  = help" in text


def test_several_operations_related_places_and_doubt_are_told() -> None:
    finding = msgspec.structs.replace(
        UNDECLARED,
        affects=tuple(f"GET /{n}" for n in range(8)),
        related=(Witness("spec:criterion:US-1.2", "stories.md", 7),),
        confidence=0.8,
    )
    text = render(report_of(finding), texts, width=80, colour=False)
    assert "  = affects: GET /0, GET /1, GET /2, GET /3, GET /4, GET /5 and 2 more\n" in text
    assert "  = see also: spec stories.md:7\n" in text
    assert "  = confidence: 0.80\n" in text


def test_nothing_found_is_said_in_words() -> None:
    assert render(report_of(), texts, width=80, colour=False) == (
        "No disagreement found in 14 sources (97 code, 41 spec, 12 test facts) in 0.41 s\n"
    )


def test_strict_lists_what_could_not_be_known_and_else_it_is_counted() -> None:
    report = report_of(
        unknown=[Unknown("GET /books", "parameters.query.limit", "app/main.py", 2, "no annotation")]
    )
    assert render(report, texts, width=80, colour=False, strict=True).startswith(
        "Not compared, because it cannot be known from reading (1):\n"
        "  app/main.py:2: GET /books parameters.query.limit: no annotation\n\n"
    )
    counted = render(report, texts, width=80, colour=False)
    assert "1 aspect could not be known from reading (--strict lists them)\n" in counted


def test_skipped_files_are_counted_by_reason_and_listed_when_verbose() -> None:
    skipped = [Skipped(f"data/{n}.py", 0, "larger than 5 MB") for n in range(3)]
    skipped.append(Skipped("app/old.py", 7, "not UTF-8"))
    report = report_of(skipped=skipped)
    assert render(report, texts, width=80, colour=False).startswith(
        "Not read (4; --verbose lists each):\n  3 × larger than 5 MB\n  1 × not UTF-8\n\n"
    )
    verbose = render(report, texts, width=80, colour=False, verbose=True)
    assert "  app/old.py:7: not UTF-8\n  data/0.py: larger than 5 MB\n" in verbose


def test_the_suppressed_and_the_baselined_are_counted() -> None:
    report = msgspec.structs.replace(report_of(), suppressed=2, baselined=5)
    text = render(report, texts, width=80, colour=False)
    assert text.startswith("No new disagreement found in")
    assert "\nLeft out: 2 suppressed, 5 in the baseline\n" in text


def test_colour_changes_nothing_but_codes() -> None:
    plain = render(report_of(UNDECLARED), texts, width=120, colour=False)
    coloured = render(report_of(UNDECLARED), texts, width=120, colour=True)
    assert "\x1b[1;31merror[response-undeclared]\x1b[0m" in coloured
    stripped = coloured
    for code in ("0", "1", "2", "32", "34", "1;31"):
        stripped = stripped.replace(f"\x1b[{code}m", "")
    assert stripped == plain


def test_findings_of_one_cause_are_shown_once_with_the_subjects_they_hold_for() -> None:
    other = msgspec.structs.replace(UNDECLARED, subject="PUT /books/{id}", affects=("PUT /books/{id}",))
    text = render(report_of(UNDECLARED, other), texts, width=80, colour=False)
    assert text.count("response-undeclared") == 1
    assert "  = likewise for: PUT /books/{id}\n" in text
    assert "2 errors in 14 sources" in text


def test_a_file_of_which_nothing_was_compared_is_always_named() -> None:
    whole = Unknown("file openapi.yaml", "exists", "openapi.yaml", 1, "no routes were found")
    part = Unknown("GET /a", "responses", "app.py", 3, "it is computed")
    text = render(report_of(unknown=(whole, part)), texts, width=80, colour=False)
    assert "  openapi.yaml:1: no routes were found\n" in text
    assert "GET /a" not in text
    assert text.endswith("1 aspect could not be known from reading (--strict lists them)\n")


def test_many_findings_of_a_rule_are_counted_unless_the_run_fails_for_them() -> None:
    vague = [
        msgspec.structs.replace(
            UNDECLARED,
            rule="wording-vague",
            severity=Severity.WARNING,
            subject=f"criterion AC-{number}",
            spec=None,
            code=Witness("", f"page{number % 5}.md", number + 1),
        )
        for number in range(60)
    ]
    report = report_of(UNDECLARED, *vague)

    def is_error(finding: Finding) -> bool:
        return finding.severity is Severity.ERROR

    text = render(report, texts, width=80, colour=False, fails=is_error)
    assert text.count("warning[wording-vague]: ") == 20
    assert text.count("error[response-undeclared]") == 1
    assert (
        "\n\nMore of the same (40; --verbose shows each, --concise in one line):\n"
        "  40 × warning[wording-vague] in page2.md (12), page3.md (12), page4.md (12) and 1 file more\n\n"
    ) in text
    for whole in (
        render(report, texts, width=80, colour=False),
        render(report, texts, width=80, colour=False, fails=is_error, verbose=True),
        render(report, texts, width=80, colour=False, fails=is_error, concise=True),
    ):
        assert whole.count("warning[wording-vague]") == 60
