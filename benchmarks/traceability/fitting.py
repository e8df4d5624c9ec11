"""Fits the coefficients of `crossval.link.traces.calibration` to sets, and says how well they carry over.

    python -m benchmarks.traceability.fitting benchmarks/.work/traceability/*

Each set counts the same, however many links it has. Leave-one-out: each set is judged by coefficients fitted to
the others (sets of one project, whose names begin alike up to a `-`, are left out together).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy
from numpy.typing import NDArray

from benchmarks.traceability import measures, reading
from crossval.link.traces.calibration import Model, cut, judged, probabilities
from crossval.link.traces.evidence import COMPANY, FEATURES, Evidence, gather, in_company
from crossval.link.traces.likeness import Likeness

Array = NDArray[Any]
_RIDGE = 1e-3
_STEPS = 50


class Set(msgspec.Struct):
    """One set: its evidence, truth of all candidates, whose passages and rows these are, and all known links."""

    name: str
    evidence: Evidence
    truth: Array
    pairs: list[tuple[str, str]]
    gold: set[tuple[str, str]]


def load(folder: Path) -> Set:
    """Read one set and gather its evidence."""
    passages, artifacts = reading.requirements(folder / "requirements"), reading.code(folder / "code")
    known = reading.gold(folder / "gold.csv", artifacts)
    pairs = []
    evidence = gather(passages, artifacts)
    for found in evidence.candidates:
        pairs += [(passages[found.passage].id, artifacts[row].id) for row in found.rows]
    truth = numpy.array([pair in known for pair in pairs], float)
    return Set(folder.name, evidence, truth, pairs, known)


def both(sets: list[Set]) -> tuple[Model, Model]:
    """Both models: the second one is fitted to the evidence in company, by the chances that the first one gives."""
    first = fit([(numpy.concatenate([f.features for f in s.evidence.candidates]), s.truth) for s in sets])
    return first, fit([(_in_company(each.evidence, first), each.truth) for each in sets])


def _in_company(evidence: Evidence, first: Model) -> Array:
    return numpy.concatenate(
        [
            in_company(found, evidence.likeness, probabilities(found.features, first))
            for found in evidence.candidates
        ]
    )


def fit(sets: list[tuple[Array, Array]]) -> Model:
    """Ridge logistic regression by Newton's method on standardised features; the scale is folded into the result."""
    features = numpy.concatenate([each for each, _ in sets])
    truth = numpy.concatenate([each for _, each in sets])
    weight = numpy.concatenate([numpy.full(len(each), 1 / len(each)) for _, each in sets])
    weight /= weight.sum()
    mean, scale = features.mean(0), features.std(0) + 1e-9
    design = numpy.column_stack(((features - mean) / scale, numpy.ones(len(truth))))
    ridge = numpy.eye(design.shape[1]) * _RIDGE
    ridge[-1, -1] = 0
    found = numpy.zeros(design.shape[1])
    for _ in range(_STEPS):
        predicted = 1 / (1 + numpy.exp(-(design @ found)))
        slope = design.T @ (weight * (predicted - truth)) + ridge @ found
        curve = (design.T * (weight * predicted * (1 - predicted))) @ design + ridge
        step = numpy.linalg.solve(curve, slope)
        found -= step
        if abs(step).max() < 1e-8:
            break
    coefficients = found[:-1] / scale
    return Model(tuple(coefficients), float(found[-1] - coefficients @ mean))


def usual(likenesses: list[Likeness]) -> tuple[float, float]:
    """How alike so many artifacts usually are: the factor and the power of their number.

    By least squares of logarithms, so at least two sets of different size are needed.
    """
    sizes = numpy.log([each.size for each in likenesses])
    power, level = numpy.polyfit(sizes, numpy.log([each.crowd for each in likenesses]), 1)
    return float(numpy.exp(level)), float(power)


def main(folders: list[str]) -> None:
    """Print leave-one-out figures per set, and the models fitted to all of them."""
    sets = [load(Path(folder)) for folder in folders]
    print(f"{'set':16} {'P':>6} {'R':>6} {'F1':>6} {'F2':>6} {'MAP':>6} {'best F1':>8}")
    figures, bins = [], []
    for each in sets:
        project = each.name.partition("-")[0]
        models = both([other for other in sets if other.name.partition("-")[0] != project])
        predicted = numpy.concatenate(judged(each.evidence, *models))
        chosen = predicted >= cut(predicted, each.evidence.likeness.crowd, each.evidence.likeness.size)
        ranked = sorted(zip(predicted, each.pairs, strict=True), key=lambda entry: -entry[0])
        links = {pair for pair, take in zip(each.pairs, chosen, strict=True) if take}
        figure = measures.score(links, [(pair, p) for p, pair in ranked], each.gold)
        figures.append(figure)
        bins.append(measures.bins([(pair, float(p)) for p, pair in ranked], each.gold))
        print(
            f"{each.name:16} {figure.row()} {measures.best_f1([pair for _, pair in ranked], each.gold):8.3f}"
        )
    print(f"{'average':16} {measures.average(figures).row()}")
    print("\n".join(measures.calibration(bins)))
    factor, power = usual([each.evidence.likeness for each in sets])
    print(f"usual likeness of n artifacts: {factor:.3f} n ** {power:.3f}")
    for model in both(sets):
        for name, value in zip(FEATURES + COMPANY, model.coefficients, strict=False):
            print(f"    {value:+.4f},  # {name}")
        print(f"    {model.intercept:+.4f}  intercept")


if __name__ == "__main__":
    main(sys.argv[1:])
