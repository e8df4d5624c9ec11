"""Numbers with what bounds them: `at least 12`, `between 1 and 5`, `18 or more`, and the units behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.patterns import pattern
from ingest.claims.numbers import NUMBER, UNIT, measured, number

_COMPARATORS = (
    (
        ">=",
        r"(?:at least|no fewer than|no less than|not fewer than|not less than|a minimum(?: \w+)? of"
        r"|minimum(?: of)?|min\.?|≥|>=)",
    ),
    (
        "<=",
        r"(?:at most|no more than|not more than|up to|a maximum(?: \w+)? of|maximum(?: of)?|max\.?|within"
        r"|no longer than"
        r"|no larger than|no greater than|no higher than|(?:limited|restricted|capped) (?:to|at)|≤|<=)",
    ),
    ("<", r"(?:(?:less|fewer|shorter|smaller|lower) than|under|below|<)"),
    (">", r"(?:(?:more|greater|longer|larger|higher|bigger) than|above|exceeds?|>)"),
    ("=", r"(?:exactly|precisely)"),
)
_COMPARED = "|".join(f"(?P<c{index}>{pattern})" for index, (_, pattern) in enumerate(_COMPARATORS))
N = rf"`?(?:{NUMBER})`?"
PHRASE = pattern(
    rf"(?<![\w`])(?:(?:{_COMPARED})\s+(?P<number>{N}|once\b|twice\b)(?!-[a-z]|\s+of\s+(?:[`'\"“]|(?:the|these|those|its|them|your)\b))"
    rf"|between\s+(?P<low>{N})(?P<lowunit>\s?%|\s(?!and\b)[\w]+)?\s+and\s+(?P<high>{N}))",
    re.IGNORECASE,
    only_with=r"at (?:least|most)|no |not |m[ai][xn]|up to|within|limited|restricted|capped|than|under|below|above"
    r"|exceed|exactly|precisely|between|[≥≤<>]",
)
OR_MORE = pattern(
    rf"(?<![\w`])(?P<number>{N})(?P<unit>{UNIT})\s+or\s+(?P<way>more|greater|higher|longer|less|fewer"
    rf"|lower|shorter|smaller|older|younger)\b(?!\s+of\s+[`'\"“])",
    re.IGNORECASE,
    only_with=r"\sor\s+(?:more|greater|higher|longer|less|fewer|lower|shorter|smaller|older|younger)",
)
OR = pattern(
    r"^or (?:more|greater|higher|longer|less|fewer|lower|shorter|smaller|older|younger)\b\s*", re.IGNORECASE
)
GOES_ON = pattern(r"^[\s,]*(?:and|but|or)?[\s,]*$", re.IGNORECASE)


class Bound(msgspec.Struct, frozen=True):
    """One bound: its comparator and number, where they stand, whether a symbol is used, whether it counts times."""

    comparator: str
    value: float
    start: int
    end: int
    symbol: bool
    times: bool = False


def bounds(said: str) -> Iterator[Bound]:
    """The bounds in the order of their patterns."""
    for match in PHRASE.finditer(said):
        if match["low"]:
            yield Bound(">=", number(match["low"]), match.start(), match.end("low"), False)
            yield Bound("<=", number(match["high"]), match.start("high"), match.end(), False)
            continue
        index = next(i for i in range(len(_COMPARATORS)) if match[f"c{i}"])
        written = match["number"].lower()
        word = match[f"c{index}"]
        if written in ("once", "twice"):
            if re.match(r"\s+as\b", said[match.end() :]):
                continue
            yield Bound(
                _COMPARATORS[index][0], 1 + (written == "twice"), match.start(), match.end(), False, True
            )
            continue
        yield Bound(
            _COMPARATORS[index][0], number(written), match.start(), match.end(), not word[0].isalpha()
        )
    for match in OR_MORE.finditer(said):
        comparator = (
            ">=" if match["way"].lower() in ("more", "greater", "higher", "longer", "older") else "<="
        )
        yield Bound(comparator, number(match["number"]), match.start(), match.end("number"), False)


def rests(said: str, found: list[Bound]) -> Iterator[str]:
    """What follows the number of each bound that is joined to the first: its unit, and what qualifies them all.

    Of two joined bounds one may write the unit of both: `between 3 and 20 characters`, `at least 8 items, at most 9`.
    """
    units: list[str] = []
    count = 0
    for position, bound in enumerate(found):
        end = found[position + 1].start if position + 1 < len(found) else len(said)
        rest = said[bound.end : end]
        if OR.match(rest.lstrip()):
            rest = OR.sub(" ", rest.lstrip(), count=1)
        rest = (" times" if bound.times else "") + rest
        size = measured(bound.value, rest)
        units.append(rest[: size.length])
        count += 1
        last = rest[size.length :]
        if not GOES_ON.match(last):
            break
    else:
        last = ""
    for position in range(count):
        unit = next((each for each in (*units[position:], *reversed(units[:position])) if each), "")
        yield f"{unit} {last}" if unit else f" , {last}" if last else ""
