"""Integer arithmetic, by the definition of PTX, on Python's integers."""
from reference.form import by_parts, clamp, cut, number, signed, simple
from reference.operands import SIZES

KINDS = ["u16", "s16", "u32", "s32", "u64", "s64"]
WIDE = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}
WORDS = ["u32", "s32", "u64", "s64"]


def arithmetic(kind, function, last=None):
    """A function of the values, wrapped to the type of the result."""
    def compute(*values):
        numbers = [number(kind, v) for v in values]
        if last:
            numbers[-1] = number(last, values[-1])
        return cut(last or kind, function(*numbers))
    return compute


def add_sub(rng):
    name, function = rng.choice([("add", lambda a, b: a + b), ("sub", lambda a, b: a - b)])
    kind = rng.choice(KINDS + ["u16x2", "s16x2"])
    if kind.endswith("x2"):
        return simple(f"add.{kind}", kind, [kind, kind], by_parts(lambda a, b: a + b & 0xffff, 16, 2), constants=False)
    if kind == "s32" and rng.random() < 0.5:
        return simple(f"{name}.sat.s32", kind, [kind, kind],
                      arithmetic(kind, lambda a, b: clamp("s32", function(a, b))))
    return simple(f"{name}.{kind}", kind, [kind, kind], arithmetic(kind, function))


def half(kind, part, product):
    return product >> SIZES[kind] if part == "hi" else product


def mul_mad(rng):
    kind, part, fused = rng.choice(KINDS), rng.choice(["lo", "hi", "wide"]), rng.random() < 0.6
    if part == "wide":
        kind = rng.choice(list(WIDE))
    result = WIDE[kind] if part == "wide" else kind
    if not fused:
        return simple(f"mul.{part}.{kind}", result, [kind, kind], lambda a, b: cut(
            result, half(kind, part, number(kind, a) * number(kind, b))))
    saturate = kind == "s32" and part == "hi" and rng.random() < 0.5
    function = lambda a, b, c: half(kind, part, a * b) + c  # noqa: E731
    if saturate:
        return simple("mad.hi.sat.s32", kind, [kind] * 3,
                      arithmetic(kind, lambda a, b, c: clamp(kind, function(a, b, c))))
    return simple(f"mad.{part}.{kind}", result, [kind, kind, result], arithmetic(kind, function, result))


def mul24(rng):
    kind, part, fused = rng.choice(["u32", "s32"]), rng.choice(["lo", "hi"]), rng.random() < 0.5

    def product(a, b):
        low = [v & 0xffffff for v in (a, b)]
        if kind == "s32":
            low = [signed(v, 24) for v in low]
        return low[0] * low[1] >> (16 if part == "hi" else 0)

    def partial(a, b):
        """The half that mad24 adds to: 32 bits of the product."""
        bits = cut(kind, product(a, b))
        return number(kind, bits)

    if not fused:
        return simple(f"mul24.{part}.{kind}", kind, [kind, kind], lambda a, b: cut(kind, product(a, b)))
    if kind == "s32" and part == "hi" and rng.random() < 0.5:
        return simple("mad24.hi.sat.s32", kind, [kind] * 3,
                      lambda a, b, c: cut(kind, clamp(kind, partial(a, b) + number(kind, c))))
    return simple(f"mad24.{part}.{kind}", kind, [kind] * 3, lambda a, b, c: cut(kind, partial(a, b) + c))


def quotient(a, b):
    magnitude = abs(a) // abs(b)
    return -magnitude if (a < 0) != (b < 0) else magnitude


def div_rem(rng):
    """A zero divisor gives all ones, as docs/ptx-accuracy.md says."""
    kind, name = rng.choice(KINDS), rng.choice(["div", "rem"])

    def compute(a, b):
        if not b:
            return -1
        return quotient(a, b) if name == "div" else a - b * quotient(a, b)
    return simple(f"{name}.{kind}", kind, [kind, kind], arithmetic(kind, compute))


def one_source(rng):
    name, function = rng.choice([("neg", lambda a: -a), ("abs", abs)])
    kind = rng.choice(["s16", "s32", "s64"])
    return simple(f"{name}.{kind}", kind, [kind], arithmetic(kind, function))


def min_max(rng):
    name, function = rng.choice([("min", min), ("max", max)])
    kind = rng.choice(KINDS + ["u16x2", "s16x2"])
    relu = kind in ("s32", "s16x2") and rng.random() < 0.5
    clipped = (lambda a, b: max(function(a, b), 0)) if relu else function
    opcode = f"{name}{'.relu' if relu else ''}.{kind}"
    if kind.endswith("x2"):
        return simple(opcode, kind, [kind, kind], by_parts(arithmetic(kind[:3], clipped), 16, 2), constants=False)
    return simple(opcode, kind, [kind, kind], arithmetic(kind, clipped))


def sad(rng):
    kind = rng.choice(KINDS)
    return simple(f"sad.{kind}", kind, [kind] * 3, arithmetic(kind, lambda a, b, c: c + abs(a - b)))


def dot_product(rng):
    first, second, part = rng.choice(["u32", "s32"]), rng.choice(["u32", "s32"]), rng.choice(["4", "lo", "hi"])
    result = "u32" if first == second == "u32" else "s32"

    def field(kind, value, size, i):
        bits = value >> size * i & (1 << size) - 1
        return signed(bits, size) if kind == "s32" else bits

    def four(a, b, c):
        return cut("u32", c + sum(field(first, a, 8, i) * field(second, b, 8, i) for i in range(4)))

    def two(a, b, c):
        skip = 2 if part == "hi" else 0
        return cut("u32", c + sum(field(first, a, 16, i) * field(second, b, 8, i + skip) for i in range(2)))
    opcode = "dp4a" if part == "4" else f"dp2a.{part}"
    return simple(f"{opcode}.{first}.{second}", result, [first, second, result], four if part == "4" else two)


def carry_chain(rng):
    """A difference is a + ~b + 1: the flag is 1 where nothing is borrowed."""
    name = rng.choice(["add.cc", "addc", "addc.cc", "sub.cc", "subc", "subc.cc"])
    kind = rng.choice(WORDS)
    size, writes = SIZES[kind], name.endswith(".cc")
    mask = (1 << size) - 1

    def compute(flag, a, b):
        if name.startswith("sub"):
            b ^= mask
        start = flag if name[3] == "c" else int(name.startswith("sub"))
        total = a + b + start
        return total & mask, total >> size if writes else flag
    return simple(f"{name}.{kind}", kind, [kind, kind], compute, carry=True)


def carry_products(rng):
    name, part, kind = rng.choice(["mad", "madc", "madc"]), rng.choice(["lo", "hi"]), rng.choice(WORDS)
    writes = name == "mad" or rng.random() < 0.5
    size = SIZES[kind]

    def compute(flag, a, b, c):
        product = cut(kind, half(kind, part, number(kind, a) * number(kind, b)))
        total = product + c + (flag if name == "madc" else 0)
        return total & (1 << size) - 1, total >> size if writes else flag
    return simple(f"{name}.{part}{'.cc' if writes else ''}.{kind}", kind, [kind] * 3, compute, carry=True)


FORMS = [(3, add_sub), (3, mul_mad), (1, mul24), (2, div_rem), (1, one_source), (2, min_max), (1, sad),
         (1, dot_product), (3, carry_chain), (2, carry_products)]
