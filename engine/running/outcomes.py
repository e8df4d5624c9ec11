"""From what pytest reported of a test to its verdict: did the code fail, is it missing, or is the test broken?"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Any

import msgspec

from engine.running.lacking import (
    SCREENLESS,
    STARTED,
    UNBUILT,
    UNTABLED,
    is_screenless,
    is_unreached,
    is_unset,
    is_untabled,
)
from planner.validator import Frame, Outcome, Verdict

_CALLED_WRONGLY = re.compile(r"[\w.<>]+\(\) (got|takes|missing|does not|expected)")
_OWN_FAULTS = frozenset({"SyntaxError", "IndentationError", "FixtureLookupError", "UsageError"})
_REFUSED = frozenset({errno.EROFS, errno.ENETUNREACH, errno.ENETDOWN, errno.ECONNREFUSED})
"""The errors by which a read-only view and a network without a way out show."""
_HINT = " (the sandbox refuses it; `--sandbox limits` would not)"
_INSTALL = " (install it for the interpreter that runs the tests, or name another with --python)"
_UNPLUGGED = " (pytest ended by it: the interpreter that runs the tests may lack a plug-in of the project)"
_LIMITED = " (it takes no more requests for now: tests need one without that limit)"
_TOO_MANY = 429
_ASSERTED = frozenset({"AssertionError", "Failed"})
# Also in the words of those who say it by another error than Python's own.
_NEEDED = re.compile(
    r"\b(?:requires?|needs?) (?:the )?[`'\"]?[\w.-]+[`'\"]? (?:package|library|module)?\s*(?:to be )?installed"
    r"|\bpip install ",
    re.IGNORECASE,
)
_LOOKED_UP = frozenset({"JSONDecodeError", "KeyError", "IndexError", "TypeError", "AttributeError"})
_ENDS = ("setup", "teardown")
_ENTERING = "auth"
"""The fixture in which the application itself lets a caller in."""
_FINDING = "find_application"
"""What a conftest asks that was written before there was an application."""
_NAME_ASKED = re.compile(r"cannot import name '(\w+)'")
_ANSWER = re.compile(r"\.json\(\)|- \S+\.keys\(\)$")


class Raised(msgspec.Struct, frozen=True):
    """An exception as the plugin tells it; `missing` is the module or name that was not found, `holder` where, and
    `nowhere` whether that has no file; `errno` is that of an error of the system."""

    exception: str = ""
    bases: tuple[str, ...] = ()
    message: str = ""
    missing: str = ""
    holder: str = ""
    nowhere: bool = False
    errno: int = 0
    frames: tuple[tuple[str, int, str], ...] = ()


class Answered(msgspec.Struct, frozen=True):
    """What an application answered where a test failed by its status; `inside` is what it raised, if it did."""

    status: int = 0
    said: str = ""
    inside: Raised | None = None


class Judge:
    """Judges the tests of one project: `root` is its folder, `units` its modules.

    `unbuilt` are modules that only a build makes. `confined` says that a sandbox keeps tests from the network and from
    writing: what fails by that proves nothing.
    """

    def __init__(
        self, root: Path, units: tuple[str, ...], unbuilt: tuple[str, ...] = (), *, confined: bool = False
    ) -> None:
        self._root = os.path.realpath(root)
        self._units = units
        self._unbuilt = unbuilt
        self._confined = confined

    def of_phases(self, node: str, phases: list[dict[str, Any]]) -> Outcome:
        """The outcome of a test that ended, from the reports of its set-up, call and teardown."""
        seconds = sum(phase["seconds"] for phase in phases)
        output = "".join(phase["output"] for phase in phases)
        failed = next((phase for phase in phases if phase["outcome"] == "failed"), None)
        if failed is None:
            verdict = Verdict.PASSED if _has_passed(phases) else Verdict.SKIPPED
            why = next((phase["reason"] for phase in phases if phase.get("reason")), "")
            return Outcome(node=node, verdict=verdict, seconds=seconds, message=why, output=output)
        raised = msgspec.convert(
            {name: failed[name] for name in Raised.__struct_fields__ if name in failed}, Raised
        )
        answered = msgspec.convert(
            {name: failed[name] for name in Answered.__struct_fields__ if name in failed}, Answered
        )
        frames = self._frames(raised, node)
        verdict = self._verdict(raised, frames, failed["when"])
        inner, hint = self._of_answer(answered) if verdict is Verdict.FAILED else (None, "")
        return Outcome(
            node=node,
            verdict=inner or verdict,
            seconds=seconds,
            exception=raised.exception,
            message=_hinted(raised.message, self._hint(raised, failed["when"])),
            service=self._service(answered, node, hint),
            answered=answered.status,
            frames=frames,
            output=output,
        )

    def of_collection(self, node: str, told: dict[str, Any]) -> Outcome:
        """The outcome of a test whose file could not be collected."""
        raised = msgspec.convert(
            {name: told[name] for name in Raised.__struct_fields__ if name in told}, Raised
        )
        verdict, hint = Verdict.MISSING if self._is_missing(raised) else Verdict.BROKEN, ""
        if self._is_unbuilt(raised):
            verdict, hint = Verdict.ENVIRONMENT, UNBUILT
        elif told.get("internal"):
            verdict, hint = Verdict.ENVIRONMENT, _UNPLUGGED
        return Outcome(
            node=node,
            verdict=verdict,
            exception=raised.exception,
            message=_hinted(raised.message, hint),
            frames=self._frames(raised, node),
        )

    def _of_answer(self, answered: Answered) -> tuple[Verdict | None, str]:
        """What an answer, or an error behind it, makes of a red test, and what to do about it; None: it stays so."""
        inside = answered.inside
        if answered.status == _TOO_MANY:
            return Verdict.ENVIRONMENT, _LIMITED
        if inside is None:
            return None, ""
        if "NotImplementedError" in inside.bases:
            return Verdict.MISSING, ""
        if self._is_refused(inside):
            return Verdict.ENVIRONMENT, _HINT
        if self._is_unstarted(inside):
            return Verdict.ENVIRONMENT, STARTED
        if is_untabled(inside.bases, inside.message):
            return Verdict.ENVIRONMENT, UNTABLED
        if self._asks_for_more(inside):
            return Verdict.ENVIRONMENT, _INSTALL
        return None, ""

    def _service(self, answered: Answered, node: str, hint: str) -> str:
        """What the application raised, with its place in the project, or else what it answered."""
        inside = answered.inside
        if inside is None:
            return f"it answered {answered.status}: {answered.said}{hint}" if answered.status else ""
        own = [each for each in self._frames(inside, node) if each.owner == "project"]
        place = f" ({own[-1].path}:{own[-1].line})" if own else ""
        words = f"{inside.exception}: {inside.message}".partition("\n")[0]
        return f"the service raised {words}{place}{hint}"

    def _verdict(self, raised: Raised, frames: tuple[Frame, ...], when: str) -> Verdict:
        if "MemoryError" in raised.bases:
            return Verdict.CONTAINED
        if self._is_refused(raised) or _is_screenless(raised) or self._is_unbuilt(raised):
            return Verdict.ENVIRONMENT
        if self._is_missing(raised) or _is_awaited(raised, frames):
            return Verdict.MISSING
        if when == "setup" and (self._is_unequipped(raised) or self._is_unstarted(raised)):
            return Verdict.ENVIRONMENT
        is_asserted = bool(_ASSERTED.intersection(raised.bases))
        if when == "setup" and is_asserted and any(each.function == _ENTERING for each in frames):
            return Verdict.FAILED
        if when != "call" or raised.exception in _OWN_FAULTS:
            return Verdict.BROKEN
        if is_asserted:
            return Verdict.FAILED
        last_test = max((i for i, frame in enumerate(frames) if frame.owner == "test"), default=-1)
        if any(frame.owner == "project" for frame in frames[last_test + 1 :]):
            if self._asks_for_more(raised):
                return Verdict.ENVIRONMENT
            return Verdict.MISSING if "NotImplementedError" in raised.bases else Verdict.FAILED
        if raised.exception == "TypeError" and _CALLED_WRONGLY.match(raised.message):
            return Verdict.FAILED
        tests = [frame for frame in frames if frame.owner == "test"]
        if _LOOKED_UP.intersection(raised.bases) and any(map(self._reads_answer, tests)):
            return Verdict.FAILED
        return Verdict.BROKEN

    def _reads_answer(self, frame: Frame) -> bool:
        """Whether what failed is a line that reads an answer of the application, which had something else in it."""
        try:
            lines = (Path(self._root) / frame.path).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return False
        return 0 < frame.line <= len(lines) and _ANSWER.search(lines[frame.line - 1]) is not None

    def _is_refused(self, raised: Raised) -> bool:
        return self._confined and (raised.errno in _REFUSED or "gaierror" in raised.bases)

    def _is_unstarted(self, raised: Raised) -> bool:
        """Whether an application that is made for the test finds a service or a setting missing."""
        unreached = is_unreached(raised.bases, raised.message, raised.errno)
        return unreached or is_unset(raised.bases, raised.message, raised.frames)

    def _hint(self, raised: Raised, when: str) -> str:
        """What to do about what the environment lacks; empty where it lacks nothing."""
        is_unstarted = when == "setup" and self._is_unstarted(raised)
        out_of_reach = is_unstarted and is_unreached(raised.bases, raised.message, raised.errno)
        if self._is_refused(raised) or (self._confined and out_of_reach):
            return _HINT
        if is_unstarted:
            return STARTED
        if _is_screenless(raised):
            return SCREENLESS
        if self._is_unbuilt(raised):
            return UNBUILT
        is_lacking = when == "setup" and not self._is_missing(raised) and _is_not_installed(raised)
        is_told = _NEEDED.search(raised.message) is not None
        return _INSTALL if is_lacking or (self._asks_for_more(raised) and not is_told) else ""

    def _asks_for_more(self, raised: Raised) -> bool:
        """Whether code asks for a package that is not there and is none of the project's, as it can do without."""
        if {"ImportError", "RuntimeError"} & set(raised.bases) and _NEEDED.search(raised.message):
            return True
        first = raised.missing.partition(".")[0]
        own = {unit.partition(".")[0] for unit in self._units}
        return "ModuleNotFoundError" in raised.bases and bool(first) and first not in own

    def _is_unequipped(self, raised: Raised) -> bool:
        """Whether what a fixture needs is not installed: another package than the project itself."""
        return _is_not_installed(raised) or _NEEDED.search(raised.message) is not None

    def _is_missing(self, raised: Raised) -> bool:
        """Whether the error says that a part of the unit under test is not there."""
        if "ImportError" in raised.bases:
            return self._is_unit(raised.missing)
        return "AttributeError" in raised.bases and self._is_unit(raised.holder)

    def _is_unbuilt(self, raised: Raised) -> bool:
        """Whether a build is to make a module that is not found, or that is no more than a folder before."""
        asked = raised.holder or raised.missing
        if named := _NAME_ASKED.match(raised.message):
            if f"{asked}.{named[1]}" in self._unbuilt:
                return True
        elif "ModuleNotFoundError" in raised.bases and asked:
            return any(f"{name}.".startswith(f"{asked}.") for name in self._unbuilt)
        return raised.nowhere and asked in self._unbuilt

    def _is_unit(self, name: str) -> bool:
        return any(name == unit or name.startswith(f"{unit}.") for unit in self._units)

    def _frames(self, raised: Raised, node: str) -> tuple[Frame, ...]:
        file = node.partition("::")[0]
        return tuple(self._frame(*frame, file) for frame in raised.frames)

    def _frame(self, path: str, line: int, function: str, test_file: str) -> Frame:
        inside = os.path.relpath(os.path.realpath(path), self._root)
        if inside.startswith("..") or "site-packages" in inside or path.startswith("<"):
            return Frame(path, line, function, "library")
        inside = inside.replace(os.sep, "/")
        is_test = inside == test_file or inside.rpartition("/")[2] == "conftest.py"
        return Frame(inside, line, function, "test" if is_test else "project")


def _is_awaited(raised: Raised, frames: tuple[Frame, ...]) -> bool:
    """Whether there is no application yet."""
    last = frames[-1] if frames else None
    return "NotImplementedError" in raised.bases and last is not None and last.function == _FINDING


def _has_passed(phases: list[dict[str, Any]]) -> bool:
    """Whether a test that did not fail passed: it ran from end to end, and not all of its subtests were skipped.

    Each subtest is told as a call of its own, the test itself as the last one.
    """
    whens = [phase["when"] for phase in phases]
    whole = len(whens) > len(_ENDS) and (whens[0], whens[-1]) == _ENDS and set(whens[1:-1]) == {"call"}
    if not whole or any(phase["xfail"] for phase in phases):
        return False
    subtests = [phase["outcome"] == "passed" for phase in phases[1:-2]]
    own = (phases[0], *phases[-2:])
    return all(phase["outcome"] == "passed" for phase in own) and (not subtests or any(subtests))


def _is_screenless(raised: Raised) -> bool:
    return not _ASSERTED.intersection(raised.bases) and is_screenless(raised.message)


def _is_not_installed(raised: Raised) -> bool:
    return "ImportError" in raised.bases and bool(raised.missing)


def _hinted(message: str, hint: str) -> str:
    """The words of an error with a hint behind their first line, which is the one that is shown."""
    first, end, rest = message.partition("\n")
    return f"{first}{hint}{end}{rest}"
