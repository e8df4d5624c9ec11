"""Says claims, and what is stated against them, in plain English."""

from __future__ import annotations

from crossval.compare.claims import Stated
from crossval.wording import listing, say
from graph.facts import Json

_COMPARED = {">=": "at least", "<=": "at most", "<": "less than", ">": "more than", "=": "exactly"}
_LARGER = {
    "seconds": ((86_400, "days"), (3600, "hours"), (60, "minutes")),
    "bytes": (
        (1000**3, "GB"),
        (1024**3, "GiB"),
        (1000**2, "MB"),
        (1024**2, "MiB"),
        (1000, "kB"),
        (1024, "KiB"),
    ),
}
_UNITS = {"minLength": " characters", "maxLength": " characters", "minItems": " items", "maxItems": " items"}


def claimed(claim: Json) -> str:
    """What a claim says of its subject: `at least 12 characters`, `the default 20`, `the answer 404`."""
    kind, value = claim["kind"], claim.get("value")
    if kind == "quantity" and claim.get("unit") == "length" and (claim["comparator"], value) == (">=", 1):
        return "that it is not empty"
    if kind == "quantity":
        value, unit = _as_people_say(value, claim.get("unit", ""))
        unit = unit.removesuffix("s") if value == 1 else unit
        sign = "%" if unit == "percent" else f" {unit}" if unit else ""
        return f"{_COMPARED[claim['comparator']]} {value:,}{sign}".replace(",", " ")
    if kind == "enumeration":
        return f"only {listing(value)}"
    if kind == "default":
        return f"the default {say(value)}"
    if kind == "required":
        return "that it is required" if value else "that it may be left out"
    if kind == "format":
        return f"the format {value}"
    if kind == "outcome":
        return f"that {value} is never the answer" if claim.get("negated") else f"the answer {value}"
    if kind == "raises":
        return f"that {value} is {'never ' if claim.get('negated') else ''}raised"
    return f"that only {value} may {claim.get('subject') or 'do it'}"


def _as_people_say(value: float, unit: str) -> tuple[float, str]:
    """An amount in the largest unit of which it is a whole number: `14 days`, not `1 209 600 seconds`."""
    for size, name in _LARGER.get(unit, ()):
        if value >= size and value % size == 0:
            return int(value // size), name
    return value, unit


def stated(found: Stated) -> str:
    """What a schema states: `at most 10 characters`, `the default 10`, `that it is required`."""
    keyword, value = found.keyword, found.value
    if keyword.startswith("min"):
        return f"at least {value}{_UNITS.get(keyword, '')}"
    if keyword.startswith("max"):
        return f"at most {value}{_UNITS.get(keyword, '')}"
    if keyword == "enum":
        return f"only {listing(value)}"
    if keyword == "default":
        return f"the default {say(value)}"
    if keyword == "required":
        return "that it is required" if value else "that it may be left out"
    return f"the {keyword} {say(value)}"
