"""What `__all__` of a module lists, with the lists of other modules that it adds or imports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from crossval.compare.typenames import resolve
from graph.facts import Fact


class Listings:
    """Reads the lists of one witness's modules; `facts` are the modules' own, `imports` tells what names stand for."""

    def __init__(
        self,
        facts: Mapping[str, Sequence[Fact]],
        imports: Callable[[Iterable[Fact]], dict[str, str]],
    ) -> None:
        self._facts = facts
        self._imports = imports

    def whole(
        self, name: str, facts: Iterable[Fact], imports: Mapping[str, str], seen: frozenset[str] = frozenset()
    ) -> frozenset[str] | None:
        """`__all__` of a module; None without one that is known. `seen` ends circles of modules."""
        names: set[str] = set()
        others = [imports["__all__"].removesuffix(".__all__")] if "__all__" in imports else []
        known = bool(others)
        for fact in facts:
            listed = fact.aspects.get("exports")
            if isinstance(listed, list):
                names.update(listed)
                known = True
            elif "exports_of" in fact.aspects:
                names.update(fact.aspects.get("exports_known", []))
                others += [resolve(text, imports) for text in fact.aspects["exports_of"]]
                known = True
            elif fact.aspects.get("exports_computed"):
                return None
        for other in others:
            added = self._of(other, name, seen | {name})
            if added is None:
                return None
            names |= added
        return frozenset(names) if known else None

    def surely(self, name: str, facts: Iterable[Fact], imports: Mapping[str, str]) -> frozenset[str]:
        """What an `__all__` that is not wholly known has in any case: what it lists, and what it adds of others."""
        found: set[str] = set()
        for fact in facts:
            found.update(fact.aspects.get("exports_known", []))
            for text in fact.aspects.get("exports_with", []):
                found |= self._of(resolve(text, imports), name, frozenset({name})) or set()
        return frozenset(found)

    def _of(self, other: str, name: str, seen: frozenset[str]) -> frozenset[str] | None:
        """`__all__` of another module, which has not been looked at on the way here.

        A package has its own modules under their names as soon as one of its imports loads them.
        """
        other = other if other in self._facts else f"{name}.{other}"
        there = self._facts.get(other, [])
        return self.whole(other, there, self._imports(there), seen) if there and other not in seen else None
