"""The sentence by which a docstring leaves something to derived classes: `This must be overridden in a subclass.`"""

from __future__ import annotations

import re

from graph.patterns import pattern

_SAID = pattern(
    r"\babstract\s+(?:method|function|property|class|base\s+class)\b"
    r"|\b(?:must|should|has\s+to|have\s+to|needs?\s+to|is\s+to|are\s+to|meant\s+to|intended\s+to)\s+be\s+(?:\w+\s+)?"
    r"(?:sub-?classed|overrid(?:den|en)|implemented)\b"
    r"|\b(?:sub-?classes|derived\s+classes|implementations?)\s+(?:must|should|have\s+to|has\s+to|need\s+to)\b",
    re.IGNORECASE,
    only_with=r"abstract|overrid|subclass|sub-class|derived|implement",
)
_END = pattern(r"[.!?](?=\s|\Z)|\n[ \t]*\n|\n[ \t]*[:@]\w")


def left_to_heirs(text: str) -> str:
    """The first sentence of a docstring that says so, on one line; empty without one."""
    said = _SAID.search(text)
    if said is None:
        return ""
    begin = max((each.end() for each in _END.finditer(text, 0, said.start())), default=0)
    end = _END.search(text, said.end())
    return " ".join(text[begin : end.start() if end else len(text)].split())
