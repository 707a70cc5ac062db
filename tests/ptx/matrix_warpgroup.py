"""Products of a warpgroup (wgmma) with the factors in every layout, for matrix_products.py."""
import itertools

import matrix_elements as me
from matrix_kernels import Run, accumulator_words, braces, load, multiply, random_lines

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
            run.code("shr.u32 %r410, %r500, 7;", f"mul.wide.u32 %d9, %r410, {a_size >> 4};",
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


SWIZZLES = (0, 32, 64, 128)


def runs(rng):
    for option in options():
        yield option.run(rng)


def options():
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
