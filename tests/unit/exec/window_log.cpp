// What each of several SMs sees of global memory within a window, and what is left of it afterwards.
#include <array>

#include "windows_rig.h"

namespace heddle::exec::test {
namespace {

class WindowsOfWidth : public Windows, public ::testing::WithParamInterface<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Widths, WindowsOfWidth, ::testing::Values(8U, 32U, 64U));

TEST_P(WindowsOfWidth, OwnStoresAreSeenAtOnceThoseOfOthersOnceApplied) {
    const Address x = image.allocate(64 * 4, "x");
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Global, r(1), rd(0)));
    start_sms(2, GetParam(), {64});
    for (unsigned sm = 0; sm < 2; ++sm) {
        on(sm);
        for (unsigned t = 0; t < 64; ++t) {
            set64(rd(0), t, x + 4 * t);
            set(r(0), t, 100 + t);
        }
    }
    on(0);
    run(st);
    EXPECT_EQ(access.count, 64); // the access for the timing is unchanged
    EXPECT_EQ(access.global, ~std::uint64_t{0});
    EXPECT_EQ(access.address[63], x + 252);
    run(ld);
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(get(r(1), t), 100 + t);
    on(1);
    run(ld);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get(r(1), t), 0U);
        EXPECT_EQ(memory<std::uint32_t>(x + 4 * t), 0U);
    }
    apply();
    run(ld);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get(r(1), t), 100 + t);
        EXPECT_EQ(memory<std::uint32_t>(x + 4 * t), 100 + t);
    }
    // Applied once: what the host writes now stays.
    set_memory<std::uint32_t>(x, 5);
    apply();
    EXPECT_EQ(memory<std::uint32_t>(x), 5U);
}

TEST_P(WindowsOfWidth, MaskedRowsStoreNoMoreThanTheirLanes) {
    const Address x = image.allocate(64 * 8, "x");
    const Pc st = emit(store(Type::U64, Space::Global, rd(0), rd(1)));
    const Pc ld = emit(load(Type::U64, Space::Global, rd(2), rd(0)));
    start_sms(2, GetParam(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set_memory<std::uint64_t>(x + 8 * t, 9000 + t);
        set64(rd(0), t, x + 8 * t);
        set64(rd(1), t, t);
    }
    Group g;
    g.pc = st;
    const auto stores = [](unsigned t) { return t % 5 < 2 || t >= 60; };
    for (unsigned t = 0; t < 64; ++t)
        if (stores(t))
            add(g, t, t + 1);
    run(g);
    run(ld);
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(get64(rd(2), t), stores(t) ? t : 9000 + t);
    apply();
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(memory<std::uint64_t>(x + 8 * t), stores(t) ? t : 9000 + t);
}

TEST_F(Windows, TheLaterCycleWinsThenTheHigherSm) {
    const Address x = image.allocate(4, "x");
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    start_sms(2, 32, {32});
    const auto left = [&](bool one_first, Cycle of_zero, Cycle of_one) {
        if (one_first)
            put(1, of_one, st, x, 11);
        put(0, of_zero, st, x, 10);
        if (!one_first)
            put(1, of_one, st, x, 11);
        apply();
        return memory<std::uint32_t>(x);
    };
    for (const bool one_first : {false, true}) {
        EXPECT_EQ(left(one_first, 5, 4), 10U);
        EXPECT_EQ(left(one_first, 5, 5), 11U);
        EXPECT_EQ(left(one_first, 5, 6), 11U);
        EXPECT_EQ(left(one_first, 4, 5), 11U);
    }
}

TEST_F(Windows, WithinACycleOfAnSmTheLaterInstructionThenTheHigherLaneWins) {
    const Address x = image.allocate(64, "x");
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Global, r(1), rd(0)));
    start_sms(1, 32, {32});
    for (unsigned t = 0; t < 32; ++t) {
        set64(rd(0), t, x + 4 * (t % 3)); // lanes 30, 31, 29 are the last of words 0, 1, 2
        set(r(0), t, t);
    }
    run(group(st, 0, 32), 7);
    run(group(ld, 0, 32), 7);
    EXPECT_EQ(get(r(1), 0), 30U);
    EXPECT_EQ(get(r(1), 1), 31U);
    EXPECT_EQ(get(r(1), 2), 29U);
    put(0, 7, st, x + 4, 77, 3);
    run(group(ld, 1, 3), 7);
    EXPECT_EQ(get(r(1), 1), 77U);
    apply();
    EXPECT_EQ(memory<std::uint32_t>(x), 30U);
    EXPECT_EQ(memory<std::uint32_t>(x + 4), 77U);
    EXPECT_EQ(memory<std::uint32_t>(x + 8), 29U);
}

TEST_F(Windows, StoresAndLoadsOfDifferentWidthsOverlap) {
    const Address x = image.allocate(64, "x");
    for (unsigned i = 0; i < 32; ++i)
        set_memory<std::uint8_t>(x + i, static_cast<std::uint8_t>(0xa0 + i));
    const Place base = constant64(x);
    const Pc st64 = emit(store(Type::U64, Space::Global, base, rd(1)));
    const Pc st8 = emit(store(Type::U8, Space::Global, base, r(2), 1));
    const Pc st16 = emit(store(Type::U16, Space::Global, base, r(3), 6));
    MicroOp two = store(Type::U32, Space::Global, base, kNowhere, 16);
    two.vector = 2;
    two.src = {base, r(2), r(3), kNowhere, kNowhere};
    const Pc st32x2 = emit(two);
    MicroOp four = load(Type::U32, Space::Global, kNowhere, base, 0);
    four.vector = 4;
    four.dst = {r(4), r(5), r(6), r(7)};
    const Pc ld32x4 = emit(four);
    const Pc ld64 = emit(load(Type::U64, Space::Global, rd(2), base, 16));
    const Pc ld8 = emit(load(Type::S8, Space::Global, r(8), base, 5));
    const Pc ld16 = emit(load(Type::U16, Space::Global, r(9), base, 0));
    MicroOp widest = load(Type::U64, Space::Global, kNowhere, base, 0);
    widest.vector = 4;
    widest.dst = {rd(0), rd(1), rd(2), rd(3)};
    const Pc ld64x4 = emit(widest);
    start_sms(2, 32, {32});
    set64(rd(1), 0, 0x1122334455f77788);
    set(r(2), 0, 0xdeadbe02);
    set(r(3), 0, 0xdeadc003);
    for (const Pc pc : {st64, st8, st16, st32x2})
        run(group(pc, 0, 1));
    for (const Pc pc : {ld32x4, ld64, ld8, ld16})
        run(group(pc, 0, 1));
    // Little-endian bytes 0 to 7 are 88 77 f7 55 44 33 22 11; byte 1 becomes 02, bytes 6 and 7 become 03 c0.
    EXPECT_EQ(get(r(4), 0), 0x55f70288U);
    EXPECT_EQ(get(r(5), 0), 0xc0033344U);
    EXPECT_EQ(get(r(6), 0), 0xabaaa9a8U); // bytes 8 to 11 are the image's
    EXPECT_EQ(get(r(7), 0), 0xafaeadacU);
    EXPECT_EQ(get64(rd(2), 0), 0xdeadc003deadbe02U);
    EXPECT_EQ(get(r(8), 0), 0x33U);
    EXPECT_EQ(get(r(9), 0), 0x0288U);
    run(group(ld64x4, 0, 1));
    EXPECT_EQ(get64(rd(0), 0), 0xc003334455f70288U);
    EXPECT_EQ(get64(rd(1), 0), 0xafaeadacabaaa9a8U);
    EXPECT_EQ(get64(rd(2), 0), 0xdeadc003deadbe02U);
    EXPECT_EQ(get64(rd(3), 0), 0xbfbebdbcbbbab9b8U);
    EXPECT_EQ(memory<std::uint64_t>(x), 0xa7a6a5a4a3a2a1a0U);
    apply();
    EXPECT_EQ(memory<std::uint64_t>(x), 0xc003334455f70288U);
    EXPECT_EQ(memory<std::uint64_t>(x + 16), 0xdeadc003deadbe02U);
}

TEST_F(Windows, AtomicsReturnOldValuesInTheOrderOfCyclesAndSms) {
    const Address x = image.allocate(4, "x");
    set_memory<std::uint32_t>(x, 1000);
    const Pc exch = emit(atomic(Sub::AtomExch, Type::B32, Space::Global, r(1), rd(0), r(0)));
    start_sms(3, 32, {32});
    // Thread t of an SM does its (t+1)-th exchange. In order: SM 0 and 1 in cycle 1, 1 in 2, 0 and 2 in 3.
    put(2, 3, exch, x, 203, 0);
    put(0, 1, exch, x, 1, 0);
    put(0, 3, exch, x, 3, 1);
    put(1, 1, exch, x, 101, 0);
    put(1, 2, exch, x, 102, 1);
    EXPECT_EQ(memory<std::uint32_t>(x), 1000U);
    for (unsigned sm = 0; sm < 3; ++sm) {
        on(sm);
        EXPECT_EQ(get(r(1), 0), 0U);
    }
    apply();
    on(0);
    EXPECT_EQ(get(r(1), 0), 1000U);
    EXPECT_EQ(get(r(1), 1), 102U);
    on(1);
    EXPECT_EQ(get(r(1), 0), 1U);
    EXPECT_EQ(get(r(1), 1), 101U);
    on(2);
    EXPECT_EQ(get(r(1), 0), 3U);
    EXPECT_EQ(memory<std::uint32_t>(x), 203U);
}

TEST_P(WindowsOfWidth, AddsOfAllLanesFollowEachOther) {
    const Address x = image.allocate(8, "x");
    const Pc add = emit(atomic(Sub::AtomAdd, Type::U64, Space::Global, rd(1), rd(0), rd(2)));
    const Pc red = emit(atomic(Sub::AtomAdd, Type::U64, Space::Global, kNowhere, rd(0), rd(2)));
    start_sms(2, GetParam(), {64});
    for (unsigned sm = 0; sm < 2; ++sm) {
        on(sm);
        for (unsigned t = 0; t < 64; ++t) {
            set64(rd(0), t, x);
            set64(rd(1), t, 4);
            set64(rd(2), t, std::uint64_t{1} << 33);
        }
    }
    at(0, 2, group(add, 0, 64));
    at(1, 1, group(add, 0, 64));
    at(1, 2, group(red, 0, 64));
    EXPECT_EQ(outcome.kind, Outcome::Kind::Memory);
    EXPECT_TRUE(access.atomic);
    EXPECT_EQ(access.count, 64);
    EXPECT_EQ(access.address[40], x);
    EXPECT_EQ(get64(rd(1), 63), 4U);
    // By then the program may have put other values into the registers the instruction read.
    for (unsigned t = 0; t < 64; ++t) {
        set64(rd(0), t, 0);
        set64(rd(2), t, 0);
    }
    apply();
    for (unsigned t = 0; t < 64; ++t) {
        on(1);
        EXPECT_EQ(get64(rd(1), t), std::uint64_t{t} << 33);
        on(0);
        EXPECT_EQ(get64(rd(1), t), std::uint64_t{64 + t} << 33);
    }
    EXPECT_EQ(memory<std::uint64_t>(x), std::uint64_t{3 * 64} << 33);
}

TEST_F(Windows, OneSmGetsTheLock) {
    const Address lock = image.allocate(4, "lock");
    const Pc cas = emit(atomic(Sub::AtomCas, Type::B32, Space::Global, r(1), rd(0), r(2), r(0)));
    start_sms(2, 32, {32});
    put(1, 9, cas, lock, 2, 31); // expects r(2), 0
    put(0, 9, cas, lock, 1, 31);
    apply();
    EXPECT_EQ(memory<std::uint32_t>(lock), 1U);
    on(0);
    EXPECT_EQ(get(r(1), 31), 0U);
    on(1);
    EXPECT_EQ(get(r(1), 31), 1U);
}

TEST_F(Windows, FloatAddsFlushSubnormalsAsInGlobalMemory) {
    const Address x = image.allocate(4, "x");
    const Pc add = emit(atomic(Sub::AtomAdd, Type::F32, Space::Generic, r(1), rd(0), r(0)));
    start_sms(1, 32, {32});
    put(0, 0, add, x, 0x00000010);
    apply();
    EXPECT_EQ(memory<std::uint32_t>(x), 0U);
}

TEST_F(Windows, StoresAndAtomicsOfOneSmKeepTheirOrder) {
    const Address x = image.allocate(8, "x");
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    const Pc add = emit(atomic(Sub::AtomAdd, Type::U32, Space::Global, r(1), rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Global, r(1), rd(0)));
    start_sms(2, 32, {32});
    put(0, 3, st, x, 100, 0);
    put(0, 3, add, x, 5, 1);
    put(0, 3, add, x + 4, 5, 2);
    put(0, 3, st, x + 4, 100, 3);
    run(group(ld, 3, 4), 3);
    EXPECT_EQ(get(r(1), 3), 100U);
    set64(rd(0), 4, x); // the add of this window is still to come
    run(group(ld, 4, 5), 4);
    EXPECT_EQ(get(r(1), 4), 100U);
    apply();
    EXPECT_EQ(get(r(1), 1), 100U);
    EXPECT_EQ(get(r(1), 2), 0U);
    EXPECT_EQ(memory<std::uint32_t>(x), 105U);
    EXPECT_EQ(memory<std::uint32_t>(x + 4), 100U);
}

TEST_F(Windows, ALogOfAtomicsAloneHidesNothing) {
    const Address x = image.allocate(8, "x");
    set_memory<std::uint32_t>(x, 8);
    const Pc add = emit(atomic(Sub::AtomAdd, Type::U32, Space::Global, r(1), rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Global, r(1), rd(0)));
    start_sms(1, 32, {32});
    put(0, 0, add, x, 5, 0);
    set64(rd(0), 1, x);
    run(group(ld, 1, 2));
    EXPECT_EQ(get(r(1), 1), 8U);
    apply();
    run(group(ld, 1, 2));
    EXPECT_EQ(get(r(1), 1), 13U);
}

TEST_P(WindowsOfWidth, OneAtomicInSharedAndGlobalMemory) {
    const Address x = image.allocate(64 * 4, "x");
    kernel().static_shared = 256;
    const Pc add = emit(atomic(Sub::AtomAdd, Type::U32, Space::Generic, r(1), rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Shared, r(2), rd(1)));
    start_sms(2, GetParam(), {64});
    for (unsigned t = 0; t < 64; ++t) { // even threads in shared, odd ones in global memory, two a word
        set64(rd(0), t, (t % 2 == 0 ? kSharedWindow : x) + 4 * (t / 4));
        set64(rd(1), t, 4 * (t / 4));
        set(r(0), t, 10 + t);
        set(r(1), t, 3);
        set_memory<std::uint32_t>(x + 4 * t, 700);
    }
    run(add);
    EXPECT_EQ(access.shared, 0x5555555555555555U);
    EXPECT_EQ(access.global, 0xaaaaaaaaaaaaaaaaU);
    run(ld);
    for (unsigned t = 0; t < 64; t += 4) {
        EXPECT_EQ(get(r(1), t), 0U);
        EXPECT_EQ(get(r(1), t + 2), 10 + t);
        EXPECT_EQ(get(r(2), t), 22 + 2 * t);
        EXPECT_EQ(get(r(1), t + 1), 3U);
        EXPECT_EQ(memory<std::uint32_t>(x + t), 700U);
    }
    apply();
    for (unsigned t = 0; t < 64; t += 4) {
        EXPECT_EQ(get(r(1), t), 0U);
        EXPECT_EQ(get(r(1), t + 1), 700U);
        EXPECT_EQ(get(r(1), t + 3), 711 + t);
        EXPECT_EQ(memory<std::uint32_t>(x + t), 724 + 2 * t);
    }
}

TEST_P(WindowsOfWidth, GenericAddressesGoByWhereTheyLead) {
    const Address x = image.allocate(64 * 4, "x");
    kernel().static_shared = 256;
    kernel().local_bytes = kernel().declared_local_bytes = 16;
    const Pc st = emit(store(Type::U32, Space::Generic, rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Generic, r(1), rd(0)));
    const Pc shared = emit(load(Type::U32, Space::Shared, r(2), rd(1)));
    const Pc local = emit(load(Type::U32, Space::Local, r(3), kNowhere, 12));
    start_sms(2, GetParam(), {64});
    for (unsigned t = 0; t < 64; ++t) {
        set64(rd(0), t, t % 3 == 0 ? x + 4 * t : t % 3 == 1 ? kSharedWindow + 4 * t : kLocalWindow + 12);
        set64(rd(1), t, 4 * t);
        set(r(0), t, 40 + t);
    }
    for (const Pc pc : {st, ld, shared, local})
        run(pc);
    for (unsigned t = 0; t < 64; ++t) {
        EXPECT_EQ(get(r(1), t), 40 + t);
        EXPECT_EQ(get(r(2), t), t % 3 == 1 ? 40 + t : 0);
        EXPECT_EQ(get(r(3), t), t % 3 == 2 ? 40 + t : 0);
        EXPECT_EQ(memory<std::uint32_t>(x + 4 * t), 0U);
    }
    apply();
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(memory<std::uint32_t>(x + 4 * t), t % 3 == 0 ? 40 + t : 0U);
}

// More allocations than a log keeps apart, by one instruction each and by one for all.
TEST_F(Windows, ManyAllocations) {
    std::array<Address, 8> a{};
    for (Address& each : a)
        each = image.allocate(4, "a");
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Global, r(1), rd(0)));
    start_sms(2, 32, {32});
    const auto check = [&](std::uint32_t stored) {
        for (unsigned t = 0; t < 8; ++t) {
            run(group(ld, t, t + 1));
            EXPECT_EQ(get(r(1), t), t < stored ? 20 + t : 0);
        }
        run(group(ld, 0, 8));
        for (unsigned t = 0; t < 8; ++t)
            EXPECT_EQ(get(r(1), t), t < stored ? 20 + t : 0);
    };
    for (unsigned t = 0; t < 8; ++t)
        set64(rd(0), t, a[t]);
    for (unsigned t = 0; t < 7; ++t) {
        put(0, 0, st, a[t], 20 + t, t);
        check(t + 1);
    }
    apply();
    for (unsigned t = 0; t < 8; ++t) {
        EXPECT_EQ(memory<std::uint32_t>(a[t]), t < 7 ? 20 + t : 0);
        set_memory<std::uint32_t>(a[t], 0);
    }
    check(0);
    run(group(st, 0, 7));
    check(7);
    on(1);
    for (unsigned t = 0; t < 8; ++t)
        set64(rd(0), t, a[t]);
    check(0);
}

TEST_F(Windows, RowsOfAMatrixAndConstantsAreNotMistaken) {
    const Address x = image.allocate(std::uint64_t{1} << 22, "x");
    const Address c = image.allocate(128, "c", true);
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    const Pc ld = emit(load(Type::U32, Space::Global, r(1), rd(0)));
    const Pc ldc = emit(load(Type::U32, Space::Const, r(1), rd(1)));
    start_sms(1, 32, {32});
    for (unsigned t = 0; t < 32; ++t) {
        set64(rd(0), t, x + (std::uint64_t{t} << 17));
        set64(rd(1), t, c + 4 * t);
        set_memory<std::uint32_t>(c + 4 * t, 300 + t);
        set(r(0), t, 1 + t);
    }
    run(group(st, 0, 32));
    run(group(ldc, 0, 32));
    EXPECT_EQ(access.constant, first_lanes(32));
    for (unsigned t = 0; t < 32; ++t) {
        EXPECT_EQ(get(r(1), t), 300 + t);
        set64(rd(0), t, x + (std::uint64_t{31 - t} << 17) + 4 * (t % 2));
    }
    run(group(ld, 0, 32));
    for (unsigned t = 0; t < 32; ++t)
        EXPECT_EQ(get(r(1), t), t % 2 == 0 ? 32 - t : 0);
}

TEST_F(Windows, FaultsComeWhenTheInstructionExecutes) {
    const Address x = image.allocate(64, "x");
    const Address c = image.allocate(64, "c", true);
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)));
    const Pc add = emit(atomic(Sub::AtomAdd, Type::U32, Space::Global, r(1), rd(0), r(0)));
    start_sms(2, 32, {32});
    for (const Pc pc : {st, add}) {
        for (const Address wrong : {x + 64, x + 2, c}) {
            set64(rd(0), 0, wrong);
            EXPECT_NE(fault_of(group(pc, 0, 1)), "no fault");
        }
        put(0, 0, pc, x, 6);
    }
    begin(); // the launch after the fault begins with an empty log
    apply();
    EXPECT_EQ(memory<std::uint32_t>(x), 0U);
}

TEST_F(Windows, EachSmKnowsItsNumber) {
    const Pc smid = emit(special(ir::SpecialRegister::Smid, r(0)));
    const Pc nsmid = emit(special(ir::SpecialRegister::Nsmid, r(1)));
    start_sms(3, 32, {32});
    for (unsigned sm = 0; sm < 3; ++sm) {
        on(sm);
        run(smid);
        run(nsmid);
        EXPECT_EQ(get(r(0), 31), sm);
        EXPECT_EQ(get(r(1), 31), 3U);
    }
}

} // namespace
} // namespace heddle::exec::test
