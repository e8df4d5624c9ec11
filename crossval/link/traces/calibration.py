"""From evidence to confidence: one logistic model for all projects, and the cut that needs no tuning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]


class Model(msgspec.Struct, frozen=True):
    """A logistic model over `evidence.FEATURES`, in their order."""

    coefficients: tuple[float, ...]
    intercept: float


MODEL = Model(
    (
        0.9154,  # cosine
        1.3949,  # bm25 of best
        1.0137,  # names of best
        0.6158,  # comments of best
        0.4102,  # own name
        0.6639,  # title in names
        1.0679,  # neighbours of best
        0.5990,  # best passage
        -0.4691,  # rank
    ),
    -4.5226,
)
"""Fitted by `benchmarks/traceability/fitting.py`; docs/TRACEABILITY.md names the sets and how well it carries over."""

_ODDS = (1.0, 2.0, 4.0)
"""How many links a requirement has cannot be read off texts: published sets have from 2 to 16 per requirement, the
sets of the fit from 1 to 3. The cut is the best one on average over odds that are right, too low, and far too low."""


def probabilities(features: Floats, model: Model = MODEL) -> Floats:
    """The probability of each link, one per line of features."""
    import numpy

    score = features @ numpy.array(model.coefficients) + model.intercept
    chances: Floats = 1 / (1 + numpy.exp(-numpy.clip(score, -30, 30)))
    return chances


def cut(chances: Floats) -> float:
    """The probability from which on links are proposed: it makes the expected F1 of the whole project the highest.

    The expected F1 of the k likeliest links is 2·Σ(their probabilities) / (k + Σ(all probabilities)), after Jansche
    (2007). Returns 2, which nothing reaches, where there is nothing to choose from.
    """
    import numpy

    if not len(chances):
        return 2.0
    ordered = numpy.sort(chances)[::-1]
    odds = ordered / (1 - numpy.minimum(ordered, 1 - 1e-9))
    taken = numpy.arange(1, len(ordered) + 1)
    expected = numpy.zeros(len(ordered))
    for times in _ODDS:
        likely = odds * times / (1 + odds * times)
        expected += 2 * numpy.cumsum(likely) / (taken + likely.sum())
    return float(ordered[expected.argmax()])
