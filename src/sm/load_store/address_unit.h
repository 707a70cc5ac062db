// Address unit: the work of an executed access in the memories of the SM. It finds the memory that serves each thread,
// the cache lines that the threads touch (with the coalescer), and the cycles that on-chip memories take.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sm/frame/core_config.h"
#include "sm/load_store/data_stats.h"
#include "sm/load_store/divergence.h"
#include "sm/load_store/pending_access.h"

namespace heddle::sm {

// The geometry of a cache that the address unit needs.
struct CacheGeometry {
    unsigned line_shift = 0;
    std::uint16_t latency = 1; // of a hit
};

class AddressUnit {
public:
    // `sm`: the SM's number; spilled local memory of each SM lies at different addresses. `sends`: stores may carry
    // data on to memory, so their bytes are counted for each line.
    AddressUnit(const config::Machine& machine, unsigned sm, std::size_t flights, bool sends, DataStats& stats);

    // Fills in the access of a flight, which has been started.
    void prepare(PendingAccess& pending, const warp::Flight& flight, const exec::Access& access);
    // Fills in the access of one thread of a bundle. `block`: the slot of the thread's block.
    void prepare_thread(PendingAccess& pending, const warp::Flight& flight, const exec::Access& access, unsigned block);
    // Reports to `divergence` which lanes need which line of a prepared access.
    void find_lanes(Divergence& divergence, const warp::Flight& flight, const PendingAccess& pending,
                    const exec::Access& access) const;

    // Line numbers of an access to texels. There may be more of them than a PendingAccess holds.
    [[nodiscard]] std::span<const Address> texture_lines(warp::FlightId flight) const {
        return texture_lines_[flight];
    }
    [[nodiscard]] unsigned shared_banks() const {
        return shared_banks_;
    }
    // Whether an address of the data cache is one of local memory that does not fit on chip.
    [[nodiscard]] static bool is_spilled(Address address) {
        return address >= kSpillBase && address < kSpillEnd;
    }

private:
    // Addresses of local memory that does not fit on chip, as the data cache uses them: word w of all threads of an SM
    // lies side by side, and each SM has a part of its own.
    static constexpr Address kSpillBase = 0x0800'0000'0000;
    static constexpr Address kSpillEnd = 0x1000'0000'0000;
    static constexpr unsigned kSpillShift = 36; // bytes of an SM

    // The memory that serves a thread of an access.
    enum class Served : std::uint8_t { Shared, Constant, Private, Spilled, Cached };
    [[nodiscard]] Served served(const exec::Access& access, unsigned entry) const;
    // `bytes`: of a thread. `ascends`: addresses rise from one to the next, or are all equal.
    void prepare_lines(PendingAccess& pending, std::span<const Address> addresses, const exec::Access& access,
                       unsigned bytes, bool ascends);
    void prepare_spilled(PendingAccess& pending, std::span<const Address> first_words, const exec::Access& access,
                         unsigned words);
    [[nodiscard]] unsigned spilled_words(const exec::Access& access, unsigned entry) const;
    // `step`: bytes of an access whose addresses rise from one to the next, or are all equal; 0: the order is not
    // known.
    void find_sectors(PendingAccess& pending, std::span<const Address> addresses, unsigned step) const;
    // The cycles that the data cache takes for an access, whose busiest bank takes `banks`.
    [[nodiscard]] unsigned data_cycles(unsigned banks, unsigned lines, std::uint64_t bytes);
    void prepare_mixed(PendingAccess& pending, const exec::Access& access);
    void prepare_shared(PendingAccess& pending, std::span<const Address> offsets, const exec::Access& access);
    [[nodiscard]] unsigned cluster_cycles(const exec::Access& access) const;
    void prepare_private(PendingAccess& pending, const exec::Access& access);
    void prepare_constants(PendingAccess& pending, std::span<const Address> addresses) const;
    void prepare_texels(PendingAccess& pending, warp::FlightId flight, const exec::Access& access);
    // Whether a word of all threads, in local memory, is whole lines of the data cache.
    [[nodiscard]] bool rows_are_lines() const {
        return threads_ * 4 % data_config_.line == 0;
    }
    // Lines between two neighbouring words of a thread there.
    [[nodiscard]] Address words_apart() const {
        return threads_ * 4 >> data_.line_shift;
    }
    [[nodiscard]] Address spill_address(const exec::Access& access, unsigned entry) const;

    const DCacheConfig data_config_;
    const CacheGeometry data_;
    const unsigned look_ups_, bytes_;        // of the data cache in a cycle; 0: not limited
    unsigned look_ups_left_ = 0;             // of an access that took a part of its last cycle
    std::optional<CacheGeometry> constants_; // a cache of its own; empty: the machine has none
    std::optional<CacheGeometry> textures_;
    const bool sends_;
    const std::uint64_t private_bytes_;
    const std::uint64_t threads_;
    const Address spill_base_;
    const unsigned width_;
    const unsigned shared_banks_;
    const std::uint16_t shared_latency_;
    const std::uint16_t cluster_latency_;             // shared memory of other blocks
    const unsigned cluster_bytes_;                    // a cycle; 0: not limited
    const Address shared_window_;                     // for a block's shared memory; begins at bank 0
    std::vector<std::vector<Address>> texture_lines_; // by flight
    DataStats& stats_;
};

} // namespace heddle::sm
