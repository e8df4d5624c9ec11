"""Days that come after others, and days to come, where a name tells of one."""

from __future__ import annotations

import datetime as dt
import re

TO_COME = {"date": "2035-01-31", "date-time": "2035-01-31T12:30:00Z"}
_TO_COME = re.compile(
    r"(?:^|_)(?:arriv(?:al|es|e|ing)|depart(?:ure|s|ing)?|due|deadlines?|clos(?:es|ing)|expir(?:es|y|ation|ing)|until"
    r"|check_?(?:in|out)|pick_?up|drop_?off|scheduled|remind(?:er)?|delivery|valid_to|departure|appointment)(?:_|$)"
)


def is_to_come(name: str) -> bool:
    """Whether what is called so, in small letters with underscores, is usually refused where it is past: `due_date`."""
    return _TO_COME.search(name) is not None


def later(moment: str, days: int) -> str | None:
    """A day or a moment so many days later, written alike; None for a text that is none."""
    try:
        if len(moment) == len("2026-01-31"):
            return (dt.date.fromisoformat(moment) + dt.timedelta(days=days)).isoformat()
        told = dt.datetime.fromisoformat(moment) + dt.timedelta(days=days)
    except (ValueError, OverflowError):
        return None
    return told.isoformat().replace("+00:00", "Z" if moment.endswith(("Z", "z")) else "+00:00")
