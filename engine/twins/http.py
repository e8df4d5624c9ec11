"""The HTTP twin: answers as the contract says, keeps what is created, and breaks one claim where it is told to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from crossval.compare.components import split_null
from engine.generators.schema_values import NoValueError, valid
from engine.twins.mutations import Mutation
from engine.twins.violations import Violation, violations
from graph.facts import Json
from planner.example_cases import example_of
from planner.operations import Answer, Member, Operation
from planner.promises import NEWEST_FIRST
from planner.resolving import EXAMPLE
from planner.resources import called, identities

_PARAMETER = re.compile(r"\{([^{}]+)\}")
_INVALID = ("422", "400")
_FORBIDDEN = ("401", "403")
_NOWHERE = frozenset({"999999999", "00000000-0000-4000-8000-000000000000", "no-such-thing"})
"""Names that no twin knows, also where nothing makes what a path names, so that all else is there."""
_IDENTITIES = ("id", "uuid", "slug", "name")


class Variant(msgspec.Struct, frozen=True):
    """What a spec leaves open, settled one way: where numbers start, fields and headers beside, words of errors."""

    name: str
    first: int = 1
    extra: bool = False
    optional: bool = True
    words: str = "something is wrong"


VARIANTS = (
    Variant("plain"),
    Variant("talkative", first=41, extra=True, words="That cannot be done: please look at the manual!"),
    Variant("terse", first=7, optional=False, words="no"),
)


class Headers(dict[str, str]):
    """Headers, whose names are found in whatever case; they are kept in lower case."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.lower())

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.lower())


class Reply(msgspec.Struct, frozen=True):
    """An answer as tests see it, whatever client they know: `json()` and `get_json()`, `text`, `content`, `data`."""

    status_code: int
    headers: Headers
    content: bytes

    @property
    def text(self) -> str:
        """The content as text."""
        return self.content.decode()

    @property
    def data(self) -> bytes:
        """The content as bytes."""
        return self.content

    def json(self) -> Any:
        """The content as JSON."""
        return json.loads(self.content)

    def get_json(self) -> Any:
        """The content as JSON, as Flask calls it."""
        return json.loads(self.content)


class Twin:
    """A system that keeps a contract, in memory; also the client that sends requests to it."""

    def __init__(
        self, operations: tuple[Operation, ...], variant: Variant, mutation: Mutation | None = None
    ) -> None:
        self._operations = operations
        self._variant = variant
        self._mutation = mutation
        self._things: dict[str, dict[str, dict[str, Any]]] = {}
        self._sent: dict[str, list[Any]] = {}
        self._next = variant.first

    def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        data: Any = None,
        files: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **_: Any,
    ) -> Reply:
        """The answer to one request."""
        parts = urlsplit(url)
        query = {**dict(parse_qsl(parts.query)), **{k: v for k, v in (params or {}).items() if v is not None}}
        path = "/" + parts.path.strip("/")
        for operation in self._operations:
            found = _match(operation, path)
            if found is not None and operation.method == method.upper():
                body = json if json is not None else data
                if files is not None:
                    body = {**(data or {}), **dict.fromkeys(files, "text")}
                return self._answered(
                    operation, path, found, query, body, {k.lower(): v for k, v in (headers or {}).items()}
                )
        known = any(_match(each, path) is not None for each in self._operations)
        return self._reply(405 if known else 404, {"detail": self._variant.words})

    def __getattr__(self, name: str) -> Any:
        if name not in ("get", "post", "put", "patch", "delete", "head", "options"):
            raise AttributeError(name)
        return lambda url, **given: self.request(name, url, **given)

    def _answered(
        self,
        operation: Operation,
        path: str,
        values: dict[str, str],
        query: dict[str, Any],
        body: Any,
        headers: dict[str, str],
    ) -> Reply:
        if (
            operation.secured
            and not self._is("auth", operation.key)
            and not headers.get("authorization")
            and not any(name in headers for name in ("x-api-key", "api-key", "cookie", "x-auth-token"))
        ):
            return self._error(operation, _FORBIDDEN)
        broken = [
            each
            for each in self._broken(operation, values, query, body, headers)
            if not self._lets(operation, each)
        ]
        if broken or self._is_stricter(operation, query, headers, body):
            return self._error(operation, _INVALID)
        return self._stateful(operation, path, values, query, body)

    def _broken(
        self,
        operation: Operation,
        values: dict[str, str],
        query: dict[str, Any],
        body: Any,
        headers: dict[str, str],
    ) -> Iterator[Violation]:
        cookies = dict(each.strip().partition("=")[::2] for each in headers.get("cookie", "").split(";"))
        given: dict[str, Mapping[str, Any]] = {
            "path": values,
            "query": query,
            "header": headers,
            "cookie": cookies,
        }
        for member in operation.parameters:
            source = given.get(member.location)
            if source is None:
                continue
            name = member.name.lower() if member.location == "header" else member.name
            if name not in source:
                if member.required and name not in ("authorization",):
                    yield Violation(member.place, "required")
                continue
            yield from violations(member.schema, _typed(member, source[name]), member.place)
        if operation.body is None:
            return
        if body is None:
            if operation.body.required:
                yield Violation("body", "required")
            return
        yield from violations(operation.body.schema, body, "body")

    def _lets(self, operation: Operation, broken: Violation) -> bool:
        """Whether the mutation is that this statement is not enforced."""
        told = self._mutation
        return (
            told is not None
            and told.kind == "unenforced"
            and told.operation == operation.key
            and broken.place.startswith(told.place)
            and (told.keyword in (broken.keyword, "*"))
        )

    def _is_stricter(
        self, operation: Operation, query: dict[str, Any], headers: dict[str, str], body: Any
    ) -> bool:
        """Whether the mutation is a bound that is off by one, and the request stands on it."""
        told = self._mutation
        if told is None or told.kind not in ("stricter", "demands") or told.operation != operation.key:
            return False
        for member in operation.members():
            if member.place == told.place:
                value = _found(member, query, headers, body)
                if told.kind == "demands" or value is None:
                    return value is None and told.kind == "demands"
                size = len(value) if isinstance(value, str | list) else value
                return bool(size == told.value)
        return False

    def _is(self, kind: str, operation: str) -> bool:
        return (
            self._mutation is not None
            and self._mutation.kind == kind
            and self._mutation.operation == operation
        )

    def _stateful(
        self, operation: Operation, path: str, values: dict[str, str], query: dict[str, Any], body: Any
    ) -> Reply:
        answer = operation.success
        if answer is None:
            return self._reply(200, {})
        shown = example_of(operation, body)
        if shown is not None and not shown[0].is_success and not self._is("unenforced", operation.key):
            return self._error(operation, (shown[0].status,))
        if shown is not None and shown[0].is_success and answer.schema is not None:
            answer = msgspec.structs.replace(answer, schema={**answer.schema, EXAMPLE: shown[1]})
        owner = self._missing_owner(operation, values)
        if owner:
            return self._error(operation, ("404", "410"))
        last = operation.path.rstrip("/").rpartition("/")[2]
        collection = path.rpartition("/")[0] if last.startswith("{") else path
        if last.startswith("{") and self._makes(collection, operation):
            return self._on_thing(operation, answer, collection, unquote(path.rpartition("/")[2]), body)
        if operation.method == "POST":
            return self._on_post(operation, answer, path, body)
        if operation.method == "GET" and self._is_list(answer):
            return self._on_list(operation, answer, path, query)
        return self._success(operation, answer, self._made(answer, body if isinstance(body, dict) else {}))

    def _missing_owner(self, operation: Operation, values: dict[str, str]) -> bool:
        """Whether a path goes through something that does not exist, and the contract says how that is answered."""
        if not any(answer.status in ("404", "410") for answer in operation.answers):
            return False
        walked = ""
        *before, last = operation.path.strip("/").split("/")
        if last.startswith("{") and values.get(last.strip("{}"), "") in _NOWHERE:
            return True
        for part in before:
            if part.startswith("{") and self._makes(walked, operation):
                if values.get(part.strip("{}"), "") not in self._things.get(walked, {}):
                    return True
                walked += f"/{values[part.strip('{}')]}"
            else:
                walked += f"/{values.get(part.strip('{}'), part)}"
        return False

    def _makes(self, collection: str, operation: Operation) -> bool:
        """Whether some operation makes things below this collection, so that what is not made does not exist."""
        return any(
            each.method == "POST" and _match(each, collection) is not None for each in self._operations
        )

    def _on_thing(self, operation: Operation, answer: Answer, collection: str, key: str, body: Any) -> Reply:
        things = self._things.get(collection, {})
        if key not in things:
            return self._error(operation, ("404", "410"))
        if operation.method == "DELETE":
            if not self._is("forgetful", operation.key):
                del things[key]
            return self._success(operation, answer, self._made(answer, things.get(key, {})))
        if operation.method in ("PUT", "PATCH") and isinstance(body, dict):
            changed = {**things[key], **body}
            if not self._is("forgetful", operation.key):
                things[key] = changed
            return self._success(operation, answer, self._made(answer, changed))
        if operation.method == "POST":
            return self._on_post(operation, answer, f"{collection}/{key}", body)
        if self._is("forgetful", operation.key):
            return self._error(operation, ("404", "410"))
        return self._success(operation, answer, self._made(answer, things[key]))

    def _on_post(self, operation: Operation, answer: Answer, path: str, body: Any) -> Reply:
        sent = self._sent.setdefault(path, [])
        if body in sent and any(each.status == "409" for each in operation.answers):
            return self._error(operation, ("409",))
        sent.append(body)
        given = dict(body) if isinstance(body, dict) else {}
        for name, each in (operation.body.schema.get("properties", {}) if operation.body else {}).items():
            if name not in given and "default" in each:
                given[name] = self._default(operation, name, each)
        thing = self._made(answer, given)
        key = self._key(path, answer, thing)
        if key is not None:
            schema = (answer.schema or {}).get("properties", {}).get(key, {})
            if key not in given:
                thing[key] = self._identity(schema)
            if not self._is("forgetful", operation.key):
                self._things.setdefault(path, {})[str(thing[key])] = thing
        return self._success(operation, answer, thing)

    def _default(self, operation: Operation, name: str, schema: dict[str, Json]) -> Json:
        told = self._mutation
        if (
            told is not None
            and told.kind == "default"
            and told.operation == operation.key
            and told.place == f"body.{name}"
        ):
            return told.value
        return schema["default"]

    def _key(self, path: str, answer: Answer, thing: Any) -> str | None:
        """The field that identifies a made thing, also where the contract lets an answer leave it out."""
        if not isinstance(thing, dict):
            return None
        shown = split_null(answer.schema or {})[0].get("properties", {})
        return next(self._identities(path, {**shown, **thing}), None)

    def _identities(self, path: str, thing: Any) -> Iterator[str]:
        """The fields of a made thing that may identify it: those that a path names, then the usual ones."""
        if not isinstance(thing, dict):
            return
        for operation in self._operations:
            rest = operation.path.rpartition("/")
            if rest[2].startswith("{") and _match_text(rest[0], path) is not None:
                name = rest[2].strip("{}")
                yield from (each for each in identities(name, called(rest[0])) if each in thing)
        yield from (each for each in _IDENTITIES[:3] if each in thing)

    def _identity(self, schema: dict[str, Json]) -> Json:
        plain, _ = split_null(schema)
        self._next += 1
        if plain.get("format") == "uuid":
            return f"3f2b8c1e-9d4a-4e6b-8a7c-{self._next:012d}"
        return self._next - 1 if plain.get("type") in ("integer", "number") else f"thing-{self._next - 1}"

    def _on_list(self, operation: Operation, answer: Answer, path: str, query: dict[str, Any]) -> Reply:
        things = list(self._things.get(path, {}).values())
        if self._is("forgetful", operation.key):
            things = []
        if ((answer.schema or {}).get(NEWEST_FIRST) is True) is not self._is("reversed", operation.key):
            things.reverse()
        for member in operation.parameters if not self._is("unfiltered", operation.key) else ():
            if (
                member.location == "query"
                and member.name in query
                and any(member.name in each for each in things)
            ):
                wanted = _typed(member, query[member.name])
                things = [each for each in things if each.get(member.name) == wanted]
        if not things and not self._fills(path):
            return self._success(operation, answer, self._with_one(answer))
        if "limit" in query:
            things = things[int(query.get("offset", 0)) :][: int(query["limit"])]
        schema = split_null(answer.schema or {})[0]
        if schema.get("type") == "array":
            items = schema.get("items", {})
            return self._success(operation, answer, [self._shaped(items, each) for each in things])
        whole = self._made(answer, {})
        for name, each in schema.get("properties", {}).items():
            if split_null(each)[0].get("type") == "array":
                whole[name] = [self._shaped(split_null(each)[0].get("items", {}), thing) for thing in things]
                break
        return self._success(operation, answer, whole)

    def _fills(self, path: str) -> bool:
        """Whether some operation makes things for this list, so that it is empty until one is made."""
        return any(
            each.method == "POST"
            and _match(each, path) is not None
            and each.success is not None
            and self._key(path, each.success, self._made(each.success, {})) is not None
            for each in self._operations
        )

    def _with_one(self, answer: Answer) -> Any:
        """A list that nothing fills, with one item, so that it can be seen how items are; empty in one variant."""
        whole = self._made(answer, {})
        schema = split_null(answer.schema or {})[0]
        if not self._variant.optional:
            return [] if isinstance(whole, list) and "minItems" not in schema else whole
        if isinstance(whole, list):
            return whole or [self._shaped(schema.get("items", {}), {})]
        for name, each in schema.get("properties", {}).items():
            plain = split_null(each)[0]
            if plain.get("type") == "array" and isinstance(whole, dict):
                whole[name] = whole.get(name) or [self._shaped(plain.get("items", {}), {})]
                break
        return whole

    def _is_list(self, answer: Answer) -> bool:
        schema = split_null(answer.schema or {})[0]
        return schema.get("type") == "array" or any(
            split_null(each)[0].get("type") == "array" for each in schema.get("properties", {}).values()
        )

    def _made(self, answer: Answer, given: dict[str, Any]) -> Any:
        return self._shaped(answer.schema, given) if answer.schema is not None else None

    def _shaped(self, schema: dict[str, Json], given: Any) -> Any:
        """A value of this schema with what was given where it has such fields."""
        plain, _ = split_null(schema)
        try:
            value = valid(schema, whole=self._variant.optional)
        except NoValueError:
            return given
        if isinstance(value, dict) and isinstance(given, dict):
            for name, each in plain.get("properties", {}).items():
                if each.get("readOnly") is True and name in plain.get("required", ()):
                    value[name] = self._shaped({**each, "readOnly": False}, {})
                if name in given:
                    value[name] = given[name]
                elif split_null(each)[1] and name not in given:
                    value[name] = None if name in value else value.get(name)
            if not self._variant.optional:
                value = {k: v for k, v in value.items() if k in plain.get("required", ()) or k in given}
            if self._variant.extra and plain.get("additionalProperties") is not False:
                value["beside"] = "more"
        return value

    def _success(self, operation: Operation, answer: Answer, value: Any) -> Reply:
        return self._told(operation, answer, value)

    def _error(self, operation: Operation, statuses: tuple[str, ...]) -> Reply:
        for status in statuses:
            for answer in operation.answers:
                if answer.status == status:
                    return self._told(operation, answer, self._made(answer, {}))
        return self._reply(int(statuses[0]), {"detail": self._variant.words})

    def _told(self, operation: Operation, answer: Answer, value: Any) -> Reply:
        told = self._mutation
        status = int(answer.status) if answer.status.isdigit() else 200
        if told is not None and told.fact == answer.fact:
            if told.kind == "status":
                status = int(told.value)
            elif told.kind in ("field-removed", "field-changed", "field-other"):
                value = told.damaged(value)
        return self._reply(status, value, answer)

    def _reply(self, status: int, value: Any, answer: Answer | None = None) -> Reply:
        headers = {"content-type": "application/json"}
        if answer is not None and answer.schema is None and answer.media_type:
            headers["content-type"] = answer.media_type
        for name, header in (answer.headers if answer is not None else {}).items():
            if header.get("required") is True or self._variant.optional:
                headers[name] = str(_header(header))
        if self._variant.extra:
            headers["x-beside"] = "more"
        content = b"" if value is None or status == 204 else json.dumps(value).encode()
        return Reply(status, Headers(headers), content)


def _header(header: dict[str, Json]) -> Json:
    try:
        return valid(header.get("schema") or {}, str(header.get("name")))
    except NoValueError:
        return "text"


def _match(operation: Operation, path: str) -> dict[str, str] | None:
    return _match_text(operation.path, path)


def _match_text(template: str, path: str) -> dict[str, str] | None:
    ours, theirs = template.strip("/").split("/"), path.strip("/").split("/")
    if len(ours) != len(theirs):
        return None
    values = {}
    for one, other in zip(ours, theirs, strict=True):
        if one.startswith("{"):
            values[one.strip("{}")] = unquote(other)
        elif one != other:
            return None
    return values


def _typed(member: Member, value: Any) -> Any:
    """A value from the path or the query as its schema's type, where it can be read as one."""
    plain, _ = split_null(member.schema)
    kind = plain.get("type")
    if kind == "array" and not isinstance(value, list):
        return [value]
    if not isinstance(value, str):
        return value
    if kind in ("integer", "number"):
        try:
            return int(value) if kind == "integer" else float(value)
        except ValueError:
            return value
    if kind == "boolean":
        return {"true": True, "false": False}.get(value.lower(), value)
    return value


def _found(member: Member, query: dict[str, Any], headers: dict[str, str], body: Any) -> Any:
    """What a request has for a member; None where it has nothing."""
    if member.location != "body":
        source = query if member.location == "query" else headers
        name = member.name if member.location == "query" else member.name.lower()
        return _typed(member, source[name]) if name in source else None
    value = body
    for name in member.path[1:]:
        if name == "[]":
            value = value[0] if isinstance(value, list) and value else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value
