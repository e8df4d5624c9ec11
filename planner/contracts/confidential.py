"""Which fields carry what nobody is to be shown, or what a server may hide or make otherwise, by their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_SECRET = re.compile(r"(?i)passw(or)?d|passphrase|secret|(^|_)(pin|cvc|cvv)$")
_CREDENTIAL = re.compile(
    rf"(?i){_SECRET.pattern.removeprefix('(?i)')}"
    r"|token|(^|[-_])(refresh|jwt)$|(^|[-_])auth($|[-_])|api[-_]?key|signature|authorization|session|csrf|(^|[-_])key$|(?-i:[a-z]Key$)"
)


def is_credential(name: str) -> bool:
    """Whether a value of this name proves who somebody is, so that nothing can be said of what it changes or shows."""
    return _CREDENTIAL.search(name) is not None


def is_secret(name: str) -> bool:
    """Whether nobody is to be shown a value of this name."""
    return _SECRET.search(name) is not None


def unshown_secrets(given: Iterable[str], shown: Collection[str]) -> list[str]:
    """The names among those given of what nobody is to be shown, and which the answer is not said to have either."""
    return [name for name in given if is_secret(name) and name not in shown]
