// Stores on their way to memory, and the fences that wait for them. Other instructions do not wait for stores.
#pragma once

#include <span>
#include <vector>

#include "warp/flight.h"

namespace heddle::sm {

using StoreId = std::uint32_t;
inline constexpr StoreId kNoStore = ~StoreId{0};

class StoreTable {
public:
    explicit StoreTable(unsigned rows) : of_row_(rows) {}

    // Opens a store of a group's threads that will send `lines` lines. done() is called once for each line.
    StoreId open(const warp::Group& group, unsigned lines);
    // Adds threads of another group to the store; they store to the same lines.
    void join(StoreId store, const warp::Group& group);
    // A line of the store is done. Calls f(flight) for each fence that waits for nothing more, the oldest first.
    template <class F>
    void done(StoreId store, F&& f) {
        Store& s = stores_[store];
        if (--s.lines != 0)
            return;
        for (const RowId row : s.rows)
            --of_row_[row];
        free_.push_back(store);
        if (!fences_.empty()) [[unlikely]]
            tell_fences(f);
    }
    // True when the fence has to wait for stores of its threads; done() reports the end of the wait.
    [[nodiscard]] bool fence(const warp::Flight& flight);

private:
    struct Store {
        std::vector<RowId> rows; // keeps its storage
        std::uint32_t lines = 0;
    };
    struct Fence {
        warp::FlightId flight = warp::kNoFlight;
        std::vector<RowId> rows;
    };

    [[nodiscard]] bool waits(std::span<const RowId> rows) const {
        for (const RowId row : rows)
            if (of_row_[row] != 0)
                return true;
        return false;
    }

    template <class F>
    [[gnu::noinline]] void tell_fences(F& f) {
        std::erase_if(fences_, [&](const Fence& fence) {
            if (waits(fence.rows))
                return false;
            f(fence.flight);
            return true;
        });
    }

    std::vector<std::uint32_t> of_row_; // open stores, by home row
    std::vector<Store> stores_;
    std::vector<StoreId> free_;
    std::vector<Fence> fences_;
};

} // namespace heddle::sm
