"""The one explicit list of frameworks."""

from __future__ import annotations

from benchmarks.drift.applications.by_hand import Aiohttp, PlainDjango, PlainFlask, Starlette
from benchmarks.drift.applications.connexion import Connexion
from benchmarks.drift.applications.django_ninja import DjangoNinja
from benchmarks.drift.applications.django_rest_framework import DjangoRestFramework
from benchmarks.drift.applications.fastapi import FastApi
from benchmarks.drift.applications.flask_extensions import ApiFlask, FlaskRestx, FlaskSmorest
from benchmarks.drift.applications.litestar import Litestar
from benchmarks.drift.records import Framework

FRAMEWORKS: tuple[Framework, ...] = (
    FastApi(),
    DjangoRestFramework(),
    DjangoNinja(),
    PlainDjango(),
    PlainFlask(),
    ApiFlask(),
    FlaskSmorest(),
    FlaskRestx(),
    Litestar(),
    Aiohttp(),
    Starlette(),
    Connexion(),
)
