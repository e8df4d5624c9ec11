"""Which operations need credentials by the code alone, where a contract says nothing of credentials at all.

Exporters of Flask's family cannot see what a decorator asks for. Nothing is claimed of it: requests that are to be
taken are sent with the token of a caller, where the contract shows how somebody gets one.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from graph.facts import Kind, Tag
from graph.source import FactSource
from planner.contracts.operations import Operation
from planner.contracts.unknowable import is_open_to_all, is_unknown_credential

_UNTOLD, _REFUSED = "untold", "401"
_SCHEME = {_UNTOLD: {"type": "http", "scheme": "bearer"}}


def with_untold_credentials(operations: Iterable[Operation], source: FactSource) -> list[Operation]:
    """The operations, of which those that the code refuses to nobody (401) are asked with a token.

    They stay as they are where the contract tells of credentials anywhere, be it that they may be left out, and those
    of which the code is known to ask for none.
    """
    every = list(operations)
    if any(map(_tells_of_credentials, every)):
        return every
    refusing = {
        fact.key.partition("#")[0]
        for fact in source.facts(tag=Tag.CODE, kinds={Kind.RESPONSE})
        if fact.key.endswith(f"#{_REFUSED}")
    }
    if not refusing:
        return every
    served = source.facts(tag=Tag.CODE, kinds={Kind.OPERATION})
    asking = {fact.key for fact in served if fact.key in refusing and fact.aspects.get("security") != []}
    return [_asking(each) if each.key in asking and not is_open_to_all(each) else each for each in every]


def is_untold(operation: Operation) -> bool:
    """Whether only the code asks for credentials."""
    return {_UNTOLD: []} in (operation.fact.aspects.get("security") or ())


def _tells_of_credentials(operation: Operation) -> bool:
    told = operation.fact.aspects.get("security")
    is_told = operation.secured or (isinstance(told, list) and any(told))
    return is_told or any(map(is_unknown_credential, operation.parameters))


def _asking(operation: Operation) -> Operation:
    told = {"security": [{_UNTOLD: []}], "security_schemes": _SCHEME}
    fact = msgspec.structs.replace(operation.fact, aspects={**operation.fact.aspects, **told})
    return msgspec.structs.replace(operation, secured=True, fact=fact)
