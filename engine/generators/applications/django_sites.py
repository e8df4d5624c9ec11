"""Finds the settings of a site of Django that has no gate of WSGI or ASGI, only its `manage.py`."""

from __future__ import annotations

import re

from graph.facts import Fact, Kind, Tag
from graph.source import FactSource

_TESTS = re.compile(r"(?:^|[._])tests?(?:[._]|$)")
_TELLING = frozenset({"ROOT_URLCONF", "INSTALLED_APPS"})


def settings_of_site(source: FactSource) -> str:
    """The only module beside a `manage.py` that says where URLs are and which applications there are; else empty.

    It is unknown where a module takes the settings of another one over: `manage.py` may name either.
    """
    modules = [fact for fact in source.facts(tag=Tag.CODE, kinds={Kind.MODULE}) if not _is_test(fact)]
    if not any(fact.key.rpartition(".")[2] == "manage" for fact in modules):
        return ""
    told: dict[str, set[str]] = {}
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE}):
        module = source.module_of(fact)
        if fact.name in _TELLING and fact.key == f"{module}.{fact.name}":
            told.setdefault(module, set()).add(fact.name)
    found = {fact.key for fact in modules if told.get(fact.key, set()) >= _TELLING}
    taken_over = any(
        row[0] == "*" and row[1] in found for fact in modules for row in fact.aspects.get("imports", ())
    )
    return found.pop() if len(found) == 1 and not taken_over else ""


def _is_test(fact: Fact) -> bool:
    return _TESTS.search(fact.key) is not None
