"""Classes and constants of installed distributions, read as if they stood where the project first uses them."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final, Protocol

import msgspec

from graph.facts import Location
from ingest.ingestor import Document
from ingest.resolver import Equipped, Project
from ingest.web.program.lineage import Lineage
from ingest.web.program.targets import ClassTarget, External, Target, ValueTarget
from ingest.web.syntax.modules import Module, parse
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

_PLAIN: Final = frozenset(
    {
        *("builtins", "typing", "typing_extensions", "enum", "datetime", "uuid", "decimal", "pathlib"),
        *("collections", "dataclasses", "abc", "functools", "logging", "attr", "attrs", "annotated_types"),
    }
)
_MODELS: Final = frozenset(
    {
        *("fastapi", "starlette", "pydantic", "pydantic_core", "pydantic_settings", "sqlmodel", "sqlalchemy"),
        *("fastapi_users", "fastapi_utils", "fastapi_restful"),
        *("slowapi", "sse_starlette", "strawberry", "dependency_injector", "dishka", "litestar", "beanie"),
        *("tortoise", "odmantic", "ormar", "msgspec"),
    }
)
_SITES: Final = frozenset(
    {
        *("django", "rest_framework", "rest_framework_nested", "rest_framework_extensions", "django_filters"),
        *("drf_spectacular", "drf_yasg", "ninja", "ninja_extra", "ninja_schema", "pydantic", "pydantic_core"),
        *("rest_framework_gis", "drf_writable_nested", "rest_flex_fields", "drf_queryfields"),
        *(
            "drf_dynamic_fields",
            "taggit",
            "adrf",
            "drf_rw_serializers",
            "rest_framework_tracking",
            "reversion",
        ),
        *("drf_excel", "drf_renderer_xlsx", "rules", "djmoney", "rest_framework_xml", "rest_framework_yaml"),
        *("rest_framework_csv", "drf_orjson_renderer", "drf_ujson", "i18nfield", "celery", "swapper"),
        *("djangorestframework_camel_case", "rest_framework_simplejwt", "rest_framework_jwt", "knox"),
    }
)


_APIS: Final = frozenset(
    {
        *("flask", "werkzeug", "jinja2", "click", "itsdangerous", "quart", "blinker"),
        *("flask_smorest", "apiflask", "flask_restx", "flask_restplus", "flask_restful", "flask_openapi3"),
        *("flask_rebar", "flask_apispec", "flask_pydantic", "quart_schema", "spectree", "flasgger"),
        *("flask_marshmallow", "flask_sqlalchemy", "flask_login", "flask_jwt_extended", "flask_httpauth"),
        *("flask_cors", "flask_migrate", "flask_limiter", "flask_caching", "flask_security", "flask_admin"),
        *("marshmallow", "marshmallow_sqlalchemy", "marshmallow_enum", "marshmallow_dataclass", "webargs"),
        *("marshmallow_oneofschema", "apispec", "sqlalchemy", "sqlalchemy_utils", "mongoengine", "peewee"),
        *("pydantic", "pydantic_core", "pydantic_settings", "authlib", "celery", "requests"),
    }
)


class Reach(msgspec.Struct, frozen=True):
    """What the readers of some frameworks take from installed distributions: nothing of the packages that are `known`
    by their names, or that put their classes together while they are imported; with `data`, only classes of data."""

    known: frozenset[str]
    data: bool = False


MODELS: Final = Reach(_PLAIN | _MODELS, data=True)
"""Classes of data, for services that say by them what they take and answer."""
SITES: Final = Reach(_PLAIN | _SITES)
"""Models, serializers, views and what they inherit from, for sites on Django."""
APIS: Final = Reach(_PLAIN | _APIS, data=True)
"""Schemas, the models that they are made of, blueprints and exceptions, for services on Flask."""

_BASES: Final = frozenset(
    {
        *(("pydantic", "BaseModel"), ("pydantic", "RootModel"), ("pydantic", "GenericModel")),
        *(("sqlmodel", "SQLModel"), ("typing", "NamedTuple"), ("typing", "TypedDict")),
        *(("typing_extensions", "TypedDict"), ("enum", "Enum"), ("enum", "IntEnum"), ("enum", "StrEnum")),
        *(("msgspec", "Struct"), ("litestar", "HTTPException"), ("litestar", "Controller")),
        *(("fastapi", "HTTPException"), ("starlette", "HTTPException")),
        *(("fastapi", "APIRouter"), ("fastapi", "FastAPI")),
        *(("flask", "Blueprint"), ("flask", "Flask"), ("flask", "MethodView"), ("flask", "View")),
        *(("flask_smorest", "Blueprint"), ("flask_smorest", "Api"), ("flask_smorest", "Page")),
        *(("apiflask", "APIBlueprint"), ("apiflask", "APIFlask"), ("apiflask", "Schema")),
        *(("flask_restx", "Resource"), ("flask_restx", "Namespace"), ("flask_restx", "Api")),
        *(("flask_restful", "Resource"), ("flask_restful", "Api")),
    }
)
_FAMILIES: Final = ("fastapi.security.", "marshmallow.", "marshmallow_sqlalchemy.", "werkzeug.exceptions.")
"""Where all that a class can inherit from tells what it is for."""
_OF_OBJECTS: Final = frozenset({"Schema", "SQLAlchemySchema", "SQLAlchemyAutoSchema", "Model"})
"""Bases that an extension's object has: `ma.Schema`, `db.Model`."""
_DECORATORS: Final = frozenset(
    {
        *("dataclasses.dataclass", "pydantic.dataclasses.dataclass"),
        *("attr.s", "attr.define", "attrs.define", "attrs.frozen", "attr.dataclass"),
    }
)
_MODULES: Final = 400
"""How many installed modules are read for one framework at most."""


class Names(Protocol):
    """What tells the meaning of names: the program."""

    def member(self, module: Module, name: str) -> Target | None:
        """What a name of a module stands for, seen from outside."""
        ...

    def ancestry(self, target: ClassTarget) -> Lineage:
        """The class and its ancestors."""
        ...

    def resolve(self, node: ast.expr | None, scope: Scope) -> Target | None:
        """What an expression stands for."""
        ...


class Outside:
    """The installed modules that the project's own code led to, with the place in the project that stands for each."""

    def __init__(self, project: Project, reach: Reach | None) -> None:
        self._project = project if reach is not None and isinstance(project, Equipped) else None
        self._reach = reach or SITES
        self._modules: dict[str, Module | None] = {}
        self.standing: dict[str, Location] = {}
        self.led: dict[str, Target] = {}
        """What names stand for that readers were led to, whatever it is."""

    @property
    def is_equipped(self) -> bool:
        """Whether there is an environment to look into."""
        return self._project is not None

    def is_asked(self, found: External) -> bool:
        """Whether a name can be one of a class or constant that is worth looking for."""
        if self._project is None or found.root in self._reach.known:
            return False
        return found.name[:1].isupper() and "." in found.dotted

    def module(self, name: str, place: Location) -> Module | None:
        """An installed module; `place` is where the project leads to it."""
        if name not in self._modules:
            self._modules[name] = self._read(name, place)
        return self._modules[name]

    def imports(self, packages: Collection[str]) -> bool:
        """Whether one of the modules that were read so far imports any of these packages."""
        named = (name for module in self._modules.values() if module is not None for name in module.imports())
        return any(name.partition(".")[0] in packages for name in named)

    def version(self, distribution: str) -> str:
        """The version of a distribution in the environment; empty where that has none."""
        return self._project.installed_version(distribution) if self._project is not None else ""

    def text(self, name: str) -> str:
        """The source of an installed module, unparsed; empty where there is none that may be read."""
        document = self._document(name)
        return document.text if document is not None else ""

    def _document(self, name: str) -> Document | None:
        if self._project is None or name.partition(".")[0] in self._reach.known:
            return None
        return self._project.installed(name)

    def _read(self, name: str, place: Location) -> Module | None:
        document = self._document(name) if len(self.standing) < _MODULES else None
        if document is None:
            return None
        self.standing[document.path] = place
        return parse(document)

    def opened(self, names: Names, found: External, place: Location) -> Target | None:
        """What a name of an installed distribution stands for, which the project uses at this place."""
        dotted, _, name = found.dotted.rpartition(".")
        module = self.module(dotted, place) if dotted else None
        target = names.member(module, name) if module is not None else None
        return None if isinstance(target, External) and target.dotted == found.dotted else target

    def lead(self, names: Names, target: Target | None, place: Location) -> Target | None:
        """A target, or where it is a name of an installed distribution, what that stands for; it does so everywhere
        from then on."""
        if not isinstance(target, External) or self._project is None:
            return target
        found = self.opened(names, target, place)
        if found is None or isinstance(found, External):
            return target
        return self.led.setdefault(target.dotted, found)

    def data(self, names: Names, found: External, place: Location) -> Target | None:
        """The class, of data where only those are taken, or the constant that goes by this name."""
        target = self.opened(names, found, place)
        if isinstance(target, ValueTarget):
            return target if _is_constant(target.node) and target.annotation is None else None
        if not isinstance(target, ClassTarget):
            return None
        return target if not self._reach.data or _is_told_by_its_bases(names, target) else None


def _is_constant(node: ast.expr | None) -> bool:
    """Whether an expression is a type under another name, or a single value."""
    match node:
        case ast.Constant(value=value):
            return value is not None and value is not ...
        case ast.Subscript() | ast.BinOp(op=ast.BitOr()):
            return True
    return False


def _is_told_by_its_bases(names: Names, target: ClassTarget) -> bool:
    """Whether a class is one of those that readers know: it describes data (a model, an enum, a typed dictionary, a
    data class, a schema), or it is a security scheme, a router, a view, an application or an exception with a
    status."""
    bases = names.ancestry(target)
    known = [base for base in bases if isinstance(base, External)]
    if any((base.root, base.name) in _BASES or base.dotted.startswith(_FAMILIES) for base in known):
        return True
    written = [each for base in bases if isinstance(base, ClassTarget) for each in base.node.bases]
    if None in bases and any(map(_is_of_object, written)):
        return True
    decorators = (names.resolve(uncalled(each), target.scope) for each in target.node.decorator_list)
    if any(isinstance(each, External) and each.dotted in _DECORATORS for each in decorators):
        return True
    return _is_table(target.node)


def _is_table(node: ast.ClassDef) -> bool:
    """Whether a class is no more than names for texts and numbers that services share: `class HTTPS: OK = 200`."""
    if node.bases or node.decorator_list or node.keywords:
        return False
    values = [each for each in node.body if not _is_docstring(each)]
    return bool(values) and all(
        isinstance(each, ast.Assign | ast.AnnAssign) and _is_written(each.value) for each in values
    )


def _is_written(node: ast.expr | None) -> bool:
    """Whether a value is written out, at most put together of others of its kind."""
    match node:
        case ast.Constant() | ast.Name() | ast.Attribute() | ast.JoinedStr():
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(map(_is_written, parts))
        case ast.Dict(keys=keys, values=values):
            return all(map(_is_written, (*keys, *values)))
        case ast.BinOp(left=left, right=right):
            return _is_written(left) and _is_written(right)
        case ast.UnaryOp(operand=inner):
            return _is_written(inner)
    return False


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_of_object(base: ast.expr) -> bool:
    return isinstance(base, ast.Attribute) and base.attr in _OF_OBJECTS
