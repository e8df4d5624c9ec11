"""What the generated tests of a project stand on: the application, its callers, and the conftest that they share."""

from __future__ import annotations

import msgspec

from engine.generators.applications.application import (
    application,
    is_taken_over,
    lacks,
    write_conftest,
)
from engine.generators.applications.conftest_files import Fixtures
from engine.generators.applications.credentials import credentials, key_of_surroundings
from engine.generators.applications.entering import entering
from engine.generators.applications.own_fixtures import Prepared, own_headers, prepared
from engine.generators.applications.site_callers import lets_in_accounts, site_caller
from engine.generators.applications.surroundings import Surroundings, surroundings
from engine.generators.operations.contract import stage_of
from engine.generators.operations.others import STRANGER
from engine.project import Project, Tell
from graph.facts import Kind, Tag
from graph.source import FactSource
from planner.contracts.listed_things import shown_by_list
from planner.generator import Application, Context


class Testbed(msgspec.Struct, frozen=True):
    """What the tests of a project stand in: the application, and what its conftest has to offer them."""

    project: Project
    context: Context
    credentials: dict[str, str] | None
    way_in: str | None
    own: Prepared | None
    around: Surroundings | None

    def write(self) -> bool:
        """Write the conftest, unless a person took it over, and say whether it changed."""
        store = self.project.store
        every = stage_of(store).operations.values()
        return write_conftest(
            self.project.root,
            self.context.folder,
            self.context.application,
            self.credentials,
            way_in=self.way_in,
            own=self.own,
            around=self.around,
            signatures=any(True for _ in store.facts(tag=Tag.SPEC, kinds={Kind.FUNCTION})),
            adding=any(
                shown_by_list(each, "id", every) is not None for each in every if each.method == "POST"
            ),
        )


def _own(project: Project, target: Application | None) -> tuple[Prepared | None, str | None]:
    """The fixture of the project that prepares the application, and `auth` as one of its fixtures gives it."""
    if target is None or not target.place:
        return None, None
    offered = Fixtures(project.root, project.settings.tests_folder)
    own = prepared(offered, target.framework)
    return own, own_headers(offered, own)


def testbed(project: Project) -> Testbed:
    """The application that is there or agreed on, who may call it, and what the tests' conftest offers."""
    store, folder = project.store, project.settings.tests_folder
    known = credentials(store)
    target = application(store, project.settings.app)
    own, headers = _own(project, target)
    is_open = known is None and not is_taken_over(project.root, folder)
    auth, way_in = _way_in(store, target, headers) if is_open else ("known", None)
    fixtures = {
        name: "unknown" if lacks(project.root, folder, name) else "known"
        for name in ("arranged", "takes", "made_up", "added")
    }
    if way_in is not None and "def account(" in way_in:
        fixtures["account"] = "known" if lets_in_accounts(store) else "unsure"
        fixtures["caller"] = "own"  # What a test makes of its caller is undone after it.
    if way_in is not None and f"def {STRANGER}(" in way_in:
        fixtures[STRANGER] = "known"
    context = Context(
        source=store,
        application=target,
        folder=folder,
        options={"auth": auth, **fixtures},
    )
    around = surroundings(store, target, project.root) if own is None else None
    return Testbed(project, context, known, way_in, own, around)


def _way_in(source: FactSource, target: Application | None, own: str | None) -> tuple[str, str | None]:
    """The fixture `auth` and how it comes by its caller: `made` beside the service, or `entered` by its own login.

    `own` is the fixture with the headers of the project's own tests.
    """
    stage = stage_of(source)
    made = site_caller(source, target, stage) or own
    entered = entering(stage) if made is None else None
    if made is None and entered is None and target is not None and "://" not in target.place:
        made = key_of_surroundings(source)
    return ("made", made) if made else ("entered", entered) if entered else ("unknown", None)


def follow_application(project: Project, tell: Tell) -> None:
    """Write the conftest anew where the application came, moved or changed its framework since it was written."""
    folder = project.settings.tests_folder
    is_there = (project.root / folder / "conftest.py").is_file()
    if not is_there or is_taken_over(project.root, folder):
        return
    bed = testbed(project)
    target = bed.context.application
    if target is not None and target.place and bed.write():
        tell(f"crossfact: the application is {target.place} now: {bed.context.folder}/conftest.py says so")
