"""Which generator tries a case first, and why."""

from __future__ import annotations

import msgspec

from planner.cases import Case, Layer, Technique

_HTTP = "its oracle is the contract's own statement"
_ROUTES: dict[Technique, tuple[str, str]] = {
    **dict.fromkeys(
        (
            Technique.SUCCESS, Technique.ERROR, Technique.BOUND_KEPT, Technique.BOUND_BROKEN, Technique.DEFAULT,
            Technique.REQUIRED_MISSING, Technique.WRONG_TYPE, Technique.UNKNOWN_VALUE, Technique.UNKNOWN_FIELD,
            Technique.AUTH_MISSING,
        ),
        ("contract", _HTTP),
    ),
    **dict.fromkeys(
        (
            Technique.READ_BACK, Technique.GONE, Technique.REPEATABLE,
            Technique.LIMITED, Technique.PAGED, Technique.NARROWED, Technique.SORTED,
        ),
        ("contract", "what the state must show follows from two statements of the contract"),
    ),
    **dict.fromkeys(
        (Technique.EFFECT, Technique.SAYS, Technique.WHOLE),
        ("contract", "what a request carries is there for its answer, which is marked as inferred"),
    ),
    Technique.EXAMPLE: ("examples", "a value that a spec cites is the best oracle there is"),
    Technique.CRITERION: ("criterion", "its claims say what to assert"),
    **dict.fromkeys(
        (Technique.IMPORTABLE, Technique.CALLABLE, Technique.RETURNS, Technique.RAISES),
        ("signature", "its signature says how it is called and what it gives"),
    ),
    Technique.PROPERTY: ("laws", "its names and types suggest a law, which is marked as inferred"),
}  # fmt: skip


def routed(case: Case) -> Case:
    """The case with the generator that tries it first; one that a person chose stays."""
    if case.generator:
        return case
    if case.layer is Layer.STATIC:
        return msgspec.structs.replace(case, router="no test: `crossfact check` shows it")
    if case.technique is Technique.EXAMPLE and "function" in case.target:
        return msgspec.structs.replace(
            case,
            generator="doctests",
            router="an example of a docstring says what is given and what comes out",
        )
    name, why = _ROUTES.get(case.technique, ("model", "no built-in generator knows this technique"))
    return msgspec.structs.replace(case, generator=name, router=why)
