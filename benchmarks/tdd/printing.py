"""What both reports print alike: figures beside goals, how many mutants are noticed, what is wrong with tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol


class Noticed(Protocol):
    """A mutant, and whose tests notice it."""

    @property
    def killed(self) -> bool:
        """Whether ours do."""
        ...

    @property
    def killed_by_own(self) -> bool:
        """Whether the project's own do."""
        ...


def figure(words: str, number: int, every: int, goal: float = 0.0) -> bool:
    """Print the share of some among all; whether the goal is met."""
    share = number / max(1, every)
    print(f"  {words:<44} {share:6.3f}  {number} of {every}{f', goal {goal}' if goal else ''}")
    return share >= goal


def noticed(rows: Iterable[tuple[str, Sequence[Noticed], float]]) -> bool:
    """Print how many mutants of each row are noticed; whether all goals are met."""
    good = True
    for words, chosen, goal in rows:
        good &= figure(words, sum(each.killed for each in chosen), len(chosen), goal)
    return good


def killers(mutant: Noticed) -> str:
    """Whose tests notice a mutant, as one word."""
    return f"{'ours' if mutant.killed else '-'}/{'own' if mutant.killed_by_own else '-'}"


def untested(rejected: Iterable[str], needs: Iterable[str]) -> None:
    """Print for which cases there is no test."""
    for told in (*rejected, *needs):
        print(f"    no test: {told[:200]}")


def wrong(outcomes: Mapping[str, Mapping[str, str]]) -> None:
    """Print what is red on the reference, and what is broken elsewhere; `outcomes` has a run under its name."""
    for name, told in outcomes.items():
        for node, outcome in told.items():
            if outcome != "passed" if name == "reference" else outcome.startswith("broken"):
                print(f"    {name}: {node.rpartition('::')[2]}: {outcome[:300]}")
