"""Tells what specs say otherwise than they did: docstrings, claims, examples, criteria."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from graph.changes import Changes
from graph.facts import Fact, Json, Kind, Tag
from healer.movements import Cause, Movement

_SPEC = "spec"
_BY_CLAIM = {
    "default": Cause.DEFAULT_CHANGED,
    "raises": Cause.EXCEPTION_CHANGED,
    "outcome": Cause.STATUS_CHANGED,
}
_WORDS = re.compile(r"`[^`]+`|\"[^\"]+\"|'[^']+'|-?\d+(?:\.\d+)*|\w+|\S")
_LITERAL = re.compile(r"`[^`]+`|\"[^\"]+\"|'[^']+'|-?\d+(?:\.\d+)*")
_EXCEPTION = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning)|KeyboardInterrupt|StopIteration")


def of_words(changes: Changes) -> Iterator[Movement]:
    """What the words of specs, docstrings among them, said then and say now."""
    for before, after in changes.changed:
        if before.tag is Tag.TEST:
            continue
        found = [*_raises(before, after), *_examples(before, after), *_claims(before, after)]
        told = {(str(each.before), str(each.after)) for each in found}
        yield from found
        for movement in _literals(before, after):
            if (str(movement.before), str(movement.after)) not in told:
                yield movement


def _told(cause: Cause, before: Fact, after: Fact, then: Json, now: Json, part: str = "") -> Movement:
    subject = f"{before.key}#{part}" if part else before.key
    return Movement(
        cause=cause,
        side=_SPEC,
        subject=subject,
        before=then,
        after=now,
        owner=after.key if part else "",
        facts=tuple(dict.fromkeys((before.id, after.id))),
    )


def _raises(before: Fact, after: Fact) -> Iterator[Movement]:
    then, now = ([str(row[0]) for row in _doc(fact).get("raises", ())] for fact in (before, after))
    gone, come = [name for name in then if name not in now], [name for name in now if name not in then]
    if len(gone) == len(come) == 1:
        yield _told(Cause.EXCEPTION_CHANGED, before, after, gone[0], come[0])


def _examples(before: Fact, after: Fact) -> Iterator[Movement]:
    then = {str(row[0]): str(row[1]) for row in _doc(before).get("examples", ())}
    for source, result, *_ in _doc(after).get("examples", ()):
        if source in then and then[source] != result:
            yield _told(Cause.RETURN_CHANGED, before, after, then[source], result)


def _claims(before: Fact, after: Fact) -> Iterator[Movement]:
    """Claims about the same that give another value."""
    then: dict[tuple[Json, ...], list[Json]] = {}
    for claim in before.aspects.get("claims", ()):
        then.setdefault(_about(claim), []).append(claim.get("value"))
    now: dict[tuple[Json, ...], list[Json]] = {}
    for claim in after.aspects.get("claims", ()):
        now.setdefault(_about(claim), []).append(claim.get("value"))
    for about, values in then.items():
        others = now.get(about, [])
        if len(values) == len(others) == 1 and values != others:
            cause = _BY_CLAIM.get(str(about[0]), Cause.CONSTANT_CHANGED)
            part = str(about[1] or "") if before.kind is Kind.FUNCTION else ""
            yield _told(cause, before, after, values[0], others[0], part)


def _about(claim: dict[str, Json]) -> tuple[Json, ...]:
    return tuple(str(claim.get(name) or "") for name in ("kind", "subject", "comparator", "unit", "negated"))


def _literals(before: Fact, after: Fact) -> Iterator[Movement]:
    """Numbers, quoted texts and exceptions that stand in the place of others, in words that else stayed."""
    for then, now in zip(_texts(before), _texts(after), strict=True):
        if then == now or not then or not now:
            continue
        old, new = _WORDS.findall(then), _WORDS.findall(now)
        for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind != "replace" or last - first != end - start:
                continue
            for one, other in zip(old[first:last], new[start:end], strict=True):
                if _LITERAL.fullmatch(one) and _LITERAL.fullmatch(other):
                    yield _told(Cause.CONSTANT_CHANGED, before, after, one.strip("`"), other.strip("`"))
                elif _EXCEPTION.fullmatch(one.strip("`")) and _EXCEPTION.fullmatch(other.strip("`")):
                    yield _told(Cause.EXCEPTION_CHANGED, before, after, one.strip("`"), other.strip("`"))


def _texts(fact: Fact) -> list[str]:
    doc = _doc(fact)
    told = [str(doc.get("summary") or ""), str(doc.get("returns") or "")]
    told.append("\n".join(f"{name}: {text}" for name, text in (doc.get("params") or {}).items()))
    told.append("\n".join(f"{row[0]}: {row[1]}" for row in doc.get("raises") or ()))
    told += [str(fact.aspects.get(name) or "") for name in ("text", "title", "want", "benefit")]
    told += [str(fact.aspects.get(name) or "") for name in ("description", "summary")]
    return [*told, *("\n".join(map(str, fact.aspects.get(name) or ())) for name in ("given", "when", "then"))]


def _doc(fact: Fact) -> dict[str, Json]:
    found = fact.aspects.get("doc")
    return found if isinstance(found, dict) else {}
