from django.contrib.auth.models import User
from ninja import Form, ModelSchema, Router, Schema
from ninja.security import django_auth
from ninja.throttling import AuthRateThrottle

from ninja.errors import AuthenticationError

from blog.api.common import Detail

router = Router(tags=["accounts"])


class UserOut(ModelSchema):
    class Meta:
        model = User
        fields = ["id", "username", "first_name", "email", "is_staff", "date_joined"]


class UserIn(ModelSchema):
    password2: str

    class Meta:
        model = User
        fields = ["username", "password", "email"]


class UserGroups(ModelSchema):
    class Meta:
        model = User
        fields = ["id", "username", "groups"]


class Token(Schema):
    access: str
    expires_in: int


class InvalidToken(Exception):
    pass


def token_auth(request):
    if request.GET.get("token"):
        return request.GET["token"]


@router.post("/register", response={201: UserOut, 400: Detail}, auth=None)
def register(request, user: UserIn):
    return 201, User.objects.create_user(user.username)


@router.post("/token", response=Token, auth=None, throttle=[AuthRateThrottle("5/m")])
def token(request, username: Form[str], password: Form[str]):
    if username != password:
        raise AuthenticationError()
    return {"access": "x", "expires_in": 60}


@router.get("/me", response=UserOut)
def me(request):
    return request.user


@router.get("/groups", response=list[UserGroups], auth=[django_auth, token_auth])
def groups(request, active: bool = True):
    return User.objects.all()
