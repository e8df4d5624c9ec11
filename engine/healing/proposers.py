"""The healers of a project, in the order in which they are asked where nothing was learnt."""

from __future__ import annotations

from engine.plugins import healers
from engine.project import Project, Tell
from engine.running.jobs import python_of
from healer.healer import Healer
from healer.knowledge import Knowledge


def healers_of(project: Project, tell: Tell, knowledge: Knowledge | None = None) -> tuple[Healer, ...]:
    """The healers that need no model, then the model where one is configured."""
    settings = project.settings
    if not settings.llm_url or not settings.llm_model:
        return healers()
    from engine.asking import searcher
    from engine.llm.healing import model_healer

    model = model_healer(
        settings,
        project.store,
        searcher=lambda: searcher(project, tell=tell),
        python=python_of(project),
        tell=tell,
        knowledge=knowledge,
    )
    return (*healers(), model)
