from enum import Enum
from typing import Annotated, Literal, Union

from fastapi import FastAPI, Header, Query, Response, Security
from fastapi.security import OAuth2PasswordBearer
from pydantic import BaseModel, Base64Str, Field, computed_field

app = FastAPI(title="Shop", version="1")
oauth = OAuth2PasswordBearer(tokenUrl="token", scopes={"read": "Read", "write": "Write"})


class Color(str, Enum):
    red = "red"
    blue = "blue"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str] = []


class Item(BaseModel):
    name: str = Field(min_length=1, max_length=50, pattern="^[a-z]+$")
    price: float = Field(gt=0, lt=1000)
    amount: int = Field(5, ge=0, le=100, multiple_of=5)
    color: Color = Color.red
    tags: list[str] = Field(default_factory=list, min_length=0, max_length=9)
    codes: set[int] = set()
    note: str | None = None
    place: tuple[int, str]
    labels: dict[str, int] = {}
    old: str = Field("x", deprecated=True)
    pet: Annotated[Union[Cat, Dog], Field(discriminator="kind")]
    raw: Base64Str = ""
    fixed: Literal["a"] = "a"


class Shown(BaseModel):
    id: int
    name: str = Field(max_length=50)
    color: Color
    note: str | None = None
    count: int | str
    place: tuple[int, str]
    labels: dict[str, int]
    pet: Annotated[Union[Cat, Dog], Field(discriminator="kind")]
    price: float = Field(ge=0)

    @computed_field
    @property
    def size(self) -> int:
        return 1


@app.get("/items", operation_id="listItems", tags=["items"], response_model=list[Shown])
def list_items(
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    after: Annotated[float | None, Query(gt=0, lt=9)] = None,
    color: Color = Color.red,
    name: Annotated[str, Query(min_length=2, max_length=20, pattern="^[a-z]*$")] = "ab",
    ids: Annotated[list[int], Query(min_length=0, max_length=5)] = [],
    x_trace: Annotated[str | None, Header()] = None,
    needed: str = Query(),
    gone: Annotated[str, Query(deprecated=True)] = "",
    user: str = Security(oauth, scopes=["read"]),
):
    return []


@app.post("/items", status_code=201, operation_id="addItem", response_model=Shown, tags=["items"])
def add_item(item: Item):
    return item


@app.delete("/items/{item_id}", status_code=204, deprecated=True)
def remove_item(item_id: int):
    return Response(status_code=204)
