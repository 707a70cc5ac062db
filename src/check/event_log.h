// What the threads of one SM do, in order, as far as the checker needs it. The checker reads the logs of all SMs at the
// end of each window of cycles, in the order of cycle, SM and execution: this is the order in which atomic operations
// and stores take effect, so nothing depends on the order in which SMs are simulated, or on host threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/findings.h"
#include "check/thread_clocks.h"

namespace heddle::check {

struct Event {
    enum class Kind : std::uint8_t {
        Start,           // of `block`
        Access,          // values: of stores, `bytes` of each thread
        WarpMeets,       // threads of PTX warps have met, those with equal masks; addresses: the masks
        Arrives,         // at barrier `number` of `block`, for `expected` threads (0: all)
        Completes,       // barrier `number` of `block`: those that wait go on
        ClusterArrives,  // block: number of the cluster
        ClusterWaits,    // likewise
        ClusterComplete, // likewise
        Fence,
        ClosesGroup,    // of asynchronous copies
        WaitsForCopies, // `number`: groups that may be on their way; `all`
        Exits,
    };
    Kind kind = Kind::Access;
    How how = How::Read;
    Strength strength = Strength::Weak;
    Space space = Space::Global;
    Scope scope = Scope::Device;
    bool acquires = false, releases = false; // the access by itself
    bool by_copy = false;                    // bytes that cp.async writes; of an atomic: waits for the copies first
    bool aligned = false;                    // Arrives
    bool waits = false;                      // Arrives
    bool all = false;                        // WaitsForCopies
    bool has_values = false;
    std::uint8_t bytes = 0; // of a thread's access
    Pc pc = 0;
    std::uint32_t block = 0;
    std::uint32_t number = 0, expected = 0;
    std::uint32_t threads = 0; // how many
    Cycle cycle = 0;
    std::size_t first_thread = 0, first_address = 0, first_value = 0;
};

class EventLog {
public:
    // The events that follow are of this cycle, which never decreases.
    void set_time(Cycle now) {
        now_ = now;
    }
    // An event without threads, addresses and values; the next three calls add some to the last event.
    Event& add(Event::Kind kind, Pc pc);
    void add_thread(ThreadId thread) {
        ++events_.back().threads;
        threads_.push_back(thread);
    }
    void add_address(Address address) {
        addresses_.push_back(address);
    }
    // Room for values, until the next call.
    [[nodiscard]] std::byte* add_value(std::size_t bytes) {
        values_.resize(values_.size() + bytes);
        return values_.data() + values_.size() - bytes;
    }
    void drop_last() { // an event without threads
        events_.pop_back();
    }
    void clear();

    [[nodiscard]] std::span<const Event> events() const {
        return events_;
    }
    [[nodiscard]] std::span<const ThreadId> threads(const Event& e) const {
        return std::span(threads_).subspan(e.first_thread, e.threads);
    }
    [[nodiscard]] std::span<const Address> addresses(const Event& e) const {
        return std::span(addresses_).subspan(e.first_address, e.threads);
    }
    [[nodiscard]] const std::byte* values(const Event& e) const { // null: it has none
        return e.has_values ? values_.data() + e.first_value : nullptr;
    }

private:
    Cycle now_ = 0;
    std::vector<Event> events_;
    std::vector<ThreadId> threads_;
    std::vector<Address> addresses_;
    std::vector<std::byte> values_;
};

// Addresses of shared memory: a block and an offset in its window.
[[nodiscard]] constexpr Address shared_address(std::uint32_t block, std::uint32_t offset) {
    return Address{block} << 32 | offset;
}

} // namespace heddle::check
