"""`crossfact stub`: write a stub skeleton for a module of code that has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine.cli.console import say
from engine.cli.lookup import opened
from engine.cli.options import source_options
from graph.errors import UsageError
from graph.facts import Tag
from graph.store.store import Store


@click.command("stub")
@click.argument("module", metavar="MODULE")
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option("--refresh/--no-refresh", "fresh", default=True, help="Read changed files first (the default).")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the stub to a file.")
@source_options
def command(module: str, folder: str, fresh: bool, output: Path | None, **given: Any) -> int:
    """Write a stub skeleton for MODULE (a dotted name, or its file), from what its code says.

    Nothing is guessed: where the code states no type and shows none, the stub has none, or `Incomplete`.
    """
    from engine.stubs.skeleton import Skeletons

    store = opened(folder, fresh, given).store
    skeletons = Skeletons(store)
    name = _of_file(module, skeletons.modules)
    text = skeletons.write(name)
    if text is None:
        raise _unread(module, store) or _unknown(name, skeletons.modules)
    if output is None:
        say(text)
        return 0
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{output}: cannot be written: {error.strerror}", "Name another file with --output."
        ) from error
    return 0


def _of_file(given: str, known: list[str]) -> str:
    """The module that a file holds, wherever the folder lies in which its imports begin; any other name as it is."""
    path = Path(given)
    if path.suffix != ".py":
        return given
    parts = [*path.parent.parts, *([] if path.stem == "__init__" else [path.stem])]
    names = (".".join(parts[start:]) for start in range(len(parts)))
    return next((name for name in names if name in known), given)


def _unread(module: str, store: Store) -> UsageError | None:
    """Why a module that is there has no facts of code; None where nothing of this name is there."""
    asked = Path(module).as_posix() if module.endswith(".py") else f"{module.replace('.', '/')}.py"

    def is_asked(path: str) -> bool:
        return f"/{path}".endswith(f"/{asked}")

    for skipped in store.notes().skipped:
        if not skipped.line and is_asked(skipped.path):
            return UsageError(f"{skipped.path}: {skipped.reason}", "A stub is written of code that is read.")
    tests = {fact.source.path for fact in store.facts(tag=Tag.TEST)}
    path = next(filter(is_asked, sorted(tests)), None)
    if path is None:
        return None
    return UsageError(f"{path} is read as tests", f"Name it with --code {path} to have it read as code.")


def _unknown(module: str, known: list[str]) -> UsageError:
    import difflib

    near = [name for name in known if name.endswith(f".{module}")][:3]
    near = near or difflib.get_close_matches(module, known, n=3)
    return UsageError(
        f"no module of code is called {module}",
        f"Nearest: {', '.join(near)}"
        if near
        else "`crossfact facts --kind module --tag code` lists them all.",
    )
