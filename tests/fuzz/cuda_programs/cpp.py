"""What generated code consists of: types, variables, and the lines of a program."""
import contextlib
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Int:
    name: str
    bits: int
    signed: bool

    @property
    def work(self):
        """The unsigned type in which sums and products of it wrap around."""
        return {64: U64, 128: U128}.get(self.bits, U32)


@dataclass(frozen=True)
class Real:
    name: str
    digits: int   # bits of its significand
    suffix: str   # of its literals


I8, U8 = Int("i8", 8, True), Int("u8", 8, False)
I16, U16 = Int("i16", 16, True), Int("u16", 16, False)
I32, U32 = Int("i32", 32, True), Int("u32", 32, False)
I64, U64 = Int("i64", 64, True), Int("u64", 64, False)
I128, U128 = Int("i128", 128, True), Int("u128", 128, False)
LONG, ULONG = Int("long", 64, True), Int("unsigned long", 64, False)
CHAR, BOOL = Int("char", 8, True), Int("bool", 1, False)
F32, F64 = Real("f32", 24, "f"), Real("f64", 53, "")

INTS = [I8, U8, I16, U16, I32, I32, U32, U32, U32, I64, U64, U64, LONG, ULONG, CHAR, BOOL]
WIDE_INTS = [I128, U128]
REALS = [F32, F64]
VECTORS = {  # their names and the types of their elements
    "char4": I8, "uchar4": U8, "short2": I16, "short4": I16, "ushort4": U16, "int2": I32, "int4": I32, "uint2": U32,
    "uint4": U32, "longlong2": I64, "ulonglong2": U64, "float2": F32, "float4": F32, "double2": F64, "uchar2": U8,
}


def elements(vector):
    """The names of a vector's elements."""
    return "xyzw"[:int(vector[-1])]


@dataclass(frozen=True)
class Place:
    """What an expression can read and, if it is writable, a statement can set."""
    text: str
    type: object
    writable: bool = True
    addressable: bool = True


@dataclass(frozen=True)
class Array:
    text: str
    type: object
    size: int
    writable: bool = True


@dataclass(frozen=True)
class Context:
    """Where a statement is: how often it runs, and which threads are there together."""
    weight: int = 1      # at most so many times for each thread
    depth: int = 0       # of nested statements
    mask: str = None     # the threads of the warp that are here together, if they are known
    whole: bool = False  # all threads of the block are here together
    loop: bool = False   # "break" and "continue" may stand here
    returns: bool = False  # "return" may stand here

    def inside(self, times=1, **changes):
        return replace(self, weight=self.weight * times, depth=self.depth + 1, **changes)

    def parted(self, times=1, **changes):
        """Inside of something that some threads enter and others do not."""
        return self.inside(times, mask=None, whole=False, **changes)


@dataclass
class Scope:
    places: list = field(default_factory=list)
    arrays: list = field(default_factory=list)
    records: list = field(default_factory=list)       # (Struct, name)
    uniform: list = field(default_factory=list)       # expressions of u32 that have one value in a block
    warp_uniform: list = field(default_factory=list)  # and in a warp

    def inner(self):
        return Scope(*(list(part) for part in vars(self).values()))


class Text:
    """Lines of code, indented by braces, with names that are used once."""

    def __init__(self):
        self.lines, self.level, self.scope, self.named = [], 0, Scope(), 0

    def line(self, text):
        self.lines.append("    " * self.level + text)

    def name(self, stem):
        self.named += 1
        return f"{stem}{self.named}"

    @contextlib.contextmanager
    def braces(self, head, tail=""):
        """A block whose declarations are forgotten at its end."""
        self.line(f"{head} {{".lstrip())
        outer, self.scope, self.level = self.scope, self.scope.inner(), self.level + 1
        yield
        self.scope, self.level = outer, self.level - 1
        self.line("}" + tail)
