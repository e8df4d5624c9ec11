"""Who may change the range."""

import secrets

from fastapi import Depends, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

STAFF_TOKEN = "change-me"

bearer = HTTPBearer(auto_error=False)


def staff_only(credentials: HTTPAuthorizationCredentials | None = Depends(bearer)) -> None:
    """Answer 401 unless the caller has the staff's token."""
    if credentials is None or not secrets.compare_digest(credentials.credentials, STAFF_TOKEN):
        raise HTTPException(status_code=401, detail="Only staff may do this.")
