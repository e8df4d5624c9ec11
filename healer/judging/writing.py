"""What documentation says in words of the very thing that changed: a default, an exception, that something is returned.

It is looked for what was before, so that words which say nothing of it say nothing here: "Defaults to ``5``", "If
*strict* is true (the default)", "raises :exc:`KeyError` if there is none", "Return the tree".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graph.facts import Json
from healer.analysis import Analysis
from healer.judging.documenting import Documentation, Passage
from healer.judging.statement import Side, Statement
from healer.judging.witnesses import plain
from healer.movements import Cause, Movement
from healer.reading.same import same_value
from ingest.python.docstring_sections import sections

_VALUE = (
    r"(?:``?(?P<{0}_marked>[^`]+)``?|(?P<{0}_quoted>\"[^\"]*\"|'[^']*')|(?P<{0}_plain>-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?"
    r"|\*{{0,2}}(?:True|False|None)\*{{0,2}}|(?:an )?empty (?:string|list|dict|tuple|set)))"
)
_OF = r"(?:the |a |an |:\w+:)*"
_PATTERNS = [
    re.compile(each, re.IGNORECASE)
    for each in (
        r"\bdefault(?:s|ing)?(?: value)?(?: of \S+)?\s*(?:to|is|=|:|being|are)?:?\s*"
        rf"{_OF}{_VALUE.format('a')}(?![\w.]*\w\()",
        rf"{_VALUE.format('b')},?\s+(?:by default|is (?:the )?default|\((?:the |by )?default\)|\[(?:the )?default\])",
        rf"\bby default,?\s*(?:this |it )?(?:is |it is |to )?{_OF}{_VALUE.format('c')}",
    )
]
_EMPTY = {"string": "''", "list": "[]", "dict": "{}", "tuple": "()", "set": "set()"}
_SENTENCE = re.compile(r"(?<=[.;!?])\s+(?=[A-Z`*:])|\n[ \t]*\n|\n(?=[ \t]*[-*•] )")
_RAISES = re.compile(r"\b(?:raises?|raised|raising|throws?|thrown)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not|never|no longer|without|nor|avoids?|suppress\w*|ignor\w+)|n't)\s+"
    r"(?:(?:be|been|being|to|\w+ly)\s+){0,2}(?:rais|throw)"
    r"|\b(?:raised|thrown)\s+(?:no longer|never)|\b(?:instead of|rather than|unlike|previously|formerly|used to"
    r"|deprecated|in the past|before version)\b",
    re.IGNORECASE,
)
_RETURNS = re.compile(
    r"^(?:Return|Returns|Yield|Yields)\s+\w"
    r"|\band returns?\s+(?:the|an?|its|this|that|all|each|every|whether|true)\s+\w",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\b(?:None|nothing|null|optional\w*|if any|may be|possibly)\b", re.IGNORECASE)
_LONGEST = 160


def kept_words(
    changed: Iterable[Movement], documentation: Documentation
) -> Iterator[tuple[Movement, Statement]]:
    """The changes of defaults and exceptions for which the documentation still says in words what was before."""
    for movement in changed:
        name, _, parameter = movement.subject.partition("#")
        if movement.side != "code" or movement.before is None:
            continue
        if movement.cause is Cause.DEFAULT_CHANGED:
            for passage in documentation.of(plain(name)):
                if told := _tells_default(passage, parameter, movement.before, movement.after):
                    yield movement, Statement(Side.TEST, passage.fact, f"{passage.place} says {told}", 0.95)
        elif movement.cause is Cause.EXCEPTION_CHANGED:
            for passage in documentation.of(plain(name)):
                if told := _tells_raised(passage.text, str(movement.before), str(movement.after)):
                    yield movement, Statement(Side.TEST, passage.fact, f"{passage.place} says {told}", 0.93)


def raised_in_words(
    analysis: Analysis, called: Iterable[str], changed: Iterable[Movement], documentation: Documentation
) -> Iterator[Statement]:
    """The passages that say of what a test calls, or of what changed, that the exception is raised which it expects.

    Pages say it in a paragraph that names the function or its class.
    """
    expected, observed = _name_of(analysis.expected), _name_of(analysis.exception)
    if not expected or expected == observed:
        return
    subjects = dict.fromkeys([*called, *(plain(each.subject.partition("#")[0]) for each in changed)])
    for name in subjects:
        for passage in documentation.of(name):
            if told := _tells_raised(passage.text, expected, observed):
                yield Statement(Side.TEST, passage.fact, f"{passage.place} says {told}", 0.9)
    parts = {part for name in subjects for part in name.split(".")[-2:] if len(part) > 1}
    marked = (
        re.compile(rf"`[^`]*(?<!\w)(?:{'|'.join(map(re.escape, sorted(parts)))})(?:\(\))?`")
        if parts
        else None
    )
    for passage in documentation.paragraphs() if marked is not None else ():
        told = _tells_raised(passage.text, expected, observed)
        if told and marked is not None and marked.search(passage.text):
            yield Statement(Side.TEST, passage.fact, f"{passage.place} says {told}", 0.86)


def gives_something(name: str, documentation: Documentation) -> tuple[str, str] | None:
    """The fact and the words by which documentation says that a function returns something, and never None."""
    passages = list(documentation.of(name))
    if any(_NOTHING.search(passage.text) for passage in passages):
        return None
    for passage in passages:
        told = str(sections(passage.text).get("returns") or "")
        first = passage.text.strip().partition("\n\n")[0]
        words = told or (first if _RETURNS.search(first) else "")
        if words:
            return passage.fact, f"{passage.place} says {_quoted(words)}"
    return None


def _tells_default(passage: Passage, parameter: str, before: Json, after: Json) -> str:
    """How a passage says that a parameter has the default of before; empty where it does not, or says both."""
    listed = passage.parameters.get(parameter)
    if listed is not None and listed != "..." and same_value(listed, before):
        return f"`{parameter}={listed}`"
    found = ""
    for words in _about(passage.text, parameter):
        values = list(_defaults(words))
        if after is not None and any(same_value(each, after) for each in values):
            return ""
        if not found and any(same_value(each, before) for each in values):
            found = _quoted(words)
    return found


def _about(text: str, parameter: str) -> Iterator[str]:
    """The parts of a text that are about a parameter: its description, the line that opens it, sentences with it."""
    params = sections(text).get("params")
    if isinstance(params, dict) and isinstance(described := params.get(parameter), str):
        yield described
    name = re.escape(parameter)
    opening = re.compile(rf"^[ \t]*[`*]*{name}[`*]*[ \t]*(?::|\(.*\)[ \t]*:)[^\n]*$", re.MULTILINE)
    yield from (match[0].strip() for match in opening.finditer(text))
    marked = re.compile(rf"(?<![\w.])(?:``?|\*){name}(?:``?|\*)(?!\w)")
    for sentence in _SENTENCE.split(text):
        if marked.search(sentence) and not sentence.lstrip().startswith((":", "@")):
            yield sentence


def _defaults(words: str) -> Iterator[str]:
    """The values that words say are a default, as source texts."""
    for each in _PATTERNS:
        for match in each.finditer(words):
            found = next((value for value in match.groups() if value is not None), None)
            if found is not None:
                yield _as_source(found.strip())


def _as_source(value: str) -> str:
    plain_ = value.strip("*")
    if plain_.lower() in ("true", "false", "none"):
        return plain_.capitalize()
    if "empty " in plain_.lower():
        return _EMPTY[plain_.lower().rpartition(" ")[2]]
    return plain_


def _tells_raised(text: str, before: str, after: str) -> str:
    """How a text says that an exception of before is raised; empty where it does not, or names the new one too."""
    name, other = before.rpartition(".")[2], after.rpartition(".")[2]
    if not name.isidentifier() or (other and re.search(rf"\b{re.escape(other)}\b", text)):
        return ""
    for sentence in _SENTENCE.split(text):
        if re.search(rf"\b{name}\b", sentence) and _RAISES.search(sentence) and not _DENIED.search(sentence):
            return _quoted(sentence)
    return ""


def _name_of(text: str) -> str:
    """The last name of an exception that is written alone."""
    name = text.rpartition(".")[2]
    return name if name.isidentifier() else ""


def _quoted(words: str) -> str:
    flat = " ".join(words.split())
    return f'"{flat if len(flat) <= _LONGEST else flat[:_LONGEST].rstrip() + "…"}"'
