"""What was found that a handler reads from the request that it is given."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.operations import Body, Parameter


@dataclass(slots=True)
class Reading:
    """What was read from the request. `complete` is false where parameters may be read that were not seen."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    fields: dict[str, tuple[Schema, bool | None, Location]] = field(default_factory=dict)
    form: dict[str, tuple[Schema, bool | None, Location]] = field(default_factory=dict)
    json_at: Location | None = None
    form_at: Location | None = None
    json_whole: bool = False
    form_whole: bool = False
    files: bool = False
    json_optional: bool = False
    complete: bool = True
    guarded: bool = False

    def bodies(self) -> list[Body]:
        """The request bodies that the handler reads."""
        found = []
        if self.json_at is not None:
            schema = unknown("read by hand") if self.json_whole else _object(self.fields)
            found.append(Body("application/json", None if self.json_optional else True, schema, self.json_at))
        if self.form_at is not None:
            schema = unknown("read by hand") if self.form_whole else _object(self.form)
            media_type = "multipart/form-data" if self.files else "application/x-www-form-urlencoded"
            required = any(required for _, required, _ in self.form.values()) or None
            found.append(Body(media_type, required, schema, self.form_at))
        return found


def _object(fields: dict[str, tuple[Schema, bool | None, Location]]) -> Schema:
    if not fields or any(needed is None for _, needed, _ in fields.values()):
        return unknown("which fields must be there cannot be known")
    properties = {name: {**schema, "x-line": place.line} for name, (schema, _, place) in fields.items()}
    whole: Schema = {"type": "object", "properties": properties}
    required = sorted(name for name, (_, needed, _) in fields.items() if needed)
    if required:
        whole["required"] = required
    return normalise(whole)
