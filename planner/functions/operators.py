"""The methods that operators and builtins call: how a test speaks of them, and what Python itself says they give."""

from __future__ import annotations

OPERATORS = {
    "__len__": "len({it})",
    "__iter__": "iter({it})",
    "__reversed__": "reversed({it})",
    "__bool__": "bool({it})",
    "__str__": "str({it})",
    "__repr__": "repr({it})",
    "__bytes__": "bytes({it})",
    "__hash__": "hash({it})",
    "__int__": "int({it})",
    "__float__": "float({it})",
    "__complex__": "complex({it})",
    "__neg__": "-{it}",
    "__pos__": "+{it}",
    "__abs__": "abs({it})",
    "__invert__": "~{it}",
    "__eq__": "{it} == {other}",
    "__ne__": "{it} != {other}",
    "__lt__": "{it} < {other}",
    "__le__": "{it} <= {other}",
    "__gt__": "{it} > {other}",
    "__ge__": "{it} >= {other}",
    "__add__": "{it} + {other}",
    "__sub__": "{it} - {other}",
    "__mul__": "{it} * {other}",
    "__and__": "{it} & {other}",
    "__or__": "{it} | {other}",
    "__xor__": "{it} ^ {other}",
}
"""How each is written: `it` is the object, `other` what is given."""
GIVEN_BY_PYTHON = {
    "__len__": "int",
    "__bool__": "bool",
    "__str__": "str",
    "__repr__": "str",
    "__bytes__": "bytes",
    "__hash__": "int",
    "__int__": "int",
    "__float__": "float",
    "__complex__": "complex",
    "__iter__": "Iterator",
}
"""The types that no annotation has to state."""
