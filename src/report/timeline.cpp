#include "report/timeline.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::report {
namespace {

struct Losses {
    std::uint64_t blocks = 0, units = 0, requests = 0;
};

Losses losses_of(const RunResult& run) {
    Losses out;
    for (const probe::Timeline* sm : run.timelines) {
        out.blocks += sm->residency.dropped_blocks();
        out.units += sm->units.dropped();
        out.requests += sm->requests.dropped();
    }
    return out;
}

std::string sampled_blocks(const probe::Timeline& timeline, const probe::Sample& sample) {
    std::string out;
    for (const probe::SampledBlock& b : timeline.residency.blocks_of(sample))
        out += fmt::format("{}{{\"block\":{},\"progress\":{},\"least\":{},\"most\":{}}}", out.empty() ? "" : ",",
                           b.global_id, b.progress, b.warps.least, b.warps.most);
    return out;
}

std::string sample_lines(std::size_t sm, const probe::Timeline& timeline) {
    std::string out;
    Cycle last = timeline.residency.start().at;
    std::uint64_t instructions = timeline.residency.start().thread_instructions;
    for (const probe::Sample& s : timeline.residency.samples()) {
        const double ipc =
            static_cast<double>(s.thread_instructions - instructions) / static_cast<double>(s.at + 1 - last);
        const std::vector<std::uint64_t> order = block_order(timeline, s);
        out += fmt::format("{}      {{\"sm\":{},\"cycle\":{},\"threads\":{},\"warps\":{},\"requests\":{},\"ipc\":{},"
                           "\"progress\":{{\"least\":{},\"mean\":{},\"most\":{}}},\"blocks\":[{}],\"block_order\":{}}}",
                           out.empty() ? "" : ",\n", sm, s.at, s.threads, s.warps, s.requests, ipc, s.progress.least,
                           s.progress.mean(s.warps), s.progress.most, sampled_blocks(timeline, s),
                           order.empty() ? "null" : fmt::format("[{}]", fmt::join(order, ",")));
        last = s.at + 1;
        instructions = s.thread_instructions;
    }
    return out;
}

std::string block_lines(std::size_t sm, const probe::Timeline& timeline) {
    std::string out;
    for (const probe::BlockSpan& b : timeline.residency.blocks())
        out += fmt::format("{}      {{\"sm\":{},\"slot\":{},\"launch\":{},\"block\":{},\"start\":{},\"end\":{},"
                           "\"ended\":{}}}",
                           out.empty() ? "" : ",\n", sm, b.slot, b.launch, b.global_id, b.start, b.end, b.ended);
    return out;
}

// A JSON array of the lines that `lines` gives for each SM.
template <class F>
std::string array_of(const RunResult& run, F&& lines) {
    std::string out;
    for (std::size_t sm = 0; sm < run.timelines.size(); ++sm)
        if (const std::string more = lines(sm, *run.timelines[sm]); !more.empty())
            out += (out.empty() ? "[\n" : ",\n") + more;
    return out.empty() ? "[]" : out + "\n    ]";
}

std::string range_line(const probe::CycleRange& range) {
    if (range.is_whole_run())
        return {};
    return fmt::format("    \"range\": [{},{}],\n", range.from,
                       range.to == kNever ? std::string("null") : std::to_string(range.to));
}

} // namespace

std::vector<std::uint64_t> block_order(const probe::Timeline& timeline, const probe::Sample& sample) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> ranked;
    for (const probe::SampledBlock& block : timeline.residency.blocks_of(sample))
        if (block.rank != probe::SampledBlock::kUnranked)
            ranked.emplace_back(block.rank, block.global_id);
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::uint64_t> out;
    for (const auto& [rank, id] : ranked)
        out.push_back(id);
    return out;
}

std::string timeline_lines(const RunResult& run) {
    const Losses lost = losses_of(run);
    std::vector<Cycle> intervals;
    for (const probe::Timeline* sm : run.timelines)
        intervals.push_back(sm->residency.interval());
    return fmt::format("{{\n{}"
                       "    \"dropped\": {{\"blocks\":{},\"units\":{},\"requests\":{}}},\n"
                       "    \"sample_cycles\": [{}],\n"
                       "    \"blocks\": {},\n"
                       "    \"samples\": {}\n  }}",
                       range_line(run.timelines.front()->range), lost.blocks, lost.units, lost.requests,
                       fmt::join(intervals, ","), array_of(run, block_lines), array_of(run, sample_lines));
}

std::string timeline_losses(const RunResult& run) {
    const Losses lost = losses_of(run);
    if (lost.blocks + lost.units + lost.requests == 0)
        return {};
    return fmt::format("the time line is full: {} blocks, {} spans of warps and {} memory requests are not in it "
                       "(--timeline-events)",
                       lost.blocks, lost.units, lost.requests);
}

} // namespace heddle::report
