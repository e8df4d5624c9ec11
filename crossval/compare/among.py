"""Values of which the code has several forms, while the request decides which: the form that a spec means."""

from __future__ import annotations

from typing import Final

import msgspec

from crossval.compare.components import Components, Node
from crossval.pairs import Direction

_SHARE: Final = 3
"""One field of so many, and one at least, may be another, so that a form still counts as the one that is meant."""


def meant(known: Components, spec: Node, code: Node, flow: Direction) -> Node:
    """The one of the code's forms (`x-among`) whose fields are nearest to the spec's; the code's node as it is where
    there are no forms, or one that is not known, or where none of them is nearest and near."""
    forms = code.schema.get("x-among")
    wanted = set(known.resolved(spec).schema.get("properties") or ())
    if not isinstance(forms, list) or not wanted:
        return code
    nodes = [msgspec.structs.replace(code, schema={"$ref": form}) for form in forms]
    if not all("properties" in known.resolved(each).schema for each in nodes):
        return code
    (best, place), (second, _), *_ = sorted(
        (len(wanted ^ _fields(known, each, wanted, flow)), place) for place, each in enumerate(nodes)
    )
    return nodes[place] if best < second and best <= max(1, len(wanted) // _SHARE) else code


def _fields(known: Components, form: Node, wanted: set[str], flow: Direction) -> set[str]:
    """The names of a form's fields, without those that a spec need not name in this direction."""
    other = "writeOnly" if flow is Direction.RESPONSE else "readOnly"
    return {
        name
        for name, each in known.resolved(form).schema["properties"].items()
        if name in wanted or not (each.get(other) is True or each.get("x-hidden") is True)
    }
