"""The issues of the tracker."""

from __future__ import annotations

from flask_restx import Namespace, Resource, inputs
from werkzeug.datastructures import FileStorage

from restx_tracker.models import PRIORITIES, issue, issue_in, label, page, person

ns = Namespace("issues", description="What is to be done")
for model in (person, label, issue_in, issue, page):
    ns.add_model(model.name, model)

query = ns.parser()
query.add_argument("limit", type=int, default=20, location="args", help="How many")
query.add_argument("priority", choices=PRIORITIES, location="args")
query.add_argument("since", type=inputs.date_from_iso8601, location="args")
query.add_argument("closed", type=inputs.boolean, default=False, location="args")
query.add_argument("label", action="append", location="args")

upload = ns.parser()
upload.add_argument("file", type=FileStorage, location="files", required=True)
upload.add_argument("note", location="form")

ISSUES = {}


def find(number):
    if number not in ISSUES:
        ns.abort(404, "there is no such issue")
    return ISSUES[number]


@ns.route("/")
class Issues(Resource):
    @ns.doc("list_issues")
    @ns.expect(query)
    @ns.marshal_with(page)
    def get(self):
        query.parse_args()
        return {"total": 0, "items": []}

    @ns.doc("add_issue", security="key")
    @ns.expect(issue_in, validate=True)
    @ns.marshal_with(issue, code=201)
    @ns.response(409, "Known already")
    def post(self):
        if ns.payload["title"] in ISSUES:
            ns.abort(409, "known already")
        return {}, 201


@ns.route("/<int:number>")
@ns.param("number", "The number of the issue")
@ns.response(404, "No such issue")
class Issue(Resource):
    @ns.doc("get_issue")
    @ns.marshal_with(issue)
    def get(self, number):
        return find(number)

    @ns.doc("change_issue", security="key")
    @ns.expect(issue_in, validate=True)
    @ns.marshal_with(issue)
    def put(self, number):
        return find(number)

    @ns.doc("drop_issue", security="key", deprecated=True)
    @ns.response(204, "Gone")
    def delete(self, number):
        find(number)
        return "", 204


@ns.route("/<int:number>/files")
class Files(Resource):
    @ns.doc("attach")
    @ns.expect(upload)
    @ns.response(201, "Attached")
    def post(self, number):
        upload.parse_args()
        return {}, 201
