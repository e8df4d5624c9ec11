"""Mutants of the reference: each breaks one claim of the specs of `specs_examples/todo-tdd`.

None is equivalent: for each there is a request whose answer the specs forbid; the claim says which.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

REFERENCE = Path(__file__).parent / "main.py"


class Mutant(msgspec.Struct, frozen=True):
    """A change of one place of the reference's text, the kind of fault, and the claim that it breaks."""

    kind: str
    claim: str
    old: str
    new: str

    def text(self) -> str:
        """The reference with this change. Raises ValueError where the place is not there exactly once."""
        text = REFERENCE.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.claim}: {self.old!r} is there {text.count(self.old)} times")
        return text.replace(self.old, self.new)


_LISTED = "[todo for _, todo in sorted(todos.items()) if done is None or todo.done == done]"
_MISSING = 'raise HTTPException(status_code=404, detail="There is no such to-do")'
_REFUSED = 'JSONResponse({"detail": words}, status_code=422)'
_MADE = "Todo(id=next(numbers), title=new.title, due=new.due, done=False)"

MUTANTS = (
    Mutant("status", "POST /todos succeeds with 201", '"/todos", status_code=201', '"/todos"'),
    Mutant("status", "POST /todos succeeds with 201, not 202", "status_code=201", "status_code=202"),
    Mutant("status", "DELETE succeeds with 204", '"/todos/{number}", status_code=204', '"/todos/{number}"'),
    Mutant(
        "status", "GET /todos succeeds with 200", '@app.get("/todos")', '@app.get("/todos", status_code=206)'
    ),
    Mutant(
        "status",
        "GET /todos/{id} succeeds with 200",
        '@app.get("/todos/{number}")',
        '@app.get("/todos/{number}", status_code=203)',
    ),
    Mutant(
        "status",
        "PUT succeeds with 200",
        '@app.put("/todos/{number}")',
        '@app.put("/todos/{number}", status_code=202)',
    ),
    Mutant("status", "what is not there is answered with 404", _MISSING, _MISSING.replace("404", "400")),
    Mutant("status", "what is not there is no success", _MISSING, 'return Todo(id=1, title="?", done=False)'),
    Mutant("status", "an invalid title is answered with 422", _REFUSED, _REFUSED.replace("422", "400")),
    Mutant("error shape", "a 422 has `detail`", _REFUSED, _REFUSED.replace('"detail"', '"message"')),
    Mutant(
        "error shape", "the `detail` of a 422 is text", _REFUSED, _REFUSED.replace(": words", ": [words]")
    ),
    Mutant(
        "error shape",
        "the `detail` of a 404 is text",
        _MISSING,
        _MISSING.replace('"There is no such to-do"', '{"code": 17}'),
    ),
    Mutant(
        "validation", "a title is required", "title: StrictStr = Field(", 'title: StrictStr = Field("?", '
    ),
    Mutant("validation", "a title is text", "title: StrictStr =", "title: StrictStr | int ="),
    Mutant("validation", "a title has at least 1 character", "min_length=1, ", ""),
    Mutant("validation", "a title has at most 80 characters", ", max_length=80", ""),
    Mutant("off by one", "a title of 1 character is taken", "min_length=1", "min_length=2"),
    Mutant("off by one", "a title of 80 characters is taken", "max_length=80", "max_length=79"),
    Mutant("off by one", "a title of 81 characters is refused", "max_length=80", "max_length=81"),
    Mutant("validation", "`due` is a date", "due: date | None", "due: str | None"),
    Mutant("validation", "`due` may be left out", "due: date | None = None", "due: date | None"),
    Mutant("validation", "`due` may be null", "due: date | None = None", 'due: date = "2030-01-01"'),
    Mutant(
        "default",
        "`due` is null when left out",
        "due: date | None = None",
        "due: date | None = date(2030, 1, 1)",
    ),
    Mutant("default", "a new to-do is not done", "done=False)\n    todos[", "done=True)\n    todos["),
    Mutant("validation", "`done` is required", "done: StrictBool\n", "done: StrictBool = True\n"),
    Mutant("validation", "`done` is true or false", "done: StrictBool\n", "done: StrictBool | str\n"),
    Mutant("state", "what was added can be read", "    todos[todo.id] = todo\n", ""),
    Mutant(
        "state", "each to-do has a number of its own", "numbers = count(1)", "numbers = iter(lambda: 1, 0)"
    ),
    Mutant("state", "the title is kept", _MADE, _MADE.replace("new.title", '"something"')),
    Mutant("state", "the day is kept", _MADE, _MADE.replace("due=new.due, ", "")),
    Mutant("state", "a to-do can be ticked off", "    todo.done = finished.done\n", ""),
    Mutant("state", "a to-do can be opened again", "= finished.done", "= True"),
    Mutant("state", "ticking off opens", "= finished.done", "= not finished.done"),
    Mutant(
        "state",
        "ticking off is kept",
        "    todo = found(number)\n    todo.done",
        "    todo = found(number).model_copy()\n    todo.done",
    ),
    Mutant("state", "what was removed is gone", "    del todos[number]\n", ""),
    Mutant("state", "only what was named is removed", "    del todos[number]\n", "    todos.clear()\n"),
    Mutant(
        "state",
        "removing what is not there is a 404",
        "    found(number)\n    del todos[number]",
        "    todos.pop(number, 0)",
    ),
    Mutant("state", "the list has what was added", _LISTED, "[]"),
    Mutant(
        "ordering", "the oldest comes first", _LISTED, _LISTED.replace("items())", "items(), reverse=True)")
    ),
    Mutant(
        "filter",
        "only what is done, or what is not, is listed",
        " if done is None or todo.done == done]",
        "]",
    ),
    Mutant("filter", "the filter is not turned around", "todo.done == done]", "todo.done != done]"),
    Mutant("filter", "without the filter all is listed", "if done is None or", "if not done or"),
    Mutant(
        "filter",
        "without the filter what is done is listed too",
        "done: bool | None = None)",
        "done: bool = False)",
    ),
    Mutant(
        "fields",
        "an answer has `title`",
        '@app.get("/todos/{number}")',
        '@app.get("/todos/{number}", response_model_exclude={"title"})',
    ),
    Mutant(
        "fields",
        "an answer has `due` also when it is null",
        '@app.get("/todos/{number}")',
        '@app.get("/todos/{number}", response_model_exclude_none=True)',
    ),
    Mutant(
        "fields",
        "a listed to-do has `id`",
        '@app.get("/todos")',
        '@app.get("/todos", response_model_exclude={"__all__": {"id"}})',
    ),
    Mutant("fields", "`id` is a number", "    id: int\n", "    id: str\n"),
    Mutant("off by one", "`id` is at least 1", "count(1)", "count(0)"),
    Mutant(
        "routing",
        "the operation PUT is there",
        '@app.put("/todos/{number}")',
        '@app.patch("/todos/{number}")',
    ),
)
