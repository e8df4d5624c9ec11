"""Writes the fixtures `caller`, `account` and `auth` for sites of Django whose contract says how callers are known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from graph.facts import Kind, Tag
from graph.source import FactSource
from planner.contracts.operations import Operation
from planner.contracts.schemes import ways_in
from planner.contracts.unknowable import is_login
from planner.generator import Application

_BACKENDS, _BY_PASSWORD = "AUTHENTICATION_BACKENDS", "django.contrib.auth.backends.ModelBackend"
_TEMPLATE = Path(__file__).parent / "conftests" / "site_caller.py"
_SIMPLE_JWT = "rest_framework_simplejwt"
# What lets a caller in, by what the contract calls the way, with the packages of which the code has to use one for it.
_WAYS = {
    "Bearer": ("bearer", (_SIMPLE_JWT, "ninja_jwt")),
    "Token": ("token", ("rest_framework.authtoken",)),
    "sessionid": ("session", ("",)),
    "basic": ("password", ("",)),
}


def site_caller(
    source: FactSource, target: Application | None, operations: Iterable[Operation]
) -> str | None:
    """The fixtures, as source; None for what is no site of Django, or one that knows its callers otherwise."""
    if target is None or target.framework != "django":
        return None
    every = list(operations)
    counted = Counter(way for each in every for way in ways_in(each) if way in _WAYS)
    usable = {
        way: package
        for way, (_, packages) in _WAYS.items()
        if counted[way]
        and (package := next((each for each in packages if _uses(source, each)), None)) is not None
    }
    if not usable and any(map(is_login, every)) and not any(each.secured for each in every):
        return _fixtures(
            "session"
        )  # Nothing asks who its caller is, but somebody has to be there to be let in.
    if not usable:
        return None
    way = max(usable, key=counted.__getitem__)
    return _fixtures(_WAYS[way][0]).replace(f"from {_SIMPLE_JWT}.", f"from {usable[way] or _SIMPLE_JWT}.")


def lets_in_accounts(source: FactSource) -> bool:
    """Whether the site knows accounts by name and password as Django does: no setting says otherwise."""
    told = [
        str(fact.aspects.get("value", ""))
        for fact in source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE})
        if fact.name == _BACKENDS
    ]
    return all(_BY_PASSWORD in value for value in told)


def _uses(source: FactSource, package: str) -> bool:
    """Whether the code imports a package, or names it in its settings."""
    if not package:
        return True
    named = re.compile(rf"\b{re.escape(package)}\b")
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.MODULE, Kind.ATTRIBUTE}):
        told = fact.aspects.get("imports" if fact.kind is Kind.MODULE else "value")
        if told and named.search(str(told)):
            return True
    return False


def _fixtures(way: str) -> str:
    """The caller, its account, and the headers by which the site knows it in this way."""
    caller, account, *ways = _TEMPLATE.read_text(encoding="utf-8").split("@pytest.fixture\n")[1:]
    chosen = next(each for each in ways if each.startswith(f"def auth_by_{way}("))
    fixtures = (caller, account, chosen.replace(f"auth_by_{way}", "auth"))
    return "\n\n\n".join(f"@pytest.fixture\n{each.strip()}" for each in fixtures) + "\n"
