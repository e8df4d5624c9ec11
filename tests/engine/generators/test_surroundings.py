"""Tests of what is set around an application that could not be imported, or has no database, without it."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.generators.applications.environment_names import Wanted, wanted
from engine.generators.applications.shared_fixtures import conftest
from engine.generators.applications.surroundings import Surroundings, surroundings
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader
from planner.generator import Application

SERVER = "postgresql://shop:shop@db/shop"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import os\nKEY = os.environ['KEY']", ("KEY", True, None, "")),
        ("import os\nos.environ['KEY'] = 'a'", None),
        ("import os\nKEY = os.getenv('KEY')", ("KEY", False, None, "")),
        ("from os import getenv\nKEY = getenv('KEY', 'tea')", ("KEY", False, "tea", "")),
        ("import os\nKEY = os.environ.get('KEY') or 'sqlite:///' + HERE", ("KEY", False, "sqlite:///", "")),
        ("from decouple import config\nKEY = config('KEY')", ("KEY", True, None, "")),
        ("from decouple import config\nDEBUG = config('DEBUG', cast=bool)", ("DEBUG", True, None, "bool")),
        ("from decouple import config\nKEY = config('KEY', default='a')", ("KEY", False, "a", "")),
        ("from shop import config\nKEY = config('KEY')", None),
        ("import environ\nenv = environ.Env()\nSIZE = env.int('SIZE')", ("SIZE", True, None, "int")),
        ("class Settings(BaseSettings):\n    key: str", ("KEY", True, None, "str")),
        ("class Settings(BaseSettings):\n    key: str = 'tea'", ("KEY", False, "tea", "str")),
        ("class Settings(BaseSettings):\n    key: str = Field(...)", ("KEY", True, None, "str")),
        ("class Settings(BaseSettings):\n    key: str = Field(alias='SHOP')", ("SHOP", True, None, "str")),
        (
            "class Settings(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix='tea_')\n    key: str",
            ("TEA_KEY", True, None, "str"),
        ),
        ("class Tea(BaseModel):\n    key: str", None),
    ],
)
def test_what_a_module_takes_from_its_environment(
    code: str, told: tuple[str, bool, str | None, str] | None
) -> None:
    found = list(wanted(ast.parse(code)))
    assert found == ([Wanted(told[0], is_needed=told[1], default=told[2], kind=told[3])] if told else [])


def around(folder: Path, code: str, framework: str = "fastapi", **files: str) -> Surroundings | None:
    (folder / "shop.py").write_text(code, encoding="utf-8")
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    read = PythonReader().read(Document(path="shop.py", text=code, role=Role.PYTHON, module="shop"))
    source = Memory([read], {"shop.py": "shop"})
    return surroundings(source, Application(framework, "shop:app"), folder)


SETTINGS = "class Settings(BaseSettings):\n    secret_key: str\n    port: int\n    debug: bool\n    sender: EmailStr\n"


def test_what_has_to_be_there_is_made_up_unless_the_project_tells_it(tmp_path: Path) -> None:
    found = around(tmp_path, SETTINGS, _env="DEBUG=1\n", _env_example="PORT=99  # of the door\nSENDER=\n")
    assert found is not None
    assert found.variables == {
        "PORT": "99",
        "SECRET_KEY": "a-secret-of-the-tests-that-is-long-enough",
        "SENDER": "tests@example.org",
    }
    assert found.databases == ()


def test_what_an_application_signs_with_is_not_left_empty(tmp_path: Path) -> None:
    code = "import os\nSECRET = os.getenv('SHOP_SECRET', '')\nPAID = os.getenv('STRIPE_SECRET', '')\n"
    found = around(tmp_path, code)
    assert found is not None and [*found.variables] == ["SHOP_SECRET"]


MODELS = "from sqlalchemy.orm import declarative_base\n\nBase = declarative_base()\n"


@pytest.mark.parametrize(
    ("code", "databases"),
    [
        (f"import os\n{MODELS}URL = os.getenv('DATABASE_URL')", ("DATABASE_URL",)),
        (f"import os\n{MODELS}URL = os.getenv('SHOP_DB_URL', '{SERVER}')", ("SHOP_DB_URL",)),
        (f"import os\n{MODELS}URL = os.getenv('DATABASE_URL', 'sqlite:///a.db')", ("DATABASE_URL",)),
        (
            f"import os\n{MODELS}URL = os.getenv('DATABASE_URL', 'sqlite:///a.db')\nBase.metadata.create_all(e)",
            None,
        ),
        (f"import os\n{MODELS}URL = os.getenv('REDIS_URL')", None),
        (
            f"import os\nfrom sqlalchemy.dialects.postgresql import JSONB\n{MODELS}URL = os.getenv('DATABASE_URL')",
            None,
        ),
        ("import os\nURL = os.getenv('DATABASE_URL')", None),
    ],
)
def test_tests_have_a_database_of_their_own_where_a_variable_tells_it(
    code: str, databases: tuple[str, ...] | None, tmp_path: Path
) -> None:
    found = around(tmp_path, code)
    assert (found.databases if found else None) == databases
    assert found is None or found.models == ("shop:Base",)


SHOP = f"""\
import os

from fastapi import FastAPI
from sqlalchemy import create_engine, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Tea(Base):
    __tablename__ = "teas"
    id: Mapped[int] = mapped_column(primary_key=True)


KEY = os.environ["KEY"]
app = FastAPI()
engine = create_engine(os.getenv("DATABASE_URL", "{SERVER}"))


@app.get("/teas")
def teas():
    with engine.connect() as connection:
        return connection.execute(text("select count(*) from teas")).scalar()
"""
TESTS = """\
def test_it(client):
    answer = client.get("/teas")
    assert (answer.status_code, answer.json()) == (200, 0)
"""


@pytest.mark.parametrize("is_set", [False, True])
def test_an_application_is_set_up_with_a_database_that_has_its_tables(is_set: bool, tmp_path: Path) -> None:
    if find_spec("fastapi") is None or find_spec("sqlalchemy") is None:
        pytest.skip("FastAPI or SQLAlchemy is not installed")
    found = around(tmp_path, SHOP)
    (tmp_path / "conftest.py").write_text(
        conftest(Application("fastapi", "shop:app"), around=found), encoding="utf-8"
    )
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    more = {"DATABASE_URL": f"sqlite:///{tmp_path}/mine.db"} if is_set else {}
    done = _ran(tmp_path, more)
    assert (done.returncode == 0) is not is_set, done.stdout + done.stderr
    assert ("no such table: teas" in done.stdout) is is_set, "what is set is not touched"


SITE = """\
from django.conf import settings

settings.configure(
    ROOT_URLCONF=__name__, SECRET_KEY="tea", INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    DATABASES={"default": {"ENGINE": "served", "NAME": "shop"}},
)

from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import path

def count(request):
    from django.contrib.auth.models import User

    return JsonResponse(User.objects.count(), safe=False)

urlpatterns = [path("teas", count)]
app = get_wsgi_application()
"""
SERVED = """\
from django.db.backends.sqlite3.base import DatabaseWrapper as Sqlite
from django.db.utils import OperationalError

class DatabaseWrapper(Sqlite):
    vendor = "server"

    def get_new_connection(self, given):
        raise OperationalError("no server answers at db")
"""


def test_a_site_has_sqlite_where_no_server_answers(tmp_path: Path) -> None:
    if find_spec("django") is None:
        pytest.skip("Django is not installed")
    (tmp_path / "served").mkdir()
    (tmp_path / "served/__init__.py").touch()
    (tmp_path / "served/base.py").write_text(SERVED, encoding="utf-8")
    (tmp_path / "shop.py").write_text(SITE, encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(conftest(Application("django", "shop:app")), encoding="utf-8")
    done = _ran(tmp_path, {})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "use SQLite in memory, since no other database answers: no server answers at db" in done.stdout


def _ran(folder: Path, more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(folder),
            str(folder),
        ],
        cwd=folder,
        env={
            "PYTHONPATH": str(folder),
            "PATH": "/usr/bin:/bin",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **more,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
