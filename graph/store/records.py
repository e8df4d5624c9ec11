"""How facts and ids are written as integers and blobs, and the record of an owner."""

import msgspec

from graph.facts import Defect, Kind, Skipped, Suppression, Tag, Unknown, Verb

_TAGS = tuple(Tag)
_ANY = 14
"""Where `*` stands: behind the kinds that there were at first."""
_KINDS: tuple[str, ...] = (*tuple(Kind)[:_ANY], "*", *tuple(Kind)[_ANY:])
_VERBS = tuple(Verb)
_SPAN = 64

TYPES = {(str(tag), str(kind)): t * _SPAN + k for t, tag in enumerate(_TAGS) for k, kind in enumerate(_KINDS)}
"""The integer of each tag and kind; new members of the enums are added at their ends."""

NAMES = {number: f"{tag}:{kind}" for (tag, kind), number in TYPES.items()}
_BOTH = {TYPES[tag, kind]: (tag, kind) for tag in Tag for kind in Kind}
VERBS = {verb: number for number, verb in enumerate(_VERBS)}


def tag_and_kind(number: int) -> tuple[Tag, Kind]:
    """The tag and the kind that `TYPES` wrote as this integer."""
    return _BOTH[number]


def any_kind(number: int) -> int:
    """The integer of the same tag with the kind `*`."""
    return number - number % _SPAN + _ANY


def verb_of(number: int) -> Verb:
    """The verb that `VERBS` wrote as this integer."""
    return _VERBS[number]


class Notes(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What a reader said beside facts; kept with the owner, replaced with it."""

    skipped: list[Skipped] = []
    unknown: list[Unknown] = []
    defects: list[Defect] = []
    suppressions: list[Suppression] = []

    def __bool__(self) -> bool:
        return bool(self.skipped or self.unknown or self.defects or self.suppressions)


class Owner(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What rows are retracted with: a file (`name` is its path), a resolver (`resolver:…`), the history (`git:`).

    `size` and `modified` (nanoseconds) are those of the file's last stat, `digest` that of its content; `reader`
    names who read it and in which version; `inputs` maps each further thing that was looked at to its digest.
    """

    name: str
    size: int = 0
    modified: int = 0
    digest: str = ""
    role: str = ""
    module: str = ""
    reader: str = ""
    inputs: dict[str, str] = {}
