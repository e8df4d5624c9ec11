"""One broken claim of a twin."""

from __future__ import annotations

import copy
from typing import Any

import msgspec

from graph.facts import Json


class Mutation(msgspec.Struct, frozen=True, kw_only=True):
    """One broken claim: `kind` says what is broken, and the rest where, as the kind needs it.

    `kind` is `status`, `field-removed`, `field-changed` (of another type), `field-other` (of another value),
    `field-null`, `unenforced`, `stricter`, `demands` (what may be left out), `default`, `auth`, `unasked` (whose
    credentials they are), `forgetful`, `unfiltered`, `unlimited`, `unpaged`, `unrefused` (however a thing stands),
    `reversed`, `ignored` (a value of the request), `unmoved` (what else it changes),
    `silent` (nothing is said) or `leaky` (a secret is told); of what a criterion
    tells of an answer, whose number is `value`, `told-status`, `told-header`, `told-field` or `told-more`.
    """

    kind: str
    operation: str
    fact: str = ""
    place: str = ""
    keyword: str = ""
    value: Json = None

    def damaged(self, answered: Any) -> Any:
        """What was answered, with the field at `place` (names and `[]` joined by dots) gone or of another type."""
        return _damaged(copy.deepcopy(answered), self.place.split("."), self.kind)


def _damaged(value: Any, path: list[str], kind: str) -> Any:
    name, *rest = path
    if name == "[]":
        return [_damaged(each, rest, kind) for each in value] if isinstance(value, list) and rest else value
    if not isinstance(value, dict) or name not in value:
        return value
    if rest:
        value[name] = _damaged(value[name], rest, kind)
    elif kind == "field-removed":
        del value[name]
    elif kind == "field-null":
        value[name] = None
    elif kind == "field-other" and isinstance(value[name], bool):
        value[name] = not value[name]
    else:
        value[name] = {"of": "another type"} if not isinstance(value[name], dict) else "of another type"
    return value
