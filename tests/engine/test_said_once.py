"""What a command would say many times is said once, and that there is nothing is said too."""

from __future__ import annotations

from pathlib import Path

from tests.commands import inside

PATHS = "".join(
    f"  /{name}:\n    get:\n      responses:\n        '200': {{description: ok}}\n"
    for name in ("a", "b", "c", "d", "e")
)
CONTRACT = f"openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n{PATHS}"


def test_cases_that_wait_for_the_same_thing_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, "utf-8")
    (tmp_path / "unrelated.py").write_text("def f() -> int:\n    return 1\n", "utf-8")
    inside(tmp_path, "plan")
    done = inside(tmp_path, "generate")
    told = done.stdout.splitlines()
    assert told[0].startswith("NEEDS_HUMAN 10 cases: where the application is: set `app"), done.stdout
    assert [line[:8] for line in told[1:4]] == ["    get-"] * 3
    assert told[4:] == ["    … and 7 more; `crossfact status --status NEEDS_HUMAN` lists them"]


def test_commands_that_go_on_with_a_plan_take_the_folder_that_it_was_made_in(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/openapi.yaml").write_text(CONTRACT, "utf-8")
    (tmp_path / "shop/unrelated.py").write_text("def f() -> int:\n    return 1\n", "utf-8")
    inside(tmp_path, "plan", "shop")
    assert "10 need a person" in inside(tmp_path, "generate", "shop").stderr
    assert inside(tmp_path, "run", "shop").returncode == 0
    none = inside(tmp_path, "generate", "shelf")
    assert (none.returncode, "`crossfact plan FOLDER` makes it" in none.stderr) == (2, True)


def test_that_there_is_no_story_is_said(tmp_path: Path) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, "utf-8")
    done = inside(tmp_path, "trace")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no story was found" in done.stderr


def test_what_several_steps_would_say_is_said_once_and_that_nothing_can_be_tested(tmp_path: Path) -> None:
    code = 'def f(n: int) -> int:\n    """Half.\n\n    Args:\n        n: A number.\n    """\n'
    (tmp_path / "parts.py").write_text(code)
    told = inside(tmp_path, "go").stderr
    assert told.count("what docstrings say is compared with the code") == 1
    assert "nothing here says what could be tested" in told and "`crossfact stub MODULE" in told


def test_that_stubs_would_say_more_is_said_where_only_docstrings_do(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text(
        'def half(n):\n    """Half.\n\n    >>> half(4)\n    2\n    """\n    return n // 2\n'
    )
    assert "only examples and documented errors" in inside(tmp_path, "plan").stderr
    (tmp_path / "parts.pyi").write_text("def half(n: int) -> int: ...\n")
    assert "only examples and documented errors" not in inside(tmp_path, "plan").stderr
