"""How steps of a scenario call things and people that were made before: `the pitch "V1"`, `V1`, `Marta`."""

from __future__ import annotations

import re

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.resources import singular
from planner.contracts.violations import keeps
from planner.stories.scenarios import UnclearStep
from planner.stories.sending import Sending
from planner.stories.step_words import choices, tokens_of
from planner.stories.things import with_article

_THE = re.compile(r"(?P<the>the)\s+(?P<noun>[a-z]+)(?=\s+[\"“])", re.I)
_ADDS = re.compile(
    r"I\s+(?:add|create|make|register|enter)s?\s+(?P<the>the)\s+(?P<noun>[a-z]+)(?=\s+[\"“])", re.I
)
_ARE = re.compile(
    r"(?P<names>[A-Z][a-z]+(?:\s*(?:,|and|,\s*and)\s*[A-Z][a-z]+)*)\s+(?:is|are)\s+(?:an?\s+)?(?P<noun>[a-z]+)"
)
_EACH = re.compile(r"[A-Z][a-z]+")
_QUOTED = re.compile(r"[\"“](?P<name>[^\"”]+)[\"”]")


class Naming(Sending):
    """The requests so far, of which steps speak by names."""

    def _first_named(self, step: str, *, is_given: bool) -> str:
        """The step with `a` for `the`, where it names a thing that was not made before: `the guest "Marta"`."""
        match = _THE.match(step) if is_given else _ADDS.match(step)
        if match is None or singular(match["noun"].lower()) not in self._nouns:
            return step
        maker = next(each.maker for each in self._things if each.noun == singular(match["noun"].lower()))
        values = [each for each in tokens_of(step) if isinstance(each.value, str)]
        is_made = any(self._names(each, token.value) for each in self._made_by(maker) for token in values)
        if is_made and is_given:
            return step
        return f"{step[: match.start('the')]}{with_article(match['noun'])}{step[match.end() :]}"

    def _people_made(self, step: str) -> bool:
        """Whether a step says that people are there whom an operation makes, who are made then: `Amit is a member`."""
        match = _ARE.fullmatch(step)
        thing = next((each for each in self._things if match and each.noun == singular(match["noun"])), None)
        if match is None or thing is None:
            return False
        fields = {name: split_null(each)[0] for name, each in thing.given().items()}
        shaped = [name for name, each in fields.items() if "pattern" in each]
        for name in _EACH.findall(match["names"]):
            body: dict[str, Json] = {
                each: name.lower() for each in shaped if keeps(fields[each], name.lower())
            }
            title = thing.title()
            body |= {title: name} if title is not None else {}
            if not body:
                raise UnclearStep(f"how {name} is named in “{step}”")
            self._send(thing.maker, [], step, arranges=True)
            self._tell(body=body)
        return True

    def _with_nouns(self, step: str) -> str:
        """The step with the noun of a thing in front of a name by which it was made: `I close the pitch "V1"`."""

        def told(match: re.Match[str]) -> str:
            made = self._made_so(match["name"])
            noun = next((each.noun for each in self._things if made and each.maker.key == made[0]), "")
            is_said = noun and re.search(
                rf"\b{noun}(?:\s+[\"“][^\"”]*[\"”])*\s*$", step[: match.start()], re.I
            )
            return f"the {noun} {match[0]}" if noun and not is_said else match[0]

        return _QUOTED.sub(told, step)

    def _made_so(self, name: str) -> tuple[str, int] | None:
        """What made the only thing that has this name, and the number of that request."""
        found = [
            (operation.key, number)
            for number, (operation, _) in enumerate(self._sent)
            if self._names(number, name)
            and not any(name in choices(each) for each in operation.given().values())
            and any(each.maker.key == operation.key for each in self._things)
        ]
        return found[0] if len(found) == 1 else None

    def _is_noun(self, word: str) -> bool:
        """Whether a word names things, or what stands before them."""
        return singular(word.lower()) in self._nouns or word.lower() in ("following", "same", "new", "other")

    def _called(self, name: str) -> int | None:
        """The number of the only request that made a thing with this name, or with it in front: `Marta Kowalska`."""
        found = [
            number
            for number, (_, exchange) in enumerate(self._sent)
            for value in (exchange.body.values() if isinstance(exchange.body, dict) else ())
            if isinstance(value, str) and value.split(" ")[0] == name
        ]
        return found[0] if len(set(found)) == 1 else None
