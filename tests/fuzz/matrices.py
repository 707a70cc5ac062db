"""Random products and moves of matrices (mma, mma.sp, wgmma, ldmatrix, stmatrix) in random layouts, against a plain reference.

The kernels and the reference are those of tests/ptx/matrix_products.py, which has one product of each kind.
"""
import random
import sys
from pathlib import Path

from control import formations

sys.path.insert(0, str(Path(__file__).parent.parent / "ptx"))

import matrix_elements as me  # noqa: E402 (its folder has just been named)
import matrix_products  # noqa: E402
from matrix_warpgroup import SWIZZLES, Wgmma  # noqa: E402

# Types of A and B, type of D, and k of dense wgmma; sparse ones have twice the k.
WARPGROUP = [(("f16", "f16"), "f32", 16), (("f16", "f16"), "f16", 16), (("bf16", "bf16"), "f32", 16), (("tf32", "tf32"), "f32", 8),
             (("e4m3", "e5m2"), "f32", 32), (("e5m2", "e4m3"), "f16", 32), (("e4m3", "e4m3"), "f32", 32), (("s8", "u8"), "s32", 32),
             (("u8", "s8"), "s32", 32), (("s8", "s8"), "s32", 32), (("u8", "u8"), "s32", 32), (("b1", "b1"), "s32", 256)]
INTEGER_COLUMNS = [8, 16, 24, 32, *range(48, 257, 16)]


def missing(tools):
    return tools.missing_heddle()


def draw_warpgroup(rng):
    types, d, k = rng.choice(WARPGROUP)
    halves, integers = types[0] in ("f16", "bf16"), d == "s32"
    sparse = types[0] != "b1" and rng.random() < 0.3
    if sparse:
        k *= 2
    n = rng.choice(INTEGER_COLUMNS if integers else range(8, 257, 8))
    across = halves and rng.random() < 0.4  # of a matrix in shared memory: only those of 16 bits can be transposed
    a = rng.choice(["registers", (rng.choice(SWIZZLES), halves and rng.random() < 0.4)])
    line = k * me.BITS[types[1]] // 8  # bytes of a column of B, which lie in one row of a swizzle
    b = (rng.choice([swizzle for swizzle in SWIZZLES if across or swizzle == 0 or swizzle >= line]), across)
    more = {"padded": rng.random() < 0.3, "groups": rng.choice([1, 1, 2]), "scale_d": rng.random() < 0.7}
    if not integers:
        more["signs"] = rng.choice([(1, 1), (1, -1), (-1, 1), (-1, -1)])
    elif types[0] != "b1":
        more["satfinite"] = rng.random() < 0.3
    if sparse:
        more["selector"] = rng.randrange(2) if types[0] in ("f16", "bf16", "tf32") else 0
    if b[0] and not across and not more["padded"] and rng.random() < 0.3:
        more["skew"] = rng.randrange(8 * b[0] // 128)
    return Wgmma(n, k, types, d, a, b, **more).run(rng)


def draw_warp(rng):
    """A product or a move of one warp."""
    return rng.choice(list(rng.choice([matrix_products.mma_runs, matrix_products.move_runs])(rng)))


def ways(rng, heddle):
    """Machines and settings: micro-ops under a formation, and native code, once on a modern core."""
    room = "shared.size=128KiB"
    return [("lwm11", [room, f"core.formation={rng.choice(formations(heddle))}"]),
            ("lwm11", [room, "core.code=native", "device.compute_capability=90"]),
            (rng.choice(["h100", "h200"]), ["gpu.sms=4"])]


def find(seed, folder, tools):
    rng = random.Random(seed)
    run = rng.choice([draw_warpgroup, draw_warp])(rng)
    for machine, settings in ways(rng, tools.heddle):
        problem = run.problem(tools.heddle, settings, folder, machine)
        if problem:
            return [f"{run.name} on {machine}, {' '.join(settings)}", problem]
    return []
