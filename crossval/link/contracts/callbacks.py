"""Aligns the requests that a service itself sends (webhooks, callbacks) with those that the code declares."""

from __future__ import annotations

import re
from collections.abc import Mapping

from crossval.alignment import Alignment
from crossval.compare.http import Operation, gather
from crossval.compare.operations import compare_operations
from crossval.compare.schemas import SchemaComparison
from crossval.pairs import one_sided
from graph.facts import Kind, Tag
from graph.source import FactSource

_PARTS = (Kind.CALLBACK, Kind.PARAMETER, Kind.BODY, Kind.RESPONSE)
_PARAMETER = re.compile(r"\{\w+\}")
_Address = tuple[str, str, str]


def align_callbacks(source: FactSource, schemas: SchemaComparison, owners: Mapping[str, str]) -> Alignment:
    """Pairs of all webhooks and callbacks; `owners` are the contract's operations that the code has, with its own keys.

    Code may send a request without declaring it. So one that only one side names is told only where the other names
    some, too: webhooks at all, or callbacks of the same operation.
    """
    if next(source.facts(tag=Tag.SPEC, kinds=(Kind.CALLBACK,)), None) is None:
        return Alignment()
    promised = gather(source.facts(tag=Tag.SPEC, kinds=_PARTS), Kind.CALLBACK)
    declared = {
        _address(each): each for each in gather(source.facts(tag=Tag.CODE, kinds=_PARTS), Kind.CALLBACK)
    }
    alignment, met = Alignment(), set()
    told = {address[2] for address in declared}
    for spec in promised:
        address = _address(spec, owners.get(_owner(spec), _owner(spec)))
        code = declared.get(address)
        if code is None:
            alignment.pairs.extend([one_sided(spec.fact)] if address[2] in told else [])
            continue
        met.add(address)
        found = compare_operations(spec, code, schemas)
        alignment.pairs.extend(found.pairs)
        alignment.unknown.extend(found.unknown)
    owning = {owners.get(owner, owner) for spec in promised for owner in [_owner(spec)]}
    for address, code in declared.items():
        shown = code.fact.aspects.get("in_schema") is not False and "application" not in code.fact.aspects
        if address not in met and address[2] in owning and shown:
            alignment.pairs.append(one_sided(code.fact))
    return alignment


def _owner(operation: Operation) -> str:
    return str(operation.fact.aspects.get("of", ""))


def _address(operation: Operation, owner: str | None = None) -> _Address:
    """The method, what the request is addressed by, and the operation that causes it, if one does."""
    caused = owner if owner is not None else _owner(operation)
    return operation.method.upper(), _PARAMETER.sub("{}", operation.path).strip("/"), caused
