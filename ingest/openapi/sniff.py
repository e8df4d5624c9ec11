"""Tells from a text alone whether it may be an OpenAPI contract."""

from __future__ import annotations

import re

_YAML_KEY = re.compile(
    r"""^(?:(['"])(?:openapi|swagger)\1|openapi|swagger)[ \t]*:[ \t]*['"]?\d""", re.MULTILINE
)
_JSON_KEY = re.compile(r'"(?:openapi|swagger)"\s*:\s*"?\d')
_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


def looks_like_contract(text: str) -> bool:
    """Whether a YAML or JSON text has a top-level `openapi` or `swagger` key with a version."""
    if "openapi" not in text and "swagger" not in text:
        return False
    if text.lstrip("\ufeff \t\r\n")[:1] != "{":
        return _YAML_KEY.search(text) is not None
    found = _JSON_KEY.search(text)
    if found is None:
        return False
    before = _JSON_TEXT.sub("", text[: found.start()])
    return before.count("{") - before.count("}") == 1 and before.count("[") == before.count("]")
