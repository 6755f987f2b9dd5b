"""Any server that speaks the OpenAI chat API: providers, vLLM, llama.cpp.

The official SDK retries (busy, failing or unreachable servers, with ``Retry-After``) and keeps time; this
module adds the limit of requests under way, and errors that are stable and hold no secret. The key is read from
the environment when the first request is made, and is in no attribute of this module's objects.
"""

from __future__ import annotations

import json
import os
import threading
import weakref
from typing import Any

from mosaic_env.agents.models.base import Reply, Request
from mosaic_env.agents.models.spec import DEFAULT_URL, ModelSpec, check_settings
from mosaic_env.agents.models.wire import body_of, problem_of, reply_of
from mosaic_env.core.errors import ModelError, shorten
from mosaic_env.core.words import counted
from mosaic_env.guard.redact import environment_secrets, find_secrets, redact

#: What is sent as a key to servers that ask for none.
_NO_KEY = "none"
#: Refusals whose reason the server's own words tell; those about keys and limits may quote a key.
_TELLING = (400, 404, 413, 422)
#: The largest answer that is read, in bytes: more is a server gone wild, not a model.
MAX_ANSWER = 16 * 2**20
#: A key shorter than this could be a word of an answer.
_SHORTEST_KEY = 12


class OpenAICompatible:
    """A model behind an OpenAI-compatible server. Safe to call from several threads.

    Args:
        spec: Address, model, key's variable, limits. See ``ModelSpec``.

    Raises: ModelError (ME-MODEL-01) when the package ``openai`` or the key is missing.
    """

    def __init__(self, spec: ModelSpec) -> None:
        self._spec = spec
        self._slots = threading.BoundedSemaphore(spec.concurrency)
        self._sdk = _sdk()
        self._client = _client(self._sdk, spec)
        self._end = weakref.finalize(self, self._client.close)

    @property
    def name(self) -> str:
        """The provider's name of the model."""
        return self._spec.name

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.name!r} at {self._spec.place})"

    def __reduce__(self) -> tuple[type, tuple[ModelSpec]]:
        return OpenAICompatible, (self._spec,)

    def complete(self, request: Request) -> Reply:
        """Ask the server.

        Raises: ModelError (ME-MODEL-01) for settings that cannot be sent, (ME-MODEL-02) when no answer was had.
        Cost: the server's; pictures are encoded anew for each request, about 1 ms per MB.
        """
        check_settings(request.settings)
        body = body_of(request, self._spec.vision)
        with self._slots:
            answer = self._post(body)
        # Raised here, where the SDK's exception, which holds the request with its headers, is gone.
        if isinstance(answer, ModelError):
            raise answer
        if len(answer) > MAX_ANSWER:
            raise self._no_answer(f"sent {len(answer):,} bytes", f"at most {MAX_ANSWER:,}", "Set max_tokens")
        reply = reply_of(_json(self._without_key(answer)), self._spec.prices)
        if reply is None:
            raise self._no_answer("sent something that is no chat completion", "a choice with a message")
        return reply

    def close(self) -> None:
        """Close the connections; otherwise they end with the object."""
        self._end()

    def _without_key(self, answer: bytes) -> bytes:
        """Return an answer in which a server that echoes the key does not give it away."""
        key = os.environ.get(self._spec.key_name, "").strip() if self._spec.key_name else ""
        return answer.replace(key.encode(), b"[redacted]") if len(key) >= _SHORTEST_KEY else answer

    def _post(self, body: dict[str, Any]) -> bytes | ModelError:
        """Return the body of the server's answer, or the error that stands for its failure."""
        sdk, spec = self._sdk, self._spec
        try:
            raw = self._client.chat.completions.with_raw_response.create(
                model=spec.name, messages=body.pop("messages"), extra_body=body
            )
            content: bytes = raw.http_response.content
        except sdk.APITimeoutError:
            return self._no_answer(
                f"gave no answer within {spec.timeout:g} s, in {counted(spec.attempts, 'attempt')}"
            )
        except sdk.APIStatusError as error:
            return self._refused(error.status_code, error.body)
        except sdk.APIConnectionError:
            return self._no_answer(
                f"could not be reached or broke off, in {counted(spec.attempts, 'attempt')}"
            )
        except sdk.OpenAIError as error:
            return self._no_answer(f"could not be asked ({type(error).__name__})")
        except Exception as error:  # a broken stream, an encoding the server made up: no answer either
            return self._no_answer(f"broke off its answer ({type(error).__name__})")
        return content

    def _refused(self, status: int, body: Any) -> ModelError:
        said = problem_of({"error": body}) if status in _TELLING else ""
        secrets = [os.environ.get(self._spec.key_name, ""), *environment_secrets()]
        told = shorten(redact(" ".join(said.split()), secrets), 300) if said else ""
        if find_secrets(told.encode("utf-8", "replace"), filter(None, secrets)):
            told = ""
        fix = {401: self._key_hint(), 403: self._key_hint(), 429: "Ask less often: lower concurrency"}
        if 300 <= status < 400:
            return self._no_answer(
                f"answered with status {status}, a redirection, which is not followed",
                fix="Give the address it leads to as base_url, if you trust it",
            )
        what = f"refused with status {status}" + (f", saying {told}" if told else "")
        return self._no_answer(what, fix=fix.get(status, ""))

    def _key_hint(self) -> str:
        name = self._spec.key_name
        return (
            f"Set the environment variable {name} to a key for it" if name else "Name a key with api_key_env"
        )

    def _no_answer(self, what: str, expected: str = "", fix: str = "") -> ModelError:
        where = f"the model {self.name!r} at {self._spec.place}"
        return ModelError("ME-MODEL-02", f"{where} {what}", expected=expected, fix=fix)


def _json(content: bytes) -> Any:
    """Return the JSON value of an answer, or None."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _sdk() -> Any:
    try:
        import openai
    except ImportError:
        raise ModelError(
            "ME-MODEL-01",
            "the package 'openai' is not installed",
            fix="pip install '.[models]' in the folder of mosaic_env",
        ) from None
    return openai


def _client(sdk: Any, spec: ModelSpec) -> Any:
    key = os.environ.get(spec.key_name, "") if spec.key_name else _NO_KEY
    if not key.strip():
        raise ModelError(
            "ME-MODEL-01", f"the environment variable {spec.key_name} is not set",
            expected=f"a key for {spec.place}", fix="Set it, or name another variable with api_key_env",
        )  # fmt: skip
    client = sdk.OpenAI(
        api_key=key,
        base_url=spec.base_url or DEFAULT_URL,
        timeout=spec.timeout,
        max_retries=spec.attempts - 1,
        # Who is redirected would ask a host that nobody named, and record its answers under another name.
        http_client=sdk.DefaultHttpxClient(follow_redirects=False, timeout=spec.timeout),
    )
    if spec.base_url:  # the SDK sends OpenAI's organisation and project, from the environment, to any server
        client.organization = client.project = None
    return client
