// Execution without time: for validation, for counts, and for launches whose time does not matter.
#pragma once

#include <optional>

#include "probe/thread_traces.h"
#include "sm/frame/thread_contexts.h"
#include "sm/load_store/access_profile.h"
#include "sm/load_store/address_unit.h"

namespace heddle::sm {

// Runs units under stack reconvergence, or under the convergence barriers of native code, each for a turn of many
// instructions. The clock counts instructions. As many blocks are resident as on one SM, but of a launch
// that the machine has room for as a whole all: a program may let them wait for each other.
class Functional final : public Core {
public:
    // `sms`: those whose blocks there is room for. A cooperative launch may have so many.
    Functional(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program, unsigned sms);

    std::string refusal(const exec::Launch& /*launch*/) const override {
        return {};
    }
    void begin(const exec::Launch& launch, Cycle now) override;
    bool can_accept() const override {
        return contexts_.can_accept();
    }
    unsigned room() const override {
        return contexts_.blocks.room();
    }
    void cluster_met(unsigned /*slot*/, Cycle /*now*/) override {} // there is no other core
    void report_deadlock(Cycle now) override {
        contexts_.report_deadlock(now);
    }
    void count_threads(ThreadsByPlace& at) const override {
        contexts_.count_threads(at);
    }
    void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) override;
    void set_blocks_left(bool /*left*/) override {}
    Cycle run(Cycle now, Cycle until) override;
    unsigned resident_blocks() const override {
        return contexts_.blocks.resident();
    }
    exec::Executor& executor() override {
        return contexts_.executor;
    }
    CoreStats& stats() override {
        return contexts_.stats;
    }
    void add_statistics(stats::Tree& tree) override {
        tree.add("core", contexts_.stats);
    }
    Cycle wake() const override {
        return 0;
    }
    Cycle now() const override {
        return 0;
    }
    void catch_up(Cycle /*now*/) override {}
    void record(probe::Timeline& /*timeline*/) override {}
    void count_in(probe::SmProfile& profile, const config::Machine& machine) override;
    probe::SmShape shape() const override {
        return {};
    }
    std::vector<std::uint64_t> block_order() const override {
        return {};
    }
    void end_kernel(Cycle /*now*/) override {}
    MemoryPort* port() override {
        return nullptr;
    }

    // From now on traces the first threads of each launch. The result lives as long as this core.
    const probe::ThreadTraces& trace_threads(const probe::ThreadTraceOptions& options);

private:
    [[gnu::noinline]] void trace();
    [[gnu::noinline]] void profile_access();

    const unsigned sms_;
    ThreadContexts contexts_;
    warp::Flight flight_;
    exec::Access access_;
    UnitId last_ = 0;
    std::optional<probe::ThreadTraces> traces_;
    struct Accesses { // counted in a profile, as the load/store unit of a timed core counts them
        DataStats stats;
        AddressUnit addresses;
        PendingAccess pending;
        AccessProfile profile;
        Accesses(probe::SmProfile& profile, const config::Machine& machine);
    };
    std::unique_ptr<Accesses> accesses_; // null: nothing is counted by instruction
};

} // namespace heddle::sm
