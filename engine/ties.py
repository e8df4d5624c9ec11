"""What facts of the specs are tied to though nothing that was read says so: code of the same name, likely links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crossval.link.traces.records import Link
from engine.links import project_links
from engine.project import Project
from graph.facts import Kind, Relation, Tag, Verb
from graph.store.store import Store
from graph.ties import Ties

LIKELY = 0.4
"""Inferred links are shown as relations from this confidence on."""

_ALIKE = frozenset(
    (
        Kind.MODULE,
        Kind.CLASS,
        Kind.FUNCTION,
        Kind.ATTRIBUTE,
        Kind.PARAMETER,
        Kind.BODY,
        Kind.RESPONSE,
        Kind.FIELD,
    )
)
"""Kinds whose facts speak of one thing where their keys are equal; operations are matched by method and path."""


def project_ties(project: Project) -> Ties:
    """Operations, definitions and their parts of the code that implement those of the specs, and the likely links
    of stories and criteria."""
    return Ties([*_paired(project.store), *link_ties(project_links(project))])


def link_ties(links: Mapping[str, Sequence[Link]], surest: int = 0) -> Iterator[Relation]:
    """The likely links as relations, and the `surest` ones of each criterion however likely they are."""
    for found in links.values():
        for rank, link in enumerate(found):
            if link.confidence >= LIKELY or rank < surest:
                tag = link.other.partition(":")[0]
                verb = {Tag.CODE: Verb.IMPLEMENTS, Tag.TEST: Verb.VERIFIES}.get(Tag(tag), Verb.MENTIONS)
                ends = (link.spec, link.other) if verb is Verb.MENTIONS else (link.other, link.spec)
                yield Relation(verb, *ends, confidence=link.confidence, reason=link.reason)


def _paired(store: Store) -> Iterator[Relation]:
    promised = list(store.facts(tag=Tag.SPEC, kinds={Kind.OPERATION}))
    if promised:
        from crossval.compare.http import gather
        from crossval.link.contracts.operations import match_operations

        served = store.facts(tag=Tag.CODE, kinds={Kind.OPERATION})
        for spec, code in match_operations(gather(promised), gather(served)):
            if code is not None:
                yield Relation(Verb.IMPLEMENTS, code.fact.id, spec.fact.id, reason="the same method and path")
    declared = {f"{fact.kind}:{fact.key}": fact.id for fact in store.facts(tag=Tag.SPEC, kinds=_ALIKE)}
    for identifier in store.keys(Tag.CODE) if declared else ():
        same = declared.get(identifier.partition(":")[2])
        if same is not None:
            yield Relation(Verb.IMPLEMENTS, identifier, same, reason="the same name")
