"""Serves the contract; functions are named after path and method."""

from pathlib import Path

from connexion import AsyncApp
from connexion.resolver import RestyResolver

app = AsyncApp(__name__, specification_dir=Path(__file__).parent)
app.add_api("openapi.json", resolver=RestyResolver("connexion_desk.api"))
