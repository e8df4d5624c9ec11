"""Says which qualified names exist when a package is imported; run by the environment's own interpreter.

Standard input is a JSON list of names, standard output a JSON object: name → true, false, or null where no module of it
can be imported. Nothing of this repository is imported here.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys


def exists(symbol: str) -> bool | None:
    """Whether a name can be reached from the longest module that it begins with."""
    parts = symbol.split(".")
    for length in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        except Exception:  # noqa: BLE001 - whatever a package raises when it is imported
            return None
        for part in parts[length:]:
            if not hasattr(thing, part) or _is_of_every_class(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return None


def _is_of_every_class(thing: object, name: str) -> bool:
    """Whether a class has a name only because it is a class, or an object: no comparison, no `|` of its instances."""
    if not isinstance(thing, type) or name not in _REFUSED:
        return False
    return not any(name in vars(ancestor) for ancestor in thing.__mro__[:-1])


_REFUSED = ("__lt__", "__le__", "__gt__", "__ge__", "__or__", "__ror__", "__call__")

if __name__ == "__main__":
    wanted = json.load(sys.stdin)
    with contextlib.redirect_stdout(io.StringIO()):
        answers = {symbol: exists(symbol) for symbol in wanted}
    json.dump(answers, sys.stdout)
