"""Compares the request bodies of one operation, media type by media type."""

from __future__ import annotations

from collections.abc import Iterable

from crossval.compare.differences import required_difference
from crossval.compare.http import Match, Operation, is_seen_whole, told
from crossval.compare.keywords import Setting
from crossval.compare.media_types import bare, is_form, request_covers
from crossval.compare.stated import document_of
from crossval.findings import witness
from crossval.pairs import Difference, Direction, Stricter
from graph.facts import Fact, Kind


def compare_bodies(match: Match) -> None:
    """Adds the pairs of all request bodies of one operation to the match."""
    promised, taken = match.spec.bodies, match.code.bodies
    if not promised or not taken:
        _one_sided(match, promised, taken)
        return
    met = [
        (spec, code)
        for spec in promised
        for code in taken
        if request_covers(_media_type(spec), _media_type(code))
    ]
    for spec, code in met:
        _compare(match, spec, code)
    lacking = [spec for spec in promised if not any(spec is first for first, _ in met)]
    added = [code for code in taken if not any(code is second for _, second in met)]
    if met or lacking:
        added = [code for code in added if code.aspects.get("implicit") is not True]
    if lacking or added:
        stricter = Stricter.SPEC if not lacking else Stricter.CODE if not added else Stricter.NEITHER
        difference = Difference(
            change="content",
            spec=sorted(map(_media_type, promised)),
            code=sorted(map(_media_type, taken)),
            stricter=stricter,
        )
        match.add(
            Kind.BODY,
            "body",
            spec=told((lacking or promised)[0]),
            code=told((added or taken)[0]),
            direction=Direction.REQUEST,
            differences=[difference],
        )


def documents_that_demand_patches(operations: Iterable[Operation]) -> set[str]:
    """The documents that have several bodies of PATCH and require each of them."""
    found: dict[str, list[bool]] = {}
    for operation in operations:
        if operation.method == "PATCH" and operation.bodies:
            required = all(body.aspects.get("required") is True for body in operation.bodies)
            found.setdefault(document_of(operation.fact), []).append(required)
    return {document for document, needs in found.items() if len(needs) > 1 and all(needs)}


def _one_sided(match: Match, promised: list[Fact], taken: list[Fact]) -> None:
    for spec in promised[:1]:
        if not is_seen_whole(match.code, "body"):
            match.unsettled("body", "the code may read the body in a way that could not be seen")
            return
        setting = Setting(Direction.REQUEST, match.declared)
        if match.is_guessed("body", (spec, spec.aspects.get("schema")), setting):
            return
        match.add(
            Kind.BODY,
            "body",
            spec=told(spec, sorted(map(_media_type, promised))),
            code=match.code_silent([]),
            direction=Direction.REQUEST,
            differences=[Difference(change="required", spec=bool(spec.aspects.get("required")), code=None)],
        )
    for code in taken[:1]:
        if code.aspects.get("by_hand") is True:
            match.unsettled("body", "only the handler's own statements show that there is a body", code)
            return
        match.add(
            Kind.BODY,
            "body",
            spec=(None, witness(match.spec.fact, [])),
            code=told(code, sorted(map(_media_type, taken))),
            direction=Direction.REQUEST,
            differences=[Difference(change="required", spec=None, code=bool(code.aspects.get("required")))],
        )


def _compare(match: Match, spec: Fact, code: Fact) -> None:
    declared = match.declared or code.aspects.get("declared") is True
    # What a declared form says of null is what its model says; by hand, a text is never null.
    textual = is_form(_media_type(code)) and not declared
    setting = Setting(Direction.REQUEST, declared, textual=textual)
    needs, demands = spec.aspects.get("required"), code.aspects.get("required")
    both = isinstance(needs, bool) and isinstance(demands, bool)
    if match.habits.demands_patches and match.spec.method == "PATCH" and demands is False:
        # A change without a body changes nothing; who writes that each needs one tells nothing of this one.
        both = False
    promised, taken = spec.aspects.get("schema"), code.aspects.get("schema")
    if match.is_guessed("body", (spec, promised), setting, taken, code):
        return
    unstated = {"x-unknown": "the code does not say what the body holds"}
    match.schemas(
        Kind.BODY,
        "body",
        spec=(spec, promised if isinstance(promised, dict) else {}),
        code=(code, taken if isinstance(taken, dict) else unstated),
        setting=setting,
        extra=required_difference(bool(needs), bool(demands), setting) if both else (),
    )


def _media_type(fact: Fact) -> str:
    return bare(str(fact.aspects.get("media_type", "")))
