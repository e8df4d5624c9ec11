"""The deterministic healers, in the order in which they are asked where nothing was learnt yet."""

from __future__ import annotations

from healer.healer import Healer
from healer.healers.answers import ANSWERS, answers
from healer.healers.asynchrony import ASYNCHRONY, asynchrony
from healer.healers.exceptions import exceptions
from healer.healers.fixtures import fixtures
from healer.healers.following import Compound, Following, Tactic
from healer.healers.groups import groups
from healer.healers.moves import NAMES
from healer.healers.names import names
from healer.healers.parameters import PARAMETERS, parameters
from healer.healers.receivers import receivers
from healer.healers.retiring import Retiring
from healer.healers.shapes import SHAPES, shapes
from healer.healers.sharing import helpers
from healer.healers.targets import targets
from healer.healers.values import values
from healer.movements import Cause

TACTICS: tuple[Tactic, ...] = (
    groups,
    parameters,
    exceptions,
    values,
    answers,
    shapes,
    receivers,
    asynchrony,
    fixtures,
    helpers,
    targets,
    names,
)
"""Names come last: the others read what names meant before."""

FAMILIES: dict[str, frozenset[Cause]] = {
    "names": NAMES,
    "calls": PARAMETERS | {Cause.PARAMETERS_GROUPED},
    "shapes": SHAPES | ASYNCHRONY,
    "values": ANSWERS
    | {Cause.EXCEPTION_CHANGED, Cause.CONSTANT_CHANGED, Cause.DEFAULT_CHANGED, Cause.RETURN_CHANGED},
}
"""The causes that each family of tactics follows; what has causes of several families is compound."""

_ALL = frozenset(cause for causes in FAMILIES.values() for cause in causes)

HEALERS: tuple[Healer, ...] = (
    *(Following(name, causes, _ALL, TACTICS) for name, causes in FAMILIES.items()),
    Compound("compound", FAMILIES.values(), TACTICS),
    Retiring(),
)
