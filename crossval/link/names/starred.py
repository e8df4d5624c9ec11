"""The names of a module with those that its star imports bring from other modules of the project."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping


class Starred(Mapping[str, str]):
    """Local name → qualified name; one that the module does not have itself is looked for when it is asked for."""

    def __init__(self, names: Mapping[str, str], bring: Callable[[str], str | None]) -> None:
        self._names = names
        self._bring = bring
        self._brought: dict[str, str | None] = {}

    def __getitem__(self, name: str) -> str:
        found = self._names.get(name)
        if found is not None:
            return found
        if name not in self._brought:
            self._brought[name] = None  # a circle of star imports ends here
            self._brought[name] = self._bring(name)
        brought = self._brought[name]
        if brought is None:
            raise KeyError(name)
        return brought

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
