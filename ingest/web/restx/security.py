"""Security requirements as Flask-RESTX takes them."""

from __future__ import annotations

from graph.facts import Json


def requirements_of(value: Json) -> list[dict[str, list[str]]]:
    """The alternatives of a name, names, or dictionaries of names with scopes; none where nothing is demanded."""
    listed = value if isinstance(value, list) else [value] if value else []
    found: list[dict[str, list[str]]] = []
    for part in listed:
        if isinstance(part, str):
            found.append({part: []})
        elif isinstance(part, dict):
            found.append({name: _scopes(scopes) for name, scopes in part.items()})
    return found


def _scopes(value: Json) -> list[str]:
    return sorted(map(str, value)) if isinstance(value, list) else [str(value)]
