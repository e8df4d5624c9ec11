"""SHA-256 for small projects: loading OpenSSL, where the fast one lies, takes longer than hashing a megabyte."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

_FAST_FROM = 1_000_000


class Digest(Protocol):
    """What hashing gives."""

    def digest(self) -> bytes:
        """The digest as bytes."""
        ...

    def hexdigest(self) -> str:
        """The digest as hexadecimal digits."""
        ...


_Function = Callable[[bytes], Digest]


class _Hashing:
    """Hashes with what the interpreter brings itself, until so much came that loading the fast one pays."""

    def __init__(self) -> None:
        self._seen = 0
        self._function: _Function | None = None

    def __call__(self, data: bytes) -> Digest:
        self._seen += len(data)
        if self._function is None or self._seen > _FAST_FROM:
            self._function = _fast() if self._seen > _FAST_FROM else _own() or _fast()
        return self._function(data)


def _own() -> _Function | None:
    """The interpreter's own function, which has another home from Python 3.12 on; None where it has none."""
    for home in ("_sha2", "_sha256"):
        try:
            return cast("_Function", import_module(home).sha256)
        except (ImportError, AttributeError):
            continue
    return None


def _fast() -> _Function:
    from hashlib import sha256

    return sha256


sha256: _Function = _Hashing()
"""What `hashlib.sha256` gives of these bytes."""
