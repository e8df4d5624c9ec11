"""Comparing with a memory: while neither facts nor rules change, what a comparison came to stands."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

import msgspec

import crossval
import graph
from crossval.findings import Outcome
from crossval.link.traces.records import Decisions
from crossval.rules.late import Checking, LateRule
from engine.plugins import RULES, is_offered
from graph import beside
from graph.digests import sha256
from graph.errors import ConfigurationError, StoreError
from graph.faults import is_fault
from graph.packing import unpacking

if TYPE_CHECKING:
    from crossval.link.names.targets import Target
    from crossval.rules.rule import Rule
    from engine.configuration import Settings
    from graph.store.records import Notes
    from graph.store.store import Store

_NAMES = "rules"
_OUTCOME = "outcome"


_encode = msgspec.msgpack.Encoder().encode
_decode_rules = unpacking(tuple[LateRule, ...])
_decode_listed = unpacking(tuple[str, tuple[LateRule, ...]])
_decode_outcome = unpacking(Outcome)


def known_rules(store: Store) -> Sequence[Checking]:
    """Every rule, in the order of their names. Raises ConfigurationError where two have one name.

    Which there are is known from the last run of this very program, with this store or beside its bytecode: to find
    out anew, all their modules have to be imported.
    """
    key = program()
    if not key:
        return _every_rule()
    kept = store.kept(_NAMES, key)
    return _decode_rules(kept) if kept is not None else _listed(key)


@cache
def _listed(key: str) -> Sequence[Checking]:
    place = beside.place(_NAMES)
    with suppress(msgspec.MsgspecError):  # nothing there yet, or of an older program
        listed, late = _decode_listed(beside.load(place))
        if listed == key:
            return late
    late = tuple(map(LateRule.of, _every_rule()))
    beside.save(place, _encode((key, late)))
    return late


def _every_rule() -> tuple[Rule, ...]:
    from engine.plugins import rules

    return rules()


def outcome_of(
    settings: Settings,
    store: Store,
    notes: Notes,
    unread: Mapping[str, str],
    decisions: Decisions | None = None,
    *,
    modules_asked: bool = False,
) -> Outcome:
    """What the rules find in the published facts, and what could not be known.

    `notes` is what readers said beside facts, `unread` the modules that they could not read,
    `decisions` which links people accepted or rejected, `modules_asked` whether modules that nobody asks for are
    looked for.
    """
    key = _key(settings, store, notes, unread, decisions or Decisions(), modules_asked)
    kept = store.kept(_OUTCOME, key) if key else None
    if kept is not None:
        return _decode_outcome(kept)
    from crossval.validate import aligners_for, cross_validate

    rules = known_rules(store)
    outcome = cross_validate(
        store,
        aligners=aligners_for(target_of(settings), decisions, modules_asked=modules_asked),
        rules=rules,
        defects=notes.defects,
        unread=unread,
        unseen=notes.unknown,
    )
    failed = any(is_fault(note.reason) for note in outcome.unknown)
    if key and not failed and (packed := _packed(outcome)) is not None:
        # A memory is a convenience: where it cannot be written, the next run compares again.
        with suppress(StoreError):
            store.keep({_NAMES: (program(), _encode(rules)), _OUTCOME: (key, packed)})
    return outcome


def target_of(settings: Settings) -> Target:
    """The interpreter that stubs are compared for. Raises ConfigurationError for a version that is none."""
    from crossval.link.names.targets import read_target

    target = read_target(settings.python_version, settings.platform)
    if target is None:
        raise ConfigurationError(
            f"python_version: `{settings.python_version}` is no version of Python", "Write it as `3.12`."
        )
    return target


def _key(
    settings: Settings,
    store: Store,
    notes: Notes,
    unread: Mapping[str, str],
    decisions: Decisions,
    modules_asked: bool,
) -> str:
    """A digest of all that an outcome depends on; empty where it cannot be told."""
    if not program():
        return ""
    seen = [
        program(),
        store.writes,
        store.revision,
        settings.python_version,
        settings.platform,
        modules_asked,
    ]
    try:
        decided = (sorted(decisions.accepted), sorted(decisions.rejected))
        told = _encode((seen, sorted(unread.items()), notes.defects, notes.unknown, decided))
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError):
        return ""
    return sha256(told).hexdigest()


def program() -> str:
    """A digest of the program that compares, by the sizes and times of its files, and of the interpreter.

    Empty where that cannot be told: rules of other distributions, and a program that does not lie in plain files.
    """
    return "" if is_offered(RULES) else _built_in()


@cache
def _built_in() -> str:
    try:
        files = sorted(each for package in (crossval, graph) for each in _files(package.__path__[0]))
    except OSError:
        return ""
    return sha256(repr((sys.version, sys.platform, files)).encode()).hexdigest() if files else ""


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _files(entry.path)


def _packed(outcome: Outcome) -> bytes | None:
    """The outcome as bytes; None where these would not give back the very same one."""
    try:
        packed = _encode(outcome)
        return packed if _decode_outcome(packed) == outcome else None
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError):
        return None
