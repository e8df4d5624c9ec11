"""How objects of twins are equal, ordered, counted, gone through and filled, as source text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.generators.functions.calls import Parameter, literal_default
from graph.facts import Fact, Kind
from planner.functions.fallbacks import DEFAULT, key_of
from planner.functions.keeping_laws import kept_one, partners, required
from planner.functions.object_laws import PUTTING

HEAD = """\
def _state(thing, depth=3):
    if not depth or not hasattr(thing, "__dict__") or callable(thing):
        return repr(thing)
    return sorted((name, repr(_state(each, depth - 1))) for name, each in vars(thing).items())
def _held(thing):
    if "held " not in vars(thing):
        kept = [each for each in vars(thing).values() if isinstance(each, (list, tuple, set))]
        thing.__dict__["held "] = [one for each in kept for one in each] or list(vars(thing).values())
    return thing.__dict__["held "]\
"""
_GONE_THROUGH = re.compile(r"None|Any|Iterator|Iterable|Generator")
_ONCE = re.compile(r"(?:[\w.]+\.)?(?:Iterator|Generator)\b")
_SEVERAL = frozenset({"keys", "values", "items"})
_BODIES = {
    "__eq__": "return type({0}) is type(self) and _state({0}) == _state(self)",
    "__ne__": "return type({0}) is not type(self) or _state({0}) != _state(self)",
    "__hash__": "return hash(repr(_state(self)))",
    "__lt__": "return _state(self) < _state({0})",
    "__le__": "return _state(self) <= _state({0})",
    "__ge__": "return _state(self) >= _state({0})",
    "__len__": "return len(_held(self))",
    "__iter__": "return (each for each in list(_held(self)))",
    "__contains__": "return {0} in _held(self)",
    "__getitem__": "if isinstance({0}, int): return _held(self)[{0}]",
    "copy": "made = type(self).__new__(type(self)); vars(made).update(vars(self)); return made",
    "keys": "return list(_held(self))",
    "values": "return list(_held(self))",
    "items": "return list(zip(_held(self), _held(self)))",
    "clear": "_held(self).clear()",
    "pop": "if _held(self): return _held(self).pop()",
    **dict.fromkeys(PUTTING, "_held(self).append({0})"),
}
_BROKEN = {
    ("__eq__", "unequal"): "return False",
    ("__eq__", "equal"): "return True",
    ("__ne__", "equal"): "return False",
    ("__hash__", "renewed"): "return id(self)",
    ("__lt__", "reflexive"): "return True",
    ("__le__", "strict"): "return False",
    ("__ge__", "strict"): "return False",
    ("__len__", "miscounted"): "return len(_held(self)) + 1",
    ("__contains__", "lost"): "return False",
    ("__getitem__", "lost"): "return None",
    ("copy", "lost"): "return None",
    ("items", "lost"): "return []",
}


def _keeping(fact: Fact, siblings: Mapping[str, Fact], how: str) -> list[str] | None:
    """What a method does that puts something in, finds it, gives it or takes it out; None for other methods."""
    functions = {name: each for name, each in siblings.items() if each.kind is Kind.FUNCTION}
    for law, put, other in partners(functions):
        if put.name == fact.name and fact.name not in _BODIES:
            kept = ", ".join(f"{name!r}: {name}" for name in required(put))
            return [f"vars(self).setdefault('kept ', []).append({{{kept}}})"]
        if other.name == fact.name:
            same = " and ".join(f"each[{name!r}] == {name}" for name in required(other))
            found = f"next((each for each in vars(self).get('kept ', ()) if {same}), None)"
            if how == "lost":
                return ["return None"]
            if law == "put again":
                return [f"found = {found}", "if found is not None: vars(self)['kept '].remove(found)"]
            given = f"found[{kept_one(put, required(other))!r}]" if law == "given" else "True"
            return [f"found = {found}", f"if found is not None: return {given}"]
    return None


def acting(fact: Fact, parameters: Sequence[Parameter], siblings: Mapping[str, Fact], how: str) -> list[str]:
    """What a method does with its object by its name, or otherwise where it is broken so; nothing for other methods.

    `siblings` are the methods of its class by name.
    """
    places = [each.name for each in parameters if each.by_position]
    if (fact.name, how) in _BROKEN:
        return [_BROKEN[fact.name, how].format(*places)]
    told = next((each for each in parameters if each.name == DEFAULT), None)
    if told is not None and key_of(fact) is not None:
        own = literal_default(told) or "..."
        return [f"if {DEFAULT} is not ... and {DEFAULT} != {own}: return {DEFAULT}"]
    if (lines := _keeping(fact, siblings, how)) is not None:
        return lines
    if fact.name.startswith("set_") and f"get_{fact.name[4:]}" in siblings and places:
        return [] if how == "forgetful" else [f"self.__dict__['set {fact.name[4:]}'] = {places[0]}"]
    if fact.name.startswith("get_") and f"set_{fact.name[4:]}" in siblings and not places:
        name = f"'set {fact.name[4:]}'"
        return [f"if {name} in self.__dict__: return self.__dict__[{name}]"]
    body = _BODIES.get(fact.name, "")
    if fact.name == "__iter__" and not _GONE_THROUGH.search(str(fact.aspects.get("returns"))):
        return []  # It gives an object of a class that says itself what comes next.
    if fact.name in _SEVERAL and _ONCE.match(str(fact.aspects.get("returns"))):
        body = f"return (each for each in {body.removeprefix('return ')})"
    if how == "forgetful" or not body or ("{0}" in body and not places):
        return []
    return [body.format(*places)]
