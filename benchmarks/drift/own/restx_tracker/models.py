"""What the tracker sends and takes."""

from __future__ import annotations

from flask_restx import Model, fields

PRIORITIES = ["low", "normal", "high"]

person = Model(
    "Person",
    {
        "id": fields.Integer(readonly=True),
        "name": fields.String(required=True, min_length=1, max_length=60),
        "mail": fields.String(required=True, pattern=r"^\S+@\S+$"),
    },
)

label = Model("Label", {"name": fields.String(required=True), "colour": fields.String(default="grey")})

issue_in = Model(
    "IssueIn",
    {
        "title": fields.String(required=True, max_length=120, description="In one line"),
        "text": fields.String,
        "priority": fields.String(enum=PRIORITIES, default="normal"),
        "estimate": fields.Float(min=0, max=99.5),
        "labels": fields.List(fields.Nested(label), max_items=8),
        "due": fields.Date,
    },
)

issue = Model.clone(
    "Issue",
    issue_in,
    {
        "id": fields.Integer(required=True, readonly=True),
        "created": fields.DateTime(readonly=True),
        "closed": fields.Boolean(required=True),
        "reporter": fields.Nested(person, required=True),
        "votes": fields.Integer(min=0),
    },
)

page = Model("Page", {"total": fields.Integer(required=True), "items": fields.List(fields.Nested(issue))})
