"""Finds what an application needs around it before it can be imported: variables of the environment, and a database.

Where a database is told by a variable, tests have one of their own in SQLite, with the tables of the application's
models: a server is not always there, tables that only migrations make are not either, and what tests write is no
data of anybody.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from engine.generators.applications.conftest_files import dotted
from engine.generators.applications.environment_names import Wanted, wanted
from engine.generators.applications.made_applications import Names
from graph.facts import Kind, Tag
from graph.files import read_plain
from graph.source import FactSource
from planner.generator import Application

_URL = re.compile(
    r"(?i)^(?:\w+_)?(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|SQLALCHEMY|SQL)(?:_\w+)?_(?:URL|URI|DSN)$"
)
_SERVER = re.compile(r"^(?:postgres(?:ql)?|mysql|mariadb|mssql|oracle)\b")
_ASYNC = re.compile(
    r"\bcreate_async_engine\b|\basync_engine_from_config\b|\+(?:asyncpg|aiomysql|aiosqlite)\b"
)
_MIGRATING = re.compile(r"\bfrom alembic\b|\bimport alembic\b|\bfrom flask_migrate import[^\n]*\bupgrade\b")
_MAKING = re.compile(rf"\bcreate_all\b|{_MIGRATING.pattern}")
_OF_SERVERS_ONLY = re.compile(
    r"\bfrom sqlalchemy\.dialects\.(?!sqlite)\w+ import[^\n(]*(?:\([^)]*)?"
    r"\b(?:JSONB|ARRAY|HSTORE|TSVECTOR|INET|CIDR|\w+RANGE)\b"
    r"|\bPostgresDsn\b|\bMySQLDsn\b"
)
_MODELS = frozenset({"sqlalchemy", "sqlmodel", "flask_sqlalchemy"})
_BASES = frozenset({"DeclarativeBase", "DeclarativeBaseNoMeta"})
_MAKERS = frozenset({"declarative_base", "SQLAlchemy"})
_SHOWN = (".env.example", ".env.sample", ".env.template", ".env.dist", "env.example", ".env.test")
_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$", re.MULTILINE)
_SIGNING = re.compile(
    r"(?i)^(?!.*(?:CLIENT|STRIPE|AWS|WEBHOOK|GOOGLE|GITHUB)).*(?:SECRET|SECRET_KEY|SIGNING_KEY)$"
)
_LIMIT = 1 << 20
_BY_KIND = (
    (re.compile(r"^(?:int|float|Positive\w+|timedelta)\b"), "30"),
    (re.compile(r"^bool\b"), "false"),
    (re.compile(r"(?i)^(?:list|set|tuple|sequence|frozenset)\b"), "[]"),
    (re.compile(r"(?i)^dict\b"), "{}"),
    (re.compile(r"Email"), "tests@example.org"),
    (re.compile(r"(?:Url|Dsn|URL)$"), "https://example.org"),
)
_BY_NAME = (
    (re.compile(r"ALGORITHM"), "HS256"),
    (re.compile(r"MINUTES|SECONDS|HOURS|DAYS|EXPIRE|LIMIT|SIZE|TTL|TIMEOUT"), "30"),
    (re.compile(r"SECRET|KEY|TOKEN|PASSWORD|SALT"), "a-secret-of-the-tests-that-is-long-enough"),
    (re.compile(r"E?MAIL|_FROM$"), "tests@example.org"),
    (re.compile(r"PORT$"), "8000"),
    (re.compile(r"HOSTS?$"), "localhost"),
    (re.compile(r"URL|URI|ORIGIN"), "https://example.org"),
    (re.compile(r"DEBUG|ENABLE|^(?:IS|USE)_"), "false"),
)


class Surroundings(msgspec.Struct, frozen=True):
    """What tests set around an application: variables, and those that name the database of the tests.

    `models` are the places of what knows the tables (`shop.db:Base`).
    """

    variables: dict[str, str]
    databases: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    is_async: bool = False


def surroundings(source: FactSource, target: Application | None, root: Path) -> Surroundings | None:
    """What the code of an application asks of its surroundings and nobody tells; None where that is nothing."""
    if target is None or not target.place or "://" in target.place:
        return None
    read = list(_read(source, target, root))
    asked: dict[str, Wanted] = {}
    for _, _, tree in read:
        for each in wanted(tree):
            known = asked.get(each.name)
            is_told = known is not None and (known.is_needed or known.default is not None)
            asked[each.name] = each if known is None or each.is_needed or not is_told else known
    told, shown = _told(root, (".env",)), _told(root, _SHOWN)
    databases = () if target.framework == "django" else _databases(asked.values(), told, read)
    variables = {
        each.name: shown.get(each.name) or _made_up(each)
        for each in asked.values()
        if (each.is_needed or _is_blank(each)) and each.name not in databases and not told.get(each.name)
    }
    if not databases and not variables:
        return None
    migrates = any(_MIGRATING.search(text) for _, text, _ in read)
    models = tuple(dict.fromkeys(_models(read))) if databases and not migrates else ()
    is_async = any(_ASYNC.search(text) for _, text, _ in read)
    return Surroundings(dict(sorted(variables.items())), databases, models, is_async)


def _is_blank(each: Wanted) -> bool:
    """Whether an application signs with what is empty until somebody tells it."""
    return each.default == "" and _SIGNING.search(each.name) is not None


def _databases(
    asked: Iterable[Wanted], told: dict[str, str], read: list[tuple[str, str, ast.Module]]
) -> tuple[str, ...]:
    """The variables by which tests can have a database of their own; none where only a server has what it uses."""
    if not _uses(read, _MODELS) or any(_OF_SERVERS_ONLY.search(text) for _, text, _ in read):
        return ()
    lacks_tables = any(_models(read)) and not any(_MAKING.search(text) for _, text, _ in read)
    named = {each.name: told.get(each.name) or each.default or "" for each in asked if _URL.search(each.name)}
    return tuple(sorted(n for n, url in named.items() if not url or _SERVER.search(url) or lacks_tables))


def _read(source: FactSource, target: Application, root: Path) -> Iterator[tuple[str, str, ast.Module]]:
    """The modules that are loaded with the application: name, text and tree."""
    reached = Names(source).reached(target.settings or target.place.partition(":")[0])
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.MODULE}):
        name = fact.unnumbered
        is_settings = target.framework == "django" and "settings" in name.split(".")
        if name not in reached and not is_settings:
            continue
        text = _content(root / fact.source.path)
        try:
            yield name, text, ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue


def _uses(read: list[tuple[str, str, ast.Module]], packages: frozenset[str]) -> bool:
    return any(re.search(rf"\b(?:from|import)\s+{each}\b", text) for _, text, _ in read for each in packages)


def _models(read: list[tuple[str, str, ast.Module]]) -> Iterator[str]:
    """The places of what knows the tables of the application's models."""
    for name, _, tree in read:
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and _BASES & {_last(base) for base in node.bases}:
                yield f"{name}:{node.name}"
            elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if _last(node.value.func) in _MAKERS and isinstance(targets[0], ast.Name):
                    yield f"{name}:{targets[0].id}"
    if _uses(read, frozenset({"sqlmodel"})):
        yield "sqlmodel:SQLModel"


def _last(node: ast.expr) -> str:
    return dotted(node).rpartition(".")[2]


def _made_up(each: Wanted) -> str:
    """A value by which an application can be set up: by the type of the variable, then by its name."""
    patterns = [
        (each.kind.removeprefix("Optional[").removeprefix("typing."), _BY_KIND),
        (each.name.upper(), _BY_NAME),
    ]
    return next((value for text, known in patterns for told, value in known if told.search(text)), "tests")


def _told(root: Path, names: Iterable[str]) -> dict[str, str]:
    """The variables that files of the project set, the first file first."""
    found: dict[str, str] = {}
    for name in names:
        for key, value in _LINE.findall(_content(root / name)):
            found.setdefault(key, value.partition(" #")[0].strip().strip("'\""))
    return found


def _content(file: Path) -> str:
    try:
        return (read_plain(file, _LIMIT) or b"").decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
