"""The smallest request that an operation takes, where what it names exists."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.references import (
    named_as_path,
    names_another,
    naming,
)
from engine.generators.operations.requests import CALLERS, FORM, MULTIPART, Sent
from engine.generators.operations.scenes import Scene, one_of
from engine.generators.source import Expression
from engine.generators.values.distinct import distinct
from engine.generators.values.in_order import in_order
from engine.generators.values.schema_values import NoValueError, valid
from graph.facts import Json
from planner.contracts.changing import changes_parts
from planner.contracts.chosen_names import Place, naming_field
from planner.contracts.free_choices import is_free, may_be_upload
from planner.contracts.operations import Operation
from planner.contracts.parties import is_for_the_other, not_own
from planner.contracts.paths import PARAMETER
from planner.contracts.referring import QUERY
from planner.contracts.resolving import EXAMPLE
from planner.contracts.resources import called, collection_of
from planner.contracts.schemes import with_usual_headers
from planner.contracts.unknowable import (
    asks_for_version,
    is_unknown_credential,
    is_unlisted_choice,
    unsendable,
)
from planner.stories.others import told_others


class Requesting:
    """Knows all operations of a contract, and how to ask for one; `tag` tells its values from those of other cases."""

    def __init__(self, operations: Sequence[Operation], tag: str = "") -> None:
        self.tag = tag
        self.operations = {operation.key: operation for operation in with_usual_headers(operations)}
        self.things = {called(operation.path) for operation in operations if "{" not in operation.path}

    def request(self, operation: Operation, scene: Scene, *, whole: bool = False) -> Sent:
        """The smallest valid request; `whole` gives the body what may be left out, but no names of other things.

        Raises NoValueError where a value cannot be made.
        """
        values: dict[str, dict[str, Json]] = {"query": {}, "header": {}, "cookie": {}}
        for member in operation.parameters:
            if not member.required or member.location not in values:
                continue
            if is_unknown_credential(member) and member.location == "header":
                operation = msgspec.structs.replace(operation, secured=True)  # The fixture `auth` has it.
                continue
            if is_unknown_credential(member):
                raise NoValueError(
                    f"a {member.name} that {operation.key} takes: its contract gives no example of one"
                )
            made = scene.references.get(f"{QUERY}{member.name}") if member.location == "query" else None
            value = valid(member.schema, member.name) if made is None else Expression(made)
            values[member.location][member.name] = str(value) if member.location == "header" else value
        queried = {each.name: each.schema for each in operation.members() if each.location == "query"}
        ordered = in_order(values["query"], queried)
        values["query"] = ordered if isinstance(ordered, dict) else values["query"]
        if asks_for_version(operation):
            values["header"]["If-Match"] = "*"
        answer = operation.success
        if answer is not None and answer.schema is not None and answer.others:
            values["header"]["Accept"] = answer.media_type
        body = None
        if operation.body is not None:
            media_type = operation.body.media_type
            if "json" not in media_type and media_type not in (FORM, MULTIPART):
                raise NoValueError(f"a body of {media_type}")
            unknown = unsendable(operation, scene.references)
            if unknown is not None:
                raise NoValueError(unknown)
            body = valid(operation.body.schema, "body")
            if whole and isinstance(body, dict):
                body = {**self._optional(operation.body.schema), **body}
            is_about_one = operation.method in ("POST", "PUT") and "{" in operation.path
            if body == {} and (is_about_one or changes_parts(operation, self.operations.values())):
                body = one_of(self._optional(operation.body.schema))
            body = in_order(body, split_null(operation.body.schema)[0].get("properties", {}))
            if self.tag:
                body = distinct(operation, body, self.tag, self.naming(operation))
            body = named_as_path(naming(body, scene.references, whole=whole), operation, scene.path)
        caller = CALLERS[1] if self._is_for_second(operation, scene) else CALLERS[0]
        return Sent(operation, scene.path, values["query"], values["header"], body, values["cookie"], caller)

    def _is_for_second(self, operation: Operation, scene: Scene) -> bool:
        """Whether an operation is only for who made its thing, and in this scene that is the second caller."""
        names, every = PARAMETER.findall(operation.path), self.operations.values()
        if not names or names[-1] not in scene.others or not_own(operation, every) is not None:
            return False
        is_its_owners = any(told_others(operation, each, every) for each in operation.answers)
        return is_its_owners and not is_for_the_other(operation, every)

    def naming(self, operation: Operation) -> set[Place]:
        """The fields of a body by which paths name what is made of it."""
        below = f"/{collection_of(operation.path)}/{{"
        rests = (each.path.rstrip("/").removeprefix(below) for each in self.operations.values())
        names = (
            {rest.strip("}") for rest in rests if "/" not in rest} if operation.method == "POST" else set()
        )
        return {field for name in names if (field := naming_field(operation, name)) is not None}

    def names_another(self, name: str, schema: dict[str, Json]) -> bool:
        """Whether a field of a body names another thing."""
        return names_another(name, schema, self.operations.values(), self.things)

    def _optional(self, schema: dict[str, Json]) -> dict[str, Json]:
        """Values for the properties that a request may leave out, without what names other things or has no value."""
        plain, _ = split_null(schema)
        found: dict[str, Json] = {}
        for name, each in plain.get("properties", {}).items():
            is_required = name in plain.get("required", ())
            is_unknown = is_unlisted_choice(name, each) or may_be_upload(name, each)
            if is_required or each.get("readOnly") is True or is_unknown or self.names_another(name, each):
                continue
            with contextlib.suppress(NoValueError):
                value = valid(each, name)
                if EXAMPLE not in schema or not is_free(name, each, value):  # An example leaves it out.
                    found[name] = value
        return found
