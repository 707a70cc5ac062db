#include "oracle/study.h"

#include "oracle/basic_blocks.h"
#include "oracle/merge.h"

namespace heddle::oracle {

namespace {

Tally study_warp(const probe::WarpTrace& warp, const BasicBlocks& blocks, std::uint32_t band) {
    Tally out;
    out.warps = 1;
    out.threads = warp.threads.size();
    out.pdom = warp.issued;
    std::vector<std::vector<Sequence>> by_epoch; // and lane
    for (std::size_t lane = 0; lane < warp.threads.size(); ++lane) {
        for (const probe::StraightRun& run : warp.threads[lane])
            out.thread_instructions += run.instructions;
        std::vector<Sequence> sequences = blocks.sequences(warp.threads[lane]);
        if (by_epoch.size() < sequences.size())
            by_epoch.resize(sequences.size(), std::vector<Sequence>(warp.threads.size()));
        for (std::size_t epoch = 0; epoch < sequences.size(); ++epoch)
            by_epoch[epoch][lane] = std::move(sequences[epoch]);
    }
    bool in_band = true;
    std::vector<Order> known = blocks.orders(warp);
    known.resize(by_epoch.size());
    for (std::size_t epoch = 0; epoch < by_epoch.size(); ++epoch) {
        const Merged merged = merge(by_epoch[epoch], known[epoch], blocks.weights(), band);
        out.in_pairs += merged.in_pairs;
        out.oracle += merged.instructions;
        out.at_least += merged.at_least;
        in_band = in_band && merged.in_band;
    }
    out.best_warps = out.oracle == out.at_least ? 1 : 0;
    out.banded_warps = in_band ? 0 : 1;
    return out;
}

} // namespace

Tally& Tally::operator+=(const Tally& other) {
    warps += other.warps;
    threads += other.threads;
    thread_instructions += other.thread_instructions;
    pdom += other.pdom;
    in_pairs += other.in_pairs;
    oracle += other.oracle;
    at_least += other.at_least;
    best_warps += other.best_warps;
    banded_warps += other.banded_warps;
    return *this;
}

LaunchStudy study(const probe::LaunchTrace& launch, std::uint32_t band) {
    const BasicBlocks blocks(launch);
    LaunchStudy out{launch.kernel, launch.grid, launch.block, launch.cut, blocks.executed(), {}, {}};
    for (const probe::WarpTrace& warp : launch.warps) {
        out.warps.push_back(study_warp(warp, blocks, band));
        out.total += out.warps.back();
    }
    return out;
}

} // namespace heddle::oracle
