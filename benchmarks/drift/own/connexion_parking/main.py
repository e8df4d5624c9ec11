"""Serves the contract; functions are named below one module, and errors of the domain are answered as problems."""

from pathlib import Path

from connexion import AsyncApp
from connexion.resolver import RelativeResolver

from connexion_parking.errors import DomainError, domain_error_handler

app = AsyncApp(__name__, specification_dir=Path(__file__).parent)
app.add_error_handler(DomainError, domain_error_handler)
app.add_api(
    "openapi.json",
    base_path="/v1",
    resolver=RelativeResolver("connexion_parking.api"),
    strict_validation=True,
    validate_responses=True,
    pythonic_params=True,
)
