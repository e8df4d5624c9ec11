"""Which modules of a project have to do with a web framework."""

from __future__ import annotations

import re
from collections.abc import Collection

from ingest.web.modules import Module
from ingest.web.program import Program


def framework_modules(program: Program, packages: Collection[str], joins: re.Pattern[str]) -> list[Module]:
    """The modules that import the framework, and those that import one of these and match `joins`.

    The latter are factories and entry points that put routers together without naming the framework.
    """
    direct = program.importers(packages)
    names = {module.name for module in direct}
    if not names:
        return []
    second = program.importers_named(sorted(names))
    more = [name for name in second if name not in names and joins.search(program.text(name))]
    found = [*direct, *(module for name in more if (module := program.module(name)) is not None)]
    return sorted(found, key=lambda module: module.name)
