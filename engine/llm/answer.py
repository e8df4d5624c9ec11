"""Has a model write an answer out of facts, and keeps only the sentences that rest on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.configuration import Settings
from engine.llm.client import Endpoint, ModelError, language_model
from engine.llm.fences import fence_of, unfenced
from graph.retrieval.passages import passage
from graph.retrieval.search import Hit

_PROMPT = Path(__file__).parent / "prompts" / "answer.md"


class Sentence(msgspec.Struct, frozen=True):
    """A sentence of the answer, and the ids of the facts that it rests on."""

    text: str
    facts: tuple[str, ...] = ()


class Reply(msgspec.Struct, frozen=True):
    """What a model is asked to reply with."""

    in_graph: bool
    sentences: tuple[Sentence, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """A written answer: `in_graph` is false where the facts do not hold it.

    `dropped` sentences named no fact, or one that was not given; `problem` says why there is no answer at all.
    """

    in_graph: bool
    sentences: tuple[Sentence, ...] = ()
    dropped: int = 0
    problem: str = ""


def written(settings: Settings, question: str, hits: Sequence[Hit]) -> Answer:
    """An answer by the model of the settings; never raises for what the model or its endpoint does."""
    if not hits:
        return Answer(in_graph=False)
    try:
        return checked(_reply(language_model(settings), question, hits), {hit.fact.id for hit in hits})
    except ModelError as error:
        return Answer(in_graph=False, problem=str(error))


def checked(text: str, known: set[str]) -> Answer:
    """What of a model's reply can be shown: sentences that name facts, and only `known` ones. Raises ModelError."""
    try:
        reply = msgspec.json.decode(unfenced(text), type=Reply)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise ModelError("the model's reply is not in the form that was asked for") from error
    if not reply.in_graph:
        return Answer(in_graph=False)
    kept = tuple(
        each for each in reply.sentences if each.text.strip() and each.facts and known.issuperset(each.facts)
    )
    return Answer(in_graph=bool(kept), sentences=kept, dropped=len(reply.sentences) - len(kept))


def _reply(endpoint: Endpoint, question: str, hits: Sequence[Hit]) -> str:
    from llama_index.core import PromptTemplate
    from llama_index.core.indices.prompt_helper import PromptHelper
    from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
    from llama_index.core.schema import NodeWithScore, TextNode

    from engine.llm.llama import EndpointLanguageModel

    facts = [_as_data(hit) for hit in hits]
    fence = fence_of("\n".join([question, *facts]))
    model = EndpointLanguageModel(endpoint)
    template = PromptTemplate(_PROMPT.read_text(encoding="utf-8")).partial_format(fence=fence)
    synthesizer = get_response_synthesizer(
        llm=model,
        # Left alone, LlamaIndex counts with a tokenizer that it may fetch over the network.
        prompt_helper=PromptHelper.from_llm_metadata(model.metadata, tokenizer=lambda text: text.split()),
        text_qa_template=template,
        response_mode=ResponseMode.SIMPLE_SUMMARIZE,
    )
    nodes = [NodeWithScore(node=TextNode(text=each)) for each in facts]
    return str(synthesizer.synthesize(question, nodes))


def _as_data(hit: Hit) -> str:
    fact = hit.fact
    place = f"{fact.source.path}:{fact.source.line}"
    return msgspec.json.encode({"id": fact.id, "says": passage(fact).text, "at": place}).decode()
