"""What a criterion or a page tells of requests and their answers, as exchanges to be sent one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.facts import Fact, Json, Kind
from planner.contracts.confidential import is_credential
from planner.stories.exchanges import Exchange, exchanges_of, rows_of

# What a server says of a thing by itself, or otherwise each time.
_PASSING = re.compile(
    r"(?i)(^|_)(id|ids|uuid|guid|hash|etag|created|updated|modified|at|on|date|time|timestamp|expires|expires_in|version|"
    r"url|uri|href|link|links|ip|host|uptime|duration|elapsed|count|total)$|(?-i:[a-z](Ids?|At|On|Url|Date|Time)$)"
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-.*")
_CHANGING = frozenset({"PUT", "PATCH", "DELETE"})


def rows_in(fact: Fact) -> int:
    """How many tests a fact may give: the rows of an outline, the requests of a page; 1 for all else."""
    return len(fact.aspects.get("requests") or ()) if fact.kind is Kind.PAGE else rows_of(fact)


def exchanges_in(fact: Fact, row: int = 0) -> list[Exchange]:
    """The exchanges of one row; empty where it tells none. Raises UnclearExchange as `exchanges_of` does.

    A request of a page comes after those on the page that made what its path names, and changed it since.
    """
    if fact.kind is not Kind.PAGE:
        return exchanges_of(fact, row)
    rows = fact.aspects.get("requests") or ()
    if row >= len(rows) or any(is_credential(name) for name in rows[row].get("headers", {})):
        return []
    *before, last = _after_others(rows, row)
    found = [_exchange(rows[number], path, is_told=False) for number, path in before]
    return [*found, _exchange(rows[last[0]], last[1], is_told=True)]


def _after_others(rows: Sequence[dict[str, Json]], row: int) -> list[tuple[int, str]]:
    """The numbers of the rows that a row needs and of itself, each with its path, in which made things are named."""
    path = str(rows[row]["path"])
    for number in range(row - 1, -1, -1):
        name = _maker_of(rows[number], path)
        if name is None:
            continue
        key = str(rows[number]["answer"][name])
        steps = _after_others(rows, number)
        for between in range(number + 1, row):
            other = rows[between]
            if other["method"] in _CHANGING and key in str(other["path"]).split("/"):
                steps.append((between, _named(str(other["path"]), key, name)))
        return [*steps, (row, _named(path, key, name))]
    return [(row, path)]


def _maker_of(row: dict[str, Json], path: str) -> str | None:
    """The field of a row's answer whose value a path names, where the row made a thing below that path."""
    answer, collection = row.get("answer"), str(row["path"]).rstrip("/")
    if row["method"] != "POST" or not isinstance(answer, dict) or not path.startswith(f"{collection}/"):
        return None
    key = path.removeprefix(f"{collection}/").partition("/")[0]
    return next(
        (
            name
            for name, value in answer.items()
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value) == key
        ),
        None,
    )


def _named(path: str, key: str, name: str) -> str:
    return "/".join(f"{{{name}}}" if part == key else part for part in path.split("/"))


def _exchange(row: dict[str, Json], path: str, *, is_told: bool) -> Exchange:
    query: dict[str, Json] = {}
    for name, value in row.get("query", ()):
        known = query.get(name)
        query[name] = value if known is None else [*(known if isinstance(known, list) else [known]), value]
    body, status, answer = row.get("body"), str(row.get("status", "")), row.get("answer")
    sent = {**query, **(body if isinstance(body, dict) else {})}
    shown = dict(_lasting(answer, sent)) if isinstance(answer, dict) and status[:1] in ("", "2") else {}
    return Exchange(
        method=str(row["method"]),
        path=path,
        query=query,
        headers=dict(row.get("headers", {})),
        body=body,
        status=status if is_told else "",
        answer=(shown,) if is_told and shown else (),
        in_part=True,
        is_shown=is_told and answer is not None,
    )


def _lasting(answer: dict[str, Json], sent: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    """The fields of an answer that are the same for everybody who asks so: what was sent, and what does not pass."""
    for name, value in answer.items():
        if name in sent and sent[name] == value and not is_credential(name):
            yield name, value
        elif _PASSING.search(name) or is_credential(name) or isinstance(value, dict):
            continue
        elif isinstance(value, list):
            if not any(isinstance(each, dict | list) for each in value):
                yield name, value
        elif not (isinstance(value, str) and _MOMENT.fullmatch(value)):
            yield name, value
