"""A pytest plugin that runs in the project's interpreter, and reports each test over an inherited pipe.

It imports nothing but the standard library and pytest, so that any interpreter can load it. Each line is a JSON
object with the nonce that the parent chose, and an event: `hello`, `unstarted`, `collecting`, `uncollected`,
`collected`, `start`, `phase`, `finish` or `ended`.
"""

from __future__ import annotations

import json
import linecache
import logging
import os
import traceback
import types

import pytest

_LONGEST = 4000
_SAID = 500
_OUTPUT = 20_000
_FRAMES = 40
_NONCE = os.environ.pop("CROSSFACT_NONCE", "")
_PIPE = int(os.environ.pop("CROSSFACT_PIPE", "-1"))
_HEARD = int(os.environ.pop("CROSSFACT_HEARD", "-1"))
_CHOICE = os.environ.pop("CROSSFACT_CHOICE", "")


def _tell(event: str, **told: object) -> None:
    if _PIPE < 0:
        return
    line = json.dumps({"nonce": _NONCE, "event": event, **told}, ensure_ascii=True) + "\n"
    data = line.encode("ascii", "replace")
    while data:
        data = data[os.write(_PIPE, data) :]


_tell("hello")


def pytest_configure(config: pytest.Config) -> None:
    """Make errors of what would otherwise look like a pass: errors in threads, and answers instead of assertions."""
    for name in ("PytestUnhandledThreadExceptionWarning", "PytestReturnNotNoneWarning"):
        if hasattr(pytest, name):
            config.addinivalue_line("filterwarnings", f"error::pytest.{name}")


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(early_config, parser, args):  # type: ignore[no-untyped-def]
    """Tell of a conftest that cannot be loaded: pytest ends then without collecting anything."""
    result = yield
    failed = result.excinfo[1] if result.excinfo else None
    if failed is not None:
        cause = getattr(failed, "cause", None) or failed.__cause__ or failed
        _tell("unstarted", **_exception(cause))


def pytest_internalerror(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Tell of what ends pytest itself, such as a conftest that asks for the hooks of a plug-in that is not there."""
    _tell("unstarted", internal=True, **_exception(excinfo.value))


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Tell which file is looked through, so that one that hangs or ends the process is known."""
    if isinstance(collector, pytest.File):
        _tell("collecting", node=collector.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that were asked for, the cases of a parametrised one included, less those that are done.

    A class or a file stands for all its tests.
    """
    if not _CHOICE:
        return
    with open(_CHOICE, encoding="utf-8") as file:
        choice = json.load(file)
    wanted, done = {node: place for place, node in enumerate(choice["wanted"])}, set(choice["done"])
    places = {id(item): _place(item.nodeid, wanted) for item in items if item.nodeid not in done}
    kept = [item for item in items if places.get(id(item)) is not None]
    config.hook.pytest_deselected(items=[item for item in items if places.get(id(item)) is None])
    kept.sort(key=lambda item: places[id(item)] or 0)
    items[:] = kept


def _place(node: str, wanted: dict[str, int]) -> int | None:
    """The place of a test among those asked for, by itself or with its class or file; None where it was not."""
    if node in wanted:
        return wanted[node]
    name = node.partition("[")[0]
    while name not in wanted and "::" in name:
        name = name.rpartition("::")[0]
    return wanted.get(name)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Tell which tests there are."""
    _tell("collected", nodes=[item.nodeid for item in session.items])


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Tell of a file that could not be collected."""
    if report.failed:
        excinfo = getattr(report, "_crossfact", None)
        _tell("uncollected", node=report.nodeid, **(excinfo or {"message": str(report.longrepr)[:_LONGEST]}))


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):  # type: ignore[no-untyped-def]
    """Keep the exception itself, which pytest turns into text."""
    result = yield
    report = result.get_result()
    call = getattr(report, "call", None)
    if report.failed and call is not None and call.excinfo is not None:
        report._crossfact = _exception(call.excinfo.value)


def pytest_runtest_logstart(nodeid: str, location: object) -> None:
    """Tell that a test begins, so that it can be timed from outside."""
    _tell("start", node=nodeid)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):  # type: ignore[no-untyped-def]
    """Tell what became of a test's set-up, call or teardown."""
    result = yield
    report = result.get_result()
    # The error itself counts: a report can be changed by whoever comes later.
    failed = report.outcome == "failed" or (report.outcome == "passed" and call.excinfo is not None)
    told: dict[str, object] = {}
    if failed:
        told = (
            _exception(call.excinfo.value) if call.excinfo else {"message": str(report.longrepr)[:_LONGEST]}
        )
        told |= _of_service(call)
    output = "" if report.outcome == "passed" else "".join(text for _, text in report.sections)[-_OUTPUT:]
    _tell(
        "phase",
        node=item.nodeid,
        when=report.when,
        outcome="failed" if failed else report.outcome,
        reason=_reason(report) if report.outcome == "skipped" else "",
        seconds=round(call.stop - call.start, 6),
        xfail=hasattr(report, "wasxfail"),
        output=output,
        **told,
    )


class _Raised(logging.Handler):
    """Keeps the last error that an application logged: its client sees no more of it than a status."""

    last: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.last = record.exc_info[1]


_RAISED = _Raised(logging.ERROR)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Listen for errors that are logged while this test runs."""
    _RAISED.last = None
    root = logging.getLogger()
    if _RAISED not in root.handlers:
        root.addHandler(_RAISED)


def _of_service(call: pytest.CallInfo[None]) -> dict[str, object]:
    """What an application answered, or raised, where a test failed by the status of an answer."""
    answer = _answer(call.excinfo.value) if call.excinfo and call.when in ("setup", "call") else None
    if answer is None:
        return {}
    try:
        told: dict[str, object] = {"status": int(answer.status_code), "said": str(answer.text)[:_SAID]}
    except Exception:  # noqa: BLE001 (an answer of the project's own may fail at anything)
        return {}
    if int(answer.status_code) >= 500 and _RAISED.last is not None:
        told["inside"] = _exception(_RAISED.last)
    return told


def _answer(error: BaseException):  # type: ignore[no-untyped-def]
    """The answer whose status the line looks at that failed; None where it looks at something else."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    frame = frames[-1] if frames else None
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno) if frame is not None else ""
    name = line.strip().removeprefix("assert ").partition(".status_code")[0]
    if frame is None or not name.isidentifier() or f"{name}.status_code" not in line:
        return None
    found = frame.f_locals.get(name)
    return found if type(found).__name__.endswith("Response") else None


def pytest_runtest_logfinish(nodeid: str, location: object) -> None:
    """Tell that a test is over, and wait until that is kept: a kill then costs no more than the test that runs."""
    _tell("finish", node=nodeid)
    if _HEARD >= 0 and not os.read(_HEARD, 1):
        os._exit(3)  # whoever listened is gone: what would run now would run again


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell that pytest came to its end by itself."""
    _tell("ended")


def _reason(report: pytest.TestReport) -> str:
    """Why a test was skipped."""
    said = report.longrepr
    return str(said[2] if isinstance(said, tuple) and len(said) == 3 else said or "")[:_LONGEST]


def _exception(error: BaseException) -> dict[str, object]:
    """The error as data: its type and bases, its words, what it misses, and the frames that it came through."""
    inside = getattr(error, "exceptions", None)
    if isinstance(inside, tuple) and len(inside) == 1:  # a group of one
        error = inside[0]
    inner = error.__cause__ if type(error).__name__ == "CollectError" and error.__cause__ else error
    frames = traceback.extract_tb(inner.__traceback__)[-_FRAMES:]
    owner = getattr(inner, "obj", None)
    return {
        "exception": type(inner).__qualname__,
        "bases": [each.__name__ for each in type(inner).__mro__],
        "message": _words(inner)[:_LONGEST],
        "errno": _number(inner),
        "missing": str(getattr(inner, "name", None) or ""),
        "holder": str(getattr(owner, "__name__", "") or type(owner).__module__) if owner is not None else "",
        "nowhere": _is_nowhere(inner, owner),
        "frames": [[frame.filename, frame.lineno or 0, frame.name] for frame in frames],
    }


def _is_nowhere(error: BaseException, owner: object) -> bool:
    """Whether what lacks something has no file: a module that is not found, or a folder that stands for one."""
    if isinstance(error, ImportError):
        return error.path is None
    return isinstance(owner, types.ModuleType) and getattr(owner, "__file__", None) is None


def _number(error: BaseException | None) -> int:
    """The number of the system's error that is behind an error; 0 where none is."""
    for _ in range(10):
        if error is None or (isinstance(error, OSError) and isinstance(error.errno, int)):
            break
        error = error.__cause__ or error.__context__
    return error.errno or 0 if isinstance(error, OSError) else 0


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as failed:  # noqa: BLE001 (a test's own exception may fail at anything)
        return f"(its words cannot be told: {type(failed).__name__})"
