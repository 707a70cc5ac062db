"""Floating-point arithmetic that is exact but for one rounding, by the definition of PTX and docs/ptx-accuracy.md."""
from reference import ieee
from reference.form import by_parts, simple
from reference.operands import FLOATS, PAIRS, SIZES

OPERATIONS = {"add": (ieee.add, 2), "sub": (ieee.sub, 2), "mul": (ieee.mul, 2), "fma": (ieee.fma, 3)}
NARROW = ["f16", "bf16", "f16x2", "bf16x2"]


def maybe(rng, word, allowed=True):
    return [word] if allowed and rng.random() < 0.4 else []


def spread(kind, function):
    """The function of one number, for the numbers of a register of the type."""
    return by_parts(function, SIZES[kind] // 2, 2) if kind in PAIRS else function


def modified(form, words, function):
    """With what .ftz, .sat and .relu among the words do to operands and result."""
    def compute(*values):
        if "ftz" in words:
            values = [form.flush(v) for v in values]
        result = function(*values)
        if "ftz" in words:
            result = form.flush(result)
        if "sat" in words:
            result = ieee.saturated(form, result)
        return ieee.relu(form, result) if "relu" in words else result
    return compute


def basic(rng):
    name = rng.choice(list(OPERATIONS))
    kind = rng.choice(NARROW + ["f32", "f32", "f32", "f64", "f64", "f32x2"])
    function, count = OPERATIONS[name]
    form = FLOATS[PAIRS.get(kind, kind)]
    direction = rng.choice(ieee.DIRECTIONS) if kind in ("f32", "f64", "f32x2") else "rn"
    words = [direction] if name == "fma" or direction != "rn" or rng.random() < 0.5 else []
    words += maybe(rng, "ftz", kind in ("f16", "f16x2", "f32", "f32x2"))
    if name == "fma" and kind in NARROW and rng.random() < 0.4:
        words += ["relu"]
    else:
        words += maybe(rng, "sat", kind in ("f16", "f16x2", "f32"))
    if name == "fma" and kind in ("f32", "f64") and rng.random() < 0.3:
        name = "mad"
    compute = modified(form, words, lambda *values: function(form, direction, *values))
    return simple(".".join([name, *words, kind]), kind, [kind] * count, spread(kind, compute),
                  constants=kind in ("f32", "f64"))


def mixed(rng):
    """Operands of f16 or bf16 with one of f32: the sum is rounded once, to f32."""
    name, narrow = rng.choice(["add", "sub", "fma"]), rng.choice(["f16", "bf16"])
    function, count = OPERATIONS[name]
    direction = rng.choice(ieee.DIRECTIONS)
    words = [direction] if name == "fma" or direction != "rn" or rng.random() < 0.5 else []
    words += maybe(rng, "sat")

    def compute(*values):
        wide = [ieee.convert(FLOATS[narrow], ieee.F32, "rn", v) for v in values[:-1]]
        return function(ieee.F32, direction, *wide, values[-1])
    return simple(".".join([name, *words, "f32", narrow]), "f32", [narrow] * (count - 1) + ["f32"],
                  modified(ieee.F32, words, compute), constants=False)


def quotients(rng):
    name, kind = rng.choice(["div", "rcp", "sqrt"]), rng.choice(["f32", "f64"])
    form, direction = FLOATS[kind], rng.choice(ieee.DIRECTIONS)
    words = [direction] + maybe(rng, "ftz", kind == "f32")
    function = {"div": lambda a, b: ieee.div(form, direction, a, b),
                "rcp": lambda a: ieee.div(form, direction, form.one, a),
                "sqrt": lambda a: ieee.sqrt(form, direction, a)}[name]
    return simple(".".join([name, *words, kind]), kind, [kind] * (2 if name == "div" else 1),
                  modified(form, words, function))


def signs(rng):
    """neg, abs and copysign: the sign bit alone, of NaNs too."""
    name, kind = rng.choice(["neg", "abs", "copysign"]), rng.choice(NARROW + ["f32", "f64"])
    if name == "copysign":
        kind = rng.choice(["f32", "f64"])
        sign = FLOATS[kind].sign_bit
        return simple(f"copysign.{kind}", kind, [kind, kind], lambda a, b: a & sign | b & ~sign)
    form = FLOATS[PAIRS.get(kind, kind)]
    words = maybe(rng, "ftz", kind in ("f16", "f16x2", "f32"))
    change = (lambda a: a ^ form.sign_bit) if name == "neg" else (lambda a: a & ~form.sign_bit)
    return simple(".".join([name, *words, kind]), kind, [kind], spread(kind, modified(form, words, change)),
                  constants=kind in ("f32", "f64"))


def extremes(rng):
    name, choose = rng.choice([("min", min), ("max", max)])
    kind = rng.choice(NARROW + ["f32", "f32", "f64"])
    form = FLOATS[PAIRS.get(kind, kind)]
    words = maybe(rng, "ftz", kind in ("f16", "f16x2", "f32")) + maybe(rng, "NaN", kind != "f64")
    three = kind == "f32" and rng.random() < 0.4
    words += maybe(rng, "abs" if three else "xorsign.abs", kind != "f64")

    def compute(*values):
        sign = values[0] ^ values[1] if "xorsign.abs" in words else 0
        if words and "abs" in words[-1]:
            values = [v & ~form.sign_bit for v in values]
        result = values[0]
        for value in values[1:]:
            result = ieee.extreme(form, choose, result, value, "NaN" in words)
        return result if form.is_nan(result) else result | sign & form.sign_bit
    return simple(".".join([name, *words, kind]), kind, [kind] * (3 if three else 2),
                  spread(kind, modified(form, words, compute)), constants=kind in ("f32", "f64"))


def test(rng):
    kind = rng.choice(["f32", "f64"])
    form = FLOATS[kind]
    name = rng.choice(["finite", "infinite", "number", "notanumber", "normal", "subnormal"])

    def compute(a):
        digits = form.decode(a)[1]
        finite = digits not in (ieee.NAN, ieee.INF)
        return int({"finite": finite, "infinite": digits == ieee.INF, "number": digits != ieee.NAN,
                    "notanumber": digits == ieee.NAN, "normal": finite and not form.is_subnormal(a),
                    "subnormal": form.is_subnormal(a)}[name])
    return simple(f"testp.{name}.{kind}", "pred", [kind], compute)


FORMS = [(8, basic), (2, mixed), (3, quotients), (2, signs), (4, extremes), (1, test)]
