// Groups of threads that lie in many rows, a few in each.
#include <vector>

#include <gmock/gmock.h>

#include "rig.h"

namespace heddle::exec::test {
namespace {

struct Form {
    Type type;
    unsigned register_bytes;
    unsigned vector;

    [[nodiscard]] Place element(unsigned e) const { // of the vector in registers
        return register_bytes == 8 ? rd(1 + e) : r(e);
    }
};

class Scattered : public Rig, public ::testing::WithParamInterface<unsigned> {
protected:
    static constexpr unsigned kThreads = 256; // of a block
    static constexpr unsigned kStep = 9;
    static constexpr unsigned kBytes = 16; // of a thread's place in memory

    void begin(unsigned blocks = 1) {
        start(GetParam(), {kThreads}, blocks);
    }
    // Every ninth thread.
    Group few(Pc pc) {
        Group g;
        g.pc = pc;
        for (unsigned t = 0; t < kThreads; t += kStep)
            add(g, t, t + 1);
        return g;
    }
    static bool takes_part(unsigned t) {
        return t % kStep == 0 && t % 4 != 3;
    }
    static MicroOp guarded(MicroOp op) {
        op.guard = p(0);
        return op;
    }
    // Where thread t's data lie, the order mixed.
    static Address place(unsigned t) {
        return Address{t} * 7 % kThreads * kBytes;
    }
    static std::uint8_t byte(Address at) {
        return static_cast<std::uint8_t>(at * 37 + 11);
    }
    static std::uint64_t bits(Type type, Address at) {
        std::uint64_t v = 0;
        const unsigned n = ptx::size_of(type);
        for (unsigned i = 0; i < n; ++i)
            v |= std::uint64_t{byte(at + i)} << (8 * i);
        if (ptx::is_signed(type) && (byte(at + n - 1) & 0x80) != 0)
            v |= n == 8 ? 0 : ~std::uint64_t{0} << (8 * n);
        return v;
    }
    void prepare(Address x) {
        for (unsigned k = 0; k < kThreads * kBytes; ++k)
            set_memory(x + k, byte(k));
        for (unsigned t = 0; t < kThreads; ++t) {
            set64(rd(0), t, takes_part(t) ? x + place(t) : 1); // elsewhere fatal
            set_predicate(p(0), t, takes_part(t));
        }
    }
    void set_element(const Form& f, unsigned e, unsigned t, std::uint64_t value) {
        if (f.register_bytes == 8)
            set64(f.element(e), t, value);
        else
            set(f.element(e), t, static_cast<std::uint32_t>(value));
    }
    std::uint64_t get_element(const Form& f, unsigned e, unsigned t) {
        return f.register_bytes == 8 ? get64(f.element(e), t) : get(f.element(e), t);
    }
    void check_entries(Address x) {
        unsigned entry = 0;
        for (unsigned t = 0; t < kThreads; ++t)
            if (takes_part(t)) {
                EXPECT_EQ(access.address[entry], x + place(t));
                EXPECT_EQ(access.lane[entry], t % GetParam());
                EXPECT_EQ(access.row[entry++], t / GetParam());
            }
        EXPECT_EQ(access.count, entry);
        EXPECT_EQ(outcome.executed, entry);
        EXPECT_EQ(access.global, first_lanes(entry));
    }
};
INSTANTIATE_TEST_SUITE_P(Widths, Scattered, ::testing::Values(8U, 32U));

const std::vector<Form> kForms{{Type::U8, 4, 1},  {Type::S8, 4, 1},  {Type::S8, 8, 1},  {Type::U16, 4, 1},
                               {Type::S16, 8, 1}, {Type::U32, 4, 1}, {Type::S32, 8, 1}, {Type::U64, 8, 1},
                               {Type::F32, 4, 2}, {Type::F32, 4, 4}, {Type::U64, 8, 2}, {Type::U8, 4, 4}};

TEST_P(Scattered, EveryFormOfALoad) {
    const Address x = image.allocate(kThreads * kBytes, "x");
    std::vector<Pc> pcs;
    for (const Form& f : kForms) {
        MicroOp op = guarded(load(f.type, Space::Global, r(0), rd(0), 0, f.register_bytes));
        op.vector = static_cast<std::uint8_t>(f.vector);
        for (unsigned e = 0; e < f.vector; ++e)
            op.dst[e] = f.element(e);
        if (f.vector == 4)
            op.dst[1] = kNowhere;
        pcs.push_back(emit(op));
    }
    begin();
    for (std::size_t i = 0; i < kForms.size(); ++i) {
        const Form& f = kForms[i];
        prepare(x);
        for (unsigned t = 0; t < kThreads; ++t)
            for (unsigned e = 0; e < f.vector; ++e)
                set_element(f, e, t, 77);
        run(few(pcs[i]));
        check_entries(x);
        EXPECT_EQ(access.bytes, ptx::size_of(f.type) * f.vector);
        const std::uint64_t all = f.register_bytes == 8 ? ~std::uint64_t{0} : ~0U;
        for (unsigned t = 0; t < kThreads; ++t)
            for (unsigned e = 0; e < f.vector; ++e)
                EXPECT_EQ(get_element(f, e, t),
                          takes_part(t) && (f.vector != 4 || e != 1)
                              ? bits(f.type, place(t) + std::size_t{e} * ptx::size_of(f.type)) & all
                              : 77);
    }
}

TEST_P(Scattered, EveryFormOfAStore) {
    const Address x = image.allocate(kThreads * kBytes, "x");
    std::vector<Pc> pcs;
    for (const Form& f : kForms) {
        MicroOp op = guarded(store(f.type, Space::Global, rd(0), r(0), 0, f.register_bytes));
        op.vector = static_cast<std::uint8_t>(f.vector);
        for (unsigned e = 0; e < f.vector; ++e)
            op.src[1 + e] = f.element(e);
        pcs.push_back(emit(op));
    }
    begin();
    for (std::size_t i = 0; i < kForms.size(); ++i) {
        const Form& f = kForms[i];
        prepare(x);
        std::vector<std::uint8_t> expected(kThreads * kBytes);
        for (unsigned k = 0; k < expected.size(); ++k)
            expected[k] = byte(k);
        for (unsigned t = 0; t < kThreads; ++t)
            for (unsigned e = 0; e < f.vector; ++e) {
                const std::uint64_t v = 0x0102030405060708U * (t + 1) + e;
                set_element(f, e, t, v);
                const unsigned n = ptx::size_of(f.type);
                for (unsigned b = 0; takes_part(t) && b < n; ++b)
                    expected[place(t) + std::size_t{e} * n + b] = static_cast<std::uint8_t>(v >> (8 * b));
            }
        run(few(pcs[i]));
        check_entries(x);
        for (unsigned k = 0; k < expected.size(); ++k)
            ASSERT_EQ(memory<std::uint8_t>(x + k), expected[k]) << "form " << i << " byte " << k;
    }
}

TEST_P(Scattered, TheLastOfThreadsWithOneAddressWins) {
    const Address x = image.allocate(8, "x");
    const Pc st = emit(store(Type::U32, Space::Global, constant64(x), r(0)));
    begin();
    for (unsigned t = 0; t < kThreads; ++t)
        set(r(0), t, t);
    run(few(st));
    EXPECT_EQ(memory<std::uint32_t>(x), 252U);
    EXPECT_EQ(memory<std::uint32_t>(x + 4), 0U);
}

// Shared memory is that of each thread's block, local memory its own; of that, call parameters have no timing.
TEST_P(Scattered, ThreadsOfSeveralBlocks) {
    kernel().static_shared = kThreads * 4;
    kernel().local_bytes = 24;
    kernel().declared_local_bytes = 16;
    const Pc st_shared = emit(store(Type::U32, Space::Shared, rd(0), r(0)));
    const Pc ld_shared = emit(load(Type::U32, Space::Shared, r(1), rd(0)));
    const Pc st_local = emit(store(Type::U32, Space::Local, rd(1), r(0)));
    const Pc ld_local = emit(load(Type::U32, Space::Local, r(2), rd(1)));
    begin(2);
    Group g;
    for (unsigned b = 0; b < 2; ++b)
        for (unsigned t = b; t < kThreads; t += 2 * kStep) {
            set64(rd(0), t, 4 * (t / 3), b);
            set64(rd(1), t, t / (2 * kStep) % 3 == 0 ? 16 : 8, b); // a call parameter, a variable
            set(r(0), t, 1000 * (b + 1) + t, b);
            add(g, t, t + 1, b);
        }
    for (const Pc pc : {st_shared, ld_shared}) {
        g.pc = pc;
        run(g);
        EXPECT_EQ(access.shared, first_lanes(g.threads));
        EXPECT_EQ(access.address[1], 4U * 6);
    }
    for (const Pc pc : {st_local, ld_local}) {
        g.pc = pc;
        run(g);
        ASSERT_EQ(access.count, 20); // two of three in each block
        EXPECT_EQ(access.local, first_lanes(20));
        EXPECT_EQ(access.address[0], 8U);
        EXPECT_EQ(access.row[0], row_of(18, 0));
        EXPECT_EQ(access.lane[19], lane_of(253, 1));
    }
    for (unsigned b = 0; b < 2; ++b)
        for (unsigned t = b; t < kThreads; t += 2 * kStep) {
            EXPECT_EQ(get(r(1), t, b), 1000 * (b + 1) + t);
            EXPECT_EQ(get(r(2), t, b), 1000 * (b + 1) + t);
        }
}

TEST_P(Scattered, ParametersAreReadAndNotTimed) {
    parameters.resize(8);
    parameters[4] = std::byte{42};
    const Pc ld = emit(load(Type::U32, Space::Param, r(0), kNowhere, 4));
    begin();
    run(few(ld));
    EXPECT_EQ(access.count, 0);
    EXPECT_EQ(outcome.executed, 29);
    for (unsigned t = 0; t < kThreads; ++t)
        EXPECT_EQ(get(r(0), t), t % kStep == 0 ? 42U : 0U);
}

TEST_P(Scattered, SeveralAllocationsAndSpaces) {
    kernel().static_shared = 16;
    const Address x = image.allocate(512, "x");
    const Address y = image.allocate(512, "y");
    const Pc ld = emit(load(Type::U32, Space::Generic, r(0), rd(0)));
    const Pc st = emit(store(Type::U32, Space::Generic, rd(0), r(1)));
    begin();
    for (unsigned t = 0; t < kThreads; t += kStep) {
        set64(rd(0), t, t % 2 == 0 ? x + t / 4 * 4 : t == 99 ? kSharedWindow + 8 : y + t / 4 * 4);
        set(r(1), t, 5000 + t);
    }
    run(few(st));
    run(few(ld));
    EXPECT_EQ(access.count, 29);
    EXPECT_EQ(access.shared, 1U << 11);
    EXPECT_EQ(access.global, first_lanes(29) & ~(1U << 11));
    EXPECT_EQ(access.address[11], 8U);
    for (unsigned t = 0; t < kThreads; t += kStep)
        EXPECT_EQ(get(r(0), t), 5000 + t);
}

TEST_P(Scattered, AFaultNamesItsThread) {
    const Address x = image.allocate(kThreads * 4, "x");
    const Pc ld = emit(load(Type::U32, Space::Global, r(0), rd(0)));
    begin();
    for (unsigned t = 0; t < kThreads; ++t)
        set64(rd(0), t, t == 117 ? x + kThreads * 4 : x + Address{4} * t);
    EXPECT_THAT(fault_of(few(ld)), ::testing::HasSubstr("thread (117,0,0)"));
}

TEST_P(Scattered, OperationsComputeTheirThreadsAlone) {
    MicroOp sum;
    sum.opcode = Opcode::Add;
    sum.type = Type::U32;
    sum.dst[0] = r(2);
    sum.src[0] = r(0);
    sum.src[1] = r(1);
    const Pc plain = emit(sum);
    const Pc under_guard = emit(guarded(sum));
    begin();
    for (const Pc pc : {plain, under_guard}) {
        for (unsigned t = 0; t < kThreads; ++t) {
            set(r(0), t, 3 * t);
            set(r(1), t, 1000);
            set(r(2), t, 1);
            set_predicate(p(0), t, takes_part(t));
        }
        run(few(pc));
        EXPECT_EQ(outcome.executed, pc == plain ? 29 : 22);
        for (unsigned t = 0; t < kThreads; ++t)
            EXPECT_EQ(get(r(2), t), (pc == plain ? t % kStep == 0 : takes_part(t)) ? 3 * t + 1000 : 1);
    }
}

} // namespace
} // namespace heddle::exec::test
