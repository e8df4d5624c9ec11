"""What a Flask handler demands of each request that it accepts: guards that refuse the others, one after the other."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set

from msgspec.structs import replace

from ingest.web.answers.verdicts import Verdict, call_behind, kept_mistakes, mistakes_of, noted_in, tested
from ingest.web.constants.constants import Missing, constant
from ingest.web.constants.table_rules import settled
from ingest.web.program.targets import FunctionTarget
from ingest.web.requests.conditions import Conditions, Demand, Names
from ingest.web.requests.demands import Demands, Refuses
from ingest.web.requests.refusing import always_ends
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import own_statements
from ingest.web.values.rounds import seen_in_rounds

_COMPREHENSIONS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def demands_of(
    function: FunctionTarget,
    values: RequestValues,
    refuses: Refuses,
    helps: bool = False,
    verdict: Verdict | None = None,
    noted: Set[str] = frozenset(),
) -> Demands:
    """What a handler demands, or a function that `helps` one; nothing where it cannot be told.

    `verdict` is how its caller takes what it gives, `noted` where mistakes are noted for which the caller refuses.
    """
    demands = Demands()
    if isinstance(function.node, Function):
        guards = _Guards(demands, Conditions(values, function.body), function, refuses, helps, verdict, noted)
        guards.block(function.node.body, {})
    free = guards.optional if isinstance(function.node, Function) else set()
    demands.found = [
        d for d in demands.found if d.keyword != "required" or (d.part.place, d.part.name) not in free
    ]
    return demands


class _Guards:
    def __init__(
        self,
        demands: Demands,
        conditions: Conditions,
        function: FunctionTarget,
        refuses: Refuses,
        helps: bool,
        verdict: Verdict | None,
        noted: Set[str],
    ) -> None:
        self.body = function.node.body if isinstance(function.node, Function) else []
        self.verdict = verdict
        self.mistakes = self.refused_for(mistakes_of(self.body)) | (noted & mistakes_of(self.body))
        demands.noted |= {name for name in self.mistakes if "." in name}
        self.helps = helps
        self.optional: set[tuple[str, str]] = set()
        self.demands = demands
        self.conditions = conditions
        self.scope = function.body
        self.refuse = refuses

    def refused_for(self, names: set[str]) -> set[str]:
        """Those of these lists of mistakes that the function, or its caller, refuses for when they hold something."""
        found = set()
        for statement in own_statements(self.body):
            asked = tested(statement.test) if isinstance(statement, ast.If) else None
            if asked is not None and isinstance(asked[0], ast.Name) and asked[1] == "true":
                found |= {asked[0].id}
            if asked is not None and asked[1] == "true" and (kept := kept_mistakes(asked[0])) is not None:
                found |= {kept}
            if isinstance(statement, ast.Return) and self.verdict is not None:
                found |= {name for name in names if self.verdict.gives(statement.value, name)}
        return found & names

    def refuses(self, node: ast.stmt, scope: Scope) -> bool:
        """Whether a statement refuses the request, by itself or by what the caller makes of it."""
        if isinstance(node, ast.Return) and self.verdict is not None and self.verdict.is_refusal(node.value):
            return True
        return noted_in(node) in self.mistakes or self.refuse(node, scope)

    def block(self, statements: Iterable[ast.stmt], names: Names) -> bool:
        """Reads statements that each accepted request passes; false where one of them may accept it early."""
        listed = list(self.live(statements))
        for number, statement in enumerate(listed):
            if isinstance(statement, ast.If) and not statement.orelse and always_ends(statement.body):
                below = listed[number + 1 :]
                if self.leaves(below):
                    # `if asked: return answer` above a refusal.
                    whole = ast.If(test=statement.test, body=statement.body, orelse=below)
                    return self.branch(ast.copy_location(whole, statement), names)
            if not self.statement(statement, names):
                return False
        return True

    def statement(self, node: ast.stmt, names: Names) -> bool:
        match node:
            case ast.Return() | ast.Raise():
                self.passes(node.value if isinstance(node, ast.Return) else None)
                return False
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr():
                self.passes(node.value)
                return True
            case ast.If():
                return self.branch(node, names)
            case ast.For():
                return self.loop(node, names)
            case ast.Try():
                return self.attempt(node, names)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self.passes(item.context_expr)
                return self.block(node.body, names)
            case ast.While() | ast.Match() | ast.AsyncFor() | ast.TryStar():
                return not self.may_accept([node])
        return True

    def live(self, statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
        """The statements without those that a constant keeps from running, such as what a helper is told of a call."""
        for node in statements:
            if not isinstance(node, ast.If):
                yield node
                continue
            test = settled(self.conditions.program, node.test, self.scope)
            if test is None:
                yield node
                continue
            inner = list(self.live(node.body if test else node.orelse))
            yield from inner
            if inner and isinstance(inner[-1], ast.Return | ast.Raise):
                return

    def branch(self, node: ast.If, names: Names) -> bool:
        self.passes(node.test)
        if tested(node.test) is not None and not node.orelse and self.is_without_mistakes(node.test):
            # Who is accepted made none, so that what is done only then is done for all of them.
            return self.block(node.body, names)
        if self.leaves(node.body) and not node.orelse and (asked := tested(node.test)) is not None:
            behind = call_behind(asked[0], self.body)
            if behind is not None:
                self.demands.verdicts[behind[0]] = Verdict(asked[1], behind[1])
        if self.leaves(node.body):
            self.demands.found.extend(self.conditions.passing(node.test, False, names))
            return self.block(node.orelse, names)
        orelse = list(self.live(node.orelse))
        if orelse and self.leaves(orelse):
            self.demands.found.extend(self.conditions.passing(node.test, True, names))
            return self.block(node.body, names)
        absent = self.conditions.absence(node.test, names) if self.helps or orelse else None
        if absent is not None and not orelse and isinstance(node.body[-1], ast.Return):
            # A helper that gives something else for a missing value goes on with those that are there.
            self.optional.add((absent.place, absent.name))
            stands = constant(self.conditions.program, _beside_nothing(node.body[-1].value), self.scope)
            if len(node.body) == 1 and not isinstance(stands, Missing) and stands is not None:
                self.demands.found.append(Demand(absent, "default", stands))
            return True
        present = self.conditions.presence(node.test, names)
        if present is not None:
            if not self.helps and not node.orelse:
                # Who only asks whether it is there goes on without it.
                self.demands.found.append(Demand(present, "optional"))
            self.inside(node.body, (present.place, present.name), names, _counts_null(node.test))
        if absent is not None and orelse:
            self.inside(orelse, (absent.place, absent.name), names, _counts_null(node.test))
        return not self.may_accept([*node.body, *node.orelse])

    def is_without_mistakes(self, test: ast.expr) -> bool:
        """Whether a test asks that no mistake was noted yet."""
        asked = tested(test)
        if asked is None or asked[1] != "false":
            return False
        name = asked[0].id if isinstance(asked[0], ast.Name) else kept_mistakes(asked[0])
        return name in self.mistakes

    def inside(self, body: list[ast.stmt], present: tuple[str, str], names: Names, null: bool) -> None:
        """Limits on a value that are checked where it is there; `null` tells that null counts as not there."""
        for statement in body:
            otherwise: list[ast.stmt] = []
            if isinstance(statement, ast.Try) and all(self.leaves(each.body) for each in statement.handlers):
                self.inside([*statement.body, *statement.orelse], present, names, null)
                continue
            if isinstance(statement, ast.If) and self.leaves(statement.body):
                found = [*self.conditions.passing(statement.test, False, names)]
                otherwise = statement.orelse
            elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr):
                found = self.conversions(statement.value, names)
            elif self.may_accept([statement]):
                return
            else:
                continue
            self.demands.found.extend(
                replace(d, absent=null or d.absent)
                for d in found
                if (d.part.place, d.part.name) == present and d.keyword != "required"
            )
            self.inside(otherwise, present, names, null)

    def conversions(self, node: ast.expr | None, names: Names) -> list[Demand]:
        """What is demanded of values that are turned into others here, such as members of an enumeration."""
        calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)] if node is not None else []
        self.demands.converted.update(calls)
        return [demand for call in calls for demand in self.conditions.chosen(call, names)]

    def loop(self, node: ast.For, names: Names) -> bool:
        outer, conditions, before = self.scope, self.conditions, self.demands.passed
        passed: list[set[ast.AST]] = []
        for inner in seen_in_rounds(conditions.program, node.target, node.iter, outer) or []:
            self.scope, self.conditions = inner, Conditions(conditions.values, inner)
            self.demands.passed = set(before)
            self.round(node.body, names)
            passed.append(self.demands.passed)
        # What only some rounds pass is not certain, since all of them are written with the same words.
        self.demands.passed = before | set.intersection(*passed) if passed else before
        self.scope, self.conditions = outer, conditions
        return not self.may_accept([node])

    def round(self, body: list[ast.stmt], names: Names) -> None:
        """Reads the statements of one round, up to where it may go on to the next one."""
        for number, statement in enumerate(self.live(body)):
            ends = isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Continue)
            if isinstance(statement, ast.If) and ends and not statement.orelse:
                if self.leaves(statement.body[:-1]):
                    self.demands.found.extend(self.conditions.passing(statement.test, False, names))
                    continue
                absent = self.conditions.absence(statement.test, names)
                if absent is not None:
                    behind, null = body[number + 1 :], _counts_null(statement.test)
                    self.inside(behind, (absent.place, absent.name), names, null)
                return
            if not self.statement(statement, names):
                return

    def attempt(self, node: ast.Try, names: Names) -> bool:
        if all(self.leaves(handler.body) or self.fails(node, handler) for handler in node.handlers):
            return self.block([*node.body, *node.orelse, *node.finalbody], names)
        return not self.may_accept([node])

    def fails(self, node: ast.Try, handler: ast.ExceptHandler) -> bool:
        """Whether the function ends here without an answer, which is a failure: it only logs what went wrong."""
        last = not self.helps and bool(self.body) and self.body[-1] is node and not node.finalbody
        return last and not any(isinstance(each, ast.Return) for each in own_statements(handler.body))

    def leaves(self, body: list[ast.stmt]) -> bool:
        """Whether a block always refuses the request, and never accepts it."""
        body = list(self.live(body))
        if not body or self.may_accept(body):
            return False
        last = body[-1]
        if isinstance(last, ast.If) and last.orelse:
            return self.leaves(last.body) and self.leaves(last.orelse)
        return self.refuses(last, self.scope)

    def may_accept(self, body: list[ast.stmt]) -> bool:
        """Whether the handler may be left from here other than by refusing the request."""
        return any(
            isinstance(statement, ast.Return) and not self.refuses(statement, self.scope)
            for statement in own_statements(list(self.live(body)))
        )

    def may_be_absent(self, node: ast.Subscript) -> bool:
        """Whether a value is taken here whose absence the function left early for."""
        found = self.conditions.part(node, {})
        return found is not None and (found.place, found.name) in self.optional

    def passes(self, node: ast.expr | None) -> None:
        """Notes the parts of an expression that are worked out whenever it is."""
        stack: list[ast.AST] = [node] if node is not None else []
        while stack:
            part = stack.pop()
            if not (isinstance(part, ast.Subscript) and self.optional and self.may_be_absent(part)):
                self.demands.passed.add(part)
            if isinstance(part, ast.Call):
                self.demands.found.extend(self.conditions.chosen(part, {}))
            if isinstance(part, ast.BoolOp):
                stack.append(part.values[0])
            elif isinstance(part, ast.IfExp):
                stack.append(part.test)
            elif not isinstance(part, _COMPREHENSIONS):
                stack.extend(ast.iter_child_nodes(part))


def _counts_null(test: ast.expr) -> bool:
    """Whether a test for presence or absence takes null for nothing: `in` and `not in` ask for the name alone."""
    return not (isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In | ast.NotIn))


def _beside_nothing(node: ast.expr | None) -> ast.expr | None:
    """Of a value and the failure that there was not, the value: `return default, None`."""
    match node:
        case (
            ast.Tuple(elts=[value, ast.Constant(value=None)])
            | ast.Tuple(elts=[ast.Constant(value=None), value])
        ):
            return value
    return node
