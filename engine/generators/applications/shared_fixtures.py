"""Composes the conftest of generated tests from the files in `engine/generators/applications/conftests`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from engine.generators.applications.made_applications import WRAPPED_WSGI
from engine.generators.applications.own_fixtures import Prepared
from engine.generators.applications.prepared_clients import prepared_client
from engine.generators.applications.surrounded import surrounded
from engine.generators.applications.surroundings import Surroundings
from engine.generators.files import with_imports
from engine.generators.source import literal
from planner.generator import Application

MARK = "# Written by crossfact"
"""What the first line begins with as long as no person took the file over."""
_HEAD = f"{MARK}; remove this line to take the file over.\n"
_TO_FILL_IN = "Fill them in for your application."
_TEMPLATES = frozenset({"flask", "aiohttp", "litestar", "django"})
_SENDING = "from engine.generators.applications.conftests.sending import Client, Response\n"
_MADE_BY_FLASK = """\
    from flask import got_request_exception

    application.testing = False
    inner, bare = application.test_client(), application.test_client(use_cookies=False)
"""
_MADE_BY_WERKZEUG = """\
    from flask import got_request_exception
    from werkzeug.test import Client as WsgiClient

    inner, bare = WsgiClient(application), WsgiClient(application, use_cookies=False)
"""
_IMPORTING = '    application = importlib.import_module("package.module").application\n'
_SEARCHING = "    application = find_application()\n"
_OF_SEARCH = frozenset({"import re", "import sys", "from pathlib import Path"})
_OF_GATE = '    importlib.import_module("package.module")\n'
_OF_SETTINGS = """\
    importlib.import_module({settings})
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", {settings})
    importlib.import_module("django").setup()
"""
_NO_SECOND = '''\
@pytest.fixture
def stranger():
    """The headers of a second caller, who has made nothing."""
    pytest.skip("nothing tells how a second caller gets an account: fill in the fixture `stranger`")
'''
_STANDARD = re.compile(r"(?:^(?:import|from) [^\n]+\n)+", re.MULTILINE)


def conftest(
    target: Application | None,
    credentials: Mapping[str, str] | None = None,
    *,
    way_in: str | None = None,
    own: Prepared | None = None,
    around: Surroundings | None = None,
    signatures: bool = False,
    adding: bool = False,
    depth: int = 2,
) -> str:
    """The text of the conftest: a marker, and, where there is an application, the fixtures `client` and `auth`.

    `credentials` are the headers of a caller who may do everything, where these are known; `way_in` is a fixture
    `auth` that makes a caller; `own` is a fixture of the project that prepares the application, `around` what is set
    around one that no fixture prepares. With `signatures` it has the fixtures `takes` and `made_up`, too, with `adding`
    `added`. It lies `depth` folders below the project's root, where it looks for an application that is not there yet.
    """
    text = _without_signatures(target, credentials, way_in, own, depth)
    if around is not None and own is None:
        text = surrounded(text, around)
    if adding and target is not None:
        text = f"{text.rstrip()}\n\n\n{_fixture('adding')}"
    if not signatures:
        return text
    text = "\n\n\n".join((text.rstrip(), _fixture("signatures").rstrip(), _fixture("made_up")))
    modules = ("contextlib", "inspect", "re", "signal", "threading", "time", "pytest")
    return with_imports(text, [f"import {module}" for module in modules])


def _fixture(name: str) -> str:
    """The fixture of a template, without what stands before it."""
    template = _file(name)
    return template[template.index("@pytest.fixture") :]


def _without_signatures(
    target: Application | None,
    credentials: Mapping[str, str] | None,
    way_in: str | None,
    own: Prepared | None,
    depth: int,
) -> str:
    shared = _template("shared")
    shared = shared[shared.index("def pytest_configure") :]
    if target is None:
        marker = shared[: shared.index("@pytest.fixture")].rstrip()
        return f'{_HEAD}"""What the tests made from the specs share."""\n\nimport pytest\n\n\n{marker}\n'
    by_url = "://" in target.place
    by_framework = target.framework if target.framework in _TEMPLATES else "starlette"
    is_awaited = not (target.exists or target.framework or target.settings or by_url or own)
    text = _awaited(target, depth) if is_awaited else _template("url" if by_url else by_framework)
    if target.framework == WRAPPED_WSGI:
        text = _template("flask").replace(_MADE_BY_FLASK, _MADE_BY_WERKZEUG)
    if target.settings:
        text = text.replace(_OF_GATE, _OF_SETTINGS.format(settings=literal(target.settings)))
        text = with_imports(text, ["import os"])
    elif by_url:
        text = text.replace('"http://localhost"', literal(target.place))
    elif target.place and own is not None:
        text = prepared_client(text, _IMPORTING, own)
    elif target.place:
        module, _, name = target.place.partition(":")
        text = text.replace(
            'import_module("package.module").application', f'import_module("{module}").{name}'
        )
        text = text.replace('"package.module"', literal(module))
    if credentials:
        start = shared.index(_TO_FILL_IN)
        known = f'From the application\'s code."""\n    return {literal(dict(credentials))}\n'
        shared = f"{shared[:start]}{known}"
    elif way_in is not None:
        second = "" if "def stranger(" in way_in else f"\n\n{_NO_SECOND}"
        shared = f"{shared[: shared.index('@pytest.fixture')]}{way_in.rstrip()}\n{second}"
    arranging = _file("arranging")
    arranging = arranging[arranging.index("@pytest.fixture") :]
    text = f"{_HEAD}{text.rstrip()}\n\n\n{shared.rstrip()}\n\n\n{arranging}"
    return text if "importlib." in text else text.replace("import importlib\n", "")


def _awaited(target: Application, depth: int) -> str:
    """The template for an application that is not there yet, with the clients written into it that it imports.

    It looks for the application, unless it is agreed on where that will be.
    """
    own = _file("awaited")
    clients = [
        _template(name)
        .replace("@pytest.fixture\ndef client():", f"def client_of_{name}(application):")
        .replace(_IMPORTING, "")
        for name in ("flask", "starlette")
    ]
    second = clients[1][clients[1].index("def client_of_") :]
    searching = own[own.index("ROOT = ") :].replace("parents[2]", f"parents[{depth}]")
    if target.place:
        searching = searching[searching.index("@pytest.fixture") :].replace(_SEARCHING, _IMPORTING)
    imports = [line for text in (clients[1], own) for line in _imports(text) if "conftests" not in line]
    imports = [line for line in imports if not target.place or line not in _OF_SEARCH]
    return with_imports("\n\n\n".join(map(str.strip, (clients[0], second, searching))), imports)


def _imports(text: str) -> list[str]:
    return re.findall(r"^(?:import|from) .+", text, re.MULTILINE)


def _template(name: str) -> str:
    """The text of a template, with the classes written into it that it imports from `sending`."""
    text = _file(name)
    if _SENDING not in text:
        return text
    sending = _file("sending")
    needed, ours = _STANDARD.search(sending), _STANDARD.search(text)
    assert needed and ours, "each imports something"
    imports = sorted(
        {*needed[0].splitlines(), *ours[0].splitlines()}, key=lambda line: (line[0] == "f", line)
    )
    text = text.replace(ours[0], "\n".join(imports) + "\n", 1)
    return text.replace(f"\n{_SENDING}", f"\n\n{sending[needed.end() :].strip()}\n", 1)


def _file(name: str) -> str:
    return (Path(__file__).parent / "conftests" / f"{name}.py").read_text(encoding="utf-8")
