"""Finds the credentials of a caller who may do everything, where the code itself shows them."""

from __future__ import annotations

import re

from graph.facts import Fact, Kind, Tag
from graph.literals import literal_value
from graph.source import FactSource
from planner.contracts.confidential import is_credential

_CREDENTIAL = re.compile(r"(?:^|_)(?:TOKEN|API_?KEY|PASSCODE)$")
_OTHER = re.compile(
    r"CSRF|REFRESH|HEADER|NAME|PREFIX|TYPE|URL|SECRET_KEY|PLACEHOLDER|EXAMPLE|SAMPLE|DUMMY|INVALID|INSECURE|FORBIDDEN"
)


def credentials(source: FactSource) -> dict[str, str] | None:
    """The headers that a constant of the code (`STAFF_TOKEN = "change-me"`) and the contract's scheme give together.

    A header that the contract has among an operation's parameters (`x-api-key`) counts as a scheme. None where no
    constant, more than one, or a scheme that takes none of the kind is found.
    """
    values = {value for fact in source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE}) if (value := _value(fact))}
    schemes = [
        scheme
        for fact in source.facts(tag=Tag.SPEC, kinds={Kind.OPERATION})
        if fact.aspects.get("security")
        for scheme in (fact.aspects.get("security_schemes") or {}).values()
    ]
    names = {
        str(fact.aspects.get("name", fact.name))
        for fact in source.facts(tag=Tag.SPEC, kinds={Kind.PARAMETER})
        if fact.aspects.get("in") == "header" and is_credential(str(fact.aspects.get("name", fact.name)))
    } - {"Authorization", "authorization"}
    if len(values) != 1 or not (schemes or names):
        return None
    (value,) = values
    headers = dict.fromkeys(sorted(names), value)
    for scheme in schemes:
        if scheme.get("type") == "apiKey" and scheme.get("in") == "header":
            headers[str(scheme.get("name"))] = value
        elif scheme.get("type") == "oauth2" or str(scheme.get("scheme", "")).lower() == "bearer":
            headers["Authorization"] = f"Bearer {value}"
    return headers or None


def _value(fact: Fact) -> str | None:
    """The text of a constant that is called like a credential."""
    if not _CREDENTIAL.search(fact.name) or _OTHER.search(fact.name) or not fact.name.isupper():
        return None
    value = literal_value(str(fact.aspects.get("value", "")))
    return value if isinstance(value, str) and value.isascii() and value.isprintable() and value else None
