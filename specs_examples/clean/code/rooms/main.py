"""The web application: `uvicorn rooms.main:app`."""

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from rooms import api
from rooms.schedule import Clash

app = FastAPI(title="Meeting rooms", version="2.0.1")
app.include_router(api.rooms, prefix="/api/v1")
app.include_router(api.bookings, prefix="/api/v1")


@app.exception_handler(Clash)
async def answer_clash(request: Request, clash: Clash) -> JSONResponse:
    return JSONResponse(status_code=409, content={"detail": str(clash)})


@app.get("/healthz", include_in_schema=False)
def healthz() -> dict[str, str]:
    return {"status": "ok"}
