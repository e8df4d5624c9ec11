"""The accounts of a twin: whoever says another password than one has is not let in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.contracts.confidential import is_secret
from planner.contracts.operations import Operation
from planner.contracts.unknowable import lets_in


class Accounts:
    """Which passwords are said of whom, by what makes accounts."""

    def __init__(self) -> None:
        self._secrets: dict[str, set[str]] = {}

    def note(self, operation: Operation, body: Any) -> None:
        """Keep what a request says that makes an account; what only lets one in makes none."""
        secrets = set(_texts(body, secret=True))
        if operation.method == "POST" and secrets and not lets_in(operation):
            for name in _texts(body, secret=False):
                self._secrets[name] = secrets

    def refuses(self, operation: Operation, body: Any) -> bool:
        """Whether a login is asked for somebody who has another password."""
        if not self._secrets or not lets_in(operation):
            return False
        known = [self._secrets[name] for name in _texts(body, secret=False) if name in self._secrets]
        return bool(known) and not any(set(_texts(body, secret=True)) & each for each in known)


def _texts(body: Any, *, secret: bool) -> Iterator[str]:
    fields = body.items() if isinstance(body, dict) else ()
    return (value for name, value in fields if isinstance(value, str) and is_secret(name) is secret)
