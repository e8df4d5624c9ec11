"""Which conditions hold for a Python version and a platform."""

from __future__ import annotations

import pytest

from crossval.link.names.targets import Target, read_target, running

TARGET = Target((3, 11), "linux")


@pytest.mark.parametrize(
    ("condition", "held"),
    [
        ("sys.version_info >= (3, 11)", True),
        ("sys.version_info > (3, 11)", True),
        ("sys.version_info >= (3, 12)", False),
        ("sys.version_info < (3,)", False),
        ("(3, 9) <= sys.version_info", True),
        ("sys.version_info[:2] == (3, 11)", True),
        ("sys.version_info == (3, 11)", False),
        ("sys.version_info[0] == 2", False),
        ("sys.version_info[1] >= 11", True),
        ("PY2", False),
        ("not PY2", True),
        ("six.PY3", True),
        ("sys.version_info.major >= 3", True),
        ("sys.version_info >= (3, 11, 4)", None),
        ("sys.version_info >= (3, 10, 4)", True),
        ('sys.platform == "linux"', True),
        ('sys.platform != "win32"', True),
        ('sys.platform.startswith("win")', False),
        ('os.name == "nt"', False),
        ('__name__ == "__main__"', False),
        ('__name__ != "__main__" and sys.platform == "linux"', True),
        ('not (sys.platform == "win32")', True),
        ('(sys.platform == "linux") and (sys.version_info >= (3, 12))', False),
        ('sys.platform == "win32" or FAST', None),
        ('sys.platform == "linux" or FAST', True),
        ("not (FAST) and (sys.version_info >= (3, 9))", None),
        ("except ImportError", None),
        ("DEBUG", None),
        ("False", False),
        ("sys.version_info >= minimum", None),
        ("sys.platform == 3", None),
    ],
)
def test_a_condition_holds_fails_or_is_not_known(condition: str, held: bool | None) -> None:
    assert TARGET.holds(condition, type_checking=False) is held


@pytest.mark.parametrize("condition", ["TYPE_CHECKING", "typing.TYPE_CHECKING", "not (not (TYPE_CHECKING))"])
def test_type_checkers_see_what_running_code_does_not(condition: str) -> None:
    assert TARGET.holds(condition, type_checking=True) is True
    assert TARGET.holds(condition, type_checking=False) is False


def test_settings_name_a_target_or_leave_it_to_the_running_interpreter() -> None:
    assert read_target("3.12", "win32") == Target((3, 12), "win32")
    assert read_target("3.9.1", "") == Target((3, 9), running().platform)
    assert read_target("", "") == running()
    assert read_target("three", "") is None
