"""Makes a report as large as it may get: thousands of findings, each with its own lines, in a graph of many facts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from crossval.findings import Finding, FindingKind, Severity, Witness
from crossval.report.report import make_report
from crossval.report.shown import Shown
from crossval.report.surroundings import CaseFigures, Surroundings
from crossval.report.threads import Strand, Thread
from crossval.rules.registry import RULES
from graph.facts import Fact, Kind, Location, Tag, Verb
from graph.part import Edge, Part

OPERATIONS = 500
_FIELDS = ("title", "price", "language", "author", "stock", "published", "isbn", "pages", "weight", "series")
_MODULES = 50
_PER_MODULE = OPERATIONS // _MODULES
_SPEC = "specs/openapi.yaml"


def large_report(folder: Path, findings: int = 5_000, facts: int = 5_000) -> Shown:
    """The record for a report of so many findings and facts of a project, which is written into the folder."""
    _write(folder)
    made = [_finding(number) for number in range(findings)]
    report = make_report(
        made, facts={Tag.SPEC: facts // 2, Tag.CODE: facts // 2}, sources=_MODULES + 1, seconds=9.0
    )
    part = _part(facts, report.findings)

    @cache
    def texts(path: str) -> list[str]:
        return (folder / path).read_text(encoding="utf-8").splitlines()

    threads = [_thread(number, part, report.findings) for number in range(60)]
    cases = tuple(_case(number) for number in range(400))
    return Shown(
        report=report,
        texts=texts,
        rules=lambda: RULES,
        version="0",
        name="a large shop",
        threads=lambda: threads,
        surroundings=lambda: Surroundings(cases, part),
    )


def _subject(operation: int) -> str:
    return f"GET /areas/{operation // 10}/books-{operation % 10}/{{book_id}}"


def _code(operation: int) -> tuple[str, int]:
    return f"shop/area_{operation // _PER_MODULE}.py", 5 + operation % _PER_MODULE * 16


def _finding(number: int) -> Finding:
    operation, field = number % OPERATIONS, _FIELDS[number // OPERATIONS % len(_FIELDS)]
    path, line = _code(operation)
    subject, rule = _subject(operation), RULES[number * 7 % len(RULES)]
    return Finding(
        rule=rule.name,
        kind=(FindingKind.CONTRADICTION, FindingKind.GAP, FindingKind.DEFECT)[number % 7 % 3],
        severity=(Severity.ERROR, Severity.WARNING, Severity.NOTE)[number % 5 % 3],
        subject=subject,
        aspect=f"responses.200.{field}.type",
        message=f"Field {field} of the answer 200 of {subject} is a string in the contract, but a number in the code",
        hint=f"Give {field} the type that the contract says, or change the contract.",
        spec=Witness(
            f"spec:operation:{subject}", _SPEC, 4 + operation * 24 + number // OPERATIONS * 2, "string"
        ),
        code=Witness(f"code:operation:{subject}", path, line + number // OPERATIONS, ["integer", "null"]),
        affects=(subject,),
    )


def _write(folder: Path) -> None:
    rows = ["openapi: 3.1.0", "info: {title: A large shop, version: '1'}", "paths:"]
    for operation in range(OPERATIONS):
        rows += [
            f"  {_subject(operation).removeprefix('GET ')}:",
            "    get:",
            f"      operationId: getBook{operation}",
        ]
        rows += [
            "      responses:",
            "        '200':  # what a reader sees of one book in this area of the shop",
        ]
        rows += [
            f"          {row} of operation {operation}: {{type: string}}  # line {row}" for row in range(19)
        ]
    (folder / "specs").mkdir(parents=True)
    (folder / _SPEC).write_text("\n".join(rows), encoding="utf-8")
    (folder / "shop").mkdir()
    for module in range(_MODULES):
        rows = ['"""An area of the shop."""', "", "router = APIRouter()", ""]
        for operation in range(module * _PER_MODULE, (module + 1) * _PER_MODULE):
            route = _subject(operation).removeprefix("GET ")
            rows += [f'@router.get("{route}")', f"def get_book_{operation}(book_id: int) -> Book:"]
            rows += [
                f"    value_{row} = find(book_id, area={module}).part({row})  # of {operation}"
                for row in range(12)
            ]
            rows += ["", ""]
        (folder / f"shop/area_{module}.py").write_text("\n".join(rows), encoding="utf-8")


def _part(count: int, findings: tuple[Finding, ...]) -> Part:
    """Operations on both sides with handlers and modules, then fields of schemas, until there are enough facts."""
    facts: list[Fact] = []
    edges: list[Edge] = []

    def add(tag: Tag, kind: Kind, key: str, path: str, line: int) -> int:
        facts.append(
            Fact(
                tag=tag,
                kind=kind,
                key=key,
                name=key.rpartition(".")[2],
                source=Location(path, line, line + 6),
            )
        )
        return len(facts) - 1

    modules = [add(Tag.CODE, Kind.MODULE, f"shop.area_{n}", f"shop/area_{n}.py", 1) for n in range(_MODULES)]
    for operation in range(OPERATIONS):
        path, line = _code(operation)
        spec = add(Tag.SPEC, Kind.OPERATION, _subject(operation), _SPEC, 4 + operation * 24)
        code = add(Tag.CODE, Kind.OPERATION, _subject(operation), path, line)
        handler = add(
            Tag.CODE, Kind.FUNCTION, f"shop.area_{operation // _PER_MODULE}.get_book_{operation}", path, line
        )
        edges += [Edge(Verb.CONTRADICTS, code, spec), Edge(Verb.HANDLED_BY, code, handler)]
        edges.append(Edge(Verb.CONTAINS, modules[operation // _PER_MODULE], handler))
        edges.append(Edge(Verb.CALLS, handler, modules[operation % _MODULES], 0.6, "they share words"))
    number = 0
    while len(facts) < count:
        owner = modules[0] + _MODULES + number % OPERATIONS * 3
        spec = number // OPERATIONS % 2 == 0
        key = f"{facts[owner].key}#{number}"
        made = add(Tag.SPEC if spec else Tag.CODE, Kind.RESPONSE, key, _SPEC, 6 + number % OPERATIONS * 24)
        edges.append(Edge(Verb.CONTAINS, owner if spec else owner + 1, made))
        if number % 3 == 0 and number > OPERATIONS:
            edges.append(Edge(Verb.REFERENCES, made, made - 7))
        number += 1
    places = {fact.id: (place,) for place, fact in enumerate(facts)}
    told = {each.fact for finding in findings for each in (finding.spec, finding.code) if each}
    return Part(tuple(facts), tuple(edges), (0,) * len(facts), {name: places[name] for name in sorted(told)})


def _thread(number: int, part: Part, findings: tuple[Finding, ...]) -> Thread:
    def fact(kind: Kind, key: str) -> Fact:
        aspects = {"text": f"Whoever asks for book {key} sees its price and the author."}
        return Fact(
            tag=Tag.SPEC, kind=kind, key=key, name=key, source=Location(_SPEC, 4 + number, 5), aspects=aspects
        )

    code = tuple(
        Strand(part.facts[_MODULES + number * 3 + 1 + each], 0.7, "they share words") for each in range(2)
    )
    below = tuple(
        Thread(fact(Kind.CRITERION, f"US-{number}.{each}"), (), code, (), findings[number : number + each])
        for each in range(4)
    )
    return Thread(fact(Kind.STORY, f"US-{number}"), (), code, (), (), below)


def _case(number: int) -> CaseFigures:
    return CaseFigures(
        id=f"case-{number}",
        description=f"{_subject(number)} succeeds",
        subject=_subject(number),
        technique="success",
        layer="L2",
        status=("RED_EXPECTED", "PASSED", "FAILED")[number % 3],
        priority=75.0 - number / 10,
        cites=(f"spec:operation:{_subject(number)}",),
        node=f"tests/test_shop.py::test_{number}",
        twins_green=3,
        twins=3,
        mutants_killed=number % 9,
        mutants=8,
        holds=number % 9 == 8,
    )
