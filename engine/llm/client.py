"""The one place that reaches a model over the network: an OpenAI-compatible endpoint, by the `openai` package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.configuration import Settings
from graph.errors import CrossfactError
from graph.facts import Json

if TYPE_CHECKING:
    from openai import OpenAI

_RETRIES = 1


class ModelError(CrossfactError):
    """A model could not be asked, or did not answer; the message says why, without any secret."""


class Endpoint:
    """A model behind an endpoint."""

    def __init__(self, url: str, model: str, key: str, seconds: int) -> None:
        """Nothing is sent yet. Raises ModelError where the URL or the model is not given."""
        if not url or not model:
            raise ModelError(
                "a model needs both its URL and its name",
                "Set llm_url and llm_model, or embedding_url and embedding_model.",
            )
        from openai import OpenAI

        self.url = url
        self.model = model
        self.tokens = 0
        """How many tokens its answers have cost so far, as far as it tells."""
        self._constrains = True
        # The client refuses to start without a key, and would take OPENAI_API_KEY for one; local servers need none.
        self._client: OpenAI = OpenAI(
            base_url=url,
            api_key=key or "none",
            timeout=seconds,
            max_retries=_RETRIES,
            organization="",
            project="",
        )

    def complete(self, prompt: str, schema: Mapping[str, Json] | None = None) -> str:
        """What the model says to a prompt, with a temperature of 0. Raises ModelError.

        With a JSON schema the server is asked to let the model say nothing else (`response_format` of the OpenAI
        protocol); a server that does not know how is asked again without, so that the answer has to be checked anyhow.
        """
        import openai

        with self._explained():
            if schema is not None and self._constrains:
                try:
                    return self._said(prompt, _format(schema))
                except (openai.BadRequestError, openai.UnprocessableEntityError):
                    self._constrains = False
            return self._said(prompt, openai.NOT_GIVEN)

    def _said(self, prompt: str, form: Any) -> str:
        answer = self._client.chat.completions.create(
            model=self.model,
            messages=[{"role": "user", "content": prompt}],
            temperature=0,
            response_format=form,
        )
        self.tokens += getattr(getattr(answer, "usage", None), "total_tokens", 0) or 0
        choices = getattr(answer, "choices", None) or []
        message = choices[0].message if choices else None
        if message is None or not message.content:
            refusal = getattr(message, "refusal", None)
            raise ModelError(f"{self.url}: the model refused: {refusal}" if refusal else self._malformed())
        return str(message.content)

    def embed(self, texts: list[str]) -> list[list[float]]:
        """One vector per text. Raises ModelError."""
        with self._explained():
            answer = self._client.embeddings.create(model=self.model, input=texts, encoding_format="float")
            rows = [each.embedding for each in sorted(answer.data, key=lambda each: each.index)]
            if len(rows) != len(texts) or len({len(row) for row in rows}) > 1:
                raise ModelError(self._malformed())
            return rows

    def _malformed(self) -> str:
        return f"{self.url}: the reply does not have the form of the OpenAI protocol"

    @contextmanager
    def _explained(self) -> Iterator[None]:
        import openai

        try:
            yield
        except openai.APITimeoutError as error:
            raise ModelError(f"{self.url}: no answer in time", "Raise llm_timeout.") from error
        except openai.APIConnectionError as error:
            raise ModelError(f"{self.url}: cannot be reached", "Is the server running?") from error
        except openai.RateLimitError as error:
            raise ModelError(f"{self.url}: too many requests (429)", "Try again later.") from error
        except openai.APIStatusError as error:
            raise ModelError(
                f"{self.url}: answered {error.status_code}", "Check the URL, model and key."
            ) from error
        except (openai.OpenAIError, ValueError, AttributeError, TypeError, KeyError) as error:
            raise ModelError(self._malformed()) from error


def _format(schema: Mapping[str, Json]) -> dict[str, Json]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}}


def language_model(settings: Settings) -> Endpoint:
    """The model that the settings name for writing. Raises ModelError."""
    return Endpoint(settings.llm_url, settings.llm_model, settings.llm_key, settings.llm_timeout)
