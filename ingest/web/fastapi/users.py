"""fastapi-users: the routers and dependencies that it makes for a project, as if the project had written them."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import constant, elements
from ingest.web.program.calls import argument
from ingest.web.program.known_sources import standing_at
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.routing.site_records import Event, Site
from ingest.web.syntax.scopes import Scope

_MAKERS: Final = {
    "get_register_router": ("user_schema", "user_create_schema"),
    "get_verify_router": ("user_schema",),
    "get_reset_password_router": (),
    "get_auth_router": ("backend",),
    "get_users_router": ("user_schema", "user_update_schema"),
}
_IMPORTS: Final = """
    from typing import Dict, Union
    from fastapi import APIRouter, Body, Depends, HTTPException, Request
    from fastapi.security import APIKeyCookie, OAuth2PasswordBearer, OAuth2PasswordRequestForm
    from pydantic import BaseModel, EmailStr
    class ErrorModel(BaseModel):
        detail: Union[str, Dict[str, str]]
    class BearerResponse(BaseModel):
        access_token: str
        token_type: str
    refused = {400: {"model": ErrorModel}}
"""
_CALLER: Final = """
    def caller(SCHEMES):
        if not SHOWN:
            raise HTTPException(401)
        if not ALLOWED:
            raise HTTPException(403)
"""
_ROUTES: Final = {
    "get_register_router": """
    @router.post("/register", response_model=user_schema, status_code=201, responses=refused)
    async def register(request: Request, user_create: user_create_schema):
        return given()
""",
    "get_verify_router": """
    @router.post("/request-verify-token", status_code=202)
    async def request_verify_token(request: Request, email: EmailStr = Body(..., embed=True)):
        return None
    @router.post("/verify", response_model=user_schema, responses=refused)
    async def verify(request: Request, token: str = Body(..., embed=True)):
        return given()
""",
    "get_reset_password_router": """
    @router.post("/forgot-password", status_code=202)
    async def forgot_password(request: Request, email: EmailStr = Body(..., embed=True)):
        return None
    @router.post("/reset-password", responses=refused)
    async def reset_password(request: Request, token: str = Body(...), password: str = Body(...)):
        return None
""",
    "get_auth_router": """
    @router.post("/login", responses=GIVEN)
    async def login(request: Request, credentials: OAuth2PasswordRequestForm = Depends()):
        return given()
    @router.post("/logout", responses=TAKEN)
    async def logout(user=Depends(caller)):
        return given()
""",
    "get_users_router": """
    @router.get("/me", response_model=user_schema, responses={401: {}})
    async def me(user=Depends(caller)):
        return given()
    @router.patch("/me", response_model=user_schema, responses={401: {}, **refused})
    async def update_me(request: Request, user_update: user_update_schema, user=Depends(caller)):
        return given()
    @router.get("/{id}", response_model=user_schema, responses={401: {}, 403: {}, 404: {}})
    async def get_user(id: str, user=Depends(caller)):
        return given()
    @router.patch("/{id}", response_model=user_schema, responses={401: {}, 403: {}, 404: {}, **refused})
    async def update_user(id: str, request: Request, user_update: user_update_schema, user=Depends(caller)):
        return given()
    @router.delete("/{id}", status_code=204, response_class=None, responses={401: {}, 403: {}, 404: {}})
    async def delete_user(id: str, user=Depends(caller)):
        return None
""",
}
_SCHEMES: Final = {
    "BearerTransport": "OAuth2PasswordBearer(tokenUrl='token', auto_error=False)",
    "CookieTransport": "APIKeyCookie(name={name!r}, auto_error=False)",
}
_LOGIN: Final = {
    "BearerTransport": ("{200: {'model': BearerResponse}, 400: {'model': ErrorModel}}", "{401: {}}"),
    "CookieTransport": ("{400: {'model': ErrorModel}, 204: {}}", "{401: {}, 204: {}}"),
}


class UsersReader:
    """Reads what a project asks of fastapi-users."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def routes(self, node: ast.expr | None, scope: Scope) -> list[Event]:
        """The routes of a router that is made here; none where it is made of something else."""
        made = self._asked(node, scope)
        if made is None or made[2] not in _MAKERS:
            return []
        return self.program.remember((self, made[0]), lambda: self._routes(*made))

    def caller(self, call: ast.Call, scope: Scope) -> FunctionTarget | None:
        """The dependency that `users.current_user(…)` is; None where this is something else."""
        made = self._asked(call, scope)
        if made is None or made[2] != "current_user":
            return None
        return self.program.remember((self, call), lambda: self._caller(*made))

    def _asked(self, node: ast.expr | None, scope: Scope) -> tuple[ast.Call, Scope, str, ValueTarget] | None:
        """A call of a method of fastapi-users' object, the method, and what makes the object."""
        found = self.program.resolve(node, scope)
        if isinstance(found, ValueTarget) and isinstance(found.node, ast.Call):
            node, scope = found.node, found.scope
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        users = self.program.resolve(node.func.value, scope)
        if not isinstance(users, ValueTarget) or not isinstance(users.node, ast.Call):
            return None
        maker = users.node.func.value if isinstance(users.node.func, ast.Subscript) else users.node.func
        made = self.program.resolve(maker, users.scope)
        known = isinstance(made, External) and made.root == "fastapi_users" and made.name == "FastAPIUsers"
        return (node, scope, node.func.attr, users) if known else None

    def _caller(self, call: ast.Call, scope: Scope, _: str, users: ValueTarget) -> FunctionTarget | None:
        options = {each.arg: constant(self.program, each.value, scope) for each in call.keywords}
        if None in options or "get_enabled_backends" in options:
            return None
        text = self._dependency(
            users, bool(options.get("optional")), bool(options.get("superuser") or options.get("verified"))
        )
        if text is None:
            return None
        function, inner = _function(_IMPORTS + text, call, scope)
        return next(
            FunctionTarget(each, inner) for each in function.body if isinstance(each, ast.FunctionDef)
        )

    def _dependency(self, users: ValueTarget, optional: bool, allowed: bool) -> str | None:
        """The source of the dependency that asks for the credentials of all transports."""
        assert isinstance(users.node, ast.Call)
        backends = argument(users.node, 1, "auth_backends")
        each = elements(self.program, backends, users.scope) if backends is not None else None
        transports = [self._transport(*backend) for backend in each or []]
        if not transports or None in transports:
            return None
        schemes = [_SCHEMES[name].format(name=cookie) for name, cookie in filter(None, transports)]
        told = ", ".join(f"scheme{number}=Depends({scheme})" for number, scheme in enumerate(schemes))
        text = _CALLER.replace("SCHEMES", told)
        text = text if not optional else text.replace("raise HTTPException(401)", "pass")
        return text if allowed else text.replace("raise HTTPException(403)", "pass")

    def _transport(self, node: ast.expr, scope: Scope) -> tuple[str, str] | None:
        """Which transport a backend has, and the name of its cookie."""
        backend = self._made(node, scope, "AuthenticationBackend")
        written = argument(backend[0], 1, "transport") if backend is not None else None
        if backend is None or written is None:
            return None
        for name in _SCHEMES:
            transport = self._made(written, backend[1], name)
            if transport is not None:
                called = argument(transport[0], 0, "cookie_name")
                cookie = "fastapiusersauth"
                if name == "CookieTransport" and called is not None:
                    cookie = str(constant(self.program, called, transport[1]))
                return name, cookie
        return None

    def _made(self, node: ast.expr, scope: Scope, name: str) -> tuple[ast.Call, Scope] | None:
        found = self.program.resolve(node, scope)
        if not isinstance(found, ValueTarget) or not isinstance(found.node, ast.Call):
            return None
        made = found.node.func.value if isinstance(found.node.func, ast.Subscript) else found.node.func
        known = self.program.is_a(self.program.resolve(made, found.scope), {"fastapi_users"}, {name})
        return (found.node, found.scope) if known else None

    def _routes(self, call: ast.Call, scope: Scope, kind: str, users: ValueTarget) -> list[Event]:
        given = {name: argument(call, place, name) for place, name in enumerate(_MAKERS[kind])}
        dependency = self._dependency(users, False, False)
        text = _ROUTES[kind]
        if kind == "get_auth_router":
            backend = given["backend"]
            transport = self._transport(backend, scope) if backend is not None else None
            if transport is None:
                text = text.replace("GIVEN", "unknown()").replace("TAKEN", "unknown()")
            else:
                text = text.replace("GIVEN", _LOGIN[transport[0]][0]).replace(
                    "TAKEN", _LOGIN[transport[0]][1]
                )
        whole = _IMPORTS + (dependency or "") + "\n    router = APIRouter()" + text
        function, inner = _function(whole, call, scope, {k: v for k, v in given.items() if v is not None})
        router = _router(function)
        site = Site(router, inner, "APIRouter", router)
        return [
            Event(site, made.func.attr, made, inner, FunctionTarget(each, inner))
            for each in function.body
            if isinstance(each, ast.AsyncFunctionDef)
            for made in each.decorator_list
            if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute)
        ]


def _router(function: ast.FunctionDef) -> ast.Call:
    made = (each.value for each in function.body if isinstance(each, ast.Assign))
    return next(each for each in made if isinstance(each, ast.Call))


class _Given(ast.NodeTransformer):
    """Puts what a call gives in the place of the names that stand for it."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.given.get(node.id, node)


def _function(
    body: str, call: ast.Call, scope: Scope, given: dict[str, ast.expr] | None = None
) -> tuple[ast.FunctionDef, Scope]:
    """A function of this body that stands where the call does, and its scope."""
    tree = standing_at(ast.parse("def made():\n" + body), call.lineno)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    function = _Given(given or {}).visit(function)
    return function, scope.child(function)
