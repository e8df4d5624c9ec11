"""Which exceptions leave a function, its own and those of the project's functions that it calls."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.leaving import Leaving
from ingest.web.raising.risks import Risks
from ingest.web.raising.summaries import UNTOLD, Doubt, Summary
from ingest.web.values.instances import Instances

BY_CHOICE = "whether this is reached depends on what a function around was given"
_TOO_LONG = "the chain of calls is too long to be followed"
_DEPTH = 12
_STEPS = 3_000
_MOST_DOUBTS = 50
"""One doubt leaves open what may leave a function as much as hundreds do."""


class Exits:
    """Finds the exceptions that leave functions of one program; of `any_route`, those of all routes together."""

    def __init__(
        self, program: Program, instances: Instances, risks: Risks, *, any_route: bool = False
    ) -> None:
        self.program = program
        self.instances = instances
        self.risks = risks
        self.any_route = any_route
        self._active: list[ast.AST] = []
        self._cut = 0
        self._steps = 0

    def of(self, function: FunctionTarget) -> Summary:
        """What may leave the function when it is called."""
        node = function.node
        if node in self._active:
            self._cut = min(self._cut, self._active.index(node))
            return Summary()
        if not self._active:
            self._steps = 0
            return _settled(self._within(function), function)
        return self._within(function)

    def _within(self, function: FunctionTarget) -> Summary:
        node = function.node
        known = self.program.recall((self.any_route, "exits", node))
        if isinstance(known, Summary):
            return known
        self._steps += 1
        if len(self._active) > _DEPTH or self._steps > _STEPS:
            place = self.program.place(node, function.scope)
            return Summary(doubts=(Doubt(place, _TOO_LONG),))
        return self._of(function)

    def _of(self, function: FunctionTarget) -> Summary:
        level = len(self._active)
        outer, self._cut = self._cut, level
        self._active.append(function.node)
        try:
            with self.program.trail() as paths:
                self.program.saw(function.scope.path)
                summary = self._read(function)
        finally:
            self._active.pop()
            cut, self._cut = self._cut, min(outer, self._cut)
        if len(summary.doubts) > _MOST_DOUBTS:
            summary = replace(summary, doubts=summary.doubts[:_MOST_DOUBTS])
        tired = self._steps > _STEPS
        if cut < level and tired:
            doubt = Doubt(self.program.place(function.node, function.scope), _TOO_LONG)
            summary = replace(summary, doubts=(doubt, *summary.doubts))
        if cut >= level or tired:
            # Inside of a cycle a function is seen with the cycle cut, so only whole answers are kept; and those of
            # which is known that they are not whole, lest every function that leads there goes all the way again.
            self.program.keep((self.any_route, "exits", function.node), summary, paths)
        return summary

    def _read(self, function: FunctionTarget) -> Summary:
        reader = Leaving(
            self.program, self.instances, self.risks, self.of, function, any_route=self.any_route
        )
        if isinstance(function.node, ast.Lambda):
            reader.expression(function.node.body)
            exits = reader.raised
        else:
            exits = reader.block(function.node.body)
        own = tuple(dict.fromkeys(replace(e, via=(function.qualified, *e.via)) for e in exits))
        return Summary(own, tuple(dict.fromkeys(reader.doubts)), (function, *reader.followed.values()))


def _settled(summary: Summary, function: FunctionTarget) -> Summary:
    """A summary as it holds for all that a request may bring: only functions around can still choose a branch."""
    told = tuple(leaving for leaving in summary.exits if leaving.given is None)
    chosen = tuple(e for e in told if any(mode.parameter.scope is not function.body for mode in e.modes))
    if not chosen and len(told) == len(summary.exits):
        return summary
    doubts = [
        *(Doubt(leaving.place, BY_CHOICE) for leaving in chosen),
        *(Doubt(leaving.place, UNTOLD) for leaving in summary.exits if leaving.given is not None),
    ]
    kept = tuple(leaving for leaving in told if leaving not in chosen)
    return Summary(kept, tuple(dict.fromkeys([*summary.doubts, *doubts])), summary.followed, chosen)
