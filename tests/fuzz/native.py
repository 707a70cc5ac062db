"""Programs of arith and of control as native code, against the memory that micro-ops and the reference leave.

Odd seeds are programs of arith, even ones of control: without calls, with calls that are replaced or stay, and with
recursion. Each runs for a machine that the seed chooses, those of control on modern cores too.
"""
import random

import arith
import control
from reference.program import Program
from tools import run

CAPABILITIES = [70, 75, 80, 86, 89, 90]
CALLS = [{"main": (), "f": ()}, {"f": ("g",)}, {}, {"g": ("g",)}, {"main": ("g", "f", "f"), "f": ("g",), "g": ("g",)}]
INLINE_LIMITS = [0, 200, 16384]


def missing(tools):
    return tools.missing_heddle()


def options(seed):
    capability = random.Random(seed).choice(CAPABILITIES)
    return ["--functional", "-s", "core.code=native", "-s", f"device.compute_capability={capability}"]


def find_arithmetic(seed, folder, tools):
    program = Program(seed)
    (folder / "random.ptx").write_text(program.ptx())
    (folder / "in.bin").write_bytes(program.input_bytes())
    found, left = arith.execute(program, folder, tools, ["--functional"], "micro-ops")
    if found:
        return found
    found, other = arith.execute(program, folder, tools, options(seed), "native")
    if not found and other != left:
        found = ["the memory is not that of micro-ops", *program.check(*other)[:12]]
    return [" ".join(options(seed)), *found] if found else []


def cores(seed):
    """Machines and options of the runs of a program of control: without timing, and on a modern core."""
    rng = random.Random(seed)
    limit = ["-s", f"native.inline_limit={rng.choice(INLINE_LIMITS)}"]
    core = ["-s", f"its.rounds={rng.choice([1, 7, 200])}"]
    return [("lwm11", [*options(seed), *limit]), (rng.choice(["v100", "rtx2060", "a100", "h100"]), [*core, *limit])]


def find_control(seed, folder, tools):
    program = control.Program(seed, **random.Random(seed).choice(CALLS))
    reference = program.run()
    (folder / "random.ptx").write_text(program.ptx())
    for machine, chosen in cores(seed):
        ended = run([*control.command(program, tools.heddle, reference, machine), *chosen], folder)
        found = control.differences(program, ended, folder, reference, counts=False)
        if found:
            return [" ".join([machine, *chosen]), *found]
    return []


def find(seed, folder, tools):
    find_program = find_arithmetic if seed % 2 else find_control
    return find_program(seed, folder, tools)
