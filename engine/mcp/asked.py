"""What an agent may give each tool: the records that arguments are checked against, and their JSON schemas' source."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from crossval.findings import FindingKind, Severity
from graph.facts import Kind, Tag, Verb
from planner.cases import Status

Text = Annotated[str, Meta(min_length=1, max_length=2_000)]
FactId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_000,
        description="A fact's id (`spec:operation:GET /books/{id}`), or its key where that is unique.",
    ),
]
Names = Annotated[tuple[Annotated[str, Meta(max_length=500)], ...], Meta(max_length=100)]
Glob = Annotated[str, Meta(max_length=500)]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


class Paged(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which part of a list is wanted."""

    offset: Annotated[int, Meta(ge=0, description="How many to leave out; take `next_offset`.")] = 0
    limit: Annotated[int, Meta(ge=1, le=100, description="How many at most.")] = 20


class Checking(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `check`."""

    paths: Annotated[Names, Meta(description="Only what has its evidence in these files or folders.")] = ()


class Findings(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `findings`."""

    severity: Annotated[Severity, Meta(description="The least severity.")] = Severity.NOTE
    kinds: Annotated[tuple[FindingKind, ...], Meta(description="Only these kinds.")] = ()
    rules: Annotated[Names, Meta(description="Only these rules, by name.")] = ()
    subject: Annotated[str, Meta(max_length=500, description="Only subjects that have these words.")] = ""
    paths: Annotated[Names, Meta(description="Only what has its evidence in these files or folders.")] = ()


class OneFinding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `explain_finding`."""

    fingerprint: Annotated[
        str, Meta(pattern="^[0-9a-f]{4,16}$", description="A finding's fingerprint, or the beginning of one.")
    ]


class OneRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `explain_rule`."""

    rule: Annotated[str, Meta(min_length=1, max_length=200, description="A rule's name.")]


class Search(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `search`."""

    question: Annotated[Text, Meta(description="A question, or words, in plain English.")]
    limit: Annotated[int, Meta(ge=1, le=50, description="How many facts at most.")] = 10
    kinds: Annotated[tuple[Kind, ...], Meta(description="Only these kinds.")] = ()
    tags: Annotated[tuple[Tag, ...], Meta(description="Only these witnesses.")] = ()
    words_only: Annotated[bool, Meta(description="Search by words alone, without meanings: faster.")] = False


class Facts(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `facts`."""

    kinds: Annotated[tuple[Kind, ...], Meta(description="Only these kinds.")] = ()
    tags: Annotated[tuple[Tag, ...], Meta(description="Only these witnesses.")] = ()
    path: Annotated[Glob, Meta(description="Only facts read from files like this glob.")] = ""
    name: Annotated[Glob, Meta(description="Only facts whose key or name is like this glob.")] = ""


class OneFact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `show_fact`."""

    id: FactId


class Neighbours(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `neighbors`."""

    id: FactId
    verbs: Annotated[tuple[Verb, ...], Meta(description="Only these relations.")] = ()


class Way(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `path`."""

    start: FactId
    end: FactId


class Query(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `query`."""

    question: Annotated[
        str, Meta(min_length=1, max_length=10_000, description="A read-only question in `language`.")
    ]
    language: Annotated[
        Literal["cypher", "sql"],
        Meta(description="openCypher on labels that are kinds, or one SELECT on `facts` and `relations`."),
    ] = "cypher"


class Story(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `trace`."""

    story: Annotated[Text, Meta(description="A story or criterion, by id or key (`US-3`, `US-3.2`).")]


class Cases(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `status`."""

    statuses: Annotated[tuple[Status, ...], Meta(description="Only cases that stand like this.")] = ()
    names: Annotated[
        Names, Meta(description="Only these cases: ids, beginnings of ids, or tests' node ids.")
    ] = ()


class SessionShow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `session_show`."""

    number: Annotated[int | None, Meta(description="Which session; the last one where it is left out.")] = (
        None
    )


class SessionStart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `session_start`."""

    names: Annotated[
        Names,
        Meta(
            description="What it is about: stories, operations, functions, fact ids or files; all where empty."
        ),
    ] = ()


class Planning(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `plan`."""

    dry_run: Annotated[bool, Meta(description="Show the plan and leave the checklist as it is.")] = False


class Generating(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `generate`."""

    names: Annotated[Names, Meta(description="Only these cases: ids, or beginnings of ids.")] = ()


class Healing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `propose_heal`."""

    names: Annotated[
        Names,
        Meta(
            description="Only these tests: cases, node ids, files or folders; those of the plan that failed if empty."
        ),
    ] = ()
    since: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        Meta(description="When they last passed: `store:N` or a revision of git; else what is known of it."),
    ] = None
    seconds: Annotated[float, Meta(gt=0, le=600, description="For each test.")] = 30.0


class Running(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of `run`."""

    names: Annotated[
        Names, Meta(description="Only these cases: ids, beginnings of ids, or tests' node ids.")
    ] = ()
    everything: Annotated[bool, Meta(description="Also run what is green and locked.")] = False
    seconds: Annotated[float, Meta(gt=0, le=600, description="For each test.")] = 30.0
