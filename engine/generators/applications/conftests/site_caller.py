"""The fixtures of sites of Django: `caller`, its `account`, and `auth` for each way in which a site knows callers."""

import pytest


@pytest.fixture
def caller(client):
    """A superuser, whom this makes in the database of the tests."""
    from django.contrib.auth import get_user_model
    from django.db import DatabaseError, transaction

    user = get_user_model()()
    names = {field.name for field in user._meta.get_fields()}
    for name in names & {"email", user.USERNAME_FIELD}:
        setattr(user, name, "caller@example.org")
    for name in names & {"is_active", "is_staff", "is_superuser", "is_admin", "is_verified"}:
        setattr(user, name, True)
    user.set_password("Password-4-callers")
    try:
        with transaction.atomic():
            user.save()
    except DatabaseError as error:
        pytest.skip(f"no superuser can be made ({error}): fill in the fixture `caller`")
    return user


@pytest.fixture
def account(caller):
    """What the caller logs in with."""
    return {"name": caller.get_username(), "password": "Password-4-callers"}


@pytest.fixture
def auth_by_session(caller):
    """The headers of the caller, who has logged in."""
    from django.conf import settings
    from django.test import Client as DjangoClient

    signed_in = DjangoClient()
    signed_in.force_login(caller)
    return {"Cookie": f"{settings.SESSION_COOKIE_NAME}={signed_in.session.session_key}"}


@pytest.fixture
def auth_by_bearer(caller):
    """The headers of the caller, with a token of Simple JWT."""
    from rest_framework_simplejwt.tokens import AccessToken

    return {"Authorization": f"Bearer {AccessToken.for_user(caller)}"}


@pytest.fixture
def auth_by_token(caller):
    """The headers of the caller, with a token of REST framework."""
    from rest_framework.authtoken.models import Token

    token, _ = Token.objects.get_or_create(user=caller)
    return {"Authorization": f"Token {token.key}"}


@pytest.fixture
def auth_by_password(caller):
    """The headers of the caller, with name and password."""
    import base64

    told = f"{caller.get_username()}:Password-4-callers"
    return {"Authorization": f"Basic {base64.b64encode(told.encode()).decode()}"}
