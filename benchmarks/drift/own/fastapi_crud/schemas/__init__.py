from .common import Deleted, ErrorOut, Page, PageParams
from .users import UserCreate, UserRead, UserUpdate
from .posts import *

__all__ = ["Deleted", "ErrorOut", "Page", "PageParams", "UserCreate", "UserRead", "UserUpdate"]
