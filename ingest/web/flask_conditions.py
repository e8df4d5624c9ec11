"""What a request must be like to pass a test that refuses it: which values must be there, and within which limits."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from graph.facts import Json
from ingest.web.constants import Missing, constant
from ingest.web.flask_values import Part, RequestValues
from ingest.web.matching import matched_by
from ingest.web.scopes import Scope
from ingest.web.targets import External

_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_LIMITS: dict[type[ast.cmpop], str] = {
    ast.Lt: "exclusiveMaximum",
    ast.LtE: "maximum",
    ast.Gt: "exclusiveMinimum",
    ast.GtE: "minimum",
}
Names = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that is demanded of a part of the request: `required` or a keyword of JSON Schema; or its `default`.

    `absent` tells that it is demanded only of what is not null.
    """

    part: Part
    keyword: str
    value: Json = True
    absent: bool = False


class Conditions:
    """Reads the tests of one function."""

    def __init__(self, values: RequestValues, scope: Scope) -> None:
        self.values = values
        self.program = values.program
        self.scope = scope

    def part(self, node: ast.expr, names: Names) -> Part | None:
        """The part of the request that an expression of this function is."""
        return self.values.of(node, self.scope, names)

    def passing(self, test: ast.expr, holds: bool, names: Names) -> Iterator[Demand]:
        """What is certain of a request for which the test holds (or does not)."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                yield from self.passing(inner, not holds, names)
            case ast.BoolOp(op=ast.And()) if not holds:
                yield from self._unless_absent(test, names)
            case ast.BoolOp(op=operator):
                if isinstance(operator, ast.And) is holds:
                    for value in test.values:
                        yield from self.passing(value, holds, names)
            case ast.Compare():
                yield from self._compared(test, holds, names)
            case ast.Call():
                yield from self._called(test, holds, names)
            case ast.Name() if not holds and (missing := self._missing(test)) is not None:
                yield from missing
            case _:
                found = self.part(test, names)
                if holds and found is not None:
                    yield Demand(found, "required")

    def presence(self, test: ast.expr, names: Names) -> Part | None:
        """The part whose presence (or type) a test asks for, as `if name:` and `if "name" in data:` do."""
        match test:
            case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
                return self._member(left, right, names)
            case ast.Compare(
                left=left, ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]
            ):
                return self._named(left, names)
            case ast.Call(func=ast.Name(id="isinstance"), args=[first, _]):
                return self._named(first, names)
        return self._named(test, names)

    def absence(self, test: ast.expr, names: Names) -> Part | None:
        """The part whose absence a test asks for: `if name is None:`, `if not name:`, `if "name" not in data:`."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self.presence(inner, names)
            case ast.Compare(left=left, ops=[ast.NotIn()], comparators=[right]):
                return self._member(left, right, names)
            case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]):
                return self._named(left, names)
        return None

    def _named(self, node: ast.expr, names: Names) -> Part | None:
        found = self.part(node, names)
        return found if found is not None and found.name else None

    def _member(self, left: ast.expr, right: ast.expr, names: Names) -> Part | None:
        if (
            isinstance(right, ast.Call)
            and isinstance(right.func, ast.Attribute)
            and right.func.attr == "keys"
        ):
            right = right.func.value
        owner, name = self.part(right, names), self.values.key(left, self.scope, names)
        return Part(owner.place, name) if owner is not None and not owner.name and name else None

    def _unless_absent(self, test: ast.BoolOp, names: Names) -> Iterator[Demand]:
        """`if name and len(name) > 50` refuses: what holds of the value if it is there at all."""
        settled = [self._settled(value) for value in test.values]
        if False in settled:
            return
        open_ = [value for value, known in zip(test.values, settled, strict=True) if known is None]
        if len(open_) == 1 < len(test.values):
            yield from self.passing(open_[0], False, names)
            return
        present = {(p.place, p.name) for v in open_ if (p := self.presence(v, names)) is not None}
        null = not any(isinstance(v, ast.Compare) and isinstance(v.ops[0], ast.In) for v in open_)
        others = [v for v in open_ if self.presence(v, names) is None]
        if len(others) == 1 and present:
            for demand in self.passing(others[0], False, names):
                if (demand.part.place, demand.part.name) in present and demand.keyword != "required":
                    yield replace(demand, absent=null)

    def _settled(self, test: ast.expr) -> bool | None:
        """Whether `limit is not None` holds where it is known what the limit is."""
        match test:
            case ast.Compare(
                left=left, ops=[ast.IsNot() | ast.Is() as operator], comparators=[ast.Constant(value=None)]
            ):
                value = constant(self.program, left, self.scope)
                return None if isinstance(value, Missing) else (value is None) is isinstance(operator, ast.Is)
        return None

    def _compared(self, test: ast.Compare, holds: bool, names: Names) -> Iterator[Demand]:
        pairs = list(zip([test.left, *test.comparators[:-1]], test.ops, test.comparators, strict=True))
        if not holds and len(pairs) > 1:
            return
        for left, operator, right in pairs:
            kind: type[ast.cmpop] | None = type(operator)
            if not holds:
                kind = _NEGATED.get(type(operator))
            if kind is not None:
                yield from self._one(left, kind, right, names)

    def _one(self, left: ast.expr, kind: type[ast.cmpop], right: ast.expr, names: Names) -> Iterator[Demand]:
        if kind is ast.In and (member := self._member(left, right, names)) is not None:
            yield Demand(member, "required")
            return
        if kind is ast.NotIn and isinstance(left, ast.Constant) and left.value is None:
            for element in right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else []:
                if (found := self._named(element, names)) is not None:
                    yield Demand(found, "required")
            return
        value = constant(self.program, right, self.scope)
        if isinstance(value, Missing):
            mirrored = _MIRRORED.get(kind)
            value = constant(self.program, left, self.scope)
            if mirrored is None or isinstance(value, Missing):
                return
            left, kind = right, mirrored
        yield from self._against(left, kind, value, names)

    def _against(self, node: ast.expr, kind: type[ast.cmpop], value: Json, names: Names) -> Iterator[Demand]:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            inner = self._named(node.args[0], names) if len(node.args) == 1 else None
            if inner is not None and isinstance(value, int):
                yield from _lengths(inner, kind, value)
            return
        found = self.part(node, names)
        if found is None:
            return
        if value is None:
            if kind in (ast.IsNot, ast.NotEq):
                yield Demand(found, "required")
        elif kind is ast.In and isinstance(value, list) and found.name:
            if not found.given and None not in value:
                yield Demand(found, "required")
            yield Demand(found, "enum", value)
        elif (
            kind in _LIMITS and found.name and isinstance(value, int | float) and not isinstance(value, bool)
        ):
            yield Demand(found, _LIMITS[kind], value)

    def _called(self, test: ast.Call, holds: bool, names: Names) -> Iterator[Demand]:
        name = test.func.id if isinstance(test.func, ast.Name) else ""
        if not holds:
            if name == "any" and len(test.args) == 1:
                yield from self._each(test.args[0], False, names)
            return
        if name == "isinstance" and len(test.args) == 2:
            found = self.part(test.args[0], names)
            kind = self._type(test.args[1])
            if found is not None and kind:
                if not found.given:
                    yield Demand(found, "required")
                yield Demand(found, "type", kind)
        elif name == "all" and len(test.args) == 1:
            yield from self._each(test.args[0], True, names)
        elif (matched := matched_by(self.program, test, self.scope)) is not None:
            text, pattern = matched
            found = self.part(text, names)
            if found is not None and found.name:
                yield Demand(found, "pattern", pattern)
        elif (found := self.part(test, names)) is not None:
            yield Demand(found, "required")

    def _each(self, node: ast.expr, holds: bool, names: Names) -> Iterator[Demand]:
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            for element in node.elts:
                yield from self.passing(element, holds, names)
        elif isinstance(node, ast.GeneratorExp | ast.ListComp):
            yield from self._over(node, node.elt, holds, names)

    def _over(
        self, node: ast.GeneratorExp | ast.ListComp, test: ast.expr, holds: bool, names: Names
    ) -> Iterator[Demand]:
        only = node.generators[0]
        keys = constant(self.program, only.iter, self.scope)
        if len(node.generators) != 1 or not isinstance(only.target, ast.Name) or not isinstance(keys, list):
            return
        for key in keys[:200]:
            yield from self.passing(test, holds, {**names, only.target.id: key})

    def _missing(self, test: ast.Name) -> list[Demand] | None:
        """What must be there where `missing = [name for name in NAMES if name not in data]` must be empty."""
        bindings = self.scope.bindings.get(test.id, [])
        value = bindings[0].value if len(bindings) == 1 else None
        if (
            not isinstance(value, ast.ListComp)
            or len(value.generators) != 1
            or len(value.generators[0].ifs) != 1
        ):
            return None
        return list(self._over(value, value.generators[0].ifs[0], False, {}))

    def _type(self, node: ast.expr) -> str:
        if isinstance(node, ast.Tuple):
            kinds = {self._type(element) for element in node.elts}
            return "number" if kinds == {"integer", "number"} else ""
        target = self.program.resolve(node, self.scope)
        known = isinstance(target, External) and target.root == "builtins"
        return _TYPES.get(target.name, "") if known and isinstance(target, External) else ""


def _lengths(part: Part, kind: type[ast.cmpop], value: int) -> Iterator[Demand]:
    if kind in (ast.LtE, ast.Lt):
        yield Demand(part, "longest", value if kind is ast.LtE else value - 1)
    elif kind in (ast.GtE, ast.Gt):
        yield Demand(part, "shortest", value if kind is ast.GtE else value + 1)
    elif kind is ast.Eq:
        yield Demand(part, "longest", value)
        yield Demand(part, "shortest", value)
