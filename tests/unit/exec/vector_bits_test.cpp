// Logic, shifts and bit fields against the bit-by-bit definitions of PTX.
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;

constexpr Type kPlain[] = {Type::B16, Type::B32, Type::B64};

unsigned bits_of(Type type) {
    return 8 * ptx::size_of(type);
}

unsigned bit(std::uint64_t value, unsigned index) {
    return static_cast<unsigned>(value >> index & 1);
}

// Shifted one place at a time.
std::uint64_t shift(std::uint64_t value, std::uint64_t count, unsigned width, bool left, bool arithmetic) {
    const std::uint64_t all = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    value &= all;
    const std::uint64_t sign = arithmetic ? value & (std::uint64_t{1} << (width - 1)) : 0;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, 80); ++i) {
        value = left ? value << 1 & all : value >> 1 | sign;
    }
    return value;
}

std::uint64_t extract(std::uint64_t a, std::uint64_t b, std::uint64_t c, unsigned width, bool is_signed) {
    const unsigned msb = width - 1;
    const unsigned position = b & 0xff;
    const unsigned length = c & 0xff;
    const unsigned sign = !is_signed || length == 0 ? 0 : bit(a, std::min(position + length - 1, msb));
    std::uint64_t d = 0;
    for (unsigned i = 0; i <= msb; ++i) {
        const unsigned value = i < length && position + i <= msb ? bit(a, position + i) : sign;
        d |= std::uint64_t{value} << i;
    }
    return d;
}

std::uint64_t insert(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, unsigned width) {
    const unsigned position = c & 0xff;
    const unsigned length = d & 0xff;
    std::uint64_t f = b;
    for (unsigned i = 0; i < length && position + i < width; ++i) {
        f &= ~(std::uint64_t{1} << (position + i));
        f |= std::uint64_t{bit(a, i)} << (position + i);
    }
    return f;
}

std::uint64_t find(std::uint64_t a, unsigned width, bool is_signed, bool shift_amount) {
    if (is_signed && bit(a, width - 1) == 1) {
        a = ~a;
    }
    for (unsigned i = width; i-- > 0;) {
        if (bit(a, i) == 1) {
            return shift_amount ? width - 1 - i : i;
        }
    }
    return 0xffffffff;
}

std::uint64_t permute(std::uint64_t a, std::uint64_t b, const unsigned (&selectors)[4]) {
    const std::uint64_t bytes = b << 32 | a;
    std::uint64_t d = 0;
    for (unsigned i = 0; i < 4; ++i) {
        std::uint64_t byte = bytes >> (8 * (selectors[i] & 7)) & 0xff;
        if ((selectors[i] & 8) != 0) {
            byte = (byte & 0x80) != 0 ? 0xff : 0;
        }
        d |= byte << (8 * i);
    }
    return d;
}

} // namespace

TEST(VectorBits, Logic) {
    for (const Type t : kPlain) {
        const unsigned n = bits_of(t);
        check(make(Opcode::And, t), {t, t}, n, [](Values v) { return v[0] & v[1]; });
        check(make(Opcode::Or, t), {t, t}, n, [](Values v) { return v[0] | v[1]; });
        check(make(Opcode::Xor, t), {t, t}, n, [](Values v) { return v[0] ^ v[1]; });
        check(make(Opcode::Not, t), {t}, n, [](Values v) { return ~v[0]; });
        check(make(Opcode::Cnot, t), {t}, n,
              [=](Values v) { return (v[0] & (~std::uint64_t{0} >> (64 - n))) == 0 ? 1U : 0U; });
    }
}

TEST(VectorBits, PredicateLogic) {
    const Type p = Type::Pred;
    check(make(Opcode::And, p), {p, p}, 1, [](Values v) { return v[0] & v[1]; });
    check(make(Opcode::Or, p), {p, p}, 1, [](Values v) { return v[0] | v[1]; });
    check(make(Opcode::Xor, p), {p, p}, 1, [](Values v) { return v[0] ^ v[1]; });
    check(make(Opcode::Not, p), {p}, 1, [](Values v) { return ~v[0]; });
    check(make(Opcode::Mov, p), {p}, 1, [](Values v) { return v[0]; });
    check(make(Opcode::Mov, p, Sub::None, Rounding::None, ir::kSourceNegated), {p}, 1, [](Values v) { return ~v[0]; });
}

TEST(VectorBits, EveryTruthTable) {
    const Type t = Type::B32;
    for (unsigned table = 0; table < 256; ++table) {
        MicroOp op = make(Opcode::Lop3, t);
        op.imm = table;
        check(
            op, {t, t, t}, 32,
            [=](Values v) {
                std::uint64_t d = 0;
                for (unsigned i = 0; i < 32; ++i) {
                    const unsigned row = bit(v[0], i) * 4 + bit(v[1], i) * 2 + bit(v[2], i);
                    d |= std::uint64_t{bit(table, row)} << i;
                }
                return d;
            },
            1);
    }
}

// Bit by bit: bits from the count on are zeros, or copies of the last bit below it.
TEST(VectorBits, ExtensionsOfTheLowBits) {
    for (const Type t : {Type::U32, Type::S32})
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kClamp})
            check(
                make(Opcode::Szext, t, Sub::None, Rounding::None, flags), {t, kCount}, 32,
                [=](Values v) {
                    const std::uint64_t count = flags != 0 ? std::min<std::uint64_t>(v[1], 32) : v[1] % 32;
                    std::uint64_t d = 0;
                    for (unsigned i = 0; i < 32; ++i) {
                        const unsigned above =
                            t == Type::S32 && count != 0 ? bit(v[0], static_cast<unsigned>(count) - 1) : 0;
                        d |= std::uint64_t{i < count ? bit(v[0], i) : above} << i;
                    }
                    return d;
                },
                200);
}

TEST(VectorBits, TruthTablesWithAPredicate) {
    alignas(64) std::uint32_t frame[192] = {};
    constexpr std::uint32_t kQ = 0x0f0f0f0f, kMask = 0xff00ff00, kBefore = 0x12345678;
    MicroOp op = make(Opcode::Lop3, Type::B32);
    op.imm = 0x80; // a & b & c
    op.src = {0, 128, 256, 512, ir::kNowhere};
    op.dst = {384, 516, ir::kNowhere, ir::kNowhere};
    for (const ir::BoolOp combine : {ir::BoolOp::And, ir::BoolOp::Or})
        for (const bool negated : {false, true})
            on_every_target([&] {
                for (std::uint32_t i = 0; i < 32; ++i) {
                    frame[i] = i;
                    frame[32 + i] = 6;
                    frame[64 + i] = 0xffffffff;
                    frame[96 + i] = 77;
                }
                frame[128] = kQ;
                frame[129] = kBefore;
                op.combine = combine;
                op.flags = negated ? std::uint32_t{ir::kCombineNegated} : 0;
                auto* bytes = reinterpret_cast<std::byte*>(frame);
                const warp::Part row{0, kMask};
                select_vector_op(op)(op, {bytes, 0, bytes}, {&row, 1});
                for (std::uint32_t i = 0; i < 32; ++i) {
                    const bool on = (kMask >> i & 1) != 0, q = ((kQ >> i & 1) != 0) != negated;
                    const bool some = (i & 6) != 0;
                    const bool p = combine == ir::BoolOp::And ? some && q : some || q;
                    EXPECT_EQ(frame[96 + i], on ? i & 6 : 77);
                    EXPECT_EQ(frame[129] >> i & 1, on ? std::uint32_t{p} : kBefore >> i & 1);
                }
            });
}

TEST(VectorBits, ShiftsClamp) {
    for (const Type t :
         {Type::B16, Type::B32, Type::B64, Type::S16, Type::S32, Type::S64, Type::U16, Type::U32, Type::U64}) {
        const unsigned n = bits_of(t);
        const bool arithmetic = ptx::is_signed(t);
        check(make(Opcode::Shl, t), {t, kCount}, n, [=](Values v) { return shift(v[0], v[1], n, true, false); });
        check(make(Opcode::Shr, t), {t, kCount}, n, [=](Values v) { return shift(v[0], v[1], n, false, arithmetic); });
    }
}

TEST(VectorBits, FunnelShifts) {
    const Type t = Type::B32;
    for (const bool clamp : {false, true}) {
        const auto count = [=](std::uint64_t c) { return clamp ? std::min<std::uint64_t>(c, 32) : c % 32; };
        const unsigned flags = clamp ? ir::kClamp : ir::Flag{};
        check(make(Opcode::Shf, t, Sub::ShfLeft, Rounding::None, flags), {t, t, kCount}, 32, [=](Values v) {
            const std::uint64_t n = count(v[2]);
            return n == 0 ? v[1] : n == 32 ? v[0] : v[1] << n | v[0] >> (32 - n);
        });
        check(make(Opcode::Shf, t, Sub::ShfRight, Rounding::None, flags), {t, t, kCount}, 32, [=](Values v) {
            const std::uint64_t n = count(v[2]);
            return n == 0 ? v[0] : n == 32 ? v[1] : v[1] << (32 - n) | v[0] >> n;
        });
    }
}

TEST(VectorBits, Fields) {
    for (const Type t : {Type::U32, Type::S32, Type::U64, Type::S64}) {
        const unsigned n = bits_of(t);
        const bool is_signed = ptx::is_signed(t);
        check(
            make(Opcode::Bfe, t), {t, kCount, kCount}, n,
            [=](Values v) { return extract(v[0], v[1], v[2], n, is_signed); }, 300);
        for (const bool amount : {false, true}) {
            check(make(Opcode::Bfind, t, Sub::None, Rounding::None, amount ? ir::kShiftAmount : ir::Flag{}), {t}, 32,
                  [=](Values v) { return find(v[0], n, is_signed, amount); });
        }
    }
    for (const Type t : {Type::B32, Type::B64}) {
        const unsigned n = bits_of(t);
        check(
            make(Opcode::Bfi, t), {t, t, kCount, kCount}, n,
            [=](Values v) { return insert(v[0], v[1], v[2], v[3], n); }, 300);
        check(make(Opcode::Brev, t), {t}, n, [=](Values v) {
            std::uint64_t d = 0;
            for (unsigned i = 0; i < n; ++i) {
                d |= std::uint64_t{bit(v[0], i)} << (n - 1 - i);
            }
            return d;
        });
        check(make(Opcode::Clz, t), {t}, 32, [=](Values v) {
            unsigned zeros = 0;
            while (zeros < n && bit(v[0], n - 1 - zeros) == 0) {
                ++zeros;
            }
            return zeros;
        });
        check(make(Opcode::Popc, t), {t}, 32, [=](Values v) {
            unsigned ones = 0;
            for (unsigned i = 0; i < n; ++i) {
                ones += bit(v[0], i);
            }
            return ones;
        });
    }
}

// As the ISA's own loop has it.
TEST(VectorBits, NthSetBit) {
    const Type t = Type::B32;
    check(make(Opcode::Fns, t), {t, t, t}, 32, [](Values v) -> std::uint64_t {
        const std::uint64_t mask = v[0] & 0xffffffffU, base = v[1] & 0xffffffffU;
        const auto offset = static_cast<std::int64_t>(static_cast<std::int32_t>(v[2]));
        const auto is_set = [&](std::int64_t at) { return at < 32 && ((mask >> at) & 1) != 0; };
        if (offset == 0)
            return is_set(static_cast<std::int64_t>(base)) ? base : 0xffffffffU;
        std::int64_t count = (offset < 0 ? -offset : offset) - 1;
        for (auto at = static_cast<std::int64_t>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1)
            if (is_set(at) && count-- == 0)
                return static_cast<std::uint64_t>(at);
        return 0xffffffffU;
    });
}

// Rows of PTX's tables of prmt modes: the selectors of d's bytes, lowest first, for c's low bits 0 to 3.
TEST(VectorBits, BytePermutation) {
    const Type t = Type::B32;
    check(make(Opcode::Prmt, t, Sub::PrmtIndex), {t, t, t}, 32, [](Values v) {
        const auto c = static_cast<unsigned>(v[2]);
        return permute(v[0], v[1], {c & 15, c >> 4 & 15, c >> 8 & 15, c >> 12 & 15});
    });
    struct Mode {
        Sub sub;
        unsigned selectors[4][4];
    };
    constexpr Mode kModes[] = {
        {Sub::PrmtF4e, {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}},
        {Sub::PrmtB4e, {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}},
        {Sub::PrmtRc8, {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
        {Sub::PrmtEcl, {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}},
        {Sub::PrmtEcr, {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}},
        {Sub::PrmtRc16, {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}},
    };
    for (const Mode& mode : kModes) {
        check(make(Opcode::Prmt, t, mode.sub), {t, t, t}, 32,
              [&](Values v) { return permute(v[0], v[1], mode.selectors[v[2] & 3]); });
    }
}

} // namespace heddle::exec::test
