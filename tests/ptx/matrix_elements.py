"""Numbers as the elements of matrices, and matrices as the registers of threads and as bytes of shared memory. The layouts
are those of the PTX ISA, "Matrix Fragments" and "Shared Memory Matrix Layout"."""
import struct

BITS = {"f64": 64, "f32": 32, "s32": 32, "tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8,
        "s4": 4, "u4": 4, "b1": 1}
# Mantissa digits and bias of the formats of 8 bits.
SMALL = {"e4m3": (3, 7), "e5m2": (2, 15)}


def small_number(kind, code):
    """The number of a code without sign that is finite and normal."""
    digits, bias = SMALL[kind]
    return (1 + (code & ((1 << digits) - 1)) / (1 << digits)) * 2.0 ** ((code >> digits) - bias)


def small_code(kind, value):
    if value == 0:
        return 0
    digits, _ = SMALL[kind]
    for code in range(1 << digits, 0x78):
        if small_number(kind, code) == abs(value):
            return code | (0x80 if value < 0 else 0)
    raise ValueError(f"{value} is no {kind}")


def encode(kind, value):
    """The bits of a number that the type holds exactly."""
    if kind in SMALL:
        return small_code(kind, value)
    if kind == "f16":
        return int.from_bytes(struct.pack("<e", value), "little")
    if kind in ("f32", "tf32", "bf16"):
        bits = int.from_bytes(struct.pack("<f", value), "little")
        return bits >> 16 if kind == "bf16" else bits | (0x1abc if kind == "tf32" else 0)  # bits that do not count
    return int(value) & ((1 << BITS[kind]) - 1)


def decode(kind, bits):
    if kind == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    if kind == "f32":
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    return bits - (1 << 32) if bits >> 31 else bits


def values_of(kind, rng):
    """A function that gives a random number of a type: integers small enough that all sums are exact in every order."""
    ranges = {"u8": (0, 255), "s8": (-128, 127), "u4": (0, 15), "s4": (-8, 7), "b1": (0, 1)}
    low, high = ranges.get(kind, (-4, 4))
    return lambda: rng.randint(low, high)


def registers(kind, position, count, matrix, threads=32):
    """[register][thread] of 32 bits; position(thread, i) gives row and column of element i of a thread, counted over its
    registers."""
    bits, per = BITS[kind], 32 // BITS[kind]
    out = []
    for r in range(count):
        row = []
        for t in range(threads):
            word = 0
            for e in range(per):
                i, j = position(t, r * per + e)
                word |= encode(kind, matrix[i][j]) << (bits * e)
            row.append(word)
        out.append(row)
    return out


def positions_of_a(kind):
    """Of A with 16 rows, and of the 64 rows of a warpgroup: register pairs go down eight rows, then along k."""
    per = 32 // BITS[kind]

    def position(thread, i):
        register, element = divmod(i, per)
        lane, warp = thread % 32, thread // 32
        return (16 * warp + lane // 4 + (8 if register % 2 else 0),
                (lane % 4) * per + (4 * per if register >= 2 else 0) + element)
    return position


def positions_of_b(kind):
    per = 32 // BITS[kind]

    def position(thread, i):
        register, element = divmod(i, per)
        return register * 4 * per + thread % 4 * per + element, thread // 4
    return position


def position_of_accumulator(thread, i):
    """Four elements of a thread lie in two rows and two columns; the next four eight columns further on."""
    lane, warp = thread % 32, thread // 32
    return 16 * warp + lane // 4 + (8 if i % 4 >= 2 else 0), 8 * (i // 4) + lane % 4 * 2 + i % 2


# --- sparse matrices

def chunk_of(kind):
    """(elements of a chunk, elements of it that are not zero)"""
    return (2, 1) if kind == "tf32" else (8, 4) if BITS[kind] == 4 else (4, 2)


def sparse_rows(kind, rows, k, rng, ordered):
    """A matrix with zeros, its other elements alone, and for each row the metadata, four bits for each chunk."""
    value = values_of(kind, rng)
    whole, packed, metadata = [], [], []
    size, _ = chunk_of(kind)
    for _ in range(rows):
        line, kept, bits = [0] * k, [], []
        for chunk in range(k // size):
            if kind == "tf32":
                chosen = [rng.randint(0, 1)]
                bits.append(0b1110 if chosen[0] else 0b0100)
            else:
                pair = rng.sample(range(4), 2)
                if ordered:
                    pair.sort()
                bits.append(pair[0] | pair[1] << 2)
                chosen = [2 * p + e for p in pair for e in (0, 1)] if size == 8 else pair
            for at in chosen:
                line[chunk * size + at] = value()
                kept.append(line[chunk * size + at])
        whole.append(line)
        packed.append(kept)
        metadata.append(bits)
    return whole, packed, metadata


def metadata_registers(kind, metadata, selector, threads):
    """The metadata register of each thread. Threads that give none have other bits."""
    chunks = len(metadata[0])
    out = []
    for thread in range(threads):
        warp, lane = divmod(thread, 32)
        group, member = lane // 4, lane % 4
        low, high = metadata[16 * warp + group], metadata[16 * warp + group + 8]
        givers = chunks // 4  # threads of each four
        if not selector * givers <= member < (selector + 1) * givers:
            out.append(0xdeadbeef)
            continue
        number = member - selector * givers
        if BITS[kind] >= 16:  # four chunks of both rows
            nibbles = low[4 * number:4 * number + 4] + high[4 * number:4 * number + 4]
        else:  # eight chunks of one of the rows
            nibbles = (low, high)[number % 2][8 * (number // 2):8 * (number // 2) + 8]
        out.append(sum(n << (4 * i) for i, n in enumerate(nibbles)))
    return out


# --- shared memory

class Tile:
    """A matrix in shared memory, as lines: rows of A or columns of B. `swizzle`: bytes, 0 for none. `across`: units of 16
    bytes hold elements of several lines (transposed). `lead`, `stride`: bytes."""

    def __init__(self, start, swizzle, across, lead, stride):
        self.start, self.swizzle, self.across, self.lead, self.stride = start, swizzle, across, lead, stride

    def descriptor(self, base_offset=0):
        mode = {0: 0, 128: 1, 64: 2, 32: 3}[self.swizzle]
        return (self.start >> 4 | self.lead >> 4 << 16 | self.stride >> 4 << 32 | base_offset << 49 | mode << 62)

    def place(self, line, byte):
        """Of a byte of a line that runs along k, before the swizzle, as (bytes from the begin, row of the pattern)."""
        if self.swizzle == 0:
            return line // 8 * self.stride + line % 8 * 16 + byte // 16 * self.lead + byte % 16
        return line // 8 * self.stride + line % 8 * self.swizzle + byte

    def place_across(self, k, byte):
        """Of byte `byte` of the elements of all lines at one k."""
        width = self.swizzle or 16
        inside, group = byte % width, byte // width
        if self.swizzle == 0:
            return k // 8 * self.lead + k % 8 * 16 + group * self.stride + inside
        return k // 8 * self.stride + k % 8 * width + group * self.lead + inside

    def swizzled(self, at, pattern):
        """The chunks of 16 bytes of a row of 128 bytes change places: by its number, of eight."""
        if self.swizzle == 0:
            return at
        row = (at - pattern) // 128
        flip = {128: row % 8, 64: row % 4, 32: row % 2}[self.swizzle]
        return at // 128 * 128 + ((at % 128 // 16) ^ flip) * 16 + at % 16

    def fill(self, image, kind, lines, base_offset=0):
        """Writes the matrix to an image of shared memory."""
        bits = BITS[kind]
        for number, line in enumerate(lines):
            if bits == 1:
                items = [(i, sum(b << e for e, b in enumerate(line[8 * i:8 * i + 8]))) for i in range(len(line) // 8)]
            else:
                items = [(k * bits // 8, encode(kind, value)) for k, value in enumerate(line)]
            for k, (byte, code) in enumerate(items):
                at = self.start + (self.place_across(k, number * bits // 8) if self.across else self.place(number, byte))
                at = self.swizzled(at, base_offset * 128)
                size = max(1, bits // 8)
                image[at:at + size] = code.to_bytes(size, "little")
