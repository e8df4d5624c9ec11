"""Regular expressions that cost nothing until they are used."""

from __future__ import annotations

import re
from typing import Any, cast


class _Later:
    """Compiles its expression when something of it is asked for, and is as fast as the compiled one from then on."""

    def __init__(self, expression: str, flags: int) -> None:
        self._expression, self._flags = expression, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self._expression, self._flags), name)
        setattr(self, name, value)
        return value


class _LaterStill(_Later):
    """One that is not even compiled for texts in which a cheap expression finds nothing."""

    def __init__(self, expression: str, flags: int, only_with: str) -> None:
        super().__init__(expression, flags)
        self._seen = _Later(only_with, re.IGNORECASE)

    def __getattr__(self, name: str) -> Any:
        if name not in ("match", "search", "finditer"):
            return super().__getattr__(name)
        nothing = () if name == "finditer" else None
        return lambda text: _Later.__getattr__(self, name)(text) if self._seen.search(text) else nothing


def pattern(expression: str, flags: int = 0, *, only_with: str = "") -> re.Pattern[str]:
    """What `re.compile` gives, compiled when it is first used: many runs use few of all expressions.

    `only_with` is a cheap expression, whatever the case of letters, of which something is in every text that matches;
    it takes no positions then.

    An expression that is none raises there, too; it is no argument for functions of `re`, and no match's `re` is it.
    """
    later = _LaterStill(expression, flags, only_with) if only_with else _Later(expression, flags)
    return cast("re.Pattern[str]", later)
