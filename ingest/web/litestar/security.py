"""What a Litestar application says of security: its schemes, and what is asked for everywhere."""

from __future__ import annotations

import ast
import re

import msgspec

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant, elements, entries, text_of
from ingest.web.litestar.layers import Layer
from ingest.web.litestar.names import option
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.routing.sites import Site

_TOKENS: dict[str, Json] = {
    "JWTAuth": {"type": "http", "scheme": "Bearer"},
    "JWTCookieAuth": {"type": "http", "scheme": "Bearer", "in": "cookie"},
    "OAuth2PasswordBearerAuth": {"type": "oauth2"},
}
"""What the classes of Litestar's own that ask for tokens put into the contract."""


class Asking(msgspec.Struct, frozen=True):
    """What asks the callers of an application for a token, as `on_app_init` puts it before its handlers: the name of
    its scheme, what the scheme is, and the patterns of paths that it leaves alone; None where these are not known."""

    name: str
    scheme: Json
    excluded: tuple[str, ...] | None

    def asks(self, path: str, handler: FunctionTarget) -> bool:
        """Whether it surely asks the callers of a path; handlers and controllers may say that they are left alone."""
        spared = any(part.arg in ("exclude_from_auth", "opt") for part in _keywords(handler.node))
        if self.excluded is None or spared or "opt" in handler.scope.bindings:
            return False
        return not any(_found(pattern, path) for pattern in self.excluded)


class SecurityReader:
    """Reads the security of applications of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def required(self, application: Site, layer: Layer) -> tuple[Json, ...] | None:
        """What the layers around a handler ask for, else what the whole application does; None where unknown."""
        config = self._configuration(application)
        if layer.security or config is None:
            return layer.security
        shared = argument(config.node, None, "security") if isinstance(config.node, ast.Call) else None
        value = constant(self.program, shared, config.scope) if shared is not None else []
        return tuple(value) if isinstance(value, list) and layer.security is not None else None

    def asking(self, application: Site) -> Asking | None:
        """What `on_app_init=[auth.on_app_init]` has asked for of all callers, where that is Litestar's own."""
        node = argument(application.call, None, "on_app_init")
        for each, scope in elements(self.program, node, application.scope) or [] if node is not None else []:
            if not isinstance(each, ast.Attribute) or each.attr != "on_app_init":
                continue
            made = self.program.resolve(each.value, scope)
            if not isinstance(made, ValueTarget) or not isinstance(made.node, ast.Call):
                continue
            function = made.node.func
            function = function.value if isinstance(function, ast.Subscript) else function
            target = self.program.resolve(function, made.scope)
            if isinstance(target, External) and target.root == "litestar" and target.name in _TOKENS:
                return self._token(made.node, made, target.name)
        return None

    def _token(self, call: ast.Call, made: ValueTarget, kind: str) -> Asking | None:
        written = argument(call, None, "openapi_security_scheme_name")
        name = "BearerToken" if written is None else text_of(self.program, written, made.scope)
        left = argument(call, None, "exclude")
        found = [] if left is None else constant(self.program, left, made.scope)
        found = [found] if isinstance(found, str) else found
        known = isinstance(found, list) and argument(call, None, "exclude_opt_key") is None
        excluded = tuple(map(str, found)) if known and isinstance(found, list) else None
        return None if name is None else Asking(name, _TOKENS[kind], excluded)

    def _configuration(self, application: Site) -> ValueTarget | None:
        """The `OpenAPIConfig(…)` of an application, where it can be seen."""
        found = option(self.program, application.call, "openapi_config", None, application.scope)
        return found if isinstance(found, ValueTarget) and isinstance(found.node, ast.Call) else None

    def schemes(self, application: Site) -> dict[str, Json]:
        """The security schemes that the configuration of an application describes."""
        config = self._configuration(application)
        call = config.node if config is not None else None
        if config is None or not isinstance(call, ast.Call):
            return {}
        components = option(self.program, call, "components", None, config.scope)
        made = components.node if isinstance(components, ValueTarget) else None
        if not isinstance(components, ValueTarget) or not isinstance(made, ast.Call):
            return {}
        table = entries(self.program, argument(made, None, "security_schemes"), components.scope)
        found: dict[str, Json] = {}
        for key, value, scope in table or []:
            name, target = text_of(self.program, key, scope), self.program.resolve(value, scope)
            if name is None or not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Call):
                continue
            described = self._scheme(target.node, target)
            if described:
                found[name] = described
        return dict(sorted(found.items()))

    def _scheme(self, call: ast.Call, target: ValueTarget) -> dict[str, Json]:
        """What one `SecurityScheme(…)` says."""
        told: dict[str, Json] = {}
        for keyword, name in (
            ("type", "type"),
            ("scheme", "scheme"),
            ("name", "name"),
            ("security_scheme_in", "in"),
        ):
            written = argument(call, None, keyword)
            if written is None:
                continue
            value = constant(self.program, written, target.scope)
            if isinstance(value, Missing):
                return {}
            told[name] = value
        return told if "type" in told else {}


def _keywords(function: ast.AST) -> list[ast.keyword]:
    decorators = getattr(function, "decorator_list", [])
    return [each for node in decorators for each in ast.walk(node) if isinstance(each, ast.keyword)]


def _found(pattern: str, path: str) -> bool:
    try:
        return re.search(pattern, path) is not None
    except re.error:
        return True
