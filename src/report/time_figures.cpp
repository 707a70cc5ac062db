#include "report/time_figures.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "report/heat_map.h"
#include "report/kernels.h"
#include "report/run_figures.h"
#include "report/table.h"

namespace heddle::report {

namespace {

constexpr std::uint64_t kColumns = 240; // most columns of a line over time
constexpr std::size_t kLinesShown = 4;  // more SMs are summed
constexpr std::size_t kBlocksShown = 4000;
constexpr std::size_t kSlotsShown = 96;

// The samples in columns of equal width, each with at least one sample of every SM: column c has the cycles after
// c * width, up to (c + 1) * width.
class Columns {
public:
    explicit Columns(const std::vector<StoredSample>& samples) : samples_(samples) {
        std::map<std::uint64_t, std::uint64_t> of_sm;
        std::uint64_t last = 0;
        for (const StoredSample& s : samples) {
            ++of_sm[s.sm];
            last = std::max(last, s.cycle);
        }
        std::uint64_t fewest = kColumns;
        for (const auto& [sm, n] : of_sm) {
            sms_.push_back(sm);
            fewest = std::min(fewest, n);
        }
        width_ = std::max<std::uint64_t>(1, (last + fewest - 1) / fewest);
        count_ = static_cast<std::size_t>((last + width_ - 1) / width_);
    }

    [[nodiscard]] std::uint64_t width() const {
        return width_;
    }
    [[nodiscard]] std::size_t sms() const {
        return sms_.size();
    }
    [[nodiscard]] std::vector<std::string> ends() const {
        std::vector<std::string> out;
        for (std::size_t c = 1; c <= count_; ++c)
            out.push_back(fmt::format("{}", c * width_));
        return out;
    }

    // The mean of a quantity in each column: a series an SM, or the mean, least and most of all SMs.
    [[nodiscard]] std::vector<Series> means(double StoredSample::*quantity) const {
        std::vector<Series> by_sm;
        for (const std::uint64_t sm : sms_)
            by_sm.push_back({fmt::format("SM {}", sm), "", of_sm(sm, quantity), {}});
        if (by_sm.size() <= kLinesShown)
            return by_sm;
        std::vector<Series> out{{"mean of the SMs", "", {}, {}}, {"least", "", {}, {}}, {"most", "", {}, {}}};
        for (std::size_t c = 0; c < count_; ++c)
            add_column(by_sm, c, out);
        return out;
    }

private:
    [[nodiscard]] std::vector<std::optional<double>> of_sm(std::uint64_t sm, double StoredSample::*quantity) const {
        std::vector<double> sums(count_), numbers(count_);
        for (const StoredSample& s : samples_)
            if (s.sm == sm) {
                const auto column = static_cast<std::size_t>(s.cycle == 0 ? 0 : (s.cycle - 1) / width_);
                if (column < count_) {
                    sums[column] += s.*quantity;
                    numbers[column] += 1;
                }
            }
        std::vector<std::optional<double>> out(count_);
        for (std::size_t c = 0; c < count_; ++c)
            if (numbers[c] != 0)
                out[c] = sums[c] / numbers[c];
        return out;
    }

    static void add_column(const std::vector<Series>& by_sm, std::size_t column, std::vector<Series>& out) {
        double sum = 0, number = 0;
        std::optional<double> least, most;
        for (const Series& sm : by_sm)
            if (const auto value = sm.values[column]) {
                sum += *value;
                number += 1;
                least = std::min(least.value_or(*value), *value);
                most = std::max(most.value_or(*value), *value);
            }
        out[0].values.push_back(number == 0 ? std::nullopt : std::optional(sum / number));
        out[1].values.push_back(least);
        out[2].values.push_back(most);
    }

    const std::vector<StoredSample>& samples_;
    std::vector<std::uint64_t> sms_;
    std::uint64_t width_ = 1;
    std::size_t count_ = 0;
};

void add_sample_figures(const StoredTimeline& timeline, std::vector<Figure>& out) {
    if (timeline.samples.empty())
        return;
    const Columns columns(timeline.samples);
    const auto add = [&](const char* id, const char* title, const char* unit, double StoredSample::*quantity) {
        Figure figure = make_figure(FigureKind::lines, id, title, unit, "cycle");
        figure.caption =
            fmt::format("A point is the mean of the samples in {} up to its own.", counted(columns.width(), "cycle"));
        figure.categories = columns.ends();
        figure.series = columns.means(quantity);
        out.push_back(std::move(figure));
    };
    add("ipc-over-time", "Thread instructions a cycle of an SM over time", "IPC", &StoredSample::ipc);
    add("warps-over-time", "Resident warps over time", "warps", &StoredSample::warps);
    add("requests-over-time", "Requests that memory has not answered over time", "requests", &StoredSample::requests);
}

std::string slot_name(const StoredBlock& block) {
    return fmt::format("SM {}, slot {}", block.sm, block.slot);
}

// The blocks of the first slots: whole slots, as many as there is room for. The number of all slots.
std::size_t add_slots(const std::vector<StoredBlock>& blocks, bool several_launches, Figure& figure) {
    std::size_t slots = 0, shown = 0;
    for (auto begin = blocks.begin(); begin != blocks.end(); ++slots) {
        const auto end = std::find_if(begin, blocks.end(),
                                      [&](const StoredBlock& b) { return b.sm != begin->sm || b.slot != begin->slot; });
        const auto size = static_cast<std::size_t>(end - begin);
        if (slots == figure.series.size() && slots < kSlotsShown && (slots == 0 || shown + size <= kBlocksShown)) {
            Series row{slot_name(*begin), "", {}, {}};
            for (const StoredBlock& b : std::span(begin, std::min(size, kBlocksShown)))
                row.spans.push_back({static_cast<double>(b.start), static_cast<double>(b.end),
                                     several_launches ? fmt::format("launch {}, block {}", b.launch, b.block)
                                                      : fmt::format("block {}", b.block)});
            shown += row.spans.size();
            figure.series.push_back(std::move(row));
        }
        begin = end;
    }
    return slots;
}

// PRO Figure 2.
void add_blocks(const StoredRun& run, std::vector<Figure>& out) {
    std::vector<StoredBlock> blocks = run.timeline->blocks;
    if (blocks.empty())
        return;
    std::stable_sort(blocks.begin(), blocks.end(), [](const StoredBlock& a, const StoredBlock& b) {
        return std::tie(a.sm, a.slot, a.start) < std::tie(b.sm, b.slot, b.start);
    });
    Figure figure =
        make_figure(FigureKind::spans, "blocks", "When blocks were resident (PRO Figure 2)", "cycles", "block slot");
    const std::size_t slots = add_slots(blocks, launches(run.summary) > 1, figure);
    std::size_t shown = 0;
    for (const Series& row : figure.series)
        shown += row.spans.size();
    const std::uint64_t all = blocks.size() + run.timeline->blocks_left_out;
    figure.caption =
        fmt::format("A row is a slot for a block on an SM, a bar a block from the first cycle in which it was "
                    "resident to the last. Shown: {} of {}, {} of {}.",
                    figure.series.size() == slots ? "all" : fmt::format("the first {}", figure.series.size()),
                    counted(slots, "slot"), shown == all ? "all" : grouped(shown), counted(all, "block"));
    if (run.timeline->blocks_left_out != 0)
        figure.remarks.push_back(fmt::format("{} were not recorded: the time line was full.",
                                             counted(run.timeline->blocks_left_out, "block")));
    out.push_back(std::move(figure));
}

// MAWS Figure 2. At the last degree, the width, no thread hits; divergent accesses have neither this degree nor 0.
void add_heat_map(const StoredRun& run, std::vector<Figure>& out) {
    if (!run.summary.over_time || run.summary.over_time->rows.empty())
        return;
    const DegreesOverTime& all = *run.summary.over_time;
    Figure figure =
        make_figure(FigureKind::heat_map, "divergence",
                    "Divergent cache accesses by the threads that missed (MAWS Figure 2)", "accesses", "cycle");
    const std::uint64_t width = rows_a_column(all) * all.interval;
    figure.caption = fmt::format("A column is {}, a row the number of threads that missed.", counted(width, "cycle"));
    for (std::size_t degree = all.rows.front().size() - 1; degree-- > 1;) {
        Series series{fmt::format("{}", degree), "", {}, {}};
        for (const std::uint64_t n : accesses_by_column(all, degree))
            series.values.emplace_back(static_cast<double>(n));
        figure.series.push_back(std::move(series));
    }
    if (figure.series.empty()) // a machine of one or two lanes
        return;
    for (std::size_t c = 0; c < figure.series.front().values.size(); ++c)
        figure.categories.push_back(fmt::format("{}", c * width));
    out.push_back(std::move(figure));
}

} // namespace

std::vector<Figure> time_figures(const StoredRun& run) {
    std::vector<Figure> out;
    if (run.timeline) {
        add_sample_figures(*run.timeline, out);
        add_blocks(run, out);
    }
    add_heat_map(run, out);
    return out;
}

} // namespace heddle::report
