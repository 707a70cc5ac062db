// Comparisons, selection, moves, packing and address spaces.
#include "exec/memory_image.h"
#include "vector_exact.h"
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;

enum class Order { Less, Equal, Greater, Unordered };

unsigned bits_of(Type type) {
    return 8 * ptx::size_of(type);
}

Wide number(Type type, std::uint64_t bits) {
    const unsigned width = bits_of(type);
    const std::uint64_t low = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
    const bool negative = ptx::is_signed(type) && (low >> (width - 1) & 1) != 0;
    return negative ? Wide{low} - (Wide{1} << width) : Wide{low};
}

Order order(Type type, std::uint64_t a, std::uint64_t b, bool ftz) {
    Wide difference = 0;
    if (ptx::is_float(type)) {
        const Format f = type == Type::F64 ? kF64 : kF32;
        if (is_nan(f, a) || is_nan(f, b)) {
            return Order::Unordered;
        }
        a = ftz ? flushed(f, a) : a;
        b = ftz ? flushed(f, b) : b;
        // The fields of sign and magnitude are ordered like the values.
        const auto key = [&](std::uint64_t v) {
            const Wide magnitude = v & ~f.sign();
            return (v & f.sign()) != 0 ? -magnitude : magnitude;
        };
        difference = key(a) - key(b);
    } else {
        difference = number(type, a) - number(type, b);
    }
    return difference < 0 ? Order::Less : difference == 0 ? Order::Equal : Order::Greater;
}

bool holds(Sub relation, Order o) {
    const bool unordered = o == Order::Unordered;
    switch (relation) {
    case Sub::Eq:
        return o == Order::Equal;
    case Sub::Ne:
        return o == Order::Less || o == Order::Greater;
    case Sub::Lt:
        return o == Order::Less;
    case Sub::Le:
        return o == Order::Less || o == Order::Equal;
    case Sub::Gt:
        return o == Order::Greater;
    case Sub::Ge:
        return o == Order::Greater || o == Order::Equal;
    case Sub::Equ:
        return unordered || o == Order::Equal;
    case Sub::Neu:
        return o != Order::Equal;
    case Sub::Ltu:
        return unordered || o == Order::Less;
    case Sub::Leu:
        return o != Order::Greater;
    case Sub::Gtu:
        return unordered || o == Order::Greater;
    case Sub::Geu:
        return o != Order::Less;
    case Sub::Num:
        return !unordered;
    default:
        return unordered; // nan
    }
}

constexpr Sub kRelations[] = {Sub::Eq,  Sub::Ne,  Sub::Lt,  Sub::Le,  Sub::Gt,  Sub::Ge,  Sub::Equ,
                              Sub::Neu, Sub::Ltu, Sub::Leu, Sub::Gtu, Sub::Geu, Sub::Num, Sub::Nan};
constexpr Type kTypes[] = {Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64, Type::F32, Type::F64};

bool combined(ir::BoolOp op, bool a, bool b) {
    return op == ir::BoolOp::And ? (a && b) : op == ir::BoolOp::Or ? (a || b) : a != b;
}

} // namespace

TEST(VectorCompare, EveryRelation) {
    for (const Type type : kTypes) {
        for (const Sub relation : kRelations) {
            for (const bool ftz : {false, true}) {
                if (ftz && type != Type::F32) {
                    continue;
                }
                const MicroOp op = make(Opcode::Setp, type, relation, Rounding::None, ftz ? ir::kFtz : ir::Flag{});
                if (!ptx::is_float(type) && relation >= Sub::Ltu) {
                    EXPECT_EQ(select_vector_op(op), nullptr);
                    continue;
                }
                const auto reference = [=](Values v) {
                    return holds(relation, order(type, v[0], v[1], ftz)) ? 1U : 0U;
                };
                check(op, {type, type}, 1, reference);
                for (const Type result : {Type::U32, Type::S32, Type::F32}) {
                    MicroOp set = make(Opcode::Set, result, relation, Rounding::None, op.flags, type);
                    check(
                        set, {type, type}, 32,
                        [=](Values v) {
                            return reference(v) == 0 ? 0U : result == Type::F32 ? 0x3f800000U : 0xffffffffU;
                        },
                        5);
                }
            }
        }
    }
}

TEST(VectorCompare, UntypedBits) {
    for (const Type type : {Type::B16, Type::B32, Type::B64}) {
        check(make(Opcode::Setp, type, Sub::Eq), {type, type}, 1,
              [=](Values v) { return number(type, v[0]) == number(type, v[1]) ? 1U : 0U; });
    }
}

TEST(VectorCompare, CombinedWithAPredicate) {
    for (const ir::BoolOp combine : {ir::BoolOp::And, ir::BoolOp::Or, ir::BoolOp::Xor}) {
        for (const bool negated : {false, true}) {
            MicroOp op =
                make(Opcode::Setp, Type::S32, Sub::Lt, Rounding::None, negated ? ir::kCombineNegated : ir::Flag{});
            op.combine = combine;
            const auto reference = [=](Values v) {
                const bool less = order(Type::S32, v[0], v[1], false) == Order::Less;
                return combined(combine, less, (v[2] != 0) != negated);
            };
            check(op, {Type::S32, Type::S32, Type::Pred}, 1, [=](Values v) { return reference(v) ? 1U : 0U; });
            MicroOp set = make(Opcode::Set, Type::U32, Sub::Lt, Rounding::None, op.flags, Type::S32);
            set.combine = combine;
            check(set, {Type::S32, Type::S32, Type::Pred}, 32,
                  [=](Values v) { return reference(v) ? 0xffffffffU : 0U; });
        }
    }
}

// The second predicate combines the complement of the comparison.
TEST(VectorCompare, TwoPredicates) {
    alignas(64) std::uint32_t frame[128] = {};
    for (std::uint32_t i = 0; i < 32; ++i) {
        frame[i] = i;       // a at 0
        frame[32 + i] = 16; // b at 128
    }
    constexpr std::uint32_t kC = 0x00ff00ff;
    constexpr std::uint32_t kMask = 0x0ffffff0;
    MicroOp op = make(Opcode::Setp, Type::U32, Sub::Lt); // lanes 0 to 15
    op.combine = ir::BoolOp::And;
    op.src = {0, 128, 256, ir::kNowhere, ir::kNowhere};
    op.dst = {260, 264, ir::kNowhere, ir::kNowhere};
    on_every_target([&] {
        const auto run = [&](const MicroOp& variant) {
            frame[64] = kC;
            frame[65] = 0xf0000000;
            frame[66] = 0x0000000f;
            auto* bytes = reinterpret_cast<std::byte*>(frame);
            const warp::Part row{0, kMask};
            select_vector_op(variant)(variant, {bytes, 0, bytes}, {&row, 1});
        };
        run(op);
        EXPECT_EQ(frame[65], 0xf00000f0U); // (a < b) & c in lanes 4 to 27, others as they were
        EXPECT_EQ(frame[66], 0x00ff000fU); // !(a < b) & c
        MicroOp no_first = op;
        no_first.dst[0] = ir::kNowhere;
        run(no_first);
        EXPECT_EQ(frame[65], 0xf0000000U);
        EXPECT_EQ(frame[66], 0x00ff000fU);
        MicroOp same = op; // a result replaces the combining predicate
        same.dst[0] = 256;
        run(same);
        EXPECT_EQ(frame[64], (kC & ~kMask) | 0x000000f0U);
        EXPECT_EQ(frame[66], 0x00ff000fU);
    });
}

TEST(VectorMove, Selection) {
    for (const Type type : {Type::B16, Type::U32, Type::F32, Type::B64, Type::F64}) {
        for (const bool negated : {false, true}) {
            check(make(Opcode::Selp, type, Sub::None, Rounding::None, negated ? ir::kSourceNegated : ir::Flag{}),
                  {type, type, Type::Pred}, bits_of(type),
                  [=](Values v) { return (v[2] != 0) != negated ? v[0] : v[1]; });
        }
        check(make(Opcode::Slct, type, Sub::None, Rounding::None, 0, Type::S32), {type, type, Type::S32}, bits_of(type),
              [](Values v) { return (v[2] & 0x80000000) == 0 ? v[0] : v[1]; });
        for (const bool ftz : {false, true}) {
            check(make(Opcode::Slct, type, Sub::None, Rounding::None, ftz ? ir::kFtz : ir::Flag{}, Type::F32),
                  {type, type, Type::F32}, bits_of(type), [=](Values v) {
                      const Order o = order(Type::F32, v[2], 0, ftz);
                      return o == Order::Greater || o == Order::Equal ? v[0] : v[1];
                  });
        }
    }
}

TEST(VectorMove, Copies) {
    for (const Type type : {Type::B16, Type::U32, Type::F32, Type::S64, Type::F64}) {
        check(make(Opcode::Mov, type), {type}, bits_of(type), [](Values v) { return v[0]; });
    }
}

TEST(VectorMove, PackAndUnpack) {
    struct Shape {
        Type whole, part;
        unsigned count;
    };
    for (const Shape s : {Shape{Type::B16, Type::B8, 2}, Shape{Type::B32, Type::B16, 2}, Shape{Type::B32, Type::B8, 4},
                          Shape{Type::B64, Type::B32, 2}, Shape{Type::B64, Type::B16, 4}}) {
        const unsigned n = bits_of(s.part);
        const std::uint64_t part = (std::uint64_t{1} << n) - 1;
        MicroOp pack = make(Opcode::Pack, s.whole, Sub::None, Rounding::None, 0, s.part);
        pack.vector = static_cast<std::uint8_t>(s.count);
        check(pack, std::vector<Type>(s.count, s.part), bits_of(s.whole), [=](Values v) {
            std::uint64_t whole = 0;
            for (unsigned i = 0; i < s.count; ++i) {
                whole |= (v[i] & part) << (n * i);
            }
            return whole;
        });
        MicroOp unpack = make(Opcode::Unpack, s.whole, Sub::None, Rounding::None, 0, s.part);
        unpack.vector = static_cast<std::uint8_t>(s.count);
        unpack.dst_bytes = 4;
        check(unpack, {s.whole}, n, [=](Values v) { return v[0] & part; }); // the first element
    }
}

TEST(VectorMove, UnpackGivesEveryElement) {
    alignas(64) std::uint32_t frame[64 + 4 * 32] = {};
    auto* bytes = reinterpret_cast<std::byte*>(frame);
    for (std::uint32_t i = 0; i < 32; ++i) {
        frame[2 * i] = 0x11110000 + i;
        frame[2 * i + 1] = 0x33332222 + (i << 16);
    }
    MicroOp op = make(Opcode::Unpack, Type::B64, Sub::None, Rounding::None, 0, Type::B16);
    op.vector = 4;
    op.src[0] = 0;
    op.dst = {256, 384, ir::kNowhere, 512};
    on_every_target([&] {
        const warp::Part row{0, ~std::uint32_t{0}};
        select_vector_op(op)(op, {bytes, 0, bytes}, {&row, 1});
        for (std::uint32_t i = 0; i < 32; ++i) {
            EXPECT_EQ(frame[64 + i] & 0xffff, i);
            EXPECT_EQ(frame[96 + i] & 0xffff, 0x1111U);
            EXPECT_EQ(frame[128 + i] & 0xffff, 0x3333 + i);
            EXPECT_EQ(frame[160 + i], 0U);
        }
    });
}

TEST(VectorMove, AddressSpaces) {
    struct Case {
        ir::Space space;
        std::uint64_t window;
    };
    for (const Case c : {Case{ir::Space::Shared, kSharedWindow}, Case{ir::Space::SharedCluster, kSharedWindow},
                         Case{ir::Space::Local, kLocalWindow}, Case{ir::Space::Param, kParameterWindow},
                         Case{ir::Space::Global, 0}, Case{ir::Space::Const, 0}}) {
        MicroOp to_generic = make(Opcode::Cvta, Type::U64);
        to_generic.space = c.space;
        check(to_generic, {Type::U64}, 64, [=](Values v) { return v[0] + c.window; });
        MicroOp from_generic = to_generic;
        from_generic.flags = ir::kToSpace;
        check(from_generic, {Type::U64}, 64, [=](Values v) { return v[0] - c.window; });
    }
    struct Range {
        ir::Space space;
        std::uint64_t begin, bytes;
    };
    for (const Range r : {Range{ir::Space::SharedCluster, kSharedWindow, kWindowBytes},
                          Range{ir::Space::Local, kLocalWindow, kWindowBytes},
                          Range{ir::Space::Param, kParameterWindow, kWindowBytes}}) {
        MicroOp op = make(Opcode::Isspacep, Type::U64);
        op.space = r.space;
        const std::uint64_t end = r.begin + r.bytes;
        check_cases(op, {Type::U64}, 1,
                    {{0}, {r.begin - 1}, {r.begin}, {r.begin + 1}, {end - 1}, {end}, {~std::uint64_t{0}}},
                    [=](Values v) { return v[0] >= r.begin && v[0] < end ? 1U : 0U; });
    }
}

TEST(VectorMove, ConstantsComeFromThePool) {
    alignas(64) std::uint32_t frame[64] = {};
    alignas(64) std::uint32_t pool[64] = {};
    for (std::uint32_t i = 0; i < 32; ++i) {
        frame[i] = i;
        pool[32 + i] = 1000;
    }
    MicroOp op = make(Opcode::Add, Type::U32);
    op.src[0] = 0;
    op.src[1] = ir::kPool | 128;
    op.dst[0] = 128;
    on_every_target([&] {
        const warp::Part row{0, ~std::uint32_t{0}};
        select_vector_op(op)(op, {reinterpret_cast<std::byte*>(frame), 0, reinterpret_cast<std::byte*>(pool)},
                             {&row, 1});
        for (std::uint32_t i = 0; i < 32; ++i) {
            EXPECT_EQ(frame[32 + i], 1000 + i);
        }
    });
}

} // namespace heddle::exec::test
