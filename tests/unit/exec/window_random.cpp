// Random stores, loads and atomics of several SMs against a model that only has bytes.
#include <algorithm>
#include <array>
#include <random>

#include "windows_rig.h"

namespace heddle::exec::test {
namespace {

class RandomWindows : public Windows, public ::testing::WithParamInterface<unsigned> {
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
        const unsigned share = std::array{8U, 8U, 5U, 3U, 1U}[rng() % 5]; // of 8 threads so many take part
        Group g;
        g.pc = f.pc;
        std::vector<Done> threads;
        for (unsigned i = 0; i < 64; ++i) {
            const unsigned t = 64 * index + i;
            set64(rd(0), t, 1); // fatal where a thread takes part that should not
            if (rng() % 8 >= share)
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
