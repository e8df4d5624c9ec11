from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse


class AppError(Exception):
    status = 400

    def __init__(self, what: str):
        self.what = what


class NotFound(AppError):
    status = 404


def install(app: FastAPI) -> None:
    @app.exception_handler(AppError)
    async def handle(request: Request, exc: AppError) -> JSONResponse:
        return JSONResponse(status_code=exc.status, content={"detail": exc.what})
