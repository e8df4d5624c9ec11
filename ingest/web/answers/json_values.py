"""The JSON that an expression of a handler makes, as a schema: what is certain of it, and unknown for the rest."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import partial

from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown
from ingest.web.answers.json_branches import Branches
from ingest.web.answers.json_changes import Changed
from ingest.web.answers.json_choices import Choices, as_tested
from ingest.web.answers.json_classes import DumpedClasses, is_whole, plain_schema, true_of
from ingest.web.answers.json_columns import Rows
from ingest.web.answers.json_displays import Displays
from ingest.web.answers.json_functions import Functions
from ingest.web.answers.json_marshmallow import dumped
from ingest.web.answers.json_objects import PlainObjects
from ingest.web.answers.json_taken import TakenValues
from ingest.web.answers.json_words import TEXT_METHODS, PlainWords
from ingest.web.answers.set_before import set_or_kept
from ingest.web.answers.stored_values import StoredValues
from ingest.web.answers.stores import Stores
from ingest.web.program.calls import has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.schemas.json_results import BY_HAND, Results, agreed, as_display, of_literal
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.changes import Changes, changes_of
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotated_values import AnnotatedValues
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances, is_property

_DEPTH = 12
Called = tuple[FunctionTarget, ast.Call, Scope]
_DUMPS = frozenset({"model_dump", "dict", "_asdict"})


class JsonValues:
    """Works out schemas of values within one program.

    `given` are the forms of arguments, by function and name, that the framework has checked before it calls; `sent`
    gives the form of a value of the request, where a framework's reader knows which expressions are some.
    """

    def __init__(self, program: Program, instances: Instances, models: Models) -> None:
        self.program = program
        self.instances = instances
        self.models = models
        self.given: dict[tuple[ast.AST, str], Schema] = {}
        self.stores = Stores(program, instances)
        self.stored = StoredValues(self.stores, self.schema, agreed)
        self.annotated = AnnotatedValues(instances, lambda: self.stores.rounds, self.stores.argument)
        self.classes = DumpedClasses(models, instances, self.stored, self.annotated)
        self.words = PlainWords(models, instances, self.annotated)
        self.results = Results(self.schema)
        self.branches = Branches(self.stores, self.schema, self.classes.of)
        self.choices = Choices(program, self.schema, self.branches)
        self.objects = PlainObjects(self.stores, models, self.annotated, self.schema)
        self.changed = Changed(self.stores, self.schema)
        self.functions = Functions(self.stores, self.changed, self.schema)
        self.taken = TakenValues(self.stores, self.schema)
        self.columns = Rows(self.stores, self.classes.of)
        self.displays = Displays(self.stores, self.schema)
        self.sent: Callable[[ast.expr, Scope], Schema | None] = lambda node, scope: None

    def schema(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Schema:
        """The schema of an expression's value as JSON; `x-complete` marks objects that have no other fields."""
        if node is None or depth > _DEPTH:
            return unknown("the answer is built by hand")
        found = self._plain(node, scope, depth)
        if is_unknown(found) and isinstance(node, ast.Name | ast.Subscript | ast.Call):
            found = self.stored.of(node, scope) or self.classes.instance(node, scope) or found
        if is_unknown(found) and isinstance(node, ast.Name | ast.Subscript | ast.Call):
            found = self.sent(node, scope) or found
        found = self._annotated(node, scope) or found if is_unknown(found) else found
        return as_tested(found, node, scope)

    def within(self, calls: Iterable[Called], node: ast.expr, scope: Scope) -> Schema:
        """The schema of an expression within the calls, outermost first, that led to where it stands."""
        before = len(self.stores.calls)
        self.stores.calls += [call for call in calls if not has_stars(call[1])]
        try:
            return self.schema(node, scope)
        finally:
            del self.stores.calls[before:]

    def _annotated(self, node: ast.expr, scope: Scope) -> Schema | None:
        """What an annotation tells of a plain value that cannot be worked out."""
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            return None
        shape = self.annotated.shape(node, scope)
        found = plain_schema(self.models, shape) if shape is not None else None
        target = self.program.resolve(node, scope) if isinstance(node, ast.Name) else None
        absent = isinstance(target, ParameterTarget) and is_none(target.default)
        return None if absent else found

    def _plain(self, node: ast.expr, scope: Scope, depth: int) -> Schema:
        match node:
            case ast.Constant(value=value) if (literal := of_literal(value)) is not None:
                return literal
            case ast.JoinedStr():
                return {"type": "string"}
            case ast.BinOp(op=ast.Mod() | ast.Add(), left=ast.Constant(value=str()) | ast.JoinedStr()):
                return {"type": "string"}
            case ast.BinOp():
                return self.results.reckoned(node, scope, depth)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return {"type": "boolean"}
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return self.choices.listed(elements, scope, depth)
            case ast.ListComp(elt=element, generators=rounds):
                return self.displays.each(element, rounds, scope, depth)
            case ast.Subscript():
                return self.choices.part(node, scope, depth)
            case ast.Dict():
                return self.displays.object(node, scope, depth)
            case ast.DictComp():
                return self.columns.of(node, scope) or {"type": "object"}
            case ast.IfExp():
                return self.choices.either(node, scope, depth)
            case ast.BoolOp(op=ast.Or(), values=[first, *others]):
                return self.choices.first_of(first, others, scope, depth)
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self.schema(inner, scope, depth + 1)
            case ast.Name():
                return self._name(node, scope, depth)
            case ast.Attribute():
                kept = partial(self._attribute, node, scope, depth)
                return set_or_kept(node, scope, lambda put: self.schema(put, scope, depth + 1), kept)
            case ast.Call():
                return self._call(node, scope, depth)
        return unknown(BY_HAND)

    def _name(self, node: ast.Name, scope: Scope, depth: int) -> Schema:
        if self.stores.element(node, scope) is not None:
            # Whatever is changed in a kept value was put there by a statement that is known.
            return self.stored.of(node, scope) or unknown(BY_HAND)
        bindings = scope.bindings.get(node.id)
        if bindings is None:
            target = self.program.resolve(node, scope)
            if isinstance(target, ValueTarget) and target.node is not None and target.node is not node:
                return self.schema(target.node, target.scope, depth + 1)
            return self._instance(node, scope, depth)
        only = bindings[0]
        if len(bindings) == 1 and only.how is Bound.VALUE and only.value is not None:
            with self.functions.tested(only.value, node, scope):
                found = self.schema(only.value, scope, depth + 1)
            if "$ref" in found and changes_of(node.id, scope, lambda call, given: True) != Changes():
                found = self.classes.spelled_out(found["$ref"])
            plain = found.get("type") in ("object", "array") and "$ref" not in found
            if plain and not isinstance(self.classes.of(only.value, scope), ClassTarget):
                left = self.changed.as_left(found, node.id, scope, depth, only.value)
                # What was copied from something unknown may hold more than what is set by name.
                copied = "additionalProperties" in found
                return {k: v for k, v in left.items() if k != "x-complete"} if copied else left
            return found if not is_unknown(found) else self._instance(node, scope, depth)
        if not is_unknown(chosen := self.branches.named(node, scope, depth)):
            return chosen
        given = self.functions.element(node, scope, depth) if only.how is Bound.OTHER else None
        return given or self._instance(node, scope, depth)

    def _instance(self, node: ast.expr, scope: Scope, depth: int) -> Schema:
        """What an argument is by its annotation, where that names one plain type."""
        if depth <= _DEPTH and (more := self.stores.further(node, scope)) is not None:
            keys: list[ast.expr | None] = [ast.Constant(each.arg) for each in more[0]]
            return self.displays.object(ast.Dict(keys, [each.value for each in more[0]]), more[1], depth + 1)
        target = self.program.resolve(node, scope)
        if isinstance(target, ParameterTarget) and (target.scope.node, target.name) in self.given:
            return self.given[target.scope.node, target.name]
        if isinstance(target, ParameterTarget) and isinstance(node, ast.Name) and depth <= _DEPTH:
            here = self.stores.argument(target.name, target.scope) or self.stores.left_out(target)
            found = self.schema(*here, depth + 1) if here is not None else unknown("nothing is given")
            if not is_unknown(found):
                return found
        if isinstance(target, ParameterTarget) and target.annotation is not None:
            outside = target.scope.parent or target.scope
            shape = shape_of(self.program, target.annotation, outside)
            absent = is_none(target.default)
            if shape.kind is ShapeKind.SCALAR and not absent and "type" in shape.schema:
                return {"type": shape.schema["type"]}
        elif isinstance(target, ParameterTarget) and depth <= _DEPTH:
            return self.functions.given_everywhere(target, depth)
        return unknown(BY_HAND)

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> Schema:
        owner = self.classes.of(node.value, scope)
        if isinstance(owner, ClassTarget) and self.models.family(owner) is Family.ENUM:
            return self.words.member(owner, node.attr)
        if node.attr == "hex" and isinstance(node.value, ast.Call) and self.words.is_uuid(node.value, scope):
            return {"type": "string"}
        if not isinstance(owner, ClassTarget):
            return self.objects.of_exception(node, scope) or self.words.worded(node, scope)
        if self.models.family(owner) is None:
            found = self.instances.attribute(owner, node.attr)
            if isinstance(found, FunctionTarget) and is_property(found.node):
                return self.functions.returned(found, depth)
            return self.objects.attribute(owner, node, scope, depth) or self.words.worded(node, scope)
        for field in self.models.fields(owner) or []:
            if field.attribute == node.attr:
                return {
                    key: value
                    for key, value in field.schema.items()
                    if key in ("type", "items", "$ref", "anyOf", "enum")
                }
        found = self.instances.attribute(owner, node.attr)
        if isinstance(found, FunctionTarget) and is_property(found.node):
            return self.functions.returned(found, depth)
        return unknown(BY_HAND)

    def _text(self, function: ast.Attribute, scope: Scope, depth: int) -> Schema:
        """The text that a method gives; `isoformat` that of a time as it was kept."""
        told = self.words.text(function, scope)
        if function.attr == "isoformat" and "format" not in told:
            kept = self.schema(function.value, scope, depth + 1)
            return kept if kept.get("format") in ("date-time", "date", "time") else told
        return told

    def _call(self, node: ast.Call, scope: Scope, depth: int) -> Schema:
        function = node.func
        if isinstance(function, ast.Attribute):
            if function.attr in _DUMPS and not node.args and is_whole(node):
                return self.classes.model(function.value, scope, named="by_alias" not in true_of(node))
            if (made := dumped(self.program, self.instances, node, scope, self.stores)) is not None:
                return made
            if function.attr in TEXT_METHODS:
                return self._text(function, scope, depth)
        target: Target | None = self.instances.callee(function, scope)
        if target is None and isinstance(function, ast.Name):
            target = self.functions.told(function, scope)
        row = isinstance(target, External) and target.root in ("sqlalchemy", "flask_sqlalchemy")
        if (target is None or row) and isinstance(function, ast.Attribute):
            method = self.annotated.method(function, scope) or self.classes.method(function, scope)
            target = method or target
        if isinstance(target, External):
            if target.dotted == "dataclasses.asdict" and len(node.args) == 1:
                return self.classes.model(node.args[0], scope)
            if target.dotted == "builtins.next" and node.args and self.words.counts(node.args[0], scope):
                return {"type": "integer"}
            if target.dotted == "builtins.str" and len(node.args) == 1:
                form = self.schema(node.args[0], scope, depth + 1).get("format")
                if form == "uuid" or self.words.is_uuid(node.args[0], scope):
                    return {"type": "string", "format": "uuid"}
            if (made := self.words.made(target)) is not None:
                return made
            if target.dotted == "builtins.dict" and (node.keywords or len(node.args) == 1):
                return self.displays.object(as_display(node), scope, depth)
            if (given := self.results.of_function(target, node, scope, depth)) is not None:
                return given
        if isinstance(target, FunctionTarget):
            return self.functions.returned(target, depth, node, scope)
        if not is_unknown(taken := self.taken.of(node, scope, depth)):
            return taken
        if isinstance(function, ast.Attribute) and self.program.resolve(function, scope) is None:
            bare = not (node.args or node.keywords)
            return self.results.of_method(function, scope, depth, bare) or unknown(BY_HAND)
        return unknown(BY_HAND)
