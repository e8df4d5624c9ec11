"""Where names of the code went: from what a test writes to what it has to write now."""

from __future__ import annotations

from collections.abc import Iterable

from healer.movements import Cause, Movement
from healer.reading.world import World

NAMES = frozenset({Cause.RENAMED, Cause.MOVED, Cause.MODULE_RENAMED, Cause.MEMBER_RENAMED})
_DEPTH = 8


class Moves:
    """The movements of names, applied to dotted names. `used` collects the movements that were followed."""

    def __init__(self, then: World, now: World, movements: Iterable[Movement]) -> None:
        self.then = then
        self.now = now
        self.used: list[Movement] = []
        self._to: dict[str, tuple[str, Movement]] = {}
        for movement in movements:
            if movement.cause in NAMES and movement.side == "code":
                if receives_otherwise(then, now, movement):
                    continue  # more than its name has to be followed
                before, after = names(movement)
                if before and after and before != after:
                    self._to.setdefault(before, (after, movement))

    def __bool__(self) -> bool:
        return bool(self._to)

    def subjects(self) -> list[str]:
        """The canonical names, as they were, of all that moved."""
        return list(self._to)

    def after(self, name: str) -> str:
        """The canonical name, as it is now, of what had this canonical name then."""
        for _ in range(_DEPTH):
            found = next((head for head in _heads(name) if head in self._to), "")
            if not found:
                break
            to = self._to[found][0]
            name = to + name[len(found) :]
            if self.now.resolve(name) or to.startswith(f"{found}."):
                break  # two names may have been swapped, or something may lie below its former name
        return name

    def went(self, path: str) -> str:
        """The dotted name that stands now for what `path` stood for; empty where it is the same."""
        before = self.then.resolve(path) or path
        target = self.after(before)
        if self.now.resolve(path) == target:
            return ""
        if target == before and not self._is_below(path):
            # Nothing moved but the name by which it was reached: it is no longer exported there.
            return target if before != path and self.now.fact(target) is not None else ""
        holder, _, _ = path.rpartition(".")
        name = target.rpartition(".")[2]
        if holder:
            for place in dict.fromkeys((self.went(holder) or holder, holder)):
                if self.now.resolve(f"{place}.{name}") == target:
                    self._follow(before, path)
                    return f"{place}.{name}" if f"{place}.{name}" != path else ""
        self._follow(before, path)
        return target if target != path else ""

    def module(self, path: str) -> str:
        """The module that has to be imported now instead of one; empty where it can still be imported.

        A package may go on to offer a module under its former name: that is an attribute then, and no module.
        """
        if not self.then.is_module(path) or self.now.is_module(path):
            return ""
        target = self.after(path)
        if target == path or not self.now.is_module(target):
            return ""
        self._follow(path)
        return target

    def imported(self, path: str) -> str:
        """As `went`, for what `from module import name` names: the module itself must be there."""
        new = self.went(path)
        module, _, name = path.rpartition(".")
        if new or not self.then.is_module(module) or self.now.is_module(module):
            return new
        target = self.after(self.then.resolve(path) or path)
        moved = f"{self.module(module)}.{name}"
        self._follow(path, module)
        return moved if self.now.resolve(moved) == target else target

    def member(self, canonical: str) -> str:
        """The name that a member of a class has now; empty where it is the same."""
        after = self.after(canonical).rpartition(".")[2]
        if after == canonical.rpartition(".")[2]:
            return ""
        self._follow(canonical)
        return after

    def _is_below(self, path: str) -> bool:
        return any(head in self._to for head in _heads(path))

    def _follow(self, *names: str) -> None:
        for name in names:
            for head in _heads(name):
                if head in self._to:
                    movement = self._to[head][1]
                    if not any(movement is each for each in self.used):
                        self.used.append(movement)
                    return


def receives_otherwise(then: World, now: World, movement: Movement) -> bool:
    """Whether a method became a function that is given its object, or the reverse."""
    kinds = [
        fact.aspects.get("kind")
        for fact in (then.function(str(movement.before)), now.function(str(movement.after)))
        if fact is not None
    ]
    return sorted(map(str, kinds)) == ["function", "method"]


def names(movement: Movement) -> tuple[str, str]:
    """The dotted names before and after, where a movement of a name gives the last part only too."""
    before = movement.before if isinstance(movement.before, str) else ""
    after = movement.after if isinstance(movement.after, str) else ""
    if movement.cause is Cause.MODULE_RENAMED:
        return before or movement.subject, after
    if "." not in before:
        before = movement.subject
    if after and "." not in after:
        after = f"{before.rpartition('.')[0]}.{after}"
    return before, after


def _heads(name: str) -> Iterable[str]:
    """A dotted name and its beginnings, the longest first."""
    while name:
        yield name
        name = name.rpartition(".")[0]
