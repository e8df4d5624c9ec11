"""Which objects tests make, and of what: not of classes that others derive from, nor of nothing or what is refused."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from planner.generator import Declined, Draft
from tests.engine.generators.drafting import answers, needed, written


def test_an_object_is_made_as_a_base_says() -> None:
    stub = (
        "class Base:\n    def __init__(self, size: int) -> None: ...\n"
        "class Cart(Base):\n    def close(self) -> bool: ...\n"
    )
    assert "    cart = Cart(1)\n" in written({"shop.pyi": stub}, Technique.RETURNS)


SHAPES = "class Shape:\n    def __init__(self, size: int) -> None: ...\n    def area(self) -> float: ...\n{}"
TWO = "class Box(Shape):\n    def area(self) -> float: ...\nclass Ball(Shape):\n    def area(self) -> float: ...\n"


def test_a_kind_of_things_is_no_thing_that_could_be_given() -> None:
    stub = SHAPES.format(TWO) + "def weight(shape: Shape) -> float: ...\n"
    told = {
        each.case: each.needs
        for each in answers({"shop.pyi": stub}, Technique.RETURNS)
        if isinstance(each, Declined)
    }
    assert "which kind of Shape may stand for `shape`" in told.values()


def test_what_all_derived_classes_do_themselves_is_not_asked_of_their_base() -> None:
    drafts = answers({"shop.pyi": SHAPES.format(TWO)}, Technique.RETURNS)
    assert [each.needs for each in drafts if isinstance(each, Declined)] == [
        "what area does of a Shape of no kind: each kind does otherwise"
    ]
    half = TWO.removesuffix("    def area(self) -> float: ...\n") + "    pass\n"
    kinds = "from typing import Generic, TypeVar\nT = TypeVar('T')\n" + SHAPES.format(half)
    generic = kinds.replace("Shape:", "Shape(Generic[T]):").replace("(Shape)", "(Shape[int])")
    drafts = answers({"shop.pyi": generic}, Technique.RETURNS)
    assert "what area does of a Shape of no kind: each kind does otherwise" in [
        each.needs for each in drafts if isinstance(each, Declined)
    ]
    assert all(
        isinstance(each, Draft) for each in answers({"shop.pyi": SHAPES.format("")}, Technique.RETURNS)
    )


@pytest.mark.parametrize(
    "words",
    [
        "Every shape inherits from this class, which is never instantiated directly.",
        "The base class of all shapes.",
        "Base shape with a size.",
        "A shape. Not meant to be instantiated.",
        "A shape, to be subclassed.",
    ],
)
def test_what_words_call_a_base_is_not_made(words: str) -> None:
    stub = SHAPES.format("").replace("Shape:", f'Shape:\n    """{words}"""')
    assert needed({"shop.pyi": stub}, Technique.RETURNS) == "how an object of Shape is made"


def test_an_object_that_is_told_nowhere_to_look_is_not_made() -> None:
    stub = (
        "class Shop:\n    def __init__(self, size: int = 1, path: str | None = None) -> None: ...\n"
        "    def names(self) -> list[str]: ...\n"
    )
    assert (
        needed({"shop.pyi": stub}, Technique.RETURNS) == "where an object of Shop looks that is given no path"
    )


def test_an_object_that_is_made_of_nothing_does_nothing() -> None:
    stub = (
        "class Offset:\n    def __init__(self, name: str | None = None) -> None: ...\n"
        "    def __repr__(self) -> str: ...\n"
    )
    assert needed({"shop.pyi": stub}, Technique.RETURNS) == "what an object of Offset is made of"


@pytest.mark.parametrize(
    "words", ["Override this to tell the area.", "The area. Must be implemented by subclasses."]
)
def test_what_words_leave_to_derived_classes_is_not_asked(words: str) -> None:
    stub = SHAPES.format("").replace("float: ...", f'float:\n        """{words}"""')
    assert "each kind does otherwise" in needed({"shop.pyi": stub}, Technique.RETURNS)


def test_an_object_is_made_where_what_its_constructor_refuses_is_not_given() -> None:
    stub = (
        "class Cart:\n    def __init__(self, size: int = 1, owner: str = 'me') -> None:\n"
        '        """Make.\n\n        Raises:\n            ValueError: {}\n        """\n'
        "    def total(self) -> int: ...\n"
    )
    for words in (
        "if size is negative",
        "if size is not a valid one",
        "if size is less than 1 or owner is empty",
    ):
        assert "    cart = Cart()\n" in written({"shop.pyi": stub.format(words)}, Technique.RETURNS)
    for words in ("if size is less than 2", "if the shop is closed", "if no size is given"):
        told = needed({"shop.pyi": stub.format(words)}, Technique.RETURNS)
        assert "so that its constructor does not raise" in told


def test_a_container_of_its_own_kind_is_made_of_nothing_whatever_it_hands_on() -> None:
    stub = "class {}:\n    def __init__(self, *args, **kwargs) -> None: ...\n    def size(self) -> int: ...\n"
    assert "    bag = Bag()\n" in written({"shop.pyi": stub.format("Bag(dict)")}, Technique.RETURNS)
    assert "how many arguments" in needed({"shop.pyi": stub.format("Bag")}, Technique.RETURNS)
    foreign = "from web import Field\n" + stub.format("Bag(Field)")
    assert "what the bases of Bag are made of" in needed({"shop.pyi": foreign}, Technique.RETURNS)


def test_an_object_that_is_shown_to_be_made_of_nothing_is() -> None:
    stub = (
        "class Tree:\n    def __init__(self, root: str | None = None, deep: bool = False) -> None: ...\n"
        "    def size(self) -> int: ...\n"
    )
    assert "what an object of Tree is made of" in needed({"shop.pyi": stub}, Technique.RETURNS)
    page = "# Trees\n\n```python\nfrom shop import Tree\n\ntree = Tree()\n```\n"
    assert "    tree = Tree()\n" in written({"shop.pyi": stub, "README.md": page}, Technique.RETURNS)


def test_what_a_new_object_does_not_have_raises_as_is_documented() -> None:
    stub = (
        "class Tree:\n    def __init__(self, size: int = 3) -> None: ...\n"
        '    def leaves(self, node_id: str):\n        """Tell.\n\n        Raises:\n'
        '            KeyError: If the {} in the tree.\n        """\n'
    )
    for words in ("node doesn't exist", "given node_id is not found", "node is not present"):
        text = written({"shop.pyi": stub.format(words)}, Technique.RAISES)
        assert '    with pytest.raises(KeyError):\n        tree.leaves("absent")\n' in text
    for words in ("node exists already", "root has no such node"):
        assert "a value with which" in needed({"shop.pyi": stub.format(words)}, Technique.RAISES)
    lazy = stub.replace("node_id: str):", "node_id: str) -> Iterator[str]:").format("node does not exist")
    assert 'list(tree.leaves("absent"))' in written({"shop.pyi": lazy}, Technique.RAISES)


def test_what_a_new_object_would_have_to_hold_is_not_asked_for_by_its_key() -> None:
    stub = (
        "class Tree:\n    def __init__(self, size: int = 3) -> None: ...\n"
        '    def leaves(self, name: str):\n        """Tell.\n\n        Raises:\n'
        '            KeyError: If the name is not found.\n        """\n'
        "    def roots(self, name: str) -> list[str]: ...\n    def heights(self, title: str) -> list[int]: ...\n"
    )
    told = answers({"shop.pyi": stub}, Technique.RETURNS)
    (missing,) = (each.needs for each in told if isinstance(each, Declined))
    (text,) = (each.source for each in told if isinstance(each, Draft))
    assert "roots: what a new Tree holds is not said" in missing
    assert "tree.heights(" in text


def test_what_cannot_be_hashed_or_is_no_iterable_raises_as_is_documented() -> None:
    stub = (
        "class Tree:\n    def __init__(self, size: int = 3) -> None: ...\n"
        '    def add(self, item):\n        """Add.\n\n        Raises:\n            TypeError: {}\n        """\n'
    )
    for words, value in (("If item isn't hashable.", "[]"), ("if the item is not iterable", "object()")):
        text = written({"shop.pyi": stub.format(words)}, Technique.RAISES)
        assert f"        tree.add({value})\n" in text


def test_a_class_that_takes_anything_by_name_is_not_made_of_nothing() -> None:
    stub = "class Let:\n    def __init__(self, **names) -> None: ...\n    def told(self) -> str: ...\n"
    (answer,) = answers({"shop.pyi": stub}, Technique.RETURNS)
    assert isinstance(answer, Declined) and "how many arguments" in answer.needs
    stub = stub.replace("class Let:", "class Let(dict):")
    (answer,) = answers({"shop.pyi": stub}, Technique.RETURNS)
    assert isinstance(answer, Draft)


@pytest.mark.parametrize(
    ("member", "is_asked"), [("    async def wait(self) -> None: ...\n", False), ("", True)]
)
def test_what_is_not_awaited_may_need_the_loop_in_which_the_rest_of_its_object_is(
    member: str, is_asked: bool
) -> None:
    stub = (
        "class Bucket:\n    def __init__(self, size: int) -> None: ...\n"
        f"    def is_full(self) -> bool: ...\n{member}"
    )
    found = [
        each
        for each in answers({"shop.pyi": stub}, Technique.RETURNS)
        if isinstance(each, Draft) and "bucket.is_full()" in each.source
    ]
    assert bool(found) is is_asked


@pytest.mark.parametrize(("base", "count"), [("    def attach(self, cart: int) -> None: ...\n", 0), ("", 1)])
def test_what_is_to_be_attached_first_is_asked_nothing_as_long_as_it_is_new(base: str, count: int) -> None:
    stub = (
        f"class Part:\n    def __init__(self, size: int) -> None: ...\n{base}"
        "class Wheel(Part):\n    def about(self) -> str: ...\n    def spokes(self) -> list[str]: ...\n"
    )
    found = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert len(found) == count + 1


@pytest.mark.parametrize(("member", "count"), [("    def __enter__(self) -> object: ...\n", 0), ("", 1)])
def test_what_a_with_starts_is_asked_nothing_before(member: str, count: int) -> None:
    stub = f"class Writer:\n    def start(self) -> None: ...\n    def output(self) -> bytes: ...\n{member}"
    found = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert sum(".output()" in each.source for each in found) == count


@pytest.mark.parametrize(("name", "count"), [("FileReader", 0), ("Settings", 1)])
def test_a_file_that_is_opened_at_once_is_not_made_up(name: str, count: int) -> None:
    stub = f"class {name}:\n    path: str\n    def __init__(self, path: str) -> None: ...\n"
    found = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert len(found) == count


@pytest.mark.parametrize(
    ("members", "count"), [("    def read(self): ...\n    def write(self): ...\n", 0), ("", 1)]
)
def test_what_reads_and_writes_is_not_left_to_look_where_its_reader_has_something(
    members: str, count: int
) -> None:
    code = "class Table:\n    '''A table.\n\n    >>> table = Table(user=True)\n    '''\n"
    stub = f"class Table:\n    def __init__(self, user=None, tabfile=None) -> None: ...\n{members}"
    files = {"shop.py": code, "shop.pyi": f"{stub}    def __len__(self) -> int: ...\n"}
    found = [each for each in answers(files, Technique.RETURNS) if isinstance(each, Draft)]
    assert sum("Table(user=True)" in each.source for each in found) == count


@pytest.mark.parametrize(("name", "count"), [("command", 0), ("title", 1)])
def test_what_is_about_a_text_of_some_form_is_not_made_of_none(name: str, count: int) -> None:
    made = f"def __init__(self, {name}: str = '', note: str = '') -> None: ..."
    stub = f"class Job:\n    {made}\n    def __str__(self) -> str: ...\n"
    found = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert len(found) == count


@pytest.mark.parametrize(("default", "count"), [("'/run/secrets/'", 0), ("'/'", 1)])
def test_an_object_does_not_look_where_its_default_lies(default: str, count: int) -> None:
    made = f"def __init__(self, title: str = {default}) -> None: ..."
    stub = f"class Secrets:\n    {made}\n    def __len__(self) -> int: ...\n"
    found = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert len(found) == count


def test_what_a_file_is_read_of_or_written_to_by_is_not_said() -> None:
    stub = (
        "class Cart:\n    def __init__(self, size: int) -> None: ...\n    def update_file(self) -> int: ...\n"
    )
    assert "what update_file finds" in needed({"shop.pyi": stub}, Technique.RETURNS)


@pytest.mark.parametrize(("name", "count"), [("BaseReader", 0), ("Reader", 1)])
def test_a_class_that_others_derive_from_is_not_asked_itself(name: str, count: int) -> None:
    stub = f"class {name}:\n    @classmethod\n    def about(cls, size: int) -> str: ...\n"
    found = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert len(found) == count


def test_what_is_brought_up_to_date_lies_elsewhere() -> None:
    stub = "def update_names(quietly: bool = False) -> bool: ...\n"
    assert "what update_names finds" in needed({"shop.pyi": stub}, Technique.RETURNS)


HEIRS = (
    "class BaseShape:\n    def area(self) -> float: ...\n    def sides(self) -> list[int]: ...\n"
    "class _Hidden(BaseShape):\n    def __init__(self) -> None: ...\n"
    "class Ball(BaseShape):\n    def __init__(self, size: int) -> None: ...\n    def sides(self) -> list[int]: ...\n"
    "class Box(BaseShape):\n    def __init__(self, width: int) -> None: ...\n"
)


def test_what_a_base_has_is_asked_of_one_that_derives_from_it_and_takes_it_over() -> None:
    drafts = [each for each in answers({"shop.pyi": HEIRS}, Technique.RETURNS) if isinstance(each, Draft)]
    area, sides = (each.source for each in drafts if each.name.startswith("test_baseshape"))
    assert "    ball = Ball(1)\n" in area and "found = ball.area()" in area
    assert "    box = Box(1)\n" in sides and "found = box.sides()" in sides


def test_what_nobody_can_be_made_of_that_derives_from_a_base_is_left_to_a_person() -> None:
    stub = "class BaseShape:\n    def area(self) -> float: ...\n"
    stub += "class Ball(BaseShape):\n    def __init__(self, x) -> None: ...\n"
    assert needed({"shop.pyi": stub}, Technique.RETURNS) == "how an object of BaseShape is made"


def test_what_a_docstring_leaves_to_derived_classes_below_its_first_words_is_not_asked_of_their_base() -> (
    None
):
    code = (
        "class Request:\n    def __init__(self) -> None: ...\n    def packed(self) -> bytes:\n"
        "        '''Pack it.\n\n        {}\n\n        :return: the bytes\n        '''\n        return b''\n"
    )
    stub = "class Request:\n    def __init__(self) -> None: ...\n    def packed(self) -> bytes: ...\n"
    said = code.format("This is an abstract method that must be overridden.")
    assert "what packed does of a Request of no kind: each kind does otherwise" in needed(
        {"shop.pyi": stub, "shop.py": said}, Technique.RETURNS
    )
    free = code.format("It can be overridden.")
    assert "found = request.packed()" in written({"shop.pyi": stub, "shop.py": free}, Technique.RETURNS)


def test_nothing_is_handed_on_to_bases_that_have_no_constructor() -> None:
    stub = (
        "from abc import ABC\n"
        "class Kind(ABC):\n    {}\n"
        "class Till(Kind):\n    def __init__(self, size: int = 3, *args, **kwargs) -> None: ...\n"
        "    def __len__(self) -> int: ...\n"
    )
    page = "# Tills\n\n```python\nfrom shop import Till\n\ntill = Till()\n```\n"
    files = {"shop.pyi": stub.format("name: str")}
    assert "how many arguments" in needed(files, Technique.RETURNS)
    assert "    till = Till()\n" in written({**files, "README.md": page}, Technique.RETURNS)
    asking = {"shop.pyi": stub.format("def __init__(self, name: str) -> None: ..."), "README.md": page}
    assert "what the bases of Till are made of" in needed(asking, Technique.RETURNS)


def test_an_object_of_a_class_in_small_letters_is_called_otherwise() -> None:
    stub = (
        "class position:\n    def __init__(self, grams: int) -> None: ...\n    def half(self) -> int: ...\n"
    )
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert "position_ = position(1)\n" in text
    assert "found = position_.half()" in text
