"""Sentences that can be said again as a scenario: `An empty cart cannot be checked out (409)`."""

from __future__ import annotations

import re

import msgspec

from graph.facts import Fact, Json

_STATUS = (
    r"(?:\s*\(\s*(?P<plain>4\d\d)\s*\)"
    r"|\s*[;,:–—-]\s*(?:and\s+)?(?:it|this|that|the \w+|doing so|trying)\s+(?:is|will be|shall be|gets?)\s+"
    r"(?:answered|rejected|refused)(?:\s+with\s+(?P<with>4\d\d))?"
    r"|\s+(?:is|are|must be|shall be|will be)\s+(?:answered|rejected|refused)(?:\s+with\s+(?P<ending>4\d\d))?)"
)
_PARTICLE = r"(?:\s+(?P<more>in|out|up|off|down|over|back|on|away))?"
_CANNOT = re.compile(
    r"(?P<thing>an?\s+(?:[\w-]+\s+)?[\w-]+)\s+(?:can ?not|can[’']t|may not|must not|shall not)\s+be\s+(?P<done>[a-z]+)"
    rf"{_PARTICLE}(?:{_STATUS})?",
    re.I,
)
_DOING = re.compile(
    rf"(?P<done>[a-z]+ing){_PARTICLE}\s+(?P<thing>an?\s+(?:[\w-]+\s+)?[\w-]+){_STATUS}",
    re.I,
)


def as_scenario(criterion: Fact) -> Fact | None:
    """The criterion with the steps that its sentence stands for; None where it is none that says what is refused."""
    text = " ".join(str(criterion.aspects.get("text") or "").split()).rstrip(".! ")
    match = _CANNOT.fullmatch(text) or _DOING.fullmatch(text)
    if match is None or criterion.aspects.get("then"):
        return None
    told = match.groupdict()
    status = next((told[name] for name in ("plain", "with", "ending") if told[name]), None)
    noun = told["thing"].split()[-1]
    doing = " ".join(filter(None, ("I", told["done"].lower(), told["more"], "the", noun)))
    steps: dict[str, Json] = {
        "given": [told["thing"]],
        "when": [doing],
        "then": [f"it is refused with {status}" if status else "it is refused"],
    }
    return msgspec.structs.replace(criterion, aspects={**criterion.aspects, **steps})
