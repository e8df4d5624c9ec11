"""The docstrings of records as descriptions in JSON schemas, alike in every version of Python.

Python before 3.13 keeps the indentation of docstrings, later versions strip it, and msgspec takes them as they are.
"""

from __future__ import annotations

import inspect
from typing import Any


def described(schema: Any) -> Any:
    """The schema with each `description` stripped of the indentation that its docstring has in the source."""
    if isinstance(schema, dict):
        return {
            name: inspect.cleandoc(part)
            if name == "description" and isinstance(part, str)
            else described(part)
            for name, part in schema.items()
        }
    return [described(part) for part in schema] if isinstance(schema, list) else schema
