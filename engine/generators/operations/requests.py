"""Requests as lines of a test: what is sent, and how a path is filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from crossval.compare.components import split_null
from engine.generators.source import literal, long_text, name_of
from engine.generators.values.named_texts import is_surely_formed
from engine.generators.values.schema_values import NoValueError
from graph.facts import Json
from planner.contracts.free_choices import free_choices, lets_all_out, refusals_of_choices
from planner.contracts.operations import ITEM, Body, Member, Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.unknowable import is_unknown_credential

_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
"""What clients have a method of its own for."""
_WITHOUT_BODY = frozenset({"GET", "DELETE", "HEAD", "OPTIONS"})
"""Those whose own methods of clients as httpx take no content."""
FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


CALLERS = ("auth", "stranger")
"""The fixtures with the headers of the two callers that there can be."""
_BY = re.compile(rf"(?P<how>headers=|\*\*)(?P<who>{'|'.join(CALLERS)})\b")


class Sent(msgspec.Struct, frozen=True):
    """A request that a test sends: the operation, where path parameters come from (as expressions), and its values.

    `caller` is the fixture with the headers of who sends it, where the operation asks who that is.
    """

    operation: Operation
    path: Mapping[str, str]
    query: Mapping[str, Json]
    headers: Mapping[str, Json]
    body: Json = None
    cookies: Mapping[str, Json] = {}
    caller: str = "auth"

    def call(self) -> str:
        """The expression that sends it."""
        words = [_url(self.operation.path, self.path)]
        if self.query:
            words.append(f"params={long_text(dict(self.query))}")
        has_content = self.operation.body is not None and self.body is not None
        if self.operation.body is not None and has_content:
            words += self._content(self.operation.body)
        headers = dict(self.headers)
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if self.operation.secured or self.operation.invites:
            own = self.caller
            words.append(f"headers={{**{own}, {literal(headers)[1:]}" if headers else f"headers={own}")
        elif headers:
            words.append(f"headers={literal(headers)}")
        method = self.operation.method
        if method not in _METHODS or (has_content and method in _WITHOUT_BODY):
            return f"client.request({literal(method)}, {', '.join(words)})"
        return f"client.{method.lower()}({', '.join(words)})"

    def _content(self, body: Body) -> list[str]:
        """The words that send the body: as JSON, as a form, or as a form with files."""
        if body.media_type not in (FORM, MULTIPART) or not isinstance(self.body, dict):
            return [f"json={long_text(self.body)}"]
        fields = split_null(body.schema)[0].get("properties", {})
        files = {name: each for name, each in self.body.items() if is_file(fields.get(name, {}))}
        rest = {name: _wire(each) for name, each in self.body.items() if name not in files}
        words = [f"data={long_text(rest)}"] if rest else []
        if files:
            given = (f'{literal(name)}: ("{name_of(name)}.txt", b"text")' for name in files)
            words.append(f"files={{{', '.join(given)}}}")
        return words


def as_the_other(line: str) -> str:
    """The line with each of the two callers in the place of the other."""
    other = {CALLERS[0]: CALLERS[1], CALLERS[1]: CALLERS[0]}
    return _BY.sub(lambda match: f"{match['how']}{other[match['who']]}", line)


def asked(name: str, sent: Sent, usual: Sent | None = None, whole: Sent | None = None) -> list[str]:
    """The lines that send a request which should be taken, and keep its answer under a name.

    Where only the service knows which of its texts are taken, a documented refusal leaves the test undecided: it says
    which texts these are, so that a person can give the contract an example. So it is where all of a body may be left
    out and the request without any of it is refused as well. Where another value is what the test is about, the `usual`
    request has to be refused as well; and so has the `whole` one beside such texts: if that is taken, something is
    asked for that may be left out.
    """
    lines = [f"{name} = {sent.call()}"]
    refusals = refusals_of_choices(sent.operation)
    if not refusals:
        return lines
    others = [] if usual is None else [usual.call()]
    free = free_choices(sent.operation, sent.body, sent.query, sent.headers)
    if formed := [each for each in free if not is_surely_formed(each)]:
        others += [] if whole is None else [whole.call()]
        told = f"which {', '.join(each or 'text' for each in formed)} {sent.operation.key} takes"
    elif lets_all_out(sent.operation, sent.body):
        told = f"what {sent.operation.key} needs of all that may be left out"
        others.append(_bare(sent).call())
    else:
        return lines
    statuses = f"== {refusals[0]}" if len(refusals) == 1 else f"in {tuple(refusals)}"
    answers = [name, *(each for each in dict.fromkeys(others) if each != sent.call())]
    is_refused = " and ".join(f"{each}.status_code {statuses}" for each in answers)
    words = _plain(f"the contract does not tell {told}; it answered")
    reason = f"{literal(f'{words}: ')} + str({name}.content)"
    return [*lines, f"if {is_refused}:", f"    pytest.skip({reason})"]


def _bare(sent: Sent) -> Sent:
    """The request without anything that may be left out."""
    return msgspec.structs.replace(sent, query={}, body=[] if isinstance(sent.body, list) else {})


def _plain(words: str) -> str:
    return words.replace("\\", "/").replace('"', "'")


def answered(name: str, status: str) -> str:
    """The condition that an answer has a documented status; `2XX` and `default` stand for many."""
    if status.isdigit():
        return f"{name}.status_code == {status}"
    if status[:1].isdigit():
        return f"{name}.status_code // 100 == {status[0]}"
    return f"{name}.status_code < 500"


def is_file(schema: dict[str, Json]) -> bool:
    """Whether a field of a form is a file."""
    plain, _ = split_null(schema)
    return plain.get("format") == "binary" or plain.get("contentMediaType") == "application/octet-stream"


def with_value(sent: Sent, member: Member, value: Any) -> Sent:
    """The request with another value for one member. Raises NoValueError where it cannot be put there."""
    match member.location:
        case "query":
            return msgspec.structs.replace(sent, query={**sent.query, member.name: _wire(value)})
        case "header":
            return msgspec.structs.replace(sent, headers={**sent.headers, member.name: str(value)})
        case "cookie":
            return msgspec.structs.replace(sent, cookies={**sent.cookies, member.name: _wire(value)})
        case "path":
            return msgspec.structs.replace(sent, path={**sent.path, member.name: repr(value)})
        case "body":
            return msgspec.structs.replace(sent, body=_placed(sent.body, member.path[1:], value))
    raise NoValueError(f"a request with another {member.place}")


def without(sent: Sent, member: Member) -> Sent:
    """The request without one member."""
    match member.location:
        case "query":
            return msgspec.structs.replace(
                sent, query={k: v for k, v in sent.query.items() if k != member.name}
            )
        case "header" if member.name not in sent.headers and is_unknown_credential(member):
            if sent.operation.fact.aspects.get("security"):
                raise NoValueError(f"credentials without {member.name}")
            return msgspec.structs.replace(
                sent, operation=msgspec.structs.replace(sent.operation, secured=False)
            )
        case "header":
            return msgspec.structs.replace(
                sent, headers={k: v for k, v in sent.headers.items() if k != member.name}
            )
        case "cookie":
            return msgspec.structs.replace(
                sent, cookies={k: v for k, v in sent.cookies.items() if k != member.name}
            )
        case "body":
            return msgspec.structs.replace(sent, body=_placed(sent.body, member.path[1:], _ABSENT))
    raise NoValueError(f"a request without {member.place}")


_ABSENT = object()


def _placed(body: Json, path: Sequence[str], value: Any) -> Json:
    if not path:
        return value
    name, *rest = path
    if name == ITEM:
        if not isinstance(body, list) or (rest and not body):
            raise NoValueError("an item of a list")
        return [_placed(body[0] if body else None, rest, value), *body[1:]]
    if not isinstance(body, dict) or (rest and name not in body):
        raise NoValueError(f"a body with {name}")
    if not rest and value is _ABSENT:
        return {key: each for key, each in body.items() if key != name}
    return {**body, name: _placed(body.get(name), rest, value)}


def _wire(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _url(path: str, values: Mapping[str, str]) -> str:
    """The path as a literal, or as an f-string whose parameters are expressions."""
    if not PARAMETER.search(path):
        return literal(path)
    filled = PARAMETER.sub(lambda match: "{" + values.get(match[1], "") + "}", _escaped(path))
    plain = {name: value for name, value in values.items() if _is_constant(value)}
    for value in plain.values():
        filled = filled.replace("{" + value + "}", value.strip("'\""))
    return f"f{_quoted(filled)}" if "{" in filled else literal(filled)


def _escaped(path: str) -> str:
    """The path without characters that would end a literal."""
    return path.replace("\\", "%5C").replace('"', "%22").replace("'", "%27")


def _is_constant(expression: str) -> bool:
    return bool(re.fullmatch(r"-?\d+(\.\d+)?|'[\w.@: -]*'", expression))


def _quoted(text: str) -> str:
    return "'" + text + "'" if '"' in text else '"' + text + '"'
