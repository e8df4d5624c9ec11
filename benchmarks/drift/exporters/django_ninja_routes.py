"""What a project of Django Ninja serves: the contract of the API that its URLconf holds."""

from __future__ import annotations

import importlib
import json
import os


def export(module, options):
    """The contract of the project's API, and its operations as routes."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
    django = importlib.import_module("django")
    django.setup()
    urls = importlib.import_module(module)
    encoder = importlib.import_module("ninja.responses").NinjaJSONEncoder
    contract = json.loads(json.dumps(urls.api.get_openapi_schema(), cls=encoder))
    verbs = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
    routes = [
        [verb.upper(), path] for path, item in contract["paths"].items() for verb in verbs if verb in item
    ]
    return {"contract": contract, "routes": routes}
