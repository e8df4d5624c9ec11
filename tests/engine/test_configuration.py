"""Settings that cannot be used are named as the user wrote them, with what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.configuration import load
from graph.errors import ConfigurationError, UsageError
from ingest.discovery.scope import Scope
from ingest.discovery.walk import discover


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ('fail-onn = "never"', "fail_onn: no such setting", "Did you mean `fail_on`?"),
        ('fail_on = "nevr"', "fail_on: not known: 'nevr'", "Use one of error, warning, note, never."),
        ('[severity]\nx = "wrn"', "severity: not known: 'wrn'", "Use one of error, warning, note, off."),
        ('jobs = "many"', "jobs: expected `int`, got `str`", "Give it a whole number."),
        ('exclude = "a"', "exclude: expected `array`, got `str`", "Give it a list of texts."),
        ("[tool.crossfact]\njobs = 1", "tool: settings stand below a table", "without [tool.crossfact]"),
    ],
)
def test_a_wrong_setting_in_a_file(tmp_path: Path, text: str, message: str, remedy: str) -> None:
    (tmp_path / "crossfact.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        load(tmp_path, file=None, environment={}, options={})
    assert str(raised.value) == f"{tmp_path / 'crossfact.toml'}: {message}"
    assert remedy in raised.value.remedy


def test_a_wrong_variable_and_a_wrong_option_are_called_by_their_names(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"^CROSSFACT_JOBS: expected `int`"):
        load(tmp_path, file=None, environment={"CROSSFACT_JOBS": "two"}, options={})
    with pytest.raises(ConfigurationError, match=r"^CROSSFACT_FOO: no such setting"):
        load(tmp_path, file=None, environment={"CROSSFACT_FOO": "1"}, options={})
    with pytest.raises(ConfigurationError, match=r"^--severity: not known: 'bad'"):
        load(tmp_path, file=None, environment={}, options={"severity": {"x": "bad"}})


def test_options_win_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.crossfact]\njobs = 1\nstrict = true\n", encoding="utf-8")
    settings = load(tmp_path, file=None, environment={"CROSSFACT_JOBS": "2"}, options={"fail_on": "note"})
    assert (settings.jobs, settings.strict, settings.fail_on) == (2, True, "note")
    assert load(tmp_path, file=None, environment={"CROSSFACT_JOBS": "2"}, options={"jobs": 3}).jobs == 3


def test_a_source_root_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere does not exist"):
        discover(tmp_path, Scope(source_roots=("nowhere",)))
