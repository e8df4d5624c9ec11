"""Which tests that are red on a reference are so because spec and reference disagree, told without the generator."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from enum import StrEnum
from pathlib import Path

from benchmarks.tdd.driving import Ran
from benchmarks.tdd.packages import Package, reference
from engine.check import check
from planner.cases import Case, Technique
from planner.functions.interface_cases import MEMBERS

SIGNATURES = frozenset({Technique.CALLABLE, Technique.IMPORTABLE})
# What a symbol lacks or is otherwise, whatever a test of it does.
_MISSING = frozenset(f"{kind}-not-implemented" for kind in ("attribute", "class", "function", "module"))
_KINDS = frozenset({"async-mismatch", "definition-kind-mismatch", "method-kind-mismatch"})
# What a call of it notices.
_PARAMETERS = frozenset(
    {
        *(f"argument-{word}" for word in ("missing", "extra", "renamed", "kind-mismatch", "order-mismatch")),
        *("argument-default-mismatch", "arguments-unspecified"),
    }
)

Found = frozenset[tuple[str, str]]
"""Findings: the qualified names of what they are about, and their rules."""


class Cause(StrEnum):
    """Who says that the reference is why a test is red."""

    CHECK = "crossfact check"
    DOCTEST = "doctest"


def disagreements(package: Package) -> Found:
    """What `crossfact check` says of the stubs beside the reference."""
    project = reference(package, "compared")
    place = package.specs / "src"
    for stub in place.rglob("*.pyi"):
        file = project.root / "src" / stub.relative_to(place)
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(stub, file)
    try:
        findings = check(project, tell=lambda words: None).report.findings
    finally:
        project.store.close()
    return frozenset((each.subject.rpartition(" ")[2], str(each.rule)) for each in findings)


def explained(case: Case, words: str, found: Found, examples: Ran, pages: Collection[str]) -> Cause | None:
    """Why a red test is the reference's own doing; None where neither `check` nor doctest says so.

    `words` begin with the exception by which it is red; `examples` are those of the reference's docstrings and
    `pages`.
    """
    subject = subject_of(case)
    own = {subject, str(case.target.get("other") or "").rpartition(":")[2] or subject}
    own |= {str(each).rpartition(":")[2] for each in case.target.get(MEMBERS, ())}
    if attribute := case.target.get("attribute"):
        own.add(f"{subject}.{attribute}")
    by_call = case.technique in SIGNATURES or words.startswith("TypeError")
    for name, rule in found:
        missing = rule in _MISSING and any(each == name or each.startswith(f"{name}.") for each in own)
        if missing or (name in own and (rule in _KINDS or (rule in _PARAMETERS and by_call))):
            return Cause.CHECK
    source = str(case.target.get("example") or "").strip()
    homes = {subject, *(Path(page).name for page in pages)}
    for node, (outcome, text, _) in examples.tests.items():
        if source and outcome == "failed" and text == source and node.rpartition(":")[0] in homes:
            return Cause.DOCTEST
    return None


def subject_of(case: Case) -> str:
    """The qualified name of what a case is about; empty for one that is about none."""
    for kind in ("function", "class", "module"):
        if name := str(case.target.get(kind) or ""):
            return name.rpartition(":")[2].partition("~")[0]
    return ""


def module_of(case: Case, unimportable: Mapping[str, str]) -> str:
    """The module among those that cannot be imported in which the subject of a case is; else empty."""
    subject = subject_of(case)
    inside = [name for name in unimportable if subject == name or subject.startswith(f"{name}.")]
    return max(inside, key=len, default="")
