"""Views that well-known packages bring for the REST framework: which methods they answer, though not with what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ingest.web.django.routes import Route
from ingest.web.django_views.views import path_parameters
from ingest.web.program.targets import External, Target
from ingest.web.records.operations import Operation

_REGISTRATION: Final = ("RegisterView", "VerifyEmailView", "ResendEmailVerificationView", "SocialLoginView")
_POSTED: Final[dict[str, tuple[str, ...]]] = {
    "knox": ("LoginView", "LogoutView", "LogoutAllView"),
    "rest_framework_jwt": ("ObtainJSONWebTokenView", "RefreshJSONWebTokenView", "VerifyJSONWebTokenView"),
    "dj_rest_auth": _REGISTRATION,
}
_METHODS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    **{(package, name): ("post",) for package, names in _POSTED.items() for name in names},
}


def known_methods(bases: Sequence[Target | None]) -> tuple[str, ...]:
    """The methods that a view answers by one of these bases, in small letters; none where that is not known."""
    for base in bases:
        if isinstance(base, External) and (base.package, base.name) in _METHODS:
            return _METHODS[base.package, base.name]
    return ()


def known_view(route: Route, view: Target | None, framework: str) -> Iterator[Operation]:
    """The operations of a view that a URLconf takes from such a package as it is."""
    for method in known_methods([view]):
        assert isinstance(view, External), "only what is outside of the project is known by its name"
        operation = Operation(method.upper(), route.pattern.path, route.place, view.dotted, framework)
        operation.parameters = path_parameters(route, route.place)
        operation.in_schema = route.around.certain
        yield operation
