"""Which part of a Flask request an expression is: the body, one of its fields, an argument of the query, …"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import starmap

from msgspec.structs import replace

from graph.facts import Json
from ingest.web.constants.constants import MISSING, Constant, Missing, constant
from ingest.web.program.calls import argument, named_arguments
from ingest.web.program.functions import assigned_in
from ingest.web.program.methods import owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.project_calls import all_given
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget, Target
from ingest.web.requests.parts import (
    BODIES,
    Part,
    are_bodies,
    before,
    instead,
    is_nothing,
    merged,
    plain,
    put_in,
)
from ingest.web.requests.rewriting import CONVERSIONS, TEXT_METHODS, formed_of, rewritten
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned
from ingest.web.values.specialised import called_by

_DEPTH = 10
_REQUEST = frozenset({"flask.request", "flask.globals.request", "flask_restful.request"})
_MAPPINGS = {"args": "query", "headers": "header", "cookies": "cookie", "form": "form"}
_COPYING = frozenset({"copy", "to_dict"})


class RequestValues:
    """Recognises parts of the request in one function's expressions."""

    def __init__(self, program: Program, instances: Instances) -> None:
        self.program = program
        self.instances = instances
        self.aliases: dict[tuple[ast.AST, str], Part] = {}
        self.kept: dict[tuple[ast.AST, str], Part] = {}

    def is_request(self, node: ast.expr, scope: Scope) -> bool:
        """Whether this expression is `flask.request`, also as functions hand it on, or as objects keep it."""
        target = self.program.resolve(node, scope)
        if target is None and isinstance(node, ast.Attribute) and "req" in node.attr.lower():
            return self._keeps_request(node, scope)
        if isinstance(target, ParameterTarget) and "req" in target.name.lower():
            placed = all_given(self.program, target)
            return bool(placed) and all(map(_is_flasks, starmap(self.program.resolve, placed or ())))
        return _is_flasks(target)

    def _keeps_request(self, node: ast.Attribute, scope: Scope) -> bool:
        """Whether an object keeps the request under this name, which it was made with (`self.request = request`)."""
        target = self.program.resolve(node.value, scope)
        owner = owner_of_self(target) if isinstance(target, ParameterTarget) else None
        kept = assigned_in(owner).get(node.attr, []) if owner is not None else []
        return bool(kept) and all(
            isinstance(value, ast.Name) and self.is_request(value, inner) for _, value, inner in kept
        )

    def enter(self, called: FunctionTarget, call: ast.Call, scope: Scope) -> None:
        """Notes what a function that is called is given of the request; Flask's is nobody's argument."""

    @contextmanager
    def given(self, called: FunctionTarget, call: ast.Call, scope: Scope, depth: int = 0) -> Iterator[bool]:
        """While this lasts, a function's parameters stand for the single values that this call gives them, if any."""
        added = []
        for name, value in named_arguments(call, called):
            key = (called.node, name)
            part = (
                self.of(value, scope, None, max(depth + 1, _DEPTH - 3)) if key not in self.aliases else None
            )
            if part is not None and part.name:
                self.aliases[key] = part
                added.append(key)
        try:
            yield bool(added)
        finally:
            for key in added:
                self.aliases.pop(key, None)

    def is_loaded(self, node: ast.Call, scope: Scope) -> bool:
        """Whether a call reads the body's bytes as JSON (`json.loads(request.data)`)."""
        if self.program.resolve(node.func, scope) != External("json.loads") or len(node.args) != 1:
            return False
        given = node.args[0]
        match given:
            case ast.Call(func=ast.Attribute(value=inner, attr="decode")):
                given = inner
        if (
            isinstance(given, ast.Call)
            and isinstance(given.func, ast.Attribute)
            and given.func.attr == "get_data"
        ):
            return self.is_request(given.func.value, scope)
        return (
            isinstance(given, ast.Attribute) and given.attr == "data" and self.is_request(given.value, scope)
        )

    def of(
        self, node: ast.expr | None, scope: Scope, names: Mapping[str, Json] | None = None, depth: int = 0
    ) -> Part | None:
        """The part of the request that an expression is; `names` gives the values of a loop's variables."""
        if node is None or depth > _DEPTH:
            return None
        match node:
            case ast.NamedExpr(value=inner):
                return self.of(inner, scope, names, depth + 1)
            case ast.Name():
                return self._named(node, scope, depth)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Subscript():
                owner = self.of(node.value, scope, names, depth + 1)
                name = self.key(node.slice, scope, names)
                if owner is None or owner.name or name is None:
                    return None
                return Part(owner.place, name, plain(owner.place), given=True)
            case ast.IfExp(body=body, orelse=orelse):
                return self._either(body, orelse, scope, depth)
            case ast.BoolOp(op=ast.And(), values=values):
                last = self.of(values[-1], scope, names, depth + 1)
                return last if last is not None and not last.name else None
            case ast.BoolOp(op=ast.Or()):
                if (whole := self._either(node.values[0], node.values[-1], scope, depth)) is not None:
                    return whole
                first = self.of(node.values[0], scope, names, depth + 1)
                others = [constant(self.program, each, scope) for each in node.values[1:]]
                filled = any(isinstance(each, Missing) for each in others)
                default = others[-1] if len(others) == 1 else MISSING
                return (
                    replace(first, given=True, default=default, filled=filled) if first is not None else None
                )
            case ast.Call():
                return self._call(node, scope, names, depth)
        return None

    def _either(self, first: ast.expr, other: ast.expr, scope: Scope, depth: int) -> Part | None:
        """All of the body, where it is one of two: JSON or a form, or nothing where there is none."""
        parts = [self.of(each, scope, None, depth + 1) for each in (first, other)]
        found = [part for part in parts if part is not None and not part.name and part.place in BODIES]
        nothing = [each for each, part in zip((first, other), parts, strict=True) if part is None]
        if not found or not all(isinstance(each, ast.Dict) and not each.keys for each in nothing):
            return None
        return found[0] if len({part.place for part in found}) == 1 else Part("json")

    def key(self, node: ast.expr | None, scope: Scope, names: Mapping[str, Json] | None) -> str | None:
        """The constant text of a key."""
        if isinstance(node, ast.Name) and names and node.id in names:
            value: Constant = names[node.id]
        else:
            value = constant(self.program, node, scope)
        return value if isinstance(value, str) else None

    def _named(self, node: ast.Name, scope: Scope, depth: int) -> Part | None:
        bindings = before(node, scope.bindings.get(node.id, []))
        if len(bindings) == 1 and bindings[0].how is Bound.PARAMETER:
            return self.aliases.get((scope.node, node.id))
        if len(bindings) == 1 and isinstance(bindings[0].given, tuple):
            call, number = bindings[0].given
            return self._one_of_several(call, number, scope, depth)
        if not bindings or any(b.how is not Bound.VALUE or b.value is None for b in bindings):
            return None
        found: Part | None = None
        for binding in bindings:
            if isinstance(binding.value, ast.Dict) and not binding.value.keys:
                continue
            if (
                found is not None
                and (kind := rewritten(self.program, binding.value, node.id, scope)) is not None
            ):
                found = replace(found, type=kind or found.type)
                continue
            part = self.of(binding.value, scope, None, depth + 1)
            if part is not None and found is not None and part != found and are_bodies(part, found):
                found = Part("json")
                continue
            if part is None or (found is not None and part != found):
                return None
            found = part
        if found is None or are_bodies(found):
            return merged(found, self._put_into(node.id, scope, depth))
        return found

    def _put_into(self, name: str, scope: Scope, depth: int) -> list[Part]:
        """The bodies whose fields are all put into the object that a name stands for: `data.update(request.form)`."""
        given = [each for call in scope.calls if (each := put_in(call, name)) is not None]
        parts = [self.of(each, scope, None, depth + 1) for each in given]
        return [part for part in parts if part is not None and are_bodies(part)]

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Part | None:
        if not self.is_request(node.value, scope):
            return self._kept_by_object(node, scope) if self.kept else None
        if node.attr == "json":
            return Part("json")
        return Part(_MAPPINGS[node.attr]) if node.attr in _MAPPINGS else None

    def _kept_by_object(self, node: ast.Attribute, scope: Scope) -> Part | None:
        """The body that an object was made with, as one of its methods names it (`self.payload`)."""
        target = self.program.resolve(node.value, scope)
        owner = owner_of_self(target) if isinstance(target, ParameterTarget) else target
        if not isinstance(owner, ClassTarget):
            return None
        above = [each for each in self.program.ancestry(owner) if isinstance(each, ClassTarget)]
        found = [self.kept[each.node, node.attr] for each in above if (each.node, node.attr) in self.kept]
        return found[0] if found else None

    def _call(
        self, node: ast.Call, scope: Scope, names: Mapping[str, Json] | None, depth: int
    ) -> Part | None:
        function = node.func
        if self.is_loaded(node, scope):
            return Part("json")
        if isinstance(function, ast.Attribute):
            if function.attr == "get_json" and self.is_request(function.value, scope):
                return Part("json")
            owner = self.of(function.value, scope, names, depth + 1)
            if owner is None:
                return self._helped(node, scope, depth)
            if not owner.name and function.attr in _COPYING and not node.args:
                return owner
            if owner.name:
                text = owner.type in ("", "string") and function.attr in TEXT_METHODS and not node.args
                return replace(owner, type="string") if text else None
            return self._got(node, function.attr, owner, scope, names)
        if isinstance(function, ast.Name) and function.id in CONVERSIONS and len(node.args) == 1:
            inner = self.of(node.args[0], scope, names, depth + 1)
            target = self.program.resolve(function, scope)
            if inner is None or not inner.name or target != External(f"builtins.{function.id}"):
                return None
            # What stands in JSON may be converted from another type, only text is certain to be what it says.
            return inner if inner.place == "json" else replace(inner, type=CONVERSIONS[function.id])
        if (
            isinstance(function, ast.Name)
            and function.id == "dict"
            and len(node.args) == 1
            and not node.keywords
        ):
            inner = self.of(node.args[0], scope, names, depth + 1)
            return inner if inner is not None and not inner.name else None
        return self._helped(node, scope, depth)

    def formed(self, node: ast.Call, scope: Scope) -> Part | None:
        """The part that a call turns into a value of Python's, which its text must have the form of."""
        form = formed_of(self.program, node, scope)
        inner = self.of(node.args[0], scope) if form else None
        return replace(inner, type="string", form=form) if inner is not None and inner.name else None

    def _got(
        self, node: ast.Call, method: str, owner: Part, scope: Scope, names: Mapping[str, Json] | None
    ) -> Part | None:
        name = self.key(argument(node, 0, "key"), scope, names)
        if method not in ("get", "pop") or name is None:
            return None
        written = argument(node, 1, "default")
        default = constant(self.program, written, scope)
        kind = plain(owner.place)
        converted = argument(node, 2, "type")
        if converted is not None:
            kind = CONVERSIONS.get(converted.id, "?") if isinstance(converted, ast.Name) else "?"
        given = written is not None and default is not None
        filled = written is not None and isinstance(default, Missing)
        return Part(owner.place, name, kind, MISSING if default is None else default, given, filled)

    def _helped(self, node: ast.Call, scope: Scope, depth: int) -> Part | None:
        """What a helper of the project returns: the whole body, or one value."""
        called = called_by(self.instances, node, scope)
        if not isinstance(called, FunctionTarget):
            return None
        stands: list[Constant] = []
        found: set[Part | None] = set()
        with self.given(called, node, scope, depth):
            for value, inner, known in self._results(called):
                if isinstance(known, Missing):
                    found.add(self.of(value, inner, None, depth + 1))
                else:
                    stands.append(known)
        if len(found) > 1 and all(each is not None and are_bodies(each) for each in found):
            found = {Part("json")}
        only = found.pop() if len(found) == 1 else None
        if only is None or (not only.name and stands):
            return None
        return instead(only, stands) if only.name else only

    def _one_of_several(self, call: ast.Call, number: int, scope: Scope, depth: int) -> Part | None:
        """A whole part that a helper gives back at one place of a tuple: `body, problem = read(request)`."""
        called = called_by(self.instances, call, scope)
        if not isinstance(called, FunctionTarget):
            return None
        self.enter(called, call, scope)
        found: set[Part | None] = set()
        with self.given(called, call, scope, depth):
            for value, inner, _ in self._results(called):
                given = (
                    value.elts[number] if isinstance(value, ast.Tuple) and number < len(value.elts) else None
                )
                if not is_nothing(given):
                    found.add(self.of(given, inner, None, depth + 1))
        only = found.pop() if len(found) == 1 else None
        return only if only is not None and not only.name else None

    def _results(self, called: FunctionTarget) -> list[tuple[ast.expr, Scope, Constant]]:
        """What a function returns, each expression with its scope and the value that it always has, if any."""

        def results() -> list[tuple[ast.expr, Scope, Constant]]:
            return [(value, inner, constant(self.program, value, inner)) for value, inner in returned(called)]

        return self.program.remember(("results", called.node, self.program.follows), results)


def _is_flasks(target: Target | None) -> bool:
    return isinstance(target, External) and target.dotted in _REQUEST
