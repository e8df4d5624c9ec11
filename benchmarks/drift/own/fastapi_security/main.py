from typing import Annotated, Iterator
import secrets

from fastapi import (
    APIRouter,
    Depends,
    FastAPI,
    HTTPException,
    Header,
    Response,
    Security,
    status,
)
from fastapi.security import (
    APIKeyCookie,
    APIKeyHeader,
    APIKeyQuery,
    HTTPAuthorizationCredentials,
    HTTPBasic,
    HTTPBasicCredentials,
    HTTPBearer,
    HTTPDigest,
    OAuth2AuthorizationCodeBearer,
    OAuth2PasswordBearer,
    OAuth2PasswordRequestForm,
    OAuth2PasswordRequestFormStrict,
    OpenIdConnect,
    SecurityScopes,
)
from pydantic import BaseModel

oauth2_scheme = OAuth2PasswordBearer(
    tokenUrl="token", scopes={"me": "Read me.", "items": "Read items.", "admin": "All"}
)
code_scheme = OAuth2AuthorizationCodeBearer(authorizationUrl="a", tokenUrl="b", auto_error=False)
basic = HTTPBasic()
bearer = HTTPBearer(auto_error=False, scheme_name="Token", description="x")
digest = HTTPDigest()
header_key = APIKeyHeader(name="X-API-Key", auto_error=False)
query_key = APIKeyQuery(name="api_key")
cookie_key = APIKeyCookie(name="session", scheme_name="SessionCookie")
oidc = OpenIdConnect(openIdConnectUrl="https://example.com/.well-known")

app = FastAPI()


class Token(BaseModel):
    access_token: str
    token_type: str = "bearer"


class User(BaseModel):
    username: str
    email: str | None = None
    disabled: bool | None = None


class UserInDB(User):
    hashed_password: str


fake = {"john": {"username": "john"}}


def get_user(db, username: str):
    if username in db:
        return UserInDB(**db[username])


async def get_current_user(security_scopes: SecurityScopes, token: Annotated[str, Depends(oauth2_scheme)]):
    if security_scopes.scopes:
        value = f'Bearer scope="{security_scopes.scope_str}"'
    else:
        value = "Bearer"
    exception = HTTPException(
        status_code=status.HTTP_401_UNAUTHORIZED, detail="no", headers={"WWW-Authenticate": value}
    )
    user = get_user(fake, username=token)
    if user is None:
        raise exception
    for scope in security_scopes.scopes:
        if scope not in token:
            raise HTTPException(status_code=status.HTTP_401_UNAUTHORIZED, detail="Not enough permissions")
    return user


async def get_active(current_user: Annotated[User, Security(get_current_user, scopes=["me"])]):
    if current_user.disabled:
        raise HTTPException(status_code=400, detail="Inactive user")
    return current_user


CurrentUser = Annotated[User, Depends(get_active)]


@app.post("/token")
async def login(form_data: Annotated[OAuth2PasswordRequestForm, Depends()]) -> Token:
    user = get_user(fake, form_data.username)
    if not user:
        raise HTTPException(status_code=400, detail="Incorrect username or password")
    return Token(access_token=user.username)


@app.post("/token-strict")
async def login_strict(form_data: OAuth2PasswordRequestFormStrict = Depends()):
    return {"access_token": form_data.username}


@app.get("/users/me", response_model=User)
async def me(user: CurrentUser):
    return user


@app.get("/users/me/items/")
async def my_items(user: Annotated[User, Security(get_active, scopes=["items"])]):
    return [{"item_id": "Foo", "owner": user.username}]


@app.get("/status/")
async def read_status(user: Annotated[User, Depends(get_current_user)]):
    return {"status": "ok"}


@app.get("/items/")
async def items(token: Annotated[str, Depends(oauth2_scheme)]):
    return {"token": token}


@app.get("/code")
async def code(token: str = Security(code_scheme, scopes=["read", "write"])):
    return {}


@app.get("/basic")
def use_basic(credentials: Annotated[HTTPBasicCredentials, Depends(basic)]):
    correct = secrets.compare_digest(credentials.username.encode("utf8"), b"x")
    if not correct:
        raise HTTPException(status_code=status.HTTP_401_UNAUTHORIZED, headers={"WWW-Authenticate": "Basic"})
    return {"username": credentials.username}


@app.get("/bearer")
def use_bearer(c: HTTPAuthorizationCredentials = Depends(bearer), q: int = 0) -> dict[str, str]:
    return {"s": c.scheme}


@app.get("/digest")
def use_digest(c: Annotated[HTTPAuthorizationCredentials, Security(digest)]):
    return {}


async def api_key(
    h: str | None = Security(header_key), q: str = Security(query_key), c: str = Security(cookie_key)
):
    if not h:
        raise HTTPException(status.HTTP_403_FORBIDDEN, "no key")
    return h or q or c


@app.get("/keys", dependencies=[Depends(api_key)])
def keys():
    return []


@app.get("/oidc", dependencies=[Security(oidc, scopes=["openid"])])
def use_oidc() -> None:
    return None


class RoleChecker:
    def __init__(self, *roles: str):
        self.roles = roles

    def __call__(self, user: CurrentUser, x_tenant: Annotated[str, Header()]) -> User:
        if user.username not in self.roles:
            raise HTTPException(status_code=403, detail="role")
        return user


allow_admin = RoleChecker("admin")

admin = APIRouter(
    prefix="/admin",
    tags=["admin"],
    dependencies=[Depends(allow_admin), Security(get_current_user, scopes=["admin"])],
    responses={
        403: {"description": "Forbidden"},
        401: {"model": Token},
        418: {"description": "I'm a teapot"},
    },
)


@admin.get("/", include_in_schema=True)
def admin_root():
    return {"ok": True}


@admin.delete("/{name}", status_code=204)
def remove(name: str):
    return None


@admin.delete("/r/{name}", status_code=status.HTTP_204_NO_CONTENT, response_class=Response)
def remove_response(name: str, background: bool = False):
    return Response(status_code=204)


def require_scopes(*scopes: str):
    async def checker(user: Annotated[User, Security(get_current_user, scopes=list(scopes))]) -> User:
        return user

    return checker


@app.get("/factory")
async def factory(user: Annotated[User, Depends(require_scopes("me", "items"))]):
    return user


async def database() -> Iterator[str]:
    db = "db"
    try:
        yield db
    except ValueError:
        raise HTTPException(400, "value")
    finally:
        pass


@app.get("/yielding/{ident}")
def yielding(ident: str, db: Annotated[str, Depends(database)]):
    if ident not in fake:
        raise HTTPException(status_code=404, detail="Item not found")
    return fake[ident]


protected = APIRouter(prefix="/p")


@protected.get("/a")
def a() -> str:
    return "a"


app.include_router(admin)
app.include_router(
    protected,
    dependencies=[Depends(oauth2_scheme)],
    prefix="/v1",
    tags=["v1"],
    responses={404: {"description": "x"}},
)
