"""Applications, each with the contract exported once from its reference, and the tests made from that alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from benchmarks.drift.applications.fastapi import VERSION, FastApi
from benchmarks.drift.environment import WORK, source_distribution
from benchmarks.drift.records import Application, Json, Part, Truth
from benchmarks.drift.run import Options, choose
from engine.configuration import Settings
from engine.generating import generate
from engine.planning import make_plan
from engine.project import Project
from graph.store.store import Store
from planner.cases import Case, Status
from planner.generator import Draft

FOLDER = WORK.resolve() / "tdd"
STORIES = Path(__file__).with_name("stories")


class Subject(msgspec.Struct, frozen=True):
    """An application with its contract; `specs` has the contract and the tests, `code` the reference's files.

    Where it is `told`, stories lie beside the contract.
    """

    name: str
    module: str
    contract: dict[str, Json]
    files: tuple[str, ...]
    specs: Path
    code: Path
    own_tests: tuple[str, ...]
    told: bool = False

    @property
    def title(self) -> str:
        """Its name, and whether stories lie beside the contract."""
        return f"{self.name} with stories" if self.told else self.name

    def sources(self, change: Callable[[str], str]) -> dict[str, str]:
        """The text of each of its modules, changed."""
        return {
            module_of(file): change((self.code / file).read_text(encoding="utf-8"))
            for file in self.files
            if file.endswith(".py")
        }


class Suite(msgspec.Struct, frozen=True):
    """What was made for an application: all cases, the tests by the name of their function, which are negative."""

    cases: tuple[Case, ...]
    tests: dict[str, Case]
    negative: frozenset[str]


def module_of(file: str) -> str:
    """The name of a module from its file, relative to where imports begin."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def subjects(
    limit: int, part: Part = "read", *, only_told: bool = False, besides: int = 0, work: Path = WORK
) -> Iterator[Subject]:
    """A part of the drift benchmark's FastAPI applications that import and have operations, evenly `limit`.

    An application of which there are stories comes twice, without and with them; `only_told` leaves the others out.
    `besides` leaves out those that an even choice of so many takes: what comes then is another sample.
    """
    chosen, _, _ = choose(FastApi(), part, Options(work=work))
    if only_told:
        chosen = [each for each in chosen if _page(each[0]).is_file()]
    if besides:
        taken = _evenly(len(chosen), besides)
        chosen = [each for number, each in enumerate(chosen) if number not in taken]
    for number in sorted(_evenly(len(chosen), limit or len(chosen))):
        application, truth = chosen[number]
        subject = _subject(application, truth)
        yield subject
        if _page(application).is_file():
            yield _with_stories(subject, _page(application))


def _evenly(count: int, limit: int) -> frozenset[int]:
    """The numbers of at most `limit` among `count`, as evenly as they can be."""
    step = max(1.0, count / max(1, limit))
    return frozenset(int(number * step) for number in range(min(limit, count)))


def _page(application: Application) -> Path:
    return STORIES / f"{application.name.replace('/', '-')}.md"


def _subject(application: Application, truth: Truth) -> Subject:
    place = FOLDER / application.name.replace("/", "-")
    shutil.rmtree(place, ignore_errors=True)
    code = place / "code"
    for name in (*truth.files, *application.copied):
        source, target = application.folder / name, code / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)
    assert truth.contract is not None, "chosen only with a contract"
    return Subject(
        name=application.name,
        module=application.module,
        contract=truth.contract,
        files=tuple(truth.files),
        specs=_specs(place / "specs", truth.contract),
        code=code,
        own_tests=tuple(_own_tests(application, code)),
    )


def _with_stories(subject: Subject, page: Path) -> Subject:
    """The same application with its stories beside the contract, in a folder of its own."""
    specs = _specs(subject.specs.with_name("told"), subject.contract)
    shutil.copyfile(page, specs / "stories.md")
    return msgspec.structs.replace(subject, specs=specs, told=True)


def _specs(folder: Path, contract: dict[str, Json]) -> Path:
    """The folder with the contract in it, and with room for the store."""
    (folder / ".crossfact").mkdir(parents=True)
    (folder / "openapi.json").write_text(json.dumps(contract, indent=1), encoding="utf-8")
    return folder


def _own_tests(application: Application, code: Path) -> Iterator[str]:
    """The tests of FastAPI's own suite that name the application's module, copied beside it; none for others."""
    words = application.module.split(".")
    if words[0] != "docs_src" or "fastapi-" not in application.folder.name or len(words) < 3:
        return
    suite = source_distribution("fastapi", VERSION, WORK) / "tests"
    here = Path("tests") / "test_tutorial" / f"test_{words[1]}"
    for file in ("__init__.py", "utils.py"):
        (code / "tests").mkdir(exist_ok=True)
        shutil.copyfile(suite / file, code / "tests" / file)
    for source in sorted((suite.parent / here).glob("test_*.py")):
        if words[-1] in source.read_text(encoding="utf-8"):
            shutil.copytree(
                suite.parent / here,
                code / here,
                dirs_exist_ok=True,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
            (code / here.parent / "__init__.py").touch()
            yield str(here / source.name)


def suite(subject: Subject) -> Suite:
    """Plan, generate and prove from the contract alone: nothing of the code is there."""
    settings = msgspec.structs.replace(Settings(), history=False, app=f"{subject.module}:app")
    store = Store.open(subject.specs / ".crossfact" / "facts.db")
    project = Project(subject.specs, (), settings, store)
    make_plan(project, tell=lambda words: None)
    made = generate(project)
    store.close()
    drafts: dict[str, Draft] = {draft.case: draft for draft in made.drafts}
    written = [case for case in made.cases if case.node and case.status is not Status.REJECTED]
    negative = frozenset(case.node for case in written if case.id in drafts and drafts[case.id].negative)
    return Suite(made.cases, {case.node: case for case in written}, negative)
