"""Logic, shifts, fields and permutations of bits, moves between registers, by the definition of PTX."""
from reference.form import Form, cut, joined, number, parts, signed, simple
from reference.operands import SIZES, value

UNTYPED = ["b16", "b32", "b64"]


def logic(rng):
    name, function = rng.choice([("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)])
    kind = rng.choice(UNTYPED + ["pred"])
    return simple(f"{name}.{kind}", kind, [kind, kind], function, constants=kind != "pred")


def one_source(rng):
    name, kind = rng.choice(["not", "cnot", "brev", "clz", "popc", "mov"]), rng.choice(UNTYPED + ["pred"])
    if kind == "pred":
        name = rng.choice(["not", "mov"])
    elif name in ("brev", "clz", "popc") and kind == "b16":
        kind = "b32"
    size = SIZES[kind]
    function = {
        "not": lambda a: a ^ (1 << size) - 1,
        "cnot": lambda a: int(not a),
        "brev": lambda a: int(f"{a:0{size}b}"[::-1], 2),
        "clz": lambda a: size - a.bit_length(),
        "popc": int.bit_count,
        "mov": lambda a: a,
    }[name]
    written = rng.choice([kind, kind.replace("b", rng.choice("us"))]) if name == "mov" and kind != "pred" else kind
    return simple(f"{name}.{written}", "u32" if name in ("clz", "popc") else written, [written], function,
                  constants=kind != "pred")


def lop3(rng):
    table, kind = rng.randrange(256), rng.choice(["plain", "and", "or"])

    def compute(a, b, c):
        result = 0
        for i in range(8):
            if table >> i & 1:
                result |= (a if i & 4 else ~a) & (b if i & 2 else ~b) & (c if i & 1 else ~c)
        return result & 0xffffffff
    if kind == "plain":
        return Form(f"lop3.b32 {{0}}, {{1}}, {{2}}, {{3}}, {table:#x}", ("b32",), ("b32",) * 3, compute)

    def combined(a, b, c, q):
        result = compute(a, b, c)
        return result, bool(result) & q if kind == "and" else bool(result) | q
    return Form(f"lop3.{kind}.b32 {{0}}|{{1}}, {{2}}, {{3}}, {{4}}, {table:#x}, {{5}}", ("b32", "pred"),
                ("b32", "b32", "b32", "pred"), combined)


def shift(rng):
    kind = rng.choice(["u16", "u32", "u64", "s16", "s32", "s64"])
    if rng.random() < 0.5:
        kind = kind.replace(kind[0], "b")
        return simple(f"shl.{kind}", kind, [kind, "u32~"], lambda a, n: cut(kind, a << min(n, SIZES[kind])))
    written = kind.replace("u", rng.choice("ub"))
    return simple(f"shr.{written}", written, [written, "u32~"],
                  lambda a, n: cut(kind, number(kind, a) >> min(n, SIZES[kind])))


def funnel(rng):
    side, mode = rng.choice("lr"), rng.choice(["clamp", "wrap"])

    def compute(a, b, c):
        n = min(c, 32) if mode == "clamp" else c & 31
        both = b << 32 | a
        return (both << n >> 32 if side == "l" else both >> n) & 0xffffffff
    return simple(f"shf.{side}.{mode}.b32", "b32", ["b32", "b32", "u32~"], compute)


def field(*kinds):
    """A maker of operands, of which the last two are a position and a length: as numbers they go to 255."""
    return lambda rng: [value(rng, kind) for kind in kinds] + [
        rng.randrange(256) if rng.random() < 0.2 else rng.randint(0, 66) for _ in range(2)]


def extract(rng):
    kind = rng.choice(["u32", "s32", "u64", "s64"])
    size = SIZES[kind]

    def compute(a, b, c):
        start, length = b & 255, c & 255
        sign = a >> min(start + length - 1, size - 1) & 1 if kind[0] == "s" and length else 0
        bits = a >> start & (1 << length) - 1
        known = max(min(length, size - start), 0)
        return bits | (sign * ((1 << size) - 1) >> known << known)
    return simple(f"bfe.{kind}", kind, [kind, "u32~", "u32~"], compute, operands=field(kind))


def insert(rng):
    kind = rng.choice(["b32", "b64"])

    def compute(a, b, c, d):
        mask = cut(kind, (1 << (d & 255)) - 1 << (c & 255))
        return b & ~mask | a << (c & 255) & mask
    return simple(f"bfi.{kind}", kind, [kind, kind, "u32~", "u32~"], compute, operands=field(kind, kind))


def find_bit(rng):
    kind, amount = rng.choice(["u32", "s32", "u64", "s64"]), rng.random() < 0.5
    size = SIZES[kind]

    def compute(a):
        if kind[0] == "s" and a >> size - 1:
            a ^= (1 << size) - 1
        if not a:
            return 0xffffffff
        return size - a.bit_length() if amount else a.bit_length() - 1
    return simple(f"bfind{'.shiftamt' if amount else ''}.{kind}", "u32", [kind], compute)


def nth_bit(_):
    def compute(mask, base, offset):
        offset = signed(offset, 32)
        if base > 31:
            return 0xffffffff
        if not offset:
            return base if mask >> base & 1 else 0xffffffff
        step = 1 if offset > 0 else -1
        found = [i for i in range(base, 32 if step > 0 else -1, step) if mask >> i & 1]
        return found[abs(offset) - 1] if abs(offset) <= len(found) else 0xffffffff

    def operands(rng):
        offset = rng.randint(-8, 8) if rng.random() < 0.8 else rng.getrandbits(32)
        return [rng.getrandbits(32) & rng.getrandbits(32), rng.randrange(32), offset & 0xffffffff]
    return simple("fns.b32", "b32", ["b32", "b32", "s32"], compute, operands=operands, constants=False)


# Bytes of {b, a} that each mode of prmt takes for each value of the selector, the lowest byte of the result first.
PERMUTATIONS = {
    "f4e": ["0123", "1234", "2345", "3456"],
    "b4e": ["0765", "1076", "2107", "3210"],
    "rc8": ["0000", "1111", "2222", "3333"],
    "ecl": ["0123", "1123", "2223", "3333"],
    "ecr": ["0000", "0111", "0122", "0123"],
    "rc16": ["0101", "2323", "0101", "2323"],
}


def permute(rng):
    mode = rng.choice(["", "", *PERMUTATIONS])

    def by_selectors(a, b, c):
        source, result = parts(b << 32 | a, 8, 8), []
        for choice in parts(c, 4, 4):
            byte = source[choice & 7]
            result.append((0xff if byte & 0x80 else 0) if choice & 8 else byte)
        return joined(result, 8)

    def by_mode(a, b, c):
        source = parts(b << 32 | a, 8, 8)
        return joined([source[int(i)] for i in PERMUTATIONS[mode][c & 3]], 8)
    return simple(f"prmt.b32{'.' if mode else ''}{mode}", "b32", ["b32"] * 3, by_mode if mode else by_selectors)


def extend(rng):
    kind, mode = rng.choice(["u32", "s32"]), rng.choice(["clamp", "wrap"])

    def compute(a, b):
        n = min(b, 32) if mode == "clamp" else b & 31
        field = a & (1 << n) - 1
        return cut(kind, signed(field, n)) if kind == "s32" and n else field
    return simple(f"szext.{mode}.{kind}", kind, [kind, "u32~"], compute)


def mask(rng):
    mode = rng.choice(["clamp", "wrap"])

    def compute(a, b):
        start, length = (min(v, 32) if mode == "clamp" else v & 31 for v in (a, b))
        return (1 << length) - 1 << start & 0xffffffff
    return simple(f"bmsk.{mode}.b32", "u32", ["u32~", "u32~"], compute)


PACKED = [("b16", "x8"), ("b32", "x8"), ("b32", "x16"), ("b64", "x32"), ("b64", "x16")]  # whole and piece


def pack(rng):
    whole, piece = rng.choice([*PACKED, ("b128", "x64"), ("b128", "x32")])
    count = int(whole[1:]) // SIZES[piece]
    if whole == "b128":
        return through_128(piece, count)
    names = ", ".join(f"{{{i}}}" for i in range(1, count + 1))
    return Form(f"mov.{whole} {{0}}, {{{{{names}}}}}", (whole,), (piece,) * count,
                lambda *fields: joined(fields, SIZES[piece]), constants=False)


def through_128(piece, count):
    """Registers of 64 bits, or of 32, become one of 128 bits, and this becomes registers of the other size."""
    other = "x32" if piece == "x64" else "x64"
    results, size = 6 - count, SIZES[other]
    outward = ", ".join(f"{{{i}}}" for i in range(results))
    inward = ", ".join(f"{{{i}}}" for i in range(results, 6))
    return Form(f"mov.b128 %q, {{{{{inward}}}}}; mov.b128 {{{{{outward}}}}}, %q", (other,) * results, (piece,) * count,
                lambda *fields: tuple(parts(joined(fields, SIZES[piece]), size, results)), constants=False)


def unpack(rng):
    whole, piece = rng.choice(PACKED)
    count = SIZES[whole] // SIZES[piece]
    kept = sorted(rng.sample(range(count), rng.randint(1, count)))
    names = [f"{{{kept.index(i)}}}" if i in kept else "_" for i in range(count)]
    return Form(f"mov.{whole} {{{{{', '.join(names)}}}}}, {{{len(kept)}}}", (piece,) * len(kept), (whole,),
                lambda a: tuple(parts(a, SIZES[piece], count)[i] for i in kept), constants=False)


def move_vector(rng):
    kind = rng.choice(["b16", "b32", "b64"])
    count = 2 if kind == "b64" else rng.choice([2, 4])
    results = ", ".join(f"{{{i}}}" for i in range(count))
    sources = ", ".join(f"{{{i}}}" for i in range(count, 2 * count))
    registers = (kind.replace("b", "x"),) * count
    return Form(f"mov.v{count}.{kind} {{{{{results}}}}}, {{{{{sources}}}}}", registers, registers,
                lambda *fields: fields, constants=False)


def select(rng):
    kind = rng.choice(["b16", "b32", "b64", "u16", "s32", "u64", "f32", "f64"])
    return simple(f"selp.{kind}", kind, [kind, kind, "pred"], lambda a, b, p: a if p else b)


FORMS = [(2, logic), (2, one_source), (2, lop3), (2, shift), (1, funnel), (2, extract), (1, insert), (1, find_bit),
         (1, nth_bit), (2, permute), (1, extend), (1, mask), (1, pack), (1, unpack), (1, move_vector), (1, select)]
