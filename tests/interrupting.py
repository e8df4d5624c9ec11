"""Children that heed Ctrl-C."""

from __future__ import annotations

import signal


def heed_interrupts() -> None:
    """Before a child starts: take Ctrl-C as usual. Where the tests run in the background, children would ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
