"""The command line: `library add|search|list`."""

from collections.abc import Sequence

def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it succeeded, 1 when the library had to say no."""
