"""One action of a view of the REST framework, as its answers, bodies and parameters are read."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import force_setattr

from ingest.web.django.routes import Route
from ingest.web.drf.views import View
from ingest.web.program.targets import FunctionTarget

STATUS: Final = {
    **{"list": "200", "create": "201", "retrieve": "200"},
    **{"update": "200", "partial_update": "200", "destroy": "204"},
}
"""The statuses of the framework's own actions."""
TAKES: Final = frozenset({"POST", "PUT", "PATCH"})
"""The methods that take a body."""


class Entry(msgspec.Struct, frozen=True):
    """One action of a view for one method at one path; `handler` is None where the framework's own code answers.

    `listed` tells that it answers with many, filtered and in pages where the view has them, `doubtful` that it may;
    `usual` is the status that is taken for its success where nothing says one, `stated` tells that only what is
    declared makes it one that answers with many.
    """

    route: Route
    view: View
    action: str
    method: str
    handler: FunctionTarget | None
    standard: bool
    listed: bool = False
    doubtful: bool = False
    usual: str = ""
    stated: bool = False

    def __post_init__(self) -> None:
        if not self.usual:
            usual = "204" if self.method == "DELETE" else "201" if self.action == "create" else "200"
            force_setattr(self, "usual", usual)
