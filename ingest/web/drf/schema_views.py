"""The views of drf-spectacular that answer with the contract itself, which the contract describes too."""

from __future__ import annotations

from typing import Final

from graph.schema_algebra import Schema
from ingest.web.constants.constants import constant
from ingest.web.django.routes import Route
from ingest.web.django.settings import Given, Settings
from ingest.web.drf.permissions import PermissionReader
from ingest.web.drf.views import View
from ingest.web.program.targets import External, Target
from ingest.web.records.operations import Operation, Parameter, Response

_PACKAGE: Final = "drf_spectacular"
_SETTINGS: Final = "SPECTACULAR_SETTINGS"
_YAML: Final = ("application/vnd.oai.openapi", "application/yaml")
_JSON: Final = ("application/vnd.oai.openapi+json", "application/json")
_WRITES: Final = {
    "SpectacularAPIView": _YAML + _JSON,
    "SpectacularYAMLAPIView": _YAML,
    "SpectacularJSONAPIView": _JSON,
}
_ASKING: Final = ("SERVE_PERMISSIONS", "SERVE_AUTHENTICATION")
_PAGES: Final = frozenset(
    {
        *("SpectacularSwaggerView", "SpectacularSwaggerSplitView", "SpectacularRedocView"),
        *("SpectacularRapiDocView", "SpectacularSwaggerOauthRedirectView"),
    }
)


def schema_view(
    permissions: PermissionReader, route: Route, view: Target | None, varied: bool
) -> Operation | None:
    """The operation of a view that writes the contract, or a page of it; None where this is another view.

    `varied` tells that `as_view(…)` changes what the view is.
    """
    settings = permissions.policies.settings
    if not isinstance(view, External) or view.root != _PACKAGE or view.name not in (*_WRITES, *_PAGES):
        return None
    operation = Operation("GET", route.pattern.path, route.place, view.dotted, "djangorestframework")
    operation.in_schema = route.around.certain and view.name in _WRITES and not varied
    if not _is_on(settings, "SERVE_INCLUDE_SCHEMA"):
        operation.in_schema = False
    if view.name in _WRITES:
        whole: Schema = {"type": "object", "additionalProperties": {}}
        content = dict.fromkeys(_WRITES[view.name], whole)
        operation.responses = [Response("200", "declared", route.place, content)]
        operation.statuses_complete = not varied
        operation.parameters = _parameters(settings, view, route)
        operation.parameters_complete = not varied and not route.pattern.parameters
        if not varied and all(settings.entry(_SETTINGS, name) is None for name in _ASKING):
            operation.security, operation.security_schemes = permissions.ways(View(None), False)
    return operation


def _parameters(settings: Settings, view: External, route: Route) -> list[Parameter]:
    found = []
    forms: Schema = {"type": "string", "enum": ["json", "yaml"]}
    if view.name == "SpectacularAPIView" and settings.rest("URL_FORMAT_OVERRIDE") is None:
        found.append(Parameter("query", "format", False, forms, route.place))
    if not settings.binds("USE_I18N") or settings.value("USE_I18N") is True:
        # Which languages there are depends on the version of Django, where the settings do not list them.
        spoken: Schema = {"type": "string", "x-implied": ["enum"]}
        found.append(Parameter("query", "lang", False, spoken, route.place))
    return found


def _is_on(settings: Settings, name: str) -> bool:
    """Whether one of drf-spectacular's switches, which are on by themselves, is not known to be off."""
    given = settings.entry(_SETTINGS, name)
    if not isinstance(given, Given):
        return given is None
    return constant(settings.program, given.node, given.scope) is True
