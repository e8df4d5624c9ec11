"""Times a check of a generated application of 500 operations; `make bench-large` prints the table.

The contract is what FastAPI exports of the application, so that a check has nothing to report. Cold means that no facts
are kept; with the verdict kept, only what the validator said of this contract's content is.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import msgspec

from benchmarks.drift.applications.fastapi import FastApi
from benchmarks.drift.environment import WORK, truths
from benchmarks.drift.records import Application, Json
from benchmarks.measuring import Run, crossfact, machine, median, repeated
from graph.store.store import Store
from graph.store.writing import Writer

_MODULES = 50
_RESOURCES = 2
_GOAL_SECONDS = 5.0
_RUNS = 5

_HEAD = '''"""Routes of section {section}."""

from datetime import datetime
from enum import Enum
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, HTTPException, Query, status
from pydantic import BaseModel, Field

from big.common import Paging, Problem, current_user

router = APIRouter(prefix="/section{section}", tags=["section{section}"])
'''
_RESOURCE = """

class State{name}(str, Enum):
    open = "open"
    closed = "closed"


class New{name}(BaseModel):
    title: str = Field(min_length=1, max_length={bound})
    note: str | None = None
    weight: float = Field(gt=0, le={bound}.5)
    state: State{name} = State{name}.open
    labels: list[str] = []


class {name}(New{name}):
    id: UUID
    made_at: datetime


class {name}Page(BaseModel):
    items: list[{name}]
    total: int = Field(ge=0)


def find_{lower}({lower}_id: UUID) -> {name}:
    if {lower}_id.int == {bound}:
        raise HTTPException(status.HTTP_404_NOT_FOUND)
    return {name}.model_construct(id={lower}_id)


@router.get("/{lower}s")
def list_{lower}s(
    paging: Annotated[Paging, Depends()],
    state: State{name} | None = None,
    search: Annotated[str | None, Query(min_length=2, max_length={bound})] = None,
) -> {name}Page:
    return {name}Page(items=[], total=0)


@router.post("/{lower}s", status_code=201, responses={{404: {{"model": Problem}}}})
def add_{lower}(body: New{name}, user: Annotated[str, Depends(current_user)]) -> {name}:
    return find_{lower}(UUID(int=1))


@router.get("/{lower}s/{{{lower}_id}}", responses={{404: {{"model": Problem}}}})
def show_{lower}(found: Annotated[{name}, Depends(find_{lower})]) -> {name}:
    return found


@router.put("/{lower}s/{{{lower}_id}}", responses={{404: {{"model": Problem}}}})
def change_{lower}({lower}_id: UUID, body: New{name}, user: Annotated[str, Depends(current_user)]) -> {name}:
    return find_{lower}({lower}_id)


@router.delete("/{lower}s/{{{lower}_id}}", status_code=204)
def drop_{lower}({lower}_id: UUID, user: Annotated[str, Depends(current_user)]) -> None:
    return None
"""
_COMMON = '''"""What all sections share."""

from typing import Annotated

from fastapi import Query, Security
from fastapi.security import OAuth2PasswordBearer
from pydantic import BaseModel

oauth2 = OAuth2PasswordBearer(tokenUrl="token", scopes={"write": "Change things"})


class Problem(BaseModel):
    detail: str


class Paging:
    def __init__(self, offset: int = 0, limit: Annotated[int, Query(ge=1, le=100)] = 20) -> None:
        self.offset, self.limit = offset, limit


def current_user(token: Annotated[str, Security(oauth2, scopes=["write"])]) -> str:
    return token
'''


def generate(folder: Path) -> int:
    """Write the application below a folder; returns how many operations it has."""
    package = folder / "big"
    shutil.rmtree(folder, ignore_errors=True)
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "common.py").write_text(_COMMON)
    for section in range(_MODULES):
        text = _HEAD.format(section=section)
        for number in range(_RESOURCES):
            name = f"Thing{section}{'AB'[number]}"
            text += _RESOURCE.format(name=name, lower=name.lower(), bound=40 + section + number)
        (package / f"section{section}.py").write_text(text)
    names = ", ".join(f"section{section}" for section in range(_MODULES))
    includes = "".join(
        f'app.include_router(section{section}.router, prefix="/api")\n' for section in range(_MODULES)
    )
    main = f'"""The application."""\n\nfrom fastapi import FastAPI\n\nfrom big import {names}\n\napp = FastAPI()\n'
    (package / "main.py").write_text(main + includes)
    return _MODULES * _RESOURCES * 5


def main() -> None:
    """Measure and print; exit code 1 where the goal was missed or something was reported."""
    project = WORK / "large"
    operations = generate(project)
    application = Application(name="large", folder=project, module="big.main")
    contract = truths(FastApi(), [application])["large"].contract
    assert contract is not None, "FastAPI exports a contract"
    (project / "openapi.json").write_text(json.dumps(contract))
    check = crossfact("check", str(project), "--format", "json")
    cold = repeated(check, 1, lambda number: shutil.rmtree(project / ".crossfact", ignore_errors=True))
    kept = repeated(check, _RUNS, lambda number: _forget_facts(project / ".crossfact" / "facts.db"))
    warm = repeated(check, _RUNS)
    findings = _findings(check)
    print(f"{date.today()}, {machine()}, {operations} operations, {findings} findings\n")
    print("| | least wall s | CPU s (median) | goal |\n|---|---|---|---|")
    for name, runs, goal in (
        ("cold, the verdict kept", kept, f"{_GOAL_SECONDS} wall"),
        ("cold, with the validator", cold, "–"),
        ("unchanged", warm, "–"),
    ):
        print(f"| {name} | {_least(runs):.2f} | {median(runs):.2f} | {goal} |")
    sys.exit(_least(kept) > _GOAL_SECONDS or findings > 0)


def _least(runs: list[Run]) -> float:
    """The shortest wall time: what else the machine does can only lengthen it."""
    return min(run.wall for run in runs)


def _forget_facts(place: Path) -> None:
    """Take everything out of a store but the verdicts."""
    store = Store.open(place)
    writer = Writer(store)
    names = [owner.name for owner in store.owners().values() if owner.role != "verdict"]
    with writer.transaction():
        writer.retract(names)
    store.publish(keep=0)
    store.close()


def _findings(check: list[str]) -> int:
    done = subprocess.run(check, capture_output=True, check=False)
    report: dict[str, Json] = msgspec.json.decode(done.stdout)
    return len(report["findings"])


if __name__ == "__main__":
    main()
