"""What a FastAPI handler and its dependencies take from a request: parameters, bodies, credentials."""

from __future__ import annotations

import ast
from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from ingest.web.fastapi.markers import PLACES, Markers
from ingest.web.fastapi.parameters import ParameterReader, Taken
from ingest.web.fastapi.parts import Inputs, password_form
from ingest.web.fastapi.request_arguments import is_special
from ingest.web.fastapi.security import scheme_of, scopes_of
from ingest.web.fastapi.users import UsersReader
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.schemas.annotated_types import is_open
from ingest.web.schemas.facets import facets_of
from ingest.web.schemas.model_fields import Family, ModelField
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import name_at, uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances, returned

VIEWING = frozenset({"fastapi_utils", "fastapi_restful"})
"""The packages whose `cbv` makes the methods of a class handlers, and its fields their dependencies."""
_DEPTH = 20


class Way(msgspec.Struct, frozen=True):
    """How a dependency was reached: the names in the route's path, the scopes asked for, and how deep it lies."""

    path: Collection[str]
    scopes: tuple[str, ...] = ()
    depth: int = 0
    made: tuple[tuple[FunctionTarget, ast.Call, Scope], ...] = ()
    """The calls that made the dependencies on the way, each with the function that was called."""

    def down(self, scopes: tuple[str, ...] = ()) -> Way:
        """The way one dependency further."""
        return replace(self, scopes=(*self.scopes, *scopes), depth=self.depth + 1)


class InputReader:
    """Reads the inputs of handlers of one program."""

    def __init__(self, program: Program, instances: Instances, models: Models) -> None:
        self.program = program
        self.instances = instances
        self.models = models
        self.markers = Markers(program)
        self.single = ParameterReader(models)
        self.users = UsersReader(program)

    def function(self, inputs: Inputs, function: FunctionTarget, way: Way, skip_first: bool) -> None:
        """Adds what a handler or dependency takes; the first parameter is left out where it is `self`."""
        if way.depth > _DEPTH:
            inputs.doubt(
                self.program.place(function.node, function.scope), "the dependency depends on itself"
            )
            return
        self.program.saw(function.scope.path)
        if function.node.args.vararg is not None or function.node.args.kwarg is not None:
            # FastAPI asks `inspect.signature`, which such functions are often given by hand.
            wrapped = self._wrapped(function)
            if wrapped is not None:
                self.function(inputs, wrapped, way.down(), wrapped.scope.is_class)
                return
            place = self.program.place(function.node, function.scope)
            inputs.doubt(place, "what *args and **kwargs stand for cannot be known")
        pairs = list(parameters(function.node))
        for node, default in pairs[1:] if skip_first else pairs:
            self._argument(inputs, node, default, function, way)

    def viewed(self, inputs: Inputs, handler: FunctionTarget, way: Way) -> bool:
        """Adds what the class around a handler takes that is registered in its body; whether it gets its object."""
        node, around = handler.scope.node, handler.scope.parent
        if not isinstance(node, ast.ClassDef) or around is None or not node.decorator_list:
            return False
        place = self.program.place(node, around)
        for decorator in node.decorator_list:
            made = uncalled(decorator)
            if not self.program.is_a(self.program.resolve(made, around), VIEWING, {"cbv"}):
                inputs.doubt(place, "what the class's decorator makes of its methods cannot be known")
                return True
        for base in reversed(self.program.ancestry(ClassTarget(node, around))):
            if isinstance(base, ClassTarget):
                self._class_fields(inputs, base, handler, way)
        made_by = self.program.class_member(ClassTarget(node, around), "__init__")
        if isinstance(made_by, FunctionTarget):
            self.function(inputs, made_by, way.down(), skip_first=True)
        return True

    def _class_fields(self, inputs: Inputs, owner: ClassTarget, handler: FunctionTarget, way: Way) -> None:
        for statement in owner.node.body:
            if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
                continue
            if "ClassVar" not in shape_of(self.program, statement.annotation, owner.body).marks:
                field = ast.copy_location(ast.arg(statement.target.id, statement.annotation), statement)
                self._argument(inputs, field, statement.value, replace(handler, scope=owner.body), way)

    def _wrapped(self, function: FunctionTarget) -> FunctionTarget | None:
        """The function whose signature another one takes over by `functools.wraps`."""
        for node in getattr(function.node, "decorator_list", []):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            if self.program.resolve(node.func, function.scope) == External("functools.wraps"):
                found = self.program.resolve(node.args[0], function.scope)
                return found if isinstance(found, FunctionTarget) else None
        return None

    def marked(
        self, inputs: Inputs, call: ast.expr, scope: Scope, way: Way, annotated: Target | None = None
    ) -> None:
        """Adds what a `Depends(…)` or `Security(…)` takes; without an argument it is what the annotation names."""
        target = self._led(self.program.resolve(call, scope), self.program.place(call, scope))
        if isinstance(target, ValueTarget) and target.node is not None:
            call, scope = target.node, target.scope
        call, scope = self.markers.unfolded(call, scope)
        place = self.program.place(call, scope)
        marker = self.markers.name(call, scope)
        if marker not in ("Depends", "Security") or not isinstance(call, ast.Call):
            inputs.doubt(place, "the dependency is computed")
            return
        more: tuple[str, ...] = ()
        if marker == "Security":
            written = argument(call, 1, "scopes")
            scopes = scopes_of(self.program, written, scope, way.made) if written is not None else ()
            inputs.guarded = inputs.guarded or scopes is None
            more = scopes or ()
        inner = argument(call, 0, "dependency")
        depended = annotated
        if inner is not None:
            depended = (
                self.program.resolve(inner, scope)
                or self._held(inner, scope)
                or self.instances.callee(inner, scope)
            )
        self._depended(inputs, depended, place, way.down(more))

    def _argument(
        self, inputs: Inputs, node: ast.arg, default: ast.expr | None, function: FunctionTarget, way: Way
    ) -> None:
        shape = None
        if node.annotation is not None:
            shape = shape_of(self.program, node.annotation, function.scope)
        call, scope = self.markers.of(shape, default, function.scope)
        marker = self.markers.name(call, scope)
        if marker in ("Depends", "Security") and call is not None:
            annotated = shape.members[0].target if shape is not None and len(shape.members) == 1 else None
            self.marked(inputs, call, scope, way, annotated)
            return
        if shape is not None and is_special(self.program, self.instances, inputs, node.arg, shape, function):
            return
        metadata = [self.markers.unfolded(*each) for each in (shape.metadata if shape is not None else ())]
        if (
            call is not None
            and default is not None
            and self.markers.unfolded(default, function.scope)[0] is call
        ):
            metadata, default = [*metadata, (call, scope)], None
        facets = facets_of(self.program, metadata, default, function.scope)
        keeps = isinstance(call, ast.Call) and self.markers.keeps_underscores(call, scope)
        taken = Taken(node.arg, shape, facets, self.program.place(node, function.scope), keeps)
        inputs.own = way.depth == 0
        if marker in ("Body", "Form", "File"):
            self.single.part(inputs, taken, marker.lower())
        elif (facets.alias or node.arg) in way.path or node.arg in way.path:
            self.single.placed(inputs, taken, "path")
        elif marker:
            self.single.placed(inputs, taken, PLACES[marker])
        elif any(is_open(self.program, *each) for each in metadata):
            inputs.doubt(taken.place, "what marks the parameter cannot be known")
            inputs.guarded = True
        else:
            self.single.unmarked(inputs, taken)

    def _held(self, node: ast.expr, scope: Scope) -> Target | None:
        """What the object with the router holds by this name (`Depends(self.guard)`), where that is known."""
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return None
        return self.program.resolve(name_at(f"{node.value.id}.{node.attr}", node), scope)

    def _led(self, target: Target | None, place: Location) -> Target | None:
        """A dependency, also where it is a function or object of an installed distribution."""
        return self.program.outside.lead(self.program, target, place)

    def _depended(self, inputs: Inputs, target: Target | None, place: Location, way: Way) -> None:
        target = self._led(target, place)
        if way.depth > _DEPTH:
            inputs.doubt(place, "the dependency depends on itself")
        elif isinstance(target, FunctionTarget):
            inputs.called.append(target)
            is_method = target.scope.is_class and isinstance(target.node, Function)
            self.function(inputs, target, way.down(), is_method)
        elif isinstance(target, ClassTarget):
            self._class(inputs, target, way)
        elif isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            self._instance(inputs, target.node, target.scope, way)
        elif self._is_injected(target):
            pass
        elif isinstance(target, External) and target.name.startswith("OAuth2PasswordRequestForm"):
            inputs.parts.extend(password_form(place, strict=target.name.endswith("Strict")))
        else:
            inputs.doubt(place, "the dependency is not the project's own")
            inputs.guarded = True

    def _is_injected(self, target: Target | None) -> bool:
        """Whether a container gives a dependency, of which a request says nothing: `Provide[Container.books]`."""
        if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Subscript):
            return False
        made = self.program.resolve(target.node.value, target.scope)
        return isinstance(made, External) and made.root == "dependency_injector"

    def _class(self, inputs: Inputs, target: ClassTarget, way: Way) -> None:
        """A class as a dependency: what its `__init__` takes."""
        made = self.program.class_member(target, "__init__")
        if isinstance(made, FunctionTarget):
            inputs.called.append(made)
            self.function(inputs, made, way.down(), skip_first=True)
            return
        family = self.models.family(target)
        fields = self.models.fields(target) if family in (Family.PYDANTIC, Family.DATACLASS) else None
        for found in fields or []:
            if found.computed:
                continue
            self._field(inputs, target, found, way)
        if fields is None and target.node.bases:
            place = self.program.place(target.node, target.scope)
            inputs.doubt(place, f"what {target.node.name} takes cannot be known")

    def _field(self, inputs: Inputs, owner: ClassTarget, found: ModelField, way: Way) -> None:
        """A field of a class that fills itself, as the parameter of its `__init__` that it becomes."""
        taken = Taken(found.attribute, found.shape, found.facets, found.place)
        written = self.program.class_member(owner, found.attribute)
        default = written.node if isinstance(written, ValueTarget) else None
        scope = written.scope if isinstance(written, ValueTarget) else owner.body
        call, scope = self.markers.of(found.shape, default, scope)
        marker = self.markers.name(call, scope)
        if marker in ("Depends", "Security") and call is not None:
            self.marked(inputs, call, scope, way)
        elif found.attribute in way.path:
            self.single.placed(inputs, taken, "path")
        elif marker in ("Body", "Form", "File"):
            self.single.part(inputs, taken, marker.lower())
        elif marker:
            self.single.placed(inputs, taken, PLACES[marker])
        else:
            self.single.unmarked(inputs, taken)

    def _instance(self, inputs: Inputs, call: ast.Call, scope: Scope, way: Way) -> None:
        """An object as a dependency: a security scheme, or what its `__call__` takes; also what a factory gives."""
        place = self.program.place(call, scope)
        known = self.users.caller(call, scope)
        if known is not None:
            self._depended(inputs, known, place, way)
            return
        function = call.func.value if isinstance(call.func, ast.Subscript) else call.func  # `Kept[Store]()`
        made = self._led(self.program.resolve(function, scope), place)
        scheme = scheme_of(self.program, made, call, scope)
        if scheme is not None:
            inputs.schemes[scheme.name] = scheme.described
            inputs.scopes.setdefault(scheme.name, set()).update(way.scopes if scheme.has_scopes else ())
            inputs.refuses = inputs.refuses or scheme.refuses
        if isinstance(made, ClassTarget):
            called = self.program.class_member(made, "__call__")
            if isinstance(called, FunctionTarget):
                inputs.called.append(called)
                before = (inputs.guarded, inputs.complete, list(inputs.unknown), set(inputs.read_by_hand))
                self.function(inputs, called, way.down(), skip_first=True)
                if scheme is not None:
                    # The scheme's own subclass reads the request to find the credentials that it declares.
                    inputs.guarded, inputs.complete, inputs.unknown, inputs.read_by_hand = before
            elif scheme is None:
                inputs.doubt(place, f"what {made.node.name} does when called cannot be known")
        elif isinstance(made, FunctionTarget):
            results = [self.program.resolve(value, inner) for value, inner in returned(made)]
            inner = replace(way.down(), made=(*way.made, (made, call, scope)))
            self._depended(inputs, results[0] if len(results) == 1 else None, place, inner)
        elif scheme is None:
            inputs.doubt(place, "the dependency is not the project's own")
            inputs.guarded = True
