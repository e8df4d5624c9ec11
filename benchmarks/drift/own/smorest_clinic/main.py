"""The clinic's application."""

from __future__ import annotations

from flask import Flask
from flask_smorest import Api

from smorest_clinic import animals, owners

api = Api()


def create_app():
    app = Flask(__name__)
    app.config.update(API_TITLE="Clinic", API_VERSION="v1", OPENAPI_VERSION="3.0.3")
    api.init_app(app)
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    for module in (animals, owners):
        api.register_blueprint(module.blp)
    return app


app = create_app()
