"""The arguments of one call as text: put in another order, named, dropped and added, with all between them kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from healer.reading.source import Edit, Source

_IMPURE = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


class Slot(NamedTuple):
    """One argument: its node, and its text with the parentheses around it."""

    node: ast.expr | ast.keyword
    start: int
    end: int
    text: str

    @property
    def is_starred(self) -> bool:
        """Whether it is `*x` or `**x`."""
        if isinstance(self.node, ast.keyword):
            return self.node.arg is None
        return isinstance(self.node, ast.Starred)

    @property
    def is_pure(self) -> bool:
        """Whether it does not matter when it is computed."""
        return not any(isinstance(each, _IMPURE) for each in ast.walk(self.node))


class Argument(NamedTuple):
    """What an argument shall say, and the place of the one that it is now; -1 for a new one."""

    text: str
    place: int


def slots(source: Source, call: ast.Call) -> list[Slot] | None:
    """The arguments of a call in the order of the text; `None` where they cannot be told apart."""
    nodes: list[ast.expr | ast.keyword] = sorted([*call.args, *call.keywords], key=source.start)
    if len(nodes) == 1 and isinstance(nodes[0], ast.GeneratorExp):
        return None  # without parentheses of its own it can only stand alone
    opening = opened(source, call)
    closing = source.end(call) - 1
    if opening is None:
        return None
    tokens = [each for each in source.tokens if opening <= each.start < closing]
    found: list[Slot] = []
    begin = opening
    for at, node in enumerate(nodes):
        end = source.end(node)
        following = source.start(nodes[at + 1]) if at + 1 < len(nodes) else closing
        comma = next((each for each in tokens if each.text == "," and end <= each.start < following), None)
        if comma is None and at + 1 < len(nodes):
            return None
        own = [each for each in tokens if begin <= each.start < (comma.start if comma else closing)]
        if not own:
            return None
        start, end = own[0].start, own[-1].end
        found.append(Slot(node, start, end, source.text[start:end]))
        begin = comma.end if comma else closing
    return found


def opened(source: Source, call: ast.Call) -> int | None:
    """Where the parenthesis of a call has opened."""
    end = source.end(call.func)
    return next((each.end for each in source.tokens if each.start >= end and each.text == "("), None)


def rearranged(
    source: Source, call: ast.Call, old: Sequence[Slot], new: Sequence[Argument]
) -> Iterator[Edit]:
    """The edits by which the arguments of a call become these."""
    kept = [each.place for each in new if each.place >= 0]
    if not old:
        place = opened(source, call)
        if place is not None and new:
            yield Edit(place, place, ", ".join(each.text for each in new))
        return
    yield from _dropped(source, call, old, [at for at in range(len(old)) if at not in kept], bool(new))
    if not kept:
        if new:
            yield Edit(old[0].start, old[0].start, ", ".join(each.text for each in new))
        return
    if kept != sorted(kept):
        places = sorted(kept)
        targets = dict(zip([each for each in new if each.place >= 0], places, strict=True))
    else:
        targets = {each: each.place for each in new if each.place >= 0}
    before = -1
    for each in new:
        if each in targets:
            before = targets[each]
            slot = old[before]
            if slot.text != each.text:
                if each.text.endswith(slot.text) and each.place == before:
                    yield Edit(slot.start, slot.start, each.text[: -len(slot.text)])
                else:
                    yield Edit(slot.start, slot.end, each.text)
    yield from _added(old, new, targets)


def _added(old: Sequence[Slot], new: Sequence[Argument], targets: dict[Argument, int]) -> Iterator[Edit]:
    at = 0
    while at < len(new):
        run = []
        while at < len(new) and new[at] not in targets:
            run.append(new[at].text)
            at += 1
        if run:
            following = targets[new[at]] if at < len(new) else None
            if following is not None:
                yield Edit(old[following].start, old[following].start, "".join(f"{text}, " for text in run))
            else:
                last = old[max(targets.values())]
                yield Edit(last.end, last.end, "".join(f", {text}" for text in run))
        at += 1


def _dropped(
    source: Source, call: ast.Call, old: Sequence[Slot], gone: Sequence[int], is_filled: bool
) -> Iterator[Edit]:
    stay = [at for at in range(len(old)) if at not in gone]
    if not stay:
        start = opened(source, call) if not is_filled else old[0].start
        end = source.end(call) - 1 if not is_filled else old[-1].end
        yield Edit(start if start is not None else old[0].start, end, "")
        return
    for at in gone:
        if any(other > at for other in stay):
            yield Edit(old[at].start, old[at + 1].start, "")
        else:
            yield Edit(old[stay[-1]].end, old[-1].end, "")
            return
