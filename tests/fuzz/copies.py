"""Random asynchronous copies and reductions: of tensors, of bytes, between blocks of a cluster, against a plain reference.

Each block of a cluster fills its shared memory, and copies go to places that do not overlap; barrier objects tell that
they have ended. Then shared memory is stored, and copies from it go to buffers of their own.
"""
import random
import sys

from async_copies import from_shared, to_shared
from async_copies.program import Program
from control import formations
from tools import run


def missing(tools):
    driver = tools.build / "lib" / "libcuda.so.1"
    return tools.missing_heddle() or (None if driver.exists() else f"{driver} is not there: run make build, or name a --build")


def draw_program(seed):
    rng = random.Random(seed)
    program = Program(rng)
    for _ in range(rng.randint(1, 6)):
        rng.choice(to_shared.KINDS)(program)
    for _ in range(rng.randint(0, 4)):
        rng.choice(from_shared.KINDS)(program)
    return program


def ways(seed, heddle):
    """Options of the runs: without timing, under a formation, and as native code on a part of a Hopper."""
    rng = random.Random(seed)
    older = ["-m", "lwm11", "-s", "device.compute_capability=90", "-s", "shared.size=128KiB"]
    return [[*older, "--functional"], [*older, "-s", f"core.formation={rng.choice(formations(heddle))}"],
            ["-m", rng.choice(["h100", "h200"]), "-s", "gpu.sms=4"]]


def differences(folder, left):
    found = []
    for n, want in enumerate(left):
        path = folder / f"left.{n}"
        have = path.read_bytes() if path.exists() else b""
        path.unlink(missing_ok=True)
        wrong = [i for i in range(len(want)) if have[i:i + 1] != want[i:i + 1]]
        if wrong:
            found.append(f"buffer {n}: {len(wrong)} of {len(want)} bytes differ, from {wrong[0]} on")
    return found


def find(seed, folder, tools):
    program = draw_program(seed)
    program.write(folder)
    left = program.left()
    for options in ways(seed, tools.heddle):
        ended = run([tools.heddle, "run", "-q", "--strict", *options, "--", sys.executable, "program"], folder)
        found = [] if ended.status == 0 else [f"status {ended.status}", *ended.errors.splitlines()[:12]]
        found = found or differences(folder, left)
        if found:
            return [" ".join(options), *found]
    return []
