"""Questions with a name, which need no query language: what nothing points at, and what a change may reach."""

from __future__ import annotations

import re
from collections import deque
from itertools import chain

import msgspec

from graph.facts import Fact, Kind, Relation, Tag, Verb
from graph.store.store import Store
from graph.ties import NO_TIES, Ties

_CODE = (Kind.OPERATION, Kind.FUNCTION, Kind.CLASS)
_STORIED = (Kind.STORY, Kind.CRITERION)
_SPECS = (Kind.OPERATION, *_STORIED)
_POINTS = frozenset(
    {Verb.CALLS, Verb.HANDLED_BY, Verb.VERIFIES, Verb.INHERITS, Verb.REFERENCES, Verb.RAISES, Verb.MENTIONS}
)
_ANSWERS = frozenset({Verb.IMPLEMENTS, Verb.VERIFIES})
_REACHES = frozenset(
    {Verb.CALLS, Verb.HANDLED_BY, Verb.INHERITS, Verb.REFERENCES, Verb.RAISES, Verb.VERIFIES, Verb.IMPLEMENTS}
)
_STORIES = (f"{Tag.SPEC}:{Kind.STORY}:", f"{Tag.SPEC}:{Kind.CRITERION}:")
_PARTS = frozenset({Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.FIELD})
_PLAIN = frozenset(
    {
        "cache",
        "lru_cache",
        "contextmanager",
        "asynccontextmanager",
        "dataclass",
        "overload",
        "wraps",
        "total_ordering",
    }
    | {"final", "runtime_checkable", "unique", "deprecated", "define", "frozen", "singledispatch", "override"}
)
_LARGEST = 20_000
_NAME = re.compile(r"[A-Za-z_][\w.]*")


class Reached(msgspec.Struct, frozen=True):
    """A fact that a change may reach: over how many relations, and from which fact by which verb it was reached."""

    fact: Fact
    steps: int
    verb: str
    via: str


def orphans(store: Store, ties: Ties = NO_TIES) -> list[Fact]:
    """Facts that nothing points at, in the order of their ids.

    Of the specs: operations, stories and criteria that no code implements and no test verifies (a story by itself or
    through one of its criteria, a contract's operation by code with the same key; where no route of the code is known,
    nothing can be said of a contract's operations). Of the code: operations that no
    spec has, and a module's public functions and classes that nothing calls, inherits, tests, mentions, imports by
    name, takes, returns or handles requests with, and that promise to implement no spec. Methods are left out, since
    calls through a value do not tell whose method it is; uses from outside the project are not seen.
    """
    tied = _Ties(store)
    answered = _answered(store, tied, ties)
    pointed = _pointed(store, tied, ties)
    serving = {each.first for each in ties if each.verb is Verb.IMPLEMENTS}
    operations = {tag: {fact.key for fact in store.facts(tag=tag, kinds={Kind.OPERATION})} for tag in Tag}
    found = [
        fact
        for fact in store.facts(tag=Tag.SPEC, kinds=_SPECS if operations[Tag.CODE] else _STORIED)
        if fact.id not in answered and fact.key not in operations[Tag.CODE]
    ]
    for fact in store.facts(tag=Tag.CODE, kinds=_CODE):
        if fact.kind is Kind.OPERATION:
            if fact.key not in operations[Tag.SPEC] and fact.id not in serving:
                found.append(fact)
        elif fact.id not in pointed and _is_public(store, fact) and not _is_registered(fact):
            found.append(fact)
    return found


def _answered(store: Store, tied: _Ties, ties: Ties) -> set[str]:
    """The ids of specs' facts that code implements or a test verifies, and of stories with such a criterion."""
    answered = {fact for each in store.relations(_ANSWERS) for fact in tied.ends(each.second)}
    answered.update(each.second for each in ties if each.verb in _ANSWERS)
    for each in store.relations({Verb.CONTAINS}):
        if each.second in answered and each.first.startswith(f"{Tag.SPEC}:{Kind.STORY}:"):
            answered.add(each.first)
    return answered


def _pointed(store: Store, tied: _Ties, ties: Ties) -> set[str]:
    """The ids of code's facts that others use or name, and of those that promise to implement a spec."""
    pointed = {
        fact
        for each in store.relations(_POINTS)
        if each.first != each.second
        for fact in tied.ends(each.second)
    }
    pointed.update(each.first for each in ties if each.verb in _ANSWERS and each.second.startswith(_STORIES))
    promising = {each.first for each in store.relations({Verb.IMPLEMENTS})}
    pointed.update(fact for first in promising for fact in tied.ends(first))
    return pointed | _named_by_code(store)


def _named_by_code(store: Store) -> set[str]:
    """The ids of functions and classes that code names without calling them: in imports, annotations, decorators."""
    named: set[str] = set()
    for fact in store.facts(kinds={Kind.MODULE}):
        named.update(str(entry[1]) for entry in fact.aspects.get("imports", ()))
    for fact in store.facts(tag=Tag.CODE, kinds={Kind.FUNCTION, Kind.ATTRIBUTE, Kind.CLASS}):
        module = store.module_of(fact)
        for word in _NAME.findall(" ".join(_texts(fact))):
            named.add(f"{module}.{word}")
    named.update(fact.key for fact in store.facts(tag=Tag.CODE, kinds={Kind.SCHEMA}))
    return {f"{Tag.CODE}:{kind}:{key}" for key in named for kind in (Kind.FUNCTION, Kind.CLASS)}


def _texts(fact: Fact) -> list[str]:
    aspects = fact.aspects
    texts = [aspects.get("returns"), aspects.get("annotation"), aspects.get("value")]
    texts += [text for parameter in aspects.get("parameters", ()) for text in parameter[2:4]]
    texts += [*aspects.get("decorators", ()), *aspects.get("bases", ())]
    return [text for text in texts if isinstance(text, str)]


def _is_public(store: Store, fact: Fact) -> bool:
    """Whether it stands at the top of its module, and no part of its name is private."""
    name = fact.key.removeprefix(f"{store.module_of(fact)}.")
    # Whoever runs a module calls its `main`.
    return (
        "." not in name and name != "main" and not any(part.startswith("_") for part in fact.key.split("."))
    )


def impact(store: Store, path: str, limit: int = _LARGEST, ties: Ties = NO_TIES) -> list[Reached]:
    """What a change of a file may reach, nearest first: what was also read from it, callers, operations, tests,
    criteria, subclasses.

    Relations are followed from what is used to what uses it, and from code to the criteria that it implements; at
    most `limit` facts. The facts of the file itself are not listed.
    """
    tied = _Ties(store)
    users: dict[str, list[Relation]] = {}
    for relation in chain(store.relations(_REACHES), (each for each in ties if each.verb in _REACHES)):
        for end in tied.ends(relation.second):
            users.setdefault(end, []).append(relation)
        if relation.verb is Verb.IMPLEMENTS:
            for end in tied.ends(relation.first):
                users.setdefault(end, []).append(relation)
    facts = {fact.id: fact for fact in store.facts()}
    start = [fact.id for fact in facts.values() if fact.source.path == path]
    found = [
        Reached(fact, 1, "read_from", path)
        for fact in facts.values()
        if path in fact.sources and fact.source.path != path and fact.kind not in _PARTS
    ]
    seen = {*start, *(each.fact.id for each in found)}
    queue = deque([*((each, 0) for each in start), *((each.fact.id, 1) for each in found)])
    while queue and len(found) < limit:
        here, steps = queue.popleft()
        for relation in users.get(here, ()):
            forward = here in tied.ends(relation.first)
            for other in tied.ends(relation.second if forward else relation.first):
                if other in facts and other not in seen:
                    seen.add(other)
                    found.append(Reached(facts[other], steps + 1, str(relation.verb), here))
                    if not forward:
                        queue.append((other, steps + 1))
    found.sort(key=lambda each: each.steps)
    return found[:limit]


def _is_registered(fact: Fact) -> bool:
    """Whether a decorator may have handed it to somebody."""
    words = (
        re.split(r"[.(]", text)[-1 if "(" not in text else -2] for text in fact.aspects.get("decorators", ())
    )
    return not all(word in _PLAIN for word in words)


class _Ties:
    """Which facts a relation's end means, those of unknown kind included."""

    def __init__(self, store: Store) -> None:
        self._named: dict[str, list[str]] = {}
        for each in store.keys(None):
            tag, _, key = each.split(":", 2)
            self._named.setdefault(f"{tag}:*:{key}", []).append(each)

    def ends(self, identifier: str) -> list[str]:
        return self._named.get(identifier, [identifier]) if ":*:" in identifier else [identifier]
