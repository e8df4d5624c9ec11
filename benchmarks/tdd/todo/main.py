"""A to-do list that keeps the contract, the stories and the feature of `specs_examples/todo-tdd`."""

from datetime import date
from itertools import count

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, StrictBool, StrictStr

app = FastAPI(title="To-do list", version="0.1.0")


class NewTodo(BaseModel):
    """What is to be written down."""

    title: StrictStr = Field(min_length=1, max_length=80)
    due: date | None = None


class Todo(NewTodo):
    """What is to be done, with its number."""

    id: int
    done: bool


class Finished(BaseModel):
    """Whether something is done."""

    done: StrictBool


todos: dict[int, Todo] = {}
numbers = count(1)


@app.exception_handler(RequestValidationError)
async def refuse(request: Request, error: RequestValidationError) -> JSONResponse:
    """Tell what is wrong in the words of the contract's `Problem`; a path that names nothing is just not there."""
    if any(each["loc"][0] == "path" for each in error.errors()):
        return JSONResponse({"detail": "There is no such to-do"}, status_code=404)
    words = "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in error.errors())
    return JSONResponse({"detail": words}, status_code=422)


def found(number: int) -> Todo:
    """The to-do of this number; raises HTTPException where there is none."""
    if number not in todos:
        raise HTTPException(status_code=404, detail="There is no such to-do")
    return todos[number]


@app.get("/todos")
def list_todos(done: bool | None = None) -> list[Todo]:
    """Everything that is to be done, the oldest first."""
    return [todo for _, todo in sorted(todos.items()) if done is None or todo.done == done]


@app.post("/todos", status_code=201)
def add_todo(new: NewTodo) -> Todo:
    """Write something down."""
    todo = Todo(id=next(numbers), title=new.title, due=new.due, done=False)
    todos[todo.id] = todo
    return todo


@app.get("/todos/{number}")
def get_todo(number: int) -> Todo:
    """One to-do."""
    return found(number)


@app.put("/todos/{number}")
def finish_todo(number: int, finished: Finished) -> Todo:
    """Say whether something is done."""
    todo = found(number)
    todo.done = finished.done
    return todo


@app.delete("/todos/{number}", status_code=204)
def remove_todo(number: int) -> None:
    """Forget about something."""
    found(number)
    del todos[number]
