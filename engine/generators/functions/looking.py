"""Which objects look at some place of their own for what they are about, unless they are told another."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from engine.generators.functions.calls import Parameter
from engine.generators.functions.constructors import constructor
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.shown_calls import bound_arguments
from graph.facts import Fact
from planner.functions.drawn_values import words_of

# How parameters are called that say where to look.
_PLACES = frozenset(
    {
        *("path", "paths", "file", "files", "filename", "filenames", "filepath", "fileobj", "dir", "directory"),
        *("folder", "stream", "fp", "fd", "url", "uri", "host", "hostname"),
    }
)  # fmt: skip
# What names one file, and how a class is called, or what it can do, that holds an open one.
_FILE = frozenset({"path", "file", "filename", "filepath", "fname"})
_ABSOLUTE = re.compile(r"['\"](?:/(?:run|etc|var|usr|opt|home|dev|proc|sys|srv|mnt|tmp)\b|~/|[A-Z]:\\)")
_HOLDING = frozenset({"file", "reader", "wrapper", "stream", "loader"})
_OPENED = frozenset({"read", "readline", "readlines", "close", "__enter__", "__iter__", "__next__"})


def refuse_looking(fields: Sequence[Parameter], fact: Fact) -> None:
    """Raise NoTestError for an object that is not told where to look, and so looks at some place of its own."""
    for each in fields:
        if _is_place(each):
            raise NoTestError(f"where an object of {fact.name} looks that is given no {each.name}")


def refuse_unplaced(call: ast.Call, fact: Fact, surface: Surface) -> None:
    """Raise NoTestError for an object that reads and writes something, and is shown to be made without its place: what
    lies where it looks then is its reader's."""
    methods = {each.name for each in surface.members(fact)}
    if "read" in methods and methods & {"write", "save"}:
        fields, _ = constructor(fact, surface)
        given = bound_arguments(call, fields) or {}
        refuse_looking([each for each in fields if each.name not in given], fact)


def _is_place(parameter: Parameter) -> bool:
    """Whether a parameter that may be left out says where to look, or does so by its default: `"/run/secrets/"`."""
    words = words_of(parameter.name)
    is_named = bool(set(words) & _PLACES) or any(each.endswith("file") for each in words)
    is_far = _ABSOLUTE.match(parameter.default or "") is not None
    return is_far or (parameter.default in ("None", "...") and is_named)


def is_opened(parameter: Parameter, fact: Fact, surface: Surface) -> bool:
    """Whether what an object is given by the name of a file is most likely opened at once: `FileReader(path)`."""
    methods = {each.name for each in surface.members(fact)}
    is_file = bool(_FILE & set(words_of(parameter.name)[-1:]))
    return is_file and bool(_OPENED & methods or _HOLDING & set(words_of(fact.name)))
