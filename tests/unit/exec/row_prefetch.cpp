// When registers are prefetched: where those of all SMs are more than the host's caches hold.
#include "exec/row_prefetch.h"

#include "state_rig.h"

namespace heddle::exec::test {
namespace {

class Prefetch : public StateRig {
protected:
    // One SM of a device with `sms`: 64 rows of 20 registers, and predicates.
    [[nodiscard]] bool is_on(unsigned sms, unsigned width = 32, bool whole = true) {
        kernel().slots = 20;
        keeps_lines_whole = whole;
        start_state({width, false}, {1024, 1, 1}, width * 64 / 1024);
        launch.sms = sms;
        RowPrefetch prefetch;
        prefetch.begin(launch, state.code());
        return prefetch.is_on();
    }
    void SetUp() override {
        emit(control(Opcode::Ret, Kind::Exit));
    }
};

// Frames of 20 registers of 128 bytes, predicates and slack are 43 lines of 64 bytes apart: 64 rows of 47 SMs need 7.9
// MiB, those of 48 need 8.1.
TEST_F(Prefetch, WhereRegistersAreManyMegabytes) {
    EXPECT_TRUE(is_on(80));
    EXPECT_TRUE(is_on(48));
    EXPECT_FALSE(is_on(47));
    EXPECT_FALSE(is_on(1));
}

TEST_F(Prefetch, NotWhereTheThreadsOfAnInstructionMayBeOfSeveralRows) {
    EXPECT_FALSE(is_on(80, 32, false));
}

TEST_F(Prefetch, NotForRowsOfTwoFrames) {
    EXPECT_FALSE(is_on(80, 64));
}

} // namespace
} // namespace heddle::exec::test
