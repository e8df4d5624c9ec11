"""Verdicts that need no reader: what importing the package, or the text of the code alone, settles.

They are the only ones for the part that nobody reads, and stand behind people's judgements in the other.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.stubs.agreement import Agreement, Disagreement, Verdict
from benchmarks.stubs.alike import (
    has_the_same_unread_options,
    is_annotated_alike,
    is_assigned_alike,
    is_decorated_alike,
    is_listed_alike,
    is_written_for_checkers,
)
from benchmarks.stubs.choices import (
    has_private_fields,
    has_the_same_metaclass,
    is_a_module_of_the_stubs,
    is_about_getattr,
    is_about_self,
    is_by_position,
    is_closed_by_a_decorator,
    is_closed_by_an_ancestor,
    is_imported_alike,
    is_known_to_checkers,
    is_left_out,
    is_left_over,
    is_mangled,
    is_of_an_enumeration,
    is_of_tests,
    is_only_annotated,
    is_open,
    is_overloaded,
    is_passed_on,
    is_told_where_it_is_defined,
    is_without_stub,
)
from benchmarks.stubs.corpus import PYTHON, Pair
from benchmarks.stubs.instances import (
    is_a_property_of_instances,
    is_given_by_a_descriptor,
    is_replaced,
    is_set_under_a_computed_name,
)
from benchmarks.stubs.meant import (
    is_as_the_standard_library_writes_it,
    is_for_another_platform,
    is_given_by_items,
    is_of_a_final_ancestor,
)
from benchmarks.stubs.outside import (
    is_compiled,
    is_given_by_a_call,
    is_inherited_from_outside,
    is_made_by_a_metaclass,
    is_of_an_alias_from_outside,
)
from benchmarks.stubs.records import Kind
from benchmarks.stubs.statements import (
    is_answered,
    is_built,
    is_computed_default,
    is_listed_by_a_call,
    is_made_by_a_call,
    is_unwritten,
    is_written,
)
from benchmarks.stubs.texts import is_module

_OF_NAMED_TUPLES = frozenset({"_asdict", "_make", "_replace", "_fields", "_field_defaults", "__init__"})
_SCRIPT = Path(__file__).parent / "existence.py"


def settle(pair: Pair, agreed: Agreement) -> Agreement:
    """The agreement with a verdict on each report that was not judged, where one can be had this way."""
    ours = [each for each in agreed.disagreements if _is_claim_of_absence(each)]
    existing = _existing(pair, [each.report.symbol for each in ours]) if ours else {}
    shown = frozenset(
        report.symbol.rpartition(".")[0]
        for report in agreed.both
        if report.kind in (Kind.NOT_IN_STUB, Kind.NOT_IN_CODE)
    )
    aliases = frozenset(
        each.report.symbol for each in agreed.disagreements if each.ours and each.report.kind is Kind.TYPE
    )
    bound = frozenset(report.symbol for report in agreed.both if report.kind is Kind.BINDING)
    tuples = frozenset(
        each.report.symbol
        for each in agreed.disagreements
        if each.ours and each.report.kind is Kind.BASES and "NamedTuple" in each.report.message
    )
    settled = (_settled(pair, each, existing) for each in agreed.disagreements)
    return agreed._replace(
        disagreements=[_without_consequence(each, shown, aliases, bound, tuples) for each in settled]
    )


def _without_consequence(
    each: Disagreement,
    shown: frozenset[str],
    aliases: frozenset[str],
    bound: frozenset[str],
    tuples: frozenset[str],
) -> Disagreement:
    """The disagreement with a verdict where it only repeats that a named tuple has other fields or is none any more,
    or that a method is bound otherwise, which both report, or lists the members of a standard class that an alias
    stands for, of which crossfact says that it is another."""
    if each.ours or each.verdict is not Verdict.UNJUDGED:
        return each
    if each.report.symbol in bound and each.report.kind in (Kind.PARAMETERS, Kind.DEFAULT):
        return each._replace(verdict=Verdict.NEITHER, why="it follows from how it is bound")
    owner, _, last = each.report.symbol.rpartition(".")
    if owner in aliases:
        return each._replace(verdict=Verdict.NEITHER, why="it follows from what the alias stands for")
    if owner in tuples and last in _OF_NAMED_TUPLES:
        return each._replace(verdict=Verdict.NEITHER, why="it follows from that the class is no named tuple")
    own = owner in shown and last in ("_fields", "__match_args__", "__new__")
    if own or any(f"fallback={named}" in each.report.message for named in shown):
        return each._replace(
            verdict=Verdict.NEITHER, why="it follows from the fields, of which both tools tell"
        )
    return each


def _settled(pair: Pair, each: Disagreement, existing: dict[str, bool | None]) -> Disagreement:
    if each.verdict is not Verdict.UNJUDGED:
        return each
    if _is_claim_of_absence(each):
        match existing.get(each.report.symbol):
            case False if not _may_belong_to_instances(pair, each):
                return each._replace(
                    verdict=Verdict.THEIRS, why="when the package is imported it is not there"
                )
            case True:
                return each._replace(verdict=Verdict.OURS, why="when the package is imported it is there")
    if each.ours:
        return each
    for holds, verdict, why in _RULES:
        if holds(pair, each):
            return each._replace(verdict=verdict, why=why)
    return each


def _is_claim_of_absence(each: Disagreement) -> bool:
    """Whether crossfact says that the code lacks something, which importing may show."""
    return each.ours and each.report.kind is Kind.NOT_IN_CODE


def _may_belong_to_instances(pair: Pair, each: Disagreement) -> bool:
    """Whether an attribute that the class lacks may be given to its instances: some text of it has its name."""
    if is_module(pair, each.report.symbol.rpartition(".")[0]):
        return False
    if not each.report.message.startswith("attribute-not-implemented"):
        return False
    word = re.compile(rf"\b{each.report.symbol.rpartition('.')[2]}\b".encode())
    return any(word.search(file.read_bytes()) for file in pair.runtime.rglob("*.py"))


def _existing(pair: Pair, symbols: list[str]) -> dict[str, bool | None]:
    done = subprocess.run(
        [str(PYTHON), str(_SCRIPT)],
        input=json.dumps(symbols),
        env={**os.environ, "PYTHONPATH": f"{pair.runtime}{os.pathsep}{pair.needs}"},
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, bool | None] = json.loads(done.stdout) if done.returncode == 0 else {}
    return found


_RULES: tuple[tuple[Callable[[Pair, Disagreement], bool], Verdict, str], ...] = (
    (is_compiled, Verdict.RUNTIME, "it lies in a compiled module, which has no text"),
    (is_built, Verdict.RUNTIME, "no statement of the module makes what is compared"),
    (
        is_set_under_a_computed_name,
        Verdict.RUNTIME,
        "methods give it to instances under a name that is worked out; stubtest looks at the class",
    ),
    (is_unwritten, Verdict.RUNTIME, "no statement of the module or class binds the name"),
    (is_written, Verdict.RUNTIME, "the text defines it, in a block that does not run here"),
    (is_answered, Verdict.RUNTIME, "the code's __getattr__ answers names, and only running it tells which"),
    (is_made_by_a_call, Verdict.RUNTIME, "what a call gives has members that no class of the text shows"),
    (is_computed_default, Verdict.RUNTIME, "the default is computed"),
    (
        is_given_by_a_call,
        Verdict.RUNTIME,
        "what a call or a decorator from outside gives is known when it runs",
    ),
    (is_inherited_from_outside, Verdict.RUNTIME, "a base from outside the package may have it"),
    (is_of_an_alias_from_outside, Verdict.RUNTIME, "it belongs to what another package defines"),
    (
        is_made_by_a_metaclass,
        Verdict.RUNTIME,
        "its class's metaclass may make something else of what a call gives",
    ),
    (is_a_module_of_the_stubs, Verdict.NEITHER, "a module of that name has a stub of its own"),
    (is_listed_by_a_call, Verdict.RUNTIME, "a call gives __all__, and only running it tells its names"),
    (is_left_out, Verdict.NEITHER, "`name = ...` says that there is a value, and nothing of its type"),
    (
        is_only_annotated,
        Verdict.RUNTIME,
        "the code only annotates the name; what has it is known when it runs",
    ),
    (is_closed_by_a_decorator, Verdict.RUNTIME, "a decorator of the package closes the class when it runs"),
    (is_closed_by_an_ancestor, Verdict.RUNTIME, "a hook of the package decides on heirs when it runs"),
    (is_imported_alike, Verdict.NEITHER, "stub and code import everything from the same module outside"),
    (
        is_told_where_it_is_defined,
        Verdict.NEITHER,
        "stub and code import everything from one module, and the name is told there",
    ),
    (has_the_same_metaclass, Verdict.THEIRS, "both sides write the same metaclass"),
    (has_private_fields, Verdict.NEITHER, "a private field that has a default may be left out of a stub"),
    (is_of_a_final_ancestor, Verdict.THEIRS, "it derives from a final class and is none itself"),
    (
        is_given_by_items,
        Verdict.NEITHER,
        "a class with __getitem__ is iterable, and its stub says so by a method",
    ),
    (is_for_another_platform, Verdict.NEITHER, "the stub has it for another platform"),
    (
        is_as_the_standard_library_writes_it,
        Verdict.NEITHER,
        "the code writes an inherited method as the standard library does, which type checkers know otherwise",
    ),
    (is_mangled, Verdict.THEIRS, "Python mangles the name of the parameter on both sides"),
    (is_without_stub, Verdict.NEITHER, "the module has no stub"),
    (is_open, Verdict.NEITHER, "the stub says by __getattr__ that it does not list all names"),
    (is_overloaded, Verdict.NEITHER, "the author's choice of overloads"),
    (is_left_over, Verdict.NEITHER, "left over from a loop at the top of the module; nobody offers it"),
    (
        is_given_by_a_descriptor,
        Verdict.NEITHER,
        "the stub says what instances see, and a descriptor of the package decides that; stubtest looks at the class",
    ),
    (
        is_replaced,
        Verdict.NEITHER,
        "the stub says what instances have, which the class's methods set; stubtest looks at the class's placeholder",
    ),
    (
        is_a_property_of_instances,
        Verdict.NEITHER,
        "the stub says by a method what instances have, which the class's methods set; stubtest looks at the class",
    ),
    (
        is_about_getattr,
        Verdict.NEITHER,
        "by __getattr__ a stub says that it does not list all names of instances",
    ),
    (
        is_written_for_checkers,
        Verdict.NEITHER,
        "the code says under TYPE_CHECKING what its stub says",
    ),
    (is_assigned_alike, Verdict.NEITHER, "stub and code give it one and the same expression"),
    (
        is_decorated_alike,
        Verdict.NEITHER,
        "stub and code write one header and decorate it alike; stubtest compares what the decorator's type says",
    ),
    (is_annotated_alike, Verdict.NEITHER, "the stub says what the code's own annotation says"),
    (has_the_same_unread_options, Verdict.NEITHER, "no type checker reads the options that both sides write"),
    (is_listed_alike, Verdict.NEITHER, "`__all__` has the same names, in a list here and in a tuple there"),
    (is_by_position, Verdict.NEITHER, "special methods are only ever called by position"),
    (is_known_to_checkers, Verdict.NEITHER, "type checkers know the name by themselves"),
    (is_about_self, Verdict.NEITHER, "how self and cls are spelled"),
    (is_of_an_enumeration, Verdict.NEITHER, "enumerations get another __new__, which no stub repeats"),
    (is_of_tests, Verdict.NEITHER, "the module is one of tests, which nobody imports; it is read as such"),
    (
        is_passed_on,
        Verdict.NEITHER,
        "the decorator passes on what it is given, and the stub says what is taken",
    ),
)
