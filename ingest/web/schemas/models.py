"""Classes that describe data (Pydantic, msgspec, attrs, dataclasses, TypedDict, NamedTuple, enums) as schemas."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from msgspec.structs import replace

from graph.facts import Kind, Tag, fact_id
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.constants.constants import enum_members
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import ClassTarget, External, unsubscripted
from ingest.web.schemas.aliases import UNKNOWN_GENERATOR, Spelling
from ingest.web.schemas.configs import Config, config_of
from ingest.web.schemas.facets import Facets, facets_of
from ingest.web.schemas.generated_models import enumerated, generated_fields, generated_values, is_generated
from ingest.web.schemas.model_fields import (
    FIELD_BASES,
    Family,
    ModelField,
    family_of,
    hashable,
    object_of,
    rewritten,
    type_of_values,
)
from ingest.web.schemas.msgspec_tags import tagged
from ingest.web.schemas.type_schemas import DEPTH, TypeSchemas, is_unset
from ingest.web.values.annotations import shape_of
from ingest.web.values.fields import (
    SERIALIZED,
    FieldText,
    fields_of,
    is_first_pydantic,
    serialized,
    withdrawn,
)
from ingest.web.values.generics import generic_name, type_arguments, type_variables

_OWN_NAMES = Spelling(str, str)
_PLAIN_BASES = frozenset(
    {
        *("Struct", "Generic", "Protocol", "ABC", "object", "TypedDict", "NamedTuple"),
        *("Schema", "FilterSchema", "ModelSchema"),
    }
)


class Models(TypeSchemas):
    """Gives each type its schema, and remembers which classes were referred to.

    `scalars` and `loose` are those of `TypeSchemas`; what is loose also documents nothing of further fields.
    """

    def __init__(
        self, program: Program, scalars: Mapping[str, Schema] | None = None, loose: bool = False
    ) -> None:
        super().__init__(program, scalars, loose)
        self.classes: dict[str, ClassTarget] = {}
        self.unsettled: set[str] = set()
        self.first_pydantic = is_first_pydantic(program)

    def family(self, target: ClassTarget) -> Family | None:
        """To which library's data classes this belongs."""
        return family_of(self.program, target) or (Family.GENERATED if is_generated(target) else None)

    def whole(self, target: ClassTarget) -> Schema:
        """The schema of a class itself, with its properties."""
        if target.qualified in self.unsettled:
            return unknown("a class is called by other names in requests than in answers")
        return self.program.remember(("schema", target.node), lambda: self._whole(target, {}, 0))

    def reference(self, target: ClassTarget) -> Schema:
        """The reference to a class; it is remembered as one that is referred to."""
        self.classes.setdefault(target.qualified, target)
        return {"$ref": fact_id(Tag.CODE, Kind.SCHEMA, target.qualified)}

    def fields(
        self, target: ClassTarget, variables: Mapping[str, Shape] | None = None
    ) -> list[ModelField] | None:
        """The properties of a class with those it inherits; None where they cannot all be known."""
        if variables:
            return self._fields(target, variables, 0)
        return self.program.remember(("fields", target.node), lambda: self._fields(target, {}, 0))

    def shown(self, schema: Schema, family: Family, shape: Shape, owner: ClassTarget) -> Schema:
        """The schema of a field of a class as the framework documents it."""
        return schema

    def _class(self, shape: Shape, depth: int) -> Schema:
        target = shape.target
        assert isinstance(target, ClassTarget)
        if self.family(target) is None:
            return unknown(f"{target.node.name} is no class whose data can be read")
        if shape.arguments:
            whole = self._whole(target, type_variables(self.program, target, shape.arguments), depth + 1)
            name = generic_name(shape)
            return {**whole, "x-named": name} if name and not is_unknown(whole) else whole
        return self.reference(target)

    def _whole(self, target: ClassTarget, variables: Mapping[str, Shape], depth: int) -> Schema:
        if depth > DEPTH:
            return unknown("the class refers to itself through its type variables")
        self.program.saw(target.scope.path)
        family = self.family(target)
        if family is Family.ENUM:
            members = enum_members(self.program, target)
            if not members:
                return unknown("the members of the enum are not constant")
            # Members of one value are one member by several names; to Python, 1 and True are one value.
            values = list(dict.fromkeys(map(hashable, members.values())))
            if any(isinstance(value, tuple) for value in values):
                return unknown("the members of the enum are no single values")
            return normalise({"enum": values, **type_of_values(tuple(values))})
        if family is Family.GENERATED and (named := generated_values(target)):
            return enumerated(named)
        config = config_of(self.program, target)
        if family is None or config.unread:
            return unknown(config.unread or f"{target.node.name} is no class whose data can be read")
        fields = self._fields(target, variables, depth)
        if fields is None:
            return unknown(f"the bases of {target.node.name} are not known")
        if any(found.unnamed for found in fields):
            return unknown(UNKNOWN_GENERATOR)
        rooted = self.program.is_a(target, {"pydantic"}, {"RootModel"})
        if rooted and self.loose:
            return unknown("the root of a model is documented as a field of it")
        for found in fields:
            if found.attribute == "__root__" or (rooted and found.attribute == "root"):
                return {key: value for key, value in found.schema.items() if key != "x-always"}
        if family is Family.NAMED_TUPLE:
            least = sum(found.required for found in fields)
            prefix = [{k: v for k, v in found.schema.items() if k != "x-always"} for found in fields]
            return normalise(
                {"type": "array", "prefixItems": prefix, "minItems": least, "maxItems": len(fields)}
            )
        whole = object_of(fields, config, target.scope.path)
        if self.loose and config.extra is False:
            # It refuses other fields and documents nothing of that.
            whole = {**whole, "x-implied": ["additionalProperties"]}
        return tagged(self.program, target, whole) if family is Family.MSGSPEC else whole

    def _fields(
        self,
        target: ClassTarget,
        variables: Mapping[str, Shape],
        depth: int,
        heir: ClassTarget | None = None,
    ) -> list[ModelField] | None:
        """As `fields`; `heir` is the Pydantic model that inherits them, whose settings decide."""
        found: dict[str, ModelField] = {}
        if depth > DEPTH:
            return None
        for base in reversed(target.node.bases):
            resolved = self.program.resolve(unsubscripted(base), target.scope)
            if isinstance(resolved, ClassTarget) and resolved.node is not target.node:
                arguments = type_arguments(self.program, base, target, variables)
                given = type_variables(self.program, resolved, arguments)
                inherited = self._fields(resolved, given, depth + 1, self._below(target, heir))
                if inherited is None:
                    return None
                written = serialized(self.program, target)
                changed = {f.attribute for f in inherited if {f.attribute, "*"} & written}
                for field in inherited:
                    other = (
                        rewritten(field.schema, SERIALIZED) if field.attribute in changed else field.schema
                    )
                    found[field.attribute] = replace(field, schema=other)
            elif not isinstance(resolved, External) or resolved.name not in FIELD_BASES | _PLAIN_BASES:
                return None
            elif resolved.name == "RootModel" and isinstance(base, ast.Subscript):
                shape = shape_of(self.program, base.slice, target.scope, variables)
                place = self.program.place(target.node, target.scope)
                found["root"] = ModelField("root", "root", self.schema(shape), True, shape, Facets(), place)
        family = self.family(target)
        if family is None and heir is not None and not self.first_pydantic:
            family = Family.PYDANTIC
        if family is None:
            return list(found.values())
        if family is Family.GENERATED:
            own = generated_fields(self.program, target, lambda shape: self.schema(shape, depth=depth + 1))
            return list({**found, **{field.attribute: field for field in own}}.values())
        config = config_of(self.program, heir if heir is not None and family is Family.PYDANTIC else target)
        for name in withdrawn(self.program, target):
            found.pop(name, None)
        private = family in (Family.TYPED_DICT, Family.DATACLASS) or (self.loose and family is Family.ATTRS)
        for text in fields_of(self.program, target, family is Family.TYPED_DICT, private):
            found[text.name] = self._field(text, target, family, config, variables, depth)
        return list(found.values())

    def _below(self, target: ClassTarget, heir: ClassTarget | None) -> ClassTarget | None:
        """The model to which the fields of a base belong; Pydantic 2 takes those of plain classes too, 1 does not."""
        if heir is not None:
            return heir
        return target if self.family(target) is Family.PYDANTIC else None

    def _field(
        self,
        text: FieldText,
        target: ClassTarget,
        family: Family,
        config: Config,
        variables: Mapping[str, Shape],
        depth: int,
    ) -> ModelField:
        shape = shape_of(self.program, text.annotation, target.body, variables)
        facets = facets_of(self.program, shape.metadata, text.default, target.body)
        schema = self.shown(config.limited(self.schema(shape, facets, depth + 1)), family, shape, target)
        if text.unread:
            schema = rewritten(schema, text.unread)
        optional = facets.optional
        if self.first_pydantic and family is Family.PYDANTIC and text.default is None and shape.nullable:
            optional = True
        required = not optional and not text.computed
        if family is Family.TYPED_DICT:
            required = "Required" in shape.marks or (text.total and "NotRequired" not in shape.marks)
        spelling = config.spelling if config.spelling and not text.named else _OWN_NAMES
        read = facets.validation_alias or facets.alias or spelling.read(text.name)
        if facets.validation_alias == "":
            read = text.name
        written = facets.serialization_alias or facets.alias or spelling.written(text.name)
        name, answered = read or text.name, written or text.name
        left_out = any(is_unset(part) for part in shape.members)
        hidden = "hidden" in shape.marks or facets.unseen
        always = (
            not hidden
            and not facets.excluded
            and not facets.unsettled
            and not left_out
            and (required or family is not Family.TYPED_DICT)
        )
        if text.computed:
            schema = {**schema, "readOnly": True}
        if always:
            schema = {**schema, "x-always": True}
            if config.answered:
                schema = {**schema, "x-answered": True}
        if facets.unsettled:
            schema = implied(schema, "required")
        if hidden:
            schema = {**schema, "x-hidden": True}
        other = answered if answered != name else ""
        unnamed = read is None or written is None
        return ModelField(
            name, text.name, schema, required, shape, facets, text.place, other, unnamed, text.computed
        )
