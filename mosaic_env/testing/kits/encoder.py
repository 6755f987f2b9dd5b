"""``check_encoder``: the same vector alone and in company, unit norm, identity, odd input, threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from mosaic_env.core.canon import canonical_text
from mosaic_env.core.errors import EncoderError
from mosaic_env.index.encoders import (
    PROBE_TEXTS,
    Encoder,
    check_identity,
    load_encoder,
    probe_pictures,
    probes,
)
from mosaic_env.testing.errors import HarnessError
from mosaic_env.testing.kits.base import Broken, expect, leak, run_checks

#: Largest distance of a vector's norm from 1.
_NORM_TOLERANCE = 1e-3
_ODD_TEXTS = (
    "", " ", "\n", "x", "a" * 20_000, "word " * 2_000, "\x00", "\ud800 lone", "\u202e", "e\u0301 é", "東京の夜景",
    "🏳️‍🌈 👨‍👩‍👧", "<|endoftext|>", "[CLS] [SEP] [PAD]", "test test",
)  # fmt: skip
_THREADS = 4
#: Items that checks of threads and of changed input take.
_FEW = 6
Encode = Callable[[Sequence[Any]], npt.NDArray[Any]]


def check_encoder(encoder: Encoder | str) -> list[str]:
    """Check that an encoder keeps the contract of ``mosaic_env.index.encoders``.

    Args:
        encoder: It may encode texts, pictures or both; what it cannot do raises EncoderError. Or
            ``"kind:folder"`` of a registered kind.

    Returns: What was checked.
    Raises: CheckFailed saying what to fix.
    Cost: about 120 encodings a modality.
    """
    if isinstance(encoder, str):
        encoder = load_encoder(encoder)
    if isinstance(encoder, type):
        raise HarnessError(
            "ME-TESTING-01", f"check_encoder got the class {encoder.__name__}", expected="an encoder",
            fix="Make one and pass it, or pass 'kind:folder'",
        )  # fmt: skip
    done = run_checks(
        f"check_encoder({type(encoder).__name__})",
        [("declaration", lambda: _declaration(encoder)), ("identity", lambda: _identity(encoder))],
    )
    sides = [
        _Side("texts", encoder, encoder.encode_texts, [*PROBE_TEXTS, *_ODD_TEXTS], pictures=False),
        _Side("pictures", encoder, encoder.encode_pictures, _pictures(), pictures=True),
    ]
    able = [side for side in sides if side.works()]
    name = f"check_encoder({type(encoder).__name__})"
    if not able:
        run_checks(name, [("modalities", _neither)])
    for side in able:
        done += run_checks(
            f"{name}, {side.name}",
            [
                (f"{side.name}: shape, type, norm", side.vectors),
                (f"{side.name}: alone and in company", side.company),
                (f"{side.name}: empty batch", side.empty),
                (f"{side.name}: probes", side.probes),
                (f"{side.name}: {_THREADS} threads", side.threads),
                *([("pictures: input unchanged", side.unchanged)] if side.name == "pictures" else []),
            ],
        )
    return done


def _neither() -> None:
    raise Broken("it encodes neither texts nor pictures", "Write encode_texts or encode_pictures")


def _declaration(encoder: Encoder) -> None:
    kinds = ("exact", "recorded")
    expect(
        encoder.exactness in kinds, f"exactness is {encoder.exactness!r}", f"Use one of {', '.join(kinds)}"
    )
    size = encoder.dimensions
    expect(
        type(size) is int and 1 <= size <= 8192, f"dimensions is {size!r}", "Use a whole number, 1 to 8192"
    )


def _identity(encoder: Encoder) -> None:
    identity = dict(encoder.identity())
    expect(identity, "the identity is empty", "Give weights digest, preprocessing, activation, dimensions")
    written = canonical_text(identity)
    expect(canonical_text(dict(encoder.identity())) == written, "two calls of identity() differ")
    found = leak(identity)
    expect(not found, f"the identity holds the place {found!r}", "Name weights by digest: folders differ")


def _pictures() -> list[npt.NDArray[np.uint8]]:
    dot, line = np.full((1, 1, 3), 128, np.uint8), np.zeros((1, 300, 3), np.uint8)
    grey = np.repeat(np.arange(64, dtype=np.uint8)[:, None, None], 64, axis=1).repeat(3, axis=2)
    return [
        *probe_pictures(),
        dot,
        line,
        np.ascontiguousarray(line.transpose(1, 0, 2)),
        grey,
        grey[::-1, ::2],
    ]


class _Side:
    """The checks of one modality."""

    def __init__(
        self, name: str, encoder: Encoder, encode: Encode, items: Sequence[Any], *, pictures: bool
    ) -> None:
        self.name, self.encoder, self.encode, self.items = name, encoder, encode, items
        self._pictures = pictures
        self.alone: list[bytes] = []

    def works(self) -> bool:
        """Tell whether the encoder has this modality."""
        try:
            self.encode(self.items[:1])
        except EncoderError:
            return False
        except Exception:  # noqa: S110 - a fault, which the checks will name
            pass
        return True

    def vectors(self) -> None:
        """Check shape, type and norm of every vector, odd input included."""
        for number, item in enumerate(self.items):
            found = self.encode([item])
            what = self._named(number)
            shape = getattr(found, "shape", None)
            expect(shape == (1, self.encoder.dimensions), f"{what} gives the shape {shape}")
            expect(found.dtype == np.float32, f"{what} gives {found.dtype}", "Return float32")
            expect(bool(np.isfinite(found).all()), f"{what} gives NaN or infinity")
            norm = float(np.linalg.norm(found[0].astype(np.float64)))
            expect(abs(norm - 1.0) <= _NORM_TOLERANCE, f"{what} gives the norm {norm:.4f}", "Normalise to 1")
            self.alone.append(found[0].tobytes())

    def company(self) -> None:
        """Check that company changes no bit: all in reverse, and after many copies of another."""
        size = len(self.items)
        for order in (list(range(size))[::-1], [0] * 20 + [size - 1]):
            batch = self.encode([self.items[n] for n in order])
            expect(
                batch.shape == (len(order), self.encoder.dimensions),
                f"a batch of {len(order)} gives {batch.shape}",
            )
            rows = zip(order, batch, strict=True)
            differing = next((n for n, row in rows if row.tobytes() != self.alone[n]), None)
            exact = self.encoder.exactness == "exact"
            expect(
                differing is None,
                f"{self._named(differing or 0)} gives another vector in a batch of {len(order)} than alone",
                "Use integer arithmetic" if exact else "Encode one at a time inside: padding and kernels change bits",
            )  # fmt: skip

    def empty(self) -> None:
        """Check that no input gives no vectors."""
        found = self.encode([])
        shape = getattr(found, "shape", None)
        expect(
            shape == (0, self.encoder.dimensions),
            f"an empty batch gives the shape {shape}",
            "Return (0, dimensions)",
        )
        expect(found.dtype == np.float32, f"an empty batch gives {found.dtype}", "Return float32")

    def probes(self) -> None:
        """Check that probe vectors tell encoders apart and identify this one."""
        first = probes(self.encoder, pictures=self._pictures)
        expect(
            first == probes(self.encoder, pictures=self._pictures), "two runs give different probe vectors"
        )
        different = {tuple(row) for row in first}
        expect(len(different) == len(first), "different probes give equal vectors", "Encode what is given")
        check_identity(
            self.encoder, {"encoder": dict(self.encoder.identity()), "probes": first}, pictures=self._pictures
        )

    def unchanged(self) -> None:
        """Check that encoding leaves pictures as they are; those of a world are read-only."""
        items = [item.copy() for item in self.items[:_FEW]]
        for item in items:
            item.setflags(write=False)
        self.encode(items)
        same = all(np.array_equal(one, other) for one, other in zip(items, self.items, strict=False))
        expect(same, "encoding changes its input")

    def threads(self) -> None:
        """Check that threads at the same time get the bytes of one after another."""

        def work(shift: int) -> bool:
            order = [(n + shift) % _FEW for n in range(_FEW)]
            return all(self.encode([self.items[n]])[0].tobytes() == self.alone[n] for n in order)

        with ThreadPoolExecutor(_THREADS) as pool:
            same = all(pool.map(work, range(_THREADS)))
        expect(same, "threads disturb one another", "Keep no state in the encoder, or lock it")

    def _named(self, number: int) -> str:
        item = self.items[number]
        return (
            f"the picture of shape {item.shape}"
            if isinstance(item, np.ndarray)
            else f"the text {item[:20]!r}"
        )
