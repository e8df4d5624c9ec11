"""What has to be written back in definitions as they are now, to see whether they do the same as before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from graph.facts import Fact, Kind, Tag
from healer.moving.bodies import module_of
from healer.moving.definitions import Definition, is_respelled
from healer.moving.grouping import grouped
from healer.moving.pairing import Pairing
from healer.moving.parameters import compared, own_names
from healer.moving.undoing import Undo


def defined(
    pairing: Pairing, stayed: list[tuple[Fact, Fact]], added: Iterable[Fact] = ()
) -> list[Definition]:
    """All definitions that are known then and now, each with what is to be undone in it."""
    pairs = [*pairing.pairs, *stayed]
    undo = _undo(pairs)
    more = _module_names(pairs), _all_parameters(pairs)
    reached = {after.key: _reached(b, after) for b, after in pairs if b.kind is Kind.MODULE}
    made = {
        _holder(after.key)
        for before, after in pairs
        if after.name == "__init__" and _is_laid_out_anew(before, after)
    }
    given = _given(pairs)
    came = {fact.key: fact for fact in added if fact.tag is Tag.CODE}
    functions = [pair for pair in pairs if pair[0].kind is Kind.FUNCTION and pair[0].tag is Tag.CODE]
    groups = (
        {b.key: group for b, a in functions if (group := grouped(b, a, came)) is not None} if came else {}
    )
    undo = msgspec.structs.replace(undo, groups=frozenset(_last(each.type) for each in groups.values()))
    found = []
    for before, after in pairs:
        own, group = _undo_within(after, undo, made, given), groups.get(before.key)
        # What a constructor is given, the attributes of its class are made of.
        of_class = groups.get(f"{_holder(before.key)}.__init__") if before.kind is Kind.ATTRIBUTE else group
        if of_class is not None:
            own = msgspec.structs.replace(own, prefixes=own.prefixes | {of_class.parameter})
        leads, names = reached.get(module_of(after), (frozenset(), {}))
        if leads:
            own = msgspec.structs.replace(own, prefixes=own.prefixes | leads)
        found.append(Definition(before, after, own, _joined((*more, names)), group))
    return found


def _joined(more: Iterable[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Names that may have to go with the others: each mapping, and all together."""
    some = [names for names in more if names]
    return [*some, {now: then for names in some for now, then in names.items()}] if len(some) > 1 else some


def _given(pairs: Iterable[tuple[Fact, Fact]]) -> dict[str, dict[str, str]]:
    """By class, the names of its methods' parameters now, with those of then: what instances are given by them."""
    found: dict[str, dict[str, str]] = {}
    for before, after in pairs:
        if after.kind is Kind.FUNCTION and (names := own_names(before, after)):
            found.setdefault(_holder(after.key), {}).update(names)
    return found


def _is_laid_out_anew(before: Fact, after: Fact) -> bool:
    found = compared(before, after)
    return bool(found.keyword_only or found.order)


def _undo_within(fact: Fact, undo: Undo, made: set[str], given: Mapping[str, Mapping[str, str]]) -> Undo:
    """What to write back in one definition: in a class method, its class is called `cls` too.

    `made` are the classes whose `__init__` takes its parameters in another order or form, `given` their parameters that
    have other names, which the values of attributes are made of.
    """
    rows, holder = fact.aspects.get("parameters"), _holder(fact.key)
    if fact.aspects.get("instance") and holder in given:
        return msgspec.structs.replace(undo, names={**undo.names, **given[holder]})
    own = holder.rpartition(".")[2]
    if fact.aspects.get("kind") != "classmethod" or not rows or holder not in made:
        return undo
    name = str(rows[0][0])
    orders = {**undo.orders, name: undo.orders[own]} if own in undo.orders else undo.orders
    return msgspec.structs.replace(undo, keywords={**undo.keywords, name: undo.keywords[own]}, orders=orders)


def _undo(pairs: list[tuple[Fact, Fact]]) -> Undo:
    keywords: dict[str, dict[str, int]] = {}
    orders: dict[str, tuple[int, ...]] = {}
    properties = set()
    awaits = False
    for before, after in pairs:
        if before.kind is not Kind.FUNCTION:
            continue
        found = compared(before, after)
        name = after.name if after.name != "__init__" else after.key.split(".")[-2]
        if _is_laid_out_anew(before, after):
            keywords[name] = {found.renamed.get(row.name, row.name): n for n, row in enumerate(found.then)}
        if found.order:
            orders[name] = found.order
        kinds = before.aspects.get("kind"), after.aspects.get("kind")
        if kinds[0] != kinds[1] == "property":
            properties.add(after.name)
        awaits = awaits or (bool(after.aspects.get("async")) and not before.aspects.get("async"))
    names = _unambiguous((a.name, b.name) for b, a in pairs if a.name != b.name)
    return Undo(names, keywords, orders, frozenset(properties), awaits, _prefixes(pairs), _literals(pairs))


def _literals(pairs: list[tuple[Fact, Fact]]) -> dict[str, str]:
    """The values of attributes that are spelled otherwise than then."""
    values = ((a.aspects.get("value"), b.aspects.get("value")) for b, a in pairs if b.kind is Kind.ATTRIBUTE)
    return _unambiguous((str(now), str(then)) for now, then in values if is_respelled(then, now))


def _prefixes(pairs: list[tuple[Fact, Fact]]) -> frozenset[str]:
    """The modules between which something moved, as they may stand before names that once needed nothing."""
    found = set()
    for before, after in pairs:
        then, now = module_of(before), module_of(after)
        if then != now and before.kind is not Kind.MODULE:
            found |= {then, now, then.rpartition(".")[2], now.rpartition(".")[2]}
    return frozenset(found)


def _reached(before: Fact, after: Fact) -> tuple[frozenset[str], dict[str, str]]:
    """Imports of a module in another style: modules before a name since, and names alone now with the dotted ones."""
    then, now = _rows(before), _rows(after)
    leads: set[str] = set()
    names: list[tuple[str, str]] = []
    for local, target in sorted(now - then):
        for old, other in sorted(then - now):
            if other.startswith(f"{target}."):
                leads.add(local)
            elif target.startswith(f"{other}."):
                names.append((local, f"{old}{target[len(other) :]}"))
    return frozenset(leads), _unambiguous(names)


def _rows(fact: Fact) -> set[tuple[str, str]]:
    return {(str(row[0]), str(row[1])) for row in fact.aspects.get("imports", ())}


def _module_names(pairs: list[tuple[Fact, Fact]]) -> dict[str, str]:
    """The parts of module names that differ where something went from one to another."""
    found = []
    for before, after in pairs:
        then, now = module_of(before).split("."), module_of(after).split(".")
        if len(then) == len(now):
            found += [(new, old) for old, new in zip(then, now, strict=True) if old != new]
    return _unambiguous(found)


def _all_parameters(pairs: list[tuple[Fact, Fact]]) -> dict[str, str]:
    """The names of parameters everywhere: calls by keyword follow them."""
    return _unambiguous(
        item
        for before, after in pairs
        if before.kind is Kind.FUNCTION
        for item in own_names(before, after).items()
    )


def _unambiguous(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    twice = set()
    for new, old in items:
        if found.setdefault(new, old) != old:
            twice.add(new)
    return {new: old for new, old in found.items() if new not in twice}


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _holder(key: str) -> str:
    return key.rpartition(".")[0]
