"""The built-in validator: pytest in child processes, many tests per process, and each test judged alone."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.running.child import Child, Ended
from engine.running.outcomes import Judge
from planner.validator import Job, Outcome, Verdict

Wrap = Callable[[Job], tuple[str, ...]]


def no_wrap(job: Job) -> tuple[str, ...]:
    """No sandbox around the process but its limits."""
    return ()


class PytestValidator:
    """Runs jobs by pytest. `wrap` gives the words that stand before the command: the sandbox that is in force."""

    def __init__(self, level: str = "limits", wrap: Wrap = no_wrap, parallel: int = 1) -> None:
        self._level = level
        self._wrap = wrap
        self._parallel = max(1, parallel)

    @property
    def level(self) -> str:
        """See `Validator.level`."""
        return self._level

    def run(self, job: Job) -> Iterator[Outcome]:
        """See `Validator.run`. A test that ends its process costs only itself: the others run in a new one."""
        judge = Judge(job.root, job.units)
        done: set[str] = set()
        while True:
            process = _Process(job, judge, frozenset(done))
            before = len(done)
            for outcome in process.outcomes(self._wrap(job)):
                done.add(outcome.node)
                yield outcome
            if not process.was_stopped or len(done) == before:
                break
        for node in job.nodes:
            if node not in done and not any(each.startswith(f"{node}[") for each in done):
                yield process.never_ran(node)

    def run_many(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """See `Validator.run_many`."""
        if self._parallel == 1 or len(jobs) < 2:
            for job in jobs:
                yield from self.run(job)
            return
        outcomes: queue.Queue[Outcome | BaseException | None] = queue.Queue()
        waiting = iter(jobs)
        lock = threading.Lock()

        def work() -> None:
            try:
                while True:
                    with lock:
                        job = next(waiting, None)
                    if job is None:
                        return
                    for outcome in self.run(job):
                        outcomes.put(outcome)
            except BaseException as error:  # noqa: BLE001 (handed to the thread that asked)
                outcomes.put(error)
            finally:
                outcomes.put(None)

        workers = [threading.Thread(target=work, daemon=True) for _ in range(min(self._parallel, len(jobs)))]
        for worker in workers:
            worker.start()
        ended = 0
        while ended < len(workers):
            outcome = outcomes.get()
            if outcome is None:
                ended += 1
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                yield outcome


class _Process:
    """What one pytest process did: the tests that it ran, the files that it could not collect, how it ended."""

    def __init__(self, job: Job, judge: Judge, done: frozenset[str]) -> None:
        self._job = job
        self._judge = judge
        self._done = done
        self._uncollected: dict[str, dict[str, Any]] = {}
        self._stopped: Ended | None = None
        self._words = ""

    @property
    def was_stopped(self) -> bool:
        """Whether it ended before all its tests had run."""
        return self._stopped is not None

    def outcomes(self, wrap: tuple[str, ...]) -> Iterator[Outcome]:
        """The outcome of each test that ran; of the one that ended the process too."""
        phases: dict[str, list[dict[str, Any]]] = {}
        current = ""
        with Child(self._job, self._done, wrap) as child:
            try:
                for event in child.events():
                    match event["event"]:
                        case "uncollected":
                            self._uncollected[event["node"]] = event
                        case "start":
                            current = event["node"]
                            phases[current] = []
                        case "phase" if event["node"] in phases:
                            phases[event["node"]].append(event)
                        case "finish" if event["node"] in phases:
                            yield self._judge.of_phases(event["node"], phases.pop(event["node"]))
                            current = ""
                        case "exit" if current:
                            raise Ended("exit", f"exit code {event['code']}")
            except Ended as ended:
                self._stopped = ended
            self._words = child.output.decode("utf-8", "replace")[-2000:]
        if self._stopped is not None and current:
            yield self._outcome_of_stop(current)

    def never_ran(self, node: str) -> Outcome:
        """The outcome of a test that the last process did not come to."""
        told = self._uncollected.get(node.partition("::")[0])
        if told is not None:
            return self._judge.of_collection(node, told)
        if self._stopped is not None:
            return self._outcome_of_stop(node)
        return Outcome(
            node=node, verdict=Verdict.ABSENT, message="pytest did not collect it", output=self._words
        )

    def _outcome_of_stop(self, node: str) -> Outcome:
        assert self._stopped is not None, "asked only after a stop"
        if self._stopped.why == "timeout":
            return Outcome(node=node, verdict=Verdict.TIMEOUT, message=f"it {self._stopped.words}")
        what = "it ended the whole process: " if self._stopped.why == "exit" else "it was stopped: it "
        return Outcome(node=node, verdict=Verdict.CONTAINED, message=what + self._stopped.words)
