"""Who has which book."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask.views import MethodView

from flask_library.books import book_or_404
from flask_library.store import LOANS, LentError

loans = Blueprint("loans", __name__)


class LoansView(MethodView):
    """All loans."""

    def get(self) -> ResponseReturnValue:
        """The loans of one reader."""
        reader = request.args["reader"]
        return jsonify([loan for loan in LOANS if loan["reader"] == reader])

    def post(self) -> ResponseReturnValue:
        """Lends a book."""
        data: dict[str, Any] = request.get_json()
        book = book_or_404(data["book"])
        if book["lent"]:
            raise LentError(data["book"])
        days = data.get("days", 14)
        if days < 1 or days > 60:
            abort(422)
        book["lent"] = True
        loan = {"book": book["id"], "reader": data["reader"].strip(), "days": days}
        LOANS.append(loan)
        response = make_response(jsonify(loan), 201)
        return response


loans.add_url_rule("/loans", view_func=LoansView.as_view("loans"))


@loans.route("/loans/export", methods=["GET"])
def export() -> Response:
    """All loans as text."""
    lines = [f"{loan['book']},{loan['reader']}" for loan in LOANS]
    return Response("\n".join(lines), mimetype="text/csv")


@loans.route("/loans/latest")
def latest() -> ResponseReturnValue:
    """Leads to what is there."""
    return redirect(url_for("loans.export"))


@loans.post("/returns")
def give_back() -> ResponseReturnValue:
    """A form that gives a book back."""
    number = int(request.form["book"])
    note = request.form.get("note", "")
    book = book_or_404(number)
    book["lent"] = False
    return jsonify(book=number, note=note), 200
