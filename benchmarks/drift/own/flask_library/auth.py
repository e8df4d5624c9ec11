"""Who may change something."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from flask import abort, request

KEYS = {"secret": "librarian"}


def needs_key(view: Callable[..., Any]) -> Callable[..., Any]:
    """Lets only those in who show a key."""

    @functools.wraps(view)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        key = request.headers.get("X-Api-Key")
        if key not in KEYS:
            abort(401)
        return view(*args, **kwargs)

    return wrapped
