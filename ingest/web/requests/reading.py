"""What was found that a Flask handler reads from its request."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from graph.facts import Json, Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.program.handler_nodes import ASKED, FLAG, is_yes_or_no
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Body, Parameter
from ingest.web.requests.conditions import Demand
from ingest.web.requests.demanded_schemas import demanded, refuses_default
from ingest.web.requests.fates import Fate
from ingest.web.requests.flows import Flows
from ingest.web.requests.parts import Part, converted
from ingest.web.requests.read_fields import Field, as_texts, field_of, object_of


class Reading(msgspec.Struct):
    """What was read from the request. `complete` is false where parameters may be read that were not seen.

    `raw_at` is where the body is taken as it was sent, whatever it is; `routed` tells that it is asked by which route
    the request came, so that what is read for one of them need not be read for another.

    `either` tells that the fields of a JSON body may as well come as those of a form, `elsewhere` in the query;
    `put_in` are the fields that the code may put in by itself, so that nothing tells if the request must have them;
    `asked` those of which it is asked whether they are there.

    `helpers` are the functions that each accepted request goes through, `mixed` the parameters that a form may have.
    """

    parameters: dict[str, Parameter] = msgspec.field(default_factory=dict)
    fields: dict[str, Field] = msgspec.field(default_factory=dict)
    form: dict[str, Field] = msgspec.field(default_factory=dict)
    json_at: Location | None = None
    form_at: Location | None = None
    raw_at: Location | None = None
    routed: bool = False
    json_whole: bool = False
    form_whole: bool = False
    model: Schema | None = None
    files: bool = False
    either: bool = False
    elsewhere: bool = False
    json_optional: bool = False
    complete: bool = True
    guarded: bool = False
    put_in: set[str] = msgspec.field(default_factory=set)
    asked: dict[str, Location] = msgspec.field(default_factory=dict)
    fates: dict[str, Fate] = msgspec.field(default_factory=dict)
    helpers: list[FunctionTarget] = msgspec.field(default_factory=list)
    mixed: set[str] = msgspec.field(default_factory=set)

    @property
    def is_raw(self) -> bool:
        """Whether all that is taken of the body is what was sent, whatever it is."""
        return self.raw_at is not None and self.json_at is None and self.form_at is None

    def without_body(self, has_none: bool) -> None:
        """What may be in the query or in a form is in the query where a method `has_none`, and is open elsewhere."""
        if self.mixed and not has_none:
            self.complete = False
            for key in self.mixed:
                self.parameters.pop(key, None)

    def also(self, outer: Reading) -> None:
        """Takes in the body that a function around the handler reads for it."""
        self.complete = self.complete and outer.complete
        self.raw_at = self.raw_at or outer.raw_at
        if outer.json_at is None:
            return
        if self.json_at is not None or outer.model is None:
            self.json_at = self.json_at or outer.json_at
            self.json_whole = True
            self.fates["json."] = Fate(lost=True)
            return
        self.json_at, self.model = outer.json_at, outer.model
        self.json_optional = outer.json_optional

    def after(self, shared: Reading) -> list[str]:
        """Takes in what a function reads before all requests; the keys of what it takes and does not demand."""
        self.complete = self.complete and shared.complete
        self.guarded = self.guarded or shared.guarded
        self.json_whole = self.json_whole or shared.json_at is not None
        self.form_whole = self.form_whole or shared.form_at is not None
        demanded = {key: each for key, each in shared.parameters.items() if each.required}
        self.parameters = {**demanded, **self.parameters}
        return sorted(shared.parameters.keys() - self.parameters.keys())

    def hold(self, schema: Schema, place: Location) -> None:
        """Takes in that the body is held against a schema before the handler sees it."""
        self.json_at = self.json_at or place
        self.json_optional = False
        self.model = schema

    def release(self) -> None:
        """Marks what the code surely does not check of the values that it takes (`x-unchecked`)."""
        for key, parameter in list(self.parameters.items()):
            fate = self.fates.get(key)
            if fate is not None:
                required = _leniently(parameter.required, parameter.schema, fate)
                schema = _released(parameter.schema, fate)
                self.parameters[key] = replace(parameter, required=required, schema=schema)
        for place, table in (("json", self.fields), ("form", self.form)):
            whole = self.fates.get(f"{place}.", Fate())
            for name, found in table.items():
                fate = self.fates.get(f"{place}.{name}")
                if fate is not None and not whole.lost:
                    schema = _released(found.schema, fate, open_type=place == "json")
                    required = _leniently(found.required, found.schema, fate)
                    table[name] = replace(found, required=required, schema=schema)

    def doubt_fillers(self) -> None:
        """Something empty that stands for what is missing may be refused by a test that is not known."""
        for key, parameter in list(self.parameters.items()):
            fate = self.fates.get(key)
            empty = parameter.required is False and parameter.schema.get("default") == ""
            if empty and fate is not None and (fate.lost or fate.asked):
                self.parameters[key] = replace(parameter, required=None)
        whole = self.fates.get("json.", Fate())
        for name, found in list(self.fields.items()):
            fate = self.fates.get(f"json.{name}", Fate(lost=True))
            empty = found.required is False and found.schema.get("default") in ("", [], {})
            if empty and (whole.lost or fate.lost or fate.asked):
                self.fields[name] = replace(found, required=None)

    def bodies(self, closed: bool = False) -> list[Body]:
        """The request bodies that the handler reads; `closed` tells that nothing but these functions reads them."""
        found = []
        closed = closed and self.raw_at is None
        for name in self.fields.keys() if self.elsewhere else self.put_in & self.fields.keys():
            self.fields[name] = replace(self.fields[name], required=None)
        for name, place in self.asked.items():
            self.fields.setdefault(name, field_of(None, place, None))
        if self.json_at is not None:
            schema = self.model or object_of(self.fields, closed and self.complete and not self.json_whole)
            needed = not self.json_optional or any(found.required for found in self.fields.values())
            needed = needed and not self.elsewhere
            # Who may send all of it in the query need not be told of a body.
            found.append(
                Body("application/json", needed or None, schema, self.json_at, by_hand=self.elsewhere)
            )
        if self.form_at is not None:
            fields = {**self.form, **(as_texts(self.fields, self.form) if self.either else {})}
            schema = object_of(
                fields, closed and self.complete and not self.form_whole and not self.json_whole
            )
            # Who takes JSON as well takes a form without files, and fields from either kind of form.
            asked = self.files and self.json_at is None
            media_type = "multipart/form-data" if asked else "application/x-www-form-urlencoded"
            required = any(found.required for found in fields.values()) or None
            found.append(Body(media_type, required, schema, self.form_at))
        if self.is_raw and self.raw_at is not None:
            found.append(Body("*/*", None, unknown("the body is taken as it is sent"), self.raw_at))
        return found

    def demand(self, demands: Iterable[Demand]) -> None:
        """Takes in what the handler demands of the values that it reads."""
        left_out: list[Part] = []
        for demand in demands:
            part = demand.part
            if part.place == "path":
                # Whoever refuses a name in a path says that there is nothing of this name.
                continue
            if not part.name:
                if part.place == "json" and demand.keyword == "required":
                    self.json_optional = False
                continue
            own = part.place == "json" and part.name in self.put_in
            if demand.keyword in ("required", "default") and (part.default or part.filled or own):
                # What stands in for a missing value passes the test.
                continue
            key = part.key
            if demand.keyword == "default":
                self._stands_in(key, part, demand.value)
                continue
            if demand.keyword == "optional":
                left_out.append(part)
                continue
            needed_anyway = demand.keyword == "required" or refuses_default(demand)
            if key in self.parameters:
                old = self.parameters[key]
                required = True if needed_anyway else old.required
                schema = demanded(_told_apart(old.schema, needed_anyway), demand)
                schema = FLAG if is_yes_or_no(schema.get("enum")) else schema
                self.parameters[key] = replace(old, required=required, schema=schema)
            table: dict[str, Field] = {"json": self.fields, "form": self.form}.get(part.place, {})
            if part.place == "json" and part.name not in table and self.json_at is not None:
                table[part.name] = field_of(part.default, self.json_at, None)
            if part.name in table:
                was = table[part.name]
                needed = True if needed_anyway else was.required
                schema = demanded(_told_apart(was.schema, needed_anyway), demand)
                table[part.name] = replace(was, required=needed, schema=schema)

        for part in left_out:
            self._leave_out(part)

    def _leave_out(self, part: Part) -> None:
        """Takes in that the handler goes on where a value is not there, unless something else demands it."""
        if (parameter := self.parameters.get(part.key)) is not None and parameter.required is None:
            self.parameters[part.key] = replace(parameter, required=False)
        table: dict[str, Field] = {"json": self.fields, "form": self.form}.get(part.place, {})
        if part.name in table and table[part.name].required is None:
            table[part.name] = replace(table[part.name], required=False)

    def convert(self, part: Part) -> None:
        """Takes in that a value is always turned into a number, or into what only texts of one form give."""
        old = self.parameters.get(part.key)
        if old is not None and old.schema.get("type") == "string":
            self.parameters[part.key] = replace(old, schema=converted(old.schema, part))
        table: dict[str, Field] = {"json": self.fields, "form": self.form}.get(part.place, {})
        was = table.get(part.name)
        if was is None or (part.place == "json" and not part.form):
            return
        if part.place == "json" and "type" not in was.schema:
            kept = {k: v for k, v in was.schema.items() if k not in ("x-unknown", "x-any-type")}
            table[part.name] = replace(was, schema={**kept, "type": "string", "format": part.form})
        elif was.schema.get("type") == "string":
            table[part.name] = replace(was, schema=converted(was.schema, part))

    def doubt(self, part: Part) -> None:
        """Takes in that a value of the query is turned into a number in some runs: in others it may be any text."""
        old = self.parameters.get(part.key)
        if old is not None and old.schema.get("type") == "string":
            kept = {key: value for key, value in old.schema.items() if key not in ("type", "x-unchecked")}
            schema = {**unknown("it is turned into a number in some cases"), **kept}
            self.parameters[part.key] = replace(old, schema=schema)

    def _stands_in(self, key: str, part: Part, value: Json) -> None:
        """Takes in that a helper gives this value where the request has none."""
        if key in self.parameters and self.parameters[key].required is not True:
            old = self.parameters[key]
            self.parameters[key] = replace(old, required=False, schema={**old.schema, "default": value})
        table: dict[str, Field] = {"json": self.fields, "form": self.form}.get(part.place, {})
        if part.name in table and not table[part.name].required:
            was = table[part.name]
            table[part.name] = replace(was, required=False, schema={**was.schema, "default": value})


def _leniently(required: bool | None, schema: Schema, fate: Fate) -> bool | None:
    """Leaving the value out is accepted where a default stands for it, or where nothing asks for it."""
    return False if required is None and "required" in fate.unchecked() else required


def _released(schema: Schema, fate: Fate, open_type: bool = False) -> Schema:
    """The schema with the keywords that nothing checks; `open_type` where a value of any type may come."""
    free = fate.unchecked()
    if not free or schema in (FLAG, ASKED):
        return schema
    whole: Schema = {key: value for key, value in schema.items() if key != "x-unknown"}
    stored = [each for each in fate.columns if each]
    if "type" not in whole and "enum" not in whole and open_type and len(stored) == len(fate.columns) == 1:
        # What goes into a column as it is, has the type of the column.
        whole = {**{key: value for key, value in whole.items() if key != "x-any-type"}, "type": stored[0]}
    if "type" not in whole and "enum" not in whole:
        # Nothing but a text has a text's methods.
        text = not open_type or (fate.text and not fate.asked)
        whole = {**whole, "type": "string"} if text else {**whole, "x-any-type": True}
    return normalise({**whole, "x-unchecked": free})


def follow(
    fates: dict[str, Fate],
    flows: Flows,
    key: str,
    node: ast.AST,
    parents: dict[ast.AST, ast.AST],
    function: FunctionTarget,
) -> None:
    """Adds to the fate of a value what becomes of it where it is taken from the mapping `node`.

    A key that ends with a point stands for the mapping itself.
    """
    outer = parents.get(node)
    if isinstance(outer, ast.Compare) and not key.endswith("."):
        # Whether it is there is asked, and nothing of the value.
        fates.setdefault(key, Fate()).asked = True
        return
    value = outer if isinstance(outer, ast.Subscript) else parents.get(outer) if outer is not None else None
    taken = value if value is not None and not key.endswith(".") else node
    fate = flows.fate(taken, function, fates.get(key))
    # What is taken by its key, and is not there, ends the handler.
    fate.asked = fate.asked or isinstance(taken, ast.Subscript)
    fates[key] = fate


def _told_apart(schema: Schema, needed: bool) -> Schema:
    """A schema without the default that only tells a missing value apart, for which the request is refused."""
    return {key: value for key, value in schema.items() if key != "default"} if needed else schema
