"""Pairs definitions that went with definitions that came: which of them is the same thing under another name or place.

Containers go first, so that the members of a renamed class are looked for in it. Among those that could be meant, the
best counts, and only where it is the best for both and the only one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher

import msgspec

from graph.facts import Fact, Kind

KINDS = frozenset({Kind.MODULE, Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE})
IsEqual = Callable[[Fact, Fact, Mapping[str, str]], bool]

_LIKELY = 6.0
_EQUAL_BODY = 8.0
_MOST = 400
"""How many pairs of one place are looked at: where more went and came at once, nothing is renamed any more."""


class Pairing(msgspec.Struct, frozen=True):
    """Definitions by what became of them: `pairs` are then and now under another key, `gone` and `come` the rest."""

    pairs: tuple[tuple[Fact, Fact], ...]
    gone: tuple[Fact, ...]
    come: tuple[Fact, ...]


def paired(gone: Iterable[Fact], come: Iterable[Fact], is_equal: IsEqual) -> Pairing:
    """Pair what went with what came.

    `is_equal` says whether the body of two definitions is proven to be the same,
    given the names then of what is known to have another name now.
    """
    return _Pairs(gone, come, is_equal).pairing()


class _Pairs:
    def __init__(self, gone: Iterable[Fact], come: Iterable[Fact], is_equal: IsEqual) -> None:
        self._gone = {(fact.kind, fact.key): fact for fact in gone}
        self._come = {(fact.kind, fact.key): fact for fact in come}
        self._by_name: dict[tuple[Kind, str], list[Fact]] = {}
        self._by_place: dict[tuple[Kind, str], list[Fact]] = {}
        for fact in self._come.values():
            self._by_name.setdefault((fact.kind, fact.name), []).append(fact)
            self._by_place.setdefault((fact.kind, _holder(fact.key)), []).append(fact)
        self._is_equal = is_equal
        self._pairs: list[tuple[Fact, Fact]] = []
        self._places: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def pairing(self) -> Pairing:
        self._pair_modules()
        count = -1
        while count != len(self._pairs):  # what is known of one helps to know others
            count = len(self._pairs)
            self._names = {after.name: before.name for before, after in self._pairs}
            self._pair_definitions()
        return Pairing(
            pairs=tuple(sorted(self._pairs, key=lambda pair: pair[0].id)),
            gone=tuple(sorted(self._gone.values(), key=lambda fact: fact.id)),
            come=tuple(sorted(self._come.values(), key=lambda fact: fact.id)),
        )

    def _pair_definitions(self) -> None:
        for depth in sorted({fact.key.count(".") for fact in self._gone.values()}):
            level = [fact for fact in self._gone.values() if fact.key.count(".") == depth]
            for fact in level:
                self._follow(fact)
            self._pair_best([f for f in level if self._is_left(f)], self._of_the_same_name, _EQUAL_BODY)
            self._pair_best([f for f in level if self._is_left(f)], self._in_the_same_place, _LIKELY)
            self._pair_best([f for f in level if self._is_left(f)], self._of_the_same_name, _LIKELY)
            self._pair_best([f for f in level if self._is_left(f)], self._anywhere, _EQUAL_BODY + 2)

    def _is_left(self, fact: Fact) -> bool:
        return (fact.kind, fact.key) in self._gone

    def _pair(self, before: Fact, after: Fact) -> None:
        del self._gone[before.kind, before.key], self._come[after.kind, after.key]
        self._pairs.append((before, after))
        if before.kind is not Kind.ATTRIBUTE:
            self._places[before.key] = after.key

    def _place(self, fact: Fact) -> str:
        """Where the container of a definition is now."""
        place = _holder(fact.key)
        head, tail = place, ""
        while head:
            if head in self._places:
                return self._places[head] + tail
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
        return place

    def _follow(self, fact: Fact) -> None:
        """Pair what only lies in something else now."""
        after = self._come.get((fact.kind, f"{self._place(fact)}.{fact.key.rpartition('.')[2]}"))
        if after is not None and after.key != fact.key and fact.kind is not Kind.MODULE:
            self._pair(fact, after)

    def _pair_modules(self) -> None:
        """Pair modules that hold the same members, most of them with the same bodies."""
        gone = [fact for fact in self._gone.values() if fact.kind is Kind.MODULE]
        come = [fact for fact in self._come.values() if fact.kind is Kind.MODULE]
        if len(gone) * len(come) > _MOST:
            come = [fact for fact in come if any(fact.name == each.name for each in gone)]
        lost, new = _members(self._gone.values(), gone), _members(self._come.values(), come)

        def likeness(before: Fact, after: Fact) -> float:
            then, now = lost[before.key], new[after.key]
            if not then and not now:
                return _alike(before.name, after.name) * 3 + 4 * (before.aspects == after.aspects)
            shared = [name for name in then if name in now]
            return 10 * len(shared) / max(len(then), len(now)) + _alike(before.name, after.name)

        for before, after in _best(gone, lambda _: come, likeness, _LIKELY - 1):
            self._pair(before, after)

    def _pair_best(
        self, gone: Sequence[Fact], candidates: Callable[[Fact], Sequence[Fact]], least: float
    ) -> None:
        for before, after in _best(gone, candidates, self._likeness, least):
            self._pair(before, after)

    def _in_the_same_place(self, fact: Fact) -> list[Fact]:
        return self._left(self._by_place, fact, self._place(fact))

    def _of_the_same_name(self, fact: Fact) -> list[Fact]:
        return [each for each in self._left(self._by_name, fact, fact.name) if each.key != fact.key]

    def _left(self, index: Mapping[tuple[Kind, str], list[Fact]], fact: Fact, name: str) -> list[Fact]:
        """What came of this kind and under this entry of an index, and has no pair yet."""
        if fact.kind is Kind.MODULE:
            return []
        return [each for each in index.get((fact.kind, name), ()) if (each.kind, each.key) in self._come]

    def _anywhere(self, fact: Fact) -> list[Fact]:
        if fact.kind not in (Kind.FUNCTION, Kind.CLASS):
            return []
        body = fact.aspects.get("body")
        return [
            each
            for each in self._come.values()
            if each.kind is fact.kind and body == each.aspects.get("body")
        ]

    def _likeness(self, before: Fact, after: Fact) -> float:
        """How much two definitions look like one, in points; from `_EQUAL_BODY` on their bodies are equal."""
        then, now = before.aspects, after.aspects
        points: float = 3 * _alike(before.name, after.name)
        points += 2.0 * bool(_summary(before) and _summary(before) == _summary(after))
        if before.kind is Kind.ATTRIBUTE:
            same = then.get("value") == now.get("value") and then.get("body") == now.get("body")
            points += (_EQUAL_BODY if "value" in then else 3) * same
            points += 3 * self._is_alone(before, after)
            return points + bool(then.get("annotation") == now.get("annotation"))
        points += _EQUAL_BODY * self._is_equal(before, after, self._names)
        if before.kind is Kind.CLASS:
            points += 2.0 * (then.get("bases") == now.get("bases"))
            return points + 4 * self._shared(before, after)
        points += 3 * _overlap(_names(then), _names(now))
        points += _kinds(then) == _kinds(now)
        told = [bool(then.get(each) == now.get(each)) for each in ("kind", "returns", "decorators")]
        return points + sum(told)

    def _is_alone(self, before: Fact, after: Fact) -> bool:
        """Whether no other attribute went from the same place, or came there."""
        ends = (self._gone, before), (self._come, after)
        return all(
            sum(kind is Kind.ATTRIBUTE and _holder(key) == _holder(fact.key) for kind, key in facts) == 1
            for facts, fact in ends
        )

    def _shared(self, before: Fact, after: Fact) -> float:
        then = {key[len(before.key) :] for _, key in self._gone if key.startswith(f"{before.key}.")}
        now = {key[len(after.key) :] for _, key in self._come if key.startswith(f"{after.key}.")}
        return _overlap(then, now)


def _holder(key: str) -> str:
    return key.rpartition(".")[0]


def _best(
    gone: Sequence[Fact],
    candidates: Callable[[Fact], Sequence[Fact]],
    likeness: Callable[[Fact, Fact], float],
    least: float,
) -> list[tuple[Fact, Fact]]:
    """The pairs of which each is better than any other for both of its sides, and has enough points."""
    points: dict[tuple[str, str], float] = {}
    known: dict[str, Fact] = {}
    for before in gone:
        possible = candidates(before)
        if len(possible) * len(gone) > _MOST:
            possible = [each for each in possible if _alike(each.name, before.name) > 0.5]
        for after in possible:
            known[before.id], known[after.id] = before, after
            points[before.id, after.id] = likeness(before, after)
    found = []
    for (first, second), most in points.items():
        rivals = [
            value
            for (one, other), value in points.items()
            if (one == first) != (other == second) and value >= most
        ]
        if most >= least and not rivals:
            found.append((known[first], known[second]))
    return found


def _members(facts: Iterable[Fact], modules: Sequence[Fact]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {module.key: set() for module in modules}
    for fact in facts:
        place = _holder(fact.key)
        if fact.kind is not Kind.MODULE and place in found:
            found[place].add(f"{fact.kind}:{fact.name}")
    return found


def _names(aspects: dict[str, object]) -> set[str]:
    rows = aspects.get("parameters")
    return {str(row[0]) for row in rows} if isinstance(rows, list) else set()


def _kinds(aspects: dict[str, object]) -> list[tuple[object, object]]:
    rows = aspects.get("parameters")
    return [(row[1], row[3]) for row in rows] if isinstance(rows, list) else []


def _summary(fact: Fact) -> str:
    return str((fact.aspects.get("doc") or {}).get("summary") or "")


def _overlap(then: set[str], now: set[str]) -> float:
    return len(then & now) / len(then | now) if then | now else 1.0


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()
