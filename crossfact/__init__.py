"""The installed face of crossfact: it finds the application's folders and starts the command line."""

import gc
import sys
from pathlib import Path

_APP = Path(__file__).parent / "_app"
if _APP.is_dir() and str(_APP) not in sys.path:
    sys.path.insert(0, str(_APP))


def main() -> None:
    """Run the command line and exit with its code."""
    # Few objects of a run are ever garbage: looking for cycles as often as usual costs a tenth of it.
    gc.set_threshold(200_000, 20, 50)

    from engine.cli.entry import run

    run()
