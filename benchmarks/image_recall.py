"""Measure how often reverse image search finds the source of an edited picture.

    python benchmarks/image_recall.py [FOLDER] [--half held-out] [--distractors 11200] [--misses 20]
    python benchmarks/image_recall.py --design

Every picture of a folder is indexed, then searched with edited copies of itself; the table shows the
share of copies whose source came first, and among the first five. Choices in
``mosaic_env.index.descriptor`` were made on the *tuning* half of the default folder (Debian's
``tuxpaint-stamps-default``); the *held-out* half, the default, was looked at last. ``--distractors``
adds turned pictures with exchanged colour channels to the index. ``--design`` computes the table of
windows again, from random crops alone. Everything but the times is the same in every run.
"""

from __future__ import annotations

import argparse
import io
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mosaic_env.core.errors import ImageError
from mosaic_env.core.seeds import python_random
from mosaic_env.guard.images import decode_rgb, pixel_digest
from mosaic_env.index.descriptor import WINDOWS, describe, describe_windows, identity
from mosaic_env.index.vectors import VectorIndex

STAMPS = Path("/usr/share/tuxpaint/stamps")
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
PHOTO_COLOURS = 100

Rgb = npt.NDArray[np.uint8]
Edit = Callable[[Image.Image, Random], Image.Image]
Miss = tuple[str, int, int]  # edit, picture, what came first


# --- pictures -------------------------------------------------------------------------------------


def load(folder: Path) -> tuple[list[str], list[Rgb]]:
    """Return names and pixels of a folder's pictures, sorted by name, without exact duplicates."""
    names, pictures, seen, refused = [], [], set(), 0
    paths = sorted((p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES), key=lambda p: p.as_posix())
    for path in paths:
        try:
            pixels = decode_rgb(path.read_bytes())
        except ImageError:
            refused += 1
            continue
        if (key := pixel_digest(pixels)) not in seen:
            seen.add(key)
            names.append(path.relative_to(folder).as_posix())
            pictures.append(pixels)
    print(f"{folder}: {len(paths)} files, {refused} refused, {len(pictures)} different pictures")
    return names, pictures


def is_photo(rgb: Rgb) -> bool:
    """Tell photographs from drawings: more than 100 colours at 4 bits a channel."""
    colours = (rgb >> 4).reshape(-1, 3) @ np.array([256, 16, 1])
    return len(np.unique(colours)) > PHOTO_COLOURS


def distractors(pictures: list[Rgb], count: int, seed: int) -> Iterator[Rgb]:
    """Yield pictures turned or mirrored, with exchanged colour channels, that differ from their source."""
    channels = [p for p in itertools.permutations(range(3)) if p != (0, 1, 2)]
    random = python_random(seed, "distractors")
    while count:
        source = random.choice(pictures)
        turn, order = random.randrange(1, 8), random.choice(channels)
        other = source[:, ::-1] if turn & 1 else source
        other = other[::-1] if turn & 2 else other
        other = np.ascontiguousarray((other.transpose(1, 0, 2) if turn & 4 else other)[..., list(order)])
        grids = [describe(picture)[:54].astype(np.int64) for picture in (source, other)]
        if int(((grids[0] - grids[1]) ** 2).sum()) > 1000:
            count -= 1
            yield other


# --- edits ----------------------------------------------------------------------------------------


def _jpeg(picture: Image.Image, quality: int = 50) -> Image.Image:
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=quality)
    return Image.open(data).convert("RGB")


def _scaled(factor: float, how: Image.Resampling) -> Edit:
    def edit(picture: Image.Image, random: Random) -> Image.Image:
        size = [max(1, round(side * factor)) for side in picture.size]
        return picture.resize((size[0], size[1]), how)

    return edit


def _crop(picture: Image.Image, random: Random, across: float, down: float) -> Image.Image:
    (full_w, full_h) = picture.size
    width, height = min(full_w, max(1, round(full_w * across))), min(full_h, max(1, round(full_h * down)))
    left, top = random.randint(0, full_w - width), random.randint(0, full_h - height)
    return picture.crop((left, top, left + width, top + height))


def _same_shape(area: float) -> Edit:
    return lambda picture, random: _crop(picture, random, area**0.5, area**0.5)


def _any_shape(area: float) -> Edit:
    def edit(picture: Image.Image, random: Random) -> Image.Image:
        least = max(area, 0.35) if area < 0.5 else area
        across = least * (area / least / least) ** random.random()
        return _crop(picture, random, across, area / across)

    return edit


def _pixel_aspect(picture: Image.Image, random: Random) -> Image.Image:
    (width, height), area = picture.size, 0.5
    across = (height / width * area * 0.7 * 2 ** random.random()) ** 0.5
    across = min(1.0, max(area, across))
    return _crop(picture, random, across, area / across)


EDITS: dict[str, Edit] = {
    "the same": lambda picture, random: picture,
    "JPEG q50": lambda picture, random: _jpeg(picture),
    "JPEG q20": lambda picture, random: _jpeg(picture, 20),
    "half, bilinear": _scaled(0.5, Image.Resampling.BILINEAR),
    "half, Lanczos": _scaled(0.5, Image.Resampling.LANCZOS),
    "half, nearest": _scaled(0.5, Image.Resampling.NEAREST),
    "double, bicubic": _scaled(2, Image.Resampling.BICUBIC),
    "double, nearest": _scaled(2, Image.Resampling.NEAREST),
    "crop 85 %, same shape": _same_shape(0.85),
    "crop 70 %, same shape": _same_shape(0.7),
    "crop 50 %, same shape": _same_shape(0.5),
    "crop 50 %, any shape": _any_shape(0.5),
    "crop 50 %, aspect 0.7-1.4": _pixel_aspect,
    "crop, sides 50-100 %": lambda p, r: _crop(p, r, r.uniform(0.5, 1), r.uniform(0.5, 1)),
    "crop 50 %, same, JPEG q50": lambda p, r: _jpeg(_same_shape(0.5)(p, r)),
    "crop 50 %, any, JPEG q50": lambda p, r: _jpeg(_any_shape(0.5)(p, r)),
    "crop 35 %, same shape": _same_shape(0.35),
    "crop 25 %, same shape": _same_shape(0.25),
    "crop 25 %, any shape": _any_shape(0.25),
}


# --- measurements ---------------------------------------------------------------------------------


def build(pictures: list[Rgb], more: Iterator[Rgb] | None = None) -> VectorIndex:
    """Return an index over the windows of the pictures, then of the further ones."""
    vectors = [describe_windows(picture) for picture in itertools.chain(pictures, more or ())]
    groups = np.repeat(np.arange(len(vectors), dtype=np.int32), len(WINDOWS))
    return VectorIndex(np.concatenate(vectors), groups=groups)


def ranks(
    index: VectorIndex, pictures: list[Rgb], chosen: list[int], name: str, seed: int
) -> list[list[int]]:
    """Return the five first pictures for an edited copy of each chosen picture."""
    queries = []
    for number in chosen:
        random = python_random(seed, name, number)
        edited = EDITS[name](Image.fromarray(pictures[number]), random)
        queries.append(describe(np.asarray(edited)))
    return [row.tolist() for row in index.search(np.stack(queries), 5)[0]]


def table(index: VectorIndex, pictures: list[Rgb], chosen: list[int], seed: int) -> list[Miss]:
    """Print the recall of every edit, for photographs and for all pictures; return what was missed."""
    photos = [is_photo(pictures[number]) for number in chosen]
    print(f"searched: {len(chosen)} pictures, {sum(photos)} of them photographs; indexed: {len(index)}")
    print(f"{'':28}{'photographs':>16}{'all':>16}\n{'':28}{'@1':>8}{'@5':>8}{'@1':>8}{'@5':>8}")
    misses = []
    for name in EDITS:
        found = ranks(index, pictures, chosen, name, seed)
        first = np.array([row[0] == number for number, row in zip(chosen, found, strict=True)])
        five = np.array([number in row for number, row in zip(chosen, found, strict=True)])
        shares = [hits[group].mean() for group in (photos, [True] * len(chosen)) for hits in (first, five)]
        print(f"{name:28}" + "".join(f"{share:8.3f}" for share in shares))
        misses += [(name, chosen[n], found[n][0]) for n in np.flatnonzero(~first).tolist()]
    return misses


def list_misses(misses: list[Miss], names: list[str], pictures: list[Rgb]) -> None:
    """Print edits whose source was not first, and what was."""
    for edit, number, other in misses:
        kind = "photograph" if is_photo(pictures[number]) else "drawing"
        found = names[other] if other < len(names) else "a distractor"
        print(f"  missed {kind}: {edit}: {names[number]} -> {found}")


def mirrors(pictures: list[Rgb], chosen: list[int], seed: int) -> None:
    """Print how often a picture comes before its mirror image when both are indexed."""
    index = build(pictures, (np.ascontiguousarray(picture[:, ::-1]) for picture in pictures))
    print("\nwith every picture's mirror image in the index (all pictures)")
    for name in ("the same", "JPEG q50", "half, bilinear", "crop 50 %, same shape"):
        found = ranks(index, pictures, chosen, name, seed)
        pairs = list(zip(chosen, found, strict=True))
        right = statistics.fmean(row[0] == number for number, row in pairs)
        mirror = sum(row[0] == number + len(pictures) for number, row in pairs)
        print(f"  {name:28}{right:8.3f} first, {mirror} times its mirror image")


def times(index: VectorIndex) -> None:
    """Print medians for 512 x 512 pixels, single queries."""
    rgb = np.random.Generator(np.random.PCG64(0)).integers(0, 256, (512, 512, 3), np.uint8)
    query = describe(rgb)[None]
    for what, call in (
        ("describe", lambda: describe(rgb)),
        ("describe_windows", lambda: describe_windows(rgb)),
        (f"search among {len(index)} pictures", lambda: index.search(query, 10)),
    ):
        spent = []
        for _ in range(21):
            begin = time.perf_counter()
            call()
            spent.append(time.perf_counter() - begin)
        print(f"{what:40}{1000 * statistics.median(spent):8.2f} ms")


# --- the design of the windows --------------------------------------------------------------------

#: Share of crops by (kind, area); areas from 25 % up, most at 50 % and less.
MIXTURE = (
    ("any", 0.5, 0.22), ("same", 0.5, 0.12), ("sides", 0.0, 0.2), ("any", 0.7, 0.08), ("same", 0.85, 0.05),
    ("any", 0.35, 0.13), ("same", 0.35, 0.06), ("any", 0.25, 0.14),
)  # fmt: skip
#: The shift, as a part of the crop's side, at which a window stops being like a crop.
TOLERANCE = 0.07
STEPS = 24


def random_crops(count: int) -> npt.NDArray[np.float64]:
    """Return crops of the unit square, shape (count, 4): left, right, top, bottom."""
    random = np.random.Generator(np.random.PCG64(0))
    crops = []
    for kind in random.choice(len(MIXTURE), count, p=[share for _, _, share in MIXTURE]):
        name, area, _ = MIXTURE[kind]
        if name == "same":
            width = height = area**0.5
        elif name == "sides":
            width, height = random.uniform(0.5, 1, 2)
        else:
            least = max(area, 0.35 if area < 0.5 else area)
            width = np.exp(random.uniform(np.log(least), np.log(area / least)))
            height = area / width
        left, top = random.uniform(0, 1 - width), random.uniform(0, 1 - height)
        crops.append((left, left + width, top, top + height))
    return np.array(crops)


def unlikeness(crops: npt.NDArray[np.float64], windows: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return 0 (the same) to 1 for each crop and window, from the mean square shift between them."""
    total = np.zeros((len(crops), len(windows)))
    for low, high in ((0, 1), (2, 3)):
        side = crops[:, high, None] - crops[:, low, None]
        first = (windows[None, :, low] - crops[:, low, None]) / side
        last = (windows[None, :, high] - crops[:, high, None]) / side
        total += (first * first + first * last + last * last) / 3
    return (1 - np.exp(-total / (2 * TOLERANCE * TOLERANCE))).astype(np.float32)


def design(count: int = len(WINDOWS), rounds: int = 3) -> list[tuple[int, int, int, int]]:
    """Return windows that leave random crops least unlike their nearest window: greedy k-median."""
    pairs = itertools.combinations(range(STEPS + 1), 2)
    sides = [(a / STEPS, b / STEPS) for a, b in pairs if b - a >= 0.4 * STEPS]
    windows = np.array([x + y for x in sides for y in sides if (x[1] - x[0]) * (y[1] - y[0]) > 0.2])
    costs = unlikeness(random_crops(6000), windows)
    chosen = [int(np.flatnonzero((windows == (0, 1, 0, 1)).all(axis=1))[0])]

    def best_addition(nearest: npt.NDArray[np.float32]) -> int:
        parts = range(0, len(windows), 1500)
        gains = [np.maximum(nearest[:, None] - costs[:, p : p + 1500], 0).sum(axis=0) for p in parts]
        return int(np.concatenate(gains).argmax())

    while len(chosen) < count:
        chosen.append(best_addition(costs[:, chosen].min(axis=1)))
    for place in [place for _ in range(rounds) for place in range(1, count)]:
        others = chosen[:place] + chosen[place + 1 :]
        chosen[place] = best_addition(costs[:, others].min(axis=1))
    table_ = np.rint(windows[chosen] * STEPS).astype(int)[:, [0, 2, 1, 3]].tolist()
    return [tuple(row) for row in table_[:1] + sorted(table_[1:], key=lambda r: (r[0], r[2], r[1], r[3]))]


# --- command --------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=STAMPS)
    parser.add_argument("--half", choices=("held-out", "tuning", "all"), default="held-out")
    parser.add_argument("--seed", type=int, default=11, help="of crops and distractors")
    parser.add_argument("--distractors", type=int, default=0, help="further pictures in the index")
    parser.add_argument("--misses", type=int, default=0, help="how many misses to list")
    parser.add_argument("--design", action="store_true", help="compute the table of windows and compare")
    options = parser.parse_args()
    if options.design:
        windows = design()
        print("\n".join(str(window) for window in windows))
        print("equal to WINDOWS" if tuple(windows) == WINDOWS else "DIFFERENT from WINDOWS")
        return 0
    if not options.folder.is_dir():
        print(f"{options.folder} is no folder; install tuxpaint-stamps-default", file=sys.stderr)
        return 2
    print(identity())
    names, pictures = load(options.folder)
    order = np.random.Generator(np.random.PCG64(0)).permutation(len(pictures)).tolist()
    middle = len(order) // 2
    chosen = sorted({"tuning": order[:middle], "held-out": order[middle:], "all": order}[options.half])
    if not chosen:
        print("there is nothing to search with", file=sys.stderr)
        return 2
    index = build(pictures, distractors(pictures, options.distractors, options.seed))
    misses = table(index, pictures, chosen, options.seed)
    list_misses(misses[: options.misses], names, pictures)
    mirrors(pictures, chosen, options.seed)
    times(index)
    return 0


if __name__ == "__main__":
    sys.exit(main())
