"""How good found links are: precision, recall, F1, F2, mean average precision, and calibration in ten bins."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

Pair = tuple[str, str]


class Figures(msgspec.Struct, frozen=True):
    """The measures of one set, each from 0 to 1; F2 weighs recall four times as much as precision."""

    precision: float
    recall: float
    f1: float
    f2: float
    map: float

    def row(self) -> str:
        """The five numbers in columns."""
        return " ".join(f"{value:6.3f}" for value in msgspec.structs.astuple(self))


class Bin(msgspec.Struct, frozen=True):
    """Links whose confidence lies in one tenth: how many, their mean confidence, how many of them are known."""

    links: int
    predicted: float
    observed: float


def score(found: Collection[Pair], ranked: Sequence[tuple[Pair, float]], gold: Collection[Pair]) -> Figures:
    """The figures of a set: `found` are the proposed links, `ranked` all scored pairs, best first."""
    known, proposed = set(gold), set(found)
    right = len(known & proposed)
    precision = right / len(proposed) if proposed else 0.0
    recall = right / len(known) if known else 0.0
    return Figures(
        precision,
        recall,
        _f(precision, recall, 1),
        _f(precision, recall, 2),
        _mean_average_precision([pair for pair, _ in ranked], known),
    )


def _f(precision: float, recall: float, beta: int) -> float:
    weighed = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighed if weighed else 0.0


def _mean_average_precision(ranked: Sequence[Pair], known: set[Pair]) -> float:
    """The mean over requirements that have known links; one that is never ranked counts as not found."""
    wanted: dict[str, int] = {}
    for requirement, _ in known:
        wanted[requirement] = wanted.get(requirement, 0) + 1
    seen, right, total = dict.fromkeys(wanted, 0), dict.fromkeys(wanted, 0), dict.fromkeys(wanted, 0.0)
    for pair in ranked:
        requirement = pair[0]
        if requirement in wanted:
            seen[requirement] += 1
            if pair in known:
                right[requirement] += 1
                total[requirement] += right[requirement] / seen[requirement]
    return sum(total[each] / count for each, count in wanted.items()) / len(wanted) if wanted else 0.0


def best_f1(ranked: Sequence[Pair], gold: Collection[Pair]) -> float:
    """The F1 of the best possible single cut through the ranking: what tuning on the set itself could reach."""
    known, right, best = set(gold), 0, 0.0
    for taken, pair in enumerate(ranked, 1):
        right += pair in known
        best = max(best, 2 * right / (taken + len(known)))
    return best


def bins(ranked: Sequence[tuple[Pair, float]], gold: Collection[Pair]) -> list[Bin]:
    """Ten bins of confidence, from [0, .1) to [.9, 1]."""
    known = set(gold)
    groups: list[list[tuple[Pair, float]]] = [[] for _ in range(10)]
    for pair, confidence in ranked:
        groups[min(int(confidence * 10), 9)].append((pair, confidence))
    return [
        Bin(
            len(group),
            sum(confidence for _, confidence in group) / len(group) if group else 0.0,
            sum(pair in known for pair, _ in group) / len(group) if group else 0.0,
        )
        for group in groups
    ]


def average(figures: Sequence[Figures]) -> Figures:
    """The plain mean over sets."""
    columns = zip(*(msgspec.structs.astuple(each) for each in figures), strict=True)
    return Figures(*(sum(column) / len(figures) for column in columns))


def calibration(sets: Sequence[Sequence[Bin]]) -> list[str]:
    """The bins of several sets together, as a table: links, mean confidence, share that is known."""
    lines = ["", "confidence   links  predicted  observed"]
    for tenth, group in enumerate(zip(*sets, strict=True)):
        links = sum(each.links for each in group)
        predicted = sum(each.predicted * each.links for each in group) / max(links, 1)
        observed = sum(each.observed * each.links for each in group) / max(links, 1)
        lines.append(
            f"{tenth / 10:.1f} - {(tenth + 1) / 10:.1f}  {links:6}     {predicted:.3f}     {observed:.3f}"
        )
    return lines
