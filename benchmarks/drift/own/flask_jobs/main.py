"""Jobs that wait, run and end."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from functools import wraps
from http import HTTPStatus

from flask import Flask, g, jsonify, request

app = Flask(__name__)


@dataclass
class Job:
    name: str
    priority: int = 5
    state: str = "waiting"
    id: str = field(default_factory=lambda: str(uuid.uuid4()))


JOBS: dict[str, Job] = {}


class ApiError(Exception):
    status = 400


class NoSuchJob(ApiError):
    status = 404


@app.errorhandler(NoSuchJob)
def no_such_job(e):
    return jsonify(message="no such job"), 404


def token_required(f):
    @wraps(f)
    def decorated(*args, **kwargs):
        header = request.headers.get("Authorization", "")
        if not header.startswith("Bearer "):
            return jsonify(message="token is missing"), HTTPStatus.UNAUTHORIZED
        g.user = header.split()[1]
        return f(*args, **kwargs)

    return decorated


def get_job(job_id):
    try:
        return JOBS[job_id]
    except KeyError:
        raise NoSuchJob(job_id)


@app.route("/jobs", methods=["GET", "POST"])
@token_required
def jobs():
    if request.method == "POST":
        payload = request.get_json()
        if not payload or "name" not in payload:
            return jsonify({"message": "name is required"}), 400
        job = Job(payload["name"], int(payload.get("priority", 5)))
        JOBS[job.id] = job
        return jsonify(asdict(job)), HTTPStatus.CREATED
    state = request.args.get("state", "waiting")
    if state not in ("waiting", "running", "done"):
        return {"message": "unknown state"}, 400
    return jsonify([asdict(job) for job in JOBS.values() if job.state == state])


@app.route("/jobs/<job_id>", methods=["GET"])
@token_required
def job(job_id):
    return jsonify(asdict(get_job(job_id)))


@app.route("/jobs/<job_id>/cancel", methods=["POST"])
@token_required
def cancel(job_id):
    found = get_job(job_id)
    if found.state == "done":
        return jsonify(message="too late"), 409
    found.state = "done"
    return "", 204


@app.route("/stats")
def stats():
    states = {}
    for each in JOBS.values():
        states[each.state] = states.get(each.state, 0) + 1
    result = {"total": len(JOBS), "at": datetime.now(timezone.utc).isoformat()}
    result["states"] = states
    return jsonify(result)


@app.route("/logs/<path:name>")
def logs(name):
    lines = int(request.args.get("lines", 100))
    follow = request.args.get("follow") == "1"
    return {"name": name, "lines": lines, "follow": follow}
