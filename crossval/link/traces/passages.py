"""What is linked, whatever it was read from: passages that demand something, artifacts that may answer."""

from __future__ import annotations

import msgspec


class Passage(msgspec.Struct, frozen=True):
    """A criterion, a story or a requirement: `title` and `text` in its own words.

    `context` is what stands around it and counts little (the story of a criterion).
    """

    id: str
    text: str
    title: str = ""
    context: str = ""


class Artifact(msgspec.Struct, frozen=True):
    """A function, an operation, a test or a file of code, as words.

    `name` is its own name (of a file: its stem and its classes), `place` where it lies (folders, module, class),
    `symbols` the names inside it, `comments` what people wrote about it, `body` every other word that it holds.
    `uses` names artifacts that it refers to, by id; `acts` tells whether it does something, as classes, constants and
    fields do not by themselves. `around` is what is said of what holds it, as of the class and the module of a test.
    """

    id: str
    name: str
    place: str = ""
    symbols: str = ""
    comments: str = ""
    body: str = ""
    uses: tuple[str, ...] = ()
    acts: bool = True
    around: str = ""


class Proposal(msgspec.Struct, frozen=True):
    """A link that the evidence speaks for: the ids of its ends, the confidence (0 to 1) and the reason in words.

    `proposed` says whether it is worth showing: whether it lies above the cut that `calibration.cut` makes.
    """

    passage: str
    artifact: str
    confidence: float
    reason: str
    proposed: bool
