"""A tensor in global memory, and the place of each element of a box of it.

The definitions are those of PTX ISA, "Tensors", and of the driver API's cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col,
written element by element. Dimension 0 is the innermost one.
"""
import itertools
import math
from dataclasses import dataclass, field

# By name: CUtensorMapDataType, bytes of an element
TYPES = {"u8": (0, 1), "u16": (1, 2), "u32": (2, 4), "s32": (3, 4), "u64": (4, 8), "s64": (5, 8), "f16": (6, 2), "f32": (7, 4),
         "f64": (8, 8), "bf16": (9, 2)}
FLOATS = ("f16", "f32", "f64", "bf16")
LINES = [None, 32, 64, 128]  # bytes, by CUtensorMapSwizzle
NAN = {2: b"\xf7\x7f", 4: b"\xff\xff\xff\x7f", 8: b"\xff" * 7 + b"\x7f"}  # outside of a tensor, docs/cuda-support.md


def swizzled(address, mode):
    """Bits 4 and up of the address of a byte in shared memory change with those from bit 7 on: as many as the mode says."""
    for bit in range(mode):
        if address >> (7 + bit) & 1:
            address ^= 16 << bit
    return address


def draw_counts(rng, dimensions, room, most):
    """A number for each dimension, at most `most`, whose product is at most `room`."""
    counts = []
    for left in range(dimensions, 0, -1):
        fair = min(most, room, max(2, round(room ** (1 / left))))
        counts.append(rng.choice([1, rng.randint(1, max(1, fair)), max(1, fair), rng.randint(1, max(1, min(most, room)))]))
        room //= counts[-1]
    rng.shuffle(counts)
    return counts


@dataclass
class Tensor:
    type: str
    sizes: list
    strides: list  # bytes, of the dimensions from the second on
    box: list      # im2col: channels of a pixel, and pixels
    steps: list
    swizzle: int
    fill: int
    lower: list = None  # corners of im2col
    upper: list = None
    buffer: int = None
    parameter: bool = True  # the map is a parameter, or lies in global memory
    bytes: int = field(init=False)

    def __post_init__(self):
        self.bytes = self.sizes[-1] * (self.strides[-1] if self.strides else TYPES[self.type][1])

    @property
    def element(self):
        return TYPES[self.type][1]

    @property
    def box_bytes(self):
        rows = self.box[1] if self.lower else math.prod(-(-extent // step) for extent, step in zip(self.box[1:], self.steps[1:]))
        return rows * self.box[0] * self.element

    @property
    def shared_bytes(self):
        """Whole lines of 128 bytes, within which swizzles move the bytes of a box."""
        return -(-self.box_bytes // 128) * 128

    def plan(self):
        out = {"type": TYPES[self.type][0], "sizes": self.sizes, "strides": self.strides, "box": self.box, "steps": self.steps,
               "swizzle": self.swizzle, "promotion": self.box[0] % 4, "fill": self.fill, "buffer": self.buffer}
        return {**out, "lower": self.lower, "upper": self.upper} if self.lower else out

    def address(self, place):
        """Of an element in the buffer, or None."""
        if any(not 0 <= at < size for at, size in zip(place, self.sizes)):
            return None
        return place[0] * self.element + sum(at * stride for at, stride in zip(place[1:], self.strides))

    def rows(self, at, offsets):
        """The coordinates of the first element of each row of a box."""
        if self.lower:
            yield from self.pixels(at, offsets)
            return
        along = [range(0, extent, step) for extent, step in zip(self.box[:0:-1], self.steps[:0:-1])]
        for moved in itertools.product(*along):
            yield [at[0], *(a + m for a, m in zip(at[1:], reversed(moved)))]

    def pixels(self, at, offsets):
        """The box of pixels is gone through in steps, its innermost dimension first; then that of the next image."""
        pixel = list(at)
        for _ in range(self.box[1]):
            yield [pixel[0], *(p + o for p, o in zip(pixel[1:-1], offsets)), pixel[-1]]
            for d in range(1, len(pixel) - 1):
                pixel[d] += self.steps[d]
                if pixel[d] < self.sizes[d] + self.upper[d - 1]:
                    break
                pixel[d] = self.lower[d - 1]
            else:
                pixel[-1] += self.steps[-1]

    def elements(self, at, offsets, shared):
        """(place in shared memory, address in the buffer or None) of each element of the box that begins at `shared`."""
        for number, row in enumerate(self.rows(at, offsets)):
            for i in range(self.box[0]):
                plain = shared + (number * self.box[0] + i) * self.element
                yield swizzled(plain, self.swizzle), self.address([row[0] + i, *row[1:]])

    def outside(self):
        return NAN[self.element] if self.fill else bytes(self.element)

    def draw_place(self, rng):
        """Coordinates of a box, and offsets of im2col. Half of the boxes are inside as far as they can be."""
        inside = rng.random() < 0.5
        if not self.lower:
            return [rng.randint(0, max(0, size - extent)) if inside else rng.randint(-extent, size + 1) if rng.random() < 0.3 else
                    rng.randrange(size) for extent, size in zip(self.box, self.sizes)], []
        at = [0 if inside else rng.randint(-2, self.sizes[0])]
        for size, step, low, up in zip(self.sizes[1:-1], self.steps[1:], self.lower, self.upper):
            at.append(rng.randrange(low, size + up, step))
        return [*at, 0 if inside else rng.randrange(self.sizes[-1])], [rng.randint(0, 1 if inside else 3) for _ in self.lower]


def draw_tensor(rng, kind=None, most_bytes=4096):
    kind = kind or rng.choice(list(TYPES))
    element = TYPES[kind][1]
    im2col = rng.random() < 0.3
    rank = rng.randint(3, 5) if im2col else rng.randint(1, 5)
    swizzle = rng.choice([0, 0, 1, 2, 3])
    row = rng.choice([16, LINES[swizzle] or 16 * rng.randint(1, 8)])  # bytes
    first = row // element
    sizes = [first + rng.randint(-first + 1, 20) if rng.random() < 0.4 else first, *draw_counts(rng, rank - 1, 16384 // row, 24)]
    strides, stride = [], sizes[0] * element
    for size in sizes[1:]:
        stride = -(-stride // 16) * 16 + 16 * rng.choice([0, 0, 1])
        strides.append(stride)
        stride *= size
    steps = [1] + [rng.choice([1, 1, 1, 2, 3]) for _ in range(rank - 1)]
    fill = rng.randint(0, 1) if kind in FLOATS else 0
    box = [first, *draw_counts(rng, rank - 1, most_bytes // row, 16)]
    tensor = Tensor(kind, sizes, strides, box, steps, swizzle, fill, parameter=rng.random() < 0.5)
    if im2col:
        tensor.box = [first, rng.randint(1, most_bytes // row)]
        tensor.lower = [rng.randint(-2, min(2, size - 1)) for size in sizes[1:-1]]
        least = -16 if rank == 5 else -128  # 5, 8 or 16 bits each
        tensor.upper = [rng.randint(max(low - size + 1, least), 2) for low, size in zip(tensor.lower, sizes[1:-1])]
    return tensor
