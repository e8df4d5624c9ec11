"""What handlers of other actions than lists turn to by themselves: the view's pages and filters."""

from __future__ import annotations

import ast

from ingest.web.drf.lists import Listing
from ingest.web.drf.stubs import turns_pages
from ingest.web.program.targets import FunctionTarget


def asked_by_itself(handler: FunctionTarget, listing: Listing) -> list[str]:
    """The keys of the parameters that the pages and filters of a view take where a handler turns to them."""
    filtering = [each.key for each in listing.parameters if each.key not in listing.turning]
    turned = listing.turning if turns_pages(handler) else []
    return [*turned, *(filtering + listing.taken if filters_rows(handler) else [])]


def filters_rows(handler: FunctionTarget) -> bool:
    """Whether a handler gives what it answers to the view's filters."""
    return any(
        isinstance(call.func, ast.Attribute) and call.func.attr == "filter_queryset"
        for call in handler.body.calls
    )
