"""What conftests have where tests call functions with values that nobody told: the fixture `made_up`."""

import contextlib
import re
import signal
import threading
import time

import pytest


@pytest.fixture
def made_up():
    """A block in which the code may refuse what the test made up: the test shows nothing then, and ends undecided.

    A refusal is an error of the code's own, or one of Python's about values, types and what is looked up, also in what
    was given; or that it takes many seconds with it. What is missing, not written yet or called otherwise is
    red as ever.
    """

    @contextlib.contextmanager
    def refusing():
        end = _watched()
        try:
            yield
        except _EndlessError:
            end()
            pytest.skip(
                f"what the test made up is refused: no end after {_SECONDS} seconds of computing, or {_WAITING} in all"
            )
        except Exception as error:
            if not _refuses(error):
                raise
            kind = type(error)
            pytest.skip(f"what the test made up is refused: {kind.__name__}: {str(error)[:300]}")
        finally:
            end()

    return refusing()


_SECONDS = 5  # of computing
_WAITING = 20  # in all


class _EndlessError(BaseException):
    """What ends a call that takes too long; no code that catches errors of its own sees it."""


def _watched():
    """Watch how long this process computes and waits from now on, where the system can tell; what is given back ends
    it, and leaves an alarm that was set before as it was."""
    if not hasattr(signal, "SIGVTALRM") or threading.current_thread() is not threading.main_thread():
        return lambda: None

    def stop(number, frame):
        raise _EndlessError

    begun = time.monotonic()
    former = [(each, signal.signal(each, stop)) for each in (signal.SIGVTALRM, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS, 1)
    left, again = signal.setitimer(signal.ITIMER_REAL, _WAITING, 1)

    def end():
        if former:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            while former:
                signal.signal(*former.pop())
            if left:
                signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - begun)), again)

    return end


def _refuses(error):
    """Whether an error speaks of what the code was given."""
    if isinstance(error, (NotImplementedError, RecursionError)):
        return False
    inside = error.__traceback__.tb_next.tb_next  # Below this block and the test.
    if isinstance(error, (TypeError, AttributeError)) and inside is None:
        return False  # The test itself cannot work with what it was given back.
    if isinstance(error, AttributeError):  # What was given lacks something: nothing of the project does.
        given = getattr(error, "obj", None)
        kind = given if isinstance(given, type) else type(given)
        return kind.__module__ == "builtins" and kind.__name__ not in ("NoneType", "module", "function")
    if isinstance(error, TypeError) and re.search(r"\w\(\) (?:got|takes|missing)", str(error)):
        return False
    told = (ArithmeticError, LookupError, OSError, RuntimeError, TypeError, ValueError)
    return isinstance(error, told) or type(error).__module__.partition(".")[0] not in ("builtins", "_pytest")
