"""Laws that names and shown objects justify hold on twins of modules, and notice what is broken in them."""

from __future__ import annotations

from pathlib import Path

from engine.configuration import Settings
from engine.generating import generate
from engine.planning import make_plan
from engine.project import Project
from graph.store.store import Store
from planner.cases import Status

STUB = '''\
import datetime

class AbsentError(Exception): ...

class Desk:
    def __init__(self, size: int = 3) -> None: ...
    def add(self, name: str, count: int = 1) -> None: ...
    def has(self, name: str) -> bool: ...
    def find(self, name: str) -> str | None: ...
    def remove(self, name: str) -> None: ...
    def set_price(self, name: str, value: float) -> None: ...
    def get_price(self, name: str) -> float | None: ...
    def owner(self, name: str):
        """Tell.

        Raises:
            AbsentError: if the name is not found.
        """

class Till:
    def __init__(self, count: int = LEAST) -> None: ...
    @property
    def count(self) -> int: ...

class Row:
    def __init__(self, text) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self): ...
    def __contains__(self, word: object) -> bool: ...
    def __getitem__(self, place: int): ...
    def __eq__(self, other: object) -> bool: ...
    def copy(self): ...
    def keys(self): ...
    def values(self): ...
    def items(self): ...

def is_leap_year(year: int) -> bool: ...
def parse_iso(text: str) -> datetime.datetime: ...
def slugify(text: str, sep: str = "-") -> str: ...
'''
PAGE = "# Rows\n\n```python\nfrom shop import Row\n\nrow = Row('a b')\n```\n"
LAWS = {
    *("known", "found", "given", "put again", "counted", "contained", "indexed", "duplicated", "itemized"),
    "equal",
}


def test_laws_hold_on_twins_and_notice_each_mutant(tmp_path: Path) -> None:
    (tmp_path / ".crossfact").mkdir()
    (tmp_path / "shop.pyi").write_text(STUB)
    (tmp_path / "README.md").write_text(PAGE)
    project = Project(tmp_path, (), Settings(history=False), Store.open(tmp_path / ".crossfact" / "facts.db"))
    make_plan(project, tell=print)
    cases = generate(project).cases
    project.store.close()
    told = [case for case in cases if case.target.get("law") in LAWS]
    assert {str(case.target["law"]) for case in told} == LAWS
    raising = [case for case in cases if case.target.get("exception")]
    assert [
        (case.id, case.last_error) for case in (*told, *raising) if case.status is not Status.GENERATED
    ] == []
    assert not [case.last_error for case in cases if case.status is Status.REJECTED]
    assert all(case.proof is not None and case.proof.holds for case in (*told, *raising))
