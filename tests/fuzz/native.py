"""Programs of arith and of control as native code, against the memory that micro-ops leave.

Odd seeds are programs of arith, even ones of control. Each runs for a machine that the seed chooses.
"""
import random

import arith
import control
from reference.program import Program
from tools import run

CAPABILITIES = [70, 75, 80, 86, 89, 90]


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
    return found


def find_control(seed, folder, tools):
    program = control.Program(seed, callees=())
    reference = program.run()
    (folder / "random.ptx").write_text(program.ptx())
    ended = run([*control.command(program, tools.heddle, reference), *options(seed)], folder)
    return control.differences(program, ended, folder, reference, counts=False)


def find(seed, folder, tools):
    find_program = find_arithmetic if seed % 2 else find_control
    found = find_program(seed, folder, tools)
    return [" ".join(options(seed)), *found] if found else []
