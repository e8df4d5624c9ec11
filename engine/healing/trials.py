"""Runs tests for healing, many in one process, and knows how each stood last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.project import Project
from engine.running.honesty import Honesty
from engine.running.jobs import jobs
from planner.validator import Outcome, Validator, Verdict

_FINE = frozenset({Verdict.PASSED, Verdict.SKIPPED})


def is_red(outcome: Outcome) -> bool:
    """Whether a test is neither green nor left out."""
    return outcome.verdict not in _FINE


def covers(asked: str, node: str) -> bool:
    """Whether a node that was asked for, a test, a class or a file, means a test."""
    return node == asked or node.startswith((f"{asked}::", f"{asked}["))


class Trials:
    """Runs tests of a project. `known` has the last outcome of each test on files as they were before any edit."""

    def __init__(self, project: Project, validator: Validator, *, seconds: float, parallel: int) -> None:
        self._project = project
        self._validator = validator
        self._seconds = seconds
        self._parallel = parallel
        self.known: dict[str, Outcome] = {}
        self._whole: set[str] = set()
        self._before = Honesty(project.root)

    @property
    def level(self) -> str:
        """The sandbox that is in force."""
        return self._validator.level

    def learn(self, nodes: Iterable[str]) -> dict[str, Outcome]:
        """Run tests whose standing before any edit is wanted."""
        nodes = list(nodes)
        for node in nodes:
            self._before.judged(Outcome(node=node, verdict=Verdict.PASSED))  # reads its file as it is now
        found = self.run(nodes, honest=False)
        self.known.update(found)
        self._whole.update(node for node in nodes if "::" not in node)
        return found

    def learn_files(self, files: Iterable[str]) -> None:
        """Run all tests of those files of which not all are known."""
        self.learn(sorted(set(files) - self._whole))

    def run(self, nodes: Iterable[str], *, honest: bool = True) -> dict[str, Outcome]:
        """The outcome of each test below these nodes; `honest` takes a pass that proves nothing for red.

        That holds only where it proved something before any edit: how people write their tests is theirs.
        """
        wanted = list(dict.fromkeys(nodes))
        found: dict[str, Outcome] = {}
        if not wanted:
            return found
        honesty = Honesty(self._project.root)
        for outcome in self._validator.run_many(jobs(self._project, wanted, self._seconds, self._parallel)):
            before = found.get(outcome.node)
            if before is None or not is_red(before):  # a second outcome takes a forged pass back
                found[outcome.node] = self._judged(outcome, honesty) if honest else outcome
        return found

    def _judged(self, outcome: Outcome, honesty: Honesty) -> Outcome:
        judged = honesty.judged(outcome)
        return judged if self._before.judged(outcome).verdict is outcome.verdict else outcome

    def broken(self, outcomes: Mapping[str, Outcome]) -> list[str]:
        """The tests among these that were green before and are not any more."""
        return [
            node
            for node, outcome in outcomes.items()
            if is_red(outcome) and node in self.known and self.known[node].verdict is Verdict.PASSED
        ]

    def known_in(self, files: Iterable[str]) -> list[str]:
        """The tests of some files that are known."""
        wanted = set(files)
        return [node for node in self.known if node.partition("::")[0] in wanted]


def greens(asked: Iterable[str], outcomes: Mapping[str, Outcome]) -> list[str]:
    """Which of the nodes that were asked for are green: something ran, all of it passed."""
    found = []
    for node in asked:
        mine = [outcome for other, outcome in outcomes.items() if covers(node, other)]
        if mine and all(each.verdict is Verdict.PASSED for each in mine):
            found.append(node)
    return found
