"""What a project of Django's REST framework serves: the contract that drf-spectacular exports."""

from __future__ import annotations

import importlib
import json
import os
import re


def export(module, options):
    """The contract of the whole project, and its operations as routes."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
    django = importlib.import_module("django")
    django.setup()
    importlib.import_module(module)
    generators = importlib.import_module("drf_spectacular.generators")
    renderers = importlib.import_module("drf_spectacular.renderers")
    schema = generators.SchemaGenerator().get_schema(request=None, public=True)
    contract = json.loads(renderers.OpenApiJsonRenderer().render(schema, renderer_context={}))
    components = contract.get("components", {}).get("schemas", {})
    lost = set(re.findall(r'"#/components/schemas/([^"/]+)"', json.dumps(contract))) - set(components)
    if lost:
        raise LookupError(f"the contract refers to {', '.join(sorted(lost))}, which it does not hold")
    verbs = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
    routes = [
        [verb.upper(), path] for path, item in contract["paths"].items() for verb in verbs if verb in item
    ]
    return {"contract": contract, "routes": routes}
