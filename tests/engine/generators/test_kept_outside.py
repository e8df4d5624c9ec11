"""What examples and objects keep outside of a test is not counted on, and classes of examples are called as shown."""

from __future__ import annotations

from engine.generators.functions.laws import LawGenerator
from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import answers, source_of

STUB = """\
class Queue:
    def __init__(self, path: str) -> None: ...
    def push(self, text: str) -> None: ...
    def pop(self) -> str: ...
"""
PAGE = """# Queues

```python
>>> from shop import Queue
>>> q = Queue("waiting")
>>> q.push("a")
>>> q.push("b")
>>> q.pop()
'a'
>>> q.close()
>>> q = Queue("waiting")
>>> q.pop()
'b'
```
"""
RECORDS = """# Items

```python
>>> from dataclasses import dataclass
>>> from shop import label
>>> @dataclass
... class Price:
...     value: int
>>> label(Price(3))
{'price': Price(value=3)}
```
"""


def test_what_is_opened_again_goes_on_with_what_was_kept() -> None:
    first, second = answers({"shop.pyi": STUB, "README.md": PAGE}, Technique.EXAMPLE)
    assert isinstance(first, Draft)
    assert isinstance(second, Declined)
    assert second.needs == 'an example that does not go on with what `q = Queue("waiting")` kept before'


def test_an_object_with_a_place_of_its_own_may_hold_what_another_test_put_in() -> None:
    source = source_of({"shop.pyi": STUB, "README.md": PAGE})
    (case,) = (each for each in function_cases(source) if each.target.get("law") == "taken")
    answer = LawGenerator().generate(case, Context(source=source, application=None))
    assert isinstance(answer, Declined), answer.source
    assert answer.needs == "whether a Queue holds nothing yet: it keeps what it is given in its `path`"


def test_a_class_of_an_example_is_called_as_it_is_shown() -> None:
    stub = "def label(price: object) -> dict[str, object]: ...\n"
    (answer,) = answers({"shop.pyi": stub, "README.md": RECORDS}, Technique.EXAMPLE)
    assert isinstance(answer, Draft)
    lines = [line.strip() for line in answer.source.splitlines()]
    assert lines[lines.index("value: int") :][1] == 'Price.__qualname__ = "Price"'


READER = """# Texts

```python
import shop

box = shop.parse(text)

text = shop.dumps(box)
shop.write(box, open("out.txt", "w"))
```

```python
>>> box = shop.Box()
>>> box.add("a")
>>> box.names()
['a']
```
"""


def test_what_reads_a_name_that_is_made_below_is_the_reader_s_own() -> None:
    stub = (
        "def parse(text: str) -> Box: ...\ndef dumps(box: Box) -> str: ...\n"
        "def write(box: Box, file: object) -> None: ...\n"
        "class Box:\n    def add(self, name: str) -> None: ...\n    def names(self) -> list[str]: ...\n"
    )
    (answer,) = answers({"shop.pyi": stub, "README.md": READER}, Technique.EXAMPLE)
    assert isinstance(answer, Draft), answer.needs
    assert "text" not in answer.source.partition('"""')[2].partition('"""')[2]
    assert '    box.add("a")\n\n    found = box.names()\n' in answer.source
