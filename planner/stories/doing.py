"""What steps of a scenario do, as requests: things that are made, brought into states, changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import maker_of, singular
from planner.contracts.states import tells_of_twice
from planner.stories.bodies import fields_told, with_choices
from planner.stories.idioms import by_field_names
from planner.stories.naming import Naming
from planner.stories.relative import states_ahead
from planner.stories.retold import Step
from planner.stories.scenarios import UnclearStep
from planner.stories.starting import labelled
from planner.stories.step_words import FILLERS, Token, choices, several, tokens_of, told_value
from planner.stories.tables import listed_in, made_by
from planner.stories.voices import as_act

_HOLDING = frozenset({"has", "have", "had", "holds", "contains", "offers", "owns"})
_BY_NAME = re.compile(r"(?P<name>[A-Z][a-z]+)\s+(?:has\s+|have\s+)?(?=[a-z]+\b)")
_PERSON = re.compile(
    r"(?:the|an?)\s+(?P<who>(?:[a-z]+\s+)??[a-z]+)\s+(?:has\s+|have\s+)?(?=(?!is\b|was\b|has\b)[a-z]+(?:s|ed)\b)",
    re.I,
)
_CHANGED = re.compile(
    r"(?:(?:I|we) (?:change|set|update|rename|correct)s? )?"
    r"(?:its|the (?:(?P<owner>[a-z]+)['’]s )?)\s*(?P<field>`?[\w ]+?`?)"
    r"(?: of the (?P<of>[a-z]+)(?: [\"“][^\"”]+[\"”])?)?"
    r" (?:(?:is|gets) (?:changed|set|updated) )?to (?P<value>[\"“'][^\"”']+[\"”']|-?\d+(?:\.\d+)?|true|false)",
    re.I,
)
_SETS = re.compile(
    r"(?:I|we) (?:set|change|switch|turn|put)s? (?:it|the (?P<noun>[a-z]+)(?: [\"“][^\"”]+[\"”])?)"
    r" to (?P<value>[\"“][^\"”]+[\"”])",
    re.I,
)
_READS = re.compile(
    r"I\s+(?:opens?|reads?|views?|sees?|looks?\s+(?:at|up)|asks?\s+for|fetch(?:es)?|requests?|gets?)\s+the\s+(?P<noun>[a-z]+)"
    r"(?:\s+[\"“][^\"”]+[\"”])?",
    re.I,
)
_MOST = 20
"""How many things a step makes at the most."""
_PARTICLES = frozenset({"out", "up", "back", "away", "off"})


class Doing(Naming):
    """The requests of steps that bring something about, as they are read one after the other."""

    def act(self, told: Step, *, is_given: bool) -> None:
        """One step that brings something about."""
        before, words = len(self._sent), told.words
        match = _BY_NAME.match(words)
        self._actor = self._called(match["name"]) if match is not None else None
        if match is not None and self._actor is not None:
            words = f"I {words[match.end() :]}"
        elif (person := _PERSON.match(words)) is not None and not any(
            map(self._is_noun, [*person["who"].split(), words[person.end() :].split()[0]])
        ):
            words = f"I {words[person.end() :]}"
        self._act(words, is_given=is_given)
        if told.by and len(self._sent) > before:
            self._tell(by=told.by)
        elif self._actor is not None and not self._is_named_since(before):
            raise UnclearStep(f"how the service knows who does “{told.words}”")

    def _act(self, step: str, *, is_given: bool) -> None:
        if is_given and (rows := made_by(step, self._things)) is not None:
            for body in rows[1]:
                self._send_body(rows[0].maker, body, step)
            return
        if is_given and self._people_made(step):
            return
        listed = listed_in(step)
        step = listed[0] if listed is not None else step
        if "\n|" in step:
            raise UnclearStep(f"what the table below “{step.splitlines()[0]}” tells")
        step = self._with_nouns(self._first_named(step, is_given=is_given))
        step = states_ahead(step, self._acting)
        if (changed := self._changed(step)) is not None:
            self._send_change(*changed, step)
            return
        tokens = tokens_of(step)
        if is_given and (acts := self._acting.brought(tokens, [each for each, _ in self._sent])):
            self._stands = True
            for act in acts:
                self._send(act, [], step, arranges=True)
            return
        step, operation, used = self._understood(step, is_given=is_given)
        tokens = tokens_of(by_field_names(step, operation))
        if is_given and (many := several(tokens, self._nouns)):
            if not self._make_several(many, operation, tokens, step):
                raise UnclearStep(f"which {many} “{step}” speaks of")
            return
        tokens = with_choices(operation, tokens)
        stands = self._acting.stands(tokens, operation) if is_given else None
        noun = self._acting.noun_of(operation) if is_given else ""
        self._stands = self._stands or any(
            self._acting.standing(noun, each.text) is not None for each in tokens
        )
        act = operation
        operation = self._made_before(act) if is_given else act
        after = [] if operation is act else [act]
        joiner = self._joiner(operation, tokens) if is_given and not after else None
        is_new = is_given and any(each.maker.key == operation.key for each in self._things)
        if joiner is not None:  # `a cart with 2 of "TEA-100"`
            self._send(operation, [], step)
            tokens = [each for each in tokens if each.text not in used]
            operation = joiner
        self._make_named(operation, tokens, step)
        named = self._send(operation, tokens, step, arranges=is_new)
        if listed is not None:
            self._list_in_body(listed[1], listed[2], step)
        for each in (*(stands.acts if stands is not None else ()), *after):
            self._send(each, [], step, arranges=True)
        used |= {stands.word} if stands is not None else set()
        places = named | {each.text for each in tokens if each.is_value}
        fillers = FILLERS | _HOLDING if is_given else FILLERS
        left = {each.text for each in tokens if not each.is_value} - used - places - fillers
        left = {each for each in left if singular(each) not in self._nouns | places}
        left -= set(words_of(str(operation.fact.aspects.get("summary") or "")))
        left -= _PARTICLES | fields_told(operation, step) if self._arranges else set()
        if left:
            raise UnclearStep(f"what “{' '.join(sorted(left))}” says in “{step}”")

    def _make_several(self, many: str, operation: Operation, tokens: Sequence[Token], step: str) -> bool:
        """Whether a step makes so many things at once: `an apiary with 3 hives`, `I add 5 extras to the order`.

        Not where a contract says that none may be there twice: how they are told apart is not said.
        """
        count = next((each.value for each in tokens if isinstance(each.value, int)), 0)
        makers = [each.maker for each in self._things if each.noun == singular(many)]
        if (
            len(makers) != 1
            or not 0 < count <= _MOST
            or any(tells_of_twice(each.words) for each in makers[0].answers)
        ):
            return False
        if makers[0] is not operation:
            self._send(operation, [each for each in tokens if each.value != count], step, arranges=True)
        for _ in range(count):
            self._send(makers[0], [], step, arranges=True)
        return True

    def _is_named_since(self, before: int) -> bool:
        """Whether a request since then names who acts, whom an earlier one made, or nothing has to tell who asks."""
        sent = self._sent[before:]
        named = {source[0] for _, each in sent for source in (*each.sources.values(), *each.names.values())}
        return self._actor in named or not any(operation.secured for operation, _ in sent)

    def _understood(self, step: str, *, is_given: bool) -> tuple[str, Operation, set[str]]:
        """The step as an act, its operation, and the words by which that is known. Raises UnclearStep."""
        try:
            return step, *self._acting.operation(tokens_of(step), step, is_given=is_given)
        except UnclearStep:
            act = as_act(step)
            reader = self._reader(step) if not act and not is_given else None
            if reader is not None:
                return step, reader, {each.text for each in tokens_of(step)[1:2]}
            if not act:
                raise
        return act, *self._acting.operation(tokens_of(act), step, is_given=is_given)

    def _reader(self, step: str) -> Operation | None:
        """What reads the thing that a step looks at: `I open the poll "Where?"`; None where it says nothing of that."""
        match = _READS.fullmatch(step)
        found = [each.reader for each in self._things if match and each.noun == match["noun"].lower()]
        return found[0] if len(found) == 1 else None

    def _made_before(self, act: Operation) -> Operation:
        """What makes the thing that an act is for, where none was made: `Given I have published the poll "Where?"`."""
        if any(each.maker.key == act.key for each in self._things):
            return act  # What it is within is arranged.
        names = PARAMETER.findall(act.path)
        found = (
            maker_of(act.path, names[0], self._operations)
            if len(names) == 1 and act.method != "GET"
            else None
        )
        is_thing = found is not None and any(each.maker.key == found[0].key for each in self._things)
        if found is None or not is_thing or self._made_by(found[0]) or "{" in found[0].path:
            return act
        return found[0]

    def _changed(self, step: str) -> tuple[Operation, str, dict[str, Json], str] | None:
        """What changes a field of a thing that was made, the field and the value, where a step says so."""
        match = _CHANGED.fullmatch(step)
        if match is None:
            return self._set(step)
        owner = singular((match["owner"] or match["of"] or "").lower())
        made = {each.key for each, _ in self._sent}
        found = [
            (each.changer, name, schema)
            for each in self._things
            if each.changer is not None and each.maker.key in made and owner in ("", each.noun)
            for name, schema in each.changes().items()
            if labelled(name).fullmatch(match["field"].strip("` "))
        ]
        return (*found[0], match["value"]) if len(found) == 1 else None

    def _set(self, step: str) -> tuple[Operation, str, dict[str, Json], str] | None:
        """What changes the field of a thing of which a value is a choice: `I set the plot to "resting"`."""
        match = _SETS.fullmatch(step)
        noun = (match["noun"] or "").lower() if match is not None else ""
        made = {each.key for each, _ in self._sent}
        found = [
            (each.changer, name, schema)
            for each in self._things
            if match and each.changer is not None and each.maker.key in made and noun in ("", each.noun)
            for name, schema in each.changes().items()
            if match["value"].strip('"“”') in choices(schema)
        ]
        return (*found[0], match["value"]) if match is not None and len(found) == 1 else None

    def _send_change(
        self, changer: Operation, field: str, schema: dict[str, Json], value: str, step: str
    ) -> None:
        named = [each for each in tokens_of(step) if isinstance(each.value, str)]
        self._send(changer, [each for each in named if self._made_so(str(each.value))], step)
        self._tell_body({field: told_value(value, schema, step)})
        self._tell(completed=changer.method == "PUT")

    def _send_body(self, operation: Operation, body: dict[str, Json], step: str) -> None:
        """The request with a body that is told as a whole, or completed."""
        self._send(operation, [], step)
        self._tell_body(body)

    def _list_in_body(self, label: str, values: list[str], step: str) -> None:
        """Put a list below a step into the field of the last body that is called so."""
        operation, exchange = self._sent[-1]
        fields = operation.given()
        lists = {name: split_null(each)[0] for name, each in fields.items()}
        found = [
            name
            for name, each in lists.items()
            if labelled(name).fullmatch(label)
            and each.get("type") == "array"
            and split_null(each.get("items") or {})[0].get("type") == "string"
        ]
        if len(found) != 1:
            raise UnclearStep(f"the list of {label} in “{step}”")
        body = exchange.body if isinstance(exchange.body, dict) else {}
        self._tell_body({**body, found[0]: [*values]})

    def _tell_body(self, body: dict[str, Json]) -> None:
        """Put a body that is told into the last request."""
        self._untold = [each for each in self._untold if each != len(self._sent) - 1]
        self._tell(body=body)
