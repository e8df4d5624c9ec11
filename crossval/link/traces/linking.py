"""Links criteria and stories with what implements and tests them: by tag, by decision, else by evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from crossval.link.traces.named import named_links
from crossval.link.traces.records import Decisions, Link
from crossval.link.traces.tags import tagged_links
from graph.source import FactSource

_LEAST_OF_A_TEST = 0.2
"""Of links with a test that are less likely than this, one in four is right; where unit tests have little to do with
the stories, a list of them helps nobody."""


def links(
    source: FactSource, decisions: Decisions | None = None, *, tags: bool = True, confident: bool = False
) -> dict[str, tuple[Link, ...]]:
    """The links of each story and criterion (by fact id) that has some, the surest first.

    A link is tagged (confidence 1), accepted (1), or inferred (below 1) from words and from names that are spelled
    out; what was rejected by hand is not there, whatever speaks for it. A rule that judges takes links from
    `records.CONFIDENT` on: with `confident` only those are given, and nothing is inferred, since inference stays
    below. Without `tags` those are not looked at. A project without stories and criteria costs two queries.
    """
    decisions = decisions or Decisions()
    found = {} if confident else {(link.spec, link.other): link for link in _inferred(source)}
    if tags:
        found |= {(link.spec, link.other): link for link in tagged_links(source)}
    for spec, other in decisions.accepted:
        found[spec, other] = Link(spec, other, 1.0, "accepted by hand")
    return _by_spec(link for pair, link in found.items() if pair not in decisions.rejected)


_known: WeakKeyDictionary[FactSource, tuple[int, tuple[Link, ...]]] = WeakKeyDictionary()


def _inferred(source: FactSource) -> tuple[Link, ...]:
    """The inferred links of a source, concluded once per revision: several aligners and commands ask for them."""
    revision = getattr(source, "revision", 0)
    known = _known.get(source)
    if known is None or known[0] != revision:
        known = _known[source] = (revision, tuple(inferred_links(source)))
    return known[1]


def inferred_links(source: FactSource) -> Iterator[Link]:
    """The links that evidence speaks for, whether or not somebody tagged them; confidence below 1.

    What a criterion spells out is surer than what its words have in common with it.
    """
    spelled: dict[tuple[str, str], Link] = {}
    for link in named_links(source):
        known = spelled.setdefault((link.spec, link.other), link)
        if known.confidence < link.confidence:
            spelled[link.spec, link.other] = link
    for link in _by_words(source):
        known = spelled.get((link.spec, link.other), link)
        if known.confidence <= link.confidence:
            spelled[link.spec, link.other] = link
    yield from spelled.values()


def _by_words(source: FactSource) -> Iterator[Link]:
    from crossval.link.traces.words_of import Code, passages

    demanded = passages(source)
    if not demanded:
        return
    from crossval.link.traces.proposing import propose

    code = Code(source)
    for artifacts, least in ((code.definitions(), 0.0), (code.tests(), _LEAST_OF_A_TEST)):
        for proposal in propose(demanded, artifacts, single=True):
            if proposal.proposed and proposal.confidence >= least:
                for other in (proposal.artifact, *code.others.get(proposal.artifact, ())):
                    yield Link(proposal.passage, other, proposal.confidence, proposal.reason)


def _by_spec(every: Iterable[Link]) -> dict[str, tuple[Link, ...]]:
    found: dict[str, list[Link]] = {}
    for link in every:
        found.setdefault(link.spec, []).append(link)
    return {
        spec: tuple(sorted(group, key=lambda link: (-link.confidence, link.other)))
        for spec, group in sorted(found.items())
    }
