"""Proposes links: gathers evidence, turns it into confidence, cuts, and says why."""

from __future__ import annotations

from collections.abc import Sequence

from crossval.link.traces.calibration import DEFINITIONS, FILES, cut, judged
from crossval.link.traces.evidence import Candidates, gather
from crossval.link.traces.language import language_of
from crossval.link.traces.passages import Artifact, Passage, Proposal
from crossval.link.traces.reasons import Reasons
from crossval.link.traces.records import CONFIDENT

_LEAST = 0.02
"""Below this chance nobody wants to hear of a link."""

_HIGHEST = CONFIDENT - 0.01
"""Evidence proposes; a rule judges only by what somebody said."""


def propose(
    passages: Sequence[Passage], artifacts: Sequence[Artifact], single: bool = False
) -> list[Proposal]:
    """The likely links, the passages in their order and the surest first; equal chances in the order of artifacts.

    What is not `proposed` lies below the cut, and is there for measuring and for looking further down. Of `single`
    definitions and tests a passage means fewer than of files: from the cut of files on only its likeliest one that
    acts is proposed, others from a higher one.
    """
    import numpy

    found = gather(passages, artifacts)
    chances = judged(found)
    every = numpy.concatenate(chances) if chances else numpy.zeros(0)
    crowd, size = found.likeness.crowd, found.likeness.size
    least = cut(every, crowd, size, FILES)
    others = cut(every, crowd, size, DEFINITIONS) if single else least
    reasons = Reasons(language_of(f"{passage.title} {passage.text}" for passage in passages))
    made = []
    for each, likely in zip(found.candidates, chances, strict=True):
        sure = [float(chance) for chance in likely]
        made += _of_one(passages[each.passage], artifacts, each, sure, (least, others), reasons)
    return made


def _of_one(
    passage: Passage,
    artifacts: Sequence[Artifact],
    found: Candidates,
    likely: list[float],
    cuts: tuple[float, float],
    reasons: Reasons,
) -> list[Proposal]:
    order = sorted(range(len(likely)), key=lambda place: (-likely[place], int(found.rows[place])))
    least, others = cuts
    is_first = True
    made = []
    for place in order:
        chance = likely[place]
        if chance < min(_LEAST, least):
            break
        artifact = artifacts[int(found.rows[place])]
        proposed = chance >= (least if is_first and artifact.acts else others)
        is_first = is_first and not artifact.acts
        why = reasons.of(passage, artifact, found.features[place]) if proposed else ""
        made.append(Proposal(passage.id, artifact.id, min(round(chance, 4), _HIGHEST), why, proposed))
    return made
