"""Random instructions that compute, move and load, each with edge values of its types, against a plain reference.

A program is a few hundred instructions on random registers. Each result is stored; `reference/` computes every one of
them again from the definition of PTX, in integers, with the operands that the registers then hold.
"""
import random

from control import settings
from reference.program import Program
from tools import run


def missing(tools):
    return tools.missing_heddle()


def execute(program, folder, tools, options, name):
    """Runs the program: (what went wrong, bytes of the results, bytes of the threads in global memory)."""
    size = len(program.threads) * 64
    words = [tools.heddle, "ptx", "--strict", "random.ptx", "-e", "main", "--grid", program.grid, "--block", program.block,
             "--arg", "buf:@in.bin", "--arg", f"buf:{program.output_size()}", "--arg", f"buf:{size}",
             "--arg", f"bytes:{program.parameter.hex()}", "--dump", f"1:{name}.out", "--dump", f"2:{name}.scratch", *options]
    ended = run(words, folder)
    if ended.status is None:
        return ["did not end within 60 s"], b"", b""
    if ended.status:
        return [f"ended with status {ended.status}", *ended.errors.splitlines()[:12]], b"", b""
    return [], (folder / f"{name}.out").read_bytes(), (folder / f"{name}.scratch").read_bytes()


def find(seed, folder, tools):
    program = Program(seed)
    (folder / "random.ptx").write_text(program.ptx())
    (folder / "in.bin").write_bytes(program.input_bytes())
    *timed, functional = settings(tools.heddle)
    found, output, scratch = execute(program, folder, tools, functional, "functional")
    if found:
        return found
    wrong = program.check(output, scratch)
    if wrong:
        return [f"{len(wrong)} results differ", *wrong[:12]]
    chosen = random.Random(seed).choice(timed)
    found, *other = execute(program, folder, tools, chosen, "timed")
    if not found and other != [output, scratch]:
        found = ["the results are not those without timing"]
    return [" ".join(chosen), *found] if found else []
