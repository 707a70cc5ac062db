"""Floating-point numbers as patterns of bits: exact values in integers, and one rounding at the end.

A number is (sign, digits, exponent), the value digits * 2^exponent; a zero has digits 0. The specials are the texts
"nan" and "inf" in place of the digits. Nothing here uses the floating point of the host.
"""
import math
from dataclasses import dataclass
from functools import cached_property

NAN, INF = "nan", "inf"
DIRECTIONS = ["rn", "rz", "rm", "rp"]


@dataclass(frozen=True)
class Format:
    """A format. `specials`: "ieee" has infinities and NaNs, "nan" one NaN of all ones, "none" numbers alone."""
    name: str
    bits: int
    precision: int   # digits of a normal number, with the leading one
    bias: int
    specials: str = "ieee"
    nan: int = 0     # the pattern of a NaN that an instruction makes

    @cached_property
    def fraction(self):
        return self.precision - 1

    @cached_property
    def sign_bit(self):
        return 1 << self.bits - 1

    @cached_property
    def last_exponent(self):
        return (1 << self.bits - self.precision) - 1

    @cached_property
    def infinity(self):
        return self.last_exponent << self.fraction

    @cached_property
    def largest(self):
        """The pattern of the largest number."""
        return {"ieee": self.infinity - 1, "nan": self.sign_bit - 2, "none": self.sign_bit - 1}[self.specials]

    @cached_property
    def least_exponent(self):
        """Of the last digit of subnormal numbers."""
        return 1 - self.bias - self.fraction

    @cached_property
    def one(self):
        return self.bias << self.fraction

    def decode(self, bits):
        sign, rest = bits >> self.bits - 1, bits & self.sign_bit - 1
        if self.specials == "ieee" and rest >= self.infinity:
            return sign, INF if rest == self.infinity else NAN, 0
        if self.specials == "nan" and rest == self.sign_bit - 1:
            return sign, NAN, 0
        exponent, digits = rest >> self.fraction, rest & (1 << self.fraction) - 1
        if exponent:
            digits |= 1 << self.fraction
        return sign, digits, max(exponent, 1) - self.bias - self.fraction

    def is_nan(self, bits):
        return self.decode(bits)[1] == NAN

    def is_subnormal(self, bits):
        return 0 < bits & self.sign_bit - 1 < 1 << self.fraction

    def flush(self, bits):
        return bits & self.sign_bit if self.is_subnormal(bits) else bits


F16 = Format("f16", 16, 11, 15, nan=0x7fff)
BF16 = Format("bf16", 16, 8, 127, nan=0x7fff)
F32 = Format("f32", 32, 24, 127, nan=0x7fffffff)
F64 = Format("f64", 64, 53, 1023, nan=0xfff8 << 48)
TF32 = Format("tf32", 19, 11, 127, nan=0x3ffff)
E5M2 = Format("e5m2", 8, 3, 15, nan=0x7f)
E4M3 = Format("e4m3", 8, 4, 7, specials="nan", nan=0x7f)
E3M2 = Format("e3m2", 6, 3, 3, specials="none", nan=0x1f)
E2M3 = Format("e2m3", 6, 4, 1, specials="none", nan=0x1f)
E2M1 = Format("e2m1", 4, 2, 1, specials="none", nan=0x7)
FORMATS = {form.name: form for form in (F16, BF16, F32, F64, TF32, E5M2, E4M3, E3M2, E2M3, E2M1)}


def goes_up(direction, sign, digits, rest, half):
    """Whether `digits`, from which `rest` was cut off (half: half a place), become one more."""
    if direction == "rn":
        return rest > half or rest == half and digits & 1
    if direction == "rna":
        return rest >= half
    return rest and direction == ("rm" if sign else "rp")


def rounded(form, direction, sign, digits, exponent, beyond=False, random=None):
    """The pattern of a number after its only rounding.

    `beyond`: digits that are not zero follow. `random`, of the direction rs: (bits, value) that are added to the
    leading digits cut off."""
    if beyond:
        digits, exponent = digits << 1 | 1, exponent - 1
    place = max(digits.bit_length() + exponent - form.precision, form.least_exponent)
    shift = place - exponent
    if shift <= 0:
        digits <<= -shift
    elif random:
        width, value = random
        cut = (digits & (1 << shift) - 1) << width >> shift
        digits = (digits >> shift) + (cut + value >> width)
    else:
        rest, digits = digits & (1 << shift) - 1, digits >> shift
        digits += bool(goes_up(direction, sign, digits, rest, 1 << shift - 1))
    # A carry out of the digits goes into the exponent, which stands above them.
    pattern = digits + (place - form.least_exponent << form.fraction)
    if pattern > form.largest:
        towards = direction == "rz" or direction == ("rp" if sign else "rm")
        pattern = form.largest if towards or form.specials != "ieee" else form.infinity
    return sign << form.bits - 1 | pattern


def quiet(form, bits):
    return bits | 1 << form.fraction - 1


def nan_of(form, *operands):
    """The NaN of an operation: of f64 the first NaN operand, else the canonical one."""
    if form is F64:
        for bits in operands:
            if form.is_nan(bits):
                return quiet(form, bits)
    return form.nan


def zero_sum(direction, *signs):
    """The sign of an exact sum that is zero."""
    return signs[0] if len(set(signs)) == 1 else int(direction == "rm")


def sum_of(form, direction, a, b):
    """Rounds a + b of two decoded numbers without NaNs; None for infinities of both signs."""
    if INF in (a[1], b[1]):
        signs = {number[0] for number in (a, b) if number[1] == INF}
        return signs.pop() << form.bits - 1 | form.infinity if len(signs) == 1 else None
    if not a[1] and not b[1]:
        return zero_sum(direction, a[0], b[0]) << form.bits - 1
    exponent = min(a[2], b[2])
    total = sum((-digits if sign else digits) << own - exponent for sign, digits, own in (a, b))
    if not total:
        return zero_sum(direction, 0, 1) << form.bits - 1
    return rounded(form, direction, int(total < 0), abs(total), exponent)


def product_of(a, b):
    """The exact product of two decoded numbers; None for zero times infinity."""
    sign = a[0] ^ b[0]
    if INF in (a[1], b[1]):
        return None if 0 in (a[1], b[1]) else (sign, INF, 0)
    return sign, a[1] * b[1], a[2] + b[2]


def add(form, direction, a, b):
    numbers = form.decode(a), form.decode(b)
    result = None if NAN in (n[1] for n in numbers) else sum_of(form, direction, *numbers)
    return nan_of(form, a, b) if result is None else result


def sub(form, direction, a, b):
    if form.is_nan(b):
        return nan_of(form, a, b)
    return add(form, direction, a, b ^ form.sign_bit)


def pack(form, direction, number):
    """The pattern of a decoded number without NaN."""
    sign, digits, exponent = number
    if digits == INF:
        return sign << form.bits - 1 | form.infinity
    return rounded(form, direction, sign, digits, exponent) if digits else sign << form.bits - 1


def mul(form, direction, a, b):
    numbers = form.decode(a), form.decode(b)
    product = None if NAN in (n[1] for n in numbers) else product_of(*numbers)
    return nan_of(form, a, b) if product is None else pack(form, direction, product)


def fma(form, direction, a, b, c):
    numbers = form.decode(a), form.decode(b), form.decode(c)
    if NAN in (n[1] for n in numbers):
        return nan_of(form, a, b, c)
    product = product_of(*numbers[:2])
    result = None if product is None else sum_of(form, direction, product, numbers[2])
    return nan_of(form) if result is None else result


def div(form, direction, a, b):
    x, y = form.decode(a), form.decode(b)
    sign = x[0] ^ y[0]
    if NAN in (x[1], y[1]) or x[1] == y[1] == INF or x[1] == y[1] == 0:
        return nan_of(form, a, b)
    if x[1] == INF or y[1] == 0:
        return sign << form.bits - 1 | form.infinity
    if y[1] == INF or x[1] == 0:
        return sign << form.bits - 1
    extra = 2 * form.precision + 4
    quotient, rest = divmod(x[1] << extra, y[1])
    return rounded(form, direction, sign, quotient, x[2] - y[2] - extra, beyond=rest != 0)


def sqrt(form, direction, a):
    sign, digits, exponent = form.decode(a)
    if digits == NAN or sign and digits:
        return nan_of(form, a)
    if digits in (INF, 0):
        return a
    extra = 2 * form.precision + 4 + (exponent & 1)
    root = math.isqrt(digits << extra)
    return rounded(form, direction, 0, root, (exponent - extra) // 2, beyond=root * root != digits << extra)


def saturated(form, bits):
    """Clamped to 0 to 1; a NaN becomes 0."""
    sign, digits, _ = form.decode(bits)
    if digits == NAN or sign:
        return 0
    return min(bits, form.one)


def relu(form, bits):
    return 0 if bits & form.sign_bit and not form.is_nan(bits) else bits


def order(form, bits):
    """A key that orders numbers, -0 below +0; not for NaNs."""
    return -1 - (bits & form.sign_bit - 1) if bits & form.sign_bit else bits


def compare(form, a, b):
    """-1, 0 or 1; None where one of the two is a NaN."""
    if form.is_nan(a) or form.is_nan(b):
        return None
    a, b = (0 if bits == form.sign_bit else bits for bits in (a, b))
    x, y = order(form, a), order(form, b)
    return (x > y) - (x < y)


def extreme(form, choose, a, b, with_nan=False):
    """min or max (`choose`): of a number and a NaN the number, or with .NaN the NaN."""
    nans = [bits for bits in (a, b) if form.is_nan(bits)]
    if len(nans) == 2 or with_nan and nans:
        return nan_of(form, a, b)
    if nans:
        return b if form.is_nan(a) else a
    return choose(a, b, key=lambda bits: order(form, bits))


def convert(source, target, direction, bits, satfinite=False, random=None):
    """From one format to another; a NaN becomes the NaN of the target."""
    sign, digits, exponent = source.decode(bits)
    if digits == NAN:
        return target.nan
    if digits == INF:
        finite = satfinite or target.specials != "ieee"
        return sign << target.bits - 1 | (target.largest if finite else target.infinity)
    if not digits:
        return sign << target.bits - 1
    result = rounded(target, direction, sign, digits, exponent, random=random)
    if satfinite and target.specials == "ieee" and result & target.sign_bit - 1 == target.infinity:
        result -= 1
    return result


def integral(form, direction, bits):
    """Rounded to an integer (sign, magnitude); not for NaNs and infinities."""
    sign, digits, exponent = form.decode(bits)
    if exponent >= 0:
        return sign, digits << exponent
    rest, whole = digits & (1 << -exponent) - 1, digits >> -exponent
    return sign, whole + bool(goes_up(direction, sign, whole, rest, 1 << -exponent - 1))
