"""Instructions whose error PTX bounds: a result is right when it lies within the bound of docs/ptx-accuracy.md."""
import math
from dataclasses import dataclass
from fractions import Fraction

from reference import ieee
from reference.form import parts, simple
from reference.operands import FLOATS, PAIRS


@dataclass
class Near:
    """A result that differs by at most `error` from the exact value."""
    form: ieee.Format
    exact: Fraction
    error: Fraction
    flushed: bool = False

    def accepts(self, bits):
        sign, digits, exponent = self.form.decode(bits)
        if digits == ieee.NAN:
            return False
        largest = Fraction(2) ** (self.form.last_exponent - self.form.bias)
        if digits == ieee.INF:
            return abs(self.exact) + self.error >= largest * (1 - Fraction(1, 1 << self.form.precision + 1)) and \
                (self.exact < 0) == bool(sign)
        if self.flushed and not digits and abs(self.exact) < Fraction(2) ** (1 - self.form.bias) + self.error:
            return True
        value = Fraction(digits) * Fraction(2) ** exponent
        return abs((-value if sign else value) - self.exact) <= self.error

    def __str__(self):
        return f"{float(self.exact)!r} +- {float(self.error):.3g}"


@dataclass
class Pair:
    """Two results, the lower half first."""
    halves: list

    def accepts(self, bits):
        return all(accepted(half, field) for half, field in zip(self.halves, parts(bits, 16, 2)))

    def __str__(self):
        return " and ".join(str(half) if not isinstance(half, int) else hex(half) for half in self.halves)


class Anything:
    """A result that PTX leaves open."""

    def accepts(self, _):
        return True


def accepted(expected, bits):
    """Whether a pattern is the expected one, or one of those that are right."""
    return bits == expected if isinstance(expected, int) else expected.accepts(bits)


def value_of(form, bits):
    sign, digits, exponent = form.decode(bits)
    value = Fraction(digits) * Fraction(2) ** exponent
    return -value if sign else value


def ulp(form, value):
    """The distance of neighbours at a value."""
    lead = abs(value).numerator.bit_length() - abs(value).denominator.bit_length()
    return Fraction(2) ** max(lead - form.fraction, form.least_exponent)


def near(form, exact, relative=Fraction(0), absolute=Fraction(0), ulps=Fraction(0), flushed=False):
    """Also below the normal numbers half of their distance is an error that no rounding avoids."""
    exact = Fraction(exact)
    least = Fraction(2) ** form.least_exponent * Fraction(51, 100)
    error = abs(exact) * relative + absolute + ulps * ulp(form, exact)
    return Near(form, exact, max(error, least), flushed)


def root(value):
    """A square root with more than 60 digits."""
    scale = 2 * max(0, 140 - value.numerator.bit_length() + value.denominator.bit_length())
    return Fraction(math.isqrt((value.numerator << scale) // value.denominator), 1 << scale // 2)


def sine(name):
    function = getattr(math, name)

    def compute(form, a, flushed):
        _, digits, _ = form.decode(a)
        if digits == ieee.INF:
            return form.nan
        value = value_of(form, a)
        if name == "sin" and not digits:
            return a
        exact = Fraction(function(float(value)))
        if abs(value) > Fraction(314159265, 100000000):
            return near(form, exact, ulps=Fraction(6, 10), flushed=flushed)
        return near(form, exact, absolute=Fraction(2) ** -21 + Fraction(2) ** -24, flushed=flushed)
    return compute


def tanh(form, a, flushed):
    sign, digits, _ = form.decode(a)
    if digits == ieee.INF:
        return form.one | sign << form.bits - 1
    if not digits:
        return a
    exact = Fraction(math.tanh(float(value_of(form, a))))
    if form is ieee.F32:
        return near(form, exact, relative=Fraction(2) ** -11, flushed=flushed)
    return near(form, exact, absolute=Fraction(1, 1986) if form is ieee.F16 else Fraction(1, 256))


def ex2(form, a, flushed):
    sign, digits, _ = form.decode(a)
    if digits == ieee.INF:
        return 0 if sign else form.infinity
    value = min(max(value_of(form, a), Fraction(-1200)), Fraction(1200))
    whole = math.floor(value)
    exact = Fraction(2) ** whole * Fraction(2.0 ** float(value - whole))
    bound = {"f32": Fraction(2) ** -22, "f16": Fraction(1, 955), "bf16": Fraction(1, 128)}[form.name]
    return near(form, exact, relative=bound, flushed=flushed)


def lg2(form, a, flushed):
    sign, digits, exponent = form.decode(a)
    if not digits:
        return form.sign_bit | form.infinity
    if sign:
        return form.nan
    if digits == ieee.INF:
        return form.infinity
    # log2 of 1 + x for a number near 1 keeps the digits of x.
    value = value_of(form, a)
    if Fraction(1, 2) <= value <= 2:
        exact = Fraction(math.log1p(float(value - 1)) / math.log(2))
        return near(form, exact, absolute=Fraction(2) ** -22, flushed=flushed)
    exact = Fraction(math.log2(digits)) + exponent
    return near(form, exact, relative=Fraction(2) ** -22, flushed=flushed)


def rcp(form, a, flushed):
    sign, digits, _ = form.decode(a)
    if not digits:
        return sign << form.bits - 1 | form.infinity
    if digits == ieee.INF:
        return sign << form.bits - 1
    return near(form, 1 / value_of(form, a), ulps=Fraction(1), flushed=flushed)


def sqrt(form, a, flushed):
    sign, digits, _ = form.decode(a)
    if not digits:
        return a
    if sign:
        return form.nan
    return a if digits == ieee.INF else near(form, root(value_of(form, a)), relative=Fraction(2) ** -23)


def rsqrt(form, a, flushed):
    sign, digits, _ = form.decode(a)
    if not digits:
        return sign << form.bits - 1 | form.infinity
    if sign:
        return ieee.nan_of(form)
    if digits == ieee.INF:
        return 0
    exact = 1 / root(value_of(form, a))
    if form is ieee.F64:
        return near(form, exact, ulps=Fraction(3, 2))
    return near(form, exact, relative=Fraction(2) ** -23 + Fraction(2) ** -27)


FUNCTIONS = {"sin": sine("sin"), "cos": sine("cos"), "tanh": tanh, "ex2": ex2, "lg2": lg2, "rcp": rcp, "sqrt": sqrt,
             "rsqrt": rsqrt}


def one_source(rng):
    name = rng.choice(list(FUNCTIONS))
    kind = rng.choice({"tanh": ["f32", "f16", "f16x2", "bf16", "bf16x2"], "rsqrt": ["f32", "f64"],
                       "ex2": ["f32", "f16", "f16x2", "bf16", "bf16x2"]}.get(name, ["f32"]))
    form = FLOATS[PAIRS.get(kind, kind)]
    flush = form is ieee.F32 and name != "tanh" and rng.random() < 0.5
    words = ["ftz"] if flush or name == "ex2" and form is ieee.BF16 else []

    def compute(a):
        if flush:
            a = form.flush(a)
        return ieee.nan_of(form, a) if form.is_nan(a) else FUNCTIONS[name](form, a, bool(words))

    def both(a):
        return Pair([compute(half) for half in parts(a, 16, 2)])
    return simple(".".join([name, "approx", *words, kind]), kind, [kind], both if kind in PAIRS else compute,
                  constants=kind in ("f32", "f64"), exact=False)


def div(rng):
    """.full and .approx of f32. Beyond 2^126 the divisor of .approx counts as infinite."""
    name, flush = rng.choice(["full", "approx"]), rng.random() < 0.5

    def compute(a, b):
        form = ieee.F32
        if flush:
            a, b = form.flush(a), form.flush(b)
        if name == "approx" and form.is_subnormal(b):
            return Anything()  # PTX says nothing: the reciprocal may be infinite
        exact = ieee.div(form, "rn", a, b)
        if form.is_nan(exact) or 0 in (a & 0x7fffffff, b & 0x7fffffff):
            return exact
        sign = (a ^ b) >> 31 << 31
        huge = abs(value_of(form, b)) > Fraction(2) ** 126 if form.decode(b)[1] != ieee.INF else True
        if ieee.INF in (form.decode(a)[1], form.decode(b)[1]) or name == "approx" and huge:
            if name == "approx" and huge:
                return form.nan if form.decode(a)[1] == ieee.INF else sign
            return exact
        return near(form, value_of(form, a) / value_of(form, b), ulps=Fraction(2), flushed=flush)
    words = [name] + ["ftz"] * flush
    return simple(f"div.{'.'.join(words)}.f32", "f32", ["f32", "f32"], compute, exact=False)


def upper_half(rng):
    """rcp and rsqrt of the upper half of an f64, with zeros in the lower one."""
    name, form = rng.choice(["rcp", "rsqrt"]), ieee.F64

    def compute(a):
        if form.is_nan(a & 0xffffffff << 32):
            return 0x7fffffff << 32
        a = form.flush(a & 0xffffffff << 32)
        expected = FUNCTIONS[name](form, a, True)
        if isinstance(expected, int):
            return 0x7fffffff << 32 if form.is_nan(expected) else expected
        return near(form, expected.exact, relative=Fraction(2) ** -20, flushed=True)
    return simple(f"{name}.approx.ftz.f64", "f64", ["f64"], compute, constants=False, exact=False)


FORMS = [(6, one_source), (2, div), (1, upper_half)]
