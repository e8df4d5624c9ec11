"""The HTTP twin: answers as the contract says, keeps what is created, and breaks one claim where it is told to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import msgspec

from crossval.compare.components import split_null
from engine.twins.accounts import Accounts
from engine.twins.asked import Asked, typed_form
from engine.twins.lists import is_listed, narrowed, part_of, sorted_as_asked
from engine.twins.mutation import Mutation
from engine.twins.replies import Headers, Reply, Variant
from engine.twins.script import Script
from engine.twins.shaping import Shaper, is_list
from engine.twins.strangers import is_of_stranger, refused_to_caller
from engine.twins.telling import default_of, told_of
from engine.twins.things import Things
from planner.contracts.changing import changes_parts
from planner.contracts.envelopes import unwrapped
from planner.contracts.example_cases import example_of
from planner.contracts.joining import joiner_of, put_by_caller
from planner.contracts.lists import total_header_of, total_of
from planner.contracts.operations import Answer, Operation, State
from planner.contracts.paths import PARAMETER, matched, operation_of
from planner.contracts.resolving import EXAMPLE
from planner.contracts.spelled_paths import plainly
from planner.contracts.states import tells_of_twice, told_unique
from planner.stories.exchanges import Exchange
from planner.stories.promises import NEWEST_FIRST, SORTED_BY

_INVALID = ("422", "400")
_FORBIDDEN = ("401", "403")
_LACKING = ("404", "410")


class Twin:
    """A system that keeps a contract, in memory; also the client that sends requests to it."""

    def __init__(
        self,
        operations: tuple[Operation, ...],
        variant: Variant,
        mutation: Mutation | None = None,
        exchanges: tuple[Exchange, ...] = (),
    ) -> None:
        self._served, self._operations = operations, plainly(operations)
        self._variant = variant
        self._mutation = mutation
        self._things = Things(self._operations, variant.first)
        self._shaper = Shaper(variant)
        self._script = Script(exchanges, mutation)
        self._accounts = Accounts()

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
        operation = operation_of(method.upper(), path, self._served)
        if operation is None:
            known = any(matched(each.path, path) is not None for each in self._served)
            return self._reply(405 if known else 404, {"detail": self._variant.words})
        body = json if json is not None else typed_form(operation, data)
        if files is not None:
            body = {**(data or {}), **dict.fromkeys(files, "text")}
        told = {name.lower(): value for name, value in (headers or {}).items()}
        follows = self._script.follows(operation.method, path, query, body, told)
        values = matched(operation.path, path) or {}
        operation = next(each for each in self._operations if each.key == operation.key)
        whole = PARAMETER.sub(lambda match: quote(values.get(match[1], ""), safe=""), operation.path)
        own = path if whole.count("/") == path.count("/") else whole
        reply = self._answered(operation, Asked("/" + own.strip("/"), values, query, body, told))
        return self._script.answered(reply) if follows else reply

    def __getattr__(self, name: str) -> Any:
        if name not in ("get", "post", "put", "patch", "delete", "head", "options"):
            raise AttributeError(name)
        return lambda url, **given: self.request(name, url, **given)

    def _answered(self, operation: Operation, asked: Asked) -> Reply:
        is_let_in = asked.has_credentials and (not asked.is_of_nobody or self._is("unasked", operation))
        if operation.secured and not self._is("auth", operation) and not is_let_in:
            return self._error(operation, _FORBIDDEN)
        broken = [
            each
            for each in asked.broken(operation)
            if not asked.is_let_through(operation, each, self._mutation)
        ]
        if broken or asked.stands_on(operation, self._mutation):
            return self._error(operation, _INVALID)
        forbidden = self._forbidden(operation, asked)
        if forbidden is not None and not self._is("auth", operation):
            return self._error(operation, (forbidden,))
        refused = None if self._is("unrefused", operation) else self._things.refusal(operation, asked)
        if refused is not None:
            return self._error(operation, (refused.status or "409",))
        lets_through = self._is("unrefused", operation) or self._is("auth", operation)
        barred = None if lets_through else self._things.barred(operation, asked)
        if barred is not None:
            return self._error(operation, (barred,))
        # One that takes what its schema refuses has nothing that it could compare with what an account has.
        lets_all_in = self._is("auth", operation) or self._is("unenforced", operation)
        if self._accounts.refuses(operation, asked.body) and not lets_all_in:
            documented = {each.status for each in operation.answers}
            return self._error(operation, _FORBIDDEN if documented & {*_FORBIDDEN} else _INVALID[1:])
        self._accounts.note(operation, asked.body)
        with self._things.made_by(is_of_stranger(asked)):
            reply = self._stateful(operation, asked)
        if reply.status_code < 300 and not self._is("unmoved", operation):
            self._things.move(operation, asked)
        return reply

    def _forbidden(self, operation: Operation, asked: Asked) -> str | None:
        """The status with which the thing that a path names last is refused to who asks; None where it is not."""
        if not operation.secured or not self._things.is_kept(operation, asked):
            return None
        is_own = self._things.is_own(operation, asked, is_of_stranger(asked))
        return refused_to_caller(operation, self._operations, is_own=is_own)

    def _is(self, kind: str, operation: Operation) -> bool:
        """Whether the mutation is of this kind and about this operation."""
        told = self._mutation
        return told is not None and told.kind == kind and told.operation == operation.key

    def _stateful(self, operation: Operation, asked: Asked) -> Reply:
        answer, body, path = operation.success, asked.body, asked.path
        if answer is None and operation.method != "DELETE":
            return self._reply(200, {})
        if answer is None:
            answer = Answer("204", None, "", operation.fact.id)
        example = example_of(operation, body)
        if example is not None and not example[0].is_success and not self._is("unenforced", operation):
            return self._error(operation, (example[0].status,))
        if example is not None and example[0].is_success and answer.schema is not None:
            answer = msgspec.structs.replace(answer, schema={**answer.schema, EXAMPLE: example[1]})
        if self._things.lacks_owner(operation, dict(asked.values)):
            return self._error(operation, _LACKING)
        last = operation.path.rstrip("/").rpartition("/")[2]
        collection = path.rpartition("/")[0] if last.startswith("{") else path
        if operation.brings is not None:
            return self._on_act(operation, answer, operation.brings, asked)
        if (joiner := joiner_of(operation.path, self._operations)) is not None:
            return self._on_joined(operation, answer, joiner, asked)
        if put_by_caller(operation, self._operations) is not None:
            above = path.rpartition("/")[0]
            own = next(reversed(self._things.below(above)), "")
            return self._on_thing(operation, answer, above, own, asked)
        if last.startswith("{") and self._things.makes(collection):
            return self._on_thing(operation, answer, collection, unquote(path.rpartition("/")[2]), asked)
        if operation.method == "POST":
            return self._on_post(operation, answer, path, asked)
        if operation.method == "GET" and is_list(answer) and not self._things.at(path):
            return self._on_list(operation, answer, asked)
        given, kept = self._given(operation, body), self._things.at(path)
        if operation.method in ("PUT", "PATCH") and not self._is("forgetful", operation):
            kept.update(given)
        shown = kept if operation.method == "GET" and not self._is("forgetful", operation) else given
        return self._told(answer, self._made(operation, answer, asked, shown))

    def _made(self, operation: Operation, answer: Answer, asked: Asked, given: dict[str, Any]) -> Any:
        """What an answer holds; where its shape is left open, all that was asked and what is kept."""
        if self._is("silent", operation):
            return None
        if answer.media_type.startswith("text/") and answer.schema is None:
            return self._variant.words
        if not answer.is_open:
            return self._shaper.made(answer, given)
        return self._shaper.open(answer, told_of(operation, asked, given, self._mutation))

    def _on_thing(
        self, operation: Operation, answer: Answer, collection: str, key: str, asked: Asked
    ) -> Reply:
        things, body = self._things.below(collection), asked.body
        if key not in things:
            key = next((each for each, thing in things.items() if thing.get("slug") == key), key)
        is_new = key not in things
        if is_new and operation.method == "PUT" and self._things.is_named_by_clients(collection):
            given = self._given(operation, body)
            self._things.put(collection, key, answer, given)
            shown = self._made(operation, answer, asked, things[key])
            if self._is("forgetful", operation):
                del things[key]
            first = next((each for each in operation.answers if each.status == "201"), answer)
            return self._told(first, shown)
        if is_new:
            return self._error(operation, _LACKING)
        if operation.method == "DELETE":
            if not self._is("forgetful", operation):
                self._things.remove(things[key])
            return self._told(answer, self._made(operation, answer, asked, things.get(key, {})))
        if self._changes(operation) and isinstance(body, dict):
            changed = {**things[key], **self._given(operation, body)}
            if not self._is("forgetful", operation):
                things[key].update(changed)
            return self._told(answer, self._made(operation, answer, asked, changed))
        if operation.method == "POST":
            return self._on_post(operation, answer, f"{collection}/{key}", asked)
        if self._is("forgetful", operation):
            return self._error(operation, _LACKING)
        return self._told(answer, self._made(operation, answer, asked, things[key]))

    def _on_act(self, operation: Operation, answer: Answer, brings: State, asked: Asked) -> Reply:
        """What is answered of a thing that was brought into another state; one that stands so may be in conflict."""
        thing = self._things.named_last(operation, asked)
        if not thing and operation.method == "DELETE":
            return self._error(operation, _LACKING)
        is_told = bool(operation.refuses) or all(each.status != "409" for each in operation.answers)
        if thing.get(brings.field) == brings.value and not is_told:
            return self._error(operation, ("409",))
        changed = {
            **thing,
            **self._given(operation, asked.body),
            brings.field: brings.value,
            **operation.leaves,
        }
        if not self._is("forgetful", operation):
            thing.update(changed)
        return self._told(answer, self._made(operation, answer, asked, changed))

    def _on_joined(self, operation: Operation, answer: Answer, joiner: Operation, asked: Asked) -> Reply:
        """What is answered of something that was put into a thing, under its own name."""
        collection, _, key = asked.path.rpartition("/")
        things, key = self._things.below(collection), unquote(key)
        if operation.method == joiner.method:
            given = self._given(operation, asked.body)
            if not self._is("forgetful", operation):
                things[key] = given
            return self._told(answer, self._made(operation, answer, asked, given))
        is_forgotten = operation.method != "DELETE" and self._is("forgetful", operation)
        if key not in things or is_forgotten:
            return self._error(operation, _LACKING)
        if operation.method == "DELETE" and not self._is("forgetful", operation):
            return self._told(answer, self._made(operation, answer, asked, things.pop(key)))
        return self._told(answer, self._made(operation, answer, asked, things[key]))

    def _changes(self, operation: Operation) -> bool:
        return operation.method == "PUT" or changes_parts(operation, self._operations)

    def _has_same(self, operation: Operation, path: str, body: Any) -> bool:
        """Whether a thing is kept that has what no two have in common, by the words of the conflict."""
        kept = self._things.below(path).values()
        name = told_unique(operation) if kept and isinstance(body, dict) else ""
        told = body.get(name) if name else None
        if isinstance(told, str) and self._is("cased", operation):
            return any(each.get(name) == told for each in kept)
        return told is not None and any(_folded(each.get(name)) == _folded(told) for each in kept)

    def _on_post(self, operation: Operation, answer: Answer, path: str, asked: Asked) -> Reply:
        body = asked.body
        again = next((each.status for each in operation.answers if _is_of_twice(each)), "")
        is_there = self._things.was_sent(path, body) or self._has_same(operation, path, body)
        if is_there and again:
            return self._error(operation, (again,))
        given = self._given(operation, body)
        whole = dict(given) if answer.is_open else self._shaper.made(answer, given)
        place, schema = unwrapped(answer.schema)
        thing = whole[place] if place and isinstance(whole, dict) else whole
        named = self._script.named() if answer.is_open else []
        if not named and operation.key in self._things.hidden:
            self._keep_hidden(operation, path, given)
            return self._told(
                answer, whole if not answer.is_open else self._made(operation, answer, asked, thing)
            )
        key = named[0] if named else self._things.key(path, answer, thing)
        if key is not None:
            if key not in given:
                thing[key] = self._things.identity(schema.get("properties", {}).get(key, {}))
            if not self._is("forgetful", operation):
                self._things.keep(operation, path, str(thing[key]), {**given, **thing})
        elif (name := self._things.chosen(path, given)) and not self._is("forgetful", operation):
            self._things.keep(operation, path, name, given)
        elif isinstance(thing, dict) and not self._is("forgetful", operation):
            self._things.keep(operation, path, f"number {len(self._things.below(path))}", {**given, **thing})
        if not answer.is_open:
            return self._told(answer, whole)
        made = self._made(operation, answer, asked, thing)
        return self._told(answer, {**(made if isinstance(made, dict) else {}), **thing} if named else made)

    def _keep_hidden(self, operation: Operation, path: str, given: dict[str, Any]) -> None:
        """Keep what was made, with what only its list shows of it."""
        key, schema = self._things.hidden[operation.key]
        if not self._is("forgetful", operation):
            identity = self._things.identity(schema)
            self._things.keep(operation, path, str(identity), {**given, key: identity})

    def _given(self, operation: Operation, body: Any) -> dict[str, Any]:
        """What a request gives, with the defaults of what it leaves out; a PATCH leaves alone what it does not give."""
        given = dict(body) if isinstance(body, dict) else {}
        fields = operation.body.schema.get("properties", {}) if operation.body is not None else {}
        for name, each in fields.items() if not changes_parts(operation, self._operations) else ():
            if name not in given and "default" in each:
                given[name] = default_of(operation, f"body.{name}", each, self._mutation)
        return given

    def _on_list(self, operation: Operation, answer: Answer, asked: Asked) -> Reply:
        path, query = asked.path, asked.query
        things = list(self._things.below(path).values())
        is_hidden = is_of_stranger(asked) and operation.secured and not self._is("auth", operation)
        is_hidden = is_hidden and not self._things.is_own(operation, asked, True)
        if self._is("forgetful", operation) or is_hidden:
            things = []
        told = answer.schema or {}
        if SORTED_BY in told:
            things.sort(key=lambda each: each.get(told[SORTED_BY], ""))
        if (told.get(NEWEST_FIRST) is True) is not self._is("reversed", operation):
            things.reverse()
        if not self._is("unsorted", operation):
            things = sorted_as_asked(operation, things, query)
        if not self._is("unfiltered", operation):
            things = [each for each in things if is_listed(operation, each)]
            things = narrowed(operation, things, query, self._made_of(path))
        if not things and not self._fills(path):
            return self._told(answer, self._shaper.with_one(answer))
        listed = self._shaper.listing(answer, part_of(operation, things, query, self._mutation))
        total = total_of(operation)
        reply = self._told(answer, {**listed, total: len(things)} if total is not None else listed)
        if (header := total_header_of(operation)) is not None:
            reply.headers[header.lower()] = str(len(things))
        return reply

    def _made_of(self, path: str) -> dict[str, Any]:
        """The fields that the things of a list are made of."""
        for each in self._operations:
            if each.method == "POST" and matched(each.path, path) is not None and each.body is not None:
                fields = split_null(each.body.schema)[0].get("properties", {})
                return fields if isinstance(fields, dict) else {}
        return {}

    def _fills(self, path: str) -> bool:
        """Whether some operation makes things for this list, so that it is empty until one is made."""
        return any(
            each.method == "POST"
            and matched(each.path, path) is not None
            and each.success is not None
            and (each.key in self._things.hidden or isinstance(self._shaper.made(each.success, {}), dict))
            for each in self._operations
        )

    def _error(self, operation: Operation, statuses: tuple[str, ...]) -> Reply:
        for status in statuses:
            for answer in operation.answers:
                if answer.status == status:
                    return self._told(answer, self._shaper.made(answer, {}))
        return self._reply(int(statuses[0]), {"detail": self._variant.words})

    def _told(self, answer: Answer, value: Any) -> Reply:
        """A documented answer, damaged where the mutation is about it."""
        told = self._mutation
        status = int(answer.status) if answer.status.isdigit() else 200
        if told is not None and told.fact == answer.fact:
            if told.kind == "status":
                status = int(told.value)
            elif told.kind in ("field-removed", "field-changed", "field-other", "field-null"):
                value = told.damaged(value)
            elif told.kind == "leaky" and isinstance(value, dict):
                value = {**value, told.place: "told"}
        return self._reply(status, value, answer)

    def _reply(self, status: int, value: Any, answer: Answer | None = None) -> Reply:
        headers = {"content-type": "application/json"}
        if answer is not None:
            if answer.schema is None and answer.media_type:
                headers["content-type"] = answer.media_type
            headers |= self._shaper.headers(answer)
        if self._variant.extra:
            headers["x-beside"] = "more"
        is_said = value is not None or (answer is not None and answer.is_open)
        content = json.dumps(value).encode() if is_said and status != 204 else b""
        return Reply(status, Headers(headers), content)


def _folded(value: Any) -> Any:
    """A text however its letters are written; any other value as it is."""
    return value.casefold() if isinstance(value, str) else value


def _is_of_twice(answer: Answer) -> bool:
    """Whether an answer is for what there is already: a conflict, or one of invalid requests that says so."""
    return answer.status == "409" or (answer.status in _INVALID and tells_of_twice(answer.words))
