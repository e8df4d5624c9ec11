"""What an application lacks that cannot even start: that is no one's fault in code or contract."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from engine.running.outcomes import Judge
from planner.validator import Outcome, Verdict

POSTGRES = 'connection failed: connection to server at "127.0.0.1", port 5432 failed: Connection refused'
SETTINGS = "1 validation error for Settings\ndatabase_url\n  Field required"
JUDGE = Judge(Path("/work"), ("shop",), ("shop.fast",))
ENVIRON = ["/usr/lib/python3.11/os.py", 680, "__getitem__"]
CONFTEST = ["/work/tests/crossfact/conftest.py", 9, "client"]


def outcome(
    exception: str,
    message: str,
    *,
    when: str = "setup",
    bases: tuple[str, ...] = (),
    frames: tuple[list[Any], ...] = (CONFTEST,),
    number: int = 0,
    confined: bool = False,
    **lacking: Any,
) -> Outcome:
    phase = {
        "when": when, "outcome": "failed", "seconds": 0.1, "output": "", "xfail": False, "exception": exception,
        "bases": (exception, *bases), "message": message, "errno": number, "frames": frames,
        **lacking,
    }  # fmt: skip
    judge = Judge(Path("/work"), ("shop",), ("shop.fast",), confined=True) if confined else JUDGE
    return judge.of_phases("tests/crossfact/test_a.py::test_a", [phase])


@pytest.mark.parametrize(
    ("told", "number"),
    [
        (("OperationalError", POSTGRES), 0),
        (("ConnectionError", "Error 111 connecting to localhost:6379. Connection refused."), 0),
        (("ServerSelectionTimeoutError", "localhost:27017: [Errno 111]"), errno.ECONNREFUSED),
        (("ImproperlyConfigured", "The SECRET_KEY setting must not be empty."), 0),
        (("ValidationError", SETTINGS), 0),
    ],
    ids=lambda told: told[0] if isinstance(told, tuple) else "",
)
def test_an_application_that_lacks_a_service_or_a_setting_is_not_wrong(
    told: tuple[str, str], number: int
) -> None:
    found = outcome(*told, number=number)
    assert found.verdict is Verdict.ENVIRONMENT
    assert "the application could not start" in found.message.splitlines()[0]


def test_a_variable_of_the_environment_is_a_setting_and_another_key_is_none() -> None:
    assert outcome("KeyError", "'DATABASE_URL'", frames=(CONFTEST, ENVIRON)).verdict is Verdict.ENVIRONMENT
    assert outcome("KeyError", "'DATABASE_URL'").verdict is not Verdict.ENVIRONMENT


def test_what_the_sandbox_keeps_out_is_said_to_be_so() -> None:
    assert "`--sandbox limits`" in outcome("OperationalError", POSTGRES, confined=True).message


INSIDE = {"bases": ("Exception",), "frames": (["/work/shop/db.py", 12, "read"],)}


@pytest.mark.parametrize(
    ("told", "verdict", "remedy"),
    [
        (("NotImplementedError", ""), Verdict.MISSING, ""),
        (("OperationalError", "no such table: links"), Verdict.ENVIRONMENT, "has no tables yet"),
        (("OperationalError", POSTGRES), Verdict.ENVIRONMENT, "start what it needs"),
        (("KeyError", "'id'"), Verdict.FAILED, ""),
    ],
    ids=lambda told: told[0] if isinstance(told, tuple) else "",
)
def test_what_an_application_raised_that_answers_500_is_told_and_judged(
    told: tuple[str, str], verdict: Verdict, remedy: str
) -> None:
    inside = {"exception": told[0], "message": told[1], **INSIDE, "bases": (told[0], "Exception")}
    found = outcome("AssertionError", "assert 500 == 200", when="call", status=500, said="", inside=inside)
    assert found.verdict is verdict
    assert found.service.startswith(f"the service raised {told[0]}: {told[1]}".strip())
    assert "(shop/db.py:12)" in found.service and remedy in found.service


def test_what_an_application_answered_is_told_with_a_test_that_asks_for_another_status() -> None:
    found = outcome("AssertionError", "assert 422 == 200", when="call", status=422, said="no such tea")
    assert (found.verdict, found.service) == (Verdict.FAILED, "it answered 422: no such tea")


def test_a_service_that_takes_no_more_requests_shows_nothing() -> None:
    found = outcome("AssertionError", "assert 429 == 200", when="call", status=429, said="slow down")
    assert found.verdict is Verdict.ENVIRONMENT
    assert found.service.startswith("it answered 429: slow down (it takes no more requests")


def test_an_application_that_lets_nobody_in_is_wrong_and_another_fixture_is_not() -> None:
    asserted, entering = ("AssertionError", "assert 5 == 2"), ["/work/tests/crossfact/conftest.py", 9, "auth"]
    assert outcome(*asserted, frames=(entering,)).verdict is Verdict.FAILED
    assert outcome(*asserted).verdict is Verdict.BROKEN


@pytest.mark.parametrize(
    "told", [("OperationalError", "no such table: links"), ("ValidationError", "1 validation error for Item")]
)
def test_other_words_of_the_same_exceptions_are_about_the_code(told: tuple[str, str]) -> None:
    assert outcome(*told).verdict is not Verdict.ENVIRONMENT


def test_what_a_test_meets_while_it_runs_is_judged_as_ever() -> None:
    assert outcome("ValidationError", SETTINGS, when="call").verdict is not Verdict.ENVIRONMENT


@pytest.mark.parametrize(
    ("exception", "message"),
    [
        ("TclError", "no display name and no $DISPLAY environment variable"),
        ("TclError", 'couldn\'t connect to display ":0"'),
        ("RuntimeError", "Cannot detect window with OpenGL support"),
        ("Exception", "(standalone) XOpenDisplay: cannot open display"),
        ("error", "No available video device"),
        ("RuntimeError", "No CUDA GPUs are available"),
        ("AssertionError", "No CUDA GPUs are available"),
    ],
)
def test_a_machine_without_a_screen_or_a_graphics_card_says_nothing_of_the_code(
    exception: str, message: str
) -> None:
    found = outcome(exception, message, when="call")
    assert (found.verdict is Verdict.ENVIRONMENT) is (exception != "AssertionError")
    assert ("on a machine that has one" in found.message) is (exception != "AssertionError")


@pytest.mark.parametrize("message", ["Cannot display the order", "cannot open the window", "no video"])
def test_words_of_an_application_are_not_of_the_machine(message: str) -> None:
    assert outcome("ValueError", message, when="call").verdict is not Verdict.ENVIRONMENT


@pytest.mark.parametrize(
    ("exception", "message", "lacking", "verdict"),
    [
        ("ModuleNotFoundError", "No module named 'shop.fast'", {"missing": "shop.fast"}, Verdict.ENVIRONMENT),
        ("ModuleNotFoundError", "No module named 'shop'", {"missing": "shop"}, Verdict.ENVIRONMENT),
        ("ModuleNotFoundError", "No module named 'shop.slow'", {"missing": "shop.slow"}, Verdict.MISSING),
        ("ImportError", "cannot import name 'fast' from 'shop'", {"missing": "shop"}, Verdict.ENVIRONMENT),
        ("ImportError", "cannot import name 'slow' from 'shop'", {"missing": "shop"}, Verdict.MISSING),
        (
            "ImportError",
            "cannot import name 'Cart' from 'shop.fast' (unknown location)",
            {"missing": "shop.fast", "nowhere": True},
            Verdict.ENVIRONMENT,
        ),
        (
            "ImportError",
            "cannot import name 'Cart' from 'shop.fast' (/shop/fast.so)",
            {"missing": "shop.fast"},
            Verdict.MISSING,
        ),
        (
            "ImportError",
            "cannot import name 'slow' from 'shop' (unknown location)",
            {"missing": "shop", "nowhere": True},
            Verdict.MISSING,
        ),
        (
            "AttributeError",
            "module 'shop.fast' has no attribute 'Cart'",
            {"missing": "Cart", "holder": "shop.fast", "nowhere": True},
            Verdict.ENVIRONMENT,
        ),
        (
            "AttributeError",
            "module 'shop.fast' has no attribute 'Cart'",
            {"missing": "Cart", "holder": "shop.fast"},
            Verdict.MISSING,
        ),
    ],
)
@pytest.mark.parametrize("when", ["call", "collection"])
def test_what_only_a_build_makes_is_not_missed_before(
    exception: str, message: str, lacking: dict[str, Any], verdict: Verdict, when: str
) -> None:
    bases = () if exception == "AttributeError" else ("ImportError",)
    if when == "call":
        found = outcome(exception, message, when=when, bases=bases, **lacking)
    else:
        told = {"exception": exception, "bases": (exception, *bases), "message": message, **lacking}
        found = JUDGE.of_collection("tests/crossfact/test_a.py", told)
    assert found.verdict is verdict
    assert ("build the project first" in found.message) is (verdict is Verdict.ENVIRONMENT)
