"""Loads, stores and atomic operations on bytes that belong to one thread, in every space."""
from reference import ieee
from reference.form import Form, cut, number
from reference.operands import FLOATS, SIZES, value

SIZE = 64  # bytes of a thread in each space
# Parameters of the kernel: name and type. Each has 8 bytes here.
SCALARS = [("scalar0", "u8"), ("scalar1", "s16"), ("scalar2", "u64"), ("scalar3", "f32"), ("scalar4", "s8"),
           ("scalar5", "f64")]
# Counters that all threads update, each in one way, so that the order does not matter.
SHARED_OPERATIONS = [("add", "u32"), ("min", "u32"), ("max", "s32"), ("and", "b32"), ("or", "b32"), ("xor", "b32"),
                     ("add", "u64"), ("max", "u64"), ("min", "s64"), ("xor", "b64")]
# By space: what the instruction says, and the address of the bytes.
WRITABLE = {"global": ("global", "%at_global"), "shared": ("shared", "%at_shared"), "local": ("local", "%at_local"),
            "global ": ("", "%at_global"), "shared ": ("", "%generic_shared"), "local ": ("", "%generic_local")}
ATOMIC = [space for space in WRITABLE if "local" not in space]
PLACES = ["%place0", "%place1"]  # registers with a number for each thread
READABLE = {**WRITABLE, "const": ("const", "constants"), "param": ("param", "parameters")}
PLAIN = [f"{letter}{size}" for letter in "bus" for size in (8, 16, 32, 64)] + ["f32", "f64"]


def get(memory, at, size):
    return int.from_bytes(memory[at:at + size // 8], "little")


def put(memory, at, size, value):
    memory[at:at + size // 8] = (value & (1 << size) - 1).to_bytes(size // 8, "little")


def shape(rng):
    """(type, count) of an access; vectors have up to 32 bytes."""
    kind = rng.choice(PLAIN)
    size = SIZES[kind] // 8
    count = rng.choice([1, 1, 1, 2, 4])
    if rng.random() < 0.1 and size in (4, 8):
        count = 8 if size == 4 else 4
    elif count * size > 16:
        count = 1
    return kind, count


def vector(first, count):
    names = ", ".join(f"{{{first + i}}}" for i in range(count))
    return f"{{{{{names}}}}}" if count > 1 else names


def width(rng, kind, count):
    """Of the registers of a vector; there are enough of each."""
    if count == 1:
        return None
    return SIZES[kind] if count == 8 else rng.choice([w for w in (8, 16, 32, 64) if w >= SIZES[kind]])


def words(*parts):
    return ".".join(part for part in parts if part)


def ordered(rng, place, orders):
    """The order that an access says; it may in some spaces."""
    return rng.choice(orders) if place.name in ("global", "shared", "") and rng.random() < 0.15 else ""


class Place:
    """The bytes of an access: at an offset that the text has, or at one that differs from thread to thread."""

    def __init__(self, rng, spaces, size):
        if size > 16:
            spaces = [s for s in spaces if s.startswith("global")]
        self.space = rng.choice(spaces)
        self.name, self.base = READABLE[self.space]
        step = min(size, 16)
        self.offset = rng.randrange(0, SIZE - size + 1, step)
        self.lines, self.text, self.fixed, self.address = "", f"[{self.base}+{self.offset}]", (), ()
        if rng.random() < 0.3:
            self.move(rng, SIZE - 1 & -size if size <= 16 else 32)

    def move(self, rng, mask):
        """A register decides, and at times a distance goes from it to the text."""
        self.mask, self.fixed = mask, (rng.choice(PLACES),)
        distance = rng.choice([0, 0, 16, 4096, -16])
        if self.base == "%at_shared":
            register, self.lines = "%t1", f"and.b32 %t1, {self.fixed[0]}, {mask}; add.u32 %t1, %t1, {self.base}; "
        else:
            register = "%wide0"
            self.lines = (f"and.b32 %t1, {self.fixed[0]}, {mask}; cvt.u64.u32 %wide0, %t1; "
                          f"mov.b64 %wide1, {self.base}; add.u64 %wide0, %wide0, %wide1; ")
        if distance:
            self.lines += f"sub.{'u32' if register == '%t1' else 'u64'} {register}, {register}, {distance}; "
        self.text = f"[{register}+{distance}]"
        self.address = ("b32" if register == "%t1" else "b64", register)

    def form(self, text, results, sources, function, **more):
        """An access, whose function gets the bytes, the offset and the sources."""
        def compute(memory, *values):
            if self.fixed:
                return function(memory, values[0] & self.mask, *values[1:])
            return function(memory, self.offset, *values)
        return Form(self.lines + text, results, sources, compute, fixed=self.fixed, space=self.space.strip(),
                    address=self.address, **more)


def load(rng):
    kind, count = shape(rng)
    size = SIZES[kind]
    place = Place(rng, list(READABLE), count * size // 8)
    order = ordered(rng, place, ["volatile", "weak", "relaxed.gpu", "acquire.cta", "relaxed.sys"])
    plain = place.name == "global" and not order and count * size <= 128
    hint = rng.choice(["ca", "cg", "cv", "lu", "L1::evict_last", "L2::128B"]) if plain and rng.random() < 0.2 else ""
    opcode = "ldu" if plain and not hint and rng.random() < 0.1 else "ld"

    def compute(memory, at):
        return tuple(get(memory, at + i * size // 8, size) for i in range(count))
    text = words(opcode, order, place.name, hint, f"v{count}" if count > 1 else "", kind)
    return place.form(f"{text} {vector(0, count)}, {place.text}", (kind,) * count, (), compute, relaxed=True,
                      width=width(rng, kind, count))


def store(rng):
    kind, count = shape(rng)
    size = SIZES[kind]
    place = Place(rng, list(WRITABLE), count * size // 8)

    def compute(memory, at, *values):
        for i, value in enumerate(values):
            put(memory, at + i * size // 8, size, value)
        return ()
    order = ordered(rng, place, ["volatile", "weak", "relaxed.gpu", "release.cta", "relaxed.cluster"])
    text = words("st", order, place.name, f"v{count}" if count > 1 else "", kind)
    return place.form(f"{text} {place.text}, {vector(0, count)}", (), (kind,) * count, compute, relaxed=True,
                      width=width(rng, kind, count), constants=count == 1 and size > 8)


def float_sum(kind, flush):
    halves = 2 if kind.endswith("x2") else 1
    form = FLOATS[kind.removesuffix("x2")]

    def one(a, b):
        if flush:
            return form.flush(ieee.add(form, "rn", form.flush(a), form.flush(b)))
        return ieee.add(form, "rn", a, b)

    def compute(old, value):
        result = 0
        for i in range(halves):
            shift = i * form.bits
            mask = (1 << form.bits) - 1
            result |= one(old >> shift & mask, value >> shift & mask) << shift
        return result
    return compute


def operations():
    """(name, type, function of the old value and the operand)."""
    found = [("add", kind, lambda old, value: old + value) for kind in ("u32", "s32", "u64")]
    for name, function in (("min", min), ("max", max)):
        found += [(name, kind, lambda old, value, f=function, k=kind: f(number(k, old), number(k, value)))
                  for kind in ("u32", "s32", "u64", "s64")]
    for name, function in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b),
                           ("exch", lambda a, b: b)):
        found += [(name, kind, function) for kind in ("b32", "b64")]
    found += [("inc", "u32", lambda old, value: 0 if old >= value else old + 1),
              ("dec", "u32", lambda old, value: value if old == 0 or old > value else old - 1)]
    found += [("add.noftz", kind, float_sum(kind, False)) for kind in ("f16", "bf16", "f16x2", "bf16x2")]
    return found + [("add", "f64", float_sum("f64", False)), ("add", "f32", float_sum("f32", False))]


OPERATIONS = operations()


def atomic(rng):
    name, kind, function = rng.choice(OPERATIONS)
    size = SIZES[kind]
    place = Place(rng, ATOMIC, size // 8)
    if kind == "f32" and place.space.startswith("global"):
        function = float_sum("f32", True)  # by the PTX ISA, in global memory alone
    reduce = name != "exch" and rng.random() < 0.4

    def compute(memory, at, value):
        old = get(memory, at, size)
        put(memory, at, size, cut(kind, function(old, value)))
        return () if reduce else old
    order = rng.choice(["relaxed.gpu", "relaxed.cta"] + ["acquire", "acq_rel.sys"] * (not reduce)) \
        if rng.random() < 0.2 else ""
    opcode = words("red" if reduce else "atom", order, place.name, name, kind)
    operands = f"{place.text}, {{0}}" if reduce else f"{{0}}, {place.text}, {{1}}"
    return place.form(f"{opcode} {operands}", () if reduce else (kind,), (kind,), compute,
                      constants="f16" not in kind)


def compare_and_swap(rng):
    kind = rng.choice(["b16", "b32", "b64"])
    size = SIZES[kind]
    place = Place(rng, ATOMIC, size // 8)

    def compute(memory, at, expected, value):
        old = get(memory, at, size)
        if old == expected:
            put(memory, at, size, value)
        return old

    def likely(rng):
        """The memory holds a zero at times."""
        return [rng.choice([0, 0, value(rng, kind)]), rng.choice([0, value(rng, kind)])]
    text = f"{words('atom', place.name, 'cas', kind)} {{0}}, {place.text}, {{1}}, {{2}}"
    return place.form(text, (kind,), (kind, kind), compute, constants=size > 16, operands=likely)


def shared_update(rng):
    i = rng.randrange(len(SHARED_OPERATIONS))
    name, kind = SHARED_OPERATIONS[i]
    function = next(f for other, k, f in OPERATIONS if (other, k) == (name, kind))
    size = SIZES[kind]

    def compute(memory, value):
        put(memory, 8 * i, size, cut(kind, function(get(memory, 8 * i, size), value)))
        return ()
    opcode = rng.choice(["red", "red.global", "atom.global", "atom"])
    discard = "_, " if opcode.startswith("atom") else ""
    return Form(f"{opcode}.{name}.{kind} {discard}[%counters+{8 * i}], {{0}}", (), (kind,), compute, space="counters")


def quad(rng):
    """Registers of 128 bits: two of 64 go to memory, and what it held comes back as two others."""
    place = Place(rng, ATOMIC, 16)
    name, way = place.name, rng.choice(["swap", "exch", "cas"])
    text = {"swap": f"{words('ld', name, 'b128')} %q1, {place.text}; {words('st', name, 'b128')} {place.text}, %q0",
            "exch": f"{words('atom', name, 'exch.b128')} %q1, {place.text}, %q0",
            "cas": f"{words('atom', name, 'cas.b128')} %q1, {place.text}, %q0, %q0"}[way]

    def compute(memory, at, low, high):
        old = get(memory, at, 64), get(memory, at + 8, 64)
        if way != "cas":
            put(memory, at, 128, high << 64 | low)
        return old
    return place.form(f"mov.b128 %q0, {{{{{{2}}, {{3}}}}}}; {text}; mov.b128 {{{{{{0}}, {{1}}}}}}, %q1", ("x64", "x64"),
                      ("x64", "x64"), compute, constants=False)


def in_space(rng):
    """isspacep of a generic address."""
    space, (address, where) = rng.choice(["global", "shared", "local", "shared::cta"]), rng.choice(
        [("%at_global", "global"), ("%generic_shared", "shared"), ("%generic_local", "local")])
    return Form(f"isspacep.{space} {{0}}, {address}", ("pred",), (), lambda: int(space.startswith(where)))


def scalar(rng):
    """A parameter, or the lower part of it, by any type."""
    i = rng.randrange(len(SCALARS))
    name, whole = SCALARS[i]
    kind = rng.choice([k for k in PLAIN if SIZES[k] <= SIZES[whole]])
    at = rng.randrange(0, SIZES[whole] // 8, SIZES[kind] // 8)
    text = f"ld.param.{kind} {{0}}, [{name}{f'+{at}' if at else ''}]"
    return Form(text, (kind,), (), lambda memory: get(memory, 8 * i + at, SIZES[kind]), relaxed=True, space="scalars")


FORMS = [(1, scalar), (4, load), (4, store), (3, atomic), (1, compare_and_swap), (1, shared_update), (1, quad),
         (1, in_space)]
