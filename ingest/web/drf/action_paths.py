"""The actions of viewsets, and the paths at which routers of the REST framework put them."""

from __future__ import annotations

import ast
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from ingest.web.django.patterns import Pattern, of_regex, of_route, variants
from ingest.web.syntax.scopes import Scope

Reading = Callable[[str], Pattern | None]


def of_path(route: str) -> Pattern | None:
    """The pattern of a route with Django's own converters; what others make of a text is not known."""
    return of_route(route, lambda kind: None)


class Action(msgspec.Struct, frozen=True):
    """One method of one path of a viewset; `handler` is the name of the function that answers."""

    method: str
    handler: str
    over: dict[str, tuple[ast.expr, Scope]] = msgspec.field(default_factory=dict)
    detail: bool = False
    url_path: str | None = None
    extra: bool = False


def at(
    action: Action, base: Pattern, lookup: Pattern, slash: str, prefixed: bool, read: Reading = of_regex
) -> list[Pattern]:
    """The paths of an action of a viewset that is registered at `base`, as `read` takes the paths of actions: several
    where a part of the path may be left out, none where it is not constant.

    Where a viewset is registered without a prefix, nothing stands before the first slash, which is then left out.
    """
    if not action.extra:
        return [_joined(action, base, lookup, None, slash, prefixed)]
    if action.url_path is None:
        return []
    whole = read(action.url_path)
    inner = [whole] if whole is not None else variants(action.url_path) if read is of_regex else []
    return [_joined(action, base, lookup, each, slash, prefixed) for each in inner]


def _joined(
    action: Action, base: Pattern, lookup: Pattern, inner: Pattern | None, slash: str, prefixed: bool
) -> Pattern:
    path, begun = base, prefixed
    for part in ((lookup,) if action.detail else ()) + ((inner,) if inner is not None else ()):
        path = path.then(Pattern("/")).then(part) if begun else path.then(part)
        begun = True
    return replace(path, path=path.path + slash) if begun else path
