"""Which media types admit which: wildcards, suffixes, and the two spellings of a form."""

from __future__ import annotations

_FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})


def bare(media_type: str) -> str:
    """A media type in lower case without its parameters."""
    return media_type.partition(";")[0].strip().lower()


def is_form(media_type: str) -> bool:
    """Whether values of this media type travel as the text of form fields."""
    return media_type in _FORMS


def covers(spec: str, code: str) -> bool:
    """Whether what the contract names includes what the code names, either of which may be a wildcard."""
    return _within(code, spec) or _within(spec, code)


def request_covers(spec: str, code: str) -> bool:
    """As `covers`, but as frameworks read requests: JSON under any `+json` name, and fields from either kind of
    form where the code does not ask for files."""
    if covers(spec, code):
        return True
    if code == "application/json":
        return spec.endswith("+json")
    return code == "application/x-www-form-urlencoded" and is_form(spec)


def _within(narrow: str, wide: str) -> bool:
    if wide in ("*/*", "", narrow):
        # Litestar's export names no type where a response's own class gives it.
        return True
    family, _, rest = wide.partition("/")
    return rest == "*" and narrow.startswith(f"{family}/")
