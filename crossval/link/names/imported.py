"""What a module imports on a target, when it runs and for type checkers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from crossval.link.names.targets import Target
from graph.facts import Fact


def imported(fact: Fact, holds: Callable[[str], bool | None]) -> Iterator[tuple[str, str, int]]:
    """What a module imports on the target: local name, qualified name and line."""
    guards = {line: holds(guard) for line, guard in fact.aspects.get("import_guards", [])}
    for local, target, line in fact.aspects.get("imports", []):
        if guards.get(line) is not False:
            yield local, target, line


def for_annotations(facts: Iterable[Fact], target: Target) -> dict[str, str]:
    """Local name → qualified name of what code imports, also for type checkers only: annotations may name it."""

    def holds(condition: str) -> bool | None:
        return target.holds(condition, type_checking=True)

    guarded = (fact for fact in facts if fact.aspects.get("import_guards"))
    return {
        local: meant
        for fact in guarded
        for local, meant, _ in imported(fact, holds)
        if local not in ("*", meant)
    }
