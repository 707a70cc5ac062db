"""Numbers as bytes, and the operations of reductions on them."""
import struct

FLOAT_CODES = {"f16": "e", "f32": "f", "f64": "d"}
INTEGERS = {"u8": 1, "u16": 2, "u32": 4, "s32": 4, "u64": 8, "s64": 8, "b32": 4, "b64": 8}


def size_of(kind):
    return INTEGERS.get(kind) or {"bf16": 2}.get(kind) or struct.calcsize(FLOAT_CODES[kind])


def encode(kind, value):
    if kind in INTEGERS:
        return (value % (1 << 8 * INTEGERS[kind])).to_bytes(INTEGERS[kind], "little")
    if kind == "bf16":
        return struct.pack("<f", value)[2:]
    return struct.pack("<" + FLOAT_CODES[kind], value)


def decode(kind, content):
    if kind in INTEGERS:
        return int.from_bytes(content, "little", signed=kind[0] == "s")
    if kind == "bf16":
        return struct.unpack("<f", b"\0\0" + content)[0]
    return struct.unpack("<" + FLOAT_CODES[kind], content)[0]


def random_bytes(rng, kind, count):
    """So many bytes; of floats small integers, whose sums are exact in each type."""
    if kind in INTEGERS:
        return rng.randbytes(count)
    return b"".join(encode(kind, rng.randint(1, 40)) for _ in range(count // size_of(kind)))


def reduced(operation, kind, old, new):
    """The bytes that a reduction leaves in the place of `old`."""
    a, b = decode(kind, old), decode(kind, new)
    return encode(kind, {"add": lambda: a + b, "min": lambda: min(a, b), "max": lambda: max(a, b), "and": lambda: a & b,
                         "or": lambda: a | b, "xor": lambda: a ^ b, "inc": lambda: 0 if a >= b else a + 1,
                         "dec": lambda: b if a == 0 or a > b else a - 1}[operation]())
