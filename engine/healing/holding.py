"""Whether an attempt that made tests green may stay: it breaks no other test, and weakens none of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.healing.neighbours import sharing
from engine.healing.trials import Trials
from engine.project import Project
from engine.proving import prove
from engine.proving_functions import prove_functions
from engine.running.runner import PytestValidator
from planner.cases import Case
from planner.validator import Outcome


def harm(
    project: Project,
    trials: Trials,
    read: Callable[[str], str | None],
    paths: Sequence[str],
    cases: Sequence[Case],
    outcomes: Mapping[str, Outcome],
) -> str:
    """What speaks against keeping an attempt, in words; empty where nothing does.

    `paths` are the files that it changed, `cases` those of the checklist that it healed, `outcomes` how its own tests
    stand. The tests that share a changed file are run.
    """
    files = sharing(project.root, paths, read)
    others = [node for node in trials.known_in(files) if node not in outcomes]
    broken = trials.broken(trials.run(others, honest=False))
    if broken:
        return f"breaks {broken[0]}" + (f" and {len(broken) - 1} more" if len(broken) > 1 else "")
    return _weaker(project, [case for case in cases if case.proof is not None])


def _weaker(project: Project, cases: Sequence[Case]) -> str:
    """Which test, healed, is not proven on its twins any more as it was."""
    if not cases:
        return ""
    runner = PytestValidator()
    proven = {
        **prove(project.root, cases, project.store, runner),
        **prove_functions(project.root, cases, project.store, runner),
    }
    for case in cases:
        before, after = case.proof, proven.get(case.id, case).proof
        if before is None or after is None or after.holds:
            continue
        if after.mutants_killed < before.mutants_killed or after.twins_green < before.twins_green:
            return f"{case.node} is weaker on its twins: {after.reason}"
    return ""
