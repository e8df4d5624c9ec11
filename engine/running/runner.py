"""The built-in validator: pytest in child processes, many tests per process, and each test judged alone."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence

import msgspec

from engine.running.outcomes import Judge
from engine.running.process import Process
from engine.running.sandbox import Limits, Sandbox
from planner.validator import Job, Outcome

_KEPT_SECONDS = 60.0


class PytestValidator:
    """Runs jobs by pytest, inside a sandbox; `parallel` of them at once. `on_start` hears of each test as it begins."""

    def __init__(
        self,
        sandbox: Sandbox | None = None,
        parallel: int = 1,
        on_start: Callable[[str], None] = lambda node: None,
    ) -> None:
        self._sandbox = sandbox or Limits()
        self._on_start = on_start
        self._parallel = max(1, parallel)

    @property
    def level(self) -> str:
        """See `Validator.level`."""
        return self._sandbox.level

    def run(self, job: Job) -> Iterator[Outcome]:
        """See `Validator.run`. A test that ends its process costs only itself: the others run in a new one.

        A test has a second outcome where it turns out that its first was forged, or that it ended its process later.
        """
        judge = Judge(job.root, job.units, job.unbuilt, confined=self._sandbox.level == "strict")
        done: set[str] = set()
        left = list(job.nodes)
        while left:
            part = msgspec.structs.replace(job, nodes=tuple(left))
            process = Process(part, judge, frozenset(done), self._on_start)
            before = len(done)
            for outcome in process.outcomes(self._sandbox):
                done.add(outcome.node)
                yield outcome
            left = [node for node in left if not _is_done(node, done, whole=not process.was_stopped)]
            blamed = [node for node in left if process.is_to_blame(node)]
            if not process.was_stopped:
                blamed = left
            elif not blamed and len(done) == before:
                # It stopped before any test began, and no file is to blame: it would do so again.
                blamed = left
            for node in blamed:
                yield process.never_ran(node)
            left = [node for node in left if node not in blamed]

    def run_many(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """See `Validator.run_many`."""
        if self._parallel == 1 or len(jobs) < 2:
            for job in jobs:
                yield from self.run(job)
            return
        outcomes: queue.Queue[tuple[Outcome | BaseException | None, threading.Event]] = queue.Queue()
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
                        kept = threading.Event()
                        outcomes.put((outcome, kept))
                        kept.wait(_KEPT_SECONDS)  # no test begins before the one before it is kept
            except BaseException as error:  # noqa: BLE001 (handed to the thread that asked)
                outcomes.put((error, threading.Event()))
            finally:
                outcomes.put((None, threading.Event()))

        workers = [threading.Thread(target=work, daemon=True) for _ in range(min(self._parallel, len(jobs)))]
        for worker in workers:
            worker.start()
        ended = 0
        while ended < len(workers):
            outcome, kept = outcomes.get()
            if outcome is None:
                ended += 1
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                yield outcome
                kept.set()


def _is_done(node: str, done: set[str], *, whole: bool) -> bool:
    """Whether a test has its outcome; a class or a file only where the process came to the end of all (`whole`)."""
    if node in done or any(each.startswith(f"{node}[") for each in done):
        return True
    return whole and any(each.startswith(f"{node}::") for each in done)
