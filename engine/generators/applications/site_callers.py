"""Writes the fixtures of callers (`caller`, `account`, `auth`, `stranger`) for sites of Django by their contracts."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from engine.generators.applications.entering import made_accounts
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.values.schema_values import NoValueError
from graph.facts import Kind, Tag
from graph.source import FactSource
from planner.contracts.schemes import ways_in, ways_told
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


def site_caller(source: FactSource, target: Application | None, stage: Stage) -> str | None:
    """The fixtures, as source; None for what is no site of Django, or one that knows its callers otherwise."""
    if target is None or target.framework != "django":
        return None
    every = list(stage.operations.values())
    counted = Counter(way for each in every for way in ways_in(each) if way in _WAYS)
    # Where nobody has to say who they are, there may still be somebody whom a field names.
    counted = counted or Counter(way for each in every for way in ways_told(each) if way in _WAYS)
    usable = {
        way: package
        for way, (_, packages) in _WAYS.items()
        if counted[way]
        and (package := next((each for each in packages if _uses(source, each)), None)) is not None
    }
    if not usable and any(map(is_login, every)) and not any(each.secured for each in every):
        # Nothing asks who its caller is, but somebody has to be there to be let in.
        return _fixtures("session", stage)
    if not usable:
        return None
    way = max(usable, key=counted.__getitem__)
    return _fixtures(_WAYS[way][0], stage).replace(
        f"from {_SIMPLE_JWT}.", f"from {usable[way] or _SIMPLE_JWT}."
    )


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


def _fixtures(way: str, stage: Stage) -> str:
    """The callers, the first one's account, and the headers by which the site knows them in this way."""
    _, _, registration, *parts = _TEMPLATE.read_text(encoding="utf-8").split("\n\n")
    told = "\n\n".join(parts)
    pieces = [each.strip() for each in told.split("\n\n\n")]
    chosen = f"def headers_by_{way}("
    kept = [each for each in pieces if chosen in each or "def headers_by_" not in each]
    registering = _registering(stage) or registration
    return "\n\n\n".join([registering, *kept]).replace("headers_by_token(", f"headers_by_{way}(") + "\n"


def _registering(stage: Stage) -> str | None:
    """How the contract's own registration makes the two callers, where it has one that takes what can be made up."""
    try:
        accounts = made_accounts(stage)
    except NoValueError:
        return None
    if accounts is None:
        return None
    path, caller, second = accounts
    told = {"caller": caller, "stranger": second}
    return f"REGISTRATION, ACCOUNTS = {literal(path)}, {literal(told)}"
