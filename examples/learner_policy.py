"""The learner's policy: a softmax over what to do, a softmax over what to answer, and their gradients.

What to do is weighed by named features, hashed into one table. What to answer is weighed by the words of the
question (which type of question is this, and what is usual for such a thing) and by the picture (the joint encoder
says how well "red cap" fits it). All weights start at zero: the first policy is uniform.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from learner_actions import ANSWERS, NUMBERS, VOCABULARY, Action, Question

from mosaic_env.guard.images import decode_rgb
from mosaic_env.index.joint import load

SLOTS = 1 << 14
WORDS = 1 << 11
KINDS = list(VOCABULARY)
KIND_OF = np.array([KINDS.index(kind) for kind, _ in ANSWERS])
_ONE_OF = np.eye(len(KINDS), dtype=np.float32)[KIND_OF]
#: How fast each array of weights moves.
RATES = {"walk": 0.1, "kind": 0.05, "usual": 0.03, "fit": 0.1}

#: Reward for staying undecided about answers, a nat.
ENTROPY = 0.01


@lru_cache(maxsize=1 << 17)
def slots(names: tuple[str, ...]) -> Any:
    """Return the places of features in the table."""
    return np.array([zlib.crc32(name.encode()) % SLOTS for name in names])


class Eye:
    """Pictures and phrases as vectors of the bundled joint encoder, each computed once."""

    def __init__(self, blind: bool) -> None:
        self._encoder = load("bundled")
        self.dimensions = self._encoder.dimensions
        self._blind = blind
        self._pictures: dict[bytes, Any] = {b"": np.zeros(self.dimensions, np.float32)}
        self._phrases: dict[str, Any] = {}
        self._plain = self._encoder.encode_texts([said(kind, value, "") for kind, value in ANSWERS])

    def picture(self, data: bytes) -> Any:
        """Return a picture's vector; zeros for no picture, and always for the blind copy."""
        if self._blind:
            data = b""
        if data not in self._pictures:
            self._pictures[data] = self._encoder.encode_pictures([decode_rgb(data)])[0]
        return self._pictures[data]

    def phrases(self, thing: str) -> Any:
        """Return shape (2, answers, dimensions): every value alone, and every value with the thing."""
        if thing not in self._phrases:
            texts = [said(kind, value, thing) for kind, value in ANSWERS]
            self._phrases[thing] = np.stack([self._plain, self._encoder.encode_texts(texts)])
        return self._phrases[thing]


def said(kind: str, value: str, thing: str) -> str:
    """Return a value and what it is said of: "three stars", "red cap"."""
    return f"{NUMBERS[int(value)] if kind == 'count' else value} {thing}".strip()


@dataclass
class Choice:
    """A decision that was taken, and what its gradient is computed from.

    Args:
        chosen: Number of the action or answer.
        chances: Of all of them.
        index, owner: Of what to do: the places of all features in the table, and the action each belongs to.
        asked, fits: Of an answer: the places of the question's words; shape (answers, 2), how well the picture fits.
    """

    chosen: int
    chances: Any
    index: Any = None
    owner: Any = None
    asked: Any = None
    fits: Any = None


class Policy:
    """Weights, choices and the policy gradient.

    Args:
        blind: Zero all features of pictures.
    """

    def __init__(self, blind: bool) -> None:
        self.eye = Eye(blind)
        answers = len(ANSWERS)
        shapes: dict[str, tuple[int, ...]] = {
            "walk": (SLOTS,), "kind": (WORDS, len(KINDS)), "usual": (WORDS, answers),
            "fit": (len(KINDS), 2),
        }  # fmt: skip
        self.weights = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        self._first = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        self._second = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        self._updates = 0

    def walk(self, actions: list[Action], pick: Any) -> Choice:
        """Choose what to do; ``pick`` takes chances and returns a number.

        Weights of zero give each kind of action the same chance, and each action of a kind.
        """
        lists = [slots(action.features) for action in actions]
        index = np.concatenate(lists)
        owner = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
        logits = np.bincount(owner, self.weights["walk"][index], len(lists))
        kinds = [action.kind for action in actions]
        chances = softmax(logits - np.log([kinds.count(kind) for kind in kinds]))
        return Choice(pick(chances), chances, index=index, owner=owner)

    def answers(self, question: Question, picture: bytes, pick: Any, count: int) -> list[Choice]:
        """Choose what to answer, a number of times."""
        asked = np.array(sorted({zlib.crc32(word.encode()) % WORDS for word in question.cues}), int)
        seen = self.eye.picture(picture)
        phrases = self.eye.phrases(question.thing)
        fits = (phrases @ seen).T * 10  # (answers, 2)
        w = self.weights
        kinds = w["kind"][asked].sum(0)
        logits = kinds[KIND_OF] + w["usual"][asked].sum(0) + (w["fit"][KIND_OF] * fits).sum(1)
        chances = softmax(logits)
        return [Choice(pick(chances), chances, asked=asked, fits=fits) for _ in range(count)]

    def learn(self, choices: list[tuple[Choice, float]], rate: float) -> None:
        """Take a step along the policy gradient: choices with their advantages."""
        steps = {name: np.zeros_like(array) for name, array in self.weights.items()}
        for choice, advantage in choices:
            push = -advantage * choice.chances
            push[choice.chosen] += advantage
            if (
                choice.asked is not None
            ):  # what to do starts undecided about kinds of action, not about actions
                surprise = np.log(choice.chances + 1e-9)
                push -= ENTROPY * choice.chances * (surprise - (choice.chances * surprise).sum())
            self._add(steps, choice, push.astype(np.float32))
        self._updates += 1
        for name, step in steps.items():
            first, second = self._first[name], self._second[name]
            first += 0.1 * (step / len(choices) - first)
            second += 0.003 * ((step / len(choices)) ** 2 - second)
            unbiased = first / (1 - 0.9**self._updates)
            size = np.sqrt(second / (1 - 0.997**self._updates)) + 1e-5
            self.weights[name] += rate * RATES[name] * unbiased / size

    def _add(self, steps: dict[str, Any], choice: Choice, push: Any) -> None:
        if choice.asked is None:
            np.add.at(steps["walk"], choice.index, push[choice.owner])
            return
        by_kind = _ONE_OF.T * push  # (kinds, answers)
        steps["kind"][choice.asked] += by_kind.sum(1)
        steps["usual"][choice.asked] += push
        steps["fit"] += by_kind @ choice.fits


def softmax(logits: Any) -> Any:
    """Return chances."""
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()
