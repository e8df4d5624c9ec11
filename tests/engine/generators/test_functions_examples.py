"""Which lines above an example belong to it: what they set, make, tell an object to do, or only name."""

from __future__ import annotations

from planner.cases import Technique
from planner.generator import Declined, Draft
from tests.engine.generators.drafting import answers, written

SHELF = "class Shelf(dict):\n    @classmethod\n    def set_size(cls, size): ...\n"


def example_of(lines: str, more: str = "") -> Draft | Declined:
    """What is made of the last example of a docstring, below which a value is shown."""
    listed = "".join(f"    {each}\n" for each in lines.splitlines())
    code = f'def chunked(things, size):\n    """Cut.\n\n{listed}    """\n{more}'
    return answers({"shop.py": code}, Technique.EXAMPLE)[-1]


def test_objects_that_an_example_does_not_need_change_nothing_of_it() -> None:
    told = example_of(">>> other = Part(1)\n>>> chunked(Part(2), 1)\n[2]", "class Part: ...\n")
    assert isinstance(told, Draft)
    assert "other" not in told.source.partition("Maintain")[2]


def test_a_line_that_is_said_to_raise_is_left_out() -> None:
    told = example_of(">>> chunked([], 0)  # raises ValueError\n>>> chunked([2], 1)\n[2]")
    assert isinstance(told, Draft)
    assert "chunked([], 0)" not in told.source


def test_a_remark_behind_what_an_object_shows_is_no_part_of_it() -> None:
    told = example_of(">>> chunked([2], 1)\n<Part: 2>  # the second one")
    assert isinstance(told, Draft)
    assert '    assert repr(found) == "<Part: 2>"\n' in told.source


def test_an_object_of_which_there_may_be_one_for_all_is_not_told_to_change() -> None:
    shared = "class Parts:\n    def __new__(cls): ...\n    def put(self, size): ...\n"
    for example in ("len(parts)", "chunked([1], 3)"):
        told = example_of(f">>> parts = Parts()\n>>> parts.put(3)\n>>> {example}\n1", shared)
        assert isinstance(told, Declined)
        assert "there may be one `parts` for all" in told.needs


def test_what_is_set_on_a_class_of_the_project_above_an_example_is_not_passed_over() -> None:
    told = example_of(">>> Part.style = 'html'\n>>> chunked(Part(1), 1)\n<p>1</p>", "class Part: ...\n")
    assert isinstance(told, Declined)
    assert "leaves nothing behind: it changes `Part`" in told.needs


def test_what_only_names_another_value_changes_nothing_of_an_example() -> None:
    told = example_of(">>> other = make(1) | make(2)\n>>> chunked(make(3), 1)\n[3]", "def make(size): ...\n")
    assert isinstance(told, Draft)
    assert "other" not in told.source.partition("Maintain")[2]
    changed = ">>> import shop\n>>> _ = shop.activate('ru')\n>>> shop.chunked(1, 1)\n[3]"
    assert isinstance(example_of(changed), Declined)


def test_the_only_class_of_a_name_is_imported_where_an_example_forgets_to() -> None:
    files = {
        "shop/__init__.py": "",
        "shop/parts.py": "class Part: ...\n",
        "shop/cuts.py": 'def chunked(things):\n    """Cut.\n\n    >>> chunked(Part())\n    [1]\n    """\n',
    }
    assert "    from shop.parts import Part\n" in written(files, Technique.EXAMPLE)


def test_what_is_only_looked_up_above_is_needed_where_the_whole_is_shown() -> None:
    made = ">>> shelf = Shelf()\n>>> shelf.top\n{}\n"
    whole, part = (
        example_of(f"{made}>>> shelf\n{{'top': {{}}}}", SHELF),
        example_of(f"{made}>>> shelf.low\n{{}}", SHELF),
    )
    assert isinstance(whole, Draft)
    assert isinstance(part, Draft)
    assert "    shelf = Shelf()\n    shelf.top\n" in whole.source
    assert "    shelf.top\n" not in part.source


def test_a_text_over_several_lines_of_which_only_the_first_has_a_prompt_is_one() -> None:
    told = example_of(">>> text = '''\nsome\n'''\n>>> chunked(text, 1)\n['some']")
    assert isinstance(told, Draft)
    assert 'text = "\\nsome\\n"' in told.source.replace("'", '"')


def test_a_line_above_that_tells_a_class_of_the_project_something_is_left_to_a_person() -> None:
    told = example_of(">>> Shelf.set_size(3)\n>>> chunked([2], 1)\n[2]", SHELF)
    assert isinstance(told, Declined)
    assert "what `Shelf.set_size(3)` above it changes" in told.needs
    assert isinstance(example_of(">>> Shelf.set_size(3)\n3\n>>> chunked([2], 1)\n[2]", SHELF), Draft)
