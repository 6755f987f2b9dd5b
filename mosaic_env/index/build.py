"""Building the ``index`` section from a knowledge base: postings, window vectors, encoder vectors.

Deterministic: sorted input, no threads, no randomness; the same inputs give the same bytes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mosaic_env.guard.images import decode_rgb
from mosaic_env.index import descriptor
from mosaic_env.index.arrays import LEXICAL_VERSION
from mosaic_env.index.encoders import Encoder, probes
from mosaic_env.index.ngrams import DIMENSIONS, build_encoder
from mosaic_env.index.phrases import pair_token
from mosaic_env.index.text import pairs, trigrams, words
from mosaic_env.index.vectors import global_scale, quantise
from mosaic_env.snapshot.kb import KnowledgeBase, StoredPicture
from mosaic_env.snapshot.manifest import SectionEntry
from mosaic_env.snapshot.writer import SnapshotWriter

#: BM25 saturation and length normalisation.
_K1 = 1.2
_LENGTH_WEIGHT = 0.75
_TOP_IMPACT = 255
#: What a fact seen from its head is worth beside one seen from its tail ("director of X" asks for
#: the tail far more often than for the films of a director).
_INVERSE_SHARE = 0.5
_ENCODED_AT_ONCE = 1024

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class RouteEncoders:
    """Trained encoders by route; None keeps the weight-free default of that route.

    Args:
        text: Encodes ``label. description`` and text queries.
        image: Encodes pictures for reverse image search.
        text_to_image: Encodes texts and pictures into one space.
    """

    text: Encoder | None = None
    image: Encoder | None = None
    text_to_image: Encoder | None = None


@dataclass
class _Postings:
    by_token: dict[str, list[tuple[int, float]]] = field(default_factory=dict)

    def add(self, token: str, row: int, weight: float) -> None:
        self.by_token.setdefault(token, []).append((row, weight))

    def arrays(self, name: str, unseen: float) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of one field, impacts scaled so that the largest is 255."""
        tokens = sorted(self.by_token)
        lists = [self.by_token[token] for token in tokens]
        flat = np.array([weight for items in lists for _, weight in items])
        scale = _TOP_IMPACT / max(float(flat.max()) if flat.size else 1.0, unseen)
        impacts = np.maximum(1, np.rint(flat * scale)).astype(np.uint8)
        return {
            f"{name}.vocabulary": np.frombuffer("\n".join(tokens).encode(), np.uint8),
            f"{name}.offsets": np.cumsum([0, *map(len, lists)]).astype(np.int64),
            f"{name}.rows": np.array([row for items in lists for row, _ in items], np.int32),
            f"{name}.impacts": impacts,
            f"{name}.unseen": np.array([round(unseen * scale)], np.int32),
        }


def _idf(size: int, frequency: int) -> float:
    return math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))


def _bm25(documents: Sequence[Sequence[str]]) -> _Postings:
    """Return BM25 weights of token lists; the weights are rounded to integers later."""
    size = len(documents)
    frequencies = Counter(token for document in documents for token in sorted(set(document)))
    mean = sum(map(len, documents)) / max(size, 1) or 1.0
    idf = {token: _idf(size, count) for token, count in frequencies.items()}
    postings, b = _Postings(), _LENGTH_WEIGHT
    for row, document in enumerate(documents):
        norm = _K1 * (1 - b + b * len(document) / mean)
        for token, count in sorted(Counter(document).items()):
            postings.add(token, row, idf[token] * count * (_K1 + 1) / (count + norm))
    return postings


def _facts(kb: KnowledgeBase) -> tuple[_Postings, dict[str, float]]:
    """Return the pair tokens of every entity, and the weight of every word of a label.

    A fact and a query are compared by the cosine of their words, weighted by rarity: a pair token
    carries weight² / |label|, and the query's own norm is divided by when searching.
    """
    labels = [sorted(set(words(label))) for label in kb.labels]
    frequencies = Counter(word for label in labels for word in label)
    idf = {word: _idf(len(kb), frequencies[word]) for word in sorted(frequencies)}
    norms = [math.sqrt(sum(idf[word] ** 2 for word in label)) for label in labels]
    best: dict[str, dict[int, float]] = {}
    for head, relation, tail in kb.triples:
        for row, other, inverse, share in ((tail, head, False, 1.0), (head, tail, True, _INVERSE_SHARE)):
            for word in labels[other]:
                rows = best.setdefault(pair_token(relation, word, inverse=inverse), {})
                rows[row] = max(rows.get(row, 0.0), share * idf[word] ** 2 / norms[other])
    postings = _Postings()
    for token in sorted(best):
        for row, weight in sorted(best[token].items()):
            postings.add(token, row, weight)
    return postings, idf


def _mentions(kb: KnowledgeBase) -> _Postings:
    """Return which entities say which names: two neighbouring words of some label, or its only word."""
    known = {name for found in map(words, kb.labels) for name in pairs(found) or found}
    spoken = []
    for parts in zip(kb.labels, kb.descriptions, kb.texts, strict=True):
        said = {name for found in map(words, parts) for name in (*found, *pairs(found))}
        spoken.append(sorted(known & said))
    frequencies = Counter(name for found in spoken for name in found)
    postings = _Postings()
    for row, found in enumerate(spoken):
        for name in found:
            postings.add(name, row, _idf(len(kb), frequencies[name]))
    return postings


def document_text(kb: KnowledgeBase, row: int) -> str:
    """Return the text of an entity that the words field reads: label, description, longer text."""
    parts = (kb.labels[row], kb.descriptions[row], kb.texts[row])
    return ". ".join(part for part in parts if part)


def _ngram_arrays(kb: KnowledgeBase) -> dict[str, npt.NDArray[Any]]:
    names = [trigrams(label) for label in kb.labels]
    descriptions = [trigrams(description) for description in kb.descriptions]
    encoder = build_encoder(names, descriptions)
    arrays: dict[str, npt.NDArray[Any]] = {}
    for part, block in (("names", encoder.names), ("descriptions", encoder.descriptions)):
        arrays[f"ngrams.{part}.vocabulary"] = np.frombuffer("\n".join(block.numbers).encode(), np.uint8)
        arrays[f"ngrams.{part}.slots"] = block.slots.astype(np.int16)
        arrays[f"ngrams.{part}.weights"] = block.weights.astype(np.int16)
    blocks = range(0, len(kb), _ENCODED_AT_ONCE)
    vectors = [
        encoder.encode_entities(names[n : n + _ENCODED_AT_ONCE], descriptions[n : n + _ENCODED_AT_ONCE])
        for n in blocks
    ]
    arrays["ngrams.vectors"] = np.concatenate(vectors or [np.zeros((0, DIMENSIONS), np.int8)])
    return arrays


def text_arrays(kb: KnowledgeBase) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of text search: words, mentions, n-gram vectors with their vocabularies, facts."""
    unseen = _idf(len(kb), 1)
    arrays = _bm25([words(document_text(kb, row)) for row in range(len(kb))]).arrays("words", unseen)
    arrays |= _mentions(kb).arrays("mentions", unseen)
    arrays |= _ngram_arrays(kb)
    facts, weights = _facts(kb)
    arrays |= facts.arrays("facts", unseen)
    scale = _TOP_IMPACT / max(unseen, 1e-9)
    arrays["facts.words"] = np.frombuffer("\n".join(weights).encode(), np.uint8)
    arrays["facts.weights"] = np.array([round(weight * scale) for weight in weights.values()], np.int32)
    return arrays


def write_index(
    writer: SnapshotWriter,
    kb: KnowledgeBase,
    encoders: RouteEncoders | None = None,
    progress: Progress | None = None,
) -> SectionEntry:
    """Build and write the ``index`` section for a knowledge base whose objects are in the writer.

    Args:
        progress: Called with (what, done, total).

    Returns: The section's entry; its detail names the encoder of each route.
    """
    encoders = encoders or RouteEncoders()
    say = progress or (lambda what, done, total: None)
    files, routes = {}, {}
    files["text"] = _save(text_arrays(kb))
    routes["text"] = {"kind": "lexical", "version": LEXICAL_VERSION, "dimensions": DIMENSIONS}
    say("text index", 1, 1)
    if encoders.text is not None:
        texts = [f"{kb.labels[r]}. {kb.descriptions[r]}" for r in range(len(kb))]
        vectors = _encode(encoders.text.encode_texts, texts, "text vectors", say)
        files["text_vectors"], routes["text"] = _quantised(
            encoders.text, vectors, np.arange(len(kb)), pictures=False
        )
    if kb.pictures:
        _write_picture_routes(writer, kb, encoders, files, routes, say)
    counts = {"entities": len(kb), "pictures": len(kb.pictures)}
    return writer.write_index(files, detail={"routes": routes}, counts=counts)


def _write_picture_routes(
    writer: SnapshotWriter, kb: KnowledgeBase, encoders: RouteEncoders,
    files: dict[str, bytes], routes: dict[str, Any], say: Progress,
) -> None:  # fmt: skip
    stored = [kb.pictures[row] for row in sorted(kb.pictures)]
    rows = np.array(sorted(kb.pictures), np.int64)
    if encoders.image is None:
        windows = [
            descriptor.describe_windows(_pixels(writer, p)) for p in _counted(stored, "picture index", say)
        ]
        files["image"] = _save({"vectors": np.concatenate(windows), "rows": rows.astype(np.int32)})
        routes["image"] = {"kind": "windows", "encoder": descriptor.identity()}
    else:
        vectors = _encode_pictures(writer, encoders.image, stored, "picture vectors", say)
        files["image"], routes["image"] = _quantised(encoders.image, vectors, rows, pictures=True)
    if encoders.text_to_image is not None:
        vectors = _encode_pictures(writer, encoders.text_to_image, stored, "text-to-picture vectors", say)
        files["text_to_image"], routes["text_to_image"] = _quantised(
            encoders.text_to_image, vectors, rows, pictures=False
        )


def _pixels(writer: SnapshotWriter, stored: StoredPicture) -> npt.NDArray[np.uint8]:
    return decode_rgb(writer.objects.read(stored.picture.digest, stored.size), digest=stored.pixels)


def _encode_pictures(
    writer: SnapshotWriter, encoder: Encoder, stored: Sequence[StoredPicture], what: str, say: Progress
) -> npt.NDArray[np.float32]:
    return np.concatenate(
        [encoder.encode_pictures([_pixels(writer, p)]) for p in _counted(stored, what, say)]
    )


def _encode(
    encode: Callable[[Sequence[str]], npt.NDArray[np.float32]], texts: Sequence[str], what: str, say: Progress
) -> npt.NDArray[np.float32]:
    # One text at a time: a batch changes the last bits of a float encoder's vectors.
    return np.concatenate([encode([text]) for text in _counted(texts, what, say)])


def _counted(items: Sequence[Any], what: str, say: Progress) -> Iterable[Any]:
    for done, item in enumerate(items, start=1):
        yield item
        say(what, done, len(items))


def _quantised(
    encoder: Encoder, vectors: npt.NDArray[np.float32], rows: npt.NDArray[np.int64], *, pictures: bool
) -> tuple[bytes, dict[str, Any]]:
    scale = round(global_scale(vectors), 3)
    data = _save({"vectors": quantise(vectors, scale), "rows": rows.astype(np.int32)})
    return data, {
        "kind": "vectors",
        "exactness": encoder.exactness,
        "encoder": dict(encoder.identity()),
        "scale": scale,
        "probes": probes(encoder, pictures=pictures),
    }


def _save(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    from safetensors.numpy import save

    # No metadata: its order in the file is not defined. Arrays are stored by type and name.
    return save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
