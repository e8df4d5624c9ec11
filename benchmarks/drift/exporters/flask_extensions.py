"""What an application of APIFlask, flask-smorest or Flask-RESTX serves: its contract and Flask's table of routes."""

from __future__ import annotations

import importlib
import json
import re

from flask import Flask
from swagger_two import converted

_METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
_OWN = re.compile(r"^/(openapi|docs|redoc|swagger|static|swaggerui)\b|/swagger\.json$|/docs/?$|/static/")


def export(module, options):
    """The contract and the routes of the application that a module makes."""
    names = vars(importlib.import_module(module))
    application = next((value for value in names.values() if isinstance(value, Flask)), None)
    if application is None and callable(names.get("create_app")):
        application = names["create_app"]()
    if application is None:
        raise LookupError("the module makes no Flask application")
    contract = _contract(application, names)
    if contract is None:
        raise LookupError("the application exports no contract")
    return {"contract": json.loads(json.dumps(contract, default=str)), "routes": list(_routes(application))}


def _contract(application, names):
    if hasattr(application, "spec"):
        return application.spec
    for value in names.values():
        made_by = type(value).__module__
        if type(value).__name__ != "Api":
            continue
        if made_by.startswith("flask_smorest"):
            return value.spec.to_dict()
        if made_by.startswith("flask_restx"):
            with application.test_request_context():
                return converted(json.loads(json.dumps(value.__schema__, default=str)))
    return None


def _routes(application):
    for rule in application.url_map.iter_rules():
        path = re.sub(r"<(?:[^<:>]+:)?([^<>]+)>", r"{\1}", rule.rule)
        if _OWN.search(path) or rule.endpoint.endswith(("root", "specs", "doc")):
            continue
        for method in sorted(rule.methods & _METHODS):
            yield [method, path]
