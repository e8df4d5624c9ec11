"""Tests of functions and classes from stubs and docstrings: how they are called, what they return, what they raise."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from crossval.compare.decorators import keeps_parameters
from engine.generators.functions.calls import parameters_of
from engine.generators.functions.conditions import UNHEARD, absent, met
from engine.generators.functions.constructors import is_filled, refuse_unhashable
from engine.generators.functions.facts import NoTestError, Surface, Surfaces, cited, written_for
from engine.generators.functions.invalid import invalid
from engine.generators.functions.made import Call, call_of, spoken
from engine.generators.functions.raising import keys_of, refuse_raising
from engine.generators.functions.shown_calls import bound_arguments, shown_arguments
from engine.generators.functions.signature_calls import (
    is_alone,
    refuse_called,
    refuse_elsewhere,
    refuse_unsaid,
    refuse_unzoned,
    stands_for,
)
from engine.generators.functions.signature_shape import called_so, decorators, there
from engine.generators.functions.told_forms import is_told
from engine.generators.functions.type_checks import type_check, types_of, yielded
from engine.generators.functions.values import Maker
from engine.generators.functions.written import ALL, ARRANGE, Written
from engine.generators.source import local_of, merged_imports, name_of
from graph.facts import Fact, Kind
from planner.cases import Case, Technique
from planner.functions.drawn_values import formed, is_about_a_form, words_of
from planner.functions.effects import is_conversion, is_of_a_form
from planner.functions.laws import is_writing
from planner.functions.operators import OPERATORS
from planner.functions.told_types import TOLD
from planner.generator import Assertion, Context, Declined, Draft

_CALLED = frozenset({"function", "method", "classmethod", "staticmethod"})
# What only begins when it is gone through.
_BEGUN = re.compile(r"(?:\w+\.)*(?:Iterator|Iterable|Generator)\b")
_BROAD = frozenset({"Exception", "BaseException", "RuntimeError"})
# Methods that give something of what an object holds.
_OF_HELD = frozenset(
    {
        *(
            "pop",
            "popitem",
            "popleft",
            "peek",
            "first",
            "last",
            "next",
            "previous",
            "prev",
            "top",
            "head",
            "tail",
        ),
        *("min", "max", "choice", "current"),
    }
)
# What looks something up gives `None` for what nobody knows, whatever a docstring says that it returns.
_LOOKING_UP = [[each] for each in ("get", "find", "lookup", "search", "fetch", "query", "match", "resolve")]
_ANY = {"str": '"text"', "bytes": 'b"text"', "Any": '"text"', "t.Any": '"text"'}
_OF_TEXT = frozenset({"str", "Any", "t.Any"})
# What also an object that holds nothing yet can give to a caller who asks for something.
_OF_EMPTY = frozenset(
    {
        "bool",
        "list",
        "dict",
        "set",
        "tuple",
        "frozenset",
        "type(None)",
        "Iterable",
        "Iterator",
        "Sequence",
        "Mapping",
    }
)


# How a condition begins, which the name of a test says anyway.
_LEAD = re.compile(r"^(?:if|when|whenever|where|in case)\s+", re.IGNORECASE)


class SignatureGenerator:
    """Writes one test per statement of a stub or docstring; needs nothing but the facts."""

    name = "signature"

    def __init__(self) -> None:
        self._surfaces = Surfaces()
        self._writers: dict[Technique, Callable[[Case, Fact, Surface], Written]] = {
            Technique.IMPORTABLE: there,
            Technique.CALLABLE: called_so,
            Technique.RETURNS: _returns,
            Technique.RAISES: _raises,
        }

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        return case.technique in self._writers and isinstance(case.target.get("function"), str)

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        if case.technique is Technique.CALLABLE and context.options.get("takes") == "unknown":
            return Declined(
                case.id, "the fixture `takes` in the conftest that you took over; a new one has it"
            )
        return written_for(self._surfaces, case, context, self._writers[case.technique])


def _returns(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a call with simple values gives is of the annotated type; of several signatures the first one counts."""
    if fact.kind is Kind.ATTRIBUTE:
        return _attribute(case, fact, surface)
    is_entered = _is_entered(fact, surface)
    returns = str(case.target["returns"])
    returns = stands_for(yielded(returns) if is_entered else returns, fact, surface)
    holder = surface.holder(fact)
    own = holder.name if returns.endswith("Self") and holder is not None else returns
    check = type_check(own, surface.module(fact), surface)
    call, is_told = _call(fact, surface)
    is_answered = fact.name in OPERATORS or bool(case.target.get("answered"))
    _refuse_unsaid_holding(fact, call, surface)
    refuse_unzoned(fact, call)
    if TOLD in fact.aspects and call.arguments and not is_told and words_of(fact.name)[:1] in _LOOKING_UP:
        raise NoTestError(f"an example of a call of {fact.name}: what there is to be found is not said")
    if is_conversion(fact.name) and call.arguments and not is_told:
        raise NoTestError(f"an example of a call of {fact.name}: of which form that is which it is given")
    if fact.aspects.get("kind") == "method" and _OF_HELD & set(fact.name.split("_")):
        raise _holds_unsaid(fact, holder)
    refuse_elsewhere(fact, call, set(check.types), is_shown=is_told)
    if fact.name == "__hash__" and holder is not None:
        refuse_unhashable(holder, surface)
    _refuse_unsaid_arguments(fact, call, set(check.types), holder, is_answered=is_answered)
    imports = merged_imports([*call.imports, *check.imported()])
    is_made_up = not is_told and bool(call.arguments or call.arrange)
    if is_entered:
        lines = [f"with {call.source} as found:", *(f"    {line}" for line in check.lines("found"))]
        return Written(
            f"test_{spoken(fact, surface)}_is_entered",
            imports,
            arrange=call.arrange,
            assertions=[Assertion("\n".join(lines), case.cites)],
            made_up=ARRANGE if is_made_up else (),
        )
    read = _read(fact, call)
    is_async = bool(fact.aspects.get("async"))
    return Written(
        f"test_{spoken(fact, surface)}_returns_{name_of(returns)[:40]}",
        imports,
        arrange=call.arrange,
        act=[f"found = asyncio.run({read})" if is_async else f"found = {read}"],
        assertions=cited(case, check.lines("found")),
        top=["import asyncio"] if is_async else [],
        made_up=ALL if is_made_up else (),
    )


def _is_entered(fact: Fact, surface: Surface) -> bool:
    """Whether a function is called by `with`. Raises NoTestError where what its decorators make of it is not known."""
    if surface.overloads(fact)[0] is not fact:
        raise NoTestError(f"an example of a call of {fact.name}: what it returns depends on what it is given")
    if changing := decorators(fact, surface, lambda name: not keeps_parameters(name)):
        raise NoTestError(f"what @{changing[0]} makes of {fact.name}")
    if decorators(fact, surface, lambda name: name == "contextlib.asynccontextmanager"):
        raise NoTestError(f"how a test enters {fact.name}")
    return bool(decorators(fact, surface, lambda name: name == "contextlib.contextmanager"))


def _call(fact: Fact, surface: Surface) -> tuple[Call, bool]:
    """A call with simple values, and whether an example or the docstring tells what is given."""
    refuse_called(fact)
    is_only = len(surface.overloads(fact)) == 1
    taken = parameters_of(fact)
    shown = shown_arguments(fact, surface, taken) if is_only else {}
    likely = not (is_of_a_form(fact.name) or is_about_a_form(fact.name))
    maker = Maker(surface, likely=likely, about=fact)
    call = call_of(fact, surface, maker, given={} if shown else _asked(fact))
    if not shown:
        refuse_raising(fact, call.source, taken, surface)
    if not is_only and "None" in call.arguments:
        raise NoTestError(f"an example of a call of {fact.name}: what it returns depends on what it is given")
    return call, bool(shown) or is_told(fact, taken, surface)


def _holds_unsaid(fact: Fact, holder: Fact | None) -> NoTestError:
    owner = holder.name if holder is not None else "object"
    return NoTestError(f"an example of a call of {fact.name}: what a new {owner} holds is not said")


def _refuse_unsaid_holding(fact: Fact, call: Call, surface: Surface) -> None:
    """Raise NoTestError for a method that is given a key of what a new object may hold."""
    holder = surface.holder(fact)
    if holder is None or fact.aspects.get("kind") != "method":
        return
    if keys_of(holder, surface) & _named_in(call.source, fact):
        raise _holds_unsaid(fact, holder)


def _refuse_unsaid_arguments(
    fact: Fact, call: Call, types: set[str], holder: Fact | None, *, is_answered: bool
) -> None:
    """Raise NoTestError where nothing says what the call needs: of a new object, or of the world around it."""
    kind = str(fact.aspects.get("kind", "function"))
    if kind == "method" and call.arguments and not is_answered and not types & _OF_EMPTY:
        raise _holds_unsaid(fact, holder)
    if not call.arguments and kind != "property" and fact.name not in OPERATORS:
        refuse_unsaid(fact)
    if not (call.arguments or call.arrange) and kind == "function" and not is_alone(fact, types):
        raise NoTestError(f"whether {fact.name} can be called in a test: it takes nothing")


def _read(fact: Fact, call: Call) -> str:
    """The expression whose value is looked at: the call, the property's name, or the operator that calls it."""
    if fact.name in OPERATORS:
        # Only what is of one kind is compared everywhere.
        is_made = call.arguments == "object()" and call.arrange
        other = call.arrange[0].partition(" = ")[2] if is_made else call.arguments
        return OPERATORS[fact.name].format(it=call.called.partition(".")[0], other=other)
    return call.called if fact.aspects.get("kind") == "property" else call.source


def _named_in(source: str, fact: Fact) -> set[str]:
    """The parameters that a call, as source, gives."""
    call = ast.parse(source).body[0]
    assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
    return set(bound_arguments(call.value, parameters_of(fact)) or ())


def _attribute(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a new object has is of the annotated type."""
    holder = surface.holder(fact)
    if holder is None:
        raise NoTestError(f"the class of {fact.key}")
    module, local = surface.module(fact), local_of(holder.name)
    known = surface.at(surface.resolved(str(case.target["returns"]).partition("[")[0], module))
    if known is not None and any(each.name == "__get__" for each in surface.members(known)):
        raise NoTestError(f"what {known.name} gives for {fact.name}")
    check = type_check(str(case.target["returns"]), module, surface)
    made = Maker(surface, likely=True).instance(holder)
    return Written(
        f"test_{spoken(fact, surface)}_is_{name_of(str(case.target['returns']))[:40]}",
        merged_imports([*made.imports, *check.imported()]),
        act=[f"{local} = {made.expression}"],
        assertions=cited(case, check.lines(f"{local}.{fact.name}")),
        made_up=ALL,
    )


def _asked(fact: Fact) -> dict[str, str]:
    """Values for what takes any: a question that is answered with yes or no, and what writes something otherwise."""
    is_question = fact.name.startswith(("is_", "has_")) and fact.aspects.get("returns") == "bool"
    required = [each for each in parameters_of(fact) if each.required]
    is_any = is_writing(fact.name) and not is_about_a_form(fact.name)
    is_asked_in = any(each.name in ("context", "ctx") for each in required)  # It is no text.
    is_question &= len(required) == 1 or not is_about_a_form(fact.name)
    if is_asked_in or (not is_question and not (len(required) == 1 and is_any)):
        return {}
    found = ((each.name, types_of(each.annotation or "")) for each in required)
    return {
        name: (types & _OF_TEXT and formed(name))
        or next(value for type_, value in _ANY.items() if type_ in types)
        for name, types in found
        if types & set(_ANY)
    }


def _raises(case: Case, fact: Fact, surface: Surface) -> Written:
    """A value that meets the documented condition makes the documented exception."""
    module = surface.module(fact)
    exception, words = str(case.target["exception"]), str(case.target.get("condition", ""))
    if case.target.get("conditional") and words:
        words = f"if {_LEAD.sub('', words)}"
    kind = str(fact.aspects.get("kind", "function"))
    signatures = surface.overloads(fact)
    if not signatures or kind not in _CALLED:
        raise NoTestError(f"how {fact.name} is called")
    meets = met(words, parameters_of(signatures[0]))
    maker = Maker(surface)
    if meets is None and kind == "method":
        # A new object has nothing yet.
        meets, maker = absent(words, parameters_of(signatures[0])), Maker(surface, bare=True)
    if meets is None:
        meets, maker = invalid(exception, words, parameters_of(signatures[0])), Maker(surface)
    if meets is None:
        told = f" ({words})" if words else ""
        raise NoTestError(f"a value with which {fact.name} raises {exception}{told}")
    raised = surface.named(exception, module)
    if raised is None:
        raise NoTestError(f"where {exception} is imported from")
    made = call_of(fact, surface, maker, {meets.parameter: meets.value, **dict(meets.beside)})
    if meets.value in UNHEARD and any(is_filled(each) for each in made.arrange):
        raise NoTestError(f"an object on which {fact.name} raises {exception}, as it holds nothing yet")
    call = f"asyncio.run({made.source})" if fact.aspects.get("async") else made.source
    if any(_BEGUN.match(str(each.aspects.get("returns"))) for each in surface.same(fact)):
        call = f"list({call})"
    # What is not written yet raises NotImplementedError, which is a RuntimeError: it must not count.
    broad = exception in _BROAD
    told = name_of(_LEAD.sub("", words))
    lines = [f"with pytest.raises({raised.expression}){' as raised' if broad else ''}:", f"    {call}"]
    lines += ["assert raised.type is not NotImplementedError"] if broad else []
    return Written(
        f"test_{spoken(fact, surface)}_raises_{name_of(exception)}_if_{told[:40].strip('_')}",
        merged_imports([*made.imports, raised.imported]),
        arrange=made.arrange,
        assertions=[Assertion("\n".join(lines), case.cites)],
        top=["import asyncio"] if fact.aspects.get("async") else [],
        negative=True,
    )
