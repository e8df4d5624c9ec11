"""Whether a call can be one of a function by what it is given, where all else that is known is the name."""

from __future__ import annotations

import ast
from typing import TypeAlias

import msgspec

from ingest.web.program.calls import has_stars
from ingest.web.syntax.naming import last_name

Given: TypeAlias = tuple[int, tuple[str, ...]] | None
"""How many values a call gives by their place, and which by name; None where stars leave it open."""
_KEEPING = frozenset(
    {
        *("staticmethod", "classmethod", "abstractmethod", "override", "overload", "final", "wraps"),
        *("atomic", "cache", "lru_cache", "cached", "contextmanager", "asynccontextmanager"),
        *("action", "extend_schema", "swagger_auto_schema", "method_decorator"),
    }
)
"""Decorators whose function takes what the one below takes."""


class Taken(msgspec.Struct, frozen=True):
    """What a function takes, without the object whose method it is."""

    demanded: tuple[str, ...] = ()
    """The names of what it must be given, by place or by name."""
    alone: frozenset[str] = frozenset()
    """The names of what it must be given by name."""
    named: frozenset[str] | None = None
    """The names by which it takes something; None for any."""
    most: int | None = None
    """How many values it takes by their place; None for any."""

    def fits(self, given: Given) -> bool:
        """Whether a call that gives this can be one of the function."""
        if given is None:
            return True
        places, names = given
        if self.most is not None and places > self.most:
            return False
        if self.named is not None and not self.named.issuperset(names):
            return False
        if not self.alone.issubset(names):
            return False
        return len([name for name in self.demanded if name not in names]) <= places


ANY = Taken()


def given_by(call: ast.Call) -> Given:
    """What a call gives."""
    if has_stars(call):
        return None
    return len(call.args), tuple(sorted(each.arg for each in call.keywords if each.arg is not None))


def taken_by(function: ast.FunctionDef | ast.AsyncFunctionDef, method: bool) -> Taken:
    """What a function takes; anything where a decorator may make it another function."""
    decorators = {
        last_name(each.func if isinstance(each, ast.Call) else each) for each in function.decorator_list
    }
    if not decorators <= _KEEPING:
        return ANY
    taken = function.args
    places = [*taken.posonlyargs, *taken.args]
    demanded = places[: len(places) - len(taken.defaults)]
    if method and "staticmethod" not in decorators:
        # `Order.pay(order, sum)` gives the object by its place, which is one more.
        demanded = demanded[1:]
    apart = [
        each for each, default in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if default is None
    ]
    names = frozenset(each.arg for each in (*taken.args, *taken.kwonlyargs))
    return Taken(
        tuple(each.arg for each in demanded),
        frozenset(each.arg for each in apart),
        None if taken.kwarg is not None else names,
        None if taken.vararg is not None else len(places),
    )
