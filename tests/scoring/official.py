"""The official InterLV tasks, decrypted once a process; their answers are never written."""

from __future__ import annotations

import functools
import hashlib
import json

import pytest

from tests import shared_data

_ROUNDS = 390_000
LEVELS = (1, 2, 3)

needs_tasks = pytest.mark.skipif(
    not all(shared_data.level_file(level).is_file() for level in LEVELS),
    reason="the official level files are absent; set MOSAIC_SHARED_DATA to their folder",
)


@functools.cache
def rows(level: int) -> tuple[dict[str, str], ...]:
    """Return id, question and answer of every task of a level."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    data = shared_data.level_file(level).read_bytes()
    salt, nonce, body = data[5:21], data[21:33], data[33:]
    key = hashlib.pbkdf2_hmac("sha256", shared_data.PASSWORD.encode(), salt, _ROUNDS, dklen=32)
    return tuple(json.loads(AESGCM(key).decrypt(nonce, body, None)))
