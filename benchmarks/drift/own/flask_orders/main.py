from functools import partial, wraps
from http import HTTPStatus

from flask import Blueprint, Flask, current_app, jsonify, make_response, request
from marshmallow import ValidationError
from werkzeug.exceptions import BadRequest, HTTPException, Unauthorized

from flask_orders.domain import OrderNotFound, OrderState, WrongState
from flask_orders.repository import OrderRepository
from flask_orders.schemas import order_schema, orders_schema

bp = Blueprint("orders", __name__)


def repository() -> OrderRepository:
    return current_app.extensions["orders"]


def authenticated(f):
    @wraps(f)
    def decorated(*args, **kwargs):
        auth = request.authorization
        if auth is None or auth.type != "basic" or auth.username != "shop":
            raise Unauthorized()
        return f(*args, **kwargs)

    return decorated


@bp.get("/orders")
def list_orders():
    try:
        state = OrderState(request.args["state"]) if "state" in request.args else None
    except ValueError as error:
        raise BadRequest(str(error))
    return jsonify(orders=orders_schema.dump(repository().list(state)))


@bp.post("/orders")
@authenticated
def create_order():
    values = order_schema.load(request.get_json())
    order = repository().add(**values)
    response = make_response(order_schema.dump(order), HTTPStatus.CREATED)
    response.headers["Location"] = f"/orders/{order.id}"
    return response


@bp.get("/orders/<int:order_id>")
def show_order(order_id: int):
    return order_schema.dump(repository().get(order_id))


@bp.get("/orders/<int:order_id>/total")
def total(order_id: int):
    order = repository().get(order_id)
    return {"order": order.id, "total": str(order.total), "lines": len(order.lines)}


@bp.put("/orders/<int:order_id>/state")
@authenticated
def change_state(order_id: int):
    order = repository().get(order_id)
    state = request.get_json().get("state")
    if state not in [s.value for s in OrderState]:
        return {"error": "Unknown state", "allowed": list(OrderState)}, 422
    if order.state is OrderState.SHIPPED:
        raise WrongState(order.state)
    order.state = OrderState(state)
    return "", 204


def on_validation_error(error):
    return {"error": "Invalid", "fields": error.normalized_messages()}, 422


def on_domain_error(error, status):
    return jsonify(error=str(error)), status


def on_http_error(error):
    return jsonify(error=error.name), error.code


def create_app() -> Flask:
    app = Flask("orders")
    app.extensions["orders"] = OrderRepository()
    app.register_blueprint(bp)
    app.register_error_handler(ValidationError, on_validation_error)
    app.register_error_handler(OrderNotFound, partial(on_domain_error, status=404))
    app.register_error_handler(WrongState, partial(on_domain_error, status=409))
    app.register_error_handler(HTTPException, on_http_error)
    return app
