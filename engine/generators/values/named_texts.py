"""Texts in the form that a field's name tells, where its schema tells none: an address for `email`, a day for `date`.

A text of no form is as good for the schema, but most services that ask for such a field look at it.
"""

from __future__ import annotations

import hashlib
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
    (_SECRETS, "Kx7!lanternHill", "Qz4!harbourMoss"),
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
# Forms that most services ask for, of which some have their own.
_LIKELY = (
    (r"isbn_?10", "0306406152", "3161484100"),
    (r"isbn(?:_?13)?", "9780306406157", "9783161484100"),
    (r"(?:ean|gtin)(?:_?13)?", "4006381333931", "4012345123456"),
    (r"slug", "a-reader", "another-reader"),
    (r"sku", "SKU-1", "SKU-2"),
    (r"code", "CODE1", "CODE2"),
    (r"user_?name|^(?:nick_?name|login|handle)", "reader", "writer"),
    (r"(?:zip|postal|post)_?(?:code)|zip", "10115", "20095"),
    (r"colou?r(?:_?(?:code|hex))?|hex_?colou?r", "#336699", "#993366"),
    (r"domain(?:_?name)?|host_?name", "example.org", "example.net"),
    (r"iban", "DE89370400440532013000", "GB82WEST12345698765432"),
    (r"file_?name", "letter.txt", "notes.txt"),
    (r"(?:mime|content)_?type", "text/plain", "text/html"),
)
_SURE = len(_NAMED)
_KINDS = [(re.compile(rf"(?:^|_)(?:{ending})$"), one, other) for ending, one, other in (*_NAMED, *_LIKELY)]
_WORDS = frozenset({"a-reader", "reader", "SKU-1", "CODE1"})
_DIGITS = 9
_LOCAL, _LABEL = 64, 63


def named_text(name: str) -> str | None:
    """A text in the form that a name tells; None for a name that tells none."""
    kind = _kind(name)
    return kind[0] if kind is not None else None


def is_surely_formed(name: str) -> bool:
    """Whether a name tells a form of which services hardly have one of their own."""
    plain = _plain(name)
    return any(pattern.search(plain) for pattern, _, _ in _KINDS[:_SURE])


def named_text_apart(name: str, tag: str) -> str | None:
    """A text in the form that a name tells, which no other tag has; None where there is none such."""
    value = named_text(name)
    match value:
        case "a-reader":
            return f"{value}-{tag}"
        case "SKU-1":
            return f"SKU-{tag.upper()}"
        case "CODE1":
            return f"CODE{tag.upper()}"
        case "reader":
            return f"{value}{tag}"
        case "example.org":
            return f"{tag}.{value}"
        case "0306406152" | "9780306406157" | "4006381333931":
            return _numbered(value, tag)
    return None


def _numbered(value: str, tag: str) -> str:
    """A number of a book or of a product with digits of the tag's own, and the digit that checks them."""
    own = int.from_bytes(hashlib.sha256(tag.encode()).digest()[:6]) % 10**_DIGITS
    if len(value) == _DIGITS + 1:
        own -= own % 10  # Among ten that follow one another there is one whose check digit is no X.
        digits = next(each for each in (f"{own + more:09d}" for more in range(10)) if _of_ten(each) < 10)
        return f"{digits}{_of_ten(digits)}"
    digits = f"{value[:3]}{own:09d}"
    return f"{digits}{-sum(int(each) * (3 if place % 2 else 1) for place, each in enumerate(digits)) % 10}"


def _of_ten(digits: str) -> int:
    """The number that checks the nine digits of an ISBN of ten; 10 is written as X."""
    return sum(int(each) * (place + 1) for place, each in enumerate(digits)) % 11


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
    if value is not None and (value == named_text("password") or value in _WORDS):
        return f"{value}{('X' if value.isupper() else 'x') * length}"[:length]
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


def _plain(name: str) -> str:
    return _CAMEL.sub("_", name).lower().replace("-", "_").replace(" ", "_")


def _kind(name: str) -> tuple[str, str] | None:
    plain = _plain(name)
    return next(((one, other) for pattern, one, other in _KINDS if pattern.search(plain)), None)
