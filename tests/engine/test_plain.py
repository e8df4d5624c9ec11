"""Plain command lines mean what click takes them for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.cli.check import command
from engine.cli.plain import plain
from tests.commands import ROOT, inside

_OPTIONS = sorted(
    {spelling for parameter in command.params for spelling in (*parameter.opts, *parameter.secondary_opts)}
    - {"paths"}
)
_VALUES = (
    "json",
    "text",
    "1",
    "0",
    "-1",
    "07",
    "x",
    "",
    "-",
    "a=b",
    "never",
    "--",
    "--strict",
    "²",
    "src/a b",
)
_WORDS = st.one_of(
    st.sampled_from(_OPTIONS),
    st.sampled_from(_VALUES),
    st.builds("{}={}".format, st.sampled_from(_OPTIONS), st.sampled_from(_VALUES)),
    st.sampled_from(("--stor", "-h", "--help", "--nothing", "--history=no")),
)


def by_click(words: list[str]) -> dict[str, object] | None:
    try:
        with command.make_context("check", list(words)) as context:
            return dict(context.params)
    except (click.ClickException, click.exceptions.Exit):
        return None


@given(st.lists(_WORDS, max_size=6))
@example([".", "--source-root", "a", "--source-root=b", "--store", "s", "--format", "json", "--no-history"])
@example(["--jobs", "2", "--config", "c.toml", "--fail-on", "never", "--select", "a,b", "--strict"])
def test_a_plain_line_means_what_click_takes_it_for(words: list[str]) -> None:
    read = plain(["check", *words])
    if read is not None:
        assert read == by_click(words)


@pytest.mark.parametrize("option", _OPTIONS)
def test_every_option_of_check_is_known(option: str) -> None:
    value = {
        "--format": "json",
        "--fail-on": "never",
        "--jobs": "2",
        "--max-file-size": "9",
        "--severity": "a=b",
    }
    parameter = next(each for each in command.params if option in (*each.opts, *each.secondary_opts))
    flag = isinstance(parameter, click.Option) and parameter.is_flag
    words = [option] if flag else [option, value.get(option, "x")]
    assert plain(["check", *words]) == by_click(words) is not None


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["ingest"],
        ["check", "-h"],
        ["check", "--stor", "x"],
        ["check", "--jobs", "many"],
        ["check", "--store"],
    ],
)
def test_other_lines_are_left_to_click(words: list[str]) -> None:
    assert plain(words) is None


def test_mistakes_are_told_as_ever(tmp_path: Path) -> None:
    done = inside(tmp_path, "check", "--severity", "high")
    assert done.returncode == 2
    assert "write it as RULE=LEVEL" in done.stderr


def test_a_plain_check_loads_neither_click_nor_openssl(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def price() -> int:\n    return 1\n")
    (tmp_path / "shop.pyi").write_text("def price() -> str: ...\n")
    code = (
        "import atexit, sys; sys.argv = ['crossfact', 'check', '.', '--format', 'json']\n"
        "from crossfact import main\n"
        "heavy = {'click', '_hashlib', 'typing_extensions', 'inspect'}\n"
        "atexit.register(lambda: print(sorted(heavy & set(sys.modules)), file=sys.stderr))\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr.splitlines()) == (1, ["[]"])
    assert '"return-type-mismatch"' in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def price() -> int:\n    return 1\n")
    (tmp_path / "shop.pyi").write_text("def price() -> str: ...\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "crossfact", "check"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()
