#!/usr/bin/env python3
"""Products and moves of matrices (mma, mma.sp, wgmma, ldmatrix, stmatrix) against a reference in Python.

usage: matrix_products.py --heddle PATH [--formation NAME]... [--only WORD] [--keep DIR]

Each product is one instruction of a kernel with random factors, small integers whose sums are exact in every order. The
kernel loads the registers of its threads, fills shared memory, and stores the results. Threads of a warp take different
ways before the instruction, so that formations may put them into different warps. The formations take turns; with
--formation every product runs under each of those named.
"""
import argparse
import itertools
import random
import struct
import sys
import tempfile
from pathlib import Path

import matrix_elements as me
import matrix_warpgroup
from matrix_kernels import Run, accumulator_words, braces, load, multiply, random_lines, register_names
from run_cases import formations

# --- mma

MMA = [((16, 8, k), types, d) for k, types, d in (
    (16, ("e4m3", "e5m2"), "f32"), (16, ("e5m2", "e4m3"), "f16"), (32, ("e4m3", "e4m3"), "f32"),
    (32, ("e5m2", "e5m2"), "f16"), (32, ("e4m3", "e5m2"), "f16"), (16, ("f16", "f16"), "f32"),
    (32, ("s8", "u8"), "s32"), (64, ("s4", "u4"), "s32"))]
SPARSE = [(k, types, d) for k, types, d in (
    (16, ("f16", "f16"), "f32"), (16, ("f16", "f16"), "f16"), (32, ("f16", "f16"), "f32"), (32, ("f16", "f16"), "f16"),
    (16, ("bf16", "bf16"), "f32"), (32, ("bf16", "bf16"), "f32"), (8, ("tf32", "tf32"), "f32"),
    (16, ("tf32", "tf32"), "f32"), (32, ("s8", "u8"), "s32"), (64, ("u8", "s8"), "s32"), (64, ("s8", "s8"), "s32"),
    (64, ("s4", "u4"), "s32"), (128, ("u4", "s4"), "s32"), (64, ("e4m3", "e5m2"), "f32"),
    (64, ("e5m2", "e4m3"), "f32"))]


def mma(shape, types, d_kind, rng, selector=None, ordered=False):
    m, n, k = shape
    sparse = selector is not None
    opcode = ("mma.sp::ordered_metadata" if ordered else "mma.sp") if sparse else "mma"
    name = f"{opcode}.sync.aligned.m{m}n{n}k{k}.row.col.{d_kind}.{types[0]}.{types[1]}.{d_kind}"
    run = Run(f"{name} {selector if sparse else ''}")
    packed = a = None
    if sparse:
        a, packed, metadata = me.sparse_rows(types[0], m, k, rng, ordered)
    else:
        packed = a = random_lines(types[0], m, k, rng)
    b = random_lines(types[1], n, k, rng)  # columns
    b_rows = [list(row) for row in zip(*b)]
    c = random_lines("any", m, n, rng)
    a_count = m * len(packed[0]) * me.BITS[types[0]] // 1024
    a_names = load(run, "b32", 0, me.registers(types[0], me.positions_of_a(types[0]), a_count, packed))
    b_names = load(run, "b32", 16, me.registers(types[1], me.positions_of_b(types[1]), n * k * me.BITS[types[1]] // 1024,
                                                b_rows))
    c_names = load(run, d_kind, 32, accumulator_words(d_kind, me.position_of_accumulator, c, 32))
    d_names = register_names(d_kind, 64, len(c_names))
    more = ""
    if sparse:
        run.input("%r60", me.metadata_registers(types[0], metadata, selector, 32))
        more = f", %r60, {selector}"
    run.code(f"{name} {braces(d_names)}, {braces(a_names)}, {braces(b_names)}, {braces(c_names)}{more};")
    result = multiply(a, b, c)
    for register, words in zip(d_names, accumulator_words(d_kind, me.position_of_accumulator, result, 32)):
        run.expect(register, words)
    return run


def mma_runs(rng):
    for shape, types, d in MMA:
        yield mma(shape, types, d, rng)
    for k, types, d in SPARSE:
        size, _ = me.chunk_of(types[0])
        for selector in range(4 // (k // size // 4)):
            yield mma((16, 8, k), types, d, rng, selector, ordered=selector % 2 == 1)


# --- ldmatrix and stmatrix

def addresses(rows, distance, count, rng):
    """Addresses of rows in shared memory, in a random order of slots; threads that give no row have address 1."""
    slots = list(range(count))
    rng.shuffle(slots)
    return [slots[t] * distance if t < rows else 1 for t in range(32)]


def ldmatrix(form, order, registers, bits, rng):
    rows = 8 * registers
    run = Run(f"ldmatrix.sync.aligned.{form}", shared=32 * 32)
    at = addresses(rows, 32, 32, rng)
    lines = []
    for t in range(rows):
        line = [rng.randrange(1 << bits) for _ in range(16 if bits < 16 else 8)]
        lines.append(line)
        data = sum(v << (bits * i) for i, v in enumerate(line)) | (rng.getrandbits(128 - bits * len(line)) << bits * len(line))
        run.image[at[t]:at[t] + 16] = data.to_bytes(16, "little")
    # The addresses of other threads do not count.
    run.input("%r0", at)
    run.code("mov.u32 %r1, tile;", "add.u32 %r0, %r0, %r1;")
    names = [f"%r{8 + j}" for j in range(registers)]
    run.code(f"ldmatrix.sync.aligned.{form} {braces(names)}, [%r0];")
    for j, name in enumerate(names):
        words = []
        for t in range(32):
            if order == "rows":
                pieces = [lines[8 * j + t // 4][t % 4 * 4 + e] for e in range(4)] if bits < 16 else \
                    [lines[8 * j + t // 4][t % 4 * 2 + e] for e in range(2)]
            elif order == "columns":
                pieces = [lines[8 * j + t % 4 * 2 + e][t // 4] for e in range(2)]
            else:  # two registers of a 16x16 matrix: of column t / 4, and of column t / 4 + 8, as B of mma has them
                matrix, half = divmod(j, 2)
                pieces = [lines[16 * matrix + t % 4 * 4 + e][t // 4 + 8 * half] for e in range(4)]
            width = 32 // len(pieces)
            words.append(sum(v << (width * e) for e, v in enumerate(pieces)))
        run.expect(name, words)
    return run


def stmatrix(form, order, registers, rng):
    """The stored rows are read back by the threads with their addresses; the words between the rows stay."""
    run = Run(f"stmatrix.sync.aligned.{form}", shared=32 * 32)
    rows = 8 * registers
    at = addresses(rows, 32, 32, rng)
    run.image[:] = bytes(0xa5 for _ in run.image)
    held = [[rng.getrandbits(32) for _ in range(32)] for _ in range(registers)]
    run.input("%r0", at)
    names = load(run, "b32", 8, held)
    run.code("mov.u32 %r1, tile;", "add.u32 %r2, %r0, %r1;", f"stmatrix.sync.aligned.{form} [%r2], {braces(names)};",
             "bar.sync 0;", "mad.lo.u32 %r3, %r500, 32, %r1;", "ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r3];",
             "ld.shared.v4.u32 {%r24, %r25, %r26, %r27}, [%r3+16];")
    memory = bytearray(run.image)
    for j in range(registers):
        for t in range(32):
            for e in range(4):
                byte = held[j][t] >> (8 * e) & 0xff
                if order == "rows":
                    row, column = 8 * j + t // 4, t % 4 * 4 + e
                elif order == "columns":
                    row, column = 8 * j + t % 4 * 2 + e // 2, t // 4 * 2 + e % 2
                else:
                    row, column = 8 * j + t % 4 * 2 + e % 2, t // 4 + 8 * (e // 2)
                memory[at[row] + column] = byte
    for w in range(8):
        run.expect(f"%r{20 + w}", [struct.unpack_from("<I", memory, 32 * t + 4 * w)[0] for t in range(32)])
    return run


def move_runs(rng):
    for count in (1, 2, 4):
        yield ldmatrix(f"m8n8.x{count}.shared.b16", "rows", count, 16, rng)
        yield ldmatrix(f"m8n8.x{count}.trans.shared::cta.b16", "columns", count, 16, rng)
        yield stmatrix(f"m8n8.x{count}.shared.b16", "rows", count, rng)
        yield stmatrix(f"m8n8.x{count}.trans.shared.b16", "columns", count, rng)
        yield stmatrix(f"m16n8.x{count}.trans.shared.b8", "bytes", count, rng)
        yield ldmatrix(f"m8n16.x{count}.shared.b8x16.b6x16_p32", "rows", count, 6, rng)
        yield ldmatrix(f"m8n16.x{count}.shared.b8x16.b4x16_p64", "rows", count, 4, rng)
    for count in (1, 2):
        yield ldmatrix(f"m16n16.x{count}.trans.shared.b8", "bytes", 2 * count, 8, rng)
        yield ldmatrix(f"m16n16.x{count}.trans.shared.b8x16.b6x16_p32", "bytes", 2 * count, 6, rng)
        yield ldmatrix(f"m16n16.x{count}.trans.shared.b8x16.b4x16_p64", "bytes", 2 * count, 4, rng)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True, type=Path, help="the program to test")
    parser.add_argument("--formation", action="append", help="every product under this formation")
    parser.add_argument("--only", default="", help="only products whose name contains this")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE for every run")
    parser.add_argument("--keep", type=Path, help="folder to leave the last kernel in")
    options = parser.parse_args()
    heddle = options.heddle.resolve()
    turns = itertools.cycle(formations(heddle))
    rng = random.Random(1)
    runs = failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for run in itertools.chain(mma_runs(rng), move_runs(rng), matrix_warpgroup.runs(rng)):
            chosen = options.formation or [next(turns)]
            if options.only not in run.name:
                continue
            for formation in chosen:
                runs += 1
                problem = run.problem(heddle, [f"core.formation={formation}", *options.set], folder)
                if problem:
                    failures += 1
                    print(f"{run.name} under {formation}: {problem}")
                    if options.keep:
                        return 1
    print(f"{runs} runs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
