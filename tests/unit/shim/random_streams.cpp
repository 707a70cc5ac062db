// The generators of libcurand against published numbers
#include <gtest/gtest.h>

#include "streams.h"

namespace heddle::rand {

namespace {

double uniform(Mrg& state) {
    return (state.next() + 1.0) / (Mrg::kM1 + 1);
}

bool equal(const Mrg& a, const Mrg& b) {
    return std::equal(a.x, a.x + 3, b.x) && std::equal(a.y, a.y + 3, b.y);
}
bool equal(const Xorwow& a, const Xorwow& b) {
    return std::equal(a.x, a.x + 5, b.x) && a.sum == b.sum;
}

template <class State>
State stepped(State state, int steps) {
    for (int i = 0; i < steps; ++i)
        (void)state.next();
    return state;
}

} // namespace

// The known answers of Random123, the library of the authors
TEST(Philox, KnownAnswers) {
    const auto expect = [](PhiloxBlock counter, Word key_0, Word key_1, PhiloxBlock want) {
        const PhiloxBlock have = philox(counter, key_0, key_1);
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(have.word[i], want.word[i]);
    };
    expect({{0, 0, 0, 0}}, 0, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
    expect({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
    expect({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0,
           {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

// The results of the test program of RngStreams, the package of the author (test2RngStream.res)
TEST(Mrg, ResultsOfRngStreams) {
    Mrg first = mrg_of(0);
    const Mrg advanced{{1040577685, 3747037609, 277208355}, {1712706441, 627445683, 2408037141}};
    EXPECT_TRUE(equal(stepped(first, 35), advanced));
    EXPECT_TRUE(equal(jump(first, 35), advanced));
    Mrg after = advanced;
    EXPECT_NEAR(uniform(after), 0.07941673614985, 1e-14);

    const Mrg second = jump_power(first, 127), third = jump_power(second, 127);
    EXPECT_TRUE(equal(second, {{3692455944, 1366884236, 2968912127}, {335948734, 4161675175, 475798818}}));
    EXPECT_TRUE(equal(third, {{1015873554, 1310354410, 2249465273}, {994084013, 2912484720, 3876682925}}));
    Mrg state = third;
    for (const double want : {0.7285097861965, 0.9655872822837, 0.9961841304801, 0.1149884161813, 0.9731454191297})
        EXPECT_NEAR(uniform(state), want, 1e-12);
    state = jump_power(third, 78); // four times 2^76
    for (const double want : {0.1734545396358, 0.03286351608942, 0.2643169129682, 0.3059403602117, 0.5476303035177})
        EXPECT_NEAR(uniform(state), want, 1e-12);
}

// A step by Marsaglia's formula, in its own variables
TEST(Xorwow, StepOfThePaper) {
    Word x = 123456789, y = 362436069, z = 521288629, w = 88675123, v = 5783321, d = 6615241;
    Xorwow state = xorwow_of(0);
    for (int i = 0; i < 1000; ++i) {
        const Word t = x ^ (x >> 2);
        x = y, y = z, z = w, w = v;
        v = (v ^ (v << 4)) ^ (t ^ (t << 1));
        EXPECT_EQ(state.next(), (d += 362437) + v);
    }
    Xorwow first = xorwow_of(0);
    EXPECT_EQ(first.next(), 246875399u);
}

TEST(Streams, JumpsAreSteps) {
    for (const int steps : {0, 1, 2, 3, 100, 4095, 70000}) {
        EXPECT_TRUE(equal(jump(xorwow_of(7), static_cast<Wide>(steps)), stepped(xorwow_of(7), steps))) << steps;
        EXPECT_TRUE(equal(jump(mrg_of(7), static_cast<Wide>(steps)), stepped(mrg_of(7), steps))) << steps;
    }
    for (const int exponent : {0, 1, 5, 16}) {
        EXPECT_TRUE(equal(jump_power(xorwow_of(7), exponent), stepped(xorwow_of(7), 1 << exponent)));
        EXPECT_TRUE(equal(jump_power(mrg_of(7), exponent), stepped(mrg_of(7), 1 << exponent)));
    }
}

TEST(Streams, FollowEachOtherAtTheirDistances) {
    const std::vector<Word> xorwow = streams_of(xorwow_of(3), 0), mrg = streams_of(mrg_of(3), 0);
    const Xorwow second = jump_power(xorwow_of(3), 67);
    const Mrg second_mrg = jump_power(mrg_of(3), 76);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(xorwow[i * kStreams + 1], second.x[i]);
    EXPECT_EQ(xorwow[5 * kStreams + 1], second.sum);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(mrg[i * kStreams + 1], second_mrg.x[i]);
        EXPECT_EQ(mrg[(i + 3) * kStreams + 1], second_mrg.y[i]);
    }
}

TEST(Streams, AnOffsetIsTakenInTurn) {
    const std::vector<Word> first = streams_of(xorwow_of(3), 0), later = streams_of(xorwow_of(3), 2 * kStreams + 5);
    const auto state = [](const std::vector<Word>& all, std::size_t stream) {
        return Xorwow{{all[stream], all[kStreams + stream], all[2 * kStreams + stream], all[3 * kStreams + stream],
                       all[4 * kStreams + stream]},
                      all[5 * kStreams + stream]};
    };
    for (const std::size_t stream : {0u, 4u, 5u, 4095u})
        EXPECT_TRUE(equal(state(later, stream), stepped(state(first, stream), stream < 5 ? 3 : 2))) << stream;
}

} // namespace heddle::rand
