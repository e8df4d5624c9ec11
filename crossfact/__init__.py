"""The installed face of crossfact: it finds the application's folders and starts the command line."""

import gc
import os
import sys

_APP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_app")
if os.path.isdir(_APP) and _APP not in sys.path:
    sys.path.insert(0, _APP)


def main() -> None:
    """Run the command line and exit with its code."""
    # Few objects of a run are ever garbage: looking for cycles as often as usual costs a tenth of it.
    gc.set_threshold(200_000, 20, 50)
    if sys.argv[1:2] == ["check"]:
        from crossfact.kept import keep_modules

        keep_modules()

    from engine.cli.entry import run

    run()
