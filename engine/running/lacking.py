"""Whether an application could not even start, since something around it is not there: a service, or a setting."""

from __future__ import annotations

import errno
import re
from collections.abc import Collection

UNREACHED = frozenset(
    {errno.ECONNREFUSED, errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTUNREACH, errno.ETIMEDOUT}
)
_SERVICES = frozenset(
    {"ConnectionError", "OperationalError", "InterfaceError", "ServerSelectionTimeoutError", "gaierror"}
)
"""What drivers of databases, queues and caches raise where nobody answers; some of them for much else, too."""
_UNANSWERED = re.compile(
    r"(?i)connection (to .* )?(failed|refused)|connect(ion)? (call )?failed|timed out|no route to host"
    r"|(could ?n[o']t|can'?t|unable to|failed to) connect|could not translate host"
    r"|name or service not known|name resolution|nodename nor servname"
)
_SETTINGS = frozenset({"ImproperlyConfigured", "UndefinedValueError", "EnvError", "EnvValidationError"})
_OF_SETTINGS = re.compile(r"validation errors? for \w*(Settings|Config)\b")
STARTED = " (the application could not start: start what it needs, or set it before `client` is made)"
"""What to do about either."""


def is_unreached(bases: Collection[str], message: str, number: int) -> bool:
    """Whether an error says that a service does not answer; `number` is that of the system's error behind it."""
    if "gaierror" in bases or number in UNREACHED:
        return True
    return bool(_SERVICES.intersection(bases)) and _UNANSWERED.search(message) is not None


def is_unset(bases: Collection[str], message: str, frames: Collection[tuple[str, int, str]]) -> bool:
    """Whether an error says that a setting is missing: a variable of the environment, a field of its settings."""
    if _SETTINGS.intersection(bases) or ("ValidationError" in bases and _OF_SETTINGS.search(message)):
        return True
    *_, (path, _, function) = ("", 0, ""), *frames
    return "KeyError" in bases and function == "__getitem__" and path.endswith(("/os.py", "<frozen os>"))
