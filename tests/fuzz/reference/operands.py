"""Values at the edges of the types, as patterns of bits: what random operands are made of."""
from reference import ieee

SIZES = {"pred": 1, "b8": 8, "u8": 8, "s8": 8, "b16": 16, "u16": 16, "s16": 16, "f16": 16, "bf16": 16, "b32": 32,
         "u32": 32, "s32": 32, "f32": 32, "f16x2": 32, "bf16x2": 32, "u16x2": 32, "s16x2": 32, "tf32": 32, "b64": 64,
         "u64": 64, "s64": 64, "f64": 64, "f32x2": 64, "x8": 8, "x16": 16, "x32": 32, "x64": 64}
FLOATS = {"f16": ieee.F16, "bf16": ieee.BF16, "f32": ieee.F32, "f64": ieee.F64}
PAIRS = {"f16x2": "f16", "bf16x2": "bf16", "f32x2": "f32", "u16x2": "u16", "s16x2": "s16"}


def halfway(rng, bits):
    """A few leading digits, then a one and zeros, or the next pattern to that."""
    cut = rng.randrange(bits)
    return (rng.getrandbits(bits) >> cut << cut | 1 << cut) + rng.choice([0, 0, 0, 1, -1])


def integer(rng, bits):
    kind = rng.random()
    if kind < 0.1:
        value = halfway(rng, rng.randint(1, bits))
    elif kind < 0.2:
        value = rng.choice([0, 1, 2, 3, 5, 7, 10, 255, 256])
    elif kind < 0.3:
        value = -rng.choice([1, 2, 3, 7, 128, 129])
    elif kind < 0.6:
        value = (1 << rng.randrange(bits)) + rng.choice([-1, 0, 1])
        value = -value if rng.random() < 0.3 else value
    elif kind < 0.7:
        value = int.from_bytes(rng.choices([0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff], k=bits // 8), "little")
    elif kind < 0.8:
        value = rng.getrandbits(rng.randint(1, bits))
    else:
        value = rng.getrandbits(bits)
    return value & (1 << bits) - 1


def sparse(rng, bits):
    """Digits with few ones, few zeros or random ones: such numbers make halves when they are rounded."""
    kind = rng.random()
    if kind < 0.2:
        return halfway(rng, bits) & (1 << bits) - 1
    if kind < 0.6:
        value = 0
        for _ in range(rng.randint(0, 3)):
            value |= 1 << rng.randrange(bits)
        return value if kind < 0.4 else (1 << bits) - 1 ^ value
    return rng.getrandbits(bits)


def floating(rng, form):
    kind = rng.random()
    sign = rng.getrandbits(1) << form.bits - 1
    fraction = form.fraction
    if kind < 0.08:
        return sign | rng.choice([0, form.infinity])
    if kind < 0.14:
        return sign | form.infinity + rng.choice([1, 1 << fraction - 1, rng.randint(1, (1 << fraction) - 1)])
    if kind < 0.22:
        return sign | rng.choice([1, rng.randrange(1 << fraction), (1 << fraction) - rng.randint(0, 2), 1 << fraction])
    if kind < 0.26:
        return sign | form.largest - rng.choice([0, 0, 1, sparse(rng, fraction)])
    if kind < 0.5:
        exponent = form.bias + rng.randint(-4, 4)
        return sign | (exponent << fraction) + sparse(rng, fraction) + rng.choice([0, 0, 0, 1, -1])
    if kind < 0.6:
        # An integer or half of one, near a limit of the integer types.
        value = rng.choice([rng.randint(0, 64), (1 << rng.randint(1, 65)) + rng.randint(-1, 1)])
        return ieee.rounded(form, rng.choice(["rz", "rn"]), 0, value, rng.choice([0, -1, -2])) | sign if value else sign
    exponent = rng.randint(0, form.last_exponent - 1)
    return sign | exponent << fraction | sparse(rng, fraction)


def value(rng, kind):
    """A value of a type, or of a type with a range: "u32<64" is below 64."""
    if "<" in kind:
        kind, limit = kind.split("<")
        return rng.randrange(int(limit))
    if kind.endswith("~"):  # mostly what shifts and positions of bits need
        return value(rng, kind[:-1]) if rng.random() < 0.2 else rng.randint(0, 70)
    if kind in PAIRS:
        half = SIZES[kind] // 2
        return value(rng, PAIRS[kind]) << half | value(rng, PAIRS[kind])
    if kind in FLOATS:
        return floating(rng, FLOATS[kind])
    return integer(rng, SIZES[kind]) if SIZES[kind] > 1 else rng.getrandbits(1)


def near(rng, form, bits):
    """A number that nearly cancels another one, or lies around its last digits."""
    kind, rest = rng.random(), form.sign_bit - 1
    if kind < 0.3:
        return (bits ^ form.sign_bit) & ~rest | (bits & rest) + rng.choice([0, 0, 1, -1, 2]) & rest
    exponent = (bits & rest) >> form.fraction
    exponent = min(max(exponent + rng.choice([-1, 0, 1, 2, form.precision, 1 - form.precision, -form.precision,
                                              -form.precision - 1, -form.precision - 2]), 0), form.last_exponent - 1)
    return rng.getrandbits(1) << form.bits - 1 | exponent << form.fraction | sparse(rng, form.fraction)


def row(rng, kinds):
    """One value for each of the kinds; some depend on those before them."""
    values = [value(rng, kind) for kind in kinds]
    forms = [FLOATS.get(kind) for kind in kinds]
    chance = rng.random()
    if chance < 0.4 and len(kinds) >= 2 and kinds[0] == kinds[1]:
        if forms[0]:
            values[1] = near(rng, forms[0], values[0])
        else:
            bits = SIZES.get(kinds[0], 1)
            values[1] = values[0] + rng.choice([0, 0, 1, -1]) & (1 << bits) - 1 if bits > 1 else values[1]
    if chance > 0.4 and len(kinds) == 3 and forms[0] and forms[2] is forms[0] is forms[1]:
        product = ieee.mul(forms[0], "rn", values[0], values[1])
        if not forms[0].is_nan(product):
            values[2] = near(rng, forms[0], product)
    return values
