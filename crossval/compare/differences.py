"""Differences in what may be left out, be null, or be added beyond what is named."""

from __future__ import annotations

from crossval.compare.components import own_types
from crossval.compare.keywords import Setting
from crossval.pairs import Difference, Direction, Stricter
from graph.facts import Json
from graph.schema_algebra import Schema


def required_difference(needs: bool, demands: bool, setting: Setting) -> list[Difference]:
    """The difference where only one side requires a value: `needs` is the spec's word, `demands` the code's."""
    if needs == demands or (needs and not setting.declared):
        return []
    stricter = Stricter.CODE if demands else Stricter.SPEC
    return [Difference(change="required", spec=needs, code=demands, stricter=stricter)]


def default_required_difference(usual: bool) -> list[Difference]:
    """The difference where the contract requires a field of an answer for which the code's class has a default.

    The code answers with it all the same, so it counts only where the contract leaves such fields optional
    elsewhere (`usual`); the code's side is None, for it promises nothing.
    """
    return [Difference(change="required", spec=True, code=None, stricter=Stricter.SPEC)] if usual else []


def promptness_difference(
    needs: bool, demands: bool, setting: Setting, *, stated: bool, whole: bool = False
) -> list[Difference]:
    """The difference where the code's answers always hold a field that the contract leaves optional.

    It counts where the contract states which fields of the answer are required (`stated`); of answers that the code
    does not declare, where it is seen making all of the object (`whole`).
    """
    if needs or not demands or not stated or not (setting.declared or whole):
        return []
    return [Difference(change="required", spec=False, code=True, stricter=Stricter.CODE)]


def null_difference(
    spec: bool, code: bool, setting: Setting, *, optional: bool, stated: bool
) -> Difference | None:
    """The difference where only one side admits null.

    `X | None = None` is how Python spells a value that may be left out: on requests that is no difference, unless
    the contract states of other values in requests that they may be null (`stated`).
    """
    if spec == code or setting.textual:
        return None
    if code and optional and not stated and setting.flow is not Direction.RESPONSE:
        return None
    return Difference(
        change="nullable", spec=spec, code=code, stricter=Stricter.SPEC if code else Stricter.CODE
    )


def openness_difference(spec: Schema, code: Schema, setting: Setting) -> list[Difference]:
    """The difference where one side refuses fields that it does not name, and the other takes them.

    A response of named fields holds no others unless the code says so. What the framework refuses by itself
    (`x-implied`) differs only from a contract that takes further fields in so many words.
    """
    if own_types(spec) != frozenset({"object"}) or "properties" not in spec or "properties" not in code:
        return []
    first, second = spec.get("additionalProperties"), code.get("additionalProperties")
    request = setting.flow is not Direction.RESPONSE
    if first is False and (bool(second) or (second is None and request and setting.declared)):
        stricter = Stricter.SPEC
    elif (
        second is False
        and first is not False
        and request
        and (bool(first) or "additionalProperties" not in code.get("x-implied", ()))
    ):
        stricter = Stricter.CODE
    else:
        return []
    return [
        Difference(
            change="additionalProperties", spec=_stated(first), code=_stated(second), stricter=stricter
        )
    ]


def _stated(additional: Json) -> Json:
    return additional if isinstance(additional, bool) or additional is None else True
