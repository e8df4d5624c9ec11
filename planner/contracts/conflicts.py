"""What the words of refusals say of other things: that there are some, too little of one, or none of that name.

"There are products in it" is why a warehouse cannot be removed, "Not enough of it is available" why so many cannot be
reserved, "There is no such warehouse" why a product cannot be added.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import msgspec

from crossval.compare.components import split_null
from planner.contracts.lifecycles import Subject, subject_of
from planner.contracts.operations import Answer, Operation
from planner.contracts.references import fields_naming, maker_of_reference
from planner.contracts.resources import called, singular
from planner.contracts.state_words import says
from planner.contracts.states import OF_STATES
from planner.contracts.verbs import stem

_TOO_LITTLE = re.compile(
    r"\b(?:not enough|insufficient|exceed\w*|too (?:many|much|few|little)|more than|not (?:that|so) (?:many|much))\b",
    re.I,
)
_NOT_ZERO = re.compile(r"\b(?:not|n[’']t)\s+(?:yet\s+)?(?:zero|0|empty)\b", re.I)
_USED = re.compile(r"\b(?:in use|used|not empty|still (?:has|have|there)|something in it)\b", re.I)
_DENYING = re.compile(r"\b(?:not|only|no)\b(?! empty)", re.I)
_LACKS = re.compile(
    r"\b(?:no such|unknown|does not exist|do not exist|doesn['’]t exist|not found|(?:is|are) not there|missing)\b",
    re.I,
)
_LEFT = frozenset({"available", "remaining", "left", "free", "stock", "balance", "in_stock", "free_seats"})
_NUMBERS = ("integer", "number")
_BOUNDED = frozenset({"enum", "exclusiveMaximum"})
_WORD = re.compile(r"[a-z]+")


class Holding(msgspec.Struct, frozen=True):
    """What keeps a thing from being removed: others that `maker` makes in it, or which name it in a `field`."""

    maker: Operation
    field: str = ""


class Exceeding(msgspec.Struct, frozen=True):
    """That more is asked for than there is: the `amount` in a body, and the `field` of the thing that says how much.

    `most` is what a body may ask for at most; None where that is not limited.
    """

    amount: str
    field: str
    most: int | float | None = None


def holding_of(operation: Operation, answer: Answer, operations: Collection[Operation]) -> Holding | None:
    """What has to be there so that a removal is refused so; None where the words do not tell it surely."""
    subject = subject_of(operation, operations) if operation.method == "DELETE" else None
    if subject is None or answer.status not in OF_STATES or _DENYING.search(answer.words):
        return None
    every = list(_holdings(subject, operations))
    told = [each for each in every if is_told_of(each, answer.words)]
    if not told and _USED.search(answer.words) and len(every) == 1:
        told = every
    return told[0] if len(told) == 1 and not _stands_otherwise(told[0], answer.words) else None


def _stands_otherwise(holding: Holding, words: str) -> bool:
    """Whether words speak of things that stand as a new one does not: `There are accepted proposals for it`."""
    kind = Subject(called(holding.maker.path), "", holding.maker)
    told = [each for each in kind.states() if says(words, each.word, kind.noun)]
    return bool(told) and kind.first(told[0].field) not in told


def is_told_of(holding: Holding, words: str) -> bool:
    """Whether words speak of what is held: by its noun, or by the verb that makes it (`some is reserved`)."""
    noun, verb = called(holding.maker.path), str(holding.maker.fact.aspects.get("operation_id") or "").lower()
    for word in _WORD.findall(words.lower()):
        if singular(word) == noun or (
            len(verb) > 3 and word.endswith(("ed", "t", "en")) and stem(word) == stem(verb)
        ):
            return True
    return False


def _holdings(subject: Subject, operations: Collection[Operation]) -> Iterator[Holding]:
    for each in operations:
        if each.method != "POST" or each.success is None or each.key == subject.maker.key:
            continue
        above, _, last = each.path.rstrip("/").rpartition("/")
        listed = any(one.key == f"GET {each.path}" for one in operations)
        if above == subject.single and listed and singular(last) != last:
            yield Holding(each)
        if "{" not in each.path:
            named = fields_naming(subject.maker, each.required(), operations)
            yield from (Holding(each, field) for field in named)


def exceeding_of(operation: Operation, answer: Answer, operations: Collection[Operation]) -> Exceeding | None:
    """What has to be asked for so that there is too little of it; None where the words do not tell it surely."""
    subject = subject_of(operation, operations) if operation.method == "POST" else None
    if (
        subject is None
        or not _TOO_LITTLE.search(answer.words)
        or answer.status not in {*OF_STATES, "400", "422"}
    ):
        return None
    numbers = [
        (name, plain)
        for name, each in operation.required().items()
        if (plain := split_null(each)[0]).get("type") in _NUMBERS and not _BOUNDED & set(plain)
    ]
    kinds = {name: split_null(each)[0].get("type") for name, each in subject.maker.shown().items()}
    counted = [name for name, kind in kinds.items() if kind in _NUMBERS]
    said = set(_WORD.findall(answer.words.lower()))
    named = [name for name in counted if name.lower() in said]
    left = named or [name for name in counted if name.lower() in _LEFT]
    if len(numbers) != 1 or len(left) != 1:
        return None
    most, first = numbers[0][1].get("maximum"), subject.maker.begins.get(left[0])
    if most is not None and not (isinstance(first, int | float) and first < most):
        return None  # More than there is may be more than a body may ask for.
    return Exceeding(numbers[0][0], left[0], most)


def tells_of_too_little(words: str) -> bool:
    """Whether words say that there is less than was asked for."""
    return _TOO_LITTLE.search(words) is not None


def not_zero_of(operation: Operation, answer: Answer, operations: Collection[Operation]) -> str | None:
    """The number of a thing that has to be zero, by the words of a refusal: `The balance is not zero`; else None.

    It has to be zero in a new one, as stories tell.
    """
    subject = subject_of(operation, operations)
    found = zeros_told(answer.words, subject) if subject is not None and answer.status in OF_STATES else []
    return found[0] if len(found) == 1 else None


def zeros_told(words: str, subject: Subject) -> list[str]:
    """The numbers of which words say that they are not zero (`The balance is not zero`), as in a new thing."""
    if not _NOT_ZERO.search(words):
        return []
    said = set(_WORD.findall(words.lower()))
    return [name for name, value in subject.maker.begins.items() if value == 0 and name.lower() in said]


def lacking_of(
    operation: Operation, answer: Answer, operations: Collection[Operation]
) -> tuple[str, Operation] | None:
    """The field of a body by which something is named that is said not to be there, and what makes such a thing.

    Of several that name one kind of thing (`one of the accounts does not exist`) it is the first.
    """
    if answer.status not in ("404", "400", "409", "422") or not _LACKS.search(answer.words):
        return None
    said = {singular(each) for each in _WORD.findall(answer.words.lower())}
    found = [
        (field, maker[0])
        for field, schema in operation.required().items()
        if (maker := maker_of_reference(field, schema, operations)) and called(maker[0].path) in said
    ]
    return found[0] if len({maker.key for _, maker in found}) == 1 else None
