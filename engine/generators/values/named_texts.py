"""Texts in the form that a field's name tells, where its schema tells none: an address for `email`, a day for `date`.

A text of no form is as good for the schema, but most services that ask for such a field look at it.
"""

from __future__ import annotations

import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# A password of which no rule that services have is broken, however short it is cut.
_SECRETS = r"(?:password[12]?|passwd|passphrase)"
# What the end of a name tells, a text of that form, and another one.
_NAMED = (
    (r"(?:e_?)?mail(?:_?addr(?:ess)?)?", "reader@example.org", "another-reader@example.org"),
    (
        r"(?:url|uri|href|link|website|web_site|homepage|webhook)",
        "https://example.org/",
        "https://example.org/another",
    ),
    (
        r"(?:date_?time|time_?stamp|(?:[a-z]+ed|expires?|starts?|ends?|begins?|due)_at|(?:start|end)_?time)",
        "2026-01-31T12:30:00Z",
        "2026-02-28T09:00:00Z",
    ),
    (r"duration", "01:00:00", "02:30:00"),
    (_SECRETS, "Kx7-lantern-hill", "Qz4-harbour-moss"),
    (r"(?:date|birth_?(?:day|date)|dob|date_of_birth)", "2026-01-31", "2026-02-28"),
    (r"cron(?:_?(?:tab|schedule|expression|expr))?|schedule_cron", "0 8 * * *", "30 9 * * 1"),
    (
        r"(?:uuid|guid)",
        "3f2b8c1e-9d4a-4e6b-8a7c-5d1f0e2b3c4d",
        "5c1d7f3a-2b6e-4c8d-9f1a-7e4b2d6c8a90",
    ),
    (r"(?:tele|mobile_?|cell_?)?phone(?:_?(?:no|number))?", "+14155550100", "+14155550123"),
    (r"ip(?:_?addr(?:ess)?)?|ipv4", "192.0.2.1", "198.51.100.7"),
    (r"time_?zone|tz", "UTC", "Europe/Berlin"),
    (r"currency(?:_?code)?", "EUR", "USD"),
    (r"country_?code", "DE", "FR"),
    (r"(?:language|lang|locale)(?:_?code)?", "en", "de"),
)
_KINDS = [(re.compile(rf"(?:^|_)(?:{ending})$"), one, other) for ending, one, other in _NAMED]
_LOCAL, _LABEL = 64, 63


def named_text(name: str) -> str | None:
    """A text in the form that a name tells; None for a name that tells none."""
    kind = _kind(name)
    return kind[0] if kind is not None else None


def another_named_text(name: str, value: str) -> str | None:
    """A text of the same form that is not this one; None for a name that tells no form."""
    kind = _kind(name)
    if kind is None:
        return None
    if "@" in value:
        return f"another-{value}"
    return kind[1] if value != kind[1] else kind[0]


def sized_named_text(name: str, length: int) -> str | None:
    """A text of a length in the form that a name tells; None where there is none."""
    value = named_text(name)
    if value is not None and value == named_text("password"):
        return f"{value}{'x' * length}"[:length]
    if value is None or length < len(value):
        return value if value is not None and length == len(value) else None
    if "@" in value:
        host = value.partition("@")[2]
        local = min(_LOCAL, length - len(host) - 1)
        rest = length - local - 1 - len(host)
        if rest == 0:
            return f"{'x' * local}@{host}"
        return f"{'x' * local}@{'x' * (rest - 1)}.{host}" if 2 <= rest <= _LABEL else None
    return f"{value}{'x' * (length - len(value))}" if "://" in value else None


def is_computed(name: str) -> bool:
    """Whether a field is called as what services work out of others, or spell in several ways."""
    return (named_text(name) or "") in ("01:00:00", "2026-01-31T12:30:00Z")


def _kind(name: str) -> tuple[str, str] | None:
    plain = _CAMEL.sub("_", name).lower().replace("-", "_").replace(" ", "_")
    return next(((one, other) for pattern, one, other in _KINDS if pattern.search(plain)), None)
