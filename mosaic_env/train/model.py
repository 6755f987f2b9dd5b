"""The joint encoder while it is trained: floats first, then rounded as its integers will be, then exported.

Parameters are a plain dict of tensors. The float network has batch normalisation; ``folded`` merges it into the
weights and fixes the step of every activation, and from then on ``picture_vectors`` rounds weights and
activations in the forward pass (gradients pass straight through), so that the integers lose nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mosaic_env.index.joint_net import SIDE, TOP
from mosaic_env.index.joint_text import ROWS

#: Kernel, stride, padding and channels of each layer.
LAYERS = (
    (4, 2, 1, 32), (3, 2, 1, 64), (3, 1, 1, 64), (3, 2, 1, 128), (3, 1, 1, 128), (3, 2, 1, 192),
)  # fmt: skip
DIMENSIONS = 192
_WEIGHT_TOP = 127
#: Share of activations, or of table entries, that may be cut by their largest integer.
_CUT = 0.0005
_MULTIPLIER_BITS = 20
_NORM_EPS = 1e-5
Parameters = dict[str, Any]


def new_parameters(seed: int) -> Parameters:
    """Return the parameters of an untrained float network and table."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    made: Parameters = {}
    channels, side = 3, SIDE
    for number, (kernel, stride, _, wide) in enumerate(LAYERS):
        inputs = channels * kernel * kernel
        shape = (wide, channels, kernel, kernel)
        made[f"{number}.weight"] = torch.randn(shape, generator=generator) * (2 / inputs) ** 0.5
        made[f"{number}.gain"], made[f"{number}.bias"] = torch.ones(wide), torch.zeros(wide)
        made[f"{number}.mean"], made[f"{number}.variance"] = torch.zeros(wide), torch.ones(wide)
        channels, side = wide, side // stride
    features = channels * side * side
    made["head.weight"] = torch.randn((DIMENSIONS, features), generator=generator) * features**-0.5
    made["head.bias"] = torch.zeros(DIMENSIONS)
    made["table"] = torch.randn((ROWS, DIMENSIONS), generator=generator) * 0.05
    made["temperature"] = torch.tensor(2.7)  # the logarithm of what similarities are multiplied by
    return made


def trained_names(parameters: Parameters) -> list[str]:
    """Return the parameters that gradients change: not running means, variances and steps."""
    return [name for name in parameters if not name.endswith((".mean", ".variance", ".step"))]


def text_vectors(parameters: Parameters, rows: Sequence[Sequence[int]]) -> Any:
    """Return unit vectors of texts given as table rows; shape (n, dimensions)."""
    import torch
    import torch.nn.functional as functional

    table = parameters["table"]
    if "table.step" in parameters:
        table = _rounded(table, parameters["table.step"], -_WEIGHT_TOP, _WEIGHT_TOP)
    offsets = torch.tensor(np.cumsum([0, *map(len, rows[:-1])]))
    flat = torch.tensor([row for each in rows for row in each], dtype=torch.int64)
    return functional.normalize(functional.embedding_bag(flat, table, offsets, mode="sum"), dim=1)


def picture_vectors(parameters: Parameters, pictures: Any, *, training: bool = False) -> Any:
    """Return unit vectors of pictures.

    Args:
        pictures: Tensor, shape (n, 3, 96, 96), values 0 to 1.
        training: Normalise by the batch, and update the running means; floats only.
    """
    import torch.nn.functional as functional

    maps = pictures
    for number in range(len(LAYERS)):
        maps = _layer(parameters, number, maps, training)
    flat = maps.permute(0, 2, 3, 1).flatten(1)
    weight = parameters["head.weight"]
    if "head.step" in parameters:
        weight = _rounded(weight, parameters["head.step"], -_WEIGHT_TOP, _WEIGHT_TOP)
    return functional.normalize(functional.linear(flat, weight, parameters["head.bias"]).float(), dim=1)


def _layer(parameters: Parameters, number: int, maps: Any, training: bool) -> Any:
    import torch.nn.functional as functional

    _, stride, padding, _ = LAYERS[number]
    weight, bias = parameters[f"{number}.weight"], parameters[f"{number}.bias"]
    step = parameters.get(f"{number}.step")
    if step is not None:
        weight = _rounded(weight, _channel_steps(weight), -_WEIGHT_TOP, _WEIGHT_TOP)
        sums = functional.conv2d(maps, weight, bias, stride, padding)
        return _rounded(sums, step, 0, TOP)
    sums = functional.conv2d(maps, weight, None, stride, padding)
    mean, variance = parameters[f"{number}.mean"], parameters[f"{number}.variance"]
    normal = functional.batch_norm(
        sums, mean, variance, parameters[f"{number}.gain"], bias, training, 0.05, _NORM_EPS
    )
    return functional.relu(normal)


def _rounded(values: Any, step: Any, low: int, high: int) -> Any:
    """Return values rounded to steps and cut; gradients pass through where nothing was cut."""
    scaled = (values / step).clamp(low, high)
    return (scaled + (scaled.round() - scaled).detach()) * step


def _channel_steps(weight: Any) -> Any:
    return weight.detach().abs().amax(dim=(1, 2, 3), keepdim=True).clamp(min=1e-8) / _WEIGHT_TOP


def without_unused_rows(parameters: Parameters, seed: int) -> Parameters:
    """Return parameters whose table has zeros in rows that no text has used: an unknown word says nothing.

    Args:
        seed: What ``new_parameters`` was called with.
    """
    table = parameters["table"].detach()
    unused = (table == new_parameters(seed)["table"]).all(dim=1, keepdim=True)
    return {**parameters, "table": table.masked_fill(unused, 0.0)}


def folded(parameters: Parameters, pictures: Any) -> Parameters:
    """Return parameters without batch normalisation, with the steps that integers will have.

    Args:
        pictures: Some hundred pictures, from whose activations the steps are taken.
    """
    import torch

    made: Parameters = {}
    with torch.no_grad():
        maps = pictures
        for number in range(len(LAYERS)):
            gain = parameters[f"{number}.gain"] / (parameters[f"{number}.variance"] + _NORM_EPS).sqrt()
            made[f"{number}.weight"] = parameters[f"{number}.weight"] * gain[:, None, None, None]
            made[f"{number}.bias"] = parameters[f"{number}.bias"] - parameters[f"{number}.mean"] * gain
            maps = _layer(parameters, number, maps, training=False)
            made[f"{number}.step"] = torch.tensor(_cut_at(maps) / TOP)
        for name in ("head.weight", "head.bias", "table", "temperature"):
            made[name] = parameters[name].detach().clone()
        made["head.step"] = made["head.weight"].abs().max() / _WEIGHT_TOP
        made["table.step"] = torch.tensor(_cut_at(made["table"].abs()) / _WEIGHT_TOP)
    return made


def _cut_at(values: Any) -> float:
    return float(np.quantile(values.detach().float().numpy(), 1 - _CUT))


def exported(parameters: Parameters) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of the integer encoder; see ``IntegerNet`` and ``JointEncoder``."""
    floats = {name: value.detach().double().numpy() for name, value in parameters.items()}
    arrays: dict[str, npt.NDArray[Any]] = {}
    step = 1 / TOP
    for number, (_, stride, padding, _) in enumerate(LAYERS):
        weight = floats[f"{number}.weight"]
        channels = np.maximum(np.abs(weight).max(axis=(1, 2, 3)), 1e-8) / _WEIGHT_TOP
        out = float(floats[f"{number}.step"])
        ratio = step * channels / out
        shift = _MULTIPLIER_BITS - int(np.ceil(np.log2(ratio.max())))
        whole = _integers(weight / channels[:, None, None, None])
        arrays[f"net.{number}.weight"] = np.ascontiguousarray(whole.transpose(2, 3, 1, 0))
        arrays[f"net.{number}.multiplier"] = np.rint(ratio * 2.0**shift).astype(np.int32)
        # Half a step more, so that rounding down rounds to the nearest.
        bias = (floats[f"{number}.bias"] / out + 0.5) * 2.0**shift
        arrays[f"net.{number}.bias"] = np.rint(bias).astype(np.int64)
        arrays[f"net.{number}.steps"] = np.array([stride, padding, shift], np.int32)
        step = out
    head = float(floats["head.step"])
    arrays["head.weight"] = np.ascontiguousarray(_integers(floats["head.weight"] / head).T)
    arrays["head.bias"] = np.rint(floats["head.bias"] / (head * step)).astype(np.int64)
    arrays["text.table"] = _integers(floats["table"] / float(floats["table.step"]))
    return arrays


def _integers(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int8]:
    return np.clip(np.rint(values), -_WEIGHT_TOP, _WEIGHT_TOP).astype(np.int8)


def as_tensor(pictures: npt.NDArray[np.uint8]) -> Any:
    """Return pictures (n, 96, 96, 3) as the tensor that ``picture_vectors`` takes."""
    import torch

    return torch.from_numpy(np.ascontiguousarray(pictures.transpose(0, 3, 1, 2))).float() / TOP


def state_of(parameters: Mapping[str, Any]) -> dict[str, npt.NDArray[np.float32]]:
    """Return all parameters as arrays, to be stored."""
    return {name: value.detach().float().numpy() for name, value in parameters.items()}
