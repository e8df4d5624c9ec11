"""From evidence to confidence: two logistic models, the same for all projects, and the cut that needs no tuning."""

from __future__ import annotations

from collections.abc import Sequence
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
        1.9999,  # cosine
        1.7594,  # bm25 of best
        1.0266,  # names of best
        0.5198,  # comments of best
        0.3552,  # own name
        0.8267,  # title in names
        1.2499,  # neighbours of best
        0.572,  # best passage
        -0.3797,  # rank
    ),
    -5.056,
)
"""What an artifact's own words say, fitted by `benchmarks/traceability/fitting.py`; docs/TRACEABILITY.md names the
sets and how well it carries over."""

SECOND = Model(
    (
        1.0515,  # cosine
        1.78,  # bm25 of best
        0.9504,  # names of best
        0.5854,  # comments of best
        0.6521,  # own name
        0.8814,  # title in names
        1.0491,  # neighbours of best
        1.4379,  # best passage
        -0.1684,  # rank
        0.4662,  # like the likeliest
        0.1836,  # like all
        -0.3926,  # likely ones
    ),
    -3.6361,
)
"""What company says besides: fitted in the same way, once each candidate has a chance by the first one."""

FILES = (1.0, 2.0, 4.0)
"""How many times too low the odds of a link with a whole file may be: the cut is the best one on average over these.
Published sets have from 2 to 16 links per requirement, the sets of the fit from 1 to 3, and no text tells."""

DEFINITIONS = (1.0,)
"""The same for a single definition or test, where a chance is rather too high: a criterion means few of them."""

_USUAL, _SHRINKING = 0.265, -0.283
_STEEPNESS, _MOST = 3.0, 6.0
"""What shows of the number of links is how alike the artifacts are: where there are few topics and many classes of
each, a requirement touches more of them. A few files always look more alike than many, since few words are common to
few of them only; so the odds grow with the artifacts' mean likeness in relation to what is usual for so many
(`_USUAL` · artifacts ^ `_SHRINKING`, fitted to the sets of the fit)."""


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


def cut(chances: Floats, crowd: float, artifacts: int, too_low: Sequence[float] = FILES) -> float:
    """The probability from which on links are proposed: it makes the expected F1 of the whole project the highest.

    The expected F1 of the k likeliest links is 2·Σ(their probabilities) / (k + Σ(all probabilities)), after Jansche
    (2007). `crowd` is the mean likeness of so many `artifacts`; `too_low` one of `FILES` and `DEFINITIONS`.
    Returns 2, which nothing reaches, where there is nothing to choose from.
    """
    import numpy

    if not len(chances):
        return 2.0
    ordered = numpy.sort(chances)[::-1]
    odds = ordered / (1 - numpy.minimum(ordered, 1 - 1e-9)) * _crowding(crowd, artifacts)
    taken = numpy.arange(1, len(ordered) + 1)
    expected = numpy.zeros(len(ordered))
    for times in too_low:
        likely = odds * times / (1 + odds * times)
        expected += 2 * numpy.cumsum(likely) / (taken + likely.sum())
    return float(ordered[expected.argmax()])


def _crowding(crowd: float, artifacts: int) -> float:
    """By how much the odds of all links grow where artifacts are more alike than so many usually are."""
    usual: float = _USUAL * max(artifacts, 1) ** _SHRINKING
    factor: float = (crowd / usual) ** _STEEPNESS
    return min(factor, _MOST)
