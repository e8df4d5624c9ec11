"""What a local name may stand for is never less than what it stands for when the function runs."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from ingest.web.program.handler_nodes import parents_of
from ingest.web.program.reaching import reaching

_SIMPLE = st.one_of(
    st.integers(400, 409).map(lambda code: f"code = {code}"),
    st.integers(400, 409).map(lambda code: f"code, other = {code}, 1"),
    st.sampled_from(["pass", "step()"]),
)


def _indented(body: list[str]) -> str:
    return "\n".join(f"    {line}" for part in body for line in part.splitlines())


def _compounds(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(_indented)
    return st.one_of(
        st.builds("if ask():\n{}\nelse:\n{}".format, body, body),
        st.builds("if ask():\n{}".format, body),
        st.builds("for _ in range(ask()):\n{}\n    if ask():\n        break".format, body),
        st.builds("while ask():\n{}".format, body),
        st.builds("try:\n{}\nexcept ValueError:\n{}".format, body, body),
        st.builds(
            "try:\n{}\nexcept ValueError:\n{}\nelse:\n{}\nfinally:\n    step()".format, body, body, body
        ),
        st.builds("with suppress(ValueError):\n{}".format, body),
        st.builds(
            "match ask():\n    case 1:\n{}\n    case _:\n        pass".format,
            body.map(lambda text: _indented([text])),
        ),
    )


_PROGRAMS = st.lists(st.recursive(_SIMPLE, _compounds, max_leaves=8), min_size=1, max_size=5)


class _Suppress:
    def __init__(self, kind: type[Exception]) -> None:
        self.kind = kind

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[Exception] | None, *rest: object) -> bool:
        return kind is not None and issubclass(kind, self.kind)


@given(_PROGRAMS, st.lists(st.booleans(), max_size=20), st.lists(st.booleans(), max_size=20))
def test_a_name_never_stands_for_another_value_when_the_function_runs(
    program: list[str], answers: list[bool], failures: list[bool]
) -> None:
    text = f"def run():\n    code = 500\n{_indented(program)}\n    return code\n"
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    told = function.body[-1]
    assert isinstance(told, ast.Return) and isinstance(told.value, ast.Name)
    found = [
        each.value
        for each in reaching(function, told.value, parents_of(function))
        if isinstance(each, ast.Constant)
    ]

    def step() -> None:
        if failures and failures.pop():
            raise ValueError

    names: dict[str, object] = {
        "ask": lambda: bool(answers and answers.pop()),
        "step": step,
        "suppress": _Suppress,
    }
    exec(compile(text, "program", "exec"), names)  # noqa: S102  # our own program
    try:
        given_back = names["run"]()  # type: ignore[operator]  # what `exec` defines
    except ValueError:
        return
    assert given_back in found


def _values(text: str) -> list[str]:
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    use = next(
        part
        for part in ast.walk(function)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id == "code"
    )
    return [ast.unparse(each) for each in reaching(function, use, parents_of(function))]


def test_what_a_later_value_replaces_is_no_more() -> None:
    assert _values(
        "def run():\n    code = 1\n    if a:\n        code = 2\n    else:\n        code = 3\n    f(code)"
    ) == ["2", "3"]


def test_a_branch_that_leaves_keeps_its_value_to_itself() -> None:
    assert _values(
        "def run():\n    code = 1\n    if a:\n        code = 2\n        return b\n    f(code)"
    ) == ["1"]


def test_a_name_that_is_given_from_elsewhere_has_no_values_that_are_known() -> None:
    assert _values("def run(code):\n    if a:\n        code = 2\n    f(code)") == []
    assert _values("def run():\n    code = 1\n    for code in a:\n        pass\n    f(code)") == []
    assert (
        _values(
            "def run():\n    code = 1\n    while a:\n        for code in b:\n            pass\n    f(code)"
        )
        == []
    )
