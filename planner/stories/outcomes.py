"""What sentences say of answers: of what is there no more, there already, there not at all, or asked for by nobody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from crossval.compare.claims import words
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.filters import ignores_case
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, maker_of, singular
from planner.contracts.states import tells_of_twice, told_unique
from planner.contracts.things import Thing
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.standing import named_in
from planner.stories.things import mentioned, words_in

_ONCE = re.compile(
    r"\bonly once\b|(?<!none of them )\btwice\b|\bunique\b|\bno two\b|\bcan(?:not| not|'t) have two\b|\balready\b"
    r"|\b(?:can ?|shall |must |may )not have the same\b"
    r"|\b(?:another|other|existing) [\w-]+ (?:already )?(?:has|have|uses?|goes by) (?:the same|this|that|such an?)\b"
    r"|\b(?:of|with) the same [\w-]+ (?:already )?exists?\b"
    r"|\bwith (?:an?|the) [\w-]+ that (?:already )?exists\b|\b(?:the|a) second\b|\bsecond time\b"
    r"|\b(?:is|are|was) (?:taken\b(?! (?:in|out|up|back|over|away|off|on|to|from|by)\b)|in use\b)|\bnever share\b",
    re.I,
)
_REMOVED = re.compile(r"\b(?:removed|deleted|discarded|cancelled|gone)\b", re.I)
_NOT_FOUND = re.compile(
    r"\b(?:(?:is|are) (?:not found|gone|not there)|(?:can ?not|can't) be found|no longer (?:exists?|found|there))\b",
    re.I,
)
_NOTHING = re.compile(
    r"\b(?:not exist|unknown|no such|not there|does ?n.t exist|non-?existent|missing)\b", re.I
)
_OF_UNKNOWN = re.compile(
    r"\b(?:unknown|no such|non-?existent|missing)\s+(?P<before>[\w-]+)"
    r"|\b(?P<after>[\w-]+)\s+(?:that|which|who)\s+(?:do(?:es)?\s+not|do(?:es)?n[’']t)\s+exist\b",
    re.I,
)
_DOING = re.compile(r"\s*(?:[A-Za-z]+ing|to\s+[A-Za-z]+)\b")
_READING = re.compile(
    r"\s*(?:to\s+)?(?:read|show|ask|request|look|see|get|fetch|open|view|find|retriev|load|query)\w*", re.I
)
_ANONYMOUS = re.compile(
    r"\bwithout\s+(?:an?\s+|any\s+|the\s+)?(?:valid\s+)?(?:(?:access|bearer|api)[\s-]+)?"
    r"(?:token|credentials|key|login|logging in|authentication|authorization)\b|\bunauthenticated\b|\bnot logged in\b",
    re.I,
)
_ANSWERED = re.compile(
    r"\b(?:answered|responds?|rejected|refused|returns?|gives?|gets?)\b(?: with)?\s+(?P<status>[1-5]\d\d)\b",
    re.I,
)
_VALUE = re.compile(
    r"\s*(?:=|:|\bis\b|\bof\b|\bset to\b)?\s*[`\"'“]?(?P<value>\d+|true|false|[\w-]+(?=[`\"'”]))", re.I
)
_GENERAL = frozenset(
    {"one", "id", "identifier", "thing", "item", "resource", "number", "key", "name", "is", "are"}
)
_ABSENT = ("404", "410")
_STEM = 4


def told_status(text: str) -> str:
    """The status that a text says something is answered with; 404 where it says that it is not found; else empty."""
    told = _ANSWERED.search(text)
    return told["status"] if told else "404" if _NOT_FOUND.search(text) else ""


def outcomes(
    status: str, text: str, thing: Thing, every: Sequence[Thing], operations: Sequence[Operation]
) -> Iterator[Behaviour]:
    """What a text claims that says of a thing with which status something is answered."""
    if status in ("401", "403") and _ANONYMOUS.search(text):
        for operation in thing.operations():
            if operation.secured:
                yield Behaviour("auth", {"operation": operation.key}, facts_of(operation, status))
    elif status in _ABSENT and _is_removed(text, thing) and thing.remover and thing.reader:
        doing = _DOING.match(text)
        if doing and not _READING.match(doing[0]):
            return  # It is about what is done with it then, not about reading it.
        if status in text or facts_of(thing.reader, status):
            target: dict[str, Json] = {"operation": thing.remover.key, "read": thing.reader.key}
            yield Behaviour("gone", target, facts_of(thing.reader, status))
    elif status in _ABSENT and _NOTHING.search(text) and (thing.reader or "{" in thing.maker.path):
        yield from _missing(status, text, thing, every, operations)
    elif status.startswith("2") and thing.maker.success and thing.maker.success.status == status:
        yield Behaviour("succeeds", {"operation": thing.maker.key, "status": status}, facts_of(thing.maker))
    elif status == "409" and _ONCE.search(text):
        acting = named_in(text, thing, operations)
        given = _given_so(text, thing)
        if (
            acting is not None
            and acting not in thing.operations()
            and facts_of(acting, status)
            and given is not None
        ):
            target = {"operation": acting.key, "status": status}
            target |= {"maker": thing.maker.key, "given": given} if given else {}
            yield Behaviour("again", target, facts_of(acting, status))


def _given_so(text: str, thing: Thing) -> dict[str, Json] | None:
    """The fields with which a text says that a thing is made (``with `max_uses` 1``); None where it names one without
    a value, so that it is not known how the thing is to be."""
    found: dict[str, Json] = {}
    for name, schema in thing.given().items():
        named = re.search(
            rf"`{re.escape(name)}`|\b{re.escape(name)}\b" if "_" in name else f"`{re.escape(name)}`", text
        )
        if named is None:
            continue
        value = _VALUE.match(text, named.end())
        kind = split_null(schema)[0].get("type")
        if value is None or kind not in ("integer", "boolean", "string"):
            return None
        try:
            found[name] = json.loads(value["value"].lower()) if kind != "string" else value["value"]
        except ValueError:
            return None
    return found


def _missing(
    status: str, text: str, thing: Thing, every: Sequence[Thing], operations: Sequence[Operation]
) -> Iterator[Behaviour]:
    """That something which is not there is asked for: a thing, or the one in which a thing is to be made."""
    owner = _unknown_owner(text, thing, operations)
    if owner is not None and facts_of(owner, status):
        yield Behaviour("missing", {"operation": owner.key, "status": status}, facts_of(owner, status))
    elif not _is_about_another(text, thing, every):
        acting = named_in(text, thing, operations)
        doing = _DOING.match(text)
        if acting is None and doing and not _READING.match(doing[0]):
            return  # Nobody knows which operation does that.
        asked = acting or thing.reader
        if asked is not None:
            target: dict[str, Json] = {"operation": asked.key, "status": status}
            yield Behaviour("missing", target, facts_of(asked, status))


def once(text: str, about: Sequence[Thing], operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That a thing of one of its values is made only once: what a text is about, else the one that has such a value."""
    if not _ONCE.search(text):
        return
    told = words_in(text) | words_in(text.replace("-", ""))
    told |= {"email"} if "address" in told else set()
    makers = [thing.maker for thing in about if told & _given(thing.maker)]
    if not makers:
        open_ones = [each for each in operations if each.method == "POST" and "{" not in each.path]
        makers = [each for each in open_ones if _refuses_again(each, text) and told & _texts(each)]
    if len(makers) == 1 and (status := _refuses_again(makers[0], text)):
        target: dict[str, Json] = {"operation": makers[0].key, "status": status}
        if ignores_case(text) and (field := told_unique(makers[0])):
            target["caseless"] = field
        yield Behaviour("again", target, facts_of(makers[0], status))


def _refuses_again(operation: Operation, text: str) -> str:
    """The status for what there is already: that of a conflict, else the one of invalid requests that a text tells."""
    told = told_status(text)
    is_invalid = told in ("400", "422") and any(
        each.status == told and tells_of_twice(each.words) for each in operation.answers
    )
    return told if is_invalid else "409" if facts_of(operation, "409") else ""


def _given(operation: Operation) -> set[str]:
    return {each.path[-1].lower() for each in operation.members() if each.location == "body"}


def _texts(operation: Operation) -> set[str]:
    """The texts that a request has to have, but for those of a few values: by such things are told apart."""
    return {
        each.path[-1].lower()
        for each in operation.members()
        if each.location == "body"
        and each.required
        and (plain := split_null(each.schema)[0]).get("type") == "string"
        and "enum" not in plain
    }


def _is_removed(text: str, thing: Thing) -> bool:
    """Whether a text is about what was removed, in the usual words or in that of the operation: `a closed account`."""
    if _REMOVED.search(text):
        return True
    aspects = thing.remover.fact.aspects if thing.remover is not None else {}
    first = [words(str(aspects.get(name) or ""))[:1] for name in ("summary", "operation_id")]
    verbs = {word[:_STEM] for each in first for word in each if len(word) > 2}
    done = re.findall(rf"\b([a-z]+(?:ed|en|t))\s+{thing.noun}", text.lower())
    done += re.findall(
        rf"\b{thing.noun}\s+(?:that\s+)?(?:is|was|has been)\s+([a-z]+(?:ed|en|t))\b", text.lower()
    )
    return any(word[:_STEM] in verbs for word in done)


def _unknown_owner(text: str, thing: Thing, operations: Sequence[Operation]) -> Operation | None:
    """What makes a thing within another one of which a text says that it is not there: `in an unknown zone`."""
    match = _OF_UNKNOWN.search(text)
    noun = singular((match["before"] or match["after"]).lower()) if match is not None else ""
    names = PARAMETER.findall(thing.maker.path)
    owners = [found[0] for name in names if (found := maker_of(thing.maker.path, name, operations))]
    return thing.maker if noun in {called(each.path) for each in owners} else None


def _is_about_another(text: str, thing: Thing, every: Sequence[Thing]) -> bool:
    """Whether something else than this thing is said not to be there: `an order for an unknown customer`."""
    match = _OF_UNKNOWN.search(text)
    if match is None:
        return False
    noun = (match["before"] or match["after"]).lower()
    others = mentioned(noun, every)
    own = (
        {thing.noun, *words(thing.reader.path.rpartition("{")[2])}
        if thing.reader is not None
        else {thing.noun}
    )
    return thing not in others and (bool(others) or (not own & set(words(noun)) and noun not in _GENERAL))
