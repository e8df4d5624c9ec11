"""Regular expressions that cost nothing until they are used."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


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
        self._seen = _Later(only_with, re.IGNORECASE)
        self._late = _Later(expression, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in ("match", "search", "finditer"):
            return super().__getattr__(name)
        nothing = () if name == "finditer" else None
        seen, late = self._seen, self._late

        def found(text: Any) -> Any:
            return getattr(late, name)(text) if seen.search(text) else nothing

        setattr(self, name, found)
        return found


def pattern(expression: AnyStr, flags: int = 0, *, only_with: AnyStr | None = None) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, compiled when it is first used: many runs use few of all expressions.

    `only_with` is a cheap expression, whatever the case of letters, of which something is in every text that matches;
    it takes no positions then.

    An expression that is none raises there, too; it is no argument for functions of `re`, and no match's `re` is it.
    """
    later = _LaterStill(expression, flags, only_with) if only_with else _Later(expression, flags)
    return cast("re.Pattern[AnyStr]", later)
