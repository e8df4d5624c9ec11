"""What a request must be like to pass a test that refuses it: which values must be there, and within which limits."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from graph.facts import Json
from ingest.web.constants.constants import Missing, enum_members
from ingest.web.constants.enums import is_enum
from ingest.web.constants.matching import matched_by
from ingest.web.constants.table_rules import known_value, settled
from ingest.web.program.nulls import is_none
from ingest.web.program.targets import ClassTarget
from ingest.web.requests.checked_types import checked_type, compared_type
from ingest.web.requests.parts import Part
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.scopes import Scope
from ingest.web.values.rounds import seen_in_rounds

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


class Demand(msgspec.Struct, frozen=True):
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

    def chosen(self, call: ast.Call, names: Names) -> Iterator[Demand]:
        """The values of an enumeration's members, where a call makes a member of a part of the request."""
        if len(call.args) != 1 or call.keywords:
            return
        target = self.program.resolve(call.func, self.scope)
        if not isinstance(target, ClassTarget) or not is_enum(self.program, target):
            return
        found, members = self._named(call.args[0], names), enum_members(self.program, target)
        if found is not None and members and found.place != "path":
            yield Demand(found, "enum", list(dict.fromkeys(members.values())))

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
        known = [settled(self.program, value, self.scope) for value in test.values]
        if False in known:
            return
        open_ = [value for value, held in zip(test.values, known, strict=True) if held is None]
        if len(open_) == 1 < len(test.values):
            yield from self.passing(open_[0], False, names)
            return
        present = {(p.place, p.name) for v in open_ if (p := self.presence(v, names)) is not None}
        asked = [v for v in open_ if self.presence(v, names) is not None]
        # Who asks only whether it is there, takes null for a value.
        null = not all(isinstance(v, ast.Compare) and isinstance(v.ops[0], ast.In) for v in asked)
        others = [v for v in open_ if v not in asked]
        if len(others) == 1 and present:
            for demand in self.passing(others[0], False, names):
                if (demand.part.place, demand.part.name) in present and demand.keyword != "required":
                    yield replace(demand, absent=null or demand.absent)

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
        if kind is ast.NotIn and is_none(left):
            for element in right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else []:
                if (found := self._named(element, names)) is not None:
                    yield Demand(found, "required")
            return
        if (typed := compared_type(left, kind)) is not None:
            found = self.part(typed, names)
            yield from self._of_type(found, right, self.scope) if found is not None else ()
            return
        value = known_value(self.program, right, self.scope)
        if isinstance(value, Missing):
            mirrored = _MIRRORED.get(kind)
            value = known_value(self.program, left, self.scope)
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
        elif kind is ast.In and isinstance(value, list | dict) and found.name:
            value = list(value)
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
            yield from self._of_type(found, test.args[1], self.scope) if found is not None else ()
        elif name == "all" and len(test.args) == 1:
            yield from self._each(test.args[0], True, names)
        elif (matched := matched_by(self.program, test, self.scope)) is not None:
            text, pattern = matched
            found = self.part(text, names)
            if found is not None and found.name:
                yield Demand(found, "pattern", pattern)
        elif (found := self.part(test, names)) is not None:
            yield Demand(found, "required")

    def _of_type(self, part: Part, node: ast.expr, scope: Scope) -> Iterator[Demand]:
        """What is demanded of a value that is of a class, or of one of several."""
        kind, null = checked_type(self.program, node, scope)
        if kind:
            if not part.given and not null:
                yield Demand(part, "required")
            yield Demand(part, "type", kind, absent=null)

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
        if len(node.generators) != 1:
            return
        for inner in seen_in_rounds(self.program, only.target, only.iter, self.scope) or []:
            conditions = Conditions(self.values, inner)
            passed = [each for each in only.ifs if conditions.presence(each, names) is None]
            if holds or not passed:
                yield from conditions.each_round(test, only.ifs, holds, names)

    def each_round(
        self, test: ast.expr, conditions: list[ast.expr], holds: bool, names: Names
    ) -> Iterator[Demand]:
        """What a test of one round demands, of which only those are made that meet the conditions."""
        whole = ast.copy_location(ast.BoolOp(ast.And(), [*conditions, test]), test) if conditions else test
        if not conditions or not holds:
            yield from self.passing(whole, holds, names)

    def _missing(self, test: ast.Name) -> list[Demand] | None:
        """What must be there where `missing = [name for name in NAMES if name not in data]` must be empty."""
        bindings = self.scope.bindings.get(test.id, [])
        value = bindings[0].value if len(bindings) == 1 else None
        if (
            not isinstance(value, ast.ListComp | ast.SetComp | ast.DictComp)
            or len(value.generators) != 1
            or len(value.generators[0].ifs) != 1
        ):
            return None
        only = value.generators[0]
        named = value.key if isinstance(value, ast.DictComp) else value.elt
        plain = ast.GeneratorExp(named, [ast.comprehension(only.target, only.iter, [], 0)])
        return list(self._over(ast.copy_location(plain, value), only.ifs[0], False, {}))


def _lengths(part: Part, kind: type[ast.cmpop], value: int) -> Iterator[Demand]:
    if kind in (ast.LtE, ast.Lt):
        yield Demand(part, "longest", value if kind is ast.LtE else value - 1)
    elif kind in (ast.GtE, ast.Gt):
        yield Demand(part, "shortest", value if kind is ast.GtE else value + 1)
    elif kind is ast.Eq:
        yield Demand(part, "longest", value)
        yield Demand(part, "shortest", value)
