"""Doing something again after each change of a project's files, until the user ends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.cli.console import say, tell


def watched(root: Path, once: Callable[[], int], own: frozenset[str]) -> int:
    """Do it, and do it again after each change; gives the last exit code when the user ends it.

    `own` holds the names or paths of files that the doing itself writes.
    """
    from engine.plugins import preload
    from engine.running.watching import snapshot, wait_for_change
    from graph.errors import CrossfactError

    code = 0
    try:
        while True:
            before = snapshot(root, own)
            try:
                code = once()
            except CrossfactError as error:  # half a file is what an editor saves now and then
                tell(f"crossfact: error: {error}")
                code = error.exit_code
            tell("crossfact: waiting for a change; Ctrl-C ends")
            preload()  # so that what follows the first change takes no longer than what follows others
            changed = wait_for_change(root, before, own)
            more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            tell(f"crossfact: {changed[0]}{more} changed")
    except KeyboardInterrupt:
        say("")
        return code
