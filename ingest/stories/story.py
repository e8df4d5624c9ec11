"""The record of one story while its page is read."""

from __future__ import annotations

import msgspec

from ingest.stories.blocks import Block, end_of_section
from ingest.stories.criteria import Criterion
from ingest.stories.sentence import Sentence

ANY_LEVEL = 7
"""The level of a story without a heading of its own: every heading ends it."""


class Story(msgspec.Struct, kw_only=True):
    """One story as it is put together.

    Blocks `begin` to `end` (not included) are its own; `after` is the one that follows its sentence. `depth` counts
    the lists around its sentence. `expected` says that the page announces stories here, so that a sentence without
    a benefit is taken for one. `stated` says that the sentences below its heading are a criterion: a requirement.
    `numbered` says that only what has an id of its own is a criterion. `number` is that of a requirement which is
    counted and has no id (`Requirement 1`). `later` are blocks of its section that follow stories inside of it.
    """

    begin: int
    after: int
    end: int
    first: int
    last: int
    sentence: Sentence | None = None
    title: str = ""
    id: str = ""
    depth: int = 0
    level: int = 0
    expected: bool = False
    stated: bool = False
    numbered: bool = False
    tags: list[str] = []
    priority: str = ""
    number: str = ""
    later: tuple[int, int] = (0, 0)
    criteria: list[Criterion] = []

    @classmethod
    def of_section(cls, blocks: list[Block], index: int, title: str, identifier: str) -> Story:
        """The story that a heading begins and whose sentence is not told: all of its section."""
        block = blocks[index]
        return cls(
            begin=index,
            after=index + 1,
            end=end_of_section(blocks, index),
            first=block.first,
            last=block.last,
            title=title,
            id=identifier,
            level=block.level,
            expected=True,
        )
