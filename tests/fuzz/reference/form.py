"""A form of an instruction: how it is written, which operands it has, and what it computes."""
from dataclasses import dataclass

from reference.operands import SIZES


@dataclass
class Form:
    """`text` has {0}, {1} and so on for the operands: the results, then the sources.

    `function` takes the sources as patterns of bits, and returns the result or a tuple of results. A result is a
    pattern too, or an object with accepts(bits) where several are right. With `carry`, the flag is the first argument
    and stands behind the results. A form of a `warp` gets a dictionary of the sources of each lane, and returns one of
    the results.
    """
    text: str
    results: tuple
    sources: tuple
    function: object
    constants: bool = True  # whether sources may be numbers
    relaxed: bool = False   # whether registers may be wider than the types
    width: int = None       # bits of all registers, where they have to be the same
    carry: bool = False
    exact: bool = True      # whether each result is one pattern
    warp: bool = False
    full: bool = False      # whether every lane of the warp has to be there
    space: str = None       # of memory: the function gets the bytes of the thread first
    fixed: tuple = ()       # names of registers that the text has, and whose values come before the sources
    address: tuple = ()     # (type, name) of the register with the address, where the text computes one
    operands: object = None  # makes one row of sources, where those of their types are not enough


def simple(opcode, result, sources, function, **more):
    """An instruction with one result and plain operands."""
    operands = ", ".join(f"{{{i}}}" for i in range(1 + len(sources)))
    return Form(f"{opcode} {operands}", (result,), tuple(sources), function, **more)


def signed(value, bits):
    return value - (value >> bits - 1 << bits)


def number(kind, bits):
    """The value of a pattern of an integer type."""
    return signed(bits, SIZES[kind]) if kind[0] == "s" else bits


def cut(kind, value):
    """The pattern of an integer, wrapped to its type."""
    return value & (1 << SIZES[kind]) - 1


def limits(kind):
    size = SIZES[kind]
    return (-1 << size - 1, (1 << size - 1) - 1) if kind[0] == "s" else (0, (1 << size) - 1)


def clamp(kind, value):
    low, high = limits(kind)
    return min(max(value, low), high)


def parts(pattern, size, count):
    """Fields of a pattern, the lowest first."""
    return [pattern >> size * i & (1 << size) - 1 for i in range(count)]


def joined(fields, size):
    return sum(field << size * i for i, field in enumerate(fields))


def by_parts(function, size, count):
    """The function, applied to each field of its operands."""
    def whole(*values):
        split = [parts(v, size, count) for v in values]
        return joined([function(*fields) for fields in zip(*split)], size)
    return whole
