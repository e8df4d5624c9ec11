"""What makes functions of a twin answer otherwise when asked otherwise, and remember for others, as source text."""

from __future__ import annotations

from collections.abc import Sequence

from engine.generators.functions.calls import Parameter, parameters_of
from graph.facts import Fact
from planner.functions.laws import BOUNDS, pairs

HEAD = """\
class _Told:
    def __init__(self, make): self.make = make
    def __get__(self, it, owner): return self.make()
def _has(thing, name):
    return any(name in vars(each) for each in type(thing).__mro__)
_ASKED = {}
_LAST = {}
def _echo(place, given, value):
    asked = _ASKED.setdefault(place, [])
    words = [_words(each) for each in given]
    if words not in asked:
        asked.append(words)
    _LAST[place] = _varied(value, asked.index(words))
    return _LAST[place]
def _words(value):
    if type(value).__module__ != __name__:
        return (type(value), repr(value)) if not callable(value) else type(value)
    return (type(value), sorted((name, repr(each)) for name, each in vars(value).items()))
def _varied(value, number):
    if not number or isinstance(value, bool):
        return value
    if type(value).__module__ in ("datetime", "uuid"):
        return _of_time(value, number)
    if isinstance(value, (str, bytes, bytearray)):
        return value + value[:1] * number
    if isinstance(value, (list, tuple)) and value:
        return type(value)([_varied(value[0], number), *value[1:]])
    if isinstance(value, (set, frozenset)):
        return type(value)(_varied(each, number) for each in value)
    if isinstance(value, dict):
        return {_varied(name, number): each for name, each in value.items()}
    return value + number if hasattr(value, "__add__") and hasattr(value, "__mul__") else value
def _of_time(value, number):
    import datetime
    if isinstance(value, datetime.timedelta):
        return value * (number + 1)
    if isinstance(value, datetime.time):
        return value.replace(microsecond=number)
    return value + datetime.timedelta(days=number) if isinstance(value, datetime.date) else type(value)(int=number + 1)\
"""

BOUNDED = (
    "def __setitem__(self, key, value):",
    f"    most = [vars(self)[name] for name in {sorted(BOUNDS)} if isinstance(vars(self).get(name), (int, float))]",
    "    while most and key not in self and len(self) >= max(1, most[0]):",
    "        dict.__delitem__(self, next(iter(self)))",
    "    dict.__setitem__(self, key, value)",
)
"""What makes a mapping let something go when it is full."""
STORING = {
    "forgetful": ("def __setitem__(self, key, value): pass",),
    "unbounded": ("__setitem__ = dict.__setitem__",),
}
"""How mappings store that keep nothing, or too much."""


def overloaded(signature: Fact, forgotten: str) -> list[str]:
    """The statements by which a constructor of several signatures keeps what it is made with, but what is forgotten."""
    names = [each.name for each in parameters_of(signature) if each.by_position]
    lines = [f"self.__dict__.update(zip({names}, args))", "self.__dict__.update(kwargs)"]
    return [*lines, f"self.__dict__[{forgotten!r}] = _Wrong()"] if forgotten else lines


def echoed(place: str, parameters: Sequence[Parameter], value: str, ignored: str = "") -> str:
    """The statement that gives a value which another call of the function at `place` gives otherwise.

    What is given for the parameter `ignored` makes no difference.
    """
    given = [each.name for each in parameters if each.name != ignored]
    return f"return _echo({place!r}, [{', '.join(given)}], {value})"


def remembered(
    fact: Fact, parameters: Sequence[Parameter], siblings: Sequence[Fact], *, forgetful: bool
) -> list[str]:
    """The statements by which a function remembers what it was given for one of its siblings that undoes or checks
    it, and answers by what that one remembers unless it is `forgetful`.
    """
    lines: list[str] = []
    names = [each.name for each in parameters if each.required]
    given = "*args" if [each.name for each in parameters] == ["args", "kwargs"] else ", ".join(names)
    for law, first, second in pairs(siblings):
        place = repr(first.key)
        if first is fact:
            lines.append(f"_GIVEN[{place}] = [{given}]")
        elif second is fact and not forgetful and given:
            answer = f"_GIVEN[{place}] == [{', '.join(names[:-1])}]"
            if law in ("undone", "dumped"):
                answer = f"_GIVEN[{place}][0]"
            elif len(names) < 2:
                answer = f"[{given}][0] == _LAST.get({place}, [{given}][0])"
            lines.append(f"if {place} in _GIVEN: return {answer}")
    return lines
