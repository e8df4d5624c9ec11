"""The deterministic healers, in the order in which they are asked where nothing was learnt yet."""

from __future__ import annotations

from healer.healer import Healer
from healer.healers.asynchrony import ASYNCHRONY, asynchrony
from healer.healers.following import Compound, Following, Tactic
from healer.healers.moves import NAMES
from healer.healers.names import names
from healer.healers.parameters import PARAMETERS, parameters
from healer.healers.shapes import SHAPES, shapes
from healer.healers.targets import targets

TACTICS: tuple[Tactic, ...] = (parameters, shapes, asynchrony, targets, names)
"""Names come last: the others read what names meant before."""

_OF_SHAPES = SHAPES | ASYNCHRONY

HEALERS: tuple[Healer, ...] = (
    Following("names", NAMES, TACTICS),
    Following("calls", PARAMETERS, TACTICS),
    Following("shapes", _OF_SHAPES, TACTICS),
    Compound("compound", (NAMES, PARAMETERS, _OF_SHAPES), TACTICS),
)
