"""What libraries raise for data that a request brought and that is not as it should be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ingest.web.program.calls import given_for
from ingest.web.program.program import Program
from ingest.web.program.project_calls import calls_of
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_ENDS: Final = ("builtins.Exception", "builtins.BaseException")
_BASES: Final = {
    "pydantic.ValidationError": ("builtins.ValueError", *_ENDS),
    "msgspec.ValidationError": ("msgspec.DecodeError", "msgspec.MsgspecError", "builtins.ValueError", *_ENDS),
    "msgspec.DecodeError": ("msgspec.MsgspecError", "builtins.ValueError", *_ENDS),
    "marshmallow.ValidationError": ("marshmallow.exceptions.MarshmallowError", *_ENDS),
    "json.JSONDecodeError": ("builtins.ValueError", *_ENDS),
    "jsonschema.ValidationError": ("jsonschema.exceptions._Error", *_ENDS),
    "voluptuous.MultipleInvalid": ("voluptuous.Invalid", "voluptuous.Error", *_ENDS),
}
_SPELLED: Final = {
    "pydantic_core.ValidationError": "pydantic.ValidationError",
    "pydantic.error_wrappers.ValidationError": "pydantic.ValidationError",
    "marshmallow.exceptions.ValidationError": "marshmallow.ValidationError",
    "json.decoder.JSONDecodeError": "json.JSONDecodeError",
    "jsonschema.exceptions.ValidationError": "jsonschema.ValidationError",
    "voluptuous.error.MultipleInvalid": "voluptuous.MultipleInvalid",
}
_TREES: Final = {
    "jwt": {
        "PyJWTError": "InvalidTokenError InvalidKeyError PyJWKError PyJWKSetError PyJWKClientError",
        "InvalidTokenError": "DecodeError ExpiredSignatureError ImmatureSignatureError InvalidAudienceError "
        "InvalidIssuedAtError InvalidIssuerError InvalidAlgorithmError MissingRequiredClaimError",
        "DecodeError": "InvalidSignatureError",
    },
    "jose": {
        "JOSEError": "JWTError JWSError JWKError JWEError",
        "JWTError": "JWTClaimsError ExpiredSignatureError",
    },
    "django": {
        "ObjectDoesNotExist": "DoesNotExist",
        "MultipleObjectsReturned": "",
        "ImproperlyConfigured": "",
        "ValidationError": "",
        "PermissionDenied": "",
        "FieldError": "",
        "FieldDoesNotExist": "",
        "AppRegistryNotReady": "",
        "BadRequest": "",
        "Http404": "",
        "SuspiciousOperation": "DisallowedHost DisallowedRedirect SuspiciousFileOperation RequestDataTooBig",
        "BadSignature": "SignatureExpired",
        "DatabaseError": "DataError OperationalError IntegrityError InternalError ProgrammingError",
    },
}
"""Which exceptions of a library are those of which other one."""
_PYDANTIC = frozenset(
    {"model_validate", "model_validate_json", "parse_obj", "parse_raw", "validate_python", "validate_json"}
)
_MSGSPEC = frozenset(
    {"msgspec.json.decode", "msgspec.convert", "msgspec.yaml.decode", "msgspec.msgpack.decode"}
)
_TAKEN = frozenset({"json", "read", "text", "body", "form", "post", "get_json", "get_data"})
_MAPPINGS = frozenset({"query", "query_params", "match_info", "path_params", "args", "cookies", "headers"})
_REQUESTS = frozenset({"request", "req"})
_DEPTH = 4


def lineage_of_library(target: External) -> list[str] | None:
    """The names under which such an exception can be caught, nearest first; None for any other class."""
    name = _SPELLED.get(target.dotted, target.dotted)
    if name in _BASES:
        return [name, *_BASES[name]]
    return _in_tree(target.root, target.name) if target.root in _TREES else None


def _in_tree(root: str, name: str) -> list[str] | None:
    tree = _TREES[root]
    above = next((parent for parent, children in tree.items() if name in children.split()), None)
    if above is None:
        return [f"{root}.{name}", *_ENDS] if name in tree else None
    return [f"{root}.{name}", *(_in_tree(root, above) or ())]


def raised_by_library(instances: Instances, call: ast.Call, scope: Scope) -> External | None:
    """What a call raises where a request's data does not fit; None for calls that check no such data."""
    program, function = instances.program, call.func
    if isinstance(function, ast.Attribute) and function.attr == "json" and _is_request(function.value):
        return External("json.JSONDecodeError")
    found = _checking(instances, call, scope)
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return found if found is not None and any(_is_taken(program, each, scope, 0) for each in given) else None


def _checking(instances: Instances, call: ast.Call, scope: Scope) -> External | None:
    program, function = instances.program, call.func
    target = program.resolve(function, scope)
    if isinstance(target, External) and target.dotted in _MSGSPEC:
        return External("msgspec.ValidationError")
    if isinstance(target, External) and target.dotted in (
        "jsonschema.validate",
        "jsonschema.validators.validate",
    ):
        return External("jsonschema.ValidationError")
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
        made = program.resolve(target.node.func, target.scope)
        return External("voluptuous.MultipleInvalid") if made == External("voluptuous.Schema") else None
    if isinstance(target, ClassTarget):
        whole = any(keyword.arg is None for keyword in call.keywords)
        model = whole and program.is_a(target, {"pydantic"}, {"BaseModel"})
        return External("pydantic.ValidationError") if model else None
    if isinstance(function, ast.Attribute) and function.attr in _PYDANTIC:
        return External("pydantic.ValidationError")
    if isinstance(function, ast.Attribute) and function.attr in ("load", "loads"):
        schema = _is_schema(instances, function.value, scope)
        return External("marshmallow.ValidationError") if schema else None
    return None


def _is_schema(instances: Instances, node: ast.expr, scope: Scope) -> bool:
    """Whether a value is a schema of marshmallow, as it is made or as all calls give it."""
    program = instances.program
    target = program.resolve(node, scope)
    outside = target.scope.parent if isinstance(target, ParameterTarget) else None
    if isinstance(target, ParameterTarget) and target.annotation is None and outside is not None:
        if not isinstance(target.scope.node, Function) or outside.is_class:
            return False
        function = FunctionTarget(target.scope.node, outside)
        given = [given_for(target, function, call, around) for call, around in calls_of(program, function)]
        return bool(given) and all(
            value is not None and program.is_a(instances.of(value, inner), {"marshmallow"}, {"Schema"})
            for value, inner in given
        )
    return program.is_a(instances.of(node, scope), {"marshmallow"}, {"Schema"})


def _is_request(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in _REQUESTS) or (
        isinstance(node, ast.Attribute) and node.attr == "request"
    )


def _is_taken(program: Program, node: ast.expr, scope: Scope, depth: int) -> bool:
    """Whether a value is made of what stands in a request."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and part.attr in _TAKEN | _MAPPINGS and _is_request(part.value):
            return True
        bound = _bound(part, scope) if isinstance(part, ast.Name) and depth < _DEPTH else ()
        if any(_is_taken(program, value, scope, depth + 1) for value in bound):
            return True
    return False


def _bound(node: ast.Name, scope: Scope) -> Iterator[ast.expr]:
    """The values that a name of this function is bound to."""
    for binding in scope.bindings.get(node.id, []):
        if binding.value is not None and binding.value is not node:
            yield binding.value
