"""What one pytest process did: the tests that it ran, the files that it could not collect, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.running.child import Child, Ended
from engine.running.outcomes import Judge
from engine.running.sandbox import Sandbox
from planner.validator import Job, Outcome, Verdict

_LIMITED = frozenset({"output", "processes", "memory", "disk"})


class Process:
    """Runs the nodes of a job that are not done yet, once."""

    def __init__(
        self,
        job: Job,
        judge: Judge,
        done: frozenset[str],
        on_start: Callable[[str], None] = lambda node: None,
    ) -> None:
        """`on_start` hears of each test as it begins."""
        self._job = job
        self._judge = judge
        self._done = done
        self._on_start = on_start
        self._uncollected: dict[str, dict[str, Any]] = {}
        self._unstarted: dict[str, Any] | None = None
        self._said_hello = self._collected = self._ended = False
        self._collecting = ""
        self._current = ""
        self._last = ""
        self._phases: dict[str, list[dict[str, Any]]] = {}
        self._stopped: Ended | None = None
        self._words = ""

    @property
    def was_stopped(self) -> bool:
        """Whether it ended before all its tests had run."""
        return self._stopped is not None and self._unstarted is None

    def is_to_blame(self, node: str) -> bool:
        """Whether a test's file could not be collected, or ended the process while it was."""
        file = node.partition("::")[0]
        return file in self._uncollected or (not self._collected and file == self._collecting)

    def outcomes(self, sandbox: Sandbox) -> Iterator[Outcome]:
        """The outcome of each test that ran; of the one that ended the process too."""
        try:
            child = Child(self._job, self._done, sandbox)
        except OSError as error:
            self._stopped = Ended(
                "start", f"{self._job.python}: cannot be started: {error.strerror or error}"
            )
            return
        with child:
            try:
                for event in child.events():
                    yield from self._heard(event)
                    if event["event"] == "finish":
                        child.acknowledge()
            except Ended as ended:
                if not self._ended or self._current:  # what hangs after the last report does no harm any more
                    self._stopped = ended
            self._words = child.output.decode("utf-8", "replace")
        if self._stopped is not None and (self._current or self._last):
            yield self._outcome_of_stop(self._current or self._last)

    def never_ran(self, node: str) -> Outcome:
        """The outcome of a test that the process did not come to."""
        told = self._uncollected.get(node.partition("::")[0]) or self._unstarted
        if told is not None:
            return self._judge.of_collection(node, told)
        if not self._said_hello:
            return Outcome(
                node=node, verdict=Verdict.ENVIRONMENT, message=self._remedy(), output=self._words[-2000:]
            )
        if self._stopped is not None:
            if self._collected or self.is_to_blame(node):
                return self._outcome_of_stop(node)
            words = f"pytest ended before it collected anything ({self._stopped.words}){self._last_line()}"
            return Outcome(node=node, verdict=Verdict.ENVIRONMENT, message=words, output=self._words[-2000:])
        message = (
            "pytest did not collect it: there is no such test, or the project's own settings leave it out"
        )
        return Outcome(node=node, verdict=Verdict.ABSENT, message=message, output=self._words[-2000:])

    def _heard(self, event: dict[str, Any]) -> Iterator[Outcome]:
        node = event.get("node", "")
        match event["event"]:
            case "hello":
                self._said_hello = True
            case "unstarted" if not self._phases:
                self._unstarted = event
            case "collecting":
                self._collecting = node
            case "uncollected":
                self._uncollected[node] = event
            case "collected":
                self._collected = True
            case "start" if not self._current and node not in self._phases:
                self._current, self._last = node, ""
                self._phases[node] = []
                self._on_start(node)
            case "phase" if node == self._current:
                self._phases[node].append(event)
            case "finish" if node == self._current:
                self._current, self._last = "", node
                yield self._judge.of_phases(node, self._phases[node])
            case "start" | "phase" | "finish":
                yield from self._forged(node)
            case "ended":
                self._ended = True
                if not self._current:
                    self._last = ""
            case "exit":
                self._judge_end(event["code"])

    def _forged(self, node: str) -> Iterator[Outcome]:
        """Results that come when none can: a test reported for itself or for another one."""
        teller = self._current or self._last
        words = "it reported results by itself" + (f" for {node}" if node != teller else "")
        for each in dict.fromkeys((teller, node)):
            if each:
                yield Outcome(node=each, verdict=Verdict.CONTAINED, message=words)

    def _judge_end(self, code: int) -> None:
        if self._ended and not self._current:
            return
        if not self._said_hello:
            raise Ended("start", self._remedy())
        if self._ended:
            raise Ended("exit", "pytest was told to end")
        raise Ended("exit", f"exit code {code}")

    def _remedy(self) -> str:
        """Why pytest did not even load our plugin, and what to do about it."""
        if self._stopped is not None and self._stopped.why in ("timeout", *_LIMITED):
            return f"pytest did not start: {self._stopped.words}"
        python = self._job.python
        if not python.exists():
            return f"{python}: there is no such interpreter; name another one with --python"
        said = self._last_line()
        if said.endswith("No module named pytest"):
            return (
                f"{python} has no pytest: install it there (`{python} -m pip install pytest`), or name another "
                "interpreter with --python"
            )
        return f"pytest did not start in {python}{said or ': it said nothing'}"

    def _last_line(self) -> str:
        """The last line that it printed, after a colon; empty where it printed nothing."""
        lines = [line.strip() for line in self._words.splitlines() if line.strip()]
        return f": {lines[-1][:300]}" if lines else ""

    def _outcome_of_stop(self, node: str) -> Outcome:
        assert self._stopped is not None, "asked only after a stop"
        if self._stopped.why == "timeout":
            return Outcome(node=node, verdict=Verdict.TIMEOUT, message=self._stopped.words)
        what = "it was stopped: it " if self._stopped.why in _LIMITED else "it ended the whole process: "
        return Outcome(node=node, verdict=Verdict.CONTAINED, message=what + self._stopped.words)
