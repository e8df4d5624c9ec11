"""What can be read by address instead of by a tool: the report, rules, the checklist, facts, findings, stories."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import msgspec

from crossval.report.colour import Paint
from crossval.report.text import concise_line
from engine.check import check
from engine.mcp import asked, bounds, facts, findings, testing, told
from engine.mcp.desk import Desk
from graph.errors import UsageError

_SCHEME = "crossfact"
_LINES = 400


class Resource(msgspec.Struct, frozen=True, kw_only=True):
    """A resource, or a family of them where the address ends in `{name}`."""

    address: str
    name: str
    description: str
    media_type: str = "application/json"


RESOURCES = (
    Resource(
        address="crossfact://report",
        name="report",
        description="Today's findings, one line each; the first of them where there are many.",
        media_type="text/plain",
    ),
    Resource(
        address="crossfact://summary", name="summary", description="The figures of today's check, as JSON."
    ),
    Resource(address="crossfact://rules", name="rules", description="All rules, as JSON."),
    Resource(
        address="crossfact://checklist",
        name="checklist",
        description="The test plan: how cases stand, and the most important ones, as JSON.",
    ),
)

FAMILIES = (
    Resource(
        address="crossfact://fact/{id}",
        name="fact",
        description="One fact, as `show_fact` gives it; its id percent-encoded.",
    ),
    Resource(
        address="crossfact://finding/{fingerprint}",
        name="finding",
        description="One finding, as `explain_finding` gives it.",
    ),
    Resource(
        address="crossfact://story/{id}", name="story", description="A story's thread, as `trace` gives it."
    ),
    Resource(
        address="crossfact://rule/{name}", name="rule", description="One rule, as `explain_rule` gives it."
    ),
)


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which address is to be read."""

    address: str


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """What stands there."""

    text: str
    media_type: str


def read(desk: Desk, reading: Reading) -> Read:
    """What stands at an address. Raises UsageError where nothing does."""
    prefix = f"{_SCHEME}://"
    if not reading.address.startswith(prefix):
        raise _unknown(reading.address)
    family, _, rest = reading.address.removeprefix(prefix).partition("/")
    name = unquote(rest)
    if family == "report" and not rest:
        return Read(text=_report(desk), media_type="text/plain")
    if not rest:
        return _json(_whole(desk, family, reading.address))
    return _json(_one(desk, family, name, reading.address))


def _whole(desk: Desk, family: str, address: str) -> told.Answer:
    match family:
        case "summary":
            return findings.checked(desk, asked.Checking())
        case "rules":
            return findings.all_rules(desk, asked.Paged(limit=1_000))
        case "checklist":
            return testing.status(desk, asked.Cases())
    raise _unknown(address)


class _Family(msgspec.Struct, frozen=True):
    argument: str
    takes: type[msgspec.Struct]
    function: Callable[..., told.Answer]


_ONE = {
    "fact": _Family("id", asked.OneFact, facts.one_fact),
    "finding": _Family("fingerprint", asked.OneFinding, findings.one_finding),
    "story": _Family("story", asked.Story, facts.trace),
    "rule": _Family("rule", asked.OneRule, findings.one_rule),
}


def _one(desk: Desk, name: str, word: str, address: str) -> told.Answer:
    family = _ONE.get(name)
    if family is None:
        raise _unknown(address)
    try:
        arguments = msgspec.convert({family.argument: word}, family.takes)
    except msgspec.ValidationError as error:
        raise _unknown(address) from error
    return family.function(desk, arguments)


def _report(desk: Desk) -> str:
    with desk.project() as project:
        done = check(project, tell=desk.tell, progress=desk.reading)
    every = done.report.findings
    plain = Paint(False)
    lines, count = bounds.fitting(bounds.text(concise_line(each, plain)) for each in every[:_LINES])
    rest = [f"… and {len(every) - count} more: the tool `findings` has them."] if count < len(every) else []
    return "\n".join([*lines, *rest]) or "No findings."


def _json(answer: told.Answer) -> Read:
    document = bounds.inert(msgspec.to_builtins(answer, enc_hook=str))
    return Read(
        text=msgspec.json.format(msgspec.json.encode(document), indent=2).decode(),
        media_type="application/json",
    )


def _unknown(address: str) -> UsageError:
    return UsageError(
        f"nothing stands at {bounds.text(address, 200)}",
        "Known are report, summary, rules, checklist, fact/ID, finding/FINGERPRINT, story/ID and rule/NAME.",
    )
