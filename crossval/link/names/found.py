"""What looking a name up gives: whether it is there, and what it means."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from crossval.link.names.modules import Module
from graph.facts import Fact

_OPEN = ("annotation", "guard", "instance")


class Presence(StrEnum):
    """Whether a witness has a name."""

    PRESENT = "present"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class Found(msgspec.Struct, frozen=True):
    """What a name means: its definitions and their module where the project has them, else why that is not known.

    `perhaps_set` says that only an attribute may be there, which a class of the standard library gives its instances;
    `of_instances` that instances may have it, and the class itself surely has not.
    """

    presence: Presence
    facts: tuple[Fact, ...] = ()
    module: Module | None = None
    local: str = ""
    reason: str = ""
    perhaps_set: bool = False
    of_instances: bool = False

    @property
    def has_one_value(self) -> bool:
        """Whether it is one definition without annotation or condition, so that it stands for what that says."""
        return len(self.facts) == 1 and not any(map(self.facts[0].aspects.get, _OPEN))
