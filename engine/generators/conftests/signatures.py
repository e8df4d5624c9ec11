"""What conftests have where tests compare how functions are called with a stub: the fixture `takes`."""

import inspect

import pytest


@pytest.fixture
def takes():
    """A check that a function takes what a lambda takes, and nothing else; `...` is a default that is left open.

    Of several lambdas, which are overloads, each has to be taken. `awaited` is None where both will do.
    """

    def check(function, *stub, awaited=False):
        signature = inspect.signature(function)
        wrong = []
        for told in map(inspect.signature, stub):
            for places, names in _calls(told, by_name=len(stub) == 1):
                expected = _takes(told, places, names)
                if expected != _takes(signature, places, names) and (expected or len(stub) == 1):
                    wrong.append(f"{'refuses' if expected else 'takes'} {places} and {names}")
            for name, default in _defaults(told) if len(stub) == 1 else ():
                own = signature.parameters.get(name)
                is_one = isinstance(default, (bool, type(None)))
                if own is None or not (own.default is default if is_one else own.default == default):
                    wrong.append(f"{name} is not {default!r} where it is left out")
        if awaited is not None and inspect.iscoroutinefunction(function) is not awaited:
            wrong.append("is to be awaited" if not awaited else "is not to be awaited")
        assert not wrong, f"{function.__qualname__}{signature}: {'; '.join(wrong)}"

    return check


def _calls(told, by_name):
    """Calls by which signatures differ: all, the least, one that lacks something, too many, an unknown name."""
    every = list(told.parameters.values())
    either = [each for each in every if each.kind <= each.POSITIONAL_OR_KEYWORD]
    placed = [each for each in either if each.kind == each.POSITIONAL_ONLY or each.name == "self"]
    named = [each for each in every if each.kind == each.KEYWORD_ONLY]
    rest = [each for each in either if each not in placed] + named
    yield _call(either, named)
    yield _call(_required(either), _required(named))
    yield [*_call(either, [])[0], "too many"], _call([], _required(named))[1]
    yield _call([*either, *named[:1]], _required(named[1:]))
    yield _call(_required(either), _required(named), another="another")
    if by_name:
        yield _call(placed, rest)
        for lacking in _required(rest):
            yield _call(_required(placed), [each for each in _required(rest) if each is not lacking])
        for last in _required([each for each in placed if each.name != "self"])[-1:]:
            others = [each for each in _required(placed) if each is not last]
            yield _call(others, _required(rest))
            yield _call(others, [last, *_required(rest)])


def _call(placed, named, **more):
    return [each.name for each in placed], {**{each.name: each.name for each in named}, **more}


def _required(parameters):
    return [each for each in parameters if each.default is each.empty]


def _defaults(told):
    return [
        (each.name, each.default)
        for each in told.parameters.values()
        if each.default is not each.empty and each.default is not ...
    ]


def _takes(signature, places, names):
    try:
        signature.bind(*places, **names)
    except TypeError:
        return False
    return True
