"""Finds the credentials of a caller who may do everything, where the code itself shows them."""

from __future__ import annotations

import re

from engine.generators.source import Expression, literal
from graph.facts import Fact, Kind, Tag
from graph.literals import literal_value
from graph.source import FactSource
from planner.contracts.confidential import is_credential

_CREDENTIAL = re.compile(r"(?:^|_)(?:TOKEN|API_?KEY|PASSCODE)$")
_OTHER = re.compile(
    r"CSRF|REFRESH|HEADER|NAME|PREFIX|TYPE|URL|SECRET_KEY|PLACEHOLDER|EXAMPLE|SAMPLE|DUMMY|INVALID|INSECURE|FORBIDDEN"
)

# The key of the service itself; `STRIPE_API_KEY` is for another one.
_OWN = re.compile(
    r"(?:(?:X|APP|API|ADMIN|AUTH|ACCESS|BEARER|MASTER|SERVER|SERVICE|STATIC|INTERNAL)_)?(?:API_?KEY|TOKEN)"
)
_SURROUNDINGS = re.compile(r"(?:\w+\.)*(?:getenv|environ\.get|environ\[|config|env)\b")


def credentials(source: FactSource) -> dict[str, str] | None:
    """The headers that a constant of the code (`STAFF_TOKEN = "change-me"`) and the contract's scheme give together.

    A header that the contract has among an operation's parameters (`x-api-key`) counts as a scheme. None where no
    constant, more than one, or a scheme that takes none of the kind is found. A key that the contract itself tells
    goes before all.
    """
    told = {
        str(scheme["name"]): str(scheme["told"])
        for fact in source.facts(tag=Tag.SPEC, kinds={Kind.OPERATION})
        for scheme in (fact.aspects.get("security_schemes") or {}).values()
        if scheme.get("told") and scheme.get("in") == "header"
    }
    if len(told) == 1:
        return told
    return _headers(
        source,
        {value for fact in source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE}) if (value := _value(fact))},
    )


def key_of_surroundings(source: FactSource) -> str | None:
    """The fixture `auth`, as source, with the key that the code itself takes from its surroundings or its settings.

    `API_KEY = os.environ.get("SHOP_KEY", "change-me")`. What else is called so may be a key for another service.
    """
    places = {
        place
        for fact in source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE})
        if (place := _place(fact, source))
    }
    headers = _headers(source, {Expression("key")} if len(places) == 1 else set())
    if headers is None:
        return None
    module, _, name = places.pop().rpartition(".")
    lines = [
        "@pytest.fixture",
        "def auth():",
        '    """The headers of a caller with the key that the application itself takes from its surroundings."""',
        f'    key = importlib.import_module("{module}").{name}',
        "    if not key:",
        f'        pytest.skip("{module}.{name} is empty: tests need a key")',
        f"    return {literal(headers)}",
    ]
    return "\n".join(lines) + "\n"


def _headers(source: FactSource, values: set[str]) -> dict[str, str] | None:
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
            headers["Authorization"] = _after("Bearer", value)
    return headers or None


def _after(word: str, value: str) -> str:
    return Expression(f'f"{word} {{{value}}}"') if isinstance(value, Expression) else f"{word} {value}"


def _place(fact: Fact, source: FactSource) -> str | None:
    """The place of a constant that is called like the service's own key and comes from its surroundings."""
    if fact.key != f"{source.module_of(fact)}.{fact.name}" or not _OWN.fullmatch(fact.name):
        return None
    return fact.key if _SURROUNDINGS.match(str(fact.aspects.get("value", ""))) else None


def _value(fact: Fact) -> str | None:
    """The text of a constant that is called like a credential."""
    if not _CREDENTIAL.search(fact.name) or _OTHER.search(fact.name) or not fact.name.isupper():
        return None
    value = literal_value(str(fact.aspects.get("value", "")))
    return value if isinstance(value, str) and value.isascii() and value.isprintable() and value else None
