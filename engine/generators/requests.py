"""Requests as lines of a test: what must exist first, what is sent, and how a path is filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.generators.schema_values import NoValueError, valid
from engine.generators.source import literal, long_text, name_of
from graph.facts import Json
from planner.operations import Member, Operation

_PARAMETER = re.compile(r"\{([^{}]+)\}")
_NOWHERE = {"integer": 999_999_999, "uuid": "00000000-0000-4000-8000-000000000000", "string": "no-such-thing"}
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class Sent(msgspec.Struct, frozen=True):
    """A request that a test sends: the operation, where path parameters come from (as expressions), and its values."""

    operation: Operation
    path: Mapping[str, str]
    query: Mapping[str, Json]
    headers: Mapping[str, Json]
    body: Json = None

    def call(self) -> str:
        """The expression that sends it."""
        words = [_url(self.operation.path, self.path)]
        if self.query:
            words.append(f"params={long_text(dict(self.query))}")
        if self.operation.body is not None and self.body is not None:
            keyword = "data" if self.operation.body.media_type in _FORMS else "json"
            words.append(f"{keyword}={long_text(self.body)}")
        if self.operation.secured:
            words.append(
                f"headers={{**auth, {literal(dict(self.headers))[1:]}" if self.headers else "headers=auth"
            )
        elif self.headers:
            words.append(f"headers={literal(dict(self.headers))}")
        return f"client.{self.operation.method.lower()}({', '.join(words)})"


class Scene(msgspec.Struct, frozen=True):
    """What a test arranges: the lines that make what must exist, and the expressions that fill the path's parameters.

    `cites` are the facts that the lines rest on; `created` is the name of the first thing that was made, if any.
    """

    lines: tuple[str, ...] = ()
    path: Mapping[str, str] = {}
    cites: tuple[str, ...] = ()
    created: str = ""
    sent: Json = None


class Stage:
    """Knows all operations of a contract, and so how to make what a request needs."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = {operation.key: operation for operation in operations}

    def scene(self, operation: Operation, *, depth: int = 3) -> Scene:
        """What must exist before an operation can succeed. Raises NoValueError where no operation makes it."""
        lines: list[str] = []
        path: dict[str, str] = {}
        cites: list[str] = []
        created, sent = "", None
        for name in _PARAMETER.findall(operation.path):
            member = _path_member(operation, name)
            if member is not None and "example" in member.schema:
                path[name] = repr(member.schema["example"])
                continue
            maker, key = self._maker(operation.path, name)
            if depth == 0:
                raise NoValueError(f"an existing {name}")
            inner = self.scene(maker, depth=depth - 1)
            thing = _thing(maker.path)
            request = self.request(maker, {**inner.path, **path})
            lines += [*inner.lines, f"{thing} = {request.call()}.json()"]
            path[name] = f'{thing}["{key}"]'
            cites += [*inner.cites, maker.success.fact if maker.success else maker.fact.id]
            created, sent = thing, request.body
        return Scene(tuple(dict.fromkeys(lines)), path, tuple(dict.fromkeys(cites)), created, sent)

    def peopled(self, operation: Operation) -> Scene:
        """The scene of an operation; before a list is read, something is put into it where an operation does so."""
        scene = self.scene(operation)
        maker = self.operations.get(f"POST {operation.path}")
        if operation.method != "GET" or maker is None or maker.success is None or not self._lists(operation):
            return scene
        try:
            made = f"{_thing(operation.path)} = {self.request(maker, scene.path).call()}"
        except NoValueError:
            return scene
        control = f"assert {_thing(operation.path)}.status_code == {maker.success.status}"
        cites = (*scene.cites, maker.success.fact)
        return msgspec.structs.replace(scene, lines=(*scene.lines, made, control), cites=cites)

    @staticmethod
    def _lists(operation: Operation) -> bool:
        schema = operation.success.schema if operation.success else None
        return schema is not None and schema.get("type") == "array"

    def request(self, operation: Operation, path: Mapping[str, str]) -> Sent:
        """The smallest valid request. Raises NoValueError where a value cannot be made."""
        query = {
            m.name: valid(m.schema, m.name)
            for m in operation.parameters
            if m.location == "query" and m.required
        }
        headers = {
            m.name: str(valid(m.schema, m.name))
            for m in operation.parameters
            if m.location == "header" and m.required and m.name.lower() != "authorization"
        }
        body = None
        if operation.body is not None:
            media_type = operation.body.media_type
            if "json" not in media_type and media_type not in _FORMS[:1]:
                raise NoValueError(f"a body of {media_type}")
            example = operation.body.schema.get("example")
            body = example if example is not None else valid(operation.body.schema, "body")
        return Sent(operation, path, query, headers, body)

    def nowhere(self, operation: Operation, scene: Scene) -> dict[str, str]:
        """The path's parameters with the last one naming nothing that exists. Raises NoValueError where none can be."""
        names = _PARAMETER.findall(operation.path)
        if not names:
            raise NoValueError("a path that can name something that does not exist")
        member = _path_member(operation, names[-1])
        schema = member.schema if member else {}
        kind = "uuid" if schema.get("format") == "uuid" else schema.get("type", "string")
        if kind not in _NOWHERE or "enum" in schema or "pattern" in schema:
            raise NoValueError(f"a {names[-1]} that does not exist")
        missing = _NOWHERE[kind]
        if isinstance(missing, int) and "maximum" in schema:
            raise NoValueError(f"a {names[-1]} that does not exist and is at most {schema['maximum']}")
        return {**scene.path, names[-1]: repr(missing)}

    def _maker(self, path: str, name: str) -> tuple[Operation, str]:
        """The operation that makes what a path's parameter names, and the field of its answer that identifies it."""
        prefix = path[: path.index(f"/{{{name}}}")] or "/"
        for maker in self.operations.values():
            if (
                maker.method != "POST"
                or maker.path.rstrip("/") != prefix.rstrip("/")
                or maker.success is None
            ):
                continue
            properties = (maker.success.schema or {}).get("properties", {})
            for key in dict.fromkeys((name, "id", name.rpartition("_")[2], "uuid", "slug", "name")):
                if key in properties and re.fullmatch(r"\w+", key):
                    return maker, key
        raise NoValueError(f"an existing {name}: no operation makes one")


def with_value(sent: Sent, member: Member, value: Any) -> Sent:
    """The request with another value for one member. Raises NoValueError where it cannot be put there."""
    match member.location:
        case "query":
            return msgspec.structs.replace(sent, query={**sent.query, member.name: _wire(value)})
        case "header":
            return msgspec.structs.replace(sent, headers={**sent.headers, member.name: str(value)})
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
        case "header":
            return msgspec.structs.replace(
                sent, headers={k: v for k, v in sent.headers.items() if k != member.name}
            )
        case "body":
            return msgspec.structs.replace(sent, body=_placed(sent.body, member.path[1:], _ABSENT))
    raise NoValueError(f"a request without {member.place}")


_ABSENT = object()


def _placed(body: Json, path: Sequence[str], value: Any) -> Json:
    if not path:
        return value
    name, *rest = path
    if name == "[]":
        if not isinstance(body, list) or not body:
            raise NoValueError("an item of a list")
        return [_placed(body[0], rest, value), *body[1:]]
    if not isinstance(body, dict) or (rest and name not in body):
        raise NoValueError(f"a body with {name}")
    if not rest and value is _ABSENT:
        return {key: each for key, each in body.items() if key != name}
    return {**body, name: _placed(body.get(name), rest, value)}


def _wire(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _path_member(operation: Operation, name: str) -> Member | None:
    return next((m for m in operation.parameters if m.location == "path" and m.name == name), None)


def _url(path: str, values: Mapping[str, str]) -> str:
    """The path as a literal, or as an f-string whose parameters are expressions."""
    if not _PARAMETER.search(path):
        return literal(path)
    filled = _PARAMETER.sub(lambda match: "{" + values.get(match[1], "") + "}", _escaped(path))
    plain = {name: value for name, value in values.items() if _is_constant(value)}
    for value in plain.values():
        filled = filled.replace("{" + value + "}", value.strip("'\""))
    return f"f{_quoted(filled)}" if "{" in filled else literal(filled)


def _escaped(path: str) -> str:
    """The path without characters that would end a literal."""
    return path.replace("\\", "%5C").replace('"', "%22").replace("'", "%27")


def _is_constant(expression: str) -> bool:
    return bool(re.fullmatch(r"-?\d+(\.\d+)?|'[\w.@:-]*'", expression))


def _quoted(text: str) -> str:
    return "'" + text + "'" if '"' in text else '"' + text + '"'


def _thing(path: str) -> str:
    """A name for what a collection's path makes: `todo` for `/todos`."""
    words = [part for part in path.strip("/").split("/") if part and not part.startswith("{")]
    return name_of(_singular(words[-1] if words else "thing"))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
