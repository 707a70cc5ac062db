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
import subprocess
import sys
import tempfile
from pathlib import Path

import matrix_elements as me
from run_cases import dumps, formations

PRELUDE = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 image, .param .u64 out)
{{
.shared .align 1024 .b8 tile[{shared}];
.reg .pred %p<8>; .reg .b32 %r<512>; .reg .b64 %d<16>; .reg .f32 %f<256>;
mov.u32 %r500, %tid.x;
ld.param.u64 %d0, [in];
ld.param.u64 %d1, [image];
ld.param.u64 %d2, [out];
mul.wide.u32 %d3, %r500, 4;
mov.u32 %r501, %r500;
FILL:
mul.wide.u32 %d4, %r501, 4;
add.u64 %d5, %d1, %d4;
ld.global.u32 %r502, [%d5];
mov.u32 %r503, tile;
mad.lo.u32 %r503, %r501, 4, %r503;
st.shared.u32 [%r503], %r502;
add.u32 %r501, %r501, {threads};
setp.lt.u32 %p0, %r501, {words};
@%p0 bra FILL;
bar.sync 0;
add.u64 %d0, %d0, %d3;
add.u64 %d2, %d2, %d3;
mul.lo.u32 %r504, %r500, 0x9e3779b1;
setp.lt.s32 %p1, %r504, 0;
@%p1 bra APART;
add.u32 %r505, %r504, 1;
APART:
"""


class Run:
    """A kernel of one instruction: words of its threads, an image of shared memory, and the expected results."""

    def __init__(self, name, threads=32, shared=128):
        self.name, self.threads = name, threads
        self.image = bytearray(shared)
        self.inputs = []    # [register][thread]
        self.body = []
        self.expected = []  # (what, [thread] of 32-bit words)
        self.stored = []    # registers
        self.memory = None  # expected shared memory afterwards

    def input(self, register, words):
        kind = "f32" if register.startswith("%f") else "b32"
        self.body.append(f"ld.global.{kind} {register}, [%d0+{4 * self.threads * len(self.inputs)}];")
        self.inputs.append(words)

    def code(self, *lines):
        self.body += lines

    def expect(self, register, words):
        kind = "f32" if register.startswith("%f") else "b32"
        self.body.append(f"st.global.{kind} [%d2+{4 * self.threads * len(self.expected)}], {register};")
        self.expected.append(words)

    def ptx(self):
        text = PRELUDE.format(shared=len(self.image), threads=self.threads, words=len(self.image) // 4)
        return text + "\n".join(self.body) + "\nret;\n}\n"

    def problem(self, heddle, settings, folder):
        """What differs, as a text; empty when nothing does."""
        self.image += bytes(-len(self.image) % (4 * self.threads))  # whole words of all threads
        (folder / "case.ptx").write_text(self.ptx())
        flat = b"".join(struct.pack(f"<{len(w)}I", *w) for w in self.inputs) or bytes(4)
        out = max(4, 4 * self.threads * len(self.expected))
        words = [str(heddle), "ptx", "case.ptx", "--grid", "1", "--block", str(self.threads)]
        for setting in settings:
            words += ["-s", setting]
        (folder / "in.bin").write_bytes(flat)
        (folder / "image.bin").write_bytes(self.image)
        words += ["--arg", "buf:@in.bin", "--arg", "buf:@image.bin", "--arg", f"buf:{out}", "--dump", "2"]
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
        if run.returncode != 0:
            return f"status {run.returncode}: {run.stderr[:600]}"
        memory = dumps(run.stdout)[2]
        for n, wanted in enumerate(self.expected):
            got = struct.unpack_from(f"<{self.threads}I", memory, 4 * self.threads * n)
            for thread, (have, want) in enumerate(zip(got, wanted)):
                if have != want:
                    return f"result {n} of thread {thread} is {have:#x}, not {want:#x}"
        return ""


def multiply(a, b_lines, c):
    """a x b + c, where b is given by columns."""
    return [[sum(x * y for x, y in zip(row, column)) + c[i][j] for j, column in enumerate(b_lines)]
            for i, row in enumerate(a)]


def random_lines(kind, lines, k, rng):
    value = me.values_of(kind, rng)
    return [[value() for _ in range(k)] for _ in range(lines)]


def accumulator_words(kind, position, matrix, threads):
    per = 32 // me.BITS[kind]
    count = len(matrix) * len(matrix[0]) // threads // per
    return me.registers(kind, position, count, matrix, threads)


def register_names(kind, first, count):
    letter = "%f" if kind == "f32" else "%r"
    return [f"{letter}{first + i}" for i in range(count)]


def braces(names):
    return "{" + ", ".join(names) + "}"


def load(run, kind, first, words):
    names = register_names(kind, first, len(words))
    for name, w in zip(names, words):
        run.input(name, w)
    return names


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
            else:  # two registers of a 16x16 matrix: two columns of elements t / 4 and t / 4 + 8
                matrix, half = divmod(j, 2)
                pieces = [lines[16 * matrix + t % 4 * 4 + 2 * half + e][t // 4 + 8 * h] for h in (0, 1) for e in (0, 1)]
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


# --- wgmma

def tiles(kind, lines, k, start, swizzle, across, padded):
    """A tile for so many lines of k elements, and the bytes that it takes. `padded`: strides larger than needed."""
    more = 16 if swizzle == 0 else 8 * swizzle
    gap = more if padded else 0
    width = swizzle or 16
    if not across:
        units = k * me.BITS[kind] // 128
        if swizzle == 0:
            lead, stride = 128 + gap, (128 + gap) * units + gap
        else:
            lead, stride = 16, 8 * swizzle + gap
        size = stride * -(-lines // 8)
    else:
        groups = -(-lines * me.BITS[kind] // 8 // width)
        inner = 8 * width + gap
        if swizzle == 0:
            stride, lead = inner, inner * groups + gap
        else:
            stride, lead = inner, inner * -(-k // 8) + gap
        size = lead * (groups if swizzle else -(-k // 8))
    return me.Tile(start, swizzle, across, lead, stride), (start % 1024 + size + 1023) // 1024 * 1024


class Wgmma:
    """Options of one wgmma; `a`: registers, or (swizzle, across) of a tile in shared memory; `b`: (swizzle, across)."""

    def __init__(self, n, k, types, d="f32", a="registers", b=(128, False), **more):
        self.n, self.k, self.types, self.d, self.a, self.b = n, k, types, d, a, b
        self.scale_d = more.get("scale_d", True)
        self.signs = more.get("signs", (1, 1))
        self.selector = more.get("selector")
        self.padded = more.get("padded", False)
        self.groups = more.get("groups", 1)      # warpgroups
        self.skew = more.get("skew", 0)          # begin of the pattern of B, in rows of 128 bytes
        self.inside = more.get("inside", 0)      # begin of B in the rows of its pattern
        self.satfinite = more.get("satfinite", False)

    def name(self):
        words = ["wgmma.mma_async"] + (["sp"] if self.selector is not None else []) + [
            "sync.aligned", f"m64n{self.n}k{self.k}", self.d, *self.types]
        if self.types[0] == "b1":
            words.append("and.popc")
        if self.satfinite:
            words.append("satfinite")
        return ".".join(words)

    def run(self, rng):
        threads = 128 * self.groups
        rows = 64 * self.groups
        run = Run(f"{self.name()} a={self.a} b={self.b} {self.signs} {self.selector} {self.scale_d}", threads)
        sparse = self.selector is not None
        if sparse:
            whole, packed, metadata = me.sparse_rows(self.types[0], rows, self.k, rng, ordered=True)
        else:
            whole = packed = random_lines(self.types[0], rows, self.k, rng)
        b = random_lines(self.types[1], self.n, self.k, rng)
        c = random_lines("any", rows, self.n, rng)
        if self.satfinite:  # at the end of the range
            c = [[rng.choice((2**31 - 1, -2**31, v)) for v in line] for line in c]
        start = 128 * self.skew + self.inside
        tile, size = tiles(self.types[1], self.n, self.k, start, self.b[0], self.b[1], self.padded)
        run.image += bytes(size)
        tile.fill(run.image, self.types[1], b, self.skew)
        operand, a_sizes = self.place_a(run, packed, rng)
        c_names = load(run, self.d, 0, accumulator_words(self.d, me.position_of_accumulator, c, threads))
        if sparse:
            run.input("%r400", me.metadata_registers(self.types[0], metadata, self.selector, threads))
        self.write_code(run, tile, operand, c_names, a_sizes)
        factor = self.signs[0] * self.signs[1]
        zero = [[0] * self.n for _ in range(rows)]
        result = multiply([[factor * x for x in row] for row in whole], b, c if self.scale_d else zero)
        if self.satfinite:
            result = [[max(-2**31, min(2**31 - 1, v)) for v in row] for row in result]
        for register, words in zip(c_names, accumulator_words(self.d, me.position_of_accumulator, result, threads)):
            run.expect(register, words)
        return run

    def place_a(self, run, packed, rng):
        """Puts A into registers, or into a tile for each warpgroup. Returns the tile and the distance of the tiles."""
        kind = self.types[0]
        if self.a == "registers":
            count = 64 * len(packed[0]) * me.BITS[kind] // 32 // 128
            load(run, "b32", 300, me.registers(kind, me.positions_of_a(kind), count, packed, run.threads))
            return None, 0
        swizzle, across = self.a
        first = (len(run.image) + 1023) // 1024 * 1024
        tile, size = tiles(kind, 64, len(packed[0]), first, swizzle, across, self.padded)
        run.image += bytes(first - len(run.image) + size * self.groups)
        for group in range(self.groups):
            part = me.Tile(first + group * size, swizzle, across, tile.lead, tile.stride)
            part.fill(run.image, kind, packed[64 * group:64 * group + 64])
        return tile, size

    def write_code(self, run, tile, a_tile, c_names, a_size):
        floats = self.types[0] in ("f16", "bf16", "tf32", "e4m3", "e5m2")
        run.code(f"mov.u64 %d8, {tile.descriptor(self.skew):#x};",
                 f"setp.{'ne' if self.scale_d else 'eq'}.u32 %p3, %r500, 0xffff;")
        if a_tile is None:
            a = braces([f"%r{300 + i}" for i in range(4)])
        else:
            run.code(f"shr.u32 %r410, %r500, 7;", f"mul.wide.u32 %d9, %r410, {a_size >> 4};",
                     f"add.u64 %d9, %d9, {a_tile.descriptor():#x};")
            a = "%d9"
        operands = [braces(c_names), a, "%d8"]
        if self.selector is not None:
            operands += ["%r400", str(self.selector)]
        operands.append("%p3")
        if floats:
            operands += [str(s) for s in self.signs]
        if me.BITS[self.types[0]] == 16:
            operands += [str(int(self.a[1]))] if a_tile is not None else []
            operands += [str(int(self.b[1]))]
        run.code("wgmma.fence.sync.aligned;", f"{self.name()} {', '.join(operands)};", "wgmma.commit_group.sync.aligned;",
                 "wgmma.wait_group.sync.aligned 0;")


K_OF = {"f16": 16, "bf16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32, "b1": 256}
SWIZZLES = (0, 32, 64, 128)


def wgmma_runs(rng):
    options = list(wgmma_options())
    for option in options:
        yield option.run(rng)


def wgmma_options():
    for n in range(8, 257, 8):  # every width
        yield Wgmma(n, 16, ("f16", "f16"), b=(SWIZZLES[n // 8 % 4], n % 16 == 0))
    for swizzle, across, padded in itertools.product(SWIZZLES, (False, True), (False, True)):
        yield Wgmma(40, 16, ("bf16", "bf16"), a=(swizzle, across), b=(swizzle, not across), padded=padded)
        yield Wgmma(24, 16, ("f16", "f16"), "f16", a=(swizzle, not across), b=(swizzle, across), padded=padded)
    for swizzle in SWIZZLES:
        for a in ("registers", (swizzle, False)):
            yield Wgmma(16, 8, ("tf32", "tf32"), a=a, b=(swizzle, False))
            yield Wgmma(24, 32, ("e4m3", "e5m2"), a=a, b=(swizzle, False))
            yield Wgmma(8, 32, ("e5m2", "e4m3"), "f16", a=a, b=(swizzle, False))
            yield Wgmma(32, 32, ("s8", "u8"), "s32", a=a, b=(swizzle, False))
            yield Wgmma(48, 32, ("u8", "s8"), "s32", a=a, b=(swizzle, False), padded=True)
            yield Wgmma(16, 256, ("b1", "b1"), "s32", a=a, b=(swizzle, False))
    for signs in ((1, -1), (-1, 1), (-1, -1)):
        yield Wgmma(16, 16, ("f16", "f16"), signs=signs)
    for scale_d in (True, False):
        yield Wgmma(16, 16, ("bf16", "bf16"), scale_d=scale_d, a=(128, False))
        yield Wgmma(16, 32, ("s8", "s8"), "s32", scale_d=scale_d)
    yield Wgmma(256, 32, ("s8", "s8"), "s32", a=(64, False), satfinite=True)
    yield Wgmma(128, 16, ("f16", "f16"), "f16", groups=2, a=(128, False))
    yield Wgmma(64, 16, ("f16", "f16"), groups=2)
    for skew in (1, 3, 7):  # patterns that do not begin at a multiple of their size
        yield Wgmma(16, 16, ("f16", "f16"), b=(128, False), skew=skew)
    yield Wgmma(16, 16, ("f16", "f16"), b=(64, False), skew=2)
    for inside in (32, 64, 96):  # the next k within a row of the pattern
        yield Wgmma(16, 16, ("f16", "f16"), b=(128, False), inside=inside)
    for types, d, k in ((("f16", "f16"), "f32", 32), (("f16", "f16"), "f16", 32), (("bf16", "bf16"), "f32", 32),
                        (("tf32", "tf32"), "f32", 16)):
        for selector, a in itertools.product((0, 1), ("registers", (128, False), (0, False))):
            yield Wgmma(16, k, types, d, a=a, b=(64 if selector else 128, False), selector=selector)
    yield Wgmma(24, 32, ("f16", "f16"), a=(64, True), b=(128, True), selector=0)
    for types, d in ((("e4m3", "e5m2"), "f32"), (("e5m2", "e5m2"), "f16"), (("s8", "u8"), "s32"), (("u8", "u8"), "s32")):
        for a in ("registers", (64, False)):
            yield Wgmma(16, 64, types, d, a=a, b=(128, False), selector=0)


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
        for run in itertools.chain(mma_runs(rng), move_runs(rng), wgmma_runs(rng)):
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
