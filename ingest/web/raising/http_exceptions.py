"""The exceptions that web frameworks turn into answers, with the statuses that they have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec


class Family(msgspec.Struct, frozen=True):
    """One framework's exceptions: the status of each that has one of its own, and the name that each extends.

    `attribute` is the class attribute that holds the status; `keywords` and `position` are how a call gives it,
    where `free` exceptions are made.
    """

    codes: Mapping[str, int]
    parents: Mapping[str, str]
    attribute: str = "status_code"
    keywords: tuple[str, ...] = ("status_code",)
    position: int | None = None
    free: frozenset[str] = frozenset()

    def ancestors(self, name: str) -> list[str]:
        """The name and those of the classes that it extends, nearest first."""
        found = [name]
        while found[-1] in self.parents and len(found) < 20:
            found.append(self.parents[found[-1]])
        return found

    def knows(self, name: str) -> bool:
        """Whether this is one of the framework's exceptions that it answers by itself."""
        return name in self.codes or name in self.parents or name in self.parents.values()


_LITESTAR: Final = {
    "HTTPException": 500,
    "ClientException": 400,
    "ValidationException": 400,
    "NotAuthorizedException": 401,
    "PermissionDeniedException": 403,
    "NotFoundException": 404,
    "MethodNotAllowedException": 405,
    "RequestEntityTooLarge": 413,
    "TooManyRequestsException": 429,
    "ImproperlyConfiguredException": 500,
    "InternalServerException": 500,
    "NoRouteMatchFoundException": 500,
    "TemplateNotFoundException": 500,
    "ServiceUnavailableException": 503,
}
_LITESTAR_PARENTS: Final = {
    "ClientException": "HTTPException",
    "ImproperlyConfiguredException": "HTTPException",
    "InternalServerException": "HTTPException",
    "NoRouteMatchFoundException": "InternalServerException",
    "TemplateNotFoundException": "InternalServerException",
    "ServiceUnavailableException": "InternalServerException",
    **{
        name: "ClientException"
        for name, code in _LITESTAR.items()
        if code < 500 and name != "ClientException"
    },
}

_AIOHTTP: Final = {
    "HTTPOk": 200,
    "HTTPCreated": 201,
    "HTTPAccepted": 202,
    "HTTPNonAuthoritativeInformation": 203,
    "HTTPNoContent": 204,
    "HTTPResetContent": 205,
    "HTTPPartialContent": 206,
    "HTTPMultipleChoices": 300,
    "HTTPMovedPermanently": 301,
    "HTTPFound": 302,
    "HTTPSeeOther": 303,
    "HTTPNotModified": 304,
    "HTTPUseProxy": 305,
    "HTTPTemporaryRedirect": 307,
    "HTTPPermanentRedirect": 308,
    "HTTPBadRequest": 400,
    "HTTPUnauthorized": 401,
    "HTTPPaymentRequired": 402,
    "HTTPForbidden": 403,
    "HTTPNotFound": 404,
    "HTTPMethodNotAllowed": 405,
    "HTTPNotAcceptable": 406,
    "HTTPProxyAuthenticationRequired": 407,
    "HTTPRequestTimeout": 408,
    "HTTPConflict": 409,
    "HTTPGone": 410,
    "HTTPLengthRequired": 411,
    "HTTPPreconditionFailed": 412,
    "HTTPRequestEntityTooLarge": 413,
    "HTTPRequestURITooLong": 414,
    "HTTPUnsupportedMediaType": 415,
    "HTTPRequestRangeNotSatisfiable": 416,
    "HTTPExpectationFailed": 417,
    "HTTPMisdirectedRequest": 421,
    "HTTPUnprocessableEntity": 422,
    "HTTPFailedDependency": 424,
    "HTTPUpgradeRequired": 426,
    "HTTPPreconditionRequired": 428,
    "HTTPTooManyRequests": 429,
    "HTTPRequestHeaderFieldsTooLarge": 431,
    "HTTPUnavailableForLegalReasons": 451,
    "HTTPInternalServerError": 500,
    "HTTPNotImplemented": 501,
    "HTTPBadGateway": 502,
    "HTTPServiceUnavailable": 503,
    "HTTPGatewayTimeout": 504,
    "HTTPVersionNotSupported": 505,
    "HTTPVariantAlsoNegotiates": 506,
    "HTTPInsufficientStorage": 507,
    "HTTPNotExtended": 510,
    "HTTPNetworkAuthenticationRequired": 511,
}
_AIOHTTP_GROUPS: Final = {
    2: "HTTPSuccessful",
    3: "HTTPRedirection",
    4: "HTTPClientError",
    5: "HTTPServerError",
}
_AIOHTTP_PARENTS: Final = {
    "HTTPSuccessful": "HTTPException",
    "HTTPRedirection": "HTTPException",
    "HTTPError": "HTTPException",
    "HTTPClientError": "HTTPError",
    "HTTPServerError": "HTTPError",
    **{name: _AIOHTTP_GROUPS[code // 100] for name, code in _AIOHTTP.items()},
}

_CONNEXION: Final = {
    "ProblemException": 500,
    "ClientProblem": 400,
    "BadRequestProblem": 400,
    "ExtraParameterProblem": 400,
    "TypeValidationError": 400,
    "Unauthorized": 401,
    "OAuthProblem": 401,
    "OAuthResponseProblem": 401,
    "Forbidden": 403,
    "OAuthScopeProblem": 403,
    "UnsupportedMediaTypeProblem": 415,
    "ServerError": 500,
    "InternalServerError": 500,
    "NonConformingResponse": 500,
    "ResolverProblem": 501,
}
_CONNEXION_PARENTS: Final = {
    "ProblemException": "HTTPException",
    "ClientProblem": "ProblemException",
    "BadRequestProblem": "ClientProblem",
    "ExtraParameterProblem": "BadRequestProblem",
    "TypeValidationError": "BadRequestProblem",
    "Unauthorized": "ClientProblem",
    "OAuthProblem": "Unauthorized",
    "OAuthResponseProblem": "OAuthProblem",
    "Forbidden": "HTTPException",
    "OAuthScopeProblem": "Forbidden",
    "UnsupportedMediaTypeProblem": "ClientProblem",
    "ServerError": "ProblemException",
    "InternalServerError": "ServerError",
    "NonConformingResponse": "InternalServerError",
    "ResolverProblem": "ServerError",
}

_DJANGO: Final = {"Http404": 404, "PermissionDenied": 403, "BadRequest": 400, "SuspiciousOperation": 400}
_REST_FRAMEWORK: Final = {
    "APIException": 500,
    "ParseError": 400,
    "ValidationError": 400,
    "AuthenticationFailed": 401,
    "NotAuthenticated": 401,
    "PermissionDenied": 403,
    "NotFound": 404,
    "MethodNotAllowed": 405,
    "NotAcceptable": 406,
    "UnsupportedMediaType": 415,
    "Throttled": 429,
}
_REST_FRAMEWORK_PARENTS: Final = {name: "APIException" for name in _REST_FRAMEWORK if name != "APIException"}
_NINJA: Final = {
    "HttpError": 500,
    "AuthenticationError": 401,
    "AuthorizationError": 403,
    "Throttled": 429,
    "ValidationError": 422,
}
_NINJA_PARENTS: Final = {
    "AuthenticationError": "HttpError",
    "AuthorizationError": "HttpError",
    "Throttled": "HttpError",
}

_REBAR: Final = {
    "BadRequest": 400,
    "Unauthorized": 401,
    "PaymentRequired": 402,
    "Forbidden": 403,
    "NotFound": 404,
    "MethodNotAllowed": 405,
    "NotAcceptable": 406,
    "RequestTimeout": 408,
    "Conflict": 409,
    "Gone": 410,
    "PreconditionFailed": 412,
    "RequestEntityTooLarge": 413,
    "UnsupportedMediaType": 415,
    "UnprocessableEntity": 422,
    "TooManyRequests": 429,
    "InternalError": 500,
    "NotImplemented": 501,
    "BadGateway": 502,
    "ServiceUnavailable": 503,
    "GatewayTimeout": 504,
}

FAMILIES: Final[Mapping[str, Family]] = {
    "litestar": Family(_LITESTAR, _LITESTAR_PARENTS, free=frozenset(_LITESTAR)),
    "aiohttp": Family(_AIOHTTP, _AIOHTTP_PARENTS),
    "connexion": Family(
        _CONNEXION,
        _CONNEXION_PARENTS,
        attribute="",
        keywords=("status",),
        position=0,
        free=frozenset({"ProblemException", "ClientProblem", "ServerError"}),
    ),
    "flask_rebar": Family(_REBAR, dict.fromkeys(_REBAR, "HttpJsonError"), "http_status_code", ()),
    "apiflask": Family({"HTTPError": 500}, {}, position=0, free=frozenset({"HTTPError"})),
    "django": Family(_DJANGO, {}),
    "rest_framework": Family(_REST_FRAMEWORK, _REST_FRAMEWORK_PARENTS),
    "ninja": Family(_NINJA, _NINJA_PARENTS, position=0, free=frozenset({"HttpError"})),
}

WERKZEUG: Final = {
    "BadRequest": 400,
    "BadRequestKeyError": 400,
    "SecurityError": 400,
    "Unauthorized": 401,
    "Forbidden": 403,
    "NotFound": 404,
    "MethodNotAllowed": 405,
    "NotAcceptable": 406,
    "RequestTimeout": 408,
    "Conflict": 409,
    "Gone": 410,
    "LengthRequired": 411,
    "PreconditionFailed": 412,
    "RequestEntityTooLarge": 413,
    "RequestURITooLarge": 414,
    "UnsupportedMediaType": 415,
    "RequestedRangeNotSatisfiable": 416,
    "ExpectationFailed": 417,
    "ImATeapot": 418,
    "MisdirectedRequest": 421,
    "UnprocessableEntity": 422,
    "Locked": 423,
    "FailedDependency": 424,
    "PreconditionRequired": 428,
    "TooManyRequests": 429,
    "RequestHeaderFieldsTooLarge": 431,
    "UnavailableForLegalReasons": 451,
    "InternalServerError": 500,
    "NotImplemented": 501,
    "BadGateway": 502,
    "ServiceUnavailable": 503,
    "GatewayTimeout": 504,
    "HTTPVersionNotSupported": 505,
}
"""The statuses of Werkzeug's exceptions, which all extend `HTTPException` and may have another `code` in a class."""
WERKZEUG_NAMES: Final = frozenset({*WERKZEUG, "HTTPException"})
