"""Which statement of a spec a mutant of a module's twin breaks."""

from __future__ import annotations

import msgspec

from graph.facts import Fact


class Broken(msgspec.Struct, frozen=True):
    """Which statement is broken: how, about what (its kind and qualified name), and about which of its parts."""

    how: str
    subject: str
    part: str = ""


def subject(fact: Fact) -> str:
    """What a broken statement is about: the same of a stub's fact and of the code's."""
    return f"{fact.kind} {fact.key}"
