"""What conftests have where only a list identifies what was made: the fixture `added`."""

import pytest


@pytest.fixture
def added():
    """What a list shows after a request that it did not show before, by the field `key` of its things.

    It is for requests that make a thing and do not show what identifies it. `place` is the field of the list's answer
    that is the list, `total` the one that says how many there are: where that grew and the thing is on another page,
    or others came as well, the test ends undecided.
    """

    def find(before, after, key, place="", total=""):
        told = [answer.json() if answer.status_code // 100 == 2 else {} for answer in (before, after)]
        lists = [(each or {}).get(place, []) if place else each or [] for each in told]
        known = [each.get(key) for each in lists[0]]
        new = [each for each in lists[1] if each.get(key) not in known]
        has_grown = bool(total) and (told[1] or {}).get(total) != (told[0] or {}).get(total)
        if len(new) > 1 or (has_grown and not new):
            pytest.skip(f"{after.request.url} does not show on its first page what was made")
        assert new, "the list shows nothing new"
        return new[0]

    return find
