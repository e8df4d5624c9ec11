"""The tracker's application."""

from __future__ import annotations

from flask import Blueprint, Flask
from flask_restx import Api

from restx_tracker.issues import ns
from restx_tracker.people import api as people

blueprint = Blueprint("api", __name__, url_prefix="/api/v2")
api = Api(
    blueprint,
    title="Tracker",
    authorizations={"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    doc="/docs",
)
api.add_namespace(ns)
api.add_namespace(people)


def create_app():
    app = Flask(__name__)
    app.register_blueprint(blueprint)
    return app


app = create_app()
