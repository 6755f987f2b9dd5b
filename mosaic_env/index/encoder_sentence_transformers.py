"""Text encoders in the folder format of ``sentence-transformers``. Needs the extra ``encoders``."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from mosaic_env.core.canon import strict_loads
from mosaic_env.core.errors import CanonError, EncoderError, shorten
from mosaic_env.index.encoder_folder import check_folder, missing_package
from mosaic_env.index.encoders import Rgb, Vectors


class SentenceTransformerEncoder:
    """Texts to unit vectors, one at a time: a batch would change their last bits.

    Args:
        folder: A local folder with ``modules.json`` and safetensors weights.

    Raises: EncoderError (ME-ENC-01).
    """

    exactness: Literal["exact", "recorded"] = "recorded"

    def __init__(self, folder: str) -> None:
        path, digest = check_folder(folder, "modules.json")
        _check_modules(path)
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise missing_package("sentence-transformers") from None
        try:
            self._model = SentenceTransformer(
                str(path), device="cpu", local_files_only=True, trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )  # fmt: skip
        except Exception as error:  # the library raises whatever its parts raise
            raise EncoderError(
                "ME-ENC-01", f"the encoder in {path.name!r} cannot be loaded ({shorten(error)})",
                expected="a folder saved by sentence-transformers",
            ) from None  # fmt: skip
        self._digest = digest
        self._lock = threading.Lock()
        self.dimensions = int(self._model.encode(["x"], **self._settings()).shape[1])

    @staticmethod
    def _settings() -> dict[str, Any]:
        return {
            "batch_size": 1,
            "normalize_embeddings": True,
            "convert_to_numpy": True,
            "show_progress_bar": False,
        }

    def identity(self) -> Mapping[str, Any]:
        """Return kind, digest of all files (weights and settings), length and dimensions."""
        return {
            "kind": "sentence-transformers",
            "files": self._digest,
            "dimensions": self.dimensions,
            "max_tokens": int(self._model.max_seq_length or 0),
        }

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """Return shape (n, dimensions), float32, unit norm."""
        rows: list[Vectors] = []
        with self._lock:
            for text in texts:
                clean = text.encode("utf-8", "replace").decode("utf-8")
                rows.append(np.asarray(self._model.encode([clean], **self._settings()), np.float32))
        return np.concatenate(rows) if rows else np.zeros((0, self.dimensions), np.float32)

    def encode_pictures(self, pictures: Sequence[Rgb]) -> Vectors:
        """Refuse: this encoder knows texts only.

        Raises: EncoderError (ME-ENC-01).
        """
        raise EncoderError(
            "ME-ENC-01",
            "a sentence-transformers encoder cannot encode pictures",
            expected="an open-clip folder",
        )


def _check_modules(path: Path) -> None:
    """Refuse modules that are not the library's own: their classes would be imported and run."""
    try:
        modules = strict_loads((path / "modules.json").read_bytes())
        kinds = [str(module["type"]) for module in modules]
    except (CanonError, KeyError, TypeError):
        kinds = ["(unreadable modules.json)"]
    foreign = [kind for kind in kinds if not kind.startswith("sentence_transformers.")]
    if foreign:
        raise EncoderError(
            "ME-ENC-01", f"the encoder folder names the module {shorten(foreign[0])}",
            expected="modules of sentence_transformers only: others would run code",
        )  # fmt: skip


def load(folder: str) -> SentenceTransformerEncoder:
    """Load an encoder from a local folder."""
    return SentenceTransformerEncoder(folder)
