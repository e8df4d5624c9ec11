"""What is put into a thing under the name of another: a product into a cart, a member into a team."""

from __future__ import annotations

import re
from collections.abc import Collection

from crossval.compare.components import split_null
from planner.contracts.chosen_names import named_by_client, putter_of
from planner.contracts.operations import Operation
from planner.contracts.resources import called, collection_of, maker_of

_OWN = re.compile(r"mine|my|me|own|self", re.IGNORECASE)


def joiner_of(path: str, operations: Collection[Operation]) -> Operation | None:
    """The PUT or POST of a path that puts into a thing what the last parameter names, so that it can be read there.

    Into what is a caller's own, too, where nothing is named before it: `PUT /favourites/{listing_id}`. None where the
    collection itself makes what stands at such paths, and where nothing tells of what the name is.
    """
    above, _, last = path.rstrip("/").rpartition("/")
    name = last.strip("{}")
    own = [each for each in operations if each.path == path]
    is_callers = "{" not in above and all(each.secured for each in own)
    if not last.startswith("{") or not ("{" in above or is_callers):
        return None
    joiners = [each for each in own if each.method in ("PUT", "POST") and each.success is not None]
    collections = [collection_of(each.path) for each in operations if each.method == "POST"]
    if not joiners or above.strip("/") in collections or putter_of(path, name, operations) is not None:
        return None
    members = (each for each in joiners[0].parameters if each.location == "path" and each.name == name)
    is_listed = any("enum" in split_null(each.schema)[0] for each in members)
    made = maker_of(path, name, operations) or named_by_client(path, name, operations)
    return min(joiners, key=lambda each: each.method != "PUT") if made or is_listed else None


def loader_of(removal: Operation, operations: Collection[Operation]) -> Operation | None:
    """The POST that puts into a thing what its body names, as a removal's path does: the `piece_id` of a firing.

    None for what is no removal of what a path names last.
    """
    above, _, last = removal.path.rstrip("/").rpartition("/")
    if removal.method != "DELETE" or not last.startswith("{") or "{" not in above:
        return None
    posts = (
        each
        for each in operations
        if each.method == "POST" and each.path.rstrip("/") == above and each.success
    )
    return next((each for each in posts if last.strip("{}") in each.required()), None)


def put_by_caller(operation: Operation, operations: Collection[Operation]) -> Operation | None:
    """The POST by which a caller puts into a collection what the path then calls its own: `/enrolments/mine`.

    Also the PUT of what a DELETE of the same path may not find: `No vote of mine`, of `/polls/{id}/vote`. None for a
    path that names nothing else, as `/me` does, and where who is put there has to be told.
    """
    if operation.method == "DELETE" and (put := _put_there(operation, operations)) is not None:
        return put
    above, _, last = operation.path.rstrip("/").rpartition("/")
    if not _OWN.fullmatch(last) or "{" not in above:
        return None
    putters = (each for each in operations if each.method == "POST" and each.path.rstrip("/") == above)
    return next((each for each in putters if each.body is None or not each.body.required), None)


def _put_there(removal: Operation, operations: Collection[Operation]) -> Operation | None:
    """The PUT of the same path, where the removal says that what its path names last may not be there."""
    name = called(removal.path)
    lacking = rf"\b(?:no|not|without)\s+(?:(?:an?|such|any)\s+)?{re.escape(name)}"
    told = any(each.status == "404" and re.search(lacking, each.words, re.I) for each in removal.answers)
    if not told or removal.path.rstrip("/").endswith("}") or "{" not in removal.path:
        return None
    return next((each for each in operations if each.key == f"PUT {removal.path}" and each.success), None)


def home_of_joined(path: str, operations: Collection[Operation]) -> str | None:
    """The collection that makes what the last parameter of such a path names; None where that is not known."""
    made = maker_of(path, path.rstrip("/").rpartition("/")[2].strip("{}"), operations)
    home = f"/{collection_of(made[0].path)}" if made is not None else "{"
    return None if "{" in home else home
