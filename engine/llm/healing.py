"""Asks a model to mend a stale test: gathers the facts that it may cite, and writes the prompt."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec

from engine.configuration import Settings
from engine.llm.client import language_model
from engine.llm.fences import fence_of
from graph.facts import Fact, Kind
from graph.retrieval.passages import passage
from graph.retrieval.search import Searcher
from graph.store.store import Store
from healer.healer import Patient
from healer.knowledge import Experience, Knowledge
from healer.model import ModelHealer, Question

_PROMPT = Path(__file__).parent / "prompts" / "heal.md"
_FACTS = 30
_FAILURES = 10
_CHANGES = 40
_LONGEST = 40_000


def model_healer(
    settings: Settings,
    store: Store,
    *,
    searcher: Callable[[], Searcher],
    python: Path,
    tell: Callable[[str], None],
    knowledge: Knowledge | None = None,
) -> ModelHealer:
    """The healer that asks the model of the settings; `searcher` is only made when it is needed.

    `python` is the interpreter that the tests run in. Raises ModelError where the settings name no model.
    """
    endpoint = language_model(settings)
    known = knowledge or Knowledge()
    return ModelHealer(
        lambda question: endpoint.complete(prompt(question)),
        facts=lambda patient: facts_of(patient, store, searcher()),
        exists=lambda module: module in installed(python),
        tell=tell,
        similar=lambda patient: [_told(each) for each in _similar(patient, known)],
    )


def facts_of(patient: Patient, store: Store, searcher: Searcher) -> list[Fact]:
    """The facts that a model may cite: those of the judgement and of what moved, and those that searching finds."""
    moved = [*patient.judgement.explained_by, *patient.movements]
    ids = [*patient.judgement.evidence, *(id_ for movement in moved for id_ in movement.facts)]
    found: dict[str, Fact] = {}
    for id_ in ids:
        for fact in (patient.now(id_), patient.then(id_)):
            if fact is not None:
                found.setdefault(fact.id, fact)
    words = dict.fromkeys(
        word
        for analysis in patient.analyses[:_FAILURES]
        for word in (analysis.symbol, analysis.source, analysis.message[:300])
        if word
    )
    if words:
        for hit in searcher.search(" ".join(words)[:2_000], limit=_FACTS):
            found.setdefault(hit.fact.id, hit.fact)
    for fact in list(found.values()):
        if fact.kind is Kind.CLASS:
            for each in _members(store, fact):
                found.setdefault(each.id, each)
    return list(found.values())[:_FACTS]


def prompt(question: Question) -> str:
    """The prompt of a question; what comes from the project stands between fences that it cannot contain."""
    patient = question.patient
    parts = {
        "failures": _lines(_failures(patient)),
        "changes": _lines(map(msgspec.to_builtins, patient.movements[:_CHANGES])),
        "facts": _lines(
            {"id": fact.id, "says": passage(fact).text, "at": f"{fact.source.path}:{fact.source.line}"}
            for fact in question.facts
        ),
        "similar": "\n".join(question.similar) or "none",
        "hint": patient.hint or "none",
        "tried": _lines({"edit": edit, "why not": why} for edit, why in question.tried) or "nothing",
    }
    listed = dict(question.files)
    data = json.dumps([parts, listed])
    fence = fence_of(data)
    files = "\n\n".join(
        f"{fence} FILE {json.dumps(path)}\n{text[:_LONGEST]}\n{fence}" for path, text in listed.items()
    )
    return _PROMPT.read_text(encoding="utf-8").format(fence=fence, files=files, **parts)


@lru_cache(maxsize=4)
def installed(python: Path) -> frozenset[str]:
    """The first names of the modules that an interpreter finds; nothing of the project is imported for that."""
    places: list[str] = []
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        done = subprocess.run(
            [str(python), "-I", "-c", "import json, sys; print(json.dumps(sys.path))"],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
        places = [place for place in json.loads(done.stdout) if isinstance(place, str)]
    names = set(sys.stdlib_module_names)
    for place in places:
        with suppress(OSError):
            names |= {_module(each) for each in Path(place).iterdir()}
    return frozenset(names - {""})


def _module(path: Path) -> str:
    name = path.name.partition(".")[0]
    is_code = path.suffix in (".py", ".so", ".pyd") or (path.is_dir() and "." not in path.name)
    return name if is_code and name.isidentifier() else ""


def _members(store: Store, fact: Fact) -> list[Fact]:
    inside = (
        store.by_key(each.second.split(":", 2)[2])
        for each in store.relations_of(fact)
        if each.first == fact.id
    )
    return [each for facts in inside for each in facts if each.kind in (Kind.FUNCTION, Kind.ATTRIBUTE)]


def _failures(patient: Patient) -> Iterator[dict[str, object]]:
    for each in patient.analyses[:_FAILURES]:
        yield {
            "test": each.node,
            "category": str(each.category),
            "exception": each.exception,
            "message": each.message[:1_000],
            "line": each.line,
            "source": each.source,
            "about": each.symbol,
        }
    if len(patient.analyses) > _FAILURES:
        yield {"further tests that fail alike": len(patient.analyses) - _FAILURES}


def _lines(records: Iterable[object]) -> str:
    return "\n".join(msgspec.json.encode(each).decode() for each in records)


def _similar(patient: Patient, knowledge: Knowledge) -> Sequence[Experience]:
    causes = [each.cause for each in patient.judgement.explained_by]
    return knowledge.similar(patient.analyses[0], causes) if patient.analyses else ()


def _told(each: Experience) -> str:
    tries = each.healed + each.failed
    cause = f", {each.cause}" if each.cause else ""
    return f"{each.category}{cause}: {each.healer} by {each.method} held {each.healed} times of {tries}"
