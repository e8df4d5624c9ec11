"""What conftests have where tests compare how functions are called with a stub: the fixture `takes`."""

import inspect

import pytest


@pytest.fixture
def takes():
    """A check that a function takes what lambdas take, and nothing else; `...` is a default that is left open.

    With `others`, as overloads have it, it may take other calls as well; so may one that takes `**kwargs` where the
    stub names what these are, as it can refuse by itself. `awaited` is None where both will do.
    """

    def check(function, *stub, others=False, awaited=False):
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError) as error:
            pytest.skip(f"how {function!r} is called is not told at run time: {error}")
        wrong = []
        others = others or bool(
            _rest(signature) - {kind for each in stub for kind in _rest(inspect.signature(each))}
        )
        for told in map(inspect.signature, stub):
            for places, names in _calls(told, by_name=len(stub) == 1):
                expected = _takes(told, places, names)
                if expected != _takes(signature, places, names) and (expected or not others):
                    wrong.append(f"{'refuses' if expected else 'takes'} {places} and {names}")
        for name, values in _defaults(stub).items():
            own = signature.parameters.get(name)
            if others and (own is None or any(each != values[0] for each in values)):
                continue
            is_one = isinstance(values[0], (bool, type(None)))
            if own is None or not (own.default is values[0] if is_one else own.default == values[0]):
                wrong.append(f"{name} is not {values[0]!r} where it is left out")
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


def _rest(signature):
    return {each.kind for each in signature.parameters.values()} & {
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.VAR_KEYWORD,
    }


def _required(parameters):
    return [each for each in parameters if each.default is each.empty]


def _defaults(stub):
    """The defaults of each name that are told."""
    found = {}
    for each in (one for told in stub for one in inspect.signature(told).parameters.values()):
        if each.default is not each.empty and each.default is not ...:
            found.setdefault(each.name, []).append(each.default)
    return found


def _takes(signature, places, names):
    try:
        signature.bind(*places, **names)
    except TypeError:
        return False
    return True
