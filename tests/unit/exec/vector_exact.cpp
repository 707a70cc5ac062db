#include "vector_exact.h"

#include <algorithm>

namespace heddle::exec::test {

namespace {

std::uint64_t with_sign(Format f, std::uint64_t magnitude, bool negative) {
    return negative ? magnitude | f.sign() : magnitude;
}

// Whether a magnitude strictly between two neighbours goes to the farther one from zero. `half`: -1, 0 or 1 as it is
// below, at or above the middle; `odd`: the nearer one to zero is odd.
bool away(Rounding rounding, bool negative, int half, bool odd) {
    switch (rounding) {
    case Rounding::Rz:
    case Rounding::Rzi:
        return false;
    case Rounding::Rm:
    case Rounding::Rmi:
        return negative;
    case Rounding::Rp:
    case Rounding::Rpi:
        return !negative;
    default:
        return half > 0 || (half == 0 && odd);
    }
}

// |value| / 2^unit rounded to an integer.
Integer rounded_magnitude(const Exact& value, int unit, Rounding rounding) {
    const Integer magnitude = abs(value.digits);
    const int excess = unit - value.exponent;
    if (excess <= 0) {
        return magnitude << -excess; // exact: callers keep `more` below the unit
    }
    const Integer whole = magnitude >> excess;
    const Integer rest = magnitude - (whole << excess);
    if (rest == 0 && !value.more) {
        return whole;
    }
    const Integer middle = Integer{1} << (excess - 1);
    const int half = rest > middle || (rest == middle && value.more) ? 1 : rest == middle ? 0 : -1;
    return whole + (away(rounding, value.digits < 0, half, (whole & 1) != 0) ? 1 : 0);
}

} // namespace

Exact exact(Format f, std::uint64_t bits) {
    const auto field = static_cast<int>((bits & f.infinity()) >> f.mantissa);
    Integer digits = bits & ((std::uint64_t{1} << f.mantissa) - 1);
    if (field != 0) {
        digits += Integer{1} << f.mantissa;
    }
    const int exponent = std::max(field, 1) - f.bias() - static_cast<int>(f.mantissa);
    return {(bits & f.sign()) != 0 ? Integer{-digits} : digits, exponent, false};
}

Exact operator+(const Exact& a, const Exact& b) {
    const int exponent = std::min(a.exponent, b.exponent);
    return {(a.digits << (a.exponent - exponent)) + (b.digits << (b.exponent - exponent)), exponent, false};
}

Exact operator*(const Exact& a, const Exact& b) {
    return {a.digits * b.digits, a.exponent + b.exponent, false};
}

Exact quotient(const Exact& a, const Exact& b) {
    constexpr int kMore = 160;
    const Integer dividend = abs(a.digits) << kMore;
    const Integer divisor = abs(b.digits);
    const Integer q = dividend / divisor;
    const bool negative = (a.digits < 0) != (b.digits < 0);
    return {negative ? Integer{-q} : q, a.exponent - b.exponent - kMore, q * divisor != dividend};
}

Exact root(const Exact& a) {
    const int more = 200 + (a.exponent & 1);
    const Integer radicand = a.digits << more;
    const Integer r = sqrt(radicand);
    return {r, (a.exponent - more) / 2, r * r != radicand};
}

std::uint64_t round_to(Format f, const Exact& value, Rounding rounding, bool negative_zero) {
    if (value.digits == 0) {
        return with_sign(f, 0, negative_zero);
    }
    const bool negative = value.digits < 0;
    const int top = static_cast<int>(msb(abs(value.digits))) + value.exponent;
    const int least = 1 - f.bias();
    const int unit = std::max(top, least) - static_cast<int>(f.mantissa);
    const Integer digits = rounded_magnitude(value, unit, rounding);
    // Fields of consecutive numbers are consecutive: a carry out of the digits goes into the exponent by itself.
    const Integer exponent = Integer{std::max(top, least) - least} << f.mantissa;
    const Integer bits = exponent + digits;
    if (bits >= f.infinity()) {
        const bool to_infinity = away(rounding, negative, 1, true);
        return with_sign(f, to_infinity ? f.infinity() : f.infinity() - 1, negative);
    }
    return with_sign(f, static_cast<std::uint64_t>(bits), negative);
}

Result multiply_add(Format f, std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding rounding) {
    if (is_nan(f, a) || is_nan(f, b) || is_nan(f, c)) {
        return {};
    }
    const bool negative = ((a ^ b) & f.sign()) != 0;
    if (is_infinite(f, a) || is_infinite(f, b)) {
        const bool opposite = is_infinite(f, c) && ((c & f.sign()) != 0) != negative;
        return is_zero(f, a) || is_zero(f, b) || opposite ? Result{} : with_sign(f, f.infinity(), negative);
    }
    if (is_infinite(f, c)) {
        return c;
    }
    const bool both_negative = negative && (c & f.sign()) != 0;
    const bool same = negative == ((c & f.sign()) != 0);
    const Exact product = exact(f, a) * exact(f, b);
    const bool zeros = product.digits == 0 && is_zero(f, c);
    const bool negative_zero = zeros && same ? both_negative : rounding == Rounding::Rm;
    return round_to(f, product + exact(f, c), rounding, negative_zero);
}

Result add(Format f, std::uint64_t a, std::uint64_t b, Rounding rounding) {
    const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) << f.mantissa;
    return multiply_add(f, a, one, b, rounding);
}

Result multiply(Format f, std::uint64_t a, std::uint64_t b, Rounding rounding) {
    const std::uint64_t zero = (a ^ b) & f.sign(); // of the product's sign: leaves -0 alone
    return multiply_add(f, a, b, zero, rounding);
}

Result divide(Format f, std::uint64_t a, std::uint64_t b, Rounding rounding) {
    if (is_nan(f, a) || is_nan(f, b) || (is_zero(f, a) && is_zero(f, b)) || (is_infinite(f, a) && is_infinite(f, b))) {
        return {};
    }
    const bool negative = ((a ^ b) & f.sign()) != 0;
    if (is_infinite(f, a) || is_zero(f, b)) {
        return with_sign(f, f.infinity(), negative);
    }
    if (is_infinite(f, b) || is_zero(f, a)) {
        return with_sign(f, 0, negative);
    }
    return round_to(f, quotient(exact(f, a), exact(f, b)), rounding, false);
}

Result square_root(Format f, std::uint64_t a, Rounding rounding) {
    if (is_zero(f, a) || a == f.infinity()) {
        return a;
    }
    if (is_nan(f, a) || (a & f.sign()) != 0) {
        return {};
    }
    return round_to(f, root(exact(f, a)), rounding, false);
}

Wide to_integer(const Exact& value, Rounding rounding) {
    const Integer magnitude = std::min(rounded_magnitude(value, 0, rounding), Integer{Integer{1} << 100});
    const Wide result = static_cast<Wide>(magnitude);
    return value.digits < 0 ? -result : result;
}

} // namespace heddle::exec::test
