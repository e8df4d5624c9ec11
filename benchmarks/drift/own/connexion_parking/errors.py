from connexion.lifecycle import ConnexionRequest, ConnexionResponse
import json


class DomainError(Exception):
    status = 400
    title = "Bad request"

    def __init__(self, detail: str):
        super().__init__(detail)
        self.detail = detail


class NotFound(DomainError):
    status = 404
    title = "Not found"


class SpotOccupied(DomainError):
    status = 409
    title = "Occupied"


def domain_error_handler(request: ConnexionRequest, exc: DomainError) -> ConnexionResponse:
    return ConnexionResponse(
        status_code=exc.status,
        mimetype="application/problem+json",
        body=json.dumps({"title": exc.title, "detail": exc.detail, "status": exc.status}),
    )
