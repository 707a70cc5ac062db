#include "report/profile/columns.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/source.h"
#include "base/suggest.h"
#include "probe/slot.h"
#include "report/html.h"

namespace heddle::report {

namespace {

using probe::Counter;

// Sums of counters over sums of counters.
struct Ratio {
    std::string_view name, heading, unit, meaning;
    std::vector<Counter> numerator, denominator;
    int decimals = 2;
    bool least_first = false;
};

std::span<const Ratio> ratios() {
    using enum Counter;
    static const std::array<Ratio, 14> table{{
        {"lanes_per_execution", "lanes", "lanes", "active lanes of an issue slot", {Lanes}, {Executions}, 1, true},
        {"threads_per_execution",
         "threads",
         "threads",
         "threads that executed it in an issue slot",
         {Threads},
         {Executions},
         1,
         true},
        {"divergent_share",
         "divergent %",
         "%",
         "share of the executions of branches that parted a warp",
         {Divergent},
         {Branches},
         1},
        {"taken_share",
         "taken %",
         "%",
         "share of the threads that took a conditional branch",
         {Taken},
         {Taken, NotTaken},
         1},
        {"apart_per_divergence",
         "apart",
         "cycles",
         "cycles until the threads of a divergent branch had met again",
         {Apart},
         {Divergent},
         1},
        {"transactions_per_access",
         "lines",
         "lines",
         "lines of the data cache that an access touched",
         {Transactions},
         {Accesses},
         2},
        {"ideal_per_access",
         "ideal",
         "lines",
         "the fewest lines that could hold what an access touched",
         {IdealTransactions},
         {Accesses},
         2},
        {"transactions_per_ideal",
         "times ideal",
         "",
         "lines touched over the fewest lines possible",
         {Transactions},
         {IdealTransactions},
         2},
        {"moved_per_asked",
         "moved/asked",
         "",
         "bytes of the touched lines over the bytes that threads accessed",
         {BytesMoved},
         {BytesAsked},
         2},
        {"l1_hit_rate",
         "L1 %",
         "%",
         "share of the delivered lines that were in the data cache",
         {L1Hits},
         {L1Hits, LlcHits, DramAccesses},
         1,
         true},
        {"llc_hit_rate",
         "LLC %",
         "%",
         "share of the lines from beyond the data cache that the last-level cache had",
         {LlcHits},
         {LlcHits, DramAccesses},
         1,
         true},
        {"mean_latency",
         "latency",
         "cycles",
         "cycles from the issue of an access until its registers were written",
         {Latency},
         {Waited},
         1},
        {"conflict_ways",
         "ways",
         "cycles",
         "cycles that the banks of shared memory took for an access; 1: no conflict",
         {OnChipCycles},
         {OnChipAccesses},
         2},
        {"operations_per_atomic",
         "on one word",
         "operations",
         "the most operations on one word in an atomic access",
         {AtomicOperations},
         {Atomics},
         2},
    }};
    return table;
}

bool names_a_cause(std::string_view name) { // of an empty slot
    return name != probe::kSlots.front().name &&
           std::any_of(probe::kSlots.begin(), probe::kSlots.end(), [&](const auto& slot) { return slot.name == name; });
}

std::uint64_t sum(const ProfileRow& row, const std::vector<Counter>& counters) {
    std::uint64_t out = 0;
    for (const Counter counter : counters)
        out += row.counter(counter);
    return out;
}

std::optional<double> value_of(const Ratio& ratio, const ProfileRow& row) {
    const std::uint64_t denominator = sum(row, ratio.denominator);
    if (denominator == 0)
        return std::nullopt;
    const double factor = ratio.unit == "%" ? 100 : 1;
    return factor * static_cast<double>(sum(row, ratio.numerator)) / static_cast<double>(denominator);
}

struct Own { // columns that are neither counter nor ratio nor cause
    std::string_view name, heading, unit, meaning;
    int decimals;
};

constexpr std::array<Own, 5> kOwn{{
    {"cost", "cost %", "%", "share of all issue slots: those that carried it, and those that stayed empty at it", 1},
    {"slots", "slots", "issue slots", "issue slots that carried it, and those that stayed empty at it", 0},
    {"stalled", "stalled", "issue slots", "issue slots that stayed empty because units waited at it", 0},
    {"waited_for", "waited for", "issue slots", "issue slots that stayed empty because units waited for its results",
     0},
    {"with_inlined", "with inlined", "issue slots", "slots of a function and of the functions that were inlined in it",
     0},
}};

} // namespace

std::optional<ProfileColumn> ProfileColumn::find(std::string_view name) {
    ProfileColumn out;
    const auto fill = [&](const auto& info) {
        out.name = info.name;
        out.heading = info.heading;
        out.unit = info.unit;
        out.meaning = info.meaning;
        out.decimals = info.decimals;
    };
    for (std::size_t i = 0; i < kOwn.size(); ++i)
        if (kOwn[i].name == name) {
            fill(kOwn[i]);
            out.kind_ = static_cast<Kind>(i); // the first kinds, in this order
            return out;
        }
    for (std::size_t i = 0; i < ratios().size(); ++i)
        if (ratios()[i].name == name) {
            fill(ratios()[i]);
            out.least_first = ratios()[i].least_first;
            out.kind_ = Kind::Ratio;
            out.index_ = i;
            return out;
        }
    for (std::size_t i = 0; i < probe::kCounters; ++i)
        if (const probe::CounterInfo& info = probe::kCounterInfo[i]; info.name == name) {
            out.name = out.heading = info.name;
            std::replace(out.heading.begin(), out.heading.end(), '_', ' ');
            out.unit = info.unit;
            out.meaning = info.meaning;
            out.kind_ = Kind::Counter;
            out.index_ = i;
            return out;
        }
    if (!names_a_cause(name))
        return std::nullopt;
    out.name = out.heading = name;
    out.unit = "issue slots";
    out.meaning = probe::words_of(name);
    out.kind_ = Kind::Cause;
    return out;
}

std::vector<std::string> ProfileColumn::names() {
    std::vector<std::string> out;
    for (const Own& own : kOwn)
        out.emplace_back(own.name);
    for (const Ratio& ratio : ratios())
        out.emplace_back(ratio.name);
    for (const probe::CounterInfo& info : probe::kCounterInfo)
        out.emplace_back(info.name);
    for (const probe::SlotInfo& info : probe::kSlots)
        if (names_a_cause(info.name))
            out.emplace_back(info.name);
    return out;
}

ProfileColumn ProfileColumn::named(const std::string& name) {
    if (auto column = find(name))
        return *column;
    const std::vector<std::string> known = names();
    throw UserError(fmt::format("a profile has no figure '{}'{}; its figures: {}", name, did_you_mean(name, known),
                                comma_list(known)));
}

std::optional<double> ProfileColumn::value(const ProfileRows& all, const ProfileRow& row) const {
    switch (kind_) {
    case Kind::Cost:
        return 100 * all.share(row.slots());
    case Kind::Slots:
        return static_cast<double>(row.slots());
    case Kind::Stalled:
        return static_cast<double>(row.stalled);
    case Kind::WaitedFor:
        return static_cast<double>(row.waited_for);
    case Kind::WithInlined:
        return all.by == RowsBy::Function ? std::optional(static_cast<double>(row.with_inlined)) : std::nullopt;
    case Kind::Counter:
        return static_cast<double>(row.counters[index_]);
    case Kind::Ratio:
        return value_of(ratios()[index_], row);
    case Kind::Cause:
        break;
    }
    std::uint64_t slots = 0;
    for (const RowStall& stall : row.stalls)
        slots += stall.cause == name ? stall.slots : 0;
    return static_cast<double>(slots);
}

std::string ProfileColumn::text(std::optional<double> value) const {
    return value ? html::number(*value, decimals) : std::string();
}

std::vector<std::size_t> sorted_by(const ProfileRows& rows, const ProfileColumn& column) {
    std::vector<std::pair<double, std::size_t>> values;
    for (const std::size_t row : rows.costliest())
        if (const auto value = column.value(rows, rows.rows[row]))
            values.emplace_back(column.least_first ? *value : -*value, row);
    std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::size_t> out;
    for (const auto& [value, row] : values)
        out.push_back(row);
    return out;
}

} // namespace heddle::report
