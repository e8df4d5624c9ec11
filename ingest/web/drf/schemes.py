"""How callers of views of the REST framework are known: the schemes by which contracts name its classes."""

from __future__ import annotations

import ast
from typing import Final, TypeAlias

import msgspec

from graph.facts import Json
from ingest.web.constants.constants import Constant, constant, text_of
from ingest.web.django.settings import Given
from ingest.web.drf.views import REST, Policies
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import returned

Scheme: TypeAlias = tuple[str, dict[str, Json]]
_SPECTACULAR: Final = "drf_spectacular"
_JWT: Final = "rest_framework_simplejwt"
_OLD_JWT: Final = "rest_framework_jwt"
_KNOX: Final = "knox"
_BEARER: Final[dict[str, Json]] = {"type": "http", "scheme": "bearer"}
_JWT_CLASSES: Final = frozenset(
    {"JWTAuthentication", "JWTTokenUserAuthentication", "JWTStatelessUserAuthentication"}
)
_JWT_EXTENSIONS: Final = frozenset(
    {"SimpleJWTScheme", "SimpleJWTTokenUserScheme", "SimpleJWTStatelessUserScheme"}
)
_NAMED: Final = ("type", "in", "name", "scheme", "openIdConnectUrl", "flows")


class _Extension(msgspec.Struct, frozen=True):
    """What an extension of drf-spectacular says of a class; `scheme` is None where that is not known."""

    described: Target | None
    inherited: bool
    scheme: Scheme | None


class SchemeReader:
    """Reads the schemes of the classes of one program that find out who calls."""

    def __init__(self, program: Program, policies: Policies) -> None:
        self.program = program
        self.policies = policies

    def of(self, target: Target | None) -> Scheme | None:
        """The name and form of the scheme of a class; None where it has none, or none that is known."""
        extensions = self.program.remember(("schemes",), lambda: list(map(self._extension, self._written())))
        above = self.program.ancestry(target) if isinstance(target, ClassTarget) else [target]
        for each in extensions:
            if each.described is not None and each.described in (above if each.inherited else above[:1]):
                return each.scheme
        if isinstance(target, ClassTarget):
            return self._derived(target)
        return self._usual(target) if isinstance(target, External) else None

    def _usual(self, target: External) -> Scheme | None:
        """The scheme of one of the classes that come with the framework, or with its tokens."""
        if target.root == _JWT and target.name in _JWT_CLASSES:
            types = self._entry("SIMPLE_JWT", "AUTH_HEADER_TYPES", ["Bearer"])
            name = self._entry("SIMPLE_JWT", "AUTH_HEADER_NAME", "HTTP_AUTHORIZATION")
            scheme = _prefixed(name, types[0]) if isinstance(types, list) and types else None
            return ("jwtAuth", scheme) if scheme is not None else None
        if target.dotted == f"{_KNOX}.auth.TokenAuthentication":
            word = self._entry("REST_KNOX", "AUTH_HEADER_PREFIX", "Token")
            scheme = _prefixed("Authorization", word)
            return ("knoxApiToken", scheme) if scheme is not None else None
        if target.root == _OLD_JWT and target.name == "JSONWebTokenAuthentication":
            scheme = _prefixed("Authorization", self._entry("JWT_AUTH", "JWT_AUTH_HEADER_PREFIX", "Bearer"))
            return ("jwtAuth", scheme) if scheme is not None else None
        if target.root != REST:
            return None
        match target.name:
            case "SessionAuthentication":
                bound = self.policies.settings.binds("SESSION_COOKIE_NAME")
                name = self.policies.settings.value("SESSION_COOKIE_NAME") if bound else "sessionid"
                cookie: dict[str, Json] = {"type": "apiKey", "in": "cookie"}
                return ("cookieAuth", {**cookie, "name": name}) if isinstance(name, str) else None
            case "BasicAuthentication":
                return "basicAuth", {"type": "http", "scheme": "basic"}
            case "TokenAuthentication":
                return "tokenAuth", {"type": "apiKey", "in": "header", "name": "Authorization"}
        return None

    def _derived(self, target: ClassTarget) -> Scheme | None:
        """The scheme of a class of the project that takes tokens as the framework does, behind a word of its own."""
        above = self.program.ancestry(target)
        tokens = any(
            isinstance(b, External) and b.dotted == f"{REST}.authentication.TokenAuthentication"
            for b in above
        )
        own = [self.program.class_member(target, name) for name in ("authenticate", "authenticate_header")]
        if not tokens or any(not isinstance(each, External) for each in own):
            return None
        word = self.program.class_member(target, "keyword")
        told = text_of(self.program, word.node, word.scope) if isinstance(word, ValueTarget) else "Token"
        scheme = _prefixed("Authorization", told) if told is not None else None
        return ("tokenAuth", scheme) if scheme is not None else None

    def _entry(self, setting: str, name: str, usual: Json) -> Constant:
        """What a table of the settings has by a name; what is usual where it has nothing."""
        given = self.policies.settings.entry(setting, name)
        if given is None:
            return usual
        return constant(self.program, given.node, given.scope) if isinstance(given, Given) else given

    def _written(self) -> list[ClassTarget]:
        """The extensions of the project that describe such classes."""
        found = []
        for module in self.program.importers((_SPECTACULAR,)):
            for scope in module.scope.descend():
                if isinstance(scope.node, ast.ClassDef) and scope.parent is not None:
                    target = ClassTarget(scope.node, scope.parent)
                    if any(map(_describes, self.program.ancestry(target))):
                        found.append(target)
        return found

    def _extension(self, written: ClassTarget) -> _Extension:
        described = self.program.class_member(written, "target_class")
        if isinstance(described, ValueTarget) and described.node is not None:
            described = self.policies.named(described.node, described.scope)
        many = self.program.class_member(written, "match_subclasses")
        inherited = isinstance(many, ValueTarget) and constant(self.program, many.node, many.scope) is True
        return _Extension(described, inherited, self._told(written))

    def _told(self, written: ClassTarget) -> Scheme | None:
        """What an extension calls the scheme, and which form it gives it."""
        bound = self.program.class_member(written, "name")
        name = text_of(self.program, bound.node, bound.scope) if isinstance(bound, ValueTarget) else None
        method = self.program.class_member(written, "get_security_definition")
        if isinstance(method, External) and method.dotted.split(".")[-2] in _JWT_EXTENSIONS:
            usual = self._usual(External(f"{_JWT}.JWTAuthentication"))
            name = "jwtAuth" if isinstance(bound, External) else name
            return (name, usual[1]) if usual is not None and name is not None else None
        if name is None or not isinstance(method, FunctionTarget):
            return None
        forms = [self._form(node, scope) for node, scope in returned(method)]
        return (name, forms[0]) if len(forms) == 1 and forms[0] is not None else None

    def _form(self, node: ast.expr, scope: Scope) -> dict[str, Json] | None:
        if isinstance(node, ast.Call):
            made = self.program.resolve(node.func, scope)
            if not isinstance(made, External) or made.name != "build_bearer_security_scheme_object":
                return None
            header = text_of(self.program, argument(node, 0, "header_name"), scope)
            return _prefixed(header, text_of(self.program, argument(node, 1, "token_prefix"), scope))
        value = constant(self.program, node, scope)
        return {key: value[key] for key in _NAMED if key in value} if isinstance(value, dict) else None


def _describes(base: Target | None) -> bool:
    """Whether a base is that of all extensions for such classes, or drf-spectacular's own one for tokens."""
    known = {"OpenApiAuthenticationExtension", *_JWT_EXTENSIONS}
    return isinstance(base, External) and base.root == _SPECTACULAR and base.name in known


def _prefixed(header: Constant, word: Constant) -> dict[str, Json] | None:
    """The form of a scheme whose credentials stand behind a word in a header; None where these are not known."""
    if not isinstance(header, str) or not isinstance(word, str):
        return None
    shown = header.removeprefix("HTTP_").replace("_", "-").capitalize()
    if word == "Bearer" and shown == "Authorization":
        return dict(_BEARER)
    return {"type": "apiKey", "in": "header", "name": shown}
