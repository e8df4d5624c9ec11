"""What conftests of tests of operations have: the fixture `arranged`, for what a test asks for first."""

import pytest


@pytest.fixture
def arranged(client):
    """A check that a request which a test needs first is answered with one of these statuses; it gives the answer.

    Another success will do: that it is another one is for the test of that request. Where the request is refused, or
    the service breaks over it, the test shows nothing of what it is about, and ends undecided with the service's words;
    so it does where the answer lacks what it is to show, by which the test goes on. `unknown` is what of the request
    the contract does not tell.
    """

    def check(answer, *statuses, shows="", unknown=""):
        asked = getattr(answer, "request", None)
        first = f"{asked.method} {asked.url}, which comes first," if asked is not None else "what comes first"
        broken = getattr(client, "raised", None) if answer.status_code >= 500 else None
        if broken is not None and not isinstance(broken, NotImplementedError):
            pytest.skip(f"{first} breaks: {answer.status_code} {type(broken).__name__}: {str(broken)[:300]}")
        refusals = (400, 401, 402, 403, 409, 412, 422, 429, 502, 503, 504, *((404,) if unknown else ()))
        if answer.status_code in refusals and answer.status_code not in statuses:
            why = f"; the contract does not tell {unknown}" if unknown else ""
            pytest.skip(f"{first} is refused: {answer.status_code} {answer.text[:300]}{why}")
        if answer.status_code // 100 != 2 or 2 not in {status // 100 for status in statuses}:
            assert answer.status_code in statuses
        shown = answer.json() if shows and answer.content else {}
        for name in filter(None, shows.split(".")):
            if not isinstance(shown, dict) or name not in shown:
                pytest.skip(f"{first} shows no {shows}: {answer.text[:300]}")
            shown = shown[name]
        return answer

    return check
