"""Django Ninja: the examples of its documentation and the APIs of its tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.drift.applications.django_projects import ninja_project, own_projects
from benchmarks.drift.environment import source_distribution
from benchmarks.drift.records import Application, Part

VERSION = "1.3.0"


class DjangoNinja:
    """Projects of our own, and one of each module that registers operations; the second half of the tests is unread."""

    name = "django-ninja"
    exporter = "django_ninja_routes"
    needs_contract = False
    own_responses: frozenset[str] = frozenset()
    requirements = (
        f"django-ninja=={VERSION}",
        "Django==5.1.15",
        "pydantic==2.14.3",
        "email-validator==2.4.0",
    )

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        yield from own_projects("ninja_")
        folder = source_distribution("django-ninja", VERSION, work)
        tests = sorted((folder / "tests").glob("test_*.py"))
        unread = set(tests[len(tests) // 2 :])
        made = work / "made" / f"django-ninja-{VERSION}"
        for file in [*sorted((folder / "docs" / "src").rglob("*.py")), *tests]:
            name = "_".join(file.relative_to(folder).with_suffix("").parts[-3:])
            project = ninja_project(file, name, made)
            part: Part = "unread" if file in unread else "read"
            if project is not None:
                yield Application(
                    name=name,
                    folder=project,
                    module="urls",
                    part=part,
                    family=name,
                    copied=("settings.py", "manage.py", "urls.py", "example"),
                )
