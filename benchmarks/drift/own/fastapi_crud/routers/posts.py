from typing import Any

from fastapi_crud.crud import CrudRouter
from fastapi_crud.schemas import Deleted, PostCreate, PostRead, Page

router = CrudRouter(prefix="/posts", tags=["posts"])


@router.get("/", response_model=Page[PostRead])
def list_posts() -> Any: ...


@router.post("/", response_model=PostRead)
def create(post: PostCreate) -> Any: ...


@router.delete("/{post_id}", response_model=Deleted)
def delete(post_id: int) -> Any: ...
