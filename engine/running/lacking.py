"""Whether something around an application is not there, without which it cannot start or go on: a service, a setting,
a screen, what only a build makes."""

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
# What libraries say that find no screen, no graphics card or no driver of one: Tk, X11, SDL, OpenGL, CUDA.
_SCREENLESS = re.compile(
    r"(?i)no display name|\$DISPLAY\b|\b(?:cannot|can't|could ?n[o']t|unable to|failed to) (?:open|connect to|detect)"
    r" (?:the |any |a )?(?:X )?(?:display|window with OpenGL)\b|\bno available video device|\bcannot create (?:an? )?"
    r"(?:standalone )?(?:OpenGL |GL )?context\b|\bno CUDA(?:-capable device| GPUs)|\bno NVIDIA driver"
)
_UNTABLED = re.compile(r"(?i)no such table|\b(?:relation|table) \S+ (?:does not|doesn't) exist")
_OF_TABLES = frozenset({"OperationalError", "ProgrammingError", "UndefinedTable"})
STARTED = " (the application could not start: start what it needs, or set it before `client` is made)"
"""What to do about a service or a setting."""
SCREENLESS = " (run it on a machine that has one)"
"""What to do about a screen or a graphics card."""
UNTABLED = " (the database has no tables yet: make them before, or in the fixture `client`)"
"""What to do about a table that a database lacks."""
UNBUILT = " (build the project first, as `pip install -e .` does, for the interpreter that runs the tests)"
"""What to do about a module whose source is in another language."""


def is_unreached(bases: Collection[str], message: str, number: int) -> bool:
    """Whether an error says that a service does not answer; `number` is that of the system's error behind it."""
    if "gaierror" in bases or number in UNREACHED:
        return True
    return bool(_SERVICES.intersection(bases)) and _UNANSWERED.search(message) is not None


def is_untabled(bases: Collection[str], message: str) -> bool:
    """Whether an error says that a database has no tables yet."""
    return bool(_OF_TABLES.intersection(bases)) and _UNTABLED.search(message) is not None


def is_screenless(message: str) -> bool:
    """Whether an error says that the machine has no screen, or no graphics card that its caller needs."""
    return _SCREENLESS.search(message) is not None


def is_unset(bases: Collection[str], message: str, frames: Collection[tuple[str, int, str]]) -> bool:
    """Whether an error says that a setting is missing: a variable of the environment, a field of its settings."""
    if _SETTINGS.intersection(bases) or ("ValidationError" in bases and _OF_SETTINGS.search(message)):
        return True
    *_, (path, _, function) = ("", 0, ""), *frames
    return "KeyError" in bases and function == "__getitem__" and path.endswith(("/os.py", "<frozen os>"))
