"""Finds the fixture by which a project's own tests come to a client of its application, or to the application."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from engine.generators.applications.conftest_files import Fixture, Fixtures, dotted, keyword
from planner.functions.drawn_values import words_of

CLIENT_NAMES = ("client", "test_client", "api_client", "app_client", "async_client", "ac", "http_client")
_APP_NAMES = ("app", "application", "test_app", "flask_app", "api")
_ASGI = frozenset({"fastapi", "starlette"})
_CONSTRUCTORS = frozenset({"FastAPI", "Starlette", "Flask", "APIFlask", "Quart"})
_OUTSIDE = frozenset(
    {
        *(
            "db",
            "database",
            "databases",
            "session",
            "sessions",
            "sessionmaker",
            "engine",
            "connection",
            "conn",
        ),
        *("transaction", "uow", "settings", "config", "redis", "cache", "storage", "bucket", "s3", "mail"),
        *("mailer", "limiter", "broker", "queue", "clock"),
    }
)
_IDENTITY = frozenset(
    {
        *(
            "user",
            "users",
            "auth",
            "token",
            "login",
            "account",
            "principal",
            "identity",
            "permission",
            "role",
        ),
        *("admin", "current", "key"),
    }
)
_OF_HEADERS = re.compile(
    r"(?i)^(?!.*(?:invalid|expired|wrong|bad|other|second|refresh|json|no_|unauth)).*headers?$"
)
_HIGHEST = re.compile(r"(?i)super|admin")
_FAKES = frozenset({"Mock", "MagicMock", "AsyncMock", "create_autospec", "patch", "mocker"})


class Prepared(NamedTuple):
    """The fixture of the project that prepares the application: its name, and how what it gives leads there.

    `waits` is the decorator of a fixture that gives a client to be awaited, and so has to be used on its own loop;
    `needs` are fixtures without which it is not run. One that `starts` gives nothing but a client of an application
    that nobody has started.
    """

    fixture: str
    leads: str
    waits: str = ""
    needs: tuple[str, ...] = ()
    entered: bool = True
    starts: bool = False


def prepared(fixtures: Fixtures, framework: str) -> Prepared | None:
    """The one of these that generated tests may ask for; None where there is none, or where it stands in for callers.

    Fixtures which replace more than what lies around the application (its database, its settings) are none: what they
    answer is not what it answers.
    """
    if framework not in _ASGI and framework != "flask":
        return None
    for name in (*CLIENT_NAMES, *_APP_NAMES):
        fixture = fixtures.named.get(name)
        if fixture is None:
            continue
        found = _leading(fixture, fixtures, framework, is_client=name in CLIENT_NAMES)
        if found is not None:
            return found
    return None


def own_headers(fixtures: Fixtures, own: Prepared | None) -> str | None:
    """The fixture `auth`, as source, with the headers that a fixture of the project gives; None where there is none.

    Those of who may do most come first. One that asks the client itself for them is used only where the client of
    generated tests speaks as the project's does.
    """
    if own is None:
        return None
    found = [each for each in fixtures.named.values() if _OF_HEADERS.search(each.name)]
    found.sort(key=lambda each: (_HIGHEST.search(each.name) is None, len(each.name), each.name))
    for fixture in found:
        around = list(fixtures.around(fixture))
        waiting = [each for each in around if isinstance(each.function, ast.AsyncFunctionDef)]
        how = [fixtures.waiting(each) for each in waiting]
        given = fixtures.given(fixture)
        if not _gives_headers(given) or _are_made_up(given, around) or None in how:
            continue
        if any(own.fixture in each.asked for each in around) and not _may_ask(around, own):
            continue
        needs = dict.fromkeys(name for each in how if each is not None for name in each[1])
        told = f"The headers of a caller, as the project's own fixture `{fixture.name}` gives them."
        asked = ", ".join([fixture.name, *needs])
        return f'@pytest.fixture\ndef auth({asked}):\n    """{told}"""\n    return dict({fixture.name})\n'
    return None


def _gives_headers(given: ast.expr | None) -> bool:
    """Whether what a fixture gives are headers that say who asks, or come from what is called so."""
    if isinstance(given, ast.Dict):
        names = [str(each.value).lower() for each in given.keys if isinstance(each, ast.Constant)]
        return any(name == "authorization" or "key" in name or "token" in name for name in names)
    called = dotted(given.func).rpartition(".")[2] if isinstance(given, ast.Call) else ""
    return "header" in called.lower()


def _are_made_up(given: ast.expr | None, around: list[Fixture]) -> bool:
    """Whether headers are texts of which nothing else in the project's fixtures speaks: a place to be filled in."""
    if not isinstance(given, ast.Dict) or not all(isinstance(each, ast.Constant) for each in given.values):
        return False
    told = [str(each.value).split()[-1:] for each in given.values if isinstance(each, ast.Constant)]
    modules = {id(each.module): each.module for each in around}.values()
    texts = [
        node.value
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return all(sum(word in text for text in texts) < 2 for words in told for word in words)


def _may_ask(around: list[Fixture], own: Prepared) -> bool:
    """Whether fixtures may have the client of generated tests for the project's: it is one of Starlette, as theirs."""
    scoped = any(keyword(each.decorator, "scope") not in ("", "function") for each in around)
    return own._replace(starts=False) == Prepared("client", ".app") and not scoped


def _leading(fixture: Fixture, fixtures: Fixtures, framework: str, *, is_client: bool) -> Prepared | None:
    around = list(fixtures.around(fixture))
    if not all(map(_replaces_surroundings_only, around)):
        return None
    given = fixtures.given(fixture)
    leads = _leads(given, fixture, framework) if is_client else ""
    if given is None or leads is None or _is_made_for_tests(given, fixture, fixtures, is_client=is_client):
        return None
    is_awaited = any(isinstance(each.function, ast.AsyncFunctionDef) for each in around)
    if not is_awaited:
        starts = leads == ".app" and _is_bare(fixture)
        return Prepared(fixture.name, leads, entered=is_client, starts=starts)
    how = fixtures.waiting(fixture)
    if how is None:
        return None
    decorator, needs = how
    by_awaiting = leads == "._transport.app" and isinstance(fixture.function, ast.AsyncFunctionDef)
    return Prepared(fixture.name, leads, decorator if by_awaiting else "", needs, entered=is_client)


def _is_bare(fixture: Fixture) -> bool:
    """Whether a fixture does nothing but make a client, which it does not enter, so that nothing has started."""
    body = [node for node in fixture.function.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        del body[0]
    if fixture.asked or not body:
        return False
    *before, last = body
    value = last.value if isinstance(last, ast.Return | ast.Expr) else None
    value = value.value if isinstance(value, ast.Yield) else value
    if not before:
        return isinstance(value, ast.Call)
    made = before[0].value if len(before) == 1 and isinstance(before[0], ast.Assign) else None
    return isinstance(value, ast.Name) and isinstance(made, ast.Call)


def _leads(given: ast.expr | None, fixture: Fixture, framework: str) -> str | None:
    """How a client leads to its application; None for what is no client of this framework."""
    if not isinstance(given, ast.Call):
        return None
    if framework == "flask":
        is_client = isinstance(given.func, ast.Attribute) and given.func.attr == "test_client"
        return ".application" if is_client else None
    made = fixture.module.absolute(dotted(given.func))
    if made.endswith(".TestClient") and made.partition(".")[0] in _ASGI:
        return ".app"
    if made == "httpx.AsyncClient" and {"transport", "app"} & {each.arg for each in given.keywords}:
        return "._transport.app"
    return None


def _is_made_for_tests(given: ast.expr, fixture: Fixture, fixtures: Fixtures, *, is_client: bool) -> bool:
    """Whether the application is one that the conftest makes itself, and so not the one under test."""
    application = _application(given) if is_client else given
    for _ in range(4):
        if application is None:
            return False
        if isinstance(application, ast.Call):
            return dotted(application.func).rpartition(".")[2] in _CONSTRUCTORS
        application, fixture = fixtures.behind(application, fixture)
    return False


def _application(given: ast.expr) -> ast.expr | None:
    """What a call that makes a client is given as its application."""
    if not isinstance(given, ast.Call):
        return None
    if isinstance(given.func, ast.Attribute) and given.func.attr == "test_client":
        return given.func.value
    by_name = {each.arg: each.value for each in given.keywords}
    inner = by_name.get("transport")
    if isinstance(inner, ast.Call):
        return _application(inner)
    return by_name.get("app") or (given.args[0] if given.args else None)


def _replaces_surroundings_only(fixture: Fixture) -> bool:
    """Whether what a fixture puts in the place of dependencies lies around the application, and nothing is faked."""
    names = {each.id for each in ast.walk(fixture.function) if isinstance(each, ast.Name)}
    names |= {each.arg for each in ast.walk(fixture.function) if isinstance(each, ast.arg)}
    names |= {each.attr for each in ast.walk(fixture.function) if isinstance(each, ast.Attribute)}
    return not names & _FAKES and all(map(_is_around, _overridden(fixture.function)))


def _is_around(key: ast.expr) -> bool:
    told = set(words_of(dotted(key).rpartition(".")[2]))
    return bool(told & _OUTSIDE) and not told & _IDENTITY


def _overridden(function: ast.AST) -> Iterator[ast.expr]:
    """What stands as key of `dependency_overrides`, however it is set."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Subscript) and _is_overrides(target.value):
                    yield target.slice
                elif _is_overrides(target):
                    yield from _keys(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            sets = node.func.attr in ("update", "setdefault", "__setitem__")
            if sets and node.args and _is_overrides(node.func.value):
                yield from _keys(node.args[0])


def _keys(given: ast.expr) -> list[ast.expr]:
    return [key for key in given.keys if key is not None] if isinstance(given, ast.Dict) else [given]


def _is_overrides(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "dependency_overrides"
