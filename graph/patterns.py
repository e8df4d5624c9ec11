"""Regular expressions that cost nothing until they are used."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, AnyStr, cast

_NOT_PLAIN = frozenset(r".^$*+?{}[]\()")


class _Later:
    """Compiles its expression when something of it is asked for, and is as fast as the compiled one from then on."""

    def __init__(self, expression: Any, flags: int) -> None:
        self._expression, self._flags = expression, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from graph.compiled import compiled  # its import is no small part of `crossfact --help`

        value = getattr(compiled(self._expression, self._flags), name)
        setattr(self, name, value)
        return value


class _LaterStill(_Later):
    """One that is not even compiled for texts in which a cheap expression finds nothing."""

    def __init__(self, expression: Any, flags: int, only_with: Any) -> None:
        super().__init__(expression, flags)
        self._may = _words(only_with) or _Later(only_with, re.IGNORECASE).search
        self._late = _Later(expression, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in ("match", "search", "finditer"):
            return super().__getattr__(name)
        nothing = () if name == "finditer" else None
        may, late = self._may, self._late

        def found(text: Any) -> Any:
            return getattr(late, name)(text) if may(text) else nothing

        setattr(self, name, found)
        return found


def _words(only_with: Any) -> Callable[[str], bool] | None:
    """Looks for one of some plain words, ten times as fast as an expression of them; None where they are not plain."""
    if not isinstance(only_with, str) or not _NOT_PLAIN.isdisjoint(only_with):
        return None
    words = only_with.lower().split("|")

    def found(text: str) -> bool:
        lowered = text.lower()
        for word in words:  # noqa: SIM110 (`any` makes a generator for each text, which takes as long again)
            if word in lowered:
                return True
        return False

    return found


def pattern(expression: AnyStr, flags: int = 0, *, only_with: AnyStr | None = None) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, compiled when it is first used: many runs use few of all expressions.

    `only_with` is a cheap expression, whatever the case of letters, of which something is in every text that matches;
    it takes no positions then. Cheapest are plain words with `|` between them.

    An expression that is none raises there, too; it is no argument for functions of `re`, and no match's `re` is it.
    """
    later = _LaterStill(expression, flags, only_with) if only_with else _Later(expression, flags)
    return cast("re.Pattern[AnyStr]", later)
