"""How the context of routes grows from call to call: the prefix, tags, dependencies and responses that each adds."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from ingest.web.constants.chosen import is_chosen
from ingest.web.constants.constants import constant, elements, setting_of
from ingest.web.fastapi.callbacks import called_back
from ingest.web.fastapi.context import Context, is_shown, within
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.routing.sites import Event, Sites
from ingest.web.routing.unplaced import beginning
from ingest.web.syntax.scopes import Scope


class Contexts:
    """Makes the contexts of one program's routes."""

    def __init__(self, program: Program, sites: Sites) -> None:
        self.program = program
        self.sites = sites

    def below(self, context: Context, call: ast.Call, scope: Scope) -> Context:
        """The context under the prefix that a call names."""
        written = argument(call, None, "prefix")
        unknown, told = beginning(self.program, written, scope) if written is not None else ("", "")
        if unknown:
            return replace(context, under=context.under + context.prefix + unknown, prefix=told)
        return replace(context, prefix=context.prefix + told)

    def joined(self, event: Event, context: Context) -> Context | None:
        """What the routes of a router or application inherit where it is included or mounted; None where its place is
        not known."""
        call, scope = event.call, event.scope
        if event.method == "host":
            return within(context)
        if event.method == "mount":
            path = setting_of(self.program, argument(call, 0, "path"), scope)
            return (
                None if path is None else replace(within(context), prefix=context.prefix + path.rstrip("/"))
            )
        if has_stars(call):
            return None
        shown = context.in_schema and not is_chosen(self.program, call, scope)
        inner = replace(self.below(context, call, scope), in_schema=shown)
        return self.extended(inner, call, scope)

    def extended(self, context: Context, call: ast.Call, scope: Scope) -> Context:
        """The context with what a call adds: tags, dependencies, responses."""
        tags = argument(call, None, "tags")
        more = constant(self.program, tags, scope) if tags is not None else []
        known = isinstance(more, list) and context.tags is not None
        dependencies = argument(call, None, "dependencies")
        found = elements(self.program, dependencies, scope) if dependencies is not None else []
        responses = argument(call, None, "responses")
        made = argument(call, None, "default_response_class")
        old = argument(call, None, "deprecated")
        return replace(
            context,
            tags=(*(context.tags or ()), *(str(tag) for tag in more))
            if known and isinstance(more, list)
            else None,
            dependencies=(*context.dependencies, *(found or ())),
            responses=(*context.responses, *(((responses, scope),) if responses is not None else ())),
            response_class=self.program.resolve(made, scope) if made is not None else context.response_class,
            deprecated=context.deprecated or constant(self.program, old, scope) is True,
            in_schema=context.in_schema and is_shown(self.program, call, scope),
            complete=context.complete and found is not None,
            callbacks=(*context.callbacks, *called_back(self.sites, call, scope)),
        )
