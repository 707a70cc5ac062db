#include "rig.h"

namespace heddle::exec::test {
namespace {

class LoadStore : public Rig, public ::testing::WithParamInterface<unsigned> {
protected:
    [[nodiscard]] unsigned width() const {
        return GetParam();
    }
};

INSTANTIATE_TEST_SUITE_P(Widths, LoadStore, ::testing::Values(8U, 32U, 64U));

TEST_P(LoadStore, ConsecutiveWordsGoInAndOut) {
    const Address in = image.allocate(64 * 4, "in");
    const Address out = image.allocate(64 * 4, "out");
    const Pc ld = emit(load(Type::U32, Space::Global, r(0), rd(0), 0));
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0), static_cast<std::int64_t>(out - in)));
    start(width(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set64(rd(0), t, in + 4 * t);
        set_memory<std::uint32_t>(in + 4 * t, 1000 + t);
    }
    run(ld);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Memory);
    EXPECT_EQ(outcome.executed, 64);
    EXPECT_EQ(access.count, 64);
    EXPECT_EQ(access.bytes, 4);
    EXPECT_FALSE(access.store);
    EXPECT_EQ(access.global, ~std::uint64_t{0});
    EXPECT_EQ(access.shared | access.local | access.constant, 0U);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(access.address[t], in + 4 * t);
        EXPECT_EQ(access.lane[t], t % width());
        EXPECT_EQ(access.row[t], t / width());
        EXPECT_EQ(get(r(0), t), 1000 + t);
    }
    run(st);
    EXPECT_TRUE(access.store);
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(memory<std::uint32_t>(out + 4 * t), 1000 + t);
}

TEST_P(LoadStore, GuardedLanesKeepTheirValuesAndTouchNothing) {
    const Address in = image.allocate(64 * 8, "in");
    MicroOp op = load(Type::U64, Space::Global, rd(1), rd(0));
    op.guard = p(1);
    op.guard_negated = true;
    const Pc ld = emit(op);
    start(width(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set64(rd(0), t, t % 3 == 0 ? 12 : in + 8 * t); // where the guard is false the address is nonsense
        set_predicate(p(1), t, t % 3 == 0);
        set64(rd(1), t, 7);
        set_memory<std::uint64_t>(in + 8 * t, (std::uint64_t{1} << 40) + t);
    }
    run(ld);
    EXPECT_EQ(outcome.executed, 42);
    ASSERT_EQ(access.count, 42);
    EXPECT_EQ(access.global, first_lanes(42));
    unsigned entry = 0;
    for (unsigned t = 0; t < 64; ++t) {
        if (t % 3 != 0) {
            EXPECT_EQ(access.address[entry], in + 8 * t);
            EXPECT_EQ(access.lane[entry], t % width());
            EXPECT_EQ(access.row[entry++], t / width());
        }
        EXPECT_EQ(get64(rd(1), t), t % 3 == 0 ? 7 : (std::uint64_t{1} << 40) + t);
    }
}

TEST_P(LoadStore, OneAddressForAllIsBroadcastAndTheHighestLaneWinsAStore) {
    const Address x = image.allocate(8, "x");
    set_memory<std::uint32_t>(x + 4, 77);
    const Place base = constant64(x);
    const Pc ld = emit(load(Type::B32, Space::Global, r(0), base, 4));
    const Pc st = emit(store(Type::U32, Space::Global, base, r(1)));
    const Pc ld8 = emit(load(Type::B64, Space::Global, rd(1), base, 0));
    start(width(), {64});
    for (unsigned t = 0; t < 64; ++t)
        set(r(1), t, t);
    run(ld);
    run(st);
    run(ld8);
    EXPECT_EQ(memory<std::uint32_t>(x), 63U);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get(r(0), t), 77U);
        EXPECT_EQ(get64(rd(1), t), (std::uint64_t{77} << 32) + 63);
    }
}

TEST_P(LoadStore, NarrowTypesExtendToTheRegister) {
    const Address x = image.allocate(64, "x");
    set_memory<std::uint64_t>(x, 0x80'81'82'83'84'85'86'87);
    const Place base = constant64(x);
    const Pc s8 = emit(load(Type::S8, Space::Global, r(0), base));
    const Pc u8 = emit(load(Type::U8, Space::Global, r(1), base));
    const Pc s16 = emit(load(Type::S16, Space::Global, r(2), base, 2));
    const Pc u16 = emit(load(Type::U16, Space::Global, r(3), base, 2));
    const Pc s32 = emit(load(Type::S32, Space::Global, rd(1), base, 4, 8));
    const Pc u32 = emit(load(Type::U32, Space::Global, rd(2), base, 4, 8));
    const Pc b8 = emit(load(Type::S8, Space::Global, rd(3), base, 7, 8));
    const Pc st8 = emit(store(Type::U8, Space::Global, base, rd(1), 32, 8));
    const Pc st16 = emit(store(Type::U16, Space::Global, base, r(2), 34));
    start(width(), {64});
    for (const Pc pc : {s8, u8, s16, u16, s32, u32, b8, st8, st16})
        run(pc);
    EXPECT_EQ(get(r(0), 33), 0xffffff87U);
    EXPECT_EQ(get(r(1), 33), 0x87U);
    EXPECT_EQ(get(r(2), 33), 0xffff8485U);
    EXPECT_EQ(get(r(3), 33), 0x8485U);
    EXPECT_EQ(get64(rd(1), 33), 0xffffffff80818283U);
    EXPECT_EQ(get64(rd(2), 33), 0x80818283U);
    EXPECT_EQ(get64(rd(3), 33), 0xffffffffffffff80U);
    EXPECT_EQ(memory<std::uint8_t>(x + 32), 0x83);
    EXPECT_EQ(memory<std::uint8_t>(x + 33), 0);
    EXPECT_EQ(memory<std::uint16_t>(x + 34), 0x8485);
    EXPECT_EQ(memory<std::uint16_t>(x + 36), 0);
}

TEST_P(LoadStore, VectorsAndSinks) {
    const Address x = image.allocate(64 * 16, "x");
    MicroOp v4 = load(Type::F32, Space::Global, r(0), rd(0));
    v4.vector = 4;
    v4.dst = {r(0), kNowhere, r(2), r(3)};
    const Pc ld4 = emit(v4);
    MicroOp v2 = store(Type::U64, Space::Global, rd(0), rd(1));
    v2.vector = 2;
    v2.src = {rd(0), rd(1), rd(2), kNowhere, kNowhere};
    const Pc st2 = emit(v2);
    start(width(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set64(rd(0), t, x + 16 * (63 - t));
        set64(rd(1), t, 500 + t);
        set64(rd(2), t, 900 + t);
        for (unsigned e = 0; e < 4; ++e)
            set_memory<std::uint32_t>(x + 16 * t + 4 * e, 100 * t + e);
        set(r(1), t, 5);
    }
    run(ld4);
    EXPECT_EQ(access.bytes, 16);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get(r(0), t), 100 * (63 - t));
        EXPECT_EQ(get(r(1), t), 5U);
        EXPECT_EQ(get(r(2), t), 100 * (63 - t) + 2);
        EXPECT_EQ(get(r(3), t), 100 * (63 - t) + 3);
    }
    run(st2);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(memory<std::uint64_t>(x + 16 * (63 - t)), 500 + t);
        EXPECT_EQ(memory<std::uint64_t>(x + 16 * (63 - t) + 8), 900 + t);
    }
}

TEST_P(LoadStore, ParametersAreReadAndNotTimed) {
    parameters.resize(12);
    const std::uint64_t pointer = 0x123456789abc;
    std::memcpy(parameters.data(), &pointer, 8);
    parameters[8] = std::byte{42};
    const Pc ld8 = emit(load(Type::U64, Space::Param, rd(1), kNowhere, 0));
    const Pc ld4 = emit(load(Type::U32, Space::Param, r(0), kNowhere, 8));
    start(width(), {64});
    run(ld8);
    EXPECT_EQ(access.count, 0);
    EXPECT_EQ(outcome.executed, 64);
    run(ld4);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get64(rd(1), t), pointer);
        EXPECT_EQ(get(r(0), t), 42U);
    }
}

TEST_P(LoadStore, SharedIsOfTheBlockLocalOfTheThread) {
    kernel().static_shared = 64 * 4;
    kernel().local_bytes = 24;
    kernel().declared_local_bytes = 16;
    MicroOp narrow = store(Type::U32, Space::Shared, r(1), r(0));
    narrow.dst_bytes = 4; // a 32-bit address register
    const Pc st_shared = emit(narrow);
    MicroOp back = load(Type::U32, Space::Shared, r(2), r(1));
    back.src_bytes = 4;
    const Pc ld_shared = emit(back);
    const Pc st_local = emit(store(Type::U32, Space::Local, kNowhere, r(0), 8));
    const Pc ld_local = emit(load(Type::U32, Space::Local, r(3), kNowhere, 8));
    const Pc st_param = emit(store(Type::U32, Space::Local, kNowhere, r(0), 16));
    start(width(), {64}, 2);
    for (unsigned b = 0; b < 2; ++b)
        for (unsigned t = 0; t < 64; ++t) {
            set(r(0), t, 1000 * b + t, b);
            set(r(1), t, 4 * (63 - t), b);
        }
    for (unsigned b = 0; b < 2; ++b)
        run(st_shared, b);
    EXPECT_EQ(access.shared, ~std::uint64_t{0});
    EXPECT_EQ(access.address[1], 4U * 62);
    for (unsigned b = 0; b < 2; ++b) {
        for (unsigned t = 0; t < 64; ++t)
            set(r(1), t, 4 * t, b);
        run(ld_shared, b);
        run(st_local, b);
        EXPECT_EQ(access.local, ~std::uint64_t{0});
        EXPECT_EQ(access.address[5], 8U);
        run(ld_local, b);
        run(st_param, b);
        EXPECT_EQ(access.count, 0); // call parameters have no timing
    }
    for (unsigned b = 0; b < 2; ++b)
        for (unsigned t = 0; t < 64; ++t) {
            EXPECT_EQ(get(r(2), t, b), 1000 * b + 63 - t);
            EXPECT_EQ(get(r(3), t, b), 1000 * b + t);
        }
    // A new block in the slot finds all zeroed.
    executor->start_block(1, {9, 0, 0}, static_cast<RowId>(rows_a_block));
    EXPECT_EQ(get(r(0), 5, 1), 0U);
    EXPECT_EQ(get(r(0), 5, 0), 5U);
    for (const Pc pc : {ld_shared, ld_local})
        run(pc, 1);
    EXPECT_EQ(get(r(2), 5, 1), 0U);
    EXPECT_EQ(get(r(3), 5, 1), 0U);
}

TEST_P(LoadStore, GenericAddressesMayMixSpaces) {
    const Address x = image.allocate(64 * 4, "x");
    kernel().static_shared = 256;
    kernel().local_bytes = 16;
    kernel().declared_local_bytes = 16;
    const Pc st = emit(store(Type::U32, Space::Generic, rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Generic, r(1), rd(0)));
    const Pc shared = emit(load(Type::U32, Space::Shared, r(2), rd(1)));
    const Pc local = emit(load(Type::U32, Space::Local, r(3), kNowhere, 12));
    start(width(), {64});
    const auto place = [&](unsigned t) -> Address {
        return t % 3 == 0 ? x + 4 * t : t % 3 == 1 ? kSharedWindow + 4 * t : kLocalWindow + 12;
    };
    for (unsigned t = 0; t < 64; ++t) {
        set64(rd(0), t, place(t));
        set64(rd(1), t, 4 * t);
        set(r(0), t, 40 + t);
    }
    run(st);
    run(ld);
    ASSERT_EQ(access.count, 64);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get(r(1), t), 40 + t);
        EXPECT_EQ((access.global >> t) & 1, t % 3 == 0 ? 1U : 0U);
        EXPECT_EQ((access.shared >> t) & 1, t % 3 == 1 ? 1U : 0U);
        EXPECT_EQ((access.local >> t) & 1, t % 3 == 2 ? 1U : 0U);
        EXPECT_EQ(access.address[t], t % 3 == 0 ? x + 4 * t : t % 3 == 1 ? 4 * t : 12);
    }
    run(shared);
    run(local);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get(r(2), t), t % 3 == 1 ? 40 + t : 0);
        EXPECT_EQ(get(r(3), t), t % 3 == 2 ? 40 + t : 0);
    }
    for (unsigned t = 0; t < 64; ++t) // all in one window takes the short way
        set64(rd(0), t, kSharedWindow + 4 * t);
    run(ld);
    EXPECT_EQ(access.shared, ~std::uint64_t{0});
    EXPECT_EQ(get(r(1), 4), 44U);
    EXPECT_EQ(get(r(1), 3), 0U);
}

TEST_P(LoadStore, OneInstructionMayTouchSeveralAllocations) {
    const Address a = image.allocate(16, "a");
    const Address b = image.allocate(16, "b");
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    start(width(), {8});
    for (unsigned t = 0; t < 8; ++t) {
        set64(rd(0), t, (t % 2 == 0 ? a : b) + 4 * (t / 2));
        set(r(0), t, t + 1);
    }
    run(st);
    for (unsigned t = 0; t < 8; ++t)
        EXPECT_EQ(memory<std::uint32_t>((t % 2 == 0 ? a : b) + 4 * (t / 2)), t + 1);
}

// The way threads are packed into groups must not change what a program does.
TEST_P(LoadStore, ManyPartsDoWhatOneDoes) {
    const Address x = image.allocate(64 * 4, "x");
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    const Pc add = emit(atomic(Sub::AtomAdd, Type::U32, Space::Global, r(1), rd(1), r(0)));
    const Address sum = image.allocate(4, "sum");
    start(width(), {64});
    const auto prepare = [&] {
        set_memory<std::uint32_t>(sum, 0);
        std::memset(image.host(x), 0, 64 * 4);
        for (unsigned t = 0; t < 64; ++t) {
            set64(rd(0), t, x + 4 * (t * 7 % 64));
            set64(rd(1), t, sum);
            set(r(0), t, t * t + 1);
        }
    };
    prepare();
    run(st);
    run(add);
    std::vector<std::byte> expected(image.host(x), image.host(x) + 64 * 4);
    const auto total = memory<std::uint32_t>(sum);
    EXPECT_EQ(total, 64U + 63 * 64 * 127 / 6);

    prepare();
    for (const Pc pc : {st, add}) {
        Group g;
        g.pc = pc;
        for (unsigned t = 0; t < 64; ++t) // a part a thread, as far as rows permit in any order
            g.part[g.parts++] = {static_cast<RowId>(t / width()), LaneMask{1} << (t % width())};
        g.threads = 64;
        run(g);
        EXPECT_EQ(outcome.executed, 64);
        EXPECT_EQ(access.count, 64);
    }
    EXPECT_EQ(std::memcmp(expected.data(), image.host(x), expected.size()), 0);
    EXPECT_EQ(memory<std::uint32_t>(sum), total);
    // In the order of parts and lanes, each add returns what came before it.
    std::uint32_t before = 0;
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get(r(1), t), before);
        before += t * t + 1;
    }
}

} // namespace
} // namespace heddle::exec::test
