"""The REST framework of Django: the views that drf-spectacular's tests ask a contract for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.drift.applications.django_projects import own_projects, rest_project
from benchmarks.drift.environment import examples
from benchmarks.drift.records import Application, Part

VERSION = "0.28.0"


class DjangoRestFramework:
    """Projects of our own, and one of each test that generates a contract; of those the second half is unread."""

    name = "DRF"
    exporter = "django_rest_framework"
    needs_contract = False
    own_responses: frozenset[str] = frozenset()
    requirements = (
        f"drf-spectacular=={VERSION}",
        "Django==5.1.15",
        "djangorestframework==3.15.2",
        "django-filter==25.1",
        "PyYAML==6.0.3",
        "Pillow==11.3.0",
        "drf-nested-routers==0.94.1",
    )

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        yield from own_projects("drf_")
        folder = examples("drf-spectacular", VERSION, "tests", work) / "tests"
        files = sorted(folder.glob("test_*.py"))
        for index, file in enumerate(files):
            part: Part = "read" if 2 * index < len(files) else "unread"
            for name, project in rest_project(file, work / "made" / f"drf-spectacular-{VERSION}"):
                yield Application(
                    name=name,
                    folder=project,
                    module="urls",
                    part=part,
                    family=name,
                    copied=("settings.py", "manage.py", "urls.py", "example"),
                )
