"""``python -m mosaic_env.train.joint``: draw, train, round to integers, measure, write the weights.

Training can be stopped at any time and started again with the same arguments: it goes on from the last
checkpoint, with the batches it would have had.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from mosaic_env.core.canon import canonical_bytes
from mosaic_env.core.errors import shorten
from mosaic_env.index.joint import RECORD, WEIGHTS, load
from mosaic_env.train import model
from mosaic_env.train.batches import Batch, make_batch
from mosaic_env.train.curve import write_curve
from mosaic_env.train.measure import measure
from mosaic_env.train.renders import Renders, shards

_CHECKPOINT = "checkpoint.pt"
_LOG = "log.jsonl"
_HELD_OUT = 1_000
#: The last steps run in float32; all before them in bfloat16, which is twice as fast.
_PRECISE_STEPS = 50
#: Weight of captions in the loss: short phrases are harder.
_CAPTIONS = 0.5


@dataclass(frozen=True)
class Plan:
    """How the encoder is trained; a checkpoint of another plan is not used.

    Args:
        shards: Training pictures, in shards of 2,000.
        steps: Batches in floats; ``rounding_steps`` more with rounding.
        batch: Pictures in a batch.
    """

    seed: int = 1
    shards: int = 32
    steps: int = 2_000
    rounding_steps: int = 600
    batch: int = 256
    rate: float = 2e-3
    rounding_rate: float = 8e-4
    decay: float = 0.02


class Trainer:
    """Training with its state on disk.

    Args:
        folder: Where drawn pictures, checkpoint and log are kept.
        threads: Cores that torch may use.
    """

    def __init__(self, plan: Plan, folder: Path, threads: int) -> None:
        import torch

        torch.set_num_threads(threads)
        self.plan, self.folder, self.step = plan, folder, 0
        self._log_seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        self.renders: Renders = shards(folder, plan.seed, plan.shards, threads)
        self._set_parameters(model.new_parameters(plan.seed))
        self._resume()

    def run(self) -> None:
        """Train to the end of the plan."""
        last = self.plan.steps + self.plan.rounding_steps
        begun = perf_counter() - self._log_seconds
        while self.step < last:
            if self.step == self.plan.steps and "table.step" not in self.parameters:
                some = model.as_tensor(self.renders.pictures[:: max(1, len(self.renders.pictures) // 512)])
                used = model.without_unused_rows(self.parameters, self.plan.seed)
                self._set_parameters(model.folded(used, some))
            loss = self._train_step()
            self.step += 1
            if self.step % 20 == 0 or self.step == last:
                self._log_seconds = perf_counter() - begun
                self._note(loss)
            if self.step % 200 == 0 or self.step == last:
                self._save()

    def _train_step(self) -> float:
        import torch

        rounding = "table.step" in self.parameters
        rate = self.plan.rounding_rate if rounding else self.plan.rate
        for group in self._optimizer.param_groups:
            group["lr"] = rate * self._schedule(rounding)
        batch = make_batch(self.renders, self.plan.seed, self.step, self.plan.batch)
        coarse = self.step < self.plan.steps + self.plan.rounding_steps - _PRECISE_STEPS
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=coarse):
            pictures = model.picture_vectors(
                self.parameters, model.as_tensor(batch.pictures), training=not rounding
            )
        loss = batch_loss(self.parameters, pictures, batch)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self._optimizer.step()
        with torch.no_grad():
            self.parameters["temperature"].clamp_(0.0, 4.2)
        return float(loss.detach())

    def _schedule(self, rounding: bool) -> float:
        """Return the share of the rate: up in some steps, then down along a cosine."""
        done = self.step - self.plan.steps if rounding else self.step
        total = self.plan.rounding_steps if rounding else self.plan.steps
        warm = min(1.0, (done + 1) / (20 if rounding else 100))
        return float(warm * (0.02 + 0.98 * (1 + np.cos(np.pi * done / total)) / 2))

    def _set_parameters(self, parameters: model.Parameters) -> None:
        import torch

        self.parameters = parameters
        names = model.trained_names(parameters)
        for name in names:
            parameters[name].requires_grad_(True)
        decayed = [parameters[n] for n in names if n.endswith("weight")]
        others = [parameters[n] for n in names if not n.endswith("weight")]
        self._optimizer = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": self.plan.decay}, {"params": others, "weight_decay": 0.0}],
            lr=self.plan.rate, betas=(0.9, 0.98),
        )  # fmt: skip

    def _note(self, loss: float) -> None:
        line = {"step": self.step, "loss": round(loss, 4), "seconds": round(self._log_seconds, 1)}
        with (self.folder / _LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        sys.stderr.write(f"step {self.step}: loss {loss:.3f}, {self._log_seconds:.0f} s\n")

    def _save(self) -> None:
        import torch

        state = {
            "plan": asdict(self.plan),
            "step": self.step,
            "seconds": self._log_seconds,
            "parameters": {name: value.detach() for name, value in self.parameters.items()},
            "optimizer": self._optimizer.state_dict(),
        }
        waiting = self.folder / f"{_CHECKPOINT}.part"
        torch.save(state, waiting)
        waiting.replace(self.folder / _CHECKPOINT)

    def _resume(self) -> None:
        import torch

        path = self.folder / _CHECKPOINT
        if not path.exists():
            (self.folder / _LOG).unlink(missing_ok=True)
            return
        try:
            state = torch.load(path, weights_only=True)
        except Exception as error:  # torch has no error of its own for a file that is none of its
            raise SystemExit(
                f"{path} cannot be read ({shorten(error)}). Delete it to begin anew, or use another --folder."
            ) from None
        if state["plan"] != asdict(self.plan):
            raise SystemExit(f"{path} belongs to another plan: {state['plan']}. Use another --folder.")
        self.step, self._log_seconds = state["step"], state["seconds"]
        self._set_parameters(state["parameters"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._forget_later_steps()

    def _forget_later_steps(self) -> None:
        """Leave out of the log what came after the checkpoint: those steps are done, and noted, again."""
        log = self.folder / _LOG
        lines = log.read_text("utf-8").splitlines(keepends=True) if log.exists() else []
        kept = [line for line in lines if line.endswith("\n") and json.loads(line)["step"] <= self.step]
        log.write_text("".join(kept), "utf-8")


def batch_loss(parameters: model.Parameters, pictures: Any, batch: Batch) -> Any:
    """Return the contrastive loss of a batch: every text against every picture, and the reverse.

    A text that fits several pictures shares its weight among them; without that, short phrases would teach
    that other red caps are wrong.
    """
    total = 0.0
    for rows, fits, weight in (
        (batch.captions, batch.fits_captions, _CAPTIONS),
        (batch.phrases, batch.fits_phrases, 1.0),
    ):
        texts = model.text_vectors(parameters, rows)
        scores = texts @ pictures.T * parameters["temperature"].exp()
        total = total + weight * (_cross_entropy(scores, fits) + 0.5 * _cross_entropy(scores.T, fits.T))
    return total


def _cross_entropy(scores: Any, fits: Any) -> Any:
    import torch
    import torch.nn.functional as functional

    targets = torch.from_numpy(np.ascontiguousarray(fits)).float()
    targets = targets / targets.sum(dim=1, keepdim=True).clamp(min=1)
    return functional.cross_entropy(scores, targets)


def write_encoder(parameters: model.Parameters, folder: Path, about: dict[str, Any]) -> None:
    """Write the weights and their record into a folder.

    Args:
        about: What the record says beside the digest.
    """
    from safetensors.numpy import save

    data = save(model.exported(parameters))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS).write_bytes(data)
    record = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), **about}
    (folder / RECORD).write_bytes(canonical_bytes(record) + b"\n")


def main() -> None:
    """Train, write and measure; a second start continues the first."""
    parser = argparse.ArgumentParser(prog="python -m mosaic_env.train.joint", description=main.__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/joint"), help="pictures, checkpoint, log")
    parser.add_argument("--out", type=Path, default=Path("mosaic_env/index"), help="where the weights go")
    parser.add_argument("--curve", type=Path, default=Path("docs/pictures/joint-loss.svg"))
    parser.add_argument("--threads", type=int, default=2)
    for name, value in asdict(Plan()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    arguments = parser.parse_args()
    plan = Plan(**{name: getattr(arguments, name) for name in asdict(Plan())})
    trainer = Trainer(plan, arguments.folder, arguments.threads)
    trainer.run()
    write_encoder(trainer.parameters, arguments.out, {"plan": asdict(plan)})
    write_curve(list(_log_lines(arguments.folder / _LOG)), plan.steps, arguments.curve)
    found = measure(load(str(arguments.out)), seed=plan.seed + 1_000, count=_HELD_OUT)
    sys.stdout.write("\n".join(found.lines()) + "\n")


def _log_lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


if __name__ == "__main__":
    main()
