"""Paths that name nothing that exists."""

from __future__ import annotations

import re

from engine.generators.operations.scenes import Scene, path_member
from engine.generators.operations.stage import Stage
from engine.generators.values.distinct import name_in_path, tag_of
from engine.generators.values.schema_values import NoValueError, valid
from planner.contracts.chosen_names import putter_of
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import maker_of

NOWHERE = {"integer": 999_999_999, "uuid": "00000000-0000-4000-8000-000000000000", "string": "no-such-thing"}
"""What names nothing anywhere, by the type of a name."""


def nowhere(stage: Stage, operation: Operation, scene: Scene, words: str) -> dict[str, str]:
    """The path's parameters with the last one naming nothing that exists, of those that the words name if any.

    Raises NoValueError where none can be.
    """
    every = PARAMETER.findall(operation.path)
    told = re.findall(r"\w+", words.lower())
    names = [name for name in every if name.lower() in told] or every
    if not names:
        raise NoValueError("a path that can name something that does not exist")
    member = path_member(operation, names[-1])
    schema = member.schema if member else {}
    is_chosen = putter_of(operation.path, names[-1], stage.operations.values()) is not None
    is_made = maker_of(operation.path, names[-1], stage.operations.values()) is not None
    if is_chosen or (is_made and schema.get("type") == "string" and "pattern" in schema):
        other = tag_of(f"{stage.tag} nothing")  # Whatever nobody has chosen does not exist.
        return {**scene.path, names[-1]: repr(name_in_path(schema, valid(schema, names[-1]), other))}
    kind = "uuid" if schema.get("format") == "uuid" else schema.get("type", "string")
    if kind not in NOWHERE or "enum" in schema or "pattern" in schema:
        raise NoValueError(f"a {names[-1]} that does not exist")
    missing = NOWHERE[kind]
    if isinstance(missing, int) and "maximum" in schema:
        raise NoValueError(f"a {names[-1]} that does not exist and is at most {schema['maximum']}")
    return {**scene.path, names[-1]: repr(missing)}
