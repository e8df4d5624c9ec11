"""The version of crossfact."""

VERSION = "0.1.0"


def version() -> str:
    """The version as `major.minor.patch`; pyproject.toml has the same."""
    return VERSION
