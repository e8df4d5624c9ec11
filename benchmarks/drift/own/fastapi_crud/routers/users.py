from uuid import UUID

from fastapi import APIRouter, Depends, HTTPException, Query, Response, status

from fastapi_crud import schemas
from fastapi_crud.deps import CurrentUser, Database, require_role
from fastapi_crud.enums import Role
from fastapi_crud.errors import NotFound

router = APIRouter(
    prefix="/users", tags=["users"], responses={status.HTTP_404_NOT_FOUND: {"model": schemas.ErrorOut}}
)


@router.get("", response_model=schemas.Page[schemas.UserRead])
async def list_users(
    db: Database,
    params: schemas.PageParams = Depends(),
    role: Role | None = None,
    q: str | None = Query(None, max_length=40),
):
    return await db.list(params, role, q)


@router.post(
    "",
    response_model=schemas.UserRead,
    status_code=status.HTTP_201_CREATED,
    dependencies=[Depends(require_role(Role.ADMIN))],
)
async def create_user(db: Database, payload: schemas.UserCreate):
    if await db.exists(payload.email):
        raise HTTPException(status.HTTP_409_CONFLICT, detail="exists")
    return await db.create(payload)


@router.get("/me")
async def me(user: CurrentUser) -> schemas.UserRead:
    return user


@router.get("/{user_id}", response_model=schemas.UserRead)
async def get_user(user_id: UUID, db: Database):
    user = await db.get(user_id)
    if user is None:
        raise NotFound("user")
    return user


@router.patch("/{user_id}", response_model=schemas.UserRead)
async def update_user(user_id: UUID, payload: schemas.UserUpdate, db: Database, user: CurrentUser):
    return await db.update(user_id, payload)


@router.delete("/{user_id}", status_code=status.HTTP_204_NO_CONTENT, response_class=Response)
async def delete_user(user_id: UUID, db: Database) -> None:
    await db.delete(user_id)
