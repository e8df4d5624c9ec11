"""What README and docs tell to type can be typed, and what they link to is there."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from engine.cli.main import COMMANDS, crossfact
from tests.commands import git
from tests.docs.consoles import ROOT, blocks, commands, run

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_INLINE = re.compile(r"(?<!`)`(crossfact [^`]+)`(?!`)")
_OPTION = re.compile(r"--[a-z][a-z-]+")

ELSEWHERE = {
    "make demo": "test_the_demo_is_the_command_of_the_makefile",
    "pip install .": "tests/engine/test_wheel.py",
    "cd your-project": "the folder of the test",
    "pip install 'crossfact[mcp]'": "test_what_a_page_says_to_install_is_an_extra",
}
"""Lines that are not run here, and what runs them."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bookshop as a repository with an earlier state to compare with, and a module without a stub."""
    place = tmp_path_factory.mktemp("pages") / "shop"
    shutil.copytree(
        ROOT / "specs_examples" / "bookshop",
        place,
        ignore=shutil.ignore_patterns(".crossfact", "__pycache__"),
    )
    (place / "shop").mkdir()
    (place / "shop" / "pricing.py").write_text(
        "def total(price: int) -> int:\n    return price\n", encoding="utf-8"
    )
    for words in ("init -q", "add -A", "commit -qm first", "update-ref refs/remotes/origin/main HEAD"):
        git(place, *words.split())
    return place


def shown() -> Iterator[tuple[str, str]]:
    """Every command that a block of a page shows, with its place; the tutorial has a test of its own."""
    for page in PAGES:
        if page.name != "TUTORIAL.md":
            for block in blocks(page):
                for command in commands(block):
                    yield f"{page.name}:{command.line}", command.words


@pytest.mark.parametrize(("place", "words"), [pytest.param(*each, id=each[0]) for each in shown()])
def test_a_command_that_a_page_shows_works(project: Path, place: str, words: str) -> None:
    if words in ELSEWHERE:
        return
    done = run(words, project)
    assert done.returncode in (0, 1), f"{place}: {words}\n{done.stderr}"
    assert "Traceback" not in done.stderr


def test_the_demo_is_the_command_of_the_makefile(project: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    words = re.search(r"^\t\$\(BIN\)/(crossfact check specs_examples/bookshop .*)$", makefile, re.MULTILINE)
    assert words is not None
    done = run(words[1], ROOT)
    assert done.returncode == 0 and "POST /orders can answer 409" in done.stdout


def test_what_a_page_says_to_install_is_an_extra() -> None:
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    named = {
        extra
        for page in PAGES
        for extra in re.findall(r"crossfact\[(\w+)\]'", page.read_text(encoding="utf-8"))
    }
    assert named and named <= extras.keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_that_a_page_names_exist(page: Path) -> None:
    context = click.Context(crossfact)
    for match in _INLINE.finditer(page.read_text(encoding="utf-8").replace("\n", " ")):
        words = match[1].replace("…", "X")
        name = re.split(r"[ ,]", words)[1]
        if name == "X" or name.startswith("--"):
            continue
        assert name in COMMANDS, f"{page.name}: {match[1]}"
        command = crossfact.get_command(context, name)
        assert command is not None
        known = {
            option
            for each in command.get_params(click.Context(command))
            for option in (*each.opts, *each.secondary_opts)
        }
        assert known.issuperset(_OPTION.findall(words)), f"{page.name}: {match[1]}"
        shlex.split(words)


@pytest.mark.parametrize(
    "page",
    [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"],
    ids=lambda page: page.name,
)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = {*re.findall(r"\]\(([\w./-]+)(?:#[\w-]*)?\)", text), *re.findall(r"`(docs/[\w./-]+)`", text)}
    missing = [name for name in named if not (ROOT / name).exists()]
    assert missing == []


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the site needs the extra `docs`: make docs")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--quiet",
            "--site-dir",
            str(tmp_path / "site"),
        ],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "NO_MKDOCS_2_WARNING": "1", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list((tmp_path / "site").glob("*.html"))
    assert len(pages) >= len(PAGES) - 1
    for page in pages:
        fetched = re.findall(
            r'<(?:link|script|img)\b[^>]*(?:href|src)="(https?:)?//', page.read_text(encoding="utf-8")
        )
        assert not fetched, page
