"""The registers of a program, and which of them an operand of a type may be."""
from functools import cache

from reference.operands import PAIRS, SIZES

# By declared type: prefix of the names, number of registers.
DECLARED = {"pred": ("%p", 5), "b8": ("%b", 4), "u8": ("%bu", 1), "s8": ("%bs", 1), "b16": ("%h", 4), "u16": ("%hu", 1),
            "s16": ("%hs", 1), "f16": ("%hf", 1), "b32": ("%r", 6), "u32": ("%ru", 1), "s32": ("%rs", 1),
            "f32": ("%f", 2), "f16x2": ("%x", 1), "b64": ("%d", 5), "u64": ("%du", 1), "s64": ("%ds", 1),
            "f64": ("%g", 2)}
VECTORS = {"%v": ("b32", 4), "%w": ("f64", 2)}  # vector registers: type and number of elements
TYPE_OF = {f"{prefix}{i}": kind for kind, (prefix, count) in DECLARED.items() for i in range(count)}
TYPE_OF |= {f"{name}.{'xyzw'[i]}": kind for name, (kind, count) in VECTORS.items() for i in range(count)}


def declarations():
    vectors = "".join(f"    .reg .v{count} .{kind} {name};\n" for name, (kind, count) in VECTORS.items())
    return vectors + "".join(f"    .reg .{kind} {prefix}<{count}>;\n" for kind, (prefix, count) in DECLARED.items())


@cache
def plain(kind):
    """The type without its range. The registers of most pairs and of narrow formats are untyped: x16, x32 or x64."""
    kind = kind.rstrip("~").split("<")[0]
    return f"x{SIZES[kind]}" if kind in PAIRS and kind != "f16x2" or kind in ("tf32", "bf16") else kind


def alike(name, others):
    """Whether a register goes into a vector with others: integers, or floating-point numbers of one type. Untyped ones
    go with all."""
    def group(register):
        kind = TYPE_OF[register]
        return None if kind[0] in "bp" else "integer" if integral(kind) else kind
    return group(name) is None or all(group(other) in (None, group(name)) for other in others)


def integral(kind):
    return kind[0] in "us"


def goes(register, kind, relaxed=False):
    """Whether a register of a type may be an operand of a type."""
    if "pred" in (register, kind) or kind[0] == "x":
        return register == kind.replace("x", "b")
    wide = SIZES[register] - SIZES[kind]
    if wide == 0:
        return register == kind or register[0] == "b" or kind[0] == "b" or integral(register) and integral(kind)
    if not relaxed or wide < 0:
        return False
    return register[0] == "b" or integral(register) and (integral(kind) or kind[0] == "b")


@cache
def candidates(kind, relaxed=False, width=None):
    """Names of registers for an operand; with `width`, of this many bits."""
    return [name for name, register in TYPE_OF.items()
            if goes(register, plain(kind), relaxed) and width in (None, SIZES[register])]


def widened(kind, register, value):
    """What a register holds after a result of a type: signed types extend by their sign, the others by zeros."""
    size, whole = SIZES[kind], SIZES[register]
    if kind[0] == "s" and kind not in PAIRS and value >> size - 1:
        value |= (1 << whole) - (1 << size)
    return value
