"""A Swagger 2 document in OpenAPI 3's spelling: the operators change documents of one form only."""

from __future__ import annotations

from typing import Any

_OUTSIDE = {"name", "in", "required", "description", "collectionFormat", "allowEmptyValue"}
_REFERENCES = {
    "#/definitions/": "#/components/schemas/",
    "#/responses/": "#/components/responses/",
    "#/parameters/": "#/components/parameters/",
}
_METHODS = {"get", "put", "post", "delete", "options", "head", "patch"}


def converted(document: dict[str, Any]) -> dict[str, Any]:
    """The same contract as OpenAPI 3.0; a body's name is kept for Connexion, which hands it over under that name."""
    components = {
        "schemas": _moved(document.get("definitions", {})),
        "responses": {
            name: _response(response, ["application/json"])
            for name, response in document.get("responses", {}).items()
        },
        "securitySchemes": {
            name: {"type": "http", "scheme": "basic"} if scheme["type"] == "basic" else scheme
            for name, scheme in document.get("securityDefinitions", {}).items()
        },
    }
    base = document.get("basePath", "").rstrip("/")
    found = {
        "openapi": "3.0.3",
        "info": document["info"],
        "paths": {path: _path(item, document) for path, item in document["paths"].items()},
        "components": {name: part for name, part in components.items() if part},
    }
    found |= {"servers": [{"url": base}]} if base else {}
    return found | ({"security": document["security"]} if document.get("security") else {})


def _path(item, document):
    found = {}
    shared = item.get("parameters", [])
    if shared:
        found["parameters"] = [_parameter(parameter) for parameter in shared]
    for method, operation in item.items():
        if method in _METHODS:
            found[method] = _operation(operation, document)
    return found


def _operation(operation, document):
    consumes = operation.get("consumes") or document.get("consumes") or ["application/json"]
    produces = operation.get("produces") or document.get("produces") or ["application/json"]
    kept = {
        name: value
        for name, value in operation.items()
        if name not in ("parameters", "responses", "consumes", "produces")
    }
    parameters = operation.get("parameters", [])
    plain = [_parameter(p) for p in parameters if p["in"] not in ("body", "formData")]
    if plain:
        kept["parameters"] = plain
    for body in (p for p in parameters if p["in"] == "body"):
        content = {"application/json": {"schema": _moved(body.get("schema", {}))}}
        kept["requestBody"] = {
            "required": body.get("required", False),
            "content": content,
            "x-body-name": body["name"],
        }
    form = [p for p in parameters if p["in"] == "formData"]
    if form:
        schema = {"type": "object", "properties": {p["name"]: _schema(p) for p in form}}
        required = [p["name"] for p in form if p.get("required")]
        schema |= {"required": required} if required else {}
        content = {kind: {"schema": schema} for kind in consumes}
        kept["requestBody"] = {"required": bool(required), "content": content}
    kept["responses"] = {
        status: _response(response, produces) for status, response in operation["responses"].items()
    }
    return kept


def _parameter(parameter):
    outside = {
        name: value for name, value in parameter.items() if name in ("name", "in", "required", "description")
    }
    return outside | {"schema": _schema(parameter)}


def _schema(parameter):
    inner = {name: value for name, value in parameter.items() if name not in _OUTSIDE}
    if inner.get("type") == "file":
        inner |= {"type": "string", "format": "binary"}
    return _moved(inner)


def _response(response, produces):
    if "$ref" in response:
        return _moved(response)
    found = {"description": response.get("description", "")}
    if "schema" in response:
        found["content"] = {kind: {"schema": _moved(response["schema"])} for kind in produces}
    return found


def _moved(value):
    if isinstance(value, dict):
        return {name: _moved(inner) for name, inner in value.items() if name != "discriminator"}
    if isinstance(value, list):
        return [_moved(inner) for inner in value]
    for old, new in _REFERENCES.items():
        if isinstance(value, str) and value.startswith(old):
            return new + value.removeprefix(old)
    return value
