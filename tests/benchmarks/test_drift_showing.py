"""Which statuses a project's own text shows, where crossfact says that they are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.drift.showing import Sources
from graph.facts import Fact, Kind, Location, Tag

CODE = """
GONE = 410

class Problem(Exception):
    status_code = 500

class Late(Problem):
    pass

class Lost(NotFound):
    pass

def show(request):
    raise Problem("late", status_code=409)

def tell(request):
    raise Late()

def find(request):
    raise Lost()

def old(request):
    return Response(status=GONE)

def made(request):
    return answer_of(request)

def refused(detail, status=400):
    return Response(detail, status=status)

def kept(request):
    code = 410 if request.old else 400
    return Response(code=code)

def asked(request):
    return refused("late", 429)
"""


@pytest.mark.parametrize(
    ("line", "exception", "shown"),
    [
        (14, "Problem", {"409"}),
        (17, "Late", {"500"}),
        (20, "Lost", {"404"}),
        (23, "", {"410"}),
        (26, "", set()),
        (29, "", {"400", "429"}),
        (33, "", {"400", "410"}),
    ],
)
def test_a_status_is_believed_where_the_statement_or_what_it_names_has_it(
    tmp_path: Path, line: int, exception: str, shown: set[str]
) -> None:
    (tmp_path / "app.py").write_text(CODE)
    aspects = {"origin": "raised", **({"exception": exception} if exception else {})}
    place = Location("app.py", line, line)
    fact = Fact(tag=Tag.CODE, kind=Kind.RESPONSE, key="GET /#500", name="500", source=place, aspects=aspects)
    sources = Sources(tmp_path)
    assert {each for each in ("400", "404", "409", "410", "429", "500") if sources.shows(fact, each)} == shown
