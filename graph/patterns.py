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


def pattern(expression: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, compiled when it is first used: many runs use few of all expressions.

    An expression that is none raises there, too; it is no argument for functions of `re`, and no match's `re` is it.
    """
    return cast("re.Pattern[str]", _Later(expression, flags))
