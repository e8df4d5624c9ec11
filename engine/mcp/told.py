"""What the tools answer: the records behind `structuredContent`, and their JSON schemas' source."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from crossval.findings import FindingKind, Severity
from graph.facts import Json, Kind, Tag, Verb

Notes = Annotated[tuple[str, ...], Meta(description="What a person would have been told on the way.")]
NextOffset = Annotated[int | None, Meta(description="The `offset` of the next page; null at the end.")]


class Fact(Struct, frozen=True, kw_only=True):
    """A fact in brief: `show_fact` has the rest."""

    id: str
    tag: Tag
    kind: Kind
    name: str
    statement: str
    path: str
    line: int
    end_line: int


class Relation(Struct, frozen=True, kw_only=True):
    """One relation, read from its first end to its second."""

    verb: Verb
    first: str
    second: str
    confidence: float
    reason: str


class WholeFact(Fact, frozen=True, kw_only=True):
    """A fact with everything that is known of it."""

    sources: Annotated[tuple[str, ...], Meta(description="Every file that it was read from, where several.")]
    aspects: Json
    lines: Annotated[tuple[str, ...], Meta(description="Its source, from `line` on.")]
    relations: tuple[Relation, ...]
    more_relations: Annotated[int, Meta(description="How many more `neighbors` has.")]


class Witness(Struct, frozen=True, kw_only=True):
    """One side of a finding: the fact, its place, and what stands there."""

    fact: str
    path: str
    line: int
    value: Json


class Finding(Struct, frozen=True, kw_only=True):
    """A gap, a contradiction or a defect; a side that is silent is null."""

    fingerprint: str
    rule: str
    kind: FindingKind
    severity: Severity
    confidence: float
    subject: str
    aspect: str
    message: str
    spec: Witness | None
    code: Witness | None


class Excerpt(Struct, frozen=True, kw_only=True):
    """Lines of a file around a place."""

    path: str
    first: Annotated[int, Meta(description="The number of the first line.")]
    lines: tuple[str, ...]


class RuleCount(Struct, frozen=True, kw_only=True):
    """How many findings a rule has."""

    rule: str
    severity: Severity
    count: int


class Rule(Struct, frozen=True, kw_only=True):
    """A rule in brief."""

    name: str
    family: str
    kind: FindingKind
    severity: Severity
    summary: str


class Answer(Struct, frozen=True, kw_only=True):
    """What every answer has: the revision of the facts that it is about, and notices."""

    revision: int
    notes: Notes = ()


class Checked(Answer, frozen=True, kw_only=True):
    """What a check came to."""

    facts: dict[str, int]
    sources: int
    errors: int
    warnings: int
    notes_found: Annotated[int, Meta(description="Findings of severity note.")]
    rules: tuple[RuleCount, ...]
    unknown: Annotated[int, Meta(description="What could not be known; `unknown` lists it.")]
    skipped: Annotated[int, Meta(description="Files that were not read; `unknown` lists them too.")]
    suppressed: int
    baselined: int
    exit_code: Annotated[int, Meta(description="What `crossfact check` would exit with.")]


class FindingsPage(Answer, frozen=True, kw_only=True):
    """Findings in the order of reports."""

    total: int
    findings: tuple[Finding, ...]
    next_offset: NextOffset


class FindingInFull(Answer, frozen=True, kw_only=True):
    """One finding with its evidence and what its rule says."""

    finding: Finding
    hint: Annotated[str, Meta(description="How to fix it, in one sentence.")]
    related: tuple[Witness, ...]
    affects: tuple[str, ...]
    excerpts: tuple[Excerpt, ...]
    rule: Rule
    help: str


class Unread(Struct, frozen=True, kw_only=True):
    """Something that could not be known, or a file that was not read: then `subject` and `aspect` are empty."""

    path: str
    line: int
    subject: str
    aspect: str
    reason: str


class UnknownPage(Answer, frozen=True, kw_only=True):
    """What could not be known, then what was not read."""

    total: int
    unknown: tuple[Unread, ...]
    next_offset: NextOffset


class RulesPage(Answer, frozen=True, kw_only=True):
    """Rules by name."""

    total: int
    rules: tuple[Rule, ...]
    next_offset: NextOffset


class RuleInFull(Answer, frozen=True, kw_only=True):
    """One rule and its help in Markdown."""

    rule: Rule
    help: str


class Hit(Struct, frozen=True, kw_only=True):
    """A fact that answers, and how well: scores are to be compared within one answer only."""

    fact: Fact
    score: float
    found_by: tuple[str, ...]


class Hits(Answer, frozen=True, kw_only=True):
    """The facts that fit best, best first."""

    hits: tuple[Hit, ...]


class FactsPage(Answer, frozen=True, kw_only=True):
    """Facts in the order of their ids."""

    total: int
    facts: tuple[Fact, ...]
    next_offset: NextOffset


class WholeFacts(Answer, frozen=True, kw_only=True):
    """The facts that an id means: several where documents share it."""

    facts: tuple[WholeFact, ...]


class Neighbour(Struct, frozen=True, kw_only=True):
    """A relation and the fact at its other end."""

    relation: Relation
    fact: Fact


class Neighbours(Answer, frozen=True, kw_only=True):
    """What a fact is related to."""

    total: int
    neighbors: tuple[Neighbour, ...]
    next_offset: NextOffset


class Way(Answer, frozen=True, kw_only=True):
    """The shortest way between two facts, step by step; no steps where there is none."""

    start: str
    end: str
    found: bool
    steps: tuple[Neighbour, ...]


class Rows(Answer, frozen=True, kw_only=True):
    """Rows of a query."""

    columns: tuple[str, ...]
    rows: tuple[Json, ...]
    next_offset: NextOffset


class Strand(Struct, frozen=True, kw_only=True):
    """Code or a test that a criterion is tied to, how surely, and why."""

    fact: str
    path: str
    line: int
    confidence: float
    reason: str


class Thread(Struct, frozen=True, kw_only=True):
    """A story or a criterion: what it claims, what implements and tests it, which findings concern it."""

    fact: Fact
    story: Annotated[str, Meta(description="The id of the story that a criterion belongs to, else empty.")]
    claims: tuple[Json, ...]
    code: tuple[Strand, ...]
    tests: tuple[Strand, ...]
    findings: Annotated[tuple[str, ...], Meta(description="Fingerprints.")]


class Threads(Answer, frozen=True, kw_only=True):
    """The thread of a story: itself first, then its criteria."""

    threads: tuple[Thread, ...]
    more: Annotated[int, Meta(description="How many criteria did not fit; ask for them by id.")]
