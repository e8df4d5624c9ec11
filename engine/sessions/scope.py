"""What a session is about: the facts that its names mean, with all that belongs to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

import msgspec

from crossval.findings import Finding
from engine.links import project_links
from engine.naming import facts_called
from engine.project import Project, Tell
from graph.facts import Fact, Kind, Verb
from graph.view import is_end, neighbours
from planner.cases import Case

_LIKELY = 0.4
"""From this confidence on, what a criterion is tied to belongs to it."""

_LARGEST = 2_000
_INWARDS = frozenset({Verb.CONTAINS, Verb.HANDLED_BY})
_PARTS = frozenset({Kind.PARAMETER, Kind.FIELD, Kind.COMMIT, Kind.ATTRIBUTE})


class Scope(msgspec.Struct, frozen=True):
    """Facts by id, in the order in which they were reached; everything where nothing was named."""

    facts: dict[str, Fact]
    keys: frozenset[str]
    everything: bool

    def has_case(self, case: Case) -> bool:
        """Whether a case belongs to it: by what it cites, or by its subject."""
        return self.everything or self._has(case.cites) or self._is_subject(case.subject)

    def has_finding(self, finding: Finding) -> bool:
        """Whether a finding belongs to it: by either side, or by its subject."""
        sides = (each.fact for each in (finding.spec, finding.code, *finding.related) if each is not None)
        return (
            self.everything
            or self._has(sides)
            or any(map(self._is_subject, (finding.subject, *finding.affects)))
        )

    def told(self) -> list[Fact]:
        """The facts that a reader wants to see, those of small parts left out."""
        return [fact for fact in self.facts.values() if fact.kind not in _PARTS]

    def _has(self, identifiers: Iterable[str]) -> bool:
        return any(identifier in self.facts for identifier in identifiers)

    def _is_subject(self, subject: str) -> bool:
        key = subject.partition(" ")[2] if subject.partition(" ")[0].islower() else subject
        return subject in self.keys or key in self.keys


def scope_of(project: Project, names: Collection[str], tell: Tell) -> Scope:
    """The scope that names give: ids or keys of facts, stories, or files. Raises UsageError for a name of nothing."""
    if not names:
        return Scope(_all(project), frozenset(), everything=True)
    links = project_links(project)
    found: dict[str, Fact] = {}
    queue = deque(fact for name in names for fact in _named(project, name, tell))
    while queue and len(found) < _LARGEST:
        fact = queue.popleft()
        if fact.id in found:
            continue
        found[fact.id] = fact
        queue.extend(
            other
            for relation, other in neighbours(project.store, fact)
            if relation.verb in _INWARDS and is_end(relation.first, fact)
        )
        for link in links.get(fact.id, ()):
            if link.confidence >= _LIKELY:
                queue.extend(project.store.named(link.other))
    return Scope(found, frozenset(fact.key for fact in found.values()), everything=False)


def _named(project: Project, name: str, tell: Tell) -> list[Fact]:
    within = name.rstrip("/")
    below = [
        fact
        for fact in project.store.facts()
        if fact.source.path == within or fact.source.path.startswith(f"{within}/")
    ]
    return below or facts_called(project.store, name, tell)


def _all(project: Project) -> dict[str, Fact]:
    """Specs first, for they are what tests are made from."""
    facts = sorted(project.store.facts(), key=lambda fact: (fact.tag != "spec", fact.source, fact.id))
    return {fact.id: fact for fact in facts}
