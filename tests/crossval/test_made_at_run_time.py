"""Names that modules and classes get when they run, where their text shows which."""

from __future__ import annotations

import pytest

from tests.crossval.test_published_names import found, pair

KNOWN = "_MOVED = {'f': 'b'}\ndef __getattr__(name):\n"
GONE = "def f(): ...\ndef gone(): ..."


@pytest.mark.parametrize(
    "body",
    [
        "if name in _MOVED:\n        return load(name)\n    raise AttributeError(name)",
        "if name == 'f':\n        return load(name)\n    raise AttributeError(name)",
        "if name in ('f', 'g') or name == 'h':\n        globals()[name] = x = load(name)\n        return x\n"
        "    else:\n        raise AttributeError(name)",
        "if name not in _MOVED:\n        raise AttributeError(name)\n    return load(name)",
        "if name == 'g':\n        return 1\n    elif name in _MOVED and old:\n        return load(name)\n"
        "    raise AttributeError(name)",
        "try:\n        place = _MOVED[name]\n    except KeyError:\n        raise AttributeError(name) from None\n"
        "    return load(place)",
        "place = _MOVED.get(name)\n    if place is None:\n        raise AttributeError(name)\n    return load(place)",
        "if place := _MOVED.get(name):\n        return load(place)\n    raise AttributeError(name)",
        "place, old = {'f': ('b', False)}.get(name, ('', False))\n    if not place:\n"
        "        raise AttributeError(name)\n    return load(place)",
        "for each in _MOVED:\n        pass\n    if name != 'f':\n        raise AttributeError(name)\n    return 1",
        "if name.startswith('_'):\n        raise AttributeError(name)\n"
        "    if name in _MOVED:\n        return load(name)\n    raise AttributeError(name)",
        "if old() and name in _MOVED:\n        return load(name)\n    raise AttributeError(name)",
        "try:\n        return load(_MOVED[name], of=1)\n"
        "    except KeyError:\n        raise AttributeError(name) from None",
    ],
)
def test_a_module_lacks_what_its_getattr_refuses(body: str) -> None:
    assert pair(GONE, f"{KNOWN}    {body}") == ["function-not-implemented function a.gone"]


@pytest.mark.parametrize(
    "body",
    [
        "return load(name)",
        "if name.startswith('f'):\n        return load(name)\n    raise AttributeError(name)",
        "if name in _MOVED:\n        name = _MOVED[name]\n    return load(name)",
        "if old():\n        return load(name)\n    raise AttributeError(name)",
        "if old() or name in _MOVED:\n        return load(name)\n    raise AttributeError(name)",
        "if name in others():\n        return load(name)\n    raise AttributeError(name)",
        "for each in _MOVED:\n        if each in name:\n            return each\n    raise AttributeError(name)",
        "if name in _MOVED:\n        pass",
        "try:\n        return load(name)\n    except KeyError:\n        raise AttributeError(name) from None",
    ],
)
def test_a_getattr_that_may_answer_any_name_is_not_known(body: str) -> None:
    assert not pair(GONE, f"{KNOWN}    {body}")


@pytest.mark.parametrize(
    ("begin", "wrong"), [("global Camera\n    ", []), ("", ["argument-extra class a.Camera"])]
)
def test_a_class_that_a_function_puts_in_place_is_not_the_one_before_it(begin: str, wrong: list[str]) -> None:
    stub = "class Camera:\n    def start(self) -> None: ...\ndef init() -> None: ..."
    before = "class _Before:\n    def start(self, *args):\n        raise RuntimeError\n\nCamera = _Before\n\n"
    later = f"def init():\n    {begin}from b import Camera\n"
    assert [
        each.partition(".start")[0].replace("function", "class") for each in pair(stub, before + later)
    ] == wrong


LOADS = "import importlib, sys\n_L = {'f': 'b'}\n_P = {'b': ('f',)}\n_W = {n: m for m, ns in _P.items() for n in ns}\n"


@pytest.mark.parametrize(
    "body",
    [
        "if n in _L:\n        return getattr(importlib.import_module('.' + _L[n], __package__), n)",
        "if n in _L:\n        m = importlib.import_module(f'{__name__}.{_L[n]}')\n        return getattr(m, n)",
        "if m := _L.get(n):\n        g = globals()\n        g[n] = getattr(__import__('shop.' + m, fromlist=['']), n)\n"
        "        return g[n]",
        "if n in _W:\n        value = getattr(importlib.import_module('shop.' + _W[n]), n)\n"
        "        setattr(sys.modules[__name__], n, value)\n        return value",
        "if n == 'f':\n        from .b import f\n        return f",
        "if n == 'f':\n        from shop import b\n        return b.f",
        "try:\n        where = _L[n]\n    except KeyError:\n        pass\n    else:\n"
        "        return getattr(importlib.import_module('shop.' + where), n)",
    ],
)
def test_what_a_getattr_loads_is_compared_with_the_stub(body: str) -> None:
    code = f"{LOADS}def __getattr__(n):\n    {body}\n    raise AttributeError(n)"
    files = {"shop/__init__.pyi": "def f(a): ...", "shop/__init__.py": code, "shop/b.py": "def f(z): ..."}
    assert found(files) == ["argument-renamed function shop.f"]


def test_names_with_written_values_are_compared_and_brought_by_star_imports() -> None:
    files = {
        "a.pyi": "RED: str",
        "a.py": "T = {'RED': 1, 'BLUE': -2, 'NEW': make()}\nglobals().update(T)\n_x = 1",
        "b.pyi": "",
        "b.py": "from a import *",
    }
    lacking = [f"a.{name}" for name in ("BLUE", "NEW", "T")] + [f"b.{name}" for name in ("BLUE", "RED", "T")]
    assert sorted(found(files)) == [
        *(f"attribute-not-in-stub attribute {name}" for name in lacking),
        "attribute-type-mismatch attribute a.RED",
    ]


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("for i, n in enumerate(('A', 'B')):\n    globals()[n] = i", ("int", "int")),
        ("for n, v in {'A': 1, 'B': 'x'}.items():\n    globals()[n] = v", ("int", "str")),
        ("globals().update({n: n.lower() for n in ('A', 'B')})", ("str", "str")),
        ("for n in ('A', 'B'):\n    globals()[n] = make(n)", ("str", "str")),
        ("import sys\nfor n in 'AB':\n    setattr(sys.modules[__name__], n, True)", ("bool", "bool")),
    ],
)
def test_values_that_loops_give_are_held_against_the_stub(text: str, types: tuple[str, str]) -> None:
    first, second = types
    wrong = {"int": "str", "str": "int", "bool": "str"}[first]
    told = [] if "make" in text else ["attribute-type-mismatch attribute a.A"]
    assert pair(f"A: {first}\nB: {second}", text) == []
    assert pair(f"A: {wrong}\nB: {second}", text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("g = functools.partial(A)", True),
        ("g = keeps(f)", True),
        ("g = functools.partial(B)", False),
        ("g = other(f)", False),
    ],
)
def test_what_a_class_or_a_decorator_is_given_takes_what_that_takes(text: str, told: bool) -> None:
    code = (
        "import functools\nclass A:\n    def __init__(self, x, y=0): ...\n"
        "class B(outside.C):\n    def __new__(cls, *a): ...\ndef f(x, y=0): ...\n"
        "def keeps(h):\n    @functools.wraps(h)\n    def inner(*a, **k): return h(*a, **k)\n    return inner\n"
        + text
    )
    found_in = [each for each in pair("def g(z, y=0): ...", code) if each.endswith(" a.g")]
    assert found_in == (["argument-renamed function a.g"] if told else [])


def test_what_a_computed_all_lists_is_known_where_its_table_is_written_out() -> None:
    code = "_L = {'f': 1, 'g': 2}\n__all__ = sorted(_L)\ndef f(): ...\ndef g(): ..."
    assert pair("__all__ = ['f']\ndef f(): ...\ndef g(): ...", code) == ["exports-mismatch module a"]


@pytest.mark.parametrize(("call", "told"), [("Base.register(A)", False), ("Base.register(B)", True)])
def test_a_class_that_a_call_registers_counts_as_derived(call: str, told: bool) -> None:
    code = f"import abc\nclass Base(abc.ABC): ...\nclass A: ...\nclass B: ...\n{call}"
    stub = "import abc\nclass Base(abc.ABC): ...\nclass A(Base): ...\nclass B: ..."
    assert ("base-missing class a.A" in pair(stub, code)) is told


def test_a_table_that_others_fill_tells_nothing() -> None:
    code = f"{KNOWN}    if name in _MOVED:\n        return load(name)\n    raise AttributeError(name)\n"
    assert not pair(GONE, f"{code}_MOVED['gone'] = 1")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("for i, n in enumerate(('A', 'B')):\n    globals()[n] = i", ["A", "B"]),
        ("for k, v in {'A': 1, 'B': [2]}.items():\n    globals()[k] = v", ["A", "B"]),
        ("for n in range(2):\n    globals()[f'L{n}'] = n", ["L0", "L1"]),
        ("for n in 'a b'.split():\n    globals()[n.upper()] = n", ["A", "B"]),
        ("for n, m in [('a', 'b'), ('c', 'd')]:\n    globals()[n + '_' + m] = n", ["a_b", "c_d"]),
        (
            "for n in 'ab':\n    for m in 'c', 'd':\n        globals()['%s%s' % (n, m)] = n",
            ["ac", "ad", "bc", "bd"],
        ),
        ("_N = ['A']\nglobals().update({n: 1 for n in _N})", ["A"]),
        ("globals().update(dict(A=1, B=2))", ["A", "B"]),
        ("_N = {'B': 1, 'A': 2}\nglobals().update(_N)", ["A", "B"]),
        ("_N = load()\nglobals().update(_N)", []),
        ("for n in ('A', 'B'):\n    if n == x: continue\n    globals()[n] = 1", []),
        ("_N = ['A']\n_N.append(x)\nfor n in _N:\n    globals()[n] = 1", []),
        ("for k, v in {'A': f()}.items():\n    globals()[v] = 1", []),
        ("globals().update({n: 1 for n in ('A', 'B') if n in x})", []),
    ],
)
def test_names_that_loops_over_what_is_written_out_make_are_known(text: str, names: list[str]) -> None:
    loops = [each.rpartition(" ")[2] for each in pair("", f"def f(): ...\n{text}") if "a.f" not in each]
    assert sorted(each.removeprefix("a.") for each in loops) == names


@pytest.mark.parametrize(
    ("body", "more", "told"),
    [
        ("g = None", "", True),
        ("g = None\n    def __init__(self, g): self.g = g", "", False),
        ("g = None", "class B(A):\n    def g(self): ...", False),
        ("g: object = None", "", False),
        ("g = None\n    def b(self, n): setattr(self, n, 1)", "", False),
        ("if FAST:\n        g = None", "", False),
    ],
)
def test_none_is_no_method_where_nobody_puts_one_in_its_place(body: str, more: str, told: bool) -> None:
    found = pair("class A:\n    def g(self): ...", f"class A:\n    {body}\n{more}")
    assert ("definition-kind-mismatch function a.A.g" in found) is told


def test_none_that_a_method_may_replace_under_a_computed_name_is_of_no_type() -> None:
    code = "class A:\n    x = None\n    @classmethod\n    def bind(cls, n): setattr(cls, n, 1)"
    assert not pair("class A:\n    x: int\n    @classmethod\n    def bind(cls, n): ...", code)
    assert pair("class A:\n    x: int", "class A:\n    x = None") == [
        "attribute-type-mismatch attribute a.A.x"
    ]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def start(worker): worker.hub = 1", False),
        ("def start(worker): worker.hub == 1", True),
        ("class B:\n    def start(self): self.hub = 1", True),
    ],
)
def test_what_others_set_on_an_instance_it_may_have(code: str, told: bool) -> None:
    stub = "class A:\n    hub: int"
    missing = "attribute-not-implemented attribute a.A.hub"
    assert (missing in pair(stub, f"class A:\n    def f(self): ...\n{code}")) is told


@pytest.mark.parametrize(("metaclass", "told"), [("", True), ("metaclass=Meta", False)])
def test_a_metaclass_may_put_something_else_in_place_of_what_a_call_made(metaclass: str, told: bool) -> None:
    code = (
        f"class Meta(type):\n    def __new__(mcs, *made): ...\n"
        f"class Int: ...\nclass Base({metaclass}): ...\nclass A(Base):\n    x = Int()"
    )
    stub = f"class Meta(type): ...\nclass Int: ...\nclass Base({metaclass}): ...\nclass A(Base):\n    x: int"
    assert ("attribute-type-mismatch attribute a.A.x" in pair(stub, code)) is told


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("f(*a, **k)", True),
        ("f(*map(int, a), **{**k, 'x': 1})", True),
        ("f(a[0], *a[1:])", True),
        ("other(f, *a)", True),
        ("f(connect(), *a, **k)", False),
        ("f(*(a + (1,)), **k)", False),
        ("f(*a, session=make(), **k)", False),
        ("f(a, a.session, **k)", False),
        ("f(*a, **k) if k else f(make(), *a)", True),
    ],
)
def test_a_decorator_that_gives_arguments_itself_hides_how_a_function_is_called(
    call: str, told: bool
) -> None:
    code = (
        "import functools\ndef d(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n"
        f"        return {call}\n    return inner\n@d\ndef g(x, y): ..."
    )
    assert ("argument-renamed function a.g" in pair("def g(x, z): ...", code)) is told


@pytest.mark.parametrize(("set_", "told"), [("a.lazy = make()", False), ("a.other = make()", True)])
def test_none_in_a_module_that_another_fills_is_of_no_type(set_: str, told: bool) -> None:
    files = {"a.pyi": "lazy: int", "a.py": "lazy = None", "b.py": f"import a\ndef go():\n    {set_}"}
    assert found(files) == (["attribute-type-mismatch attribute a.lazy"] if told else [])


def test_a_base_under_a_name_that_conditions_decide_is_none_that_the_stub_lacks() -> None:
    files = {
        "p/__init__.py": "",
        "p/util.py": "if PY3:\n    text = str\nelse:\n    text = unicode",
        "p/a.py": "from p import util\nclass Name(util.text): ...",
        "p/a.pyi": "from p import util\nclass Name(str): ...",
    }
    assert found(files) == []
