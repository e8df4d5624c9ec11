"""The generator that asks a model what a criterion means, where no rule reads its words; all that it says is checked.

The model never writes code: it names requests of the contract's operations, or a call of a function, in a form that a
JSON schema made of the facts allows, and the test is written, and proved on twins, as if the criterion had told it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from engine.generators.functions.facts import NoTestError, Surface, Surfaces, written_for
from engine.generators.kept import OfLast
from engine.generators.operations.contract import Stages, written
from engine.generators.stories.called import LIKE, called
from engine.generators.stories.criterion import titled
from engine.generators.stories.told import told
from engine.llm import call_forms, calls, requests
from engine.llm.asking import Asker
from engine.llm.client import ModelError
from engine.llm.fences import fence_of
from engine.llm.words import words_of
from graph.facts import Fact, Json, Kind
from planner.cases import Case, Technique
from planner.contracts.operations import Operation
from planner.generator import Context, Declined, Draft
from planner.stories.behaviours import facts_of
from planner.stories.criteria import Criteria
from planner.stories.exchanges import UnclearExchange

_PROMPTS = Path(__file__).parent / "prompts"
_SHOWN = 12

_Shown = TypeVar("_Shown")

Find = Callable[[str], Sequence[str]]
"""Gives the ids of the facts nearest to words, best first."""


class ModelGenerator:
    """The generator that asks a model what a criterion means; it takes what no other generator can write.

    A criterion is read as requests where there is a contract and an application, else as a call of a function. `find`
    is only called where there are more operations or functions than fit into a prompt.
    """

    name = "model"

    def __init__(self, asker: Asker, find: Find) -> None:
        self._asker = asker
        self._find = find
        self._stages = Stages()
        self._surfaces = Surfaces()
        self._criteria = OfLast(Criteria)
        self._functions = OfLast(_functions)

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        return case.technique is Technique.CRITERION and isinstance(case.target.get("criterion"), str)

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        criteria = self._criteria.of(context.source)
        fact = criteria.facts.get(str(case.target["criterion"]))
        if fact is None:
            return Declined(case.id, f"the criterion {case.target['criterion']}, which no story has")
        try:
            if criteria.operations and context.application is not None:
                return self._by_requests(case, fact, criteria, context)
            return self._by_call(case, fact, criteria, context)
        except (ModelError, UnclearExchange, NoTestError) as error:
            return Declined(case.id, str(error))

    def _by_requests(
        self, case: Case, criterion: Fact, criteria: Criteria, context: Context
    ) -> Draft | Declined:
        near = self._near(criterion, {each.fact.id: each for each in criteria.operations})
        prompt = _prompt("requests", criterion, criteria, operations="\n".join(map(_told_operation, near)))
        reply = requests.parsed(self._asker.ask(prompt, requests.schema_of(near)))
        asked = requests.checked(reply, criterion, near)
        last = asked[-1]
        target: dict[str, Json] = {
            "criterion": criterion.id,
            "like": "told",
            "operation": last.operation.key,
            "exchanges": msgspec.to_builtins([each.exchange for each in asked]),
        }
        cites = dict.fromkeys((*case.cites, *facts_of(last.operation, last.exchange.status)))
        read = msgspec.structs.replace(case, target=target, cites=tuple(cites))
        draft = written(read, context, self._stages.of(context.source), titled(told(criterion, criteria)))
        return _with_target(draft, target)

    def _by_call(self, case: Case, criterion: Fact, criteria: Criteria, context: Context) -> Draft | Declined:
        surface = self._surfaces.of(context.source)
        words = words_of(criterion)
        possible = {
            id_: (each, form)
            for id_, each in self._functions.of(surface).items()
            if call_forms.is_near(each, words) and (form := call_forms.form_of(each, words)) is not None
        }
        shown = self._near(criterion, possible)
        if not shown:
            return Declined(case.id, "a function whose words and values the criterion has")
        near = [each for each, _ in shown]
        prompt = _prompt("calls", criterion, criteria, functions=call_forms.listed(near))
        reply = calls.parsed(self._asker.ask(prompt, call_forms.schema_of([form for _, form in shown])))
        call = calls.checked(reply, criterion, near)
        target: dict[str, Json] = {
            "criterion": criterion.id,
            "like": LIKE,
            "function": call.function.id,
            "example": call.source,
            "expected": call.expected,
        }
        cites = tuple(dict.fromkeys((*case.cites, call.function.id)))
        read = msgspec.structs.replace(case, target=target, cites=cites)
        return _with_target(written_for(self._surfaces, read, context, called), target)

    def _near(self, criterion: Fact, shown: Mapping[str, _Shown]) -> list[_Shown]:
        """The things that a criterion may be about, by the ids of their facts: all where these are few."""
        if len(shown) <= _SHOWN:
            return list(shown.values())
        near = [shown[id_] for id_ in self._find(words_of(criterion)) if id_ in shown]
        return near[:_SHOWN]


def _functions(surface: Surface) -> dict[str, Fact]:
    """The functions that a call could be about: those of stubs, and those that only code has."""
    found: dict[str, Fact] = {}
    keys = set()
    for fact in surface.facts.values():
        private = any(part.startswith("_") for part in fact.key.split("."))
        if fact.kind is not Kind.FUNCTION or private or fact.key in keys:
            continue
        if call_forms.callable_with_literals(fact, surface):
            found[fact.id] = fact
            keys.add(fact.key)
    return found


def _with_target(draft: Draft | Declined, target: dict[str, Json]) -> Draft | Declined:
    return msgspec.structs.replace(draft, target=target) if isinstance(draft, Draft) else draft


def _prompt(name: str, criterion: Fact, criteria: Criteria, **facts: str) -> str:
    around = criteria.around(criterion)
    words = f"{words_of(criterion)}\n\nIts story: {around}" if around else words_of(criterion)
    data = {"criterion": words, **facts}
    template = (_PROMPTS / f"{name}.md").read_text(encoding="utf-8")
    return template.format(fence=fence_of("\n".join(data.values())), **data)


def _told_operation(operation: Operation) -> str:
    described: dict[str, Json] = {
        "operation": operation.key,
        "says": str(operation.fact.aspects.get("summary") or ""),
        "parameters": {
            each.name: {"in": each.location, "required": each.required, "schema": _plain(each.schema)}
            for each in operation.parameters
        },
        "body": _plain(operation.body.schema) if operation.body is not None else None,
        "answers": {
            each.status: {"says": each.description, "schema": _plain(each.schema)}
            for each in operation.answers
        },
    }
    return json.dumps(described, ensure_ascii=False)


def _plain(schema: Json) -> Json:
    """A schema without the marks that only we read."""
    if isinstance(schema, dict):
        return {key: _plain(value) for key, value in schema.items() if not key.startswith("x-")}
    return [_plain(each) for each in schema] if isinstance(schema, list) else schema
