"""Which texts of a request are chosen freely only as far as the contract says: `algorithm`, `role`, `unit`.

A contract that gives a text no form, no list and no example takes any, by its words. Services often take few of them
all the same, and refuse the rest with the status that they document for invalid requests (many contracts, such as those
that REST framework's exporters write, document none). Nobody knows these from the
contract, so a request with such a text may be refused, and what was to be shown with it stays undecided.

So it is where all of a body may be left out, by its schema: which of it has to be there together only the code knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation
from planner.contracts.resolving import EXAMPLE
from planner.contracts.resources import snake

# What people write as they like, and what no service has a list of.
_PROSE = re.compile(
    r"(?:^|_)(?:names?|titles?|labels?|headings?|headlines?|subjects?|topics?|descriptions?|desc|details?|summary|abstract|excerpt"
    r"|texts?|contents?|body|messages?|msg|comments?|notes?|remarks?|reasons?|captions?|bio|about|intro(?:duction)?|feedback"
    r"|reviews?|questions?|answers?|replies|reply|instructions?|ingredients|steps|purpose|motto|address(?:_?line)?(?:_?\d)?|street"
    r"|city|town|company|organi[sz]ation|publisher|brand|manufacturer|authors?|artists?|director|actors|owner|customer|tags?"
    r"|keywords?|passwords?|secret|username|user|login|nickname|handle|slug|sku|serial|reference|search|q|query|term|words?"
    r"|todo|task|item|first|last|middle|surname|nick|display|room|place|location|venue)$"
)
# A whole number that stands for one of few, as `schema_version`.
_CHOSEN = re.compile(r"(?i)(?:^|_|[a-z])(?:version|type|kind|mode|level|status|state)$")
_PINNED = frozenset({EXAMPLE, "default", "enum", "const", "pattern", "contentMediaType", "contentEncoding"})
# A format that nobody knows (`path`, `slug`) tells as little as none.
_FORMATS = frozenset(
    {
        *(
            "date",
            "date-time",
            "time",
            "duration",
            "email",
            "idn-email",
            "hostname",
            "ipv4",
            "ipv6",
            "uri",
            "url",
        ),
        *("uuid", "byte", "binary", "decimal", "password"),
    }
)
_INVALID = frozenset({"400", "422"})
_DEPTH = 4
# What an object of any shape is usually for, and one that says nothing is as good as any.
_FREELY = re.compile(
    r"(?:^|_)(?:meta(?:_?data)?|extras?|options|settings|preferences|config(?:uration)?|attributes|attrs|data|payload|properties"
    r"|props|params|parameters|context|details|info|custom(?:_fields)?|labels|annotations|headers|variables|vars|env|args|kwargs)$"
)
# REST framework's exporters give uploads the format of the address by which they are shown.
_UPLOADS = re.compile(
    r"(?:^|_)(?:images?|photos?|pictures?|pics?|avatar|logo|icon|thumbnail|cover|banner|poster|files?|documents?|attachments?"
    r"|uploads?|video|audio)$"
)
_ADDRESSES = frozenset({"uri", "url"})
_SHAPES = frozenset({"properties", "anyOf", "oneOf", "allOf", "patternProperties"})


def refusals_of_choices(operation: Operation) -> list[int]:
    """The statuses with which an operation may refuse a text that its contract lets anybody choose.

    They are the documented ones; any, where the contract says nowhere that the operation refuses something.
    """
    told = {answer.status for answer in operation.answers}
    is_silent = not any(status.startswith("4") or status == "default" for status in told)
    return sorted(int(status) for status in (_INVALID if is_silent or "4XX" in told else _INVALID & told))


def free_choices(
    operation: Operation,
    body: Json,
    query: Mapping[str, Json],
    headers: Mapping[str, Json] = MappingProxyType({}),
) -> list[str]:
    """The names of the texts in a request that only their schema lets be any, and of objects left wholly open."""
    found: list[str] = []
    for location, sent in (("query", query), ("header", headers)):
        schemas = {each.name: each.schema for each in operation.parameters if each.location == location}
        taken = {name: each for name, each in sent.items() if name in schemas}
        found += [name for name in taken for _ in _free(name, schemas[name], taken[name], 1)]
    if operation.body is not None:
        found += _free("", operation.body.schema, body, _DEPTH)
    return list(dict.fromkeys(found))


def lets_all_out(operation: Operation, body: Json) -> bool:
    """Whether only its schema lets a request say as little as it does: all of its body may be left out.

    A value that a query needs says something, and so does an example of the body, which shows what is enough. To change
    one field is what a PATCH is for, so only one without any says too little.
    """
    if operation.body is None or operation.body.examples or EXAMPLE in operation.body.schema:
        return False
    is_asked_for_more = any(each.required and each.location == "query" for each in operation.parameters)
    if is_asked_for_more or (operation.method == "PATCH" and body):
        return False
    return body in ({}, []) or (isinstance(body, dict) and _may_be_empty(operation.body.schema))


def _may_be_empty(schema: dict[str, Json]) -> bool:
    """Whether an object without any field is one of a schema."""
    plain = split_null(schema)[0]
    if plain.get("required") or plain.get("minProperties"):
        return False
    if not all(_may_be_empty(each) for each in plain.get("allOf", ())):
        return False
    choices = [each for key in ("anyOf", "oneOf") for each in plain.get(key, ())]
    return not choices or any(_may_be_empty(each) for each in choices)


def is_free(name: str, schema: dict[str, Json], value: Json) -> bool:
    """Whether a value has a text that only its schema lets be any."""
    return any(True for _ in _free(name, schema, value, _DEPTH))


def _free(name: str, schema: dict[str, Json], value: Json, depth: int) -> Iterator[str]:
    plain = split_null(schema)[0]
    if not depth or _PINNED & {*schema, *plain}:
        return
    if plain.get("format") in _FORMATS and not may_be_upload(name, schema):
        return
    fields = plain.get("properties", {})
    if value == {} and not _SHAPES & set(plain) and not _FREELY.search(snake(name)):
        yield name
    elif isinstance(value, dict):
        for each in value:
            yield from _free(each, fields.get(each, {"default": None}), value[each], depth - 1)
    elif isinstance(value, list):
        for each in value[:1]:
            yield from _free(name, plain.get("items") or {}, each, depth - 1)
    elif (type(value) is str and not is_prose(name)) or (type(value) is int and _CHOSEN.search(name)):
        yield name


def may_be_upload(name: str, schema: dict[str, Json]) -> bool:
    """Whether what a contract calls an address may be a file that is sent: an `image` of the format `uri`."""
    is_address = split_null(schema)[0].get("format") in _ADDRESSES
    return is_address and _UPLOADS.search(snake(name)) is not None


def is_prose(name: str) -> bool:
    """Whether a text of this name is one that people write as they like."""
    return _PROSE.search(snake(name).replace("-", "_")) is not None
