"""Plain values whose form their making tells: texts of times, identifiers, members of enumerations, words of errors."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.schemas.models import Models
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotated_values import AnnotatedValues
from ingest.web.values.instances import Instances

_TIMES = frozenset({"date-time", "date", "time"})
_OF_PAGES = {
    **dict.fromkeys(("page", "per_page", "total", "pages"), "integer"),
    **dict.fromkeys(("has_next", "has_prev"), "boolean"),
}
_WORDS = frozenset({"detail", "description", "reason", "name"})
_MOMENTS = frozenset(
    {"now", "utcnow", "today", "fromtimestamp", "utcfromtimestamp", "fromisoformat", "strptime", "combine"}
)
_UUIDS = frozenset({"uuid.uuid1", "uuid.uuid3", "uuid.uuid4", "uuid.uuid5", "uuid.UUID"})
_OWNERS = (("datetime.datetime.", "date-time"), ("datetime.date.", "date"))

TEXT_METHODS = frozenset(
    {
        "isoformat",
        "strftime",
        "hexdigest",
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "capitalize",
    }
    | {"casefold", "join", "format", "zfill", "removeprefix", "removesuffix"}
)


class PlainWords:
    """Works out such values within one program."""

    def __init__(self, models: Models, instances: Instances, annotated: AnnotatedValues) -> None:
        self.program = instances.program
        self.models = models
        self.instances = instances
        self.annotated = annotated

    def member(self, owner: ClassTarget, name: str) -> Schema:
        """`colour.value` and `colour.name`, where the value is a member of an enumeration."""
        if name == "value":
            return self.models.schema(Shape(ShapeKind.CLASS, target=owner))
        return {"type": "string"} if name == "name" else unknown("the value is worked out by hand")

    def worded(self, node: ast.Attribute, scope: Scope) -> Schema:
        """What the exception that a handler is given (`error.detail`), or a page of rows, says of itself."""
        if node.attr in _OF_PAGES and self._is_page(node.value, scope):
            return {"type": _OF_PAGES[node.attr]}
        owner = self.instances.of(node.value, scope)
        told = isinstance(owner, External) and owner.name.endswith("HTTPException") and node.attr in _WORDS
        return {"type": "string"} if told else unknown("the value is worked out by hand")

    def _is_page(self, node: ast.expr, scope: Scope) -> bool:
        """Whether this is a page of a query's rows (`Book.query.paginate(…)`)."""
        target = self.program.resolve(node, scope)
        call = target.node if isinstance(target, ValueTarget) else None
        return (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "paginate"
            and bool(self.program.importers_named(("flask_sqlalchemy",)))
        )

    def counts(self, node: ast.expr, scope: Scope) -> bool:
        """Whether this is `itertools.count(…)`, begun at a whole number."""
        target = self.program.resolve(node, scope)
        call = target.node if isinstance(target, ValueTarget) else None
        if not (isinstance(target, ValueTarget) and isinstance(call, ast.Call)):
            return False
        whole = all(isinstance(a, ast.Constant) and isinstance(a.value, int) for a in call.args)
        return whole and self.program.resolve(call.func, target.scope) == External("itertools.count")

    def is_uuid(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a value is made as a UUID, or said to be one."""
        made = self.instances.of(node, scope)
        if self._form(node, scope) == "uuid":
            return True
        return isinstance(made, External) and made.dotted in _UUIDS

    def made(self, target: External) -> Schema | None:
        """The text that an identifier or a time becomes, which a function of Python's own makes."""
        if target.dotted in _UUIDS:
            return {"type": "string", "format": "uuid"}
        for owner, form in _OWNERS:
            if target.dotted.startswith(owner) and target.dotted.removeprefix(owner) in _MOMENTS:
                return {"type": "string", "format": form}
        return None

    def _form(self, node: ast.expr, scope: Scope) -> str:
        """The format of the plain values that an annotation names (`uuid`, `date-time`), else an empty text."""
        shape = self.annotated.shape(node, scope)
        scalar = shape is not None and shape.kind is ShapeKind.SCALAR
        return str(shape.schema.get("format", "")) if shape is not None and scalar else ""

    def text(self, function: ast.Attribute, scope: Scope) -> Schema:
        """The text that a method gives; of a time or a day of Python's own in its usual form."""
        if function.attr == "isoformat":
            made = self.instances.of(function.value, scope)
            told = self.made(made) if isinstance(made, External) else None
            if told is not None:
                return told
        if function.attr == "isoformat" and (form := self._form(function.value, scope)) in _TIMES:
            return {"type": "string", "format": form}
        return {"type": "string"}
