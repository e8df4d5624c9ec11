"""Tests of where the application of a project is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.generators.applications.application import application, applications, lacks, write_conftest
from engine.generators.applications.shared_fixtures import conftest
from engine.plugins import BUILT_IN_INGESTORS, BUILT_IN_RESOLVERS
from graph.store.store import Store
from ingest.discovery.walk import discover
from ingest.refresh import Surroundings, refresh_files
from ingest.resolving import refresh_resolved
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


FLASK = "from flask import Flask\n\ndef create_app():\n    app = Flask(__name__)\n    return app\n"
FASTAPI = (
    FLASK.replace("flask", "fastapi").replace("Flask(__name__)", "FastAPI()").replace("Flask", "FastAPI")
)
MADE = "from flask import Flask\n\napp = Flask(__name__)\n"
ASIDE = {"aside.py": "from fastapi import FastAPI\n\nother = FastAPI()\n"}
"""An application of another framework, so that the code as a whole does not tell it."""
WRAPPED = (
    "from werkzeug.middleware.proxy_fix import ProxyFix\n"
    "from shop.core import app as inner\n\napp = ProxyFix(inner)\n"
)
RENAMED = "from shop import create_app as make\n\napp = make()\n"
SAYING = "from legacy import make\nfrom flask import Flask\n\ndef build() -> 'Flask':\n    return make()\n"
OURS = MADE.replace("app = Flask(", "class Ours(Flask):\n    pass\n\napp = Ours(")
CONNEXION = "import connexion\n\nmade = connexion.FlaskApp(__name__)\napp = made.app\n"


@pytest.mark.parametrize(
    ("files", "place", "framework"),
    [
        ({"shop/__init__.py": "from .core import app\n", "shop/core.py": MADE}, "shop:app", "flask"),
        ({"shop/__init__.py": "from .core import app as api\n", "shop/core.py": MADE}, "shop:api", "flask"),
        (
            {"shop/__init__.py": "from . import core\n\napi = core.app\n", "shop/core.py": MADE},
            "shop:api",
            "flask",
        ),
        (
            {"shop/__init__.py": "from .core import create_app\n", "shop/core.py": FLASK},
            "shop:create_app()",
            "flask",
        ),
        (
            {"shop/__init__.py": FLASK, "api.py": FASTAPI, "wsgi.py": RENAMED},
            "wsgi:app",
            "flask",
        ),
        ({"shop.py": FLASK.replace("create_app", "build")}, "shop:build()", "flask"),
        (
            {"shop.py": FLASK + "\ndef outer():\n    return create_app()\n\napi = outer()\n"},
            "shop:api",
            "flask",
        ),
        ({"shop.py": SAYING}, "shop:build()", "flask"),
        ({"shop.py": OURS}, "shop:app", "flask"),
        (
            {"shop.py": MADE.replace("Flask\n", "Flask as Service\n").replace("Flask(", "Service(")},
            "shop:app",
            "flask",
        ),
        ({"shop.py": SERVER + "\nserver = Server()\n"}, "shop:server.app", "flask"),
        ({"shop/core.py": MADE, "serve.py": WRAPPED}, "serve:app", "wsgi"),
        (
            {
                "serve.py": "from starlette.middleware.cors import CORSMiddleware\nfrom fastapi import FastAPI\n"
                "from flask import Flask\n\nlegacy = Flask(__name__)\ninner = FastAPI()\napp = CORSMiddleware(inner)\n"
            },
            "serve:app",
            "fastapi",
        ),
        ({"serve.py": CONNEXION}, "serve:app", "flask"),
    ],
    ids=[
        "imported again",
        "by another name",
        "assigned again",
        "a factory imported again",
        "one of two factories",
        "a factory of another name",
        "a factory behind a factory",
        "what a function says it gives",
        "a class of its own",
        "a constructor by another name",
        "of an object",
        "behind a proxy",
        "behind a gate of ASGI",
        "of an object that makes it",
    ],
)
def test_the_object_that_is_named_tells_its_framework(
    files: dict[str, str], place: str, framework: str
) -> None:
    assert found({**files, **ASIDE}, place) == Application(framework, place)


GATE = "from django.core.wsgi import get_wsgi_application\n\napplication = get_wsgi_application()\n"


@pytest.mark.parametrize(
    "text",
    [
        GATE,
        GATE.replace("= get_wsgi_application()", "= WhiteNoise(get_wsgi_application())"),
        GATE + "application = WhiteNoise(application)\n",
        GATE.replace("= get_wsgi_application()", "= Router({'http': get_wsgi_application()})"),
    ],
    ids=["plain", "wrapped", "wrapped afterwards", "in a router"],
)
def test_a_gate_of_django_is_one_whatever_stands_before_it(text: str) -> None:
    assert found({"site/wsgi.py": text}) == Application("django", "site.wsgi:application")
    assert found({"site/wsgi.py": text, **ASIDE}, "site.wsgi:application") == Application(
        "django", "site.wsgi:application"
    )


def test_of_applications_that_lie_in_one_another_the_outermost_is_meant() -> None:
    beside = "from fastapi import FastAPI\n" + MADE.replace("app =", "old =") + "app = FastAPI()\n"
    assert found({"serve.py": beside}) == Application("fastapi", "serve:app")
    main = "from fastapi import FastAPI\nfrom admin import admin\n\napp = FastAPI()\n"
    admin = "from fastapi import FastAPI\n\nadmin = FastAPI()\n"
    assert found({"serve.py": main, "admin.py": admin}) == Application("fastapi", "serve:app")
    assert found({"serve.py": MADE, "admin.py": admin}) is None


def test_a_flask_that_is_wrapped_under_its_own_name_is_asked_through_what_stands_before_it() -> None:
    target = Application("wsgi", "serve:app")
    assert found({"serve.py": MADE + "app = ProxyFix(app)\n"}) == target
    text = conftest(target)
    assert "inner, bare = WsgiClient(application)" in text
    assert "application.testing" not in text


def test_what_one_factory_makes_twice_is_one_application() -> None:
    served = "from shop import create_app\n\napp = create_app()\n"
    made = {"shop.py": FLASK, "run.py": served, "wsgi.py": served}
    assert found(made) == Application("flask", "wsgi:app")


def test_other_things_by_the_name_of_a_framework_are_no_applications() -> None:
    assert found({"shop.py": "class Application:\n    pass\n\napp = Application()\n"}) is None
    assert found({"shop.py": "from openapi_core import OpenAPI\n\nspec = OpenAPI('x')\n"}) is None
    assert found({"shop.py": "from shop import app\n"}, "shop:app") == Application(
        "", "shop:app", exists=False
    )


MANAGE = 'import os\n\nos.environ.setdefault("DJANGO_SETTINGS_MODULE", "site.settings")\n'
SETTINGS = 'ROOT_URLCONF = "site.urls"\nINSTALLED_APPS = ["shop"]\n'


def test_a_site_of_django_that_only_its_manage_py_starts_is_the_application() -> None:
    made = found({"manage.py": MANAGE, "site/settings.py": SETTINGS, "tests/settings.py": SETTINGS})
    assert made is not None
    assert (made.framework, made.settings) == ("django", "site.settings")
    text = conftest(made)
    assert 'importlib.import_module("site.settings")' in text
    assert 'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site.settings")' in text
    compile(text, "conftest.py", "exec")


@pytest.mark.parametrize(
    "files",
    [
        {"site/settings.py": SETTINGS},
        {"manage.py": MANAGE, "one/settings.py": SETTINGS, "two/settings.py": SETTINGS},
        {"manage.py": MANAGE, "site/base.py": SETTINGS, "site/dev.py": "from site.base import *\n"},
        {"manage.py": MANAGE, "site/settings.py": 'INSTALLED_APPS = ["shop"]\n'},
    ],
    ids=["no manage.py", "two settings", "taken over by others", "no root of URLs"],
)
def test_a_site_of_django_whose_settings_are_not_sure_is_none(files: dict[str, str]) -> None:
    assert found(files) is None


def test_a_gate_of_django_comes_before_its_settings() -> None:
    files = {"manage.py": MANAGE, "site/settings.py": SETTINGS, "site/wsgi.py": GATE}
    assert found(files) == Application("django", "site.wsgi:application")


HOLDER = (
    "from flask import Flask\n\nclass Server:\n    def __init__(self):\n        self.app = Flask(__name__)\n"
)


def test_what_an_object_that_is_made_holds_is_the_application() -> None:
    served = "from shop import Server\n\napp = Server().app\n"
    assert found({"shop.py": HOLDER, "serve.py": served}) == Application("flask", "serve:app")
    other = "from shop import Server\n\napp = Server().name\n"
    assert found({"shop.py": HOLDER, "serve.py": other}) is None


FILLED = {
    "shop/__init__.py": "",
    "shop/core.py": "from fastapi import FastAPI\n\napp = FastAPI()\n",
    "shop/orders.py": "from .core import app\n\n@app.get('/orders')\ndef orders():\n    return []\n",
}


def read(folder: Path, files: dict[str, str]) -> Application | None:
    """The application of a project on disk, whose routes are resolved."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    store, listing = Store.open(None), discover(folder)
    refresh_files(folder, listing, store, BUILT_IN_INGESTORS, Surroundings())
    refresh_resolved(folder, listing, store, BUILT_IN_RESOLVERS)
    store.publish()
    return application(store, "")


def test_an_application_is_taken_from_where_its_routes_are_registered(tmp_path: Path) -> None:
    assert read(tmp_path, FILLED) == Application("fastapi", "shop.orders:app")
    more = {
        "shop/carts.py": FILLED["shop/orders.py"].replace("orders", "carts"),
        "shop/main.py": "from shop import carts, orders\nfrom shop.core import app as served\n",
    }
    assert read(tmp_path, more) == Application("fastapi", "shop.main:served")


def test_an_application_that_loads_its_routes_by_itself_stays_where_it_is(tmp_path: Path) -> None:
    loading = FILLED["shop/core.py"] + "from shop import orders\n"
    assert read(tmp_path, {**FILLED, "shop/core.py": loading}) == Application("fastapi", "shop.core:app")


def test_of_several_the_one_that_uses_the_package_of_the_others_is_meant() -> None:
    main = "from flask import Flask\nfrom shop import parts\n\napp = Flask(__name__)\n"
    package = {
        "shop/__init__.py": "",
        "shop/parts.py": "",
        "shop/_app.py": main.partition("from shop")[0] + "app = Flask('x')\n",
    }
    assert found({"main.py": main, **package}) == Application("flask", "main:app")
    assert found({"main.py": main.replace("from shop import parts", ""), **package}) is None


def test_what_is_called_app_is_one_whatever_its_factory_is_called() -> None:
    factory = FACTORY.replace("create_app", "get_shop_site")
    assert found(
        {"shop.py": factory, "main.py": "from shop import get_shop_site\n\napp = get_shop_site()\n"}
    ) == (Application("flask", "main:app"))
