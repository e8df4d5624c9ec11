"""The healer that asks a language model, and believes nothing that it says without a look at the facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from graph.errors import CrossfactError
from graph.facts import Fact
from healer.editing.edits import edited
from healer.editing.exchanging import Refused
from healer.guarding.backed import backing_of
from healer.guarding.forbidden import weaknesses
from healer.guarding.inventing import invented, is_editable
from healer.healer import Patient
from healer.payload import Payload
from healer.reading.suite import Suite
from healer.reading.world import World

_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?```\s*\Z", re.DOTALL)
_LONGEST = 200_000
_LISTED = 5


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked: the failures with their files, what moved, facts to cite, and how like cases ended.

    `tried` are edits that it proposed already, each with why that did not do.
    """

    patient: Patient
    files: dict[str, str]
    facts: tuple[Fact, ...]
    similar: tuple[str, ...] = ()
    tried: tuple[tuple[str, str], ...] = ()


class ModelHealer:
    """Asks a model for one edit at a time, with what was wrong with the one before."""

    name = "model"
    sureness = 0.75

    def __init__(
        self,
        ask: Callable[[Question], str],
        *,
        facts: Callable[[Patient], Sequence[Fact]],
        exists: Callable[[str], bool],
        tell: Callable[[str], None],
        similar: Callable[[Patient], Sequence[str]] = lambda patient: (),
        attempts: int = 3,
    ) -> None:
        """`ask` gives the model's reply and raises CrossfactError where there is none; `facts` are those that a patient
        is about; `exists` says of a module's first name whether it is installed; `tell` gets what went wrong.
        """
        self._ask = ask
        self._facts = facts
        self._exists = exists
        self._tell = tell
        self._similar = similar
        self._attempts = attempts

    def propose(self, patient: Patient) -> Iterator[tuple[Payload, ...]]:
        """See `Healer.propose`. Replies that cannot be used cost an attempt and are told; nothing is raised."""
        facts = tuple(self._facts(patient))
        suite = Suite(patient.read, World(patient.now))
        reach = suite.reach(dict.fromkeys(each.file for each in patient.analyses))
        files = {
            path: text for path in reach[:_LISTED] if (text := patient.read(path)) and len(text) < _LONGEST
        }
        tried: list[tuple[str, str]] = []
        for _ in range(self._attempts if files else 0):
            question = Question(
                patient=patient,
                files=files,
                facts=facts,
                similar=tuple(self._similar(patient)),
                tried=tuple(tried),
            )
            try:
                reply = self._ask(question)
            except CrossfactError as error:
                self._tell(f"crossfact: no help from the model: {error}")
                return
            try:
                payload = self._checked(reply, patient, facts, reach, suite)
            except Refused as error:
                self._tell(f"crossfact: the model's edit is refused: {error}")
                tried.append((reply[:2_000], str(error)))
                continue
            yield (payload,)
            tried.append((reply[:2_000], "it was made, and the tests did not pass as they must"))

    def _checked(
        self, reply: str, patient: Patient, facts: Sequence[Fact], reach: list[str], suite: Suite
    ) -> Payload:
        """The payload of a reply. Raises Refused for one that may not even be tried."""
        payload = decoded(reply)
        path = payload.file_to_patch
        if not is_editable(path, reach):
            raise Refused(f"{path} is none of the files that may be edited")
        known = {fact.id for fact in facts}
        if not payload.cites:
            raise Refused("it cites no fact")
        if unknown := [id_ for id_ in payload.cites if id_ not in known]:
            raise Refused(f"it cites {unknown[0]}, which is none of the facts that were given")
        before = patient.read(path) or ""
        after = edited(payload, before).words
        if after == before:
            raise Refused("it changes nothing")
        if payload.method != "retire" and (found := invented(path, before, after, suite, self._exists)):
            raise Refused(f"it speaks of {', '.join(found[:3])}, which does not exist")
        if why := weaknesses(before, after, backing_of(patient, (payload,))):
            raise Refused("; ".join(why))
        return payload


def decoded(reply: str) -> Payload:
    """The payload that a model's reply is, as JSON, alone or between code fences.

    Raises Refused where it is none, or is not exactly one edit.
    """
    fenced = _FENCED.match(reply)
    try:
        payload = msgspec.json.decode(fenced[1] if fenced else reply, type=Payload)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(f"the reply is not in the form that was asked for: {error}") from error
    if not payload.method:
        raise Refused("the reply is not exactly one of update, patch, new_content and retire")
    return payload
