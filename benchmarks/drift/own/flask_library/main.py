"""The application and what it answers when something is wrong."""

from __future__ import annotations

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from flask_library.books import bp as books
from flask_library.loans import loans
from flask_library.store import LentError


def create_app() -> Flask:
    """The whole application."""
    app = Flask(__name__)
    app.register_blueprint(books, url_prefix="/api/books")
    app.register_blueprint(loans, url_prefix="/api")

    @app.errorhandler(HTTPException)
    def on_http(error: HTTPException) -> tuple[Response, int]:
        return jsonify(error=error.name), error.code or 500

    @app.errorhandler(LentError)
    def on_lent(error: LentError) -> tuple[Response, int]:
        return jsonify({"error": "lent", "book": error.number}), 409

    @app.get("/healthz")
    def health() -> dict[str, str]:
        return {"status": "up"}

    return app
