from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import Depends, Header, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from fastapi_crud.enums import Role
from fastapi_crud.schemas import UserRead


class Repository:
    async def get(self, ident): ...
    async def list(self, *args): ...
    async def create(self, payload): ...
    async def update(self, ident, payload): ...
    async def delete(self, ident): ...
    async def exists(self, email) -> bool: ...


async def get_database() -> AsyncIterator[Repository]:
    yield Repository()


Database = Annotated[Repository, Depends(get_database)]
bearer = HTTPBearer()


async def current_user(
    db: Database,
    credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)],
    x_request_id: Annotated[str | None, Header(max_length=36)] = None,
) -> UserRead:
    user = await db.get(credentials.credentials)
    if not user:
        raise HTTPException(401, "who")
    return user


CurrentUser = Annotated[UserRead, Depends(current_user)]


def require_role(*roles: Role) -> Callable:
    def check(user: CurrentUser) -> UserRead:
        if user.role not in roles:
            raise HTTPException(status_code=403, detail="forbidden")
        return user

    return check
