"""Text and picture encoders in the folder format of ``open_clip``. Needs the extra ``encoders``."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from mosaic_env.core.canon import digest, strict_loads
from mosaic_env.core.errors import CanonError, EncoderError, shorten
from mosaic_env.index.encoder_folder import check_folder, missing_package
from mosaic_env.index.encoders import Rgb, Vectors

_CONFIG = "open_clip_config.json"
_WEIGHTS = "open_clip_model.safetensors"


class OpenClipEncoder:
    """Texts and pictures to unit vectors of one space, one at a time.

    Args:
        folder: A local folder with ``open_clip_config.json`` and ``open_clip_model.safetensors``.

    Raises: EncoderError (ME-ENC-01).
    """

    exactness: Literal["exact", "recorded"] = "recorded"

    def __init__(self, folder: str) -> None:
        path, files = check_folder(folder, _CONFIG, _WEIGHTS)
        try:
            config = strict_loads((path / _CONFIG).read_bytes())
        except CanonError as error:
            raise EncoderError("ME-ENC-01", f"{_CONFIG} cannot be read: {error.what}") from None
        try:
            import open_clip
            import torch
        except ImportError:
            raise missing_package("open-clip-torch") from None
        name = f"local-dir:{path.resolve()}"
        try:
            self._model, self._preprocess = open_clip.create_model_from_pretrained(name, device="cpu")
            self._tokenize = open_clip.get_tokenizer(name)
        except Exception as error:  # the library raises whatever its parts raise
            raise EncoderError(
                "ME-ENC-01", f"the encoder in {path.name!r} cannot be loaded ({shorten(error)})",
                expected="a folder saved by open_clip",
            ) from None  # fmt: skip
        self._model.train(False)
        self._torch = torch
        self._identity = {
            "kind": "open-clip",
            "files": files,
            # Activation and preprocessing are in the file digest already; named, so that an error can say so.
            "model": digest(config.get("model_cfg", {})),
            "preprocess": digest(config.get("preprocess_cfg", {})),
        }
        self._lock = threading.Lock()
        self.dimensions = int(self.encode_texts(["x"]).shape[1])

    def identity(self) -> Mapping[str, Any]:
        """Return kind, digests of files, model and preprocessing settings, and dimensions."""
        return {**self._identity, "dimensions": self.dimensions}

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """Return shape (n, dimensions), float32, unit norm."""
        clean = (text.encode("utf-8", "replace").decode("utf-8") for text in texts)
        return self._stack([self._run(self._model.encode_text, self._tokenize([text])) for text in clean])

    def encode_pictures(self, pictures: Sequence[Rgb]) -> Vectors:
        """Return shape (n, dimensions), float32, unit norm."""
        from PIL import Image

        tensors = (self._preprocess(Image.fromarray(picture)).unsqueeze(0) for picture in pictures)
        return self._stack([self._run(self._model.encode_image, tensor) for tensor in tensors])

    def _run(self, encode: Any, tensor: Any) -> Vectors:
        with self._lock, self._torch.no_grad():
            return np.asarray(encode(tensor, normalize=True).float().numpy(), np.float32)

    def _stack(self, rows: Sequence[Vectors]) -> Vectors:
        return np.concatenate(rows) if rows else np.zeros((0, self.dimensions), np.float32)


def load(folder: str) -> OpenClipEncoder:
    """Load an encoder from a local folder."""
    return OpenClipEncoder(folder)
