"""FastAPI: the examples of its documentation and of SQLModel's, from their source distributions, and our own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.drift.environment import examples
from benchmarks.drift.records import Application, Part

VERSION = "0.165.0"
_SQLMODEL = "0.0.50"
_LAST_READ = "m"
_OWN = Path(__file__).resolve().parents[1] / "own"
_EXAMPLES = Path(__file__).resolve().parents[3] / "specs_examples"


class FastApi:
    """Every module of `docs_src` that makes an application; folders whose names begin with n to z are unread.

    Our own applications, `fastapi_*`, say in one place what tutorials and projects say in many.
    """

    name = "FastAPI"
    exporter = "fastapi_routes"
    needs_contract = False
    own_responses = frozenset({"422"})
    requirements = (
        f"fastapi=={VERSION}",
        "pydantic==2.14.3",
        "starlette==1.10.0",
        "python-multipart==0.0.34",
        "email-validator==2.4.0",
        "jinja2==3.1.6",
        "httpx==0.28.1",
        "orjson==3.13.0",
        f"sqlmodel=={_SQLMODEL}",
        "pydantic-settings==2.16.3",
        "PyJWT==2.15.1",
        "pwdlib[argon2]==0.3.1",
        "itsdangerous==2.2.0",
        "pyyaml==6.0.3",
        "a2wsgi==1.10.10",
        "flask==3.1.3",
        "uvicorn==0.54.0",
        "psycopg[binary]==3.3.9",
        "strawberry-graphql==0.341.2",
    )

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        yield from _examples(examples("fastapi", VERSION, "docs_src", work), "docs_src")
        yield from _examples(examples("sqlmodel", _SQLMODEL, "docs_src", work), "docs_src/tutorial/fastapi")
        for folder in sorted(_OWN.glob("fastapi_*")):
            yield Application(
                name=f"own/{folder.name}", folder=_OWN, module=f"{folder.name}.main", family=folder.name
            )
        for name, module in (("bookshop", "bookshop.main"), ("clean", "rooms.main")):
            yield Application(
                name=f"specs_examples/{name}", folder=_EXAMPLES / name / "code", module=module, family=name
            )


def _examples(folder: Path, below: str) -> Iterator[Application]:
    for file in sorted((folder / below).rglob("*.py")):
        if b"FastAPI(" not in file.read_bytes():
            continue
        place = file.relative_to(folder).with_suffix("")
        names = file.relative_to(folder / below).with_suffix("").parts
        prefix = below.removeprefix("docs_src").strip("/")
        part: Part = "read" if names[0][0] <= _LAST_READ else "unread"
        yield Application(
            name="/".join(filter(None, (prefix, *names))),
            folder=folder,
            module=".".join(place.parts),
            part=part,
            family=f"{prefix}/{names[0]}",
        )
