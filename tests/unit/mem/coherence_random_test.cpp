// Random accesses of several SMs to few lines, in any order of messages that the networks permit: one writer or many
// readers, inclusion and the newest value at every step, and in the end everything answered and nothing left.

#include <ostream>
#include <random>

#include "coherence_rig.h"

namespace heddle::mem {
namespace {

using Kind = CoherenceRig::Kind;

struct Case {
    const char* name;
    CoherenceRig::Shape shape;
    unsigned blocks;        // that are accessed
    unsigned loads, stores; // shares in 16, the rest are atomic operations
    unsigned steps = 12000;
};

void PrintTo(const Case& c, std::ostream* out) { // for GoogleTest
    *out << c.name;
}

class RandomCoherence : public testing::TestWithParam<Case> {};

TEST_P(RandomCoherence, OneWriterInclusionAndTheNewestValue) {
    const Case& c = GetParam();
    for (unsigned seed = 1; seed <= 4; ++seed) {
        CoherenceRig rig(c.shape);
        std::mt19937 random(seed);
        const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
        // How likely a message is to come, a memory to answer and a new access to start differ from phase to phase: all
        // queues run full and empty.
        unsigned up = 1, down = 1, memory = 1, more = 1;
        for (unsigned step = 0; step < c.steps; ++step) {
            if (step % 500 == 0)
                for (unsigned* const rate : {&up, &down, &memory, &more})
                    *rate = 1 + draw(8);
            const unsigned sm = draw(c.shape.sms);
            const Address address = Address{draw(c.blocks)} * CoherenceRig::kBlock;
            if (draw(8) < up)
                rig.deliver_up(draw(c.shape.sms));
            if (draw(8) < down)
                rig.deliver_down(draw(c.shape.sms));
            if (draw(16) < memory)
                rig.memory_does();
            rig.set_room(draw(8) != 0);
            if (draw(16) < more) {
                const unsigned kind = draw(16);
                rig.access(sm,
                           kind < c.loads              ? Kind::Load
                           : kind < c.loads + c.stores ? Kind::Store
                                                       : Kind::Atomic,
                           address);
            }
            rig.tick();
            for (unsigned b = 0; b < c.blocks; ++b)
                rig.check(Address{b} * CoherenceRig::kBlock);
            if (HasFatalFailure() || HasFailure())
                FAIL() << "seed " << seed << ", step " << step;
        }
        rig.set_room(true);
        rig.settle();
        rig.check_end();
        EXPECT_GT(rig.performed, c.steps / 40) << "seed " << seed;
    }
}

std::vector<Case> cases() {
    return {
        {"OneBlock", {.sms = 4}, 1, 8, 8},
        {"OneBlockWithAtomics", {.sms = 4}, 1, 6, 6},
        {"OneLine", {.sms = 4}, 4, 8, 7},
        {"FewLines", {.sms = 4}, 24, 8, 7},
        {"ManySms", {.sms = 16}, 12, 10, 5, 6000},
        {"AsManySmsAsThereCanBe", {.sms = 64}, 6, 10, 5, 4000},
        {"MostlyLoads", {.sms = 8}, 16, 14, 2, 8000},
        {"MostlyStores", {.sms = 8}, 16, 2, 13, 8000},
        {"OneWayEach", {.sms = 4, .lines = 2, .ways = 1, .llc_lines = 4, .llc_ways = 1}, 32, 8, 7},
        {"ALastLevelOfOneLine", {.sms = 4, .lines = 4, .ways = 4, .llc_lines = 1, .llc_ways = 1}, 12, 8, 7},
        {"AsLargeAsTheLastLevel", {.sms = 2, .lines = 32, .ways = 4, .llc_lines = 8, .llc_ways = 8}, 48, 8, 7},
        {"OneEntryEach", {.sms = 4, .mshrs = 1, .llc_mshrs = 1, .queue = 1}, 16, 8, 7},
        {"EntriesWithoutEnd", {.sms = 4, .mshrs = 0, .llc_mshrs = 0}, 40, 8, 7},
        {"RandomReplacement", {.sms = 4, .llc_lines = 8, .llc_ways = 4, .replacement = "random"}, 48, 8, 7},
        {"FirstInFirstOut", {.sms = 4, .llc_lines = 8, .llc_ways = 4, .replacement = "fifo"}, 48, 8, 7},
    };
}

INSTANTIATE_TEST_SUITE_P(, RandomCoherence, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace heddle::mem
