"""The walls between the rooms hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("graph", "ingest", "crossval", "planner", "healer", "engine")


def test_imports_point_to_the_right_only() -> None:
    result = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


@pytest.mark.parametrize("room", ROOMS)
def test_a_package_face_is_one_sentence_and_imports_nothing(room: str) -> None:
    for face in (ROOT / room).rglob("__init__.py"):
        body = ast.parse(face.read_text(encoding="utf-8")).body
        assert len(body) == 1 and ast.get_docstring(ast.Module(body, [])), face


@pytest.mark.parametrize("room", ROOMS)
def test_there_are_no_rooms_for_everything(room: str) -> None:
    names = {path.stem for path in (ROOT / room).rglob("*")}
    assert not names & {"common", "utils", "helpers", "types", "util", "helper", "misc"}


def test_rules_do_not_import_one_another() -> None:
    rules = ROOT / "crossval" / "rules"
    for module in rules.glob("*/*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported = rules.parent.parent / Path(*node.module.split("."))
                allowed = "crossval.rules.rule"
                inside = node.module.startswith("crossval.rules.") and imported.with_suffix(".py").exists()
                if inside and node.module != allowed:
                    text = imported.with_suffix(".py").read_text(encoding="utf-8")
                    assert "@rule(" not in text, f"{module} imports the rule {node.module}"


def test_only_the_command_line_prints() -> None:
    for room in ROOMS:
        for module in (ROOT / room).rglob("*.py"):
            if module.is_relative_to(ROOT / "engine" / "cli"):
                continue
            text = module.read_text(encoding="utf-8")
            if "print" not in text:
                continue
            calls = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call))
            assert not any(isinstance(c.func, ast.Name) and c.func.id == "print" for c in calls), module


def test_help_loads_no_heavy_library() -> None:
    heavy = (
        "click._winconsole yaml tree_sitter networkx rich openapi_spec_validator markdown_it gherkin sqlite3"
    )
    code = (
        "import atexit, sys; sys.argv = ['crossfact', '--help']\n"
        "from engine.cli.entry import run\n"
        f"loaded = lambda: sorted(set({heavy.split()!r}) & set(sys.modules))\n"
        "atexit.register(lambda: print(loaded(), file=sys.stderr))\n"
        "run()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stderr.strip() == "[]"


def test_no_file_names_a_package_registry_host() -> None:
    hosts = ("py" + "pi.org", "python" + "hosted", "registry.npm" + "js")
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    for name in files.splitlines():
        path = ROOT / name
        if path.is_file() and path.suffix in (".py", ".toml", ".txt", ".md", ".yaml", ".yml", ".json", ""):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not any(host in text for host in hosts), name


def test_no_expression_has_a_possessive_group() -> None:
    """CPython before 3.11.5 matches them wrongly (gh-106052): Debian 12's own interpreter is one of those."""
    possessive = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,%ds]+\})\+|\(\?>")
    for room in ROOMS:
        for module in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
                    text = (
                        node.value if isinstance(node.value, str) else node.value.decode("utf-8", "replace")
                    )
                    assert not possessive.search(text), f"{module}:{node.lineno}"
