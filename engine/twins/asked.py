"""Requests as twins see them, and whether they keep what their operation says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from crossval.compare.components import split_null
from engine.twins.mutation import Mutation
from planner.contracts.operations import Member, Operation
from planner.contracts.schemes import NOBODY
from planner.contracts.violations import Violation, violations

_CREDENTIALS = ("authorization", "x-api-key", "api-key", "cookie", "x-auth-token")


class Asked(msgspec.Struct, frozen=True):
    """One request for an operation: its path and what the path's parameters are, the query, the body, the headers.

    Names of headers are in lower case.
    """

    path: str
    values: Mapping[str, str]
    query: Mapping[str, Any]
    body: Any
    headers: Mapping[str, str]

    @property
    def is_of_nobody(self) -> bool:
        """Whether it carries a token that was given to nobody."""
        return any(NOBODY in str(each) for each in self.headers.values())

    @property
    def has_credentials(self) -> bool:
        """Whether it carries anything that may be credentials."""
        return bool(self.headers.get("authorization")) or any(
            name in self.headers for name in _CREDENTIALS[1:]
        )

    def broken(self, operation: Operation) -> Iterator[Violation]:
        """The statements of an operation about its requests that this one does not keep."""
        for member in operation.parameters:
            source, name = self._source(member)
            if source is None:
                continue
            if name not in source:
                if member.required and name not in ("authorization",):
                    yield Violation(member.place, "required")
                continue
            yield from violations(member.schema, typed(member, source[name]), member.place)
        if operation.body is None:
            return
        if self.body is None:
            if operation.body.required:
                yield Violation("body", "required")
            return
        yield from violations(operation.body.schema, self.body, "body")

    def _source(self, member: Member) -> tuple[Mapping[str, Any] | None, str]:
        """Where a parameter stands, and under which name; None for a place that requests do not have."""
        if member.location == "cookie":
            header = self.headers.get("cookie", "")
            return dict(each.strip().partition("=")[::2] for each in header.split(";")), member.name
        if member.location == "header":
            return self.headers, member.name.lower()
        return {"path": self.values, "query": self.query}.get(member.location), member.name

    def is_let_through(self, operation: Operation, broken: Violation, told: Mutation | None) -> bool:
        """Whether the mutation is that this statement is not enforced."""
        return (
            told is not None
            and told.kind == "unenforced"
            and told.operation == operation.key
            and broken.place.startswith(told.place)
            and (told.keyword in (broken.keyword, "*"))
        )

    def stands_on(self, operation: Operation, told: Mutation | None) -> bool:
        """Whether the mutation is a bound that is off by one, and the request stands on it."""
        if told is None or told.kind not in ("stricter", "demands") or told.operation != operation.key:
            return False
        for member in operation.values():
            if member.place == told.place:
                value = self.value_of(member)
                if told.kind == "demands" or value is None:
                    return value is None and told.kind == "demands"
                size = len(value) if isinstance(value, str | list) else value
                return bool(size == told.value)
        return False

    def value_of(self, member: Member) -> Any:
        """What it has for a member; None where it has nothing."""
        if member.location != "body":
            source, name = self._source(member)
            return typed(member, source[name]) if source is not None and name in source else None
        value = self.body
        for name in member.path[1:]:
            if name == "[]":
                value = value[0] if isinstance(value, list) and value else None
            else:
                value = value.get(name) if isinstance(value, dict) else None
        return value


def typed_form(operation: Operation, data: Any) -> Any:
    """The fields of a form, of which all come as text, as the types that the operation has for them."""
    if not isinstance(data, dict):
        return data
    fields = {
        each.name: each for each in operation.members() if each.location == "body" and len(each.path) == 2
    }
    return {name: typed(fields[name], each) if name in fields else each for name, each in data.items()}


def typed(member: Member, value: Any) -> Any:
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
