// Address unit: what an executed access has to do in the memories of the SM. Which memory serves a thread, which lines
// of the caches the threads touch (the coalescer's work), how many cycles on-chip memories take for their words.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sm/frame/core_config.h"
#include "sm/load_store/data_stats.h"
#include "sm/load_store/divergence.h"
#include "sm/load_store/pending_access.h"

namespace heddle::sm {

// A cache as the address unit sees it.
struct CacheGeometry {
    unsigned line_shift = 0;
    std::uint16_t latency = 1; // of a hit
};

class AddressUnit {
public:
    // `sm`: its number; threads' spilled local memory lies at addresses of its own. `sends`: stores may carry data on
    // to memory, so that their bytes are counted by line.
    AddressUnit(const config::Machine& machine, unsigned sm, std::size_t flights, bool sends, DataStats& stats);

    // Fills in a started access of a flight.
    void prepare(PendingAccess& pending, const warp::Flight& flight, const exec::Access& access);
    // The same for a thread of a bundle; `block`: the slot of its block.
    void prepare_thread(PendingAccess& pending, const warp::Flight& flight, const exec::Access& access, unsigned block);
    // Which lanes need which line of a prepared access.
    void find_lanes(Divergence& divergence, const warp::Flight& flight, const PendingAccess& pending,
                    const exec::Access& access) const;

    // Line numbers of an access to texels, which may be more than a PendingAccess holds.
    [[nodiscard]] std::span<const Address> texture_lines(warp::FlightId flight) const {
        return texture_lines_[flight];
    }
    [[nodiscard]] unsigned shared_banks() const {
        return shared_banks_;
    }
    // Whether the address, as the data cache sees it, is one of local memory that does not fit on chip.
    [[nodiscard]] static bool is_spilled(Address address) {
        return address >= kSpillBase && address < kSpillEnd;
    }

private:
    // Local memory that does not fit on chip, as the data cache sees it: word w of all threads of the SM side by side,
    // each SM in a part of its own.
    static constexpr Address kSpillBase = 0x0800'0000'0000;
    static constexpr Address kSpillEnd = 0x1000'0000'0000;
    static constexpr unsigned kSpillShift = 36; // bytes of an SM

    // What serves a thread of an access.
    enum class Served : std::uint8_t { Shared, Constant, Private, Spilled, Cached };
    [[nodiscard]] Served served(const exec::Access& access, unsigned entry) const;
    // `ascends`: no address is lower than the one before it.
    void prepare_lines(PendingAccess& pending, std::span<const Address> addresses, const exec::Access& access,
                       bool ascends);
    void prepare_mixed(PendingAccess& pending, const exec::Access& access);
    void prepare_shared(PendingAccess& pending, std::span<const Address> offsets, const exec::Access& access);
    void prepare_private(PendingAccess& pending, const exec::Access& access);
    void prepare_constants(PendingAccess& pending, std::span<const Address> addresses) const;
    void prepare_texels(PendingAccess& pending, warp::FlightId flight, const exec::Access& access);
    [[nodiscard]] Address spill_address(const exec::Access& access, unsigned entry) const;

    const DCacheConfig data_config_;
    const CacheGeometry data_;
    std::optional<CacheGeometry> constants_; // caches of their own, where the machine has them
    std::optional<CacheGeometry> textures_;
    const bool sends_;
    const std::uint64_t private_bytes_;
    const std::uint64_t threads_;
    const Address spill_base_;
    const unsigned width_;
    const unsigned shared_banks_;
    const std::uint16_t shared_latency_;
    const Address shared_window_;                     // room for a block's; each begins at the first bank
    std::vector<std::vector<Address>> texture_lines_; // by flight
    DataStats& stats_;
};

} // namespace heddle::sm
