"""What is asked of the functions and classes of a project that make something of other functions."""

from __future__ import annotations

from typing import Protocol

import msgspec

from graph.facts import Fact


class Accessors(msgspec.Struct, frozen=True):
    """Whether a property has a setter and a deleter; None where that is not known."""

    setter: bool | None
    deleter: bool | None


class Making(Protocol):
    """Tells by qualified names what becomes of a function that is given to a function or class."""

    def __contains__(self, qualified: object) -> bool:
        """Whether it is a decorator that keeps the signature."""

    def property_of(self, qualified: str) -> Accessors | None:
        """The accessors of the property that it gives; None where it gives none."""

    def wrapper(self, qualified: str, *, called: bool) -> Fact | None:
        """The function that it, or what calling it gives, puts in place of the decorated one."""

    def leaves_class(self, qualified: str, *, called: bool) -> bool:
        """Whether it, or what calling it gives, gives back the class that it decorates as it is."""

    def makes_anew(self, qualified: str) -> bool:
        """Whether it takes a metaclass and gives a decorator that makes a class anew by that one."""

    def instance_of(self, qualified: str, *, called: bool) -> str:
        """The class of which it, or what calling it gives, makes an instance; empty where it makes none."""


class NothingMade:
    """Knows no function of any project."""

    def __contains__(self, qualified: object) -> bool:
        """No."""
        return False

    def property_of(self, qualified: str) -> Accessors | None:
        """None."""

    def wrapper(self, qualified: str, *, called: bool) -> Fact | None:
        """None."""

    def leaves_class(self, qualified: str, *, called: bool) -> bool:
        """No."""
        return False

    def makes_anew(self, qualified: str) -> bool:
        """No."""
        return False

    def instance_of(self, qualified: str, *, called: bool) -> str:
        """None."""
        return ""
