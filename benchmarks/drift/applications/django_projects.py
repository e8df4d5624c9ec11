"""Small Django projects made of the modules in which a framework's own tests and examples define their views."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from benchmarks.drift.records import Application

_OWN = Path(__file__).resolve().parents[1] / "own"
_SETTINGS = """SECRET_KEY = "not secret"
DEBUG = True
USE_TZ = True
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    {apps}
    "example",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
ROOT_URLCONF = "urls"
DATABASES = {{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}}}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
{more}"""
_MANAGE = """import os

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
    execute_from_command_line()
"""
_REST = """REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "PAGE_SIZE": 10,
}
"""


def own_projects(prefix: str) -> Iterator[Application]:
    """The projects of our own whose names begin so."""
    for folder in sorted(_OWN.glob(f"{prefix}*")):
        parts = sorted(part.name for part in folder.iterdir() if part.suffix == ".py" or part.is_dir())
        copied = tuple(name for name in parts if name != "__pycache__")
        yield Application(name=folder.name, folder=folder, module="urls", family=folder.name, copied=copied)


def rest_project(file: Path, target: Path) -> Iterator[tuple[str, Path]]:
    """One project for each test that asks drf-spectacular for the contract of one view; by name and folder."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    shared = [node for node in tree.body if not _is_test(node)]
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        found = _asked(node)
        if found is None or any(_is_changing(part) for part in node.decorator_list) or _patches(node):
            continue
        index, call = found
        urls = _urls(call)
        if urls is None:
            continue
        name = f"{file.stem}_{node.name.removeprefix('test_')}"
        folder = target / name
        code = ast.unparse(ast.Module(body=[*shared, *node.body[:index]], type_ignores=[]))
        code = code.replace("from tests.models import", "from example.simple import")
        (folder / "example").mkdir(parents=True, exist_ok=True)
        simple = (file.parent / "models.py").read_text(encoding="utf-8")
        (folder / "example" / "simple.py").write_text(simple, encoding="utf-8")
        _write(folder, code, urls, '"rest_framework",\n    "drf_spectacular",', _REST)
        yield name, folder


def ninja_project(file: Path, name: str, target: Path) -> Path | None:
    """One project of a module that registers operations; None where it makes no API and uses none."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    body = [node for node in tree.body if not _is_test(node)]
    code = ast.unparse(ast.Module(body=body, type_ignores=[]))
    if "@api." not in code and "@router." not in code:
        return None
    bound = {
        target.id
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    if "api" not in bound:
        if "router" in bound:
            code += "\nfrom ninja import NinjaAPI\napi = NinjaAPI()\napi.add_router('/r', router)\n"
        else:
            code = f"from ninja import NinjaAPI\napi = NinjaAPI()\n{code}"
    urls = "from django.urls import path\nfrom example.models import api\n\nurlpatterns = [path('api/', api.urls)]\n"
    _write(target / name, code, urls, "", "")
    return target / name


def _write(folder: Path, code: str, urls: str, apps: str, more: str) -> None:
    (folder / "example").mkdir(parents=True, exist_ok=True)
    (folder / "example" / "__init__.py").write_text("")
    (folder / "example" / "models.py").write_text(code + "\n", encoding="utf-8")
    (folder / "urls.py").write_text(urls, encoding="utf-8")
    (folder / "settings.py").write_text(_SETTINGS.format(apps=apps, more=more))
    (folder / "manage.py").write_text(_MANAGE)


def _is_test(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        fixture = any("pytest" in ast.unparse(decorator) for decorator in node.decorator_list)
        return fixture or node.name.startswith("test_")
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return module != "tests.models" and module.split(".")[0] in ("tests", "pytest", "client")
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] in ("pytest", "tests") for alias in node.names)
    return isinstance(node, ast.Assign) and "Client(" in ast.unparse(node)


def _asked(node: ast.FunctionDef) -> tuple[int, ast.Call] | None:
    """The first statement of a test that asks for a contract, and its call."""
    for index, statement in enumerate(node.body):
        for part in ast.walk(statement):
            if isinstance(part, ast.Call) and getattr(part.func, "id", "") == "generate_schema":
                return index, part
    return None


def _is_changing(decorator: ast.expr) -> bool:
    text = ast.unparse(decorator)
    return "patch" in text or "parametrize" in text or "contrib" in text


def _patches(node: ast.FunctionDef) -> bool:
    """Whether a test changes settings or needs values from fixtures."""
    names = {argument.arg for argument in node.args.args}
    return bool(names - {"no_warnings", "warnings", "django_transforms", "capsys"}) or "with " in ast.unparse(
        node
    )


def _urls(call: ast.Call) -> str | None:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    names = ["route", "viewset"]
    given.update(dict(zip(names, call.args, strict=False)))
    route = given.get("route")
    if not isinstance(route, ast.Constant) or not isinstance(route.value, str):
        return None
    place = route.value.lstrip("/")
    view = given.get("viewset") or given.get("view") or given.get("view_function")
    if not isinstance(view, ast.Name):
        return None
    head = f"from django.urls import path\nfrom rest_framework import routers\nfrom example.models import {view.id}\n\n"
    if "viewset" in given:
        registered = f"router.register({place!r}, {view.id}, basename={place!r})"
        text = f"router = routers.SimpleRouter()\n{registered}\n"
        return f"{head}{text}urlpatterns = router.urls\n"
    made = f"{view.id}.as_view()" if "view" in given else view.id
    return f"{head}urlpatterns = [path({place!r}, {made})]\n"
