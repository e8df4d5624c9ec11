"""`crossfact mcp`: the same questions and steps for coding agents."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from engine.cli.console import tell
from engine.cli.opening import project_from, settings_from
from engine.cli.options import rule_options, source_options
from engine.project import Project
from graph.errors import UsageError


@click.command("mcp")
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option("--allow-write", is_flag=True, help="Also offer to plan, write and run tests.")
@click.option("--http", is_flag=True, help="Serve over HTTP on 127.0.0.1 instead of standard streams.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8383,
    metavar="N",
    help="With --http: where (default 8383).",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --http: the file of the bearer token (default .crossfact/mcp-token; made where there is none).",
)
@source_options
@rule_options
def command(
    folder: str, allow_write: bool, http: bool, port: int, token_file: Path | None, **given: Any
) -> int:
    """Serve coding agents over the Model Context Protocol, until the client ends it.

    Agents can check, list and explain findings, search and show facts, trace stories and see the test plan. They can
    change nothing unless --allow-write is given.
    """
    if find_spec("mcp") is None:
        raise UsageError("the package mcp is missing", "Install it: pip install 'crossfact[mcp]'")
    options, configuration = settings_from(dict(given))
    project = project_from((folder,), given)
    project.store.close()
    from engine.mcp.desk import Settled

    settled = Settled(
        root=str(project.root),
        options=options,
        configuration=str(configuration.absolute()) if configuration else "",
        writes=allow_write,
    )
    if http:
        from engine.mcp.loopback import serve_loopback

        serve_loopback(settled, port, token_file or _token_file(project), tell)
    else:
        from engine.mcp.server import serve_streams

        serve_streams(settled)
    return 0


def _token_file(project: Project) -> Path:
    folder = (project.root / project.settings.store).parent
    if not folder.is_dir():
        raise UsageError(f"{folder}: cannot be written to", "Name a --token-file.")
    return folder / "mcp-token"
