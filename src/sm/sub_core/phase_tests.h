// Tests of the phases of barrier objects (mbarrier.test_wait, try_wait; in native code SYNCS.PHASECHK). The answer
// comes some cycles after the object has been read. A test that may wait is repeated while its threads' phase is not
// over, and its warp is suspended meanwhile.
#pragma once

#include <utility>
#include <vector>

#include "exec/executor.h"
#include "ir/program.h"
#include "sm/sub_core/config.h"
#include "warp/flight.h"

namespace heddle::sm {

class PhaseTests {
public:
    // Cycles between two looks of a suspended warp at its object (assumed: a chip looks when the object changes).
    static constexpr Cycle kRepeat = 8;

    PhaseTests(const SubCoreStagesConfig& config, std::size_t flights, exec::Executor& executor,
               const ir::Program& program)
        : latency_(config.phase_test), most_(config.phase_wait), executor_(executor), program_(program),
          tests_(flights) {}

    void begin_kernel() { // after a launch that was stopped, tests may run
        if (std::exchange(used_, false))
            tests_.assign(tests_.size(), Test{});
    }
    // Whether the warp of a test is suspended until it ends.
    [[nodiscard]] bool suspends(const ir::MicroOp& op) const {
        return most_ != 0 && op.has(ir::kSuspends);
    }
    // A test has executed, and goes to its object.
    void begin(const warp::Flight& flight, Cycle now) {
        used_ = true;
        tests_[flight.id] = {true, is_over(flight), suspends(*flight.op) ? now + most_ : now};
    }
    // The object has been read at `now`, or is read again. The cycle of the next call, or in which the test ends;
    // kNever: the test ends now.
    [[nodiscard]] Cycle goes_on(const warp::Flight& flight, Cycle now) {
        Test& test = tests_[flight.id];
        if (!test.runs)
            return kNever;
        if (!test.over && now < test.until)
            test.over = repeat(flight, now);
        if (!test.over && now < test.until)
            return now + kRepeat;
        test.runs = false;
        return latency_ == 0 ? kNever : now + latency_;
    }

private:
    struct Test {
        bool runs = false;
        bool over = false; // the phases of all its threads are
        Cycle until = 0;   // the warp is suspended until then at most
    };

    [[nodiscard]] bool repeat(const warp::Flight& flight, Cycle now) {
        warp::Outcome outcome;
        executor_.execute(flight.group, now, outcome, access_);
        return is_over(flight);
    }
    [[nodiscard]] bool is_over(const warp::Flight& flight) const;

    const Cycle latency_, most_;
    exec::Executor& executor_;
    const ir::Program& program_;
    std::vector<Test> tests_; // by flight
    bool used_ = false;       // since begin_kernel()
    exec::Access access_;     // of a repeated test: not used
};

} // namespace heddle::sm
