"""What a Litestar application says of security: its schemes, and what is asked for everywhere."""

from __future__ import annotations

import ast

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant, entries, text_of
from ingest.web.litestar.layers import Layer
from ingest.web.litestar.names import option
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ValueTarget
from ingest.web.routing.sites import Site


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
