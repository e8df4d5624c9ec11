"""What requests have to give for a model's column, may give, and cannot."""

from __future__ import annotations

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant
from ingest.web.django.columns import AUTOMATIC, GENERATED
from ingest.web.django.tables import Column
from ingest.web.serializers.meta import Options
from ingest.web.serializers.reading import SerializerReading


class Demands:
    """Tells it by the column's options and those that a serializer gives its field."""

    def __init__(self, models: SerializerReading) -> None:
        self.program = models.program
        self.models = models

    def given(self, options: Options, name: str) -> Json:
        """A constant among the field's own options; None where there is none."""
        value = constant(self.program, *options[name]) if name in options else None
        return None if isinstance(value, Missing) else value

    def is_only_read(self, column: Column, options: Options, *, nested: bool) -> bool:
        """Whether nobody may send the field of a column: what the database or the framework fills in, and what is
        written out."""
        stated = self.given(options, "read_only")
        if nested or stated is True:
            return True
        tables = self.models.tables
        fixed = (
            column.kind in AUTOMATIC
            or column.kind == GENERATED
            or tables.constant(column, "editable") is False
            or (column.kind == "BinaryField" and not tables.has(column, "editable"))
            or tables.flag(column, "auto_now")
            or tables.flag(column, "auto_now_add")
            or (column.kind == "ManyToManyField" and tables.has(column, "through"))
        )
        return fixed and stated is not False

    def is_required(self, column: Column, options: Options, demanded: bool) -> tuple[bool, bool]:
        """Whether the field of a column that may be sent is required; and whether that may be so."""
        stated = self.given(options, "required")
        if isinstance(stated, bool):
            return stated, False
        tables = self.models.tables
        empty = tables.flag(column, "blank") or tables.flag(column, "null")
        if "default" in options or tables.has(column, "default") or (empty and not demanded):
            return False, False
        # Later versions of the framework take nothing for what is left out of columns that are unique together;
        # versions differ in whether they know defaults of the database; settings decide what is not constant.
        open_ = (
            empty
            or self.is_chosen(column, "null")
            or self.is_chosen(column, "blank")
            or tables.has(column, "db_default")
            # A class of columns that is not known may have defaults of its own.
            or not column.kind
        )
        return (False, True) if open_ else (True, False)

    def is_chosen(self, column: Column, name: str) -> bool:
        """Whether an option of a column is given, but not by a constant."""
        tables = self.models.tables
        return tables.has(column, name) and isinstance(tables.constant(column, name), Missing)
