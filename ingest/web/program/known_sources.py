"""What other packages' classes and functions are, written as Python where many projects build upon them."""

from __future__ import annotations

import ast
from typing import Final, TypeVar

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

_MODULES: Final = {"fastapi_users.schemas": _USERS}
KNOWN: Final = frozenset(_MODULES)
"""The modules of which `known_module` knows the classes."""


def known_module(dotted: str, path: str, line: int) -> Module | None:
    """A module of another package that many projects inherit from, as if it stood where it is used."""
    text = _MODULES.get(dotted)
    return None if text is None else Module(dotted, path, False, standing_at(ast.parse(text), line))


def standing_at(tree: _Tree, line: int) -> _Tree:
    """A tree of which all stands in one line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias | ast.ExceptHandler):
            node.lineno = node.end_lineno = line
    return tree
