"""cvt between all types, and cvt.pack, by the definition of PTX and docs/ptx-accuracy.md."""
from reference import ieee
from reference.form import Form, clamp, cut, joined, limits, number, parts, simple
from reference.operands import FLOATS, SIZES

INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]
SMALL = {"e4m3": ieee.E4M3, "e5m2": ieee.E5M2, "e2m3": ieee.E2M3, "e3m2": ieee.E3M2, "e2m1": ieee.E2M1}


def some(rng, word):
    return [word] if rng.random() < 0.4 else []


def opcode(words, target, source):
    return ".".join(["cvt", *words, target, source])


def plain(words, target, source, compute):
    """cvt of one value. Beside bf16 each register has the size of its type."""
    return simple(opcode(words, target, source), target, [source], compute, relaxed="bf16" not in (source, target),
                  constants=source not in ("f16", "bf16"))


def between_integers(rng):
    source, target = rng.choice(INTEGERS), rng.choice(INTEGERS)
    held = limits(source)[0] >= limits(target)[0] and limits(source)[1] <= limits(target)[1]
    saturate = [] if held else some(rng, "sat")

    def compute(a):
        value = number(source, a)
        return cut(target, clamp(target, value) if saturate else value)
    return plain(saturate, target, source, compute)


def from_integer(rng):
    target = rng.choice(list(FLOATS))
    source = rng.choice(INTEGERS)
    form, direction = FLOATS[target], rng.choice(ieee.DIRECTIONS)
    saturate = some(rng, "sat") if target != "bf16" else []

    def compute(a):
        value = number(source, a)
        result = ieee.rounded(form, direction, int(value < 0), abs(value), 0) if value else 0
        return ieee.saturated(form, result) if saturate else result
    return plain([direction, *saturate], target, source, compute)


def not_a_number(target, source):
    """Of a NaN: 0, or the top bit alone where 64 bits take part."""
    wide = source == "f64" or target in ("u64", "s64")
    return 1 << SIZES[target] - 1 if wide else 0


def to_integer(rng):
    source = rng.choice(list(FLOATS))
    target = rng.choice(INTEGERS)
    form, direction = FLOATS[source], rng.choice(ieee.DIRECTIONS)
    words = [direction + "i"]
    words += some(rng, "ftz") if source == "f32" else []
    words += some(rng, "sat") if source != "bf16" else []

    def compute(a):
        if "ftz" in words:
            a = form.flush(a)
        sign, digits, _ = form.decode(a)
        if digits == ieee.NAN:
            return not_a_number(target, source)
        if digits == ieee.INF:
            return cut(target, limits(target)[not sign])
        sign, digits = ieee.integral(form, direction, a)
        return cut(target, clamp(target, -digits if sign else digits))
    return plain(words, target, source, compute)


WIDER = {("f16", "f32"), ("f16", "f64"), ("bf16", "f32"), ("bf16", "f64"), ("f32", "f64")}


def wide_nan(source, target, bits):
    """The NaN of a conversion to f64."""
    if source == "f32":
        payload = (bits & 0x7fffff) << 29
        return ieee.quiet(ieee.F64, bits >> 31 << 63 | ieee.F64.infinity | payload)
    return 0x7fffffffe0000000 if source in ("f16", "bf16") else ieee.quiet(ieee.F64, bits)


def between_floats(rng):
    source, target = rng.choice(list(FLOATS)), rng.choice(list(FLOATS))
    low, high, direction = FLOATS[source], FLOATS[target], rng.choice(ieee.DIRECTIONS)
    words = some(rng, "ftz") if "f32" in (source, target) else []
    saturate = [] if "bf16" in (source, target) else some(rng, "sat")
    if source == target:
        words = [direction + "i"] * (rng.random() < 0.7) + words
    elif (source, target) not in WIDER:
        words = [direction] + words
    words += saturate

    def compute(a):
        if "ftz" in words and source == "f32":
            a = low.flush(a)
        if low.is_nan(a):
            result = wide_nan(source, target, a) if target == "f64" else high.nan
        elif source == target and words[:1] == [direction + "i"] and low.decode(a)[1] != ieee.INF:
            sign, digits = ieee.integral(low, direction, a)
            result = ieee.rounded(low, "rn", sign, digits, 0) if digits else a & low.sign_bit
        else:
            result = ieee.convert(low, high, direction, a)
        if "ftz" in words and target == "f32":
            result = high.flush(result)
        return ieee.saturated(high, result) if saturate else result
    return plain(words, target, source, compute)


def limited(rng):
    """From f32 to f16, bf16, pairs of them and tf32, with .relu and .satfinite."""
    target = rng.choice(["f16", "bf16", "f16x2", "bf16x2", "tf32"])
    direction = rng.choice(["rn", "rz", "rna"] if target == "tf32" else ["rn", "rz"])
    finite, relu = some(rng, "satfinite"), some(rng, "relu") if direction != "rna" else []
    form = {"tf32": ieee.TF32}.get(target) or FLOATS[target.removesuffix("x2")]

    def one(a):
        result = ieee.convert(ieee.F32, form, direction, a, bool(finite))
        result = ieee.relu(form, result) if relu else result
        if target == "tf32":
            return 0x7fffffff if form.is_nan(result) else result << 13
        return result
    words = [direction, *relu, *finite]
    if not target.endswith("x2"):
        return simple(opcode(words, target, "f32"), target, ["f32"], one, relaxed=target == "f16")
    return simple(opcode(words, target, "f32"), target, ["f32", "f32"], lambda a, b: one(a) << 16 | one(b),
                  relaxed=target == "f16x2")


def field_size(name):
    return 4 if name == "e2m1" else 8


def to_small(rng):
    """Two numbers to 8, 6 or 4 bits each; the first source is the upper one."""
    name, source = rng.choice(list(SMALL)), rng.choice(["f32", "f16x2"])
    if source == "f16x2" and name in ("e2m3", "e3m2"):
        source = "f32"
    form, relu = SMALL[name], some(rng, "relu")
    size = field_size(name)

    def one(source_form, a):
        result = ieee.convert(source_form, form, "rn", a, True)
        return ieee.relu(form, result) if relu else result

    def compute(*values):
        if source == "f16x2":
            return joined([one(ieee.F16, a) for a in parts(values[0], 16, 2)], size)
        return joined([one(ieee.F32, a) for a in reversed(values)], size)
    return simple(opcode(["rn", "satfinite", *relu], name + "x2", source), f"x{2 * size}",
                  [source] * (1 if source == "f16x2" else 2), compute, constants=source == "f32")


def from_small(rng):
    name, relu = rng.choice(list(SMALL)), some(rng, "relu")
    form, size = SMALL[name], field_size(name)

    def compute(a):
        fields = [ieee.convert(form, ieee.F16, "rn", field & (1 << form.bits) - 1)
                  for field in parts(a, size, 2)]
        return joined([ieee.relu(ieee.F16, f) if relu else f for f in fields], 16)
    return simple(opcode(["rn", *relu], "f16x2", name + "x2"), "x32", [f"x{2 * size}"], compute, constants=False)


def power(direction, form, bits, finite):
    """ue8m0: a power of two, its exponent plus 127."""
    _, digits, exponent = form.decode(bits)
    if digits == ieee.NAN:
        return 0xff
    if digits == ieee.INF:
        return 0xfe if finite else 0xff
    if not digits:
        return 0
    lead = digits.bit_length() - 1
    exponent += lead + (direction == "rp" and digits != 1 << lead)
    if exponent > 127:
        return 0xfe if finite else 0xff
    return max(exponent + 127, 0)


def powers(rng):
    """To and from ue8m0x2."""
    direction, finite = rng.choice(["rz", "rp"]), some(rng, "satfinite")
    kind = rng.choice(["f32", "bf16x2", "back"])
    if kind == "back":
        def back(a):
            return joined([ieee.BF16.nan if f == 0xff else f << 7 or 0x40 for f in parts(a, 8, 2)], 16)
        return simple("cvt.rn.bf16x2.ue8m0x2", "x32", ["x16"], back, constants=False)
    text = opcode([direction, *finite], "ue8m0x2", kind)
    if kind == "f32":
        return simple(text, "x16", ["f32", "f32"], lambda a, b: power(direction, ieee.F32, a, finite) << 8
                      | power(direction, ieee.F32, b, finite))
    return simple(text, "x16", ["bf16x2"], lambda a: joined(
        [power(direction, ieee.BF16, f, finite) for f in parts(a, 16, 2)], 8), constants=False)


def stochastic(rng):
    """.rs: random bits decide about the digits that are cut off."""
    name, relu = rng.choice(["f16", "bf16", *SMALL]), some(rng, "relu")
    form = SMALL.get(name) or FLOATS[name]
    finite = some(rng, "satfinite") if name in FLOATS else ["satfinite"]

    def one(a, width, bits):
        result = ieee.convert(ieee.F32, form, "rs", a, bool(finite), (width, bits & (1 << width) - 1))
        return ieee.relu(form, result) if relu else result
    words = ["rs", *relu, *finite]
    if name in FLOATS:
        width = 13 if name == "f16" else 16

        def pair(a, b, bits):
            return one(a, width, bits >> 16) << 16 | one(b, width, bits)
        return simple(opcode(words, name + "x2", "f32"), "x32", ["f32", "f32", "x32"], pair, constants=False)

    def four(a, b, c, d, bits):
        shifts, width = ([24, 8, 16, 0], 8) if name == "e2m1" else ([16, 16, 0, 0], 16)
        codes = [one(v, width, bits >> shift) for v, shift in zip((a, b, c, d), shifts)]
        return joined(codes[::-1], field_size(name))
    return Form(f"{opcode(words, name + 'x4', 'f32')} {{0}}, {{{{{{1}}, {{2}}, {{3}}, {{4}}}}}}, {{5}}",
                ("x16" if name == "e2m1" else "x32",), ("f32",) * 4 + ("x32",), four, constants=False)


def pack(rng):
    """cvt.pack: two clamped integers above the low bits of c."""
    target = rng.choice(["u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"])
    size, is_signed = int(target[1:]), target[0] == "s"
    low, high = (-1 << size - 1, (1 << size - 1) - 1) if is_signed else (0, (1 << size) - 1)
    third = size < 16

    def compute(a, b, c=0):
        fields = [min(max(number("s32", v), low), high) & (1 << size) - 1 for v in (b, a)]
        return (c << 2 * size | joined(fields, size)) & 0xffffffff
    return simple(f"cvt.pack.sat.{target}.s32{'.b32' * third}", "u32", ["s32", "s32"] + ["u32"] * third, compute)


FORMS = [(3, between_integers), (3, from_integer), (4, to_integer), (4, between_floats), (2, limited), (2, to_small),
         (2, from_small), (1, powers), (2, stochastic), (1, pack)]
