from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.middleware.gzip import GZipMiddleware
from pydantic_settings import BaseSettings, SettingsConfigDict

from fastapi_crud import errors
from fastapi_crud.routers import api


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="CRUD_")
    api_prefix: str = "/api"
    debug: bool = False


settings = Settings()


@asynccontextmanager
async def lifespan(app: FastAPI):
    yield


def custom_id(route) -> str:
    return f"{route.tags[0]}-{route.name}"


def health() -> dict[str, str]:
    return {"status": "ok"}


def create_app() -> FastAPI:
    app = FastAPI(title="Crud", lifespan=lifespan, generate_unique_id_function=custom_id, root_path="/proxy")
    app.add_middleware(CORSMiddleware, allow_origins=["*"])
    app.add_middleware(GZipMiddleware)
    errors.install(app)
    for version in ("v1", "v2"):
        app.include_router(api, prefix=f"{settings.api_prefix}/{version}")
    app.add_api_route("/health", health, methods=["GET"], tags=["ops"])
    return app


app = create_app()
