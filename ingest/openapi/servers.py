"""The path below which a contract's operations lie: from `servers`, or from `basePath` in OpenAPI 2."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from graph.facts import Json
from ingest.openapi.node import Node

_VARIABLE = re.compile(r"\{([^{}]*)\}")


def base_path(*levels: Node) -> str:
    """The path part of the first server's URL of the first level that names servers, without a final slash.

    Empty where no level names any, and where the URL cannot be known: it has a variable without default, or is
    relative to wherever the document may be published.
    """
    for level in levels:
        servers = level.get("servers")
        if isinstance(servers, list) and servers:
            return _path_of(servers[0])
    return ""


def base_path_of_version_2(root: Node) -> str:
    """`basePath` without a final slash."""
    path = root.get("basePath")
    return path.rstrip("/") if isinstance(path, str) and path.startswith("/") else ""


def _path_of(server: Json) -> str:
    url = server.get("url") if isinstance(server, dict) else None
    if not isinstance(url, str):
        return ""
    variables = server.get("variables")
    known = variables if isinstance(variables, dict) else {}

    def value(match: re.Match[str]) -> str:
        variable = known.get(match[1])
        default = variable.get("default") if isinstance(variable, dict) else None
        return str(default) if isinstance(default, str | int | float) else match[0]

    try:
        parts = urlsplit(_VARIABLE.sub(value, url))
    except ValueError:
        return ""
    if "{" in parts.path or not parts.path.startswith("/"):
        return ""
    return parts.path.rstrip("/")
