"""Which modules of a project's environment are found, and how a change of one is noticed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ingest.discovery.installed import Installed, environment_of


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    folder = tmp_path / "lib" / "python3.12" / "site-packages"
    folder.mkdir(parents=True)
    return folder


def installed(packages: Path, name: str, *required: str, files: str = "") -> None:
    described = packages / f"{name}-1.0.dist-info"
    described.mkdir()
    lines = "".join(f"Requires-Dist: {each}\n" for each in required)
    (described / "METADATA").write_text(
        f"Name: {name}\n{lines}\nRequires-Dist: in the text\n", encoding="utf-8"
    )
    (described / "RECORD").write_text(files, encoding="utf-8")


def module(folder: Path, path: str, text: str = "") -> Path:
    found = folder / path
    found.parent.mkdir(parents=True, exist_ok=True)
    found.write_text(text, encoding="utf-8")
    return found


def test_a_distribution_that_describes_data_is_looked_into(tmp_path: Path, packages: Path) -> None:
    installed(packages, "parcels", "pydantic>=2")
    path = module(packages, "parcels/models.py", "x = 1")
    module(packages, "parcels/__init__.py")
    environment = Installed(tmp_path)
    found = environment.find("parcels.models")
    assert found is not None
    assert (found.path, found.package) == (path.as_posix(), False)
    assert environment.text("parcels.models") == "x = 1"
    whole = environment.find("parcels")
    assert whole is not None
    assert whole.package
    assert environment.find("parcels.other") is None


def test_versions_of_distributions_are_known(tmp_path: Path, packages: Path) -> None:
    installed(packages, "some_thing", "in")
    environment = Installed(tmp_path)
    assert environment.version("some-thing") == "1.0"
    assert environment.version("nothing") == ""


def test_others_are_not(tmp_path: Path, packages: Path) -> None:
    installed(packages, "numbers_fast", "in")
    module(packages, "numbers_fast/__init__.py")
    environment = Installed(tmp_path)
    assert environment.find("numbers_fast") is None
    assert environment.state("numbers_fast") == ""
    assert environment.find("nothing") is None


def test_a_distribution_may_only_say_of_itself_what_it_is_made_for(tmp_path: Path, packages: Path) -> None:
    described = packages / "people-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        "Name: people\nClassifier: Framework :: Django :: 5.2\n\n", encoding="utf-8"
    )
    (packages / "people.py").write_text("PEOPLE = 1\n", encoding="utf-8")
    assert Installed(tmp_path).text("people") == "PEOPLE = 1\n"


def test_a_package_may_go_by_another_name_than_its_distribution(tmp_path: Path, packages: Path) -> None:
    installed(packages, "python_parcels", "FastAPI", files="parcels/a/models.py,sha256=,1\nalone.py,,\n")
    module(packages, "parcels/a/models.py")
    module(packages, "alone.py")
    environment = Installed(tmp_path)
    assert environment.find("parcels.a.models") is not None
    assert environment.find("alone") is not None


def test_folders_that_an_environment_points_to_are_looked_into(tmp_path: Path, packages: Path) -> None:
    sibling = tmp_path / "libs" / "shared"
    module(sibling, "shared/models.py")
    (packages / "_shared.pth").write_text(f"import nothing\n{sibling}\n/nowhere\n", encoding="utf-8")
    assert Installed(tmp_path).find("shared.models") is not None


def test_a_changed_module_has_another_state(tmp_path: Path, packages: Path) -> None:
    installed(packages, "parcels", "pydantic")
    path = module(packages, "parcels.py", "x = 1")
    before = Installed(tmp_path).state("parcels")
    assert before
    assert Installed(tmp_path).state("parcels") == before
    os.utime(path, (1, 1))
    assert Installed(tmp_path).state("parcels") != before


def test_an_environment_is_known_by_its_configuration(tmp_path: Path) -> None:
    assert environment_of(tmp_path / "bin" / "python") is None
    (tmp_path / "pyvenv.cfg").write_text("", encoding="utf-8")
    assert environment_of(tmp_path / "bin" / "python") == tmp_path


def test_an_environment_of_the_project_leads_nowhere_else(tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    packages = project / ".venv" / "lib" / "python3.12" / "site-packages"
    packages.mkdir(parents=True)
    installed(packages, "parcels", "pydantic")
    module(elsewhere, "parcels/keys.py", "KEY = 'secret'")
    (packages / "parcels").symlink_to(elsewhere / "parcels")
    module(elsewhere, "letters.py", "KEY = 'secret'")
    module(project, "libs/stamps.py", "PRICE = 1")
    (packages / "more.pth").write_text(f"{elsewhere}\n{project / 'libs'}\n", encoding="utf-8")
    os.mkfifo(packages / "waits.pth")
    bounded = Installed(project / ".venv", within=project)
    assert [bounded.find(name) for name in ("parcels.keys", "letters")] == [None, None]
    assert bounded.text("stamps") == "PRICE = 1"
    trusted = Installed(project / ".venv")
    assert trusted.text("parcels.keys") == trusted.text("letters") == "KEY = 'secret'"
