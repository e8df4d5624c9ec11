"""What texts a regular expression finds something in: whether two are the same, and which one admits less."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

_LONGEST, _MOST_STATES = 1_000, 5_000
_LAST = 0x10FFFF
_START, _END = "start", "end"
_FIRST, _FINAL = "\x02", "\x03"
_WHOLE = re.compile(f"{_FIRST}+[^{_FIRST}{_FINAL}]*{_FINAL}+")
_Ranges = tuple[tuple[int, int], ...]
_States = frozenset[int]
_SETS: dict[str, _Ranges] = {
    "DIGIT": ((48, 57),),
    "WORD": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "SPACE": ((9, 13), (32, 32)),
}
_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.LOCALE


class Order(NamedTuple):
    """Whether the first of two expressions admits a text that the second does not, and the other way round."""

    first_more: bool
    second_more: bool


@lru_cache(maxsize=512)
def compared(first: str, second: str) -> Order | None:
    """How the texts of two expressions lie to each other; None where that cannot be told with little effort.

    Both are searched for, as in JSON Schema; `\\d`, `\\w` and `\\s` are those of ASCII.
    """
    ours, theirs = _machine(first), _machine(second)
    if ours is None or theirs is None:
        return None
    letters = _letters([*ours.sets(), *theirs.sets()])
    begin = (ours.begin(), theirs.begin(), True)
    seen, waiting = {begin}, [begin]
    first_more = second_more = False
    while waiting and not (first_more and second_more):
        left, right, fresh = waiting.pop()
        accepts, also = ours.accepts(left, fresh), theirs.accepts(right, fresh)
        first_more, second_more = first_more or (accepts and not also), second_more or (also and not accepts)
        for letter in letters:
            after = ours.after(left, letter, fresh), theirs.after(right, letter, fresh), False
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > _MOST_STATES:
            return None
    return Order(first_more, second_more)


@lru_cache(maxsize=512)
def overlap(first: str, second: str) -> bool | None:
    """Whether there is a text that both expressions admit; None where that cannot be told with little effort."""
    ours, theirs = _machine(first), _machine(second)
    if ours is None or theirs is None:
        return None
    letters = _letters([*ours.sets(), *theirs.sets()])
    begin = (ours.begin(), theirs.begin(), True)
    seen, waiting = {begin}, [begin]
    while waiting and len(seen) <= _MOST_STATES:
        left, right, fresh = waiting.pop()
        if ours.accepts(left, fresh) and theirs.accepts(right, fresh):
            return True
        for letter in letters:
            after = ours.after(left, letter, fresh), theirs.after(right, letter, fresh), False
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return None if waiting else False


@lru_cache(maxsize=512)
def texts(expression: str, most: int = 100) -> tuple[str, ...] | None:
    """All texts that an expression admits, where it is bound to both ends and these are few; else None."""
    tree = _parsed(expression)
    try:
        spelled = None if tree is None else _spelled(tree, most)
    except _TooMuchError:
        return None
    if not spelled or not all(_WHOLE.fullmatch(text) for text in spelled):
        return None
    return tuple(sorted({text.strip(_FIRST + _FINAL) for text in spelled}))


@lru_cache(maxsize=512)
def lengths(expression: str) -> tuple[int, int | None]:
    """The fewest and the most characters of the texts that an expression is sure to demand: 0 and None for any."""
    tree = _parsed(expression)
    if tree is None:
        return 0, None
    names = [str(name) + str(what) for name, what in tree]
    least, most = (int(each) for each in tree.getwidth())
    starts = bool(names) and names[0].startswith("ATAT_BEGINNING")
    ends = bool(names) and names[-1].startswith("ATAT_END")
    return least, (most if starts and ends and most < _MOST_STATES else None)


class _TooMuchError(Exception):
    """An expression with parts that are not looked at, or that would take too many states."""


class _Machine:
    """A machine of states and letters, with steps that take no letter and maybe only hold at the start or the end."""

    def __init__(self) -> None:
        self.letters: list[list[tuple[_Ranges, int]]] = []
        self.free: list[list[tuple[str, int]]] = []
        self.last = -1
        self._closed: dict[tuple[_States, bool, bool], _States] = {}

    def state(self) -> int:
        if len(self.letters) >= _MOST_STATES:
            raise _TooMuchError
        self.letters.append([])
        self.free.append([])
        return len(self.letters) - 1

    def sets(self) -> Iterator[_Ranges]:
        return (ranges for steps in self.letters for ranges, _ in steps)

    def begin(self) -> _States:
        return frozenset({0})

    def accepts(self, states: _States, fresh: bool) -> bool:
        return self.last in self._reached(states, fresh, True)

    def after(self, states: _States, letter: int, fresh: bool) -> _States:
        return frozenset(
            target
            for state in self._reached(states, fresh, False)
            for ranges, target in self.letters[state]
            if any(low <= letter <= high for low, high in ranges)
        )

    def _reached(self, states: _States, fresh: bool, ending: bool) -> _States:
        key = states, fresh, ending
        if key not in self._closed:
            seen, waiting = set(states), list(states)
            while waiting:
                for condition, target in self.free[waiting.pop()]:
                    holds = not condition or (fresh if condition == _START else ending)
                    if holds and target not in seen:
                        seen.add(target)
                        waiting.append(target)
            self._closed[key] = frozenset(seen)
        return self._closed[key]

    def add(self, tree: Any, start: int) -> int:
        """Adds a parsed expression behind a state, and gives the state in which it ends."""
        for name, what in tree:
            start = self._part(str(name), what, start)
        return start

    def _part(self, name: str, what: Any, start: int) -> int:
        end = self.state()
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            self.letters[start].append((_ranges(name, what), end))
        elif name == "AT":
            self.free[start].append((_place(str(what)), end))
        elif name == "BRANCH":
            for branch in what[1]:
                self.free[self.add(branch, self._behind(start))].append(("", end))
        elif name == "SUBPATTERN" and not (what[1] | what[2]) & _FLAGS:
            self.free[self.add(what[3], start)].append(("", end))
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            self._repeat(what, start, end)
        else:
            raise _TooMuchError
        return end

    def _behind(self, start: int) -> int:
        new = self.state()
        self.free[start].append(("", new))
        return new

    def _repeat(self, what: Any, start: int, end: int) -> None:
        least, most, tree = what
        for _ in range(int(least)):
            start = self.add(tree, self._behind(start))
        if int(most) >= 2**31 or str(most) == "MAXREPEAT":
            again = self._behind(start)
            self.free[self.add(tree, again)].append(("", again))
            self.free[again].append(("", end))
            return
        self.free[start].append(("", end))
        for _ in range(int(most) - int(least)):
            start = self.add(tree, self._behind(start))
            self.free[start].append(("", end))


def _spelled(tree: Any, most: int) -> set[str] | None:
    """The texts of a parsed expression, with marks where it demands the start or the end; None where there are many."""
    found = {""}
    for name, what in tree:
        parts = _spelled_part(str(name), what, most)
        if parts is None or len(found) * len(parts) > most:
            return None
        found = {text + part for text in found for part in parts}
    return found


def _spelled_part(name: str, what: Any, most: int) -> set[str] | None:
    if name in ("LITERAL", "IN"):
        ranges = _ranges(name, what)
        if sum(high - low + 1 for low, high in ranges) > most:
            return None
        return {chr(letter) for low, high in ranges for letter in range(low, high + 1)}
    if name == "AT" and str(what).startswith(("AT_BEGINNING", "AT_END")):
        return {_FIRST if _place(str(what)) == _START else _FINAL}
    if name == "SUBPATTERN" and not (what[1] | what[2]) & _FLAGS:
        return _spelled(what[3], most)
    if name == "BRANCH":
        branches = [_spelled(branch, most) for branch in what[1]]
        known = [each for each in branches if each is not None]
        return {text for each in known for text in each} if len(known) == len(branches) else None
    if name in ("MAX_REPEAT", "MIN_REPEAT") and int(what[1]) <= most:
        times = [_spelled(list(what[2]) * count, most) for count in range(int(what[0]), int(what[1]) + 1)]
        return None if None in times else {text for each in times if each for text in each}
    return None


def _parsed(expression: str) -> Any:
    if len(expression) > _LONGEST:
        return None
    # There is no other door to what an expression says.
    from re import _parser  # type: ignore[attr-defined]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = _parser.parse(expression)
        except (re.error, RecursionError, OverflowError, ValueError):
            return None
    return None if tree.state.flags & _FLAGS else tree


@lru_cache(maxsize=512)
def _machine(expression: str) -> _Machine | None:
    tree = _parsed(expression)
    if tree is None:
        return None
    machine = _Machine()
    everything: _Ranges = ((0, _LAST),)
    try:
        before = machine.state()
        machine.letters[before].append((everything, before))
        end = machine.add(tree, machine._behind(before))
        machine.last = machine._behind(end)
        machine.letters[machine.last].append((everything, machine.last))
    except (_TooMuchError, RecursionError):
        return None
    return machine


def _place(name: str) -> str:
    if name.startswith("AT_BEGINNING"):
        return _START
    if name.startswith("AT_END"):
        return _END
    raise _TooMuchError


def _ranges(name: str, what: Any) -> _Ranges:
    if name == "ANY":
        # It leaves out line ends, which nobody has in mind.
        return ((0, _LAST),)
    if name != "IN":
        found: _Ranges = ((int(what), int(what)),)
        return found if name == "LITERAL" else _others(found)
    denied = bool(what) and str(what[0][0]) == "NEGATE"
    found = tuple(pair for kind, value in what[denied:] for pair in _of_a_set(str(kind), value))
    return _others(found) if denied else found


def _of_a_set(kind: str, value: Any) -> _Ranges:
    if kind == "LITERAL":
        return ((int(value), int(value)),)
    if kind == "RANGE":
        return ((int(value[0]), int(value[1])),)
    name = str(value).removeprefix("CATEGORY_")
    known = _SETS.get(name.removeprefix("NOT_"))
    if kind != "CATEGORY" or known is None:
        raise _TooMuchError
    return _others(known) if name.startswith("NOT_") else known


def _others(ranges: Iterable[tuple[int, int]]) -> _Ranges:
    found, free = [], 0
    for low, high in sorted(ranges):
        if low > free:
            found.append((free, low - 1))
        free = max(free, high + 1)
    return (*found, (free, _LAST)) if free <= _LAST else tuple(found)


def _letters(sets: Iterable[_Ranges]) -> list[int]:
    """One letter for each part of the alphabet whose letters are alike for all of the sets."""
    bounds = {0}
    for ranges in set(sets):
        bounds.update(bound for low, high in ranges for bound in (low, high + 1))
    return sorted(bound for bound in bounds if bound <= _LAST)
