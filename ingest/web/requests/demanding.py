"""What a handler and the helpers that it always calls demand of each request that they accept."""

from __future__ import annotations

from ingest.web.program.targets import FunctionTarget
from ingest.web.requests.demands import Demands, Refuses
from ingest.web.requests.guards import demands_of
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.bindings import Function
from ingest.web.values.specialised import called_by

_MOST = 60


def demands_with_helpers(handler: FunctionTarget, values: RequestValues, refuses: Refuses) -> Demands:
    """What is certain of requests that a handler accepts, its helpers' refusals among it."""
    demands = demands_of(handler, values, refuses)
    waiting, seen = [handler], {handler.node}
    for function in waiting:
        for call in function.body.calls:
            if call not in demands.passed or len(waiting) > _MOST:
                continue
            called = called_by(values.instances, call, function.body)
            if not isinstance(called, FunctionTarget):
                continue
            if not isinstance(called.node, Function) or called.node.decorator_list:
                continue
            with values.given(called, call, function.body) as single:
                # A helper that is given one value is read again for the next one.
                if called.node in seen and not single:
                    continue
                if called.node not in seen:
                    waiting.append(called)
                    demands.helpers.append(called)
                seen.add(called.node)
                values.enter(called, call, function.body)
                verdict = demands.verdicts.get(call)
                inner = demands_of(
                    called, values, refuses, helps=True, verdict=verdict, noted=frozenset(demands.noted)
                )
            demands.also(inner)
    return demands
