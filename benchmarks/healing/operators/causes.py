"""The causes of stale tests that are measured: those that healing may follow by itself, and those that need a spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from benchmarks.healing.operators import moving, packing, parameters, renaming, reshaping, shapes, values
from benchmarks.healing.sources import Change, Sources

Operator = Callable[[Sources, Random], Iterator[Change]]

CAUSES: dict[str, Operator] = {
    "function renamed": partial(renaming.rename_definitions, kind="function"),
    "class renamed": partial(renaming.rename_definitions, kind="class"),
    "method renamed": partial(renaming.rename_definitions, kind="method"),
    "attribute renamed": partial(renaming.rename_definitions, kind="attribute"),
    "enum member renamed": renaming.rename_members,
    "fixture renamed": renaming.rename_fixtures,
    "patch target renamed": renaming.rename_patched,
    "symbol moved": moving.move_one,
    "module split": moving.split,
    "module renamed": moving.rename_module,
    "re-export dropped": moving.drop_exports,
    "parameter renamed": parameters.rename_parameter,
    "parameters reordered": parameters.reorder,
    "parameter keyword-only": parameters.keyword_only,
    "method to property": shapes.to_property,
    "property to method": shapes.to_method,
    "became async": shapes.to_async,
    "became sync": shapes.to_sync,
    "constant moved": packing.move_constant,
    "module to package": packing.module_to_package,
    "import style changed": packing.other_import,
    "test helper moved": packing.move_helper,
    "old name warns": partial(packing.deprecate, by_module=False),
    "old name of a module warns": partial(packing.deprecate, by_module=True),
    "method to function": reshaping.method_to_function,
    "function to method": reshaping.function_to_method,
    "options object": reshaping.options,
    "instance attribute renamed": reshaping.rename_instance_attribute,
}
"""Changes of a name or a shape: the body stays as it is."""

PAIRED: dict[str, Operator] = {
    "exception changed": values.change_exception,
    "constant changed": values.change_constant,
    "default changed": values.change_default,
    "return changed": values.change_return,
    "feature removed": values.remove_feature,
    "parameter removed": parameters.remove,
    "parameter required": parameters.require,
    **{
        cause: CAUSES[cause]
        for cause in (
            "function renamed",
            "class renamed",
            "method renamed",
            "enum member renamed",
            "parameter renamed",
            "parameter keyword-only",
            "method to property",
        )
    },
}
"""Changes that specs tell of: right where the specs changed along, a bug where they did not."""
