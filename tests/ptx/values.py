"""Numbers of PTX types: from the text of a case to bytes, and from a run's bytes back for comparison."""
import math
import re
import struct

FORMATS = {
    "u8": "B", "s8": "b", "b8": "B", "u16": "H", "s16": "h", "b16": "H", "u32": "I", "s32": "i", "b32": "I",
    "u64": "Q", "s64": "q", "b64": "Q", "f16": "e", "f32": "f", "f64": "d", "pred": "I",
}  # a predicate is stored as the word 0 or 1

FLOATS = ("f16", "f32", "f64")


class Mismatch(Exception):
    """A value is not what the case says."""


class BadValue(Exception):
    """The text of a case does not name a value of its type."""


def size(kind):
    return struct.calcsize("<" + FORMATS[kind])


def parse_real(text):
    """A decimal or hexadecimal floating-point number, nan or inf, as a double."""
    try:
        return float.fromhex(text) if "0x" in text.lower() else float(text)
    except ValueError:
        raise BadValue(f"'{text}' is no number") from None


def parse_bits(kind, text):
    """The bit pattern of a value. 0x... without a p is the pattern itself, also of a floating-point number."""
    bits = 8 * size(kind)
    is_pattern = re.fullmatch(r"-?0[xX][0-9a-fA-F]+", text) is not None
    if kind in FLOATS and not is_pattern:
        value = parse_real(text)
        try:
            packed = struct.pack("<" + FORMATS[kind], value)
        except OverflowError:
            raise BadValue(f"{text} does not fit {kind}") from None
        if "p" in text and struct.unpack("<" + FORMATS[kind], packed)[0] != value:
            raise BadValue(f"{text} is no {kind}")  # a hexadecimal number is meant to be exact
        return int.from_bytes(packed, "little")
    try:
        value = int(text, 0)
    except ValueError:
        raise BadValue(f"'{text}' is no integer") from None
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise BadValue(f"{text} does not fit {kind}")
    return value & ((1 << bits) - 1)


def pack(kind, texts):
    return b"".join(parse_bits(kind, text).to_bytes(size(kind), "little") for text in texts)


def expand(words):
    """Writes out `3*V` (three times V) and `0..7` (counting up)."""
    texts = []
    for word in words:
        count, star, value = word.partition("*")
        repeat = int(count) if star else 1
        first, dots, last = (value if star else word).partition("..")
        values = [str(i) for i in range(int(first), int(last) + 1)] if dots else [first]
        texts += values * repeat
    return texts


def show(kind, data):
    value = struct.unpack("<" + FORMATS[kind], data)[0]
    bits = int.from_bytes(data, "little")
    if kind in FLOATS:
        return f"{value!r} (0x{bits:0{2 * len(data)}x})"
    return f"{value} (0x{bits:0{2 * len(data)}x})"


def matches(kind, data, text):
    """Whether the bytes of one value are what `text` asks for.

    ?       anything           nan     any NaN
    V       exactly V, bit by bit
    V~E     within E of V, relative to V        V+-E    within E of V
    """
    if text == "?":
        return True
    value = struct.unpack("<" + FORMATS[kind], data)[0]
    if kind in FLOATS:
        if text == "nan":
            return math.isnan(value)
        wanted, relative, error = text.partition("~")
        if not relative:
            wanted, absolute, error = text.partition("+-")
        if error:
            middle = parse_real(wanted)
            return abs(value - middle) <= parse_real(error) * (abs(middle) if relative else 1)
    return int.from_bytes(data, "little") == parse_bits(kind, text)


def check_words(memory, expectation):
    """Compares a buffer with an expectation's words; raises Mismatch with the first few that differ."""
    step = size(expectation.kind)
    wrong = []
    for i, text in enumerate(expectation.words):
        begin = expectation.offset + i * step
        data = memory[begin : begin + step]
        if len(data) < step:
            raise Mismatch(f"the buffer ends before element {i}")
        if not matches(expectation.kind, data, text):
            label = expectation.labels[i] if expectation.labels else f"[{i}]"
            wrong.append(f"{label} is {show(expectation.kind, data)}, expected {text}")
    if wrong:
        more = f" and {len(wrong) - 4} more" if len(wrong) > 4 else ""
        raise Mismatch("; ".join(wrong[:4]) + more)
