"""The deterministic healers, in the order in which they are asked where nothing was learnt yet."""

from __future__ import annotations

from healer.healer import Healer
from healer.healers.following import Following
from healer.healers.moves import NAMES
from healer.healers.names import names
from healer.healers.targets import targets

HEALERS: tuple[Healer, ...] = (Following("names", NAMES, (targets, names)),)
