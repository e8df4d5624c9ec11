"""Real clients of the official SDK against real servers in child processes."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.commands import surroundings

if TYPE_CHECKING:
    from mcp import Client

ROOT = Path(__file__).parent.parent.parent.parent
COMMAND = [sys.executable, "-m", "crossfact", "mcp"]


@asynccontextmanager
async def connected(project: Path, *options: str) -> AsyncIterator[Client]:
    """A client of a server on this project, over standard streams."""
    from mcp import (  # half a second, which only a process that asks servers needs
        Client,
        StdioServerParameters,
    )

    words = [*COMMAND[1:], "--project", str(project), *options]
    server = StdioServerParameters(command=COMMAND[0], args=words, env=surroundings(), cwd=project)
    async with Client(server) as client:
        yield client


async def answer(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured content of an answer that is no error; the SDK holds it against the tool's output schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, said(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """What an answer that is an error says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return said(result)


def said(result: Any) -> str:
    """The text of an answer."""
    (content,) = result.content
    assert isinstance(content.text, str)
    return content.text
