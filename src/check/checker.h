// The checker: reads what threads do from the logs of the SMs, and finds races, reads of what was never written, and
// barriers in divergent code (docs/checker.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/types.h"
#include "check/barrier_check.h"
#include "check/checks.h"
#include "check/event_log.h"
#include "check/findings.h"
#include "check/history.h"
#include "check/thread_clocks.h"
#include "check/word_shadow.h"
#include "check/written_bytes.h"

namespace heddle::check {

class Checker {
public:
    explicit Checker(const Checks& checks) : checks_(checks) {}
    Checker(const Checker&) = delete;
    Checker& operator=(const Checker&) = delete;

    // The largest grid, in threads.
    static constexpr std::uint64_t kMostThreads = UINT32_MAX / 2;

    struct Launch {
        std::uint64_t number = 0;
        std::uint32_t threads = 0; // of the grid
        std::uint32_t threads_of_block = 1;
        std::uint32_t shared_bytes = 0;        // of a block
        std::uint32_t reserved_shared = 0;     // of these, the last ones, which the system has cleared
        std::uint32_t local_bytes = 0;         // of a thread
        std::uint32_t spill_base = UINT32_MAX; // of these, where spilled registers begin
        // Of functions of heddle itself, whose accesses are right: [first, last).
        std::vector<std::pair<Pc, Pc>> own_code{};
    };
    void begin_launch(const Launch& launch);
    // Reads and clears the logs of the SMs, which are in the order of their numbers.
    void read(std::span<EventLog* const> logs);
    // `stuck`: it has ended because no thread could go on.
    void end_launch(bool stuck);

    // The device's memory, for the host's part: allocations, and what the host writes.
    WrittenBytes memory;
    Findings findings;

private:
    struct Barrier {
        Meeting meeting;
        std::vector<ThreadId> waiting;
    };
    struct Block {
        Block(std::uint32_t number, const Launch& launch);
        std::vector<Histories::Word> shared;
        WrittenBytes written_shared, written_local;
        std::array<Barrier, BarrierCheck::kBarriers> barriers;
        BarrierCheck check;
        std::uint32_t live;
    };
    struct Cluster {
        Meeting meeting;
        std::uint32_t phase = 0;
        SharedClock last; // what the last complete phase knew
        std::vector<ThreadId> waiting;
    };

    void apply(const EventLog& log, const Event& e);
    void access(const EventLog& log, const Event& e);
    void access_of_thread(const Event& e, ThreadId thread, Address address, const std::byte* value);
    void check_written(const Event& e, ThreadId thread, Address address);
    void check_races(const Event& e, ThreadId thread, Address address, const std::byte* value);
    void synchronise_before(const Event& e, ThreadId thread, Address address);
    void synchronise_after(const Event& e, ThreadId thread, Address address);
    void warp_meets(const EventLog& log, const Event& e);
    void arrives(const EventLog& log, const Event& e);
    void completes(const Event& e);
    void cluster(const EventLog& log, const Event& e);
    void exits(const EventLog& log, const Event& e);
    void end_block(std::uint32_t number);

    Block* block(std::uint32_t number); // null: it has ended
    [[nodiscard]] Histories::Word* word(const Event& e, Address address);
    [[nodiscard]] bool is_own_code(Pc pc) const;
    [[nodiscard]] Place place(const Party& party) const;
    void report(Finding finding);
    void report_all(const Findings& found);

    Checks checks_;
    Launch launch_;
    ThreadClocks clocks_;
    Histories histories_;
    WordShadow global_;
    std::unordered_map<std::uint32_t, std::unique_ptr<Block>> blocks_;
    std::unordered_map<std::uint32_t, Cluster> clusters_;
    std::unordered_map<ThreadId, std::uint32_t> cluster_phase_; // in which a thread has arrived
    std::uint32_t last_block_ = UINT32_MAX;                     // looked up last
    Block* last_ = nullptr;
    std::vector<ThreadId> members_; // of one meeting
    std::vector<std::size_t> next_; // of each log in read()
};

} // namespace heddle::check
