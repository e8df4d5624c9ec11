from __future__ import annotations

from pathlib import Path

import msgspec

from graph.facts import Extract, Fact, Kind, Location, Relation, Tag, Unknown, Verb
from ingest.storable import storable
from tests.commands import crossfact

ROOT = Path(__file__).parent.parent.parent
LONE = "a\ud800"
SHOWN = r"a\ud800"


def extract_of(word: str) -> Extract:
    fact = Fact(
        tag=Tag.CODE,
        kind=Kind.OPERATION,
        key=word,
        name=word,
        source=Location("a.py", 1, 2),
        aspects={word: [word, 1, 10**30, None, {"x": word}]},
    )
    return Extract(
        facts=[fact],
        relations=[Relation(Verb.HANDLED_BY, fact.id, word, reason=word)],
        unknown=[Unknown(word, "a", "a.py", 1, word)],
        reads=[word],
    )


def test_lone_surrogates_are_shown_wherever_they_stand_and_all_else_stays() -> None:
    assert storable(extract_of(LONE)) == extract_of(SHOWN)
    assert type(storable(extract_of(LONE)).facts[0].kind) is Kind
    msgspec.json.encode(storable(extract_of(LONE)))


def test_an_extract_without_any_is_itself() -> None:
    extract = extract_of("wörld")
    assert storable(extract) is extract


def test_code_with_half_a_character_in_a_route_and_a_default_is_read(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n"
        '@app.get("/a\\ud800")\ndef a(q: str = "\\udfff") -> dict:\n    return {}\n',
        encoding="utf-8",
    )
    done = crossfact(tmp_path, "facts", "--kind", "operation", environment={"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr) == (0, "")
    assert r"code:operation:GET /a\ud800" in done.stdout
