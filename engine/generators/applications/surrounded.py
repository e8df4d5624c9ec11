"""Writes into a conftest what it sets around the application: variables of the environment, and tables of models."""

from __future__ import annotations

import re

from engine.generators.applications.surroundings import Surroundings
from engine.generators.files import with_imports
from engine.generators.source import literal

_IMPORTING = re.compile(r"^    application = importlib\.import_module\(.*\n", re.MULTILINE)
_FIRST = re.compile(r"^(?:@|class |def |async def |[A-Z]\w* = )", re.MULTILINE)


def surrounded(text: str, found: Surroundings) -> str:
    """The conftest with these surroundings, which are there before the application is imported."""
    lines = ["# What the application takes from its environment; what is set there stays."]
    imports = ["import os"]
    if found.databases:
        driver = "sqlite+aiosqlite" if found.is_async else "sqlite"
        lines.insert(0, f"DATABASE = f\"{driver}:///{{Path(tempfile.mkdtemp()) / 'tests.db'}}\"")
        lines += [f'os.environ.setdefault("{name}", DATABASE)' for name in found.databases]
        imports += ["import tempfile", "from pathlib import Path"]
    lines += [f'os.environ.setdefault("{name}", {literal(value)})' for name, value in found.variables.items()]
    text = with_imports(text, imports)
    first = _FIRST.search(text)
    at = first.start() if first is not None else len(text)
    text = f"{text[:at].rstrip()}\n\n{chr(10).join(lines)}\n\n\n{text[at:]}"
    importing = _IMPORTING.search(text)
    if not found.models or importing is None:
        return text
    text = f"{text[: importing.end()]}    make_tables()\n{text[importing.end() :]}"
    at = text.rindex("\n@pytest.fixture", 0, importing.start()) + 1
    return f"{text[:at]}{_tables(found)}\n\n\n{text[at:]}"


def _tables(found: Surroundings) -> str:
    """The function that makes the tables of an application's models."""
    url = 'DATABASE.replace("+aiosqlite", "")' if found.is_async else "DATABASE"
    made = []
    for place in found.models:
        module, _, name = place.partition(":")
        made.append(f'        importlib.import_module("{module}").{name}.metadata.create_all(engine)')
    return "\n".join(
        [
            "def make_tables():",
            '    """Make the tables of the application\'s models, where the database is the one of these tests."""',
            "    from sqlalchemy import create_engine",
            "",
            f'    if os.environ["{found.databases[0]}"] == DATABASE:',
            f"        engine = create_engine({url})",
            *made,
        ]
    )
