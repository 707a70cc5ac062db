"""Random instructions that compute, move and load, each with edge values of its types, against a plain reference.

A program is a few hundred instructions on random registers, in branches of some threads too. `reference` computes each
result again from the definition of PTX, in integers, with the operands that the registers then hold.
"""
import random

from control import settings
from reference.program import Program
from tools import run


def missing(tools):
    return tools.missing_heddle()


def execute(program, folder, tools, options, name):
    """Runs the program: (what went wrong, [results, bytes of the threads in global memory, counters])."""
    buffers = ["@in.bin", program.output_size(), program.scratch_size(), f"hex={program.counters.hex()}"]
    dumps = [folder / f"{name}.{i}" for i in (1, 2, 3)]
    words = [tools.heddle, "ptx", "-m", "lwm11", "--strict", "random.ptx", "-e", "main", "--grid", program.grid,
             "--block", program.block, *options]
    for argument in [f"buf:{buffer}" for buffer in buffers] + program.arguments():
        words += ["--arg", argument]
    for i, path in enumerate(dumps, 1):
        words += ["--dump", f"{i}:{path.name}"]
    ended = run(words, folder)
    if ended.status is None:
        return ["did not end within 60 s"], []
    if ended.status:
        return [f"ended with status {ended.status}", *ended.errors.splitlines()[:12]], []
    return [], [path.read_bytes() for path in dumps]


def find(seed, folder, tools):
    program = Program(seed)
    (folder / "random.ptx").write_text(program.ptx())
    (folder / "in.bin").write_bytes(program.input_bytes())
    *timed, functional = settings(tools.heddle)
    found, left = execute(program, folder, tools, functional, "functional")
    if found:
        return found
    wrong = program.check(*left)
    if wrong:
        return [f"{len(wrong)} results differ", *wrong[:12]]
    chosen = random.Random(seed).choice(timed)
    found, other = execute(program, folder, tools, chosen, "timed")
    if not found and other != left:
        found = ["the results are not those without timing"]
    return [" ".join(chosen), *found] if found else []
