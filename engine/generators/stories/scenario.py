"""Tests of scenarios: their steps are requests, their expectations the assertions."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.generators.operations.answers import equal, place_in
from engine.generators.operations.lists import keys_of
from engine.generators.operations.parts import Parts, ready, succeeds
from engine.generators.operations.requests import Sent, with_value
from engine.generators.operations.scenes import Scene, content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.values.schema_values import NoValueError
from graph.facts import Fact
from planner.cases import Case
from planner.contracts.operations import Operation
from planner.contracts.resources import called, identity_of
from planner.contracts.things import Thing
from planner.generator import Assertion
from planner.stories.criteria import Criteria
from planner.stories.scenarios import Step, UnclearStep, steps_of


def played(criterion: Fact, criteria: Criteria) -> Callable[[Case, Operation, Stage], Parts]:
    """The writer of a scenario's test."""

    def write(case: Case, operation: Operation, stage: Stage) -> Parts:
        try:
            thing, steps = steps_of(criterion, criteria.things, criteria.around(criterion))
        except UnclearStep as error:
            raise NoValueError(str(error)) from error
        return _Play(case, thing, stage).written(steps)

    return write


class _Play:
    """Writes the lines of one scenario; `names` are the variables of the things by their titles."""

    def __init__(self, case: Case, thing: Thing, stage: Stage) -> None:
        key = identity_of(thing.maker, "id")
        if key is None:
            raise NoValueError(f"the field by which a {thing.noun} is found again")
        self._case, self._thing, self._stage, self._key = case, thing, stage, key
        self._scene, self._sent = ready(thing.maker, stage)
        self._names: dict[str, str] = {}

    def written(self, steps: list[Step]) -> Parts:
        """The whole test."""
        expected = [step for step in steps if step.does in ("listed", "empty", "answered", "shows")]
        doing = [step for step in steps if step not in expected]
        lines = [
            each for at, step in enumerate(doing) for each in self._done(step, again=at + 1 < len(doing))
        ]
        if any(step.does == "empty" for step in expected):
            empty = next(step for step in expected if step.does == "empty")
            assert self._thing.lister is not None, "such steps are read only where there is a list"
            lines[:0] = [f"before = {self._listing(empty).call()}", succeeds("before", self._thing.lister)]
        last = len(lines) - len(self._done(doing[-1], again=False)) if len(doing) > 1 else len(lines)
        parts = Parts("", [*self._scene.lines, *lines[:last]], lines[last:], [], self._scene.cites)
        for step in expected:
            call, asserts = self._seen(step)
            if call not in parts.act:
                parts.act.append(call)
            parts.assertions += asserts
        return parts

    def _done(self, step: Step, *, again: bool) -> list[str]:
        """The lines of one action; what is changed once more later is looked at in between."""
        if step.does == "make":
            noun = called(self._thing.maker.path)
            name = noun if not self._names else f"{noun}_{len(self._names) + 1}"
            self._names[step.title] = name
            body = self._sent.body if isinstance(self._sent.body, dict) else {}
            sent = msgspec.structs.replace(self._sent, body={**body, str(self._thing.title()): step.title})
            return [f"{name} = {sent.call()}", succeeds(name, self._thing.maker)]
        operation = self._thing.remover if step.does == "remove" else self._thing.changer
        if operation is None:
            raise NoValueError(f"an operation that does “{step.words}”")
        sent = self._request(operation, step.title)
        if step.does == "change":
            body = sent.body if isinstance(sent.body, dict) else {}
            sent = msgspec.structs.replace(sent, body={**body, step.field: step.value})
        name = "removed" if step.does == "remove" else "changed"
        lines = [f"{name} = {sent.call()}", succeeds(name, operation)]
        if step.does == "change" and again and self._thing.reader is not None:
            read = f"{self._request(self._thing.reader, step.title).call()}.json()"
            lines.append(f"assert {equal(place_in(read, step.field, step.value), step.value)}")
        return lines

    def _seen(self, step: Step) -> tuple[str, list[Assertion]]:
        if step.does in ("answered", "shows"):
            if self._thing.reader is None:
                raise NoValueError(f"an operation that shows “{step.words}”")
            call = f"response = {self._request(self._thing.reader, step.title).call()}"
            text = f"assert response.status_code == {step.status}"
            if step.does == "shows":
                text = f"assert {equal(place_in('response.json()', step.field, step.value), step.value)}"
            return call, [Assertion(text, self._case.cites)]
        assert self._thing.lister is not None, "such steps are read only where there is a list"
        call = f"response = {self._listing(step).call()}"
        ok = Assertion(succeeds("response", self._thing.lister), self._case.cites)
        if step.does == "empty":
            same = "assert response.json() == before.json()"
            return call, [ok, Assertion(same, self._case.cites)]
        place = self._stage.list_in(self._thing.lister) or ""
        there = "not in" if step.negated else "in"
        found = f"assert {self._made(self._names[step.title])} {there} listed"
        keys = Assertion(keys_of("listed", self._key, place), self._case.cites)
        return call, [ok, keys, Assertion(found, self._case.cites)]

    def _made(self, name: str) -> str:
        """The expression for what identifies a thing, of which the answer that made it has this name."""
        return f"{content_of(name, self._thing.maker.success)[0]}[{literal(self._key)}]"

    def _listing(self, step: Step) -> Sent:
        assert self._thing.lister is not None, "such steps are read only where there is a list"
        sent = self._stage.request(self._thing.lister, self._scene)
        member = next((m for m in self._thing.lister.parameters if m.name == step.field), None)
        return sent if member is None else with_value(sent, member, step.value)

    def _request(self, operation: Operation, title: str) -> Sent:
        name = self._names.get(title)
        if name is None:
            raise NoValueError(f"a {self._thing.noun} called “{title}”")
        last = operation.path.rpartition("{")[2].rstrip("}/")
        path = {**self._scene.path, last: self._made(name)}
        scene: Scene = msgspec.structs.replace(self._scene, path=path)
        return self._stage.request(operation, scene)
