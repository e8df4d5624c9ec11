"""What healing has learnt: which healer and which method held for which kind of failure, to order the next attempts.

It is counts and shapes of messages, never text of a project; counts alone may go from project to project.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import Annotated

import msgspec

from graph.errors import StoreError
from healer.analysis import Analysis, Category
from healer.movements import Cause

VERSION = 1
_LARGEST = 5_000_000
_MOST = 10_000
_NEAR = 0.3
"""What a case of the same cause, but another category, or the reverse, counts for beside one that has both."""
_TRUST = 4.0
"""How many cases the fixed order counts for."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_NAME = re.compile(r"\w+(?:[./\\:]\w+)+|\w*[A-Z_]\w*|\b\w+(?=\()")
_NUMBER = re.compile(r"\b\d[\w.]*\b")
_ASSERTED = re.compile(r"^assert\b.*?\s(==|!=|<=|>=|<|>|in|not in|is not|is)\s", re.DOTALL)

_Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
_Word = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{0,39}$")]


class Experience(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often attempts of one kind held, did not, or held and were reverted by a person; the latter failed too.

    `cause` is empty where nothing was known to have moved; `shape` is the message without anything of the project.
    """

    category: Category
    healer: _Word
    method: _Word
    cause: Cause | None = None
    shape: Annotated[str, msgspec.Meta(max_length=120)] = ""
    healed: _Count = 0
    failed: _Count = 0
    reverted: _Count = 0

    @property
    def kind(self) -> tuple[str, ...]:
        """What it is a count of."""
        return (self.category, self.cause or "", self.shape, self.healer, self.method)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    experiences: Annotated[list[Experience], msgspec.Meta(max_length=_MOST)]


class Knowledge:
    """The experiences of a project, and those of others that were given to it."""

    def __init__(self, experiences: Iterable[Experience] = (), others: Iterable[Experience] = ()) -> None:
        self._own: dict[tuple[str, ...], Experience] = {}
        self._others = tuple(others)
        for each in experiences:
            self._add(each)

    @classmethod
    def decoded(cls, content: bytes) -> Knowledge:
        """Knowledge out of a file. Raises StoreError for anything that is none, damaged or made to harm."""
        try:
            if len(content) > _LARGEST:
                raise ValueError("it is too large")
            file = msgspec.json.decode(content, type=_File)
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            raise StoreError(f"what healing has learnt cannot be read: {error}") from error
        if file.version != VERSION:
            raise StoreError(f"what healing has learnt is of version {file.version}, and {VERSION} is known")
        return cls(file.experiences)

    def encoded(self) -> bytes:
        """The file that `decoded` reads; the experiences of others are not in it."""
        return msgspec.json.format(msgspec.json.encode(_File(VERSION, self.experiences())))

    def experiences(self) -> list[Experience]:
        """The project's own experiences, in the order of their kinds."""
        return [self._own[kind] for kind in sorted(self._own)][:_MOST]

    def counts(self) -> list[Experience]:
        """The experiences without the shapes of messages: what may leave the project."""
        bare = Knowledge(msgspec.structs.replace(each, shape="") for each in self._own.values())
        return bare.experiences()

    def learn(
        self, analysis: Analysis, causes: Iterable[Cause], healer: str, method: str, *, held: bool
    ) -> None:
        """Remember how an attempt ended."""
        for cause in tuple(dict.fromkeys(causes)) or (None,):
            self._add(
                Experience(
                    category=analysis.category,
                    cause=cause,
                    shape=shape(analysis),
                    healer=healer,
                    method=method,
                    healed=int(held),
                    failed=int(not held),
                )
            )

    def revert(self, analysis: Analysis, causes: Iterable[Cause], healer: str, method: str) -> None:
        """Remember that a person took back what had held: it failed after all."""
        for cause in tuple(dict.fromkeys(causes)) or (None,):
            one = Experience(
                category=analysis.category, cause=cause, shape=shape(analysis), healer=healer, method=method
            )
            known = self._own.get(one.kind, one)
            self._own[one.kind] = msgspec.structs.replace(
                known,
                healed=max(known.healed - 1, 0),
                failed=known.failed + 1,
                reverted=known.reverted + 1,
            )

    def order(
        self, healers: Sequence[str], analysis: Analysis, causes: Iterable[Cause], random: Random
    ) -> list[str]:
        """The healers in the order in which to ask them: by Thompson sampling, around the order that is given.

        That order counts for a few cases, so that the first failure of a project is treated as the table says.
        """
        wanted = frozenset(causes)
        samples = {}
        for place, healer in enumerate(healers):
            healed, failed = self._seen(healer, analysis, wanted)
            prior = _TRUST * (len(healers) - place) / (len(healers) + 1)
            samples[healer] = random.betavariate(healed + prior, failed + _TRUST - prior)
        return sorted(healers, key=lambda healer: -samples[healer])

    def similar(self, analysis: Analysis, causes: Iterable[Cause], limit: int = 5) -> list[Experience]:
        """The experiences that are most like a failure, the likest first."""
        wanted, own = frozenset(causes), set(shape(analysis).split())
        scored = []
        for each in (*self.experiences(), *self._others):
            words = set(each.shape.split())
            alike = len(words & own) / len(words | own) if words and own else 0.0
            score = 2.0 * (each.cause in wanted) + (each.category is analysis.category) + alike
            if score > 1.0:
                scored.append((-score, each.kind, each))
        return [each for _, _, each in sorted(scored, key=lambda row: row[:2])[:limit]]

    def _seen(self, healer: str, analysis: Analysis, causes: frozenset[Cause]) -> tuple[float, float]:
        healed = failed = 0.0
        for each in (*self._own.values(), *self._others):
            if each.healer != healer:
                continue
            near = (each.category is analysis.category) + (
                each.cause in causes or (not causes and each.cause is None)
            )
            weight = {2: 1.0, 1: _NEAR}.get(near, 0.0)
            healed += weight * each.healed
            failed += weight * each.failed
        return healed, failed

    def _add(self, one: Experience) -> None:
        known = self._own.get(one.kind)
        if known is None:
            self._own[one.kind] = one
            return
        self._own[one.kind] = msgspec.structs.replace(
            known,
            healed=known.healed + one.healed,
            failed=known.failed + one.failed,
            reverted=known.reverted + one.reverted,
        )


def shape(analysis: Analysis) -> str:
    """A message without what is the project's own: names, texts and numbers are left blank."""
    asserted = _ASSERTED.search(analysis.message)
    if asserted is not None or analysis.category is Category.ASSERTION_FAILURE:
        return f"assert {asserted[1]}" if asserted is not None else "assert"
    text = analysis.message.split("\n", 1)[0]
    for pattern in (_QUOTED, _NAME, _NUMBER):
        text = pattern.sub("_", text)
    words = [word if word.isascii() and word in _WORDS else "_" for word in text.split()]
    return " ".join(words)[:120]


_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and argument arguments async attribute attributes await awaitable between by call callable can cannot "
        "circular class coroutine could count defined did does expected failed fixture for found from function got "
        "has have import in index instance invalid is it iterable key keyword length many match maximum method missing "
        "module more most multiple must name named no not object of or out package partially positional property raise "
        "range required returned set setter subscriptable support takes than to too type unexpected unhashable "
        "unpack unsupported value values was were with within",
    )
)
"""The words of the messages of Python itself, of pytest and of mocks."""
