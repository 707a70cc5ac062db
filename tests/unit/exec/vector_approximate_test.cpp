// The approximate functions: within PTX's bounds of the exact values, PTX's special values, and the same bits on
// every instruction set. The exact values are the host's 80-bit functions, good to more than 60 bits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "vector_exact.h"
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;
using Function = long double (*)(long double);

constexpr std::uint64_t kNan = 0x7fffffff;
constexpr std::uint64_t kInfinity = 0x7f800000;
constexpr std::uint64_t kMinus = 0x80000000;
constexpr std::uint64_t kOne = 0x3f800000;

MicroOp approximate(Opcode opcode, bool ftz = false, Type type = Type::F32) {
    return make(opcode, type, Sub::None, Rounding::None, ir::kApprox | (ftz ? ir::kFtz : ir::Flag{}));
}

float number(std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

// Results for bit patterns begin, begin + step, ... of one register.
Register run(const MicroOp& op, std::uint64_t begin, std::uint64_t step) {
    Register source;
    source.bytes = op.src_bytes;
    for (std::uint64_t i = 0; i < 32; ++i) {
        source.lane[i] = begin + i * step;
    }
    Register result;
    result.bytes = op.dst_bytes;
    execute(op, {source}, result, ~std::uint32_t{0});
    return result;
}

// The largest error over f32 patterns in [begin, end): relative, or absolute. The patterns are 4001 apart.
double largest_error(Opcode opcode, Function exact_function, float begin, float end, bool relative) {
    const MicroOp op = approximate(opcode);
    const auto first = std::bit_cast<std::uint32_t>(begin);
    const auto last = std::bit_cast<std::uint32_t>(end);
    constexpr std::uint64_t kStep = 4001;
    long double largest = 0;
    for (std::uint64_t bits = std::min(first, last); bits + 32 * kStep < std::max(first, last); bits += 32 * kStep) {
        const Register result = run(op, bits, kStep);
        for (std::uint64_t i = 0; i < 32; ++i) {
            const long double wanted = exact_function(number(bits + i * kStep));
            const long double error = std::fabs(number(result.lane[i]) - wanted);
            if (wanted != 0 || !relative) {
                largest = std::max(largest, relative ? error / std::fabs(wanted) : error);
            }
        }
    }
    return static_cast<double>(largest);
}

// Positive patterns from `begin` to `end`, and the negative ones.
void expect_error(Opcode opcode, Function exact_function, float begin, float end, bool relative, double log2_bound) {
    on_every_target([&] {
        const double error = largest_error(opcode, exact_function, begin, end, relative);
        EXPECT_LE(std::log2(error), log2_bound)
            << ir::info(opcode).name << " from " << begin << " to " << end << ": 2^" << std::log2(error);
        EXPECT_GT(error, 0.0); // something was measured
        testing::Test::RecordProperty(std::string(ir::info(opcode).name), std::to_string(std::log2(error)));
    });
}

void expect_special(const MicroOp& op, const std::vector<std::vector<std::uint64_t>>& table) {
    check_cases(op, std::vector<Type>(table[0].size() - 1, op.type), 8 * ptx::size_of(op.type), table, [&](Values v) {
        const auto row = std::find_if(table.begin(), table.end(),
                                      [&](Values r) { return std::equal(v.begin(), v.end(), r.begin()); });
        return row->back();
    });
}

long double reciprocal(long double x) {
    return 1 / x;
}

long double reciprocal_root(long double x) {
    return 1 / std::sqrt(x);
}

long double root(long double x) {
    return std::sqrt(x);
}

long double power(long double x) {
    return std::exp2(x);
}

long double logarithm(long double x) {
    return std::log2(x);
}

long double sine(long double x) {
    return std::sin(x);
}

long double cosine(long double x) {
    return std::cos(x);
}

long double tangent(long double x) {
    return std::tanh(x);
}

constexpr float kLeast = 0x1p-126F;
constexpr float kGreatest = std::numeric_limits<float>::max();

} // namespace

TEST(VectorApproximate, Errors) {
    expect_error(Opcode::Rcp, reciprocal, kLeast, 0x1p126F, true, -23.0);
    expect_error(Opcode::Rsqrt, reciprocal_root, kLeast, kGreatest, true, -22.9);
    expect_error(Opcode::Sqrt, root, kLeast, kGreatest, true, -23.0);
    expect_error(Opcode::Ex2, power, 0x1p-20F, 127.99F, true, -22.0);
    expect_error(Opcode::Ex2, power, -0x1p-20F, -125.99F, true, -22.0);
    expect_error(Opcode::Lg2, logarithm, 0x1p-149F, kGreatest, true, -22.0);
    expect_error(Opcode::Lg2, logarithm, 0.5F, 2.0F, false, -22.0);
    expect_error(Opcode::Sin, sine, 0x1p-30F, 3.1415927F, false, -20.9);
    expect_error(Opcode::Cos, cosine, 0x1p-30F, 3.1415927F, false, -20.9);
    expect_error(Opcode::Tanh, tangent, kLeast, kGreatest, true, -11.0);
    expect_error(Opcode::Tanh, tangent, -kLeast, -kGreatest, true, -11.0);
}

TEST(VectorApproximate, LargeAngles) { // no bound in PTX; here the angle is reduced exactly
    expect_error(Opcode::Sin, sine, 3.0F, 0x1p62F, false, -23.0);
    expect_error(Opcode::Cos, cosine, 3.0F, 0x1p62F, false, -23.0);
    expect_error(Opcode::Sin, sine, -3.0F, -0x1p62F, false, -23.0);
    // sin and cos of 2^100 and of the largest f32, computed with 120 decimal digits
    expect_special(approximate(Opcode::Sin),
                   {{0x71800000, 0xbf5f476d}, {0x7f7fffff, 0xbf0599b3}, {0xff7fffff, 0x3f0599b3}});
    expect_special(approximate(Opcode::Cos),
                   {{0x71800000, 0x3efa75a0}, {0x7f7fffff, 0x3f5a5f96}, {0xff7fffff, 0x3f5a5f96}});
}

TEST(VectorApproximate, Divisions) {
    std::mt19937_64 random(5);
    for (const bool full : {false, true}) {
        const MicroOp op = make(Opcode::Div, Type::F32, Sub::None, Rounding::None, full ? ir::kFull : ir::kApprox);
        on_every_target([&] {
            for (int round = 0; round < 500; ++round) {
                Register a;
                Register b;
                for (unsigned i = 0; i < 32; ++i) {
                    a.lane[i] = 0x3f800000 + (random() & 0x7ffffff);
                    b.lane[i] = 0x3d800000 + (random() & 0x3ffffff);
                }
                Register q;
                execute(op, {a, b}, q, ~std::uint32_t{0});
                for (unsigned i = 0; i < 32; ++i) {
                    const std::uint64_t wanted = *divide(kF32, a.lane[i], b.lane[i], Rounding::Rz);
                    ASSERT_LE(q.lane[i], wanted + 2); // 2 ulp
                    ASSERT_GE(q.lane[i] + 2, wanted + 1);
                }
            }
        });
    }
    const std::uint64_t huge = 0x7e800001; // above 2^126
    expect_special(make(Opcode::Div, Type::F32, Sub::None, Rounding::None, ir::kApprox),
                   {{kOne, huge, 0},
                    {kOne, huge | kMinus, kMinus},
                    {kInfinity, huge, kNan},
                    {kOne, 0, kInfinity},
                    {kOne | kMinus, 0, kInfinity | kMinus},
                    {0, 0, kNan},
                    {kInfinity, kInfinity, kNan},
                    {kOne, kInfinity, 0},
                    {kNan, kOne, kNan}});
    expect_special(make(Opcode::Div, Type::F32, Sub::None, Rounding::None, ir::kFull),
                   {{0x7f000000, 0x7f000000, kOne}, {kInfinity, huge, kInfinity}, {kOne, 0, kInfinity}, {0, 0, kNan}});
}

TEST(VectorApproximate, SpecialValues) {
    const std::uint64_t nan = 0xffc01234;
    const std::uint64_t minus_infinity = kInfinity | kMinus;
    const std::uint64_t minus_one = kOne | kMinus;
    expect_special(approximate(Opcode::Rcp), {{minus_infinity, kMinus},
                                              {kMinus, minus_infinity},
                                              {0, kInfinity},
                                              {kInfinity, 0},
                                              {nan, kNan},
                                              {1, kInfinity},
                                              {0x00400000, 0x7f000000}});
    expect_special(
        approximate(Opcode::Sqrt),
        {{minus_infinity, kNan}, {minus_one, kNan}, {kMinus, kMinus}, {0, 0}, {kInfinity, kInfinity}, {nan, kNan}});
    expect_special(approximate(Opcode::Rsqrt), {{minus_infinity, kNan},
                                                {minus_one, kNan},
                                                {kMinus, minus_infinity},
                                                {0, kInfinity},
                                                {kInfinity, 0},
                                                {nan, kNan},
                                                {0x40800000, 0x3f000000}});
    expect_special(approximate(Opcode::Sin),
                   {{minus_infinity, kNan}, {kMinus, kMinus}, {0, 0}, {kInfinity, kNan}, {nan, kNan}, {1, 1}});
    expect_special(approximate(Opcode::Cos),
                   {{minus_infinity, kNan}, {kMinus, kOne}, {0, kOne}, {kInfinity, kNan}, {nan, kNan}, {1, kOne}});
    expect_special(approximate(Opcode::Lg2), {{minus_infinity, kNan},
                                              {minus_one, kNan},
                                              {kMinus, minus_infinity},
                                              {0, minus_infinity},
                                              {kInfinity, kInfinity},
                                              {nan, kNan},
                                              {kOne, 0},
                                              {1, 0xc3150000},
                                              {0x41000000, 0x40400000}});
    expect_special(approximate(Opcode::Ex2), {{minus_infinity, 0},
                                              {kMinus, kOne},
                                              {0, kOne},
                                              {1, kOne},
                                              {kInfinity, kInfinity},
                                              {nan, kNan},
                                              {0x43000000, kInfinity},
                                              {0xc3150000, 1},
                                              {0xc3180000, 0},
                                              {0x7f7fffff, kInfinity},
                                              {0xff7fffff, 0},
                                              {0x40400000, 0x41000000}});
    expect_special(approximate(Opcode::Tanh), {{minus_infinity, minus_one},
                                               {kMinus, kMinus},
                                               {0, 0},
                                               {1, 1},
                                               {kMinus | 0x00400000, kMinus | 0x00400000},
                                               {kInfinity, kOne},
                                               {0x41a00000, kOne},
                                               {nan, kNan}});
}

TEST(VectorApproximate, SubnormalsFlushedToZero) {
    const std::uint64_t minus_infinity = kInfinity | kMinus;
    expect_special(approximate(Opcode::Rcp, true), {{1, kInfinity}, {kMinus | 1, minus_infinity}, {0x7f000000, 0}});
    expect_special(approximate(Opcode::Sqrt, true), {{1, 0}, {kMinus | 1, kMinus}});
    expect_special(approximate(Opcode::Rsqrt, true), {{1, kInfinity}, {kMinus | 1, minus_infinity}});
    expect_special(approximate(Opcode::Sin, true), {{1, 0}, {kMinus | 1, kMinus}});
    expect_special(approximate(Opcode::Lg2, true), {{1, minus_infinity}, {kMinus | 1, minus_infinity}});
    expect_special(approximate(Opcode::Ex2, true), {{1, kOne}, {0xc2fe0000, 0}}); // 2^-127 is subnormal
}

TEST(VectorApproximate, DoublesInTheirUpperWord) {
    constexpr std::uint64_t kNan64 = 0x7fffffff00000000;
    constexpr std::uint64_t kInf64 = 0x7ff0000000000000;
    constexpr std::uint64_t kMinus64 = std::uint64_t{1} << 63;
    expect_special(approximate(Opcode::Rcp, true, Type::F64), {{kInf64, 0},
                                                               {kInf64 | 1, 0},
                                                               {0, kInf64},
                                                               {kMinus64, kInf64 | kMinus64},
                                                               {1, kInf64},
                                                               {0x7ff8000000000000, kNan64},
                                                               {0x4000000000000000, 0x3fe0000000000000},
                                                               {0x4000000012345678, 0x3fe0000000000000}});
    expect_special(approximate(Opcode::Rsqrt, true, Type::F64), {{kInf64, 0},
                                                                 {0, kInf64},
                                                                 {kMinus64, kInf64 | kMinus64},
                                                                 {0x4010000000000000, 0x3fe0000000000000},
                                                                 {0xbff0000000000000, kNan64}});
    on_every_target([] {
        for (const bool root : {false, true}) {
            for (std::uint64_t i = 0; i < 1000; ++i) {
                const std::uint64_t begin = 0x3ff0000000000000 + i * 0x0001234500000000;
                const Register r =
                    run(approximate(root ? Opcode::Rsqrt : Opcode::Rcp, true, Type::F64), begin, 0x0000000500000000);
                for (std::uint64_t lane = 0; lane < 32; ++lane) {
                    const auto x = std::bit_cast<double>(begin + lane * 0x0000000500000000);
                    const double wanted = root ? 1 / std::sqrt(x) : 1 / x;
                    ASSERT_NEAR(std::bit_cast<double>(r.lane[lane]) / wanted, 1.0, 0x1p-21); // 20 digits
                    ASSERT_EQ(r.lane[lane] & 0xffffffff, 0U);
                }
            }
        }
    });
    check(approximate(Opcode::Rsqrt, false, Type::F64), {Type::F64}, 64, [](Values v) { // two roundings
        const Result root = square_root(kF64, v[0], Rounding::Rn);
        const Result r = root ? divide(kF64, 0x3ff0000000000000, *root, Rounding::Rn) : Result{};
        return r ? *r : is_nan(kF64, v[0]) ? v[0] | 0x0008000000000000 : 0xfff8000000000000;
    });
}

TEST(VectorApproximate, SameBitsOnEveryTarget) {
    for (const Opcode opcode :
         {Opcode::Rcp, Opcode::Sqrt, Opcode::Rsqrt, Opcode::Ex2, Opcode::Lg2, Opcode::Sin, Opcode::Cos, Opcode::Tanh}) {
        std::vector<std::uint64_t> first;
        on_every_target([&] {
            std::vector<std::uint64_t> all;
            for (std::uint64_t bits = 0; bits < 0x100000000; bits += 32 * 65521) {
                const Register r = run(approximate(opcode), bits, 65521);
                all.insert(all.end(), r.lane.begin(), r.lane.end());
            }
            if (first.empty()) {
                first = all;
            }
            EXPECT_EQ(all, first) << ir::info(opcode).name;
        });
    }
}

} // namespace heddle::exec::test
