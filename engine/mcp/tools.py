"""The list of tools: what each is called, says of itself, takes, answers, and which function does it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import msgspec

from engine.described import described
from engine.mcp import asked, told, told_heals, told_tests

_REFERENCES = "#/$defs/{name}"


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """One tool. `place` names its function as `module:function` of this package; one that `writes` needs leave."""

    name: str
    title: str
    description: str
    takes: type[msgspec.Struct]
    gives: type[told.Answer]
    place: str
    writes: bool = False

    @property
    def function(self) -> Callable[..., told.Answer]:
        """What does it; loaded when it is first called."""
        return _load(self.place)

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return _schema(self.takes)

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of its answer."""
        return _schema(self.gives)


TOOLS = (
    Tool(
        name="check",
        title="Compare specs with code",
        description="Brings the facts up to date, compares specs with code and tests, and counts the findings by "
        "severity and rule. Call it first, and after each change; `findings` lists them.",
        takes=asked.Checking,
        gives=told.Checked,
        place="findings:checked",
    ),
    Tool(
        name="findings",
        title="List findings",
        description="Gaps, contradictions and defects of today, each with the spec's line and the code's line, in "
        "pages, filtered by severity, kind, rule, subject or path.",
        takes=asked.Findings,
        gives=told.FindingsPage,
        place="findings:findings",
    ),
    Tool(
        name="explain_finding",
        title="Explain one finding",
        description="One finding with the source around both sides, what it affects, and what its rule says about why "
        "it matters and how to fix it.",
        takes=asked.OneFinding,
        gives=told.FindingInFull,
        place="findings:one_finding",
    ),
    Tool(
        name="unknown",
        title="List what could not be known",
        description="Where crossfact stays silent because the code cannot be read without running it, and the files "
        "that were not read.",
        takes=asked.Paged,
        gives=told.UnknownPage,
        place="findings:unknown",
    ),
    Tool(
        name="rules",
        title="List rules",
        description="All rules with family, kind, severity and summary.",
        takes=asked.Paged,
        gives=told.RulesPage,
        place="findings:all_rules",
    ),
    Tool(
        name="explain_rule",
        title="Explain one rule",
        description="What a rule finds, why it matters, how to fix it.",
        takes=asked.OneRule,
        gives=told.RuleInFull,
        place="findings:one_rule",
    ),
    Tool(
        name="search",
        title="Search facts",
        description="The facts of specs, code and tests that fit a question best, found by words, meaning and "
        "relations.",
        takes=asked.Search,
        gives=told.Hits,
        place="facts:search",
    ),
    Tool(
        name="facts",
        title="List facts",
        description="Facts filtered by kind, witness, file or name, in pages.",
        takes=asked.Facts,
        gives=told.FactsPage,
        place="facts:facts",
    ),
    Tool(
        name="show_fact",
        title="Show one fact",
        description="Everything that is known of a fact: aspects, source lines, relations.",
        takes=asked.OneFact,
        gives=told.WholeFacts,
        place="facts:one_fact",
    ),
    Tool(
        name="neighbors",
        title="List what a fact is related to",
        description="The facts that a fact contains, calls, implements, is verified by, and so on.",
        takes=asked.Neighbours,
        gives=told.Neighbours,
        place="facts:related",
    ),
    Tool(
        name="path",
        title="Find the way between two facts",
        description="The shortest way between two facts along relations of either direction.",
        takes=asked.Way,
        gives=told.Way,
        place="facts:way",
    ),
    Tool(
        name="query",
        title="Query the fact graph",
        description="A question in openCypher (`MATCH (c:criterion) RETURN c.id`) or SQL (`SELECT id FROM facts`); "
        "nothing can be changed by asking. A page is cut off a stable order: give ORDER BY.",
        takes=asked.Query,
        gives=told.Rows,
        place="facts:query",
    ),
    Tool(
        name="trace",
        title="Trace a story",
        description="The thread of a story: its criteria, what they claim, the code and tests that they are tied to, "
        "and the findings that concern them.",
        takes=asked.Story,
        gives=told.Threads,
        place="facts:trace",
    ),
    Tool(
        name="status",
        title="Show the test plan",
        description="How the test cases of the plan stand, as the checklist has it; nothing is run.",
        takes=asked.Cases,
        gives=told_tests.CasesPage,
        place="testing:status",
    ),
    Tool(
        name="reviews",
        title="List what waits for a person",
        description="Red tests about which only a person can decide, who is wrong as far as is known, and the edits "
        "that could be approved with `crossfact review`. Nothing can be approved here.",
        takes=asked.Paged,
        gives=told_heals.Reviews,
        place="healing:reviews",
    ),
    Tool(
        name="session_show",
        title="Show a test session",
        description="A test session with its context, analysis, plan and tasks, and which tasks are done by now.",
        takes=asked.SessionShow,
        gives=told_tests.TestSession,
        place="testing:session_show",
    ),
    Tool(
        name="session_start",
        title="Start a test session",
        description="Plans, and gathers what is needed to work on tests: the facts, the findings, the cases, and the "
        "tasks in their order, of the whole project or of a story, an operation, a function or a file.",
        takes=asked.SessionStart,
        gives=told_tests.TestSession,
        place="testing:session_start",
        writes=True,
    ),
    Tool(
        name="plan",
        title="Make the test plan",
        description="Turns findings and untested facts into prioritised test cases and writes them into "
        "test_execution_state.yaml; what was edited by hand or is green stays.",
        takes=asked.Planning,
        gives=told_tests.Planned,
        place="testing:plan",
        writes=True,
    ),
    Tool(
        name="generate",
        title="Write the tests of the plan",
        description="Writes the tests of the plan that are open, proves them on twins, and takes out those that do "
        "not hold. Tests that a person edited stay.",
        takes=asked.Generating,
        gives=told_tests.Generated,
        place="testing:generate",
        writes=True,
    ),
    Tool(
        name="run",
        title="Run the tests of the plan",
        description="Runs what is open, failed, or green on what changed, in a sandbox, and keeps how each test "
        "stands. This runs code of the project.",
        takes=asked.Running,
        gives=told_tests.Ran,
        place="testing:run",
        writes=True,
    ),
    Tool(
        name="propose_heal",
        title="Propose how to heal red tests",
        description="Runs tests that are red and says, for each cause, whether the test is stale or the code is wrong, "
        "with the facts that show it, and the edits of tests that would be tried. No file is changed: a person applies "
        "edits with `crossfact heal` or `crossfact review`. This runs code of the project.",
        takes=asked.Healing,
        gives=told_heals.Proposed,
        place="healing:propose",
        writes=True,
    ),
)


def offered(*, writes: bool) -> dict[str, Tool]:
    """The tools by name: those that only read, and all where writing is allowed."""
    return {tool.name: tool for tool in TOOLS if writes or not tool.writes}


@cache
def _load(place: str) -> Callable[..., told.Answer]:
    module, _, name = place.partition(":")
    function: Callable[..., told.Answer] = getattr(import_module(f"engine.mcp.{module}"), name)
    return function


@cache
def _schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The schema of a record, with the record itself at the root, as the protocol wants it."""
    (root,), parts = msgspec.json.schema_components([kind], ref_template=_REFERENCES)
    own: dict[str, Any] = described(root)
    parts = described(parts)
    name = own.get("$ref", "").rpartition("/")[2]
    if not name:
        return own
    own = parts.pop(name)
    return {**own, **({"$defs": parts} if parts else {})}
