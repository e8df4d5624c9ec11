"""The claims of stories and of acceptance criteria, each on its own line of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from graph.facts import Json
from ingest.claims.claim import Claim
from ingest.claims.reading import as_aspect, premises, read_claims, under

_COMPARED = 24
_MOST_ROWS = 20
_PLACEHOLDER = re.compile(r"<([^<>]+)>")
_MARKUP = str.maketrans("", "", "*_[]`\\")


def criterion_claims(
    aspects: dict[str, Json], rows: Sequence[str], first: int, last: int, roles: Iterable[str] = ()
) -> dict[str, Json]:
    """The aspect `claims` of a criterion that stands on these lines of a file, whose rows are given.

    What the outcome claims holds under what the `When` says; `Given` and `When` only name requests and fields.
    """
    claims: list[Claim] = []
    if any(aspects.get(kind) for kind in ("given", "when", "then")):
        title = aspects.get("title") or ""
        claims += [] if aspects.get("then") else premises(title)
        for step in (*aspects.get("given", []), *aspects.get("when", [])):
            claims += _presupposed(step, aspects.get("examples") or [])
        for step, before in _with_cases(aspects):
            condition = " and ".join(map(_first_row, before))
            claims += _outcome(step, condition, aspects.get("examples") or [], roles)
    else:
        claims += read_claims(aspects.get("text") or "", roles_known=roles)
    return as_aspect(placed(claims, rows, first, last))


def _with_cases(aspects: dict[str, Json]) -> Iterator[tuple[str, list[str]]]:
    """Each `Then` with the `When`s before it; with all of them, where the text does not show their places."""
    rows = [row.strip().rstrip(",;.") for row in str(aspects.get("text") or "").split("\n")]
    when, then = aspects.get("when", []), aspects.get("then", [])
    places = _places(when, rows)
    for step, place in zip(then, _places(then, rows), strict=True):
        before = [
            each for each, its in zip(when, places, strict=True) if its is not None and its < (place or 0)
        ]
        yield step, before if before and None not in places else when


def _places(steps: Iterable[str], rows: Sequence[str]) -> list[int | None]:
    """The row that each of these steps ends, in their order."""
    found: list[int | None] = []
    start = 0
    for step in steps:
        end = _first_row(step)
        place = next((n for n in range(start, len(rows)) if end and rows[n].endswith(end)), None)
        start = start if place is None else place + 1
        found.append(place)
    return found


def _presupposed(step: str, examples: Iterable[dict[str, str]]) -> Iterable[Claim]:
    """Which requests and fields a step names; of an outline also those that the cells of its rows put there."""
    found = premises(step)
    if found or not _PLACEHOLDER.search(step):
        return found
    named: dict[tuple[str, Json], Claim] = {}
    for row in islice(examples, _MOST_ROWS):
        for claim in premises(_filled(step, row)):
            named.setdefault((str(claim.kind), claim.value or claim.subject), claim)
    return [msgspec.structs.replace(claim, words=_first_row(step)) for claim in named.values()]


def _outcome(
    step: str, condition: str, examples: Iterable[dict[str, str]], roles: Iterable[str]
) -> list[Claim]:
    """What a `Then` claims; of an outline, what it claims with the values of its rows, in the step's own words.

    Rows that claim the same under other conditions claim it once.
    """
    if not _PLACEHOLDER.search(step):
        return list(under(read_claims(step, roles_known=roles), condition))
    found: list[Claim] = []
    seen: list[Claim] = []
    for row in islice(examples, _MOST_ROWS):
        claims = under(read_claims(_filled(step, row), roles_known=roles), _filled(condition, row))
        for claim in claims:
            bare = msgspec.structs.replace(claim, words="", condition="")
            if bare not in seen:
                seen.append(bare)
                found.append(msgspec.structs.replace(claim, words=_first_row(step)))
    return found


def _filled(text: str, row: dict[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: str(row.get(match[1], match[0])), text)


def story_claims(want: str, rows: Sequence[str], first: int, last: int) -> dict[str, Json]:
    """The aspect `claims` of a story, from what its sentence wants."""
    return as_aspect(placed(read_claims(want), rows, first, last))


def placed(claims: Iterable[Claim], rows: Sequence[str], first: int, last: int) -> Iterable[Claim]:
    """The claims, each with the line among these on which its words begin; the first line where none shows them."""
    plain = [row.translate(_MARKUP) for row in rows[first - 1 : last]]
    for claim in claims:
        said = _first_row(claim.words.translate(_MARKUP))
        starts = (said, said[:_COMPARED].rstrip())
        found = (number for start in starts if start for number, row in enumerate(plain) if start in row)
        offset = next(found, 0)
        yield msgspec.structs.replace(claim, line=first + offset)


def _first_row(step: str) -> str:
    return step.partition("\n")[0].strip().rstrip(".,")
