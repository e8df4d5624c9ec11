"""The fixtures of sites of Django: `caller`, its `account`, and `auth` for each way in which a site knows callers."""

import pytest

REGISTRATION, ACCOUNTS = "", {}


def someone(client, name, rights):
    """An account in the database of the tests, made as the site itself makes one where it lets anybody register."""
    from django.contrib.auth import get_user_model
    from django.db import DatabaseError, transaction

    model, user = get_user_model(), None
    names = {field.name for field in model._meta.get_fields()}
    try:
        if REGISTRATION:
            known = list(model._default_manager.values_list("pk", flat=True))
            with transaction.atomic():
                client.post(REGISTRATION, json=ACCOUNTS[name])
            user = model._default_manager.exclude(pk__in=known).first()
        if user is None:
            user = model()
            for field in names & {"email", user.USERNAME_FIELD}:
                setattr(user, field, f"{name}@example.org")
        for field in names & {"is_active", "is_verified", *rights}:
            setattr(user, field, True)
        user.set_password("Password-4-callers")
        with transaction.atomic():
            user.save()
    except DatabaseError as error:
        pytest.skip(f"nobody can be made who asks ({error}): fill in the fixture `caller`")
    return user


@pytest.fixture
def caller(client):
    """A superuser, whom this makes in the database of the tests."""
    return someone(client, "caller", ("is_staff", "is_superuser", "is_admin"))


@pytest.fixture
def account(caller):
    """What the caller logs in with."""
    return {"name": caller.get_username(), "password": "Password-4-callers"}


def headers_by_session(user):
    """The headers of somebody who has logged in."""
    from django.conf import settings
    from django.test import Client as DjangoClient

    signed_in = DjangoClient()
    signed_in.force_login(user)
    return {"Cookie": f"{settings.SESSION_COOKIE_NAME}={signed_in.session.session_key}"}


def headers_by_bearer(user):
    """The headers of somebody, with a token of Simple JWT."""
    from rest_framework_simplejwt.tokens import AccessToken

    return {"Authorization": f"Bearer {AccessToken.for_user(user)}"}


def headers_by_token(user):
    """The headers of somebody, with a token of REST framework."""
    from rest_framework.authtoken.models import Token

    token, _ = Token.objects.get_or_create(user=user)
    return {"Authorization": f"Token {token.key}"}


def headers_by_password(user):
    """The headers of somebody, with name and password."""
    import base64

    told = f"{user.get_username()}:Password-4-callers"
    return {"Authorization": f"Basic {base64.b64encode(told.encode()).decode()}"}


@pytest.fixture
def auth(caller):
    """The headers of the caller."""
    return headers_by_token(caller)


@pytest.fixture
def stranger(client):
    """The headers of a second caller, who has made nothing and has no rights beside its own."""
    return headers_by_token(someone(client, "stranger", ()))
