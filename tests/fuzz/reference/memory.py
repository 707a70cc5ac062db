"""Loads, stores and atomic operations on bytes that belong to one thread, in every space."""
from reference import ieee
from reference.form import Form, cut, number
from reference.operands import FLOATS, SIZES

SIZE = 64  # bytes of a thread in each space
# By space: what the instruction says, and the address of the bytes.
WRITABLE = {"global": ("global", "%at_global"), "shared": ("shared", "%at_shared"), "local": ("local", "%at_local"),
            "global ": ("", "%at_global"), "shared ": ("", "%generic_shared"), "local ": ("", "%generic_local")}
READABLE = {**WRITABLE, "const": ("const", "constants"), "param": ("param", "parameters")}
PLAIN = [f"{letter}{size}" for letter in "bus" for size in (8, 16, 32, 64)] + ["f32", "f64"]


def get(memory, at, size):
    return int.from_bytes(memory[at:at + size // 8], "little")


def put(memory, at, size, value):
    memory[at:at + size // 8] = (value & (1 << size) - 1).to_bytes(size // 8, "little")


def shape(rng):
    """(type, count, offset) of an access; vectors have up to 32 bytes."""
    kind = rng.choice(PLAIN)
    size = SIZES[kind] // 8
    count = rng.choice([1, 1, 1, 2, 4])
    if rng.random() < 0.1 and size in (4, 8):
        count = 8 if size == 4 else 4
    elif count * size > 16:
        count = 1
    step = min(count * size, 16)
    return kind, count, rng.randrange(0, SIZE - count * size + 1, step)


def vector(first, count):
    names = ", ".join(f"{{{first + i}}}" for i in range(count))
    return f"{{{{{names}}}}}" if count > 1 else names


def width(rng, kind, count):
    """Of the registers of a vector; there are enough of each."""
    if count == 1:
        return None
    return SIZES[kind] if count == 8 else rng.choice([w for w in (16, 32, 64) if w >= SIZES[kind]])


def words(*parts):
    return ".".join(part for part in parts if part)


def load(rng):
    space = rng.choice(list(READABLE))
    kind, count, offset = shape(rng)
    if count * SIZES[kind] > 128 and space not in ("global", "global "):
        space = "global"
    name, address = READABLE[space]
    volatile = "volatile" if name in ("global", "shared", "") and rng.random() < 0.1 else ""
    size = SIZES[kind]

    def compute(memory):
        values = [get(memory, offset + i * size // 8, size) for i in range(count)]
        return tuple(values)
    opcode = "ldu" if name == "global" and not volatile and count * size <= 128 and rng.random() < 0.1 else "ld"
    text = words(opcode, volatile, name, f"v{count}" if count > 1 else "", kind)
    return Form(f"{text} {vector(0, count)}, [{address}+{offset}]", (kind,) * count, (), compute, relaxed=True,
                width=width(rng, kind, count), space=space.strip())


def store(rng):
    space = rng.choice(list(WRITABLE))
    kind, count, offset = shape(rng)
    if count * SIZES[kind] > 128 and space not in ("global", "global "):
        space = "global"
    name, address = WRITABLE[space]
    size = SIZES[kind]

    def compute(memory, *values):
        for i, value in enumerate(values):
            put(memory, offset + i * size // 8, size, value)
        return ()
    text = words("st", name, f"v{count}" if count > 1 else "", kind)
    return Form(f"{text} [{address}+{offset}], {vector(0, count)}", (), (kind,) * count, compute, relaxed=True,
                width=width(rng, kind, count), constants=count == 1 and size > 8, space=space.strip())


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
    space = rng.choice([s for s in WRITABLE if "local" not in s])
    name, kind, function = rng.choice(OPERATIONS)
    if kind == "f32" and space.startswith("global"):
        function = float_sum("f32", True)  # by the PTX ISA, in global memory alone
    size = SIZES[kind]
    at = rng.randrange(0, SIZE, size // 8)
    reduce = name != "exch" and rng.random() < 0.4

    def compute(memory, value):
        old = get(memory, at, size)
        put(memory, at, size, cut(kind, function(old, value)))
        return () if reduce else old
    space_name, address = WRITABLE[space]
    opcode = words("red" if reduce else "atom", space_name, name, kind)
    operands = f"[{address}+{at}], {{0}}" if reduce else f"{{0}}, [{address}+{at}], {{1}}"
    return Form(f"{opcode} {operands}", () if reduce else (kind,), (kind,), compute,
                constants=kind in ("u32", "s32", "b32", "u64", "s64", "b64", "f32", "f64"), space=space.strip())


def compare_and_swap(rng):
    space = rng.choice([s for s in WRITABLE if "local" not in s])
    kind = rng.choice(["b16", "b32", "b64"])
    size = SIZES[kind]
    at = rng.randrange(0, SIZE, size // 8)

    def compute(memory, expected, value):
        old = get(memory, at, size)
        if old == expected:
            put(memory, at, size, value)
        return old
    space_name, address = WRITABLE[space]
    return Form(f"{words('atom', space_name, 'cas', kind)} {{0}}, [{address}+{at}], {{1}}, {{2}}", (kind,), (kind, kind),
                compute, constants=size > 16, space=space.strip())


FORMS = [(4, load), (4, store), (3, atomic), (1, compare_and_swap)]
