"""Texts of the form that a docstring or a name says a parameter has: a cron expression, a UUID, a document in JSON.

Only forms of which every reader takes these texts; what has dialects (a date, a colour, a version) is none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from engine.generators.functions.calls import Parameter
from engine.generators.functions.facts import Surface
from graph.facts import Fact, Kind
from planner.functions.drawn_values import words_of

# The words that name a form, a text of it and another one, as source.
_FORMS: tuple[tuple[re.Pattern[str], tuple[str, str]], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b"), texts)
    for words, texts in (
        (r"cron|crontab|cron tab", ('"*/5 * * * *"', '"0 12 * * 1"')),
        (r"json", ("'{\"name\": 1}'", '"[1, 2]"')),
        (r"toml", ("'name = \"text\"\\n'", '"number = 1\\n"')),
        (r"yaml|yml", ('"name: text\\n"', '"number: 1\\n"')),
        (r"xml", ('"<one>text</one>"', '"<another/>"')),
        (r"uuid|guid", ('"12345678-1234-4678-9234-567812345678"', '"0f8fad5b-d9cb-469f-a165-70867728950e"')),
        (r"ulid", ('"01ARZ3NDEKTSV4RRFFQ69G5FAV"', '"01BX5ZZKBKACTAV9WEVGEMMVRZ"')),
        (r"ip ?v4(?: address)?", ('"192.0.2.1"', '"198.51.100.7"')),
        (r"ip ?v6(?: address)?", ('"2001:db8::1"', '"2001:db8::2"')),
        (r"cidr", ('"192.0.2.0/24"', '"198.51.100.0/24"')),
        (r"semver|semantic version|semantic versioning", ('"1.2.3"', '"2.0.1"')),
        (r"iso ?8601 date", ('"2024-05-17"', '"2025-11-03"')),
        (
            r"(?:iso ?8601|rfc ?3339) (?:datetime|date time|timestamp)",
            ('"2024-05-17T12:30:00Z"', '"2025-11-03T09:15:00Z"'),
        ),
        (r"roman(?: numerals?)", ('"XIV"', '"MCMXCIX"')),
        (r"base ?64|b64", ('"c29tZSB0ZXh0"', '"dGV4dA=="')),
        (r"isbn", ('"9780306406157"', '"9780131103627"')),
        (r"iban", ('"GB82WEST12345698765432"', '"DE89370400440532013000"')),
    )
)  # fmt: skip
_TEXT = re.compile(r"\b(?:str|bytes|AnyStr)\b")
# Documents, whose readers may ask for more, and all forms that bytes hold as they are written.
_DOCUMENTS = frozenset(texts[0] for _, texts in _FORMS[1:5])
_WRITTEN = _DOCUMENTS | {'"c29tZSB0ZXh0"'}
# What makes something of another form than the one that its class is named for.
_OF_ANOTHER = re.compile(r"_?(?:from|of)_(?!(?:str|string|text)$)")
_MAKING = ("__init__", "__new__")
# What is beside a text of the form, and not the text.
_BESIDE = re.compile(
    r"\b(?:file|path|dir|directory|folder|url|key|name|version of|prefix|indent|encoding|format|type|mode|library"
    r"|list of)\b"
)
# What parameters are called that are of the form which their function is about.
_PLAIN = re.compile(
    r"(?:(?:input|raw) )?(?:text|string|str|s|value|val|data|expression|expr|input|source|src|content|document|doc"
    r"|raw|spec|payload|encoded)"
)
# A text that a description shows, behind what says that it does.
_SHOWN = re.compile(
    r"(?:\be\.g\.?,?|\bfor example,?|\bfor instance,?|\bexample:|\bexamples:|\bsuch as) ?(?:``|`)?(\"[^\"]*\"|'[^']*')"
)
# Texts of which a description says that one of them is meant: `'asc' or 'desc'`, `('{', '"', or 'none')`.
_QUOTED = r"`{0,2}(?:'[^'\s]{1,20}'|\"[^\"\s]{1,20}\")`{0,2}"
_LISTED = re.compile(rf"{_QUOTED}(?:(?:, ?(?:or |and )?| or | and | ?/ ?| ?\| ?){_QUOTED})+")
_ONE_QUOTED = re.compile(_QUOTED)
# A description that says that a text has some form, which no reader here knows.
_OF_SOME_FORM = re.compile(
    r"\bbase[- ]?\d+\b|\bencoded\b|\bformatted\b|\bhex(?:adecimal)?\b|\ban? valid\b"
    r"|\bin (?:an? |the )?(?:[\w.-]+ ){1,3}(?:format|notation|form|syntax|encoding)\b"
    r"|\bmust (?:match|be (?:an? )?(?:valid|one of|in))\b",
    re.IGNORECASE,
)


def is_of_some_form(fact: Fact, name: str, surface: Surface) -> bool:
    """Whether the description of a parameter says that not every text will do: its name alone says too little."""
    if fact.name in _MAKING:
        fact = surface.holder(fact) or fact
    return any(_OF_SOME_FORM.search(_description(each, name)) for each in _described(fact, surface))


def told_form(fact: Fact, name: str, surface: Surface, *, other: bool = False, packed: bool = False) -> str:
    """A text for a parameter of a function, or of what a class is made of, as source; empty where no form is told.

    What the parameter's description shows, or of the one form that is named: by the description, else by the
    parameter's name, else, where that is one such as `text`, by that of the function or class, or of its module. What
    is `packed` is asked for as bytes, which hold most forms otherwise than as text.
    """
    if fact.name in _MAKING:
        fact = surface.holder(fact) or fact
    docs = [_description(each, name) for each in _described(fact, surface)]
    if not other and (shown := next((found[1] for doc in docs if (found := _SHOWN.search(doc))), "")):
        return repr(ast.literal_eval(shown))
    spoken = _spoken(name)
    if chosen := next((listed for doc in docs if (listed := _choices(doc))), []):
        return repr(ast.literal_eval(chosen[other]))
    told = [" ".join(docs), spoken]
    if _PLAIN.fullmatch(spoken) and not _OF_ANOTHER.match(fact.name):
        holder = surface.holder(fact)
        told += [_spoken(fact.name), "" if holder is None else _spoken(holder.name)]
        told.append(_spoken(surface.module(fact).rpartition(".")[2]))
    if _BESIDE.search(" ".join(told[:2]).lower()):
        return ""
    for words in told:
        forms = [texts for pattern, texts in _FORMS if pattern.search(words.lower())]
        if forms:
            is_document = forms[0][0] in _DOCUMENTS
            is_otherwise = (packed and forms[0][0] not in _WRITTEN) or (
                is_document and _is_of_own(fact, surface)
            )
            return forms[0][other] if len(forms) == 1 and not is_otherwise else ""
    return ""


def _choices(description: str) -> list[str]:
    """The texts that a description lists, as source; empty where it lists none, or several times."""
    lists = _LISTED.findall(description)
    return [each.strip("`") for each in _ONE_QUOTED.findall(lists[0])] if len(lists) == 1 else []


def is_told(fact: Fact, parameters: Sequence[Parameter], surface: Surface) -> bool:
    """Whether all texts that a call has to give are of forms that are told, and there is one."""
    texts = [each for each in parameters if each.required and _TEXT.search(each.annotation or "")]
    return bool(texts) and all(
        told_form(fact, each.name, surface, packed="str" not in (each.annotation or "")) for each in texts
    )


def _is_of_own(fact: Fact, surface: Surface) -> bool:
    """Whether an object of the project is made, which asks for more of a document than that it is one."""
    if fact.kind is Kind.CLASS or surface.holder(fact) is not None:
        return True
    known = surface.at(surface.resolved(str(fact.aspects.get("returns")), surface.module(fact)))
    return known is not None and known.kind is Kind.CLASS


def _described(fact: Fact, surface: Surface) -> Iterator[Fact]:
    """What may describe a parameter: the function, or the class and its constructor."""
    for each in surface.same(fact):
        yield each
        if each.kind is Kind.CLASS:
            yield from (one for one in surface.members(each) if one.name in _MAKING)


def _description(fact: Fact, name: str) -> str:
    doc = fact.aspects.get("doc")
    return str(doc.get("params", {}).get(name, "")) if isinstance(doc, dict) else ""


def _spoken(name: str) -> str:
    return " ".join(words_of(name))
