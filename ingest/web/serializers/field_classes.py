"""Classes of fields that a project derives from the REST framework's: what they change of what they derive from."""

from __future__ import annotations

import ast
from typing import Final

import msgspec

from graph.schema_algebra import Schema, implied
from ingest.web.django.validators import ANY_LIMIT
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, Target, ValueTarget
from ingest.web.syntax.scopes import Scope

_FORMING: Final = frozenset(
    {
        *("to_representation", "to_internal_value", "run_validation", "__init__", "__new__"),
        *("choices", "coerce_to_string", "valid_formats"),
    }
)
_CHECKING: Final = frozenset({"default_validators", "validators", "get_validators", "run_validators"})


class FieldClass(msgspec.Struct, frozen=True):
    """What a class of fields changes: `opaque` where it may read or write values in another form, `checked` where it
    may refuse values that its base takes; `given` are the values of its attributes."""

    opaque: bool = False
    checked: bool = False
    given: dict[str, tuple[ast.expr, Scope]] | None = None

    def attribute(self, name: str) -> tuple[ast.expr, Scope] | None:
        """The value of an attribute that the class has in place of an argument; None where it has none."""
        return self.given.get(name) if self.given is not None else None

    def loosened(self, schema: Schema) -> Schema:
        """The schema, with the limits open where the class may put some on it."""
        if not self.checked or "x-unknown" in schema:
            return schema
        return implied(schema, *ANY_LIMIT)


def field_class(program: Program, target: Target | None) -> FieldClass:
    """What the class of a field changes; nothing where it is the framework's own."""
    if not isinstance(target, ClassTarget):
        return FieldClass()
    owners = [owner for owner in program.ancestry(target) if isinstance(owner, ClassTarget)]
    names = {name for owner in owners for name in owner.body.bindings}
    given: dict[str, tuple[ast.expr, Scope]] = {}
    for name in names:
        found = program.class_member(target, name)
        if isinstance(found, ValueTarget) and found.node is not None:
            given[name] = (found.node, found.scope)
    return FieldClass(bool(names & _FORMING), bool(names & _CHECKING), given)
