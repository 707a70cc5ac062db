// Several SMs over one image: what each sees of global memory within a window, and what is left of it afterwards.
#include <algorithm>
#include <cstring>
#include <random>

#include "rig.h"

namespace heddle::exec::test {
namespace {

class Windows : public Rig {
protected:
    void start_sms(unsigned n, unsigned width, Dim3 block) {
        start(width, block);
        launch.sms = n;
        for (unsigned sm = 0; sm < n; ++sm) {
            executor = std::make_unique<Executor>(image, sm, Effects::Windowed);
            executor->bind(program);
            begin();
            in_order.push_back(executor.get());
            resting.push_back(std::move(executor));
        }
        on(0);
    }
    void begin() {
        executor->begin(launch);
        executor->start_block(0, {0, 0, 0}, 0);
    }
    // The SM that run(), get() and set() speak of from here on.
    void on(unsigned sm) {
        if (executor != nullptr)
            resting[current] = std::move(executor);
        executor = std::move(resting[sm]);
        current = sm;
    }
    void at(unsigned sm, Cycle now, const Group& g) {
        on(sm);
        run(g, now);
    }
    // One thread of an SM stores v in the word at `to`, with an instruction of base rd(0) and data r(0).
    void put(unsigned sm, Cycle now, Pc pc, Address to, std::uint32_t v, unsigned thread = 0) {
        on(sm);
        set64(rd(0), thread, to);
        set(r(0), thread, v);
        run(group(pc, thread, thread + 1), now);
    }
    void apply() {
        apply_window(in_order);
    }

    std::vector<Executor*> in_order;

private:
    std::vector<std::unique_ptr<Executor>> resting;
    unsigned current = 0;
};

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
    EXPECT_EQ(access.count, 64); // the timing side is told as ever
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

// Random instructions against a model that knows bytes only.
class RandomWindows : public WindowsOfWidth {
protected:
    static constexpr unsigned kSms = 3;
    static constexpr unsigned kInstructions = 8;             // of an SM in a window, by 64 threads each
    static constexpr std::array<unsigned, 2> kSize{512, 96}; // of the allocations

    struct Form {
        Kind kind;
        Sub sub;
        Type type;
        unsigned vector;
        Pc pc = kNoPc;

        [[nodiscard]] unsigned element() const {
            return ptx::size_of(type);
        }
        [[nodiscard]] bool wide() const {
            return element() == 8;
        }
    };
    struct Done { // a store or atomic of one thread
        const Form* form;
        Cycle cycle;
        unsigned sm, thread;
        std::size_t at; // in the model's bytes
        std::array<std::uint64_t, 4> data;
        std::uint64_t compare;
    };

    void emit_forms() {
        forms = {{Kind::Store, Sub::None, Type::U8, 1},      {Kind::Store, Sub::None, Type::U16, 1},
                 {Kind::Store, Sub::None, Type::U32, 1},     {Kind::Store, Sub::None, Type::U64, 1},
                 {Kind::Store, Sub::None, Type::U8, 4},      {Kind::Store, Sub::None, Type::U32, 4},
                 {Kind::Store, Sub::None, Type::U64, 2},     {Kind::Load, Sub::None, Type::U8, 1},
                 {Kind::Load, Sub::None, Type::U16, 1},      {Kind::Load, Sub::None, Type::U32, 1},
                 {Kind::Load, Sub::None, Type::U64, 1},      {Kind::Load, Sub::None, Type::U16, 2},
                 {Kind::Load, Sub::None, Type::U32, 4},      {Kind::Load, Sub::None, Type::U64, 2},
                 {Kind::Atomic, Sub::AtomAdd, Type::U32, 1}, {Kind::Atomic, Sub::AtomExch, Type::B64, 1},
                 {Kind::Atomic, Sub::AtomCas, Type::B32, 1}};
        for (std::size_t i = 0; i < forms.size(); ++i) {
            Form& f = forms[i];
            const Space space = i % 2 == 0 ? Space::Global : Space::Generic;
            MicroOp op;
            if (f.kind == Kind::Store) {
                op = store(f.type, space, rd(0), kNowhere);
                for (unsigned e = 0; e < f.vector; ++e)
                    op.src[1 + e] = value_place(f, e);
            } else if (f.kind == Kind::Load) {
                op = load(f.type, space, kNowhere, rd(0));
                for (unsigned e = 0; e < f.vector; ++e)
                    op.dst[e] = value_place(f, e);
            } else {
                op = atomic(f.sub, f.type, space, old_place(f), rd(0), value_place(f, 0), kNowhere);
                if (f.sub == Sub::AtomCas) // compares with src[1], writes src[2]
                    op.src = {rd(0), r(4), value_place(f, 0), kNowhere, kNowhere};
            }
            op.vector = static_cast<std::uint8_t>(f.vector);
            f.pc = emit(op);
        }
    }
    static Place value_place(const Form& f, unsigned element) {
        return f.wide() ? rd(1 + element) : r(element);
    }
    static Place old_place(const Form& f) {
        return f.wide() ? rd(3) : r(5);
    }
    void set_value(const Form& f, unsigned element, unsigned t, std::uint64_t v) {
        if (f.wide())
            set64(value_place(f, element), t, v);
        else
            set(value_place(f, element), t, static_cast<std::uint32_t>(v));
    }
    std::uint64_t value(const Form& f, Place place, unsigned t) {
        return f.wide() ? get64(place, t) : get(place, t);
    }

    [[nodiscard]] Address address_of(std::size_t at) const {
        return at < kSize[0] ? base[0] + at : base[1] + (at - kSize[0]);
    }
    static std::uint64_t peek(const std::vector<std::uint8_t>& bytes, std::size_t at, unsigned n) {
        std::uint64_t v = 0;
        for (unsigned i = 0; i < n; ++i)
            v |= std::uint64_t{bytes[at + i]} << (8 * i);
        return v;
    }
    static void poke(std::vector<std::uint8_t>& bytes, std::size_t at, unsigned n, std::uint64_t v) {
        for (unsigned i = 0; i < n; ++i)
            bytes[at + i] = static_cast<std::uint8_t>(v >> (8 * i));
    }
    static void store_to(std::vector<std::uint8_t>& bytes, const Done& d) {
        const unsigned n = d.form->element();
        for (unsigned e = 0; e < d.form->vector; ++e)
            poke(bytes, d.at + std::size_t{e} * n, n, d.data[e]);
    }

    // Where thread i of 64 accesses `n` bytes.
    std::size_t pick(unsigned pattern, std::size_t start, unsigned i, unsigned n) {
        const std::size_t total = kSize[0] + kSize[1];
        switch (pattern) {
        case 0: // side by side, into the other allocation where they end
            return (start + i) * n % total;
        case 1: // in one allocation
            return (start + i) * n % kSize[0];
        case 2: // one for all
            return start * n % total;
        default:
            return rng() % (total / n) * n;
        }
    }

    // One instruction of an SM by its `index`-th 64 threads: its registers, its execution, what a load must give.
    void instruction(unsigned sm, Cycle now, unsigned index, std::vector<std::uint8_t>& seen) {
        const Form& f = forms[rng() % forms.size()];
        const unsigned bytes = f.element() * f.vector;
        const unsigned pattern = rng() % 4;
        const std::size_t begin = rng() % 64;
        const bool all = rng() % 2 == 0;
        Group g;
        g.pc = f.pc;
        std::vector<Done> threads;
        for (unsigned i = 0; i < 64; ++i) {
            const unsigned t = 64 * index + i;
            set64(rd(0), t, 1); // fatal where a thread takes part that should not
            if (!all && rng() % 3 == 0)
                continue;
            add(g, t, t + 1);
            Done d{&f, now, sm, t, pick(pattern, begin, i, bytes), {}, rng() % 4};
            set64(rd(0), t, address_of(d.at));
            for (unsigned e = 0; e < f.vector; ++e) {
                d.data[e] = rng() % 8 == 0 ? rng() : rng() % 4;
                set_value(f, e, t, d.data[e]);
            }
            if (f.sub == Sub::AtomCas)
                set(r(4), t, static_cast<std::uint32_t>(d.compare));
            threads.push_back(d);
        }
        run(g, now);
        for (const Done& d : threads) {
            if (f.kind == Kind::Load) {
                for (unsigned e = 0; e < f.vector; ++e)
                    ASSERT_EQ(value(f, value_place(f, e), d.thread),
                              peek(seen, d.at + std::size_t{e} * f.element(), f.element()));
                continue;
            }
            if (f.kind == Kind::Store)
                store_to(seen, d);
            done.push_back(d);
        }
    }
    void window(Cycle first) {
        std::array<unsigned, kSms> order{0, 1, 2};
        for (unsigned i = kSms; i > 1; --i)
            std::swap(order[i - 1], order[rng() % i]);
        done.clear();
        for (const unsigned sm : order) {
            on(sm);
            std::vector<std::uint8_t> seen = bytes;
            Cycle now = first;
            for (unsigned i = 0; i < kInstructions; ++i) {
                now += rng() % 2;
                instruction(sm, now, i, seen);
            }
        }
        apply();
        std::stable_sort(done.begin(), done.end(), [](const Done& a, const Done& b) {
            return a.cycle != b.cycle ? a.cycle < b.cycle : a.sm < b.sm;
        });
        for (const Done& d : done)
            effect(d);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            ASSERT_EQ(memory<std::uint8_t>(address_of(i)), bytes[i]) << "byte " << i;
    }
    void effect(const Done& d) {
        if (d.form->kind == Kind::Store)
            return store_to(bytes, d);
        const unsigned n = d.form->element();
        const std::uint64_t old = peek(bytes, d.at, n);
        on(d.sm);
        ASSERT_EQ(value(*d.form, old_place(*d.form), d.thread), old);
        switch (d.form->sub) {
        case Sub::AtomAdd:
            return poke(bytes, d.at, n, old + d.data[0]);
        case Sub::AtomExch:
            return poke(bytes, d.at, n, d.data[0]);
        default:
            return poke(bytes, d.at, n, old == d.compare ? d.data[0] : old);
        }
    }

    std::mt19937 rng{GetParam()};
    std::vector<Form> forms;
    std::array<Address, 2> base{};
    std::vector<std::uint8_t> bytes; // both allocations, one behind the other
    std::vector<Done> done;
};
INSTANTIATE_TEST_SUITE_P(Widths, RandomWindows, ::testing::Values(8U, 32U, 64U));

TEST_P(RandomWindows, AgreeWithAByteWiseModel) {
    for (unsigned i = 0; i < 2; ++i)
        base[i] = image.allocate(kSize[i], "x");
    bytes.resize(kSize[0] + kSize[1]);
    emit_forms();
    start_sms(kSms, GetParam(), {64 * kInstructions});
    for (unsigned w = 0; w < 150 && !HasFatalFailure(); ++w) // 3600 instructions
        window(8 * w);
}

} // namespace
} // namespace heddle::exec::test
