"""Bases of views from outside of the project whose members are known, so that one can look past them."""

from __future__ import annotations

from typing import Final

from ingest.web.program.targets import External, Target

_REST: Final = "rest_framework"
_UPDATES: Final = frozenset({"update", "partial_update", "perform_update"})
_MIXINS: Final[dict[str, frozenset[str]]] = {
    "ListModelMixin": frozenset({"list"}),
    "CreateModelMixin": frozenset({"create", "perform_create", "get_success_headers"}),
    "RetrieveModelMixin": frozenset({"retrieve"}),
    "UpdateModelMixin": _UPDATES,
    "DestroyModelMixin": frozenset({"destroy", "perform_destroy"}),
}
_OTHERS: Final[dict[tuple[str, str], frozenset[str]]] = {
    ("rest_framework_extensions", "NestedViewSetMixin"): frozenset({"get_queryset"}),
    ("rest_framework_nested", "NestedViewSetMixin"): frozenset({"get_queryset", "initialize_request"}),
    ("rest_flex_fields", "FlexFieldsMixin"): frozenset({"get_serializer_context"}),
    ("rest_flex_fields", "FlexFieldsModelViewSet"): frozenset({"get_serializer_context"}).union(
        *_MIXINS.values()
    ),
    ("rest_framework_tracking", "LoggingMixin"): frozenset(
        {"initial", "finalize_response", "handle_exception"}
    ),
    ("reversion", "RevisionMixin"): frozenset({"dispatch"}),
    **{
        (package, "XLSXFileMixin"): frozenset({"filename", "get_filename", "finalize_response"})
        for package in ("drf_excel", "drf_renderer_xlsx")
    },
    ("rules", "AutoPermissionViewSetMixin"): frozenset({"initial", "permission_type_map"}),
}


_ACTIONS: Final = {
    "ListModelMixin": ("list",),
    "CreateModelMixin": ("create",),
    "RetrieveModelMixin": ("retrieve",),
    "UpdateModelMixin": ("update", "partial_update"),
    "DestroyModelMixin": ("destroy",),
    "ModelViewSet": ("list", "create", "retrieve", "update", "partial_update", "destroy"),
    "ReadOnlyModelViewSet": ("list", "retrieve"),
    "ListAPIView": ("list",),
    "CreateAPIView": ("create",),
    "RetrieveAPIView": ("retrieve",),
    "DestroyAPIView": ("destroy",),
    "UpdateAPIView": ("update", "partial_update"),
    "ListCreateAPIView": ("list", "create"),
    "RetrieveUpdateAPIView": ("retrieve", "update", "partial_update"),
    "RetrieveDestroyAPIView": ("retrieve", "destroy"),
    "RetrieveUpdateDestroyAPIView": ("retrieve", "update", "partial_update", "destroy"),
}
_VIEWS: Final = frozenset({"ObtainAuthToken", "APIRootView", "SchemaView"})
"""Views of the framework that answer requests themselves."""
_SEEN: Final = frozenset({_REST, "django", "builtins", "typing", "typing_extensions", "abc"})


def lacks(base: External, name: str) -> bool:
    """Whether a base is surely without this member, so that the bases after it decide."""
    if base.root == _REST:
        return base.name in _MIXINS and name not in _MIXINS[base.name]
    members = _OTHERS.get((base.root, base.name))
    return members is not None and name not in members


def passes_on_steps(member: External) -> bool:
    """Whether a member comes from a base whose steps around handlers leave the status of each answer as it is."""
    *_, owner, _ = ("", *member.dotted.split("."))
    return (member.root, owner) in _OTHERS


def is_generic(base: External) -> bool:
    """Whether this is one of the framework's own views that answer as their attributes tell."""
    return base.root == _REST and base.name in _ACTIONS and base.name.endswith(("APIView", "ViewSet"))


def answers_itself(base: Target | None) -> bool:
    """Whether a base from outside of the project may answer requests, though nobody sees which."""
    if base is None:
        return True
    if isinstance(base, External) and base.root == _REST and base.name in _VIEWS:
        return True
    if not isinstance(base, External) or base.root in _SEEN or (base.root, base.name) in _OTHERS:
        return False
    return not base.name.endswith("Mixin")


def offers(base: External) -> tuple[str, ...]:
    """The actions that a base has as its name tells: the framework's own, and viewsets of others that extend it."""
    if base.root == _REST or base.name.endswith("ModelViewSet"):
        kind = "ReadOnlyModelViewSet" if base.name.endswith("ReadOnlyModelViewSet") else "ModelViewSet"
        return _ACTIONS.get(base.name, _ACTIONS[kind] if base.root != _REST else ())
    return ()
