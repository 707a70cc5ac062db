// The threads of an access that hit in the data cache, and those that missed (MAWS 4): for formations that divide an
// instruction by them, and for statistics.
#pragma once

#include <algorithm>
#include <vector>

#include "config/parameter.h"
#include "exec/executor.h"
#include "formation/formation.h"
#include "probe/miss_intervals.h"
#include "stats/statistic.h"
#include "warp/flight.h"

namespace heddle::sm {

// Settings of views over time.
struct ViewsConfig {
    static constexpr std::string_view kSection = "views";
    std::uint64_t interval = 1'000'000;
    static std::span<const config::Parameter<ViewsConfig>> parameters();
};

struct DivergenceStats {
    static constexpr std::size_t kMostLines = 256;
    std::uint64_t missed = 0;
    std::uint64_t divergent = 0;
    std::uint64_t helped = 0;
    std::uint64_t helped_late = 0;
    std::uint64_t line_cycles = 0;
    std::uint64_t busy_cycles = 0;
    stats::Histogram degree = stats::Histogram(kMaxWidth + 1);
    stats::Histogram on_their_way = stats::Histogram(kMostLines + 1);
    static std::span<const stats::Statistic<DivergenceStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

class Divergence {
public:
    // `lines`: lines of the data cache. `width`: lanes.
    Divergence(const formation::Formation& formation, std::size_t flights, std::uint64_t lines, unsigned width,
               const ViewsConfig& views);

    // Starts the access of a flight.
    void begin(const warp::Flight& flight) {
        Access& access = accesses_[flight.id];
        access.order = formation_.order_of(flight.group);
        access.threads = 0;
        access.missing = 0;
    }
    // A thread of the flight needs line number `index` of the access.
    void needs(warp::FlightId flight, unsigned index, RowId row, unsigned lane) {
        Access& access = accesses_[flight];
        access.needs[access.threads++] = {std::uint64_t{1} << index, row, static_cast<std::uint8_t>(lane)};
    }
    // The thread of the last call needs another line, too.
    void needs_also(warp::FlightId flight, unsigned index) {
        Access& access = accesses_[flight];
        access.needs[access.threads - 1].lines |= std::uint64_t{1} << index;
    }
    // The result of the first look-up of a line.
    void hit(const warp::Flight& flight, Address line);
    void missed(const warp::Flight& flight, unsigned index, Address line);
    // Every line of the flight has been looked up, the last in cycle `now`, and some are missing. Fills flight.hit.
    void finish(warp::Flight& flight, Cycle now);

    // From cycle `now` on, `lines` lines are on their way to the data cache.
    void on_their_way(unsigned lines, Cycle now);

    [[nodiscard]] DivergenceStats& stats() {
        return stats_;
    }
    // The divergent accesses over time.
    [[nodiscard]] const probe::MissIntervals& intervals() const {
        return intervals_;
    }

private:
    struct Access {
        struct Need {
            std::uint64_t lines; // bit i: line i
            RowId row;
            std::uint8_t lane;
        };
        std::array<Need, kMaxWidth> needs;
        std::uint64_t order = 0;   // how far its threads are in their program (formation.h: order_of)
        unsigned threads = 0;      // valid entries of needs
        std::uint64_t missing = 0; // bit i: line i missed
    };
    // The warp that requested a line last. Two lines may map to one place of the table: the later replaces the earlier,
    // and what the earlier line helps is not counted.
    struct LastRequest {
        Address line = ~Address{0};
        std::uint64_t order : 48 = 0; // with `row` one word: the table is read for each line of an access
        std::uint64_t row : 16 = 0;
    };
    [[nodiscard]] LastRequest& last_request_of(Address line) {
        return last_requests_[line & (last_requests_.size() - 1)];
    }
    // Whether a warp-split ahead of the flight's has requested the line, at the latest with the flight's instruction.
    // Formations that do not divide the threads of a row have no order.
    [[nodiscard]] bool was_ahead(const LastRequest& by, const warp::Flight& flight, Address line) const {
        const std::uint64_t order = accesses_[flight.id].order;
        return by.line == line && by.row == flight.group.part[0].row && order != 0 && order <= by.order;
    }

    const formation::Formation& formation_;
    std::vector<Access> accesses_; // by flight
    std::vector<LastRequest> last_requests_;
    unsigned lines_ = 0; // lines on their way
    Cycle since_ = 0;
    DivergenceStats stats_;
    probe::MissIntervals intervals_;
};

} // namespace heddle::sm
