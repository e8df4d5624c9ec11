"""What moved between the revision in which a test last passed and now, told as causes that a healer can follow."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from graph.facts import Json


class Cause(StrEnum):
    """One way in which code, or what is said about it, changes under a test."""

    RENAMED = "renamed"
    """A function, class, method, attribute or fixture has another name at the same place."""
    MOVED = "moved"
    """A name lives in another module now, or is exported from another one."""
    MODULE_RENAMED = "module-renamed"
    PARAMETER_RENAMED = "parameter-renamed"
    PARAMETERS_REORDERED = "parameters-reordered"
    PARAMETER_KEYWORD_ONLY = "parameter-keyword-only"
    PARAMETER_REMOVED = "parameter-removed"
    PARAMETER_ADDED = "parameter-added"
    PARAMETERS_GROUPED = "parameters-grouped"
    """Optional parameters are the fields of one object now; `after` has the parameter that takes it and its class."""
    BECAME_PROPERTY = "became-property"
    BECAME_METHOD = "became-method"
    BECAME_ASYNC = "became-async"
    BECAME_SYNC = "became-sync"
    MEMBER_RENAMED = "member-renamed"
    """A member of an enum has another name and the same value."""
    EXCEPTION_CHANGED = "exception-changed"
    CONSTANT_CHANGED = "constant-changed"
    DEFAULT_CHANGED = "default-changed"
    RETURN_CHANGED = "return-changed"
    ROUTE_CHANGED = "route-changed"
    FIELD_CHANGED = "field-changed"
    STATUS_CHANGED = "status-changed"
    REMOVED = "removed"
    BODY_CHANGED = "body-changed"
    """What a function does changed in a way that its facts do not tell."""


NAMES = frozenset({Cause.RENAMED, Cause.MOVED, Cause.MODULE_RENAMED, Cause.MEMBER_RENAMED})
"""Causes by which something has another dotted name."""

GONE = NAMES | {Cause.REMOVED}
"""Causes by which nothing has the old dotted name any more."""

SHAPES = frozenset(
    {
        Cause.RENAMED,
        Cause.MOVED,
        Cause.MODULE_RENAMED,
        Cause.PARAMETER_RENAMED,
        Cause.PARAMETERS_REORDERED,
        Cause.PARAMETER_KEYWORD_ONLY,
        Cause.PARAMETERS_GROUPED,
        Cause.BECAME_PROPERTY,
        Cause.BECAME_METHOD,
        Cause.BECAME_ASYNC,
        Cause.BECAME_SYNC,
        Cause.MEMBER_RENAMED,
    }
)
"""Causes that change a name or a shape only: they may be healed without a spec where the body is otherwise equal."""


class Movement(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that changed, on one side.

    `side` is `spec`, `code` or `test` (a fixture). `subject` is the dotted name before (`shop.cart.Cart.add`, `GET
    /books/{id}`, for an enum member `shop.Colour.RED`); `before` and `after` say what it was and is: dotted names for
    names and modules, parameter names for parameters, lists of them for a reordering and a grouping, values,
    exceptions' names or type texts for the rest; `None` where it was or is absent. `owner` is the dotted name, as it is
    now, of the function that a parameter belongs to. `facts` are the ids of the facts that tell it, before and after.
    `whole` says that the body is otherwise equal.
    """

    cause: Cause
    side: str
    subject: str
    before: Json = None
    after: Json = None
    owner: str = ""
    facts: tuple[str, ...] = ()
    whole: bool = False
    parameters: Json = None
