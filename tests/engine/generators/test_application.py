"""Tests of where the application of a project is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.generators.application import application, applications, lacks, write_conftest
from planner.generator import Application
from tests.healer.moving.changing import stored

FACTORY = """\
from flask import Flask

def create_app(config=None, **more):
    app = Flask(__name__)
    return app
"""
NEEDING = FACTORY.replace("config=None", "config")


def found(files: dict[str, str], configured: str = "") -> Application | None:
    return application(stored(files), configured)


def test_a_factory_that_needs_nothing_makes_the_application() -> None:
    assert found({"shop.py": FACTORY}) == Application("flask", "shop:create_app()")


def test_what_a_module_makes_by_the_factory_is_the_application() -> None:
    served = "from shop import create_app\n\napp = create_app()\n"
    assert found({"shop.py": FACTORY, "serve.py": served}) == Application("flask", "serve:app")


def test_what_a_module_makes_by_a_factory_that_needs_something_is_the_application() -> None:
    served = "from shop import create_app\n\napp = create_app(Settings(debug=True))\n"
    assert found({"shop.py": NEEDING, "serve.py": served}) == Application("flask", "serve:app")


@pytest.mark.parametrize(
    "text",
    [
        NEEDING,
        FACTORY.replace("create_app", "thing"),
        FACTORY.replace("Flask(__name__)", "dict()"),
        FACTORY + FACTORY.replace("create_app", "test_app"),
    ],
    ids=["that needs something", "not called so", "of something else", "one of two"],
)
def test_no_other_function_makes_it(text: str) -> None:
    assert found({"shop.py": text}) is None


def test_a_factory_that_is_named_in_the_settings_tells_its_framework() -> None:
    two = FACTORY + FACTORY.replace("create_app", "test_app")
    assert found({"shop.py": two}, "shop:test_app()") == Application("flask", "shop:test_app()")


SERVER = """\
from flask import Flask

class Server:
    def __init__(self):
        self.app = Flask(__name__)

def create_app():
    server = Server()
    return server.app

if __name__ == "__main__":
    app = create_app()
"""


def test_a_factory_may_make_an_object_that_makes_the_application() -> None:
    assert found({"shop.py": SERVER}) == Application("flask", "shop:create_app()")


def test_what_only_the_program_makes_is_nothing_that_tests_can_import() -> None:
    guarded = FACTORY.replace(
        "return app", "return app\n\nif __name__ == '__main__':\n    app = create_app()"
    )
    assert found({"shop.py": guarded}) == Application("flask", "shop:create_app()")


def test_a_place_that_is_not_found_has_the_only_framework_of_the_code() -> None:
    package = {"shop/core.py": "from flask import Flask\n\napp = Flask(__name__)\n", "shop/__init__.py": ""}
    assert found(package, "shop:app") == Application("flask", "shop:app", exists=False)
    both = {**package, "other.py": "from fastapi import FastAPI\n\napp = FastAPI()\n"}
    assert found(both, "shop:app") == Application("flask", "shop:app", exists=False)
    assert found(both, "shopping:app") == Application("", "shopping:app", exists=False)


def test_what_is_told_of_applications_is_what_one_is_chosen_from() -> None:
    assert applications(stored({"shop.py": FACTORY})) == {"shop:create_app()": "flask"}
    gates = {"asgi.py": "get_asgi_application", "wsgi.py": "get_wsgi_application"}
    django = {name: f"import django\n\napplication = {maker}()\n" for name, maker in gates.items()}
    (place,) = applications(stored(django))
    assert found(django) == Application("django", place)


def test_a_conftest_that_a_person_took_over_lacks_what_is_not_in_it(tmp_path: Path) -> None:
    assert not lacks(tmp_path, "tests", "takes")
    write_conftest(tmp_path, "tests", None, signatures=False)
    assert not lacks(tmp_path, "tests", "takes")
    file = tmp_path / "tests" / "conftest.py"
    file.write_text('"""Mine."""\n')
    assert lacks(tmp_path, "tests", "takes")
    assert not write_conftest(tmp_path, "tests", None, signatures=True)
    file.write_text("def takes():\n    pass\n")
    assert not lacks(tmp_path, "tests", "takes")
