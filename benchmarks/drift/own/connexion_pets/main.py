"""Serves the contract."""

from __future__ import annotations

from typing import Any

import connexion

from connexion_pets.pets import UnknownPetError


def unknown_pet(request: Any, error: Exception) -> connexion.lifecycle.ConnexionResponse:
    """Says that there is none."""
    return connexion.problem(404, "Not Found", "no such pet")


app = connexion.FlaskApp(__name__)
app.add_api("openapi.json")
app.add_error_handler(UnknownPetError, unknown_pet)
