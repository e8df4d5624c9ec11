"""What other packages' classes and functions are, written as Python where many projects build upon them."""

from __future__ import annotations

import ast
from typing import Final, TypeVar

from ingest.web.program.known_accounts import ACCOUNTS
from ingest.web.syntax.modules import Module

_Tree = TypeVar("_Tree", bound=ast.AST)

_USERS: Final = """
from typing import Dict, Generic, List, Optional, TypeVar, Union
from pydantic import BaseModel, EmailStr
ID = TypeVar("ID")

class BaseUser(BaseModel, Generic[ID]):
    id: ID
    email: EmailStr
    is_active: bool = True
    is_superuser: bool = False
    is_verified: bool = False

class BaseUserCreate(BaseModel):
    email: EmailStr
    password: str
    is_active: Optional[bool] = True
    is_superuser: Optional[bool] = False
    is_verified: Optional[bool] = False

class BaseUserUpdate(BaseModel):
    password: Optional[str] = None
    email: Optional[EmailStr] = None
    is_active: Optional[bool] = None
    is_superuser: Optional[bool] = None
    is_verified: Optional[bool] = None

class BaseOAuthAccount(BaseModel, Generic[ID]):
    id: ID
    oauth_name: str
    access_token: str
    expires_at: Optional[int] = None
    refresh_token: Optional[str] = None
    account_id: str
    account_email: str

class BaseOAuthAccountMixin(BaseModel):
    oauth_accounts: List[BaseOAuthAccount] = []
"""

_TOKENS: Final = """
from ninja_extra import ControllerBase, api_controller, http_post
from ninja import Schema
from ninja_jwt.schema_control import Given, Pair, Refreshed, Sliding, Verified

class TokenVerifyInputSchema(Schema):
    token: str

class TokenRefreshInputSchema(Schema):
    refresh: str

class TokenVerificationController:
    @http_post("/verify", response={200: Verified}, operation_id="token_verify")
    def verify_token(self, token: TokenVerifyInputSchema):
        return token.to_response_schema()

class TokenObtainPairController:
    @http_post("/pair", response=Pair, operation_id="token_obtain_pair")
    def obtain_token(self, user_token: Given):
        return user_token.to_response_schema()

    @http_post("/refresh", response=Refreshed, operation_id="token_refresh")
    def refresh_token(self, refresh_token: TokenRefreshInputSchema):
        return refresh_token.to_response_schema()

class TokenObtainSlidingController(TokenObtainPairController):
    @http_post("/sliding", response=Sliding, operation_id="token_obtain_sliding")
    def obtain_token(self, user_token: Given):
        return user_token.to_response_schema()

    @http_post("/sliding/refresh", response=Sliding, operation_id="token_refresh_sliding")
    def refresh_token(self, refresh_token: Given):
        return refresh_token.to_response_schema()

@api_controller("/token", auth=None)
class NinjaJWTDefaultController(ControllerBase, TokenVerificationController, TokenObtainPairController):
    pass

@api_controller("/token", auth=None)
class NinjaJWTSlidingController(ControllerBase, TokenVerificationController, TokenObtainSlidingController):
    pass

class AsyncTokenVerificationController(TokenVerificationController):
    pass

class AsyncTokenObtainPairController(TokenObtainPairController):
    pass

@api_controller("/token", auth=None)
class AsyncNinjaJWTDefaultController(NinjaJWTDefaultController):
    pass

@api_controller("/token", auth=None)
class AsyncNinjaJWTSlidingController(NinjaJWTSlidingController):
    pass
"""
"""The controllers of Ninja JWT; what they take and answer depends on the settings and on the model of users."""

_BEARERS: Final = """
from ninja.security import HttpBearer
from ninja_jwt.tokens import check

class JWTAuth(HttpBearer):
    def authenticate(self, request, token):
        return check(token)

class JWTTokenUserAuth(JWTAuth):
    pass

class JWTStatelessUserAuthentication(JWTAuth):
    pass

class AsyncJWTAuth(JWTAuth):
    pass

class AsyncJWTTokenUserAuth(JWTAuth):
    pass

class AsyncJWTStatelessUserAuthentication(JWTAuth):
    pass
"""

_PAGES: Final = """
from typing import Any, Generic, List, Optional, TypeVar
from ninja import Schema
T = TypeVar("T")

class BasePaginatedResponseSchema(Schema):
    count: int
    next: Optional[str]
    previous: Optional[str]
    results: List[Any]

class PaginatedResponseSchema(BasePaginatedResponseSchema, Generic[T]):
    results: List[T]

class BaseNinjaResponseSchema(Schema):
    count: int
    items: List[Any]

class NinjaPaginationResponseSchema(BaseNinjaResponseSchema, Generic[T]):
    items: List[T]
"""
"""The pages of Ninja Extra."""

_MODULES: Final = {
    "ninja_extra.schemas": _PAGES,
    "fastapi_users.schemas": _USERS,
    "ninja_jwt.controller": _TOKENS,
    "ninja_jwt.authentication": _BEARERS,
    **ACCOUNTS,
}
KNOWN: Final = frozenset(_MODULES)
"""The modules of which `known_module` knows the classes."""


def known_module(dotted: str, path: str, line: int) -> Module | None:
    """A module of another package that many projects inherit from, as if it stood where it is used."""
    text = _MODULES.get(dotted)
    return None if text is None else Module.of(dotted, path, False, standing_at(ast.parse(text), line))


def standing_at(tree: _Tree, line: int) -> _Tree:
    """A tree of which all stands in one line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias | ast.ExceptHandler):
            node.lineno = node.end_lineno = line
    return tree
