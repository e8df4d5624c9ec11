"""What modules publish beyond their own definitions: through imports, star imports and `__all__`."""

from __future__ import annotations

from crossval.compare.discrepancies import Comparison, Discrepancy, Silence
from crossval.link.names.making import is_dynamic, made_names
from crossval.link.names.modules import Library, Module
from crossval.link.names.publicity import UNASKED_OF_MODULES, is_private
from crossval.pairs import Difference, Stricter

_MAKERS = ("__getattr__", "__all__")
_EVERYTHING = ["*"]


def forwarded(module: Module, library: Library) -> list[str]:
    """The public names that a stub offers and imports from elsewhere: those in `__all__`, those imported as themselves,
    and, where there is no `__all__`, those that a star import brings from a module of the project."""
    names = _published(module, library, set())
    return sorted(name for name in names if name not in module.definitions and not is_private(name))


def lists_everything(module: Module) -> bool:
    """Whether the `__all__` of code is made of all public names that it has: `[n for n in dir() if n[0] != "_"]`."""
    return any(fact.aspects.get("exports_of") == _EVERYTHING for fact in module.facts)


def everything(module: Module, library: Library) -> list[str]:
    """The public names that such a module has from elsewhere: what it imports, and what star imports bring."""
    names = _had(module, library, set())
    return sorted(name for name in names if name not in module.definitions and not is_private(name))


def listed(module: Module) -> list[str]:
    """The names, however spelled, that code offers by its `__all__` although it imports them from elsewhere."""
    known = module.surely_exported if module.computed_exports else module.exports or frozenset()
    names = known - UNASKED_OF_MODULES
    return sorted(name for name in names if name not in module.definitions)


def compare_exports(stub: Module, code: Module) -> Comparison:
    """How what `from module import *` brings differs, where the code has an `__all__` and both sides can be read."""
    if stub.computed_exports:
        return Comparison(silences=(Silence("exports", "__all__ of the stub is computed"),))
    if code.computed_exports:
        return _surely_missing(stub, code)
    if code.exports is None:
        return _only_promised(stub, code)
    if stub.exports is None:
        difference = Difference(
            change="exports", spec=None, code=sorted(code.exports), stricter=Stricter.CODE
        )
        return Comparison((Discrepancy("", difference),))
    promised, offered = sorted(stub.exports - code.exports), sorted(code.exports - stub.exports)
    if not promised and not offered:
        return Comparison()
    tighter = Stricter.NEITHER if promised else Stricter.SPEC
    difference = Difference(change="exports", spec=promised, code=offered, stricter=tighter)
    return Comparison((Discrepancy("", difference),))


def _only_promised(stub: Module, code: Module) -> Comparison:
    """That the stub has an `__all__` which the code surely has not: nothing in it can make one when it runs."""
    itself = made_names(code)
    made = is_dynamic(code) or itself is None or "__all__" in itself
    made = made or any(name in code.definitions for name in _MAKERS)
    if stub.exports is None or made or "__all__" in code.imports:
        return Comparison()
    difference = Difference(change="exports", spec=sorted(stub.exports), code=None, stricter=Stricter.SPEC)
    return Comparison((Discrepancy("", difference),))


def _surely_missing(stub: Module, code: Module) -> Comparison:
    """What an `__all__` of the code that is not wholly known has in any case, and that of the stub has not."""
    if stub.exports is None:
        if not code.surely_exports:
            return Comparison()
        known = sorted(code.surely_exported)
        difference = Difference(change="exports", spec=None, code=known, stricter=Stricter.CODE)
        return Comparison((Discrepancy("", difference),))
    missing = sorted(code.surely_exported - stub.exports)
    if not missing:
        return Comparison()
    difference = Difference(change="exports", spec=[], code=missing, stricter=Stricter.SPEC)
    return Comparison((Discrepancy("", difference),))


def _had(module: Module, library: Library, seen: set[str]) -> set[str]:
    """All names that `from module import *` brings out of code; `seen` ends circles."""
    seen.add(module.name)
    if module.exports is not None:
        return set(module.exports)
    if module.computed_exports and not lists_everything(module):
        return set(module.surely_exported)
    names = {name for name in (*module.top_level, *module.imports) if not is_private(name)}
    for target in module.stars:
        starred = library.module(target)
        if starred is not None and starred.name not in seen:
            names |= _had(starred, library, seen)
    return names


def _published(module: Module, library: Library, seen: set[str]) -> set[str]:
    """All names that importers of a stub can see; `seen` ends circles of star imports."""
    seen.add(module.name)
    if module.exports is not None:
        return set(module.exports)
    names = {name for name in module.top_level if not is_private(name)} | set(module.reexports)
    for target in module.stars:
        starred = library.module(target)
        if starred is not None and starred.name not in seen:
            names |= {name for name in _published(starred, library, seen) if not is_private(name)}
    return names
