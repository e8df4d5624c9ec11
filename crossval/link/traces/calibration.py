"""From evidence to confidence: two logistic models, the same for all projects, and the cut that needs no tuning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from crossval.link.traces.evidence import Evidence, in_company

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]


class Model(msgspec.Struct, frozen=True):
    """A logistic model over `evidence.FEATURES`, in their order, the second one also over `evidence.COMPANY`."""

    coefficients: tuple[float, ...]
    intercept: float


FIRST = Model(
    (
        0.9076,  # cosine
        1.4086,  # bm25 of best
        1.0069,  # names of best
        0.6249,  # comments of best
        0.4104,  # own name
        0.6594,  # title in names
        1.0675,  # neighbours of best
        0.5942,  # best passage
        -0.4691,  # rank
    ),
    -4.5295,
)
"""What an artifact's own words say, fitted by `benchmarks/traceability/fitting.py`; docs/TRACEABILITY.md names the
sets and how well it carries over."""

SECOND = Model(
    (
        0.3538,  # cosine
        1.4007,  # bm25 of best
        0.9065,  # names of best
        0.7229,  # comments of best
        0.6817,  # own name
        0.5889,  # title in names
        0.9052,  # neighbours of best
        1.4716,  # best passage
        -0.2333,  # rank
        0.6244,  # like the likeliest
        0.1466,  # like all
        -0.4998,  # likely ones
    ),
    -2.7138,
)
"""What company says besides: fitted in the same way, once each candidate has a chance by the first one."""

_ODDS = (1.0, 2.5)
_CROWD, _STEEPNESS, _MOST = 0.064, 1.5, 4.0
"""How many links a requirement has cannot be read off texts: published sets have from 2 to 16 per requirement, the
sets of the fit from 1 to 3. What shows is how alike the artifacts are: where there are few topics and many classes of
each, a requirement touches more of them. So the odds grow with the artifacts' mean likeness; the cut is the best one
on average over odds that are right then, and too low."""


def judged(found: Evidence, first: Model = FIRST, second: Model = SECOND) -> list[Floats]:
    """The probability of each candidate of each passage, by what it says and by the company it is in."""
    return [
        probabilities(in_company(each, found.likeness, probabilities(each.features, first)), second)
        for each in found.candidates
    ]


def probabilities(features: Floats, model: Model) -> Floats:
    """The probability of each link, one per line of features."""
    import numpy

    score = features @ numpy.array(model.coefficients) + model.intercept
    chances: Floats = 1 / (1 + numpy.exp(-numpy.clip(score, -30, 30)))
    return chances


def cut(chances: Floats, crowd: float) -> float:
    """The probability from which on links are proposed: it makes the expected F1 of the whole project the highest.

    The expected F1 of the k likeliest links is 2·Σ(their probabilities) / (k + Σ(all probabilities)), after Jansche
    (2007). `crowd` is the artifacts' mean likeness. Returns 2, which nothing reaches, where there is nothing to
    choose from.
    """
    import numpy

    if not len(chances):
        return 2.0
    ordered = numpy.sort(chances)[::-1]
    odds = ordered / (1 - numpy.minimum(ordered, 1 - 1e-9)) * min((crowd / _CROWD) ** _STEEPNESS, _MOST)
    taken = numpy.arange(1, len(ordered) + 1)
    expected = numpy.zeros(len(ordered))
    for times in _ODDS:
        likely = odds * times / (1 + odds * times)
        expected += 2 * numpy.cumsum(likely) / (taken + likely.sum())
    return float(ordered[expected.argmax()])
