#include "probe/residency.h"

#include <algorithm>

namespace heddle::probe {
namespace {

// Includes the progress of one more warp. `first`: it is the first one.
void include(Progress& progress, std::uint64_t warp, bool first) {
    progress.least = first ? warp : std::min(progress.least, warp);
    progress.most = std::max(progress.most, warp);
    progress.sum += warp;
}

} // namespace

void Residency::started(unsigned slot, std::uint64_t global_id, RowId first_row, unsigned threads, unsigned width,
                        Cycle now) {
    const unsigned rows = (threads + width - 1) / width;
    for (unsigned r = 0; r < rows; ++r)
        rows_[first_row + r] = {0, std::min(width, threads - r * width)};
    slots_[slot] = {true,
                    {now, now, global_id, launch_, static_cast<std::uint16_t>(slot), true},
                    first_row,
                    static_cast<std::uint16_t>(rows)};
}

void Residency::end(unsigned slot, Cycle end, bool ended) {
    Slot& s = slots_[slot];
    s.resident = false;
    s.span.end = std::max(end, s.span.start);
    s.span.ended = ended;
    if (!range_.meets(s.span.start, s.span.end))
        return;
    if (blocks_.size() < limit_)
        blocks_.push_back(s.span);
    else
        ++dropped_;
}

void Residency::end_launch(Cycle now, std::span<const std::uint64_t> block_order, unsigned requests) {
    sample(now, block_order, requests);
    if (now != 0 && (samples_.empty() || samples_.back().at < now - 1))
        take(now - 1, block_order, requests);
    for (unsigned slot = 0; slot < slots_.size(); ++slot)
        if (slots_[slot].resident)
            end(slot, now, false);
}

SampledBlock Residency::sample_block(const Slot& slot, Sample& sample) const {
    SampledBlock out{.global_id = slot.span.global_id};
    bool first = true;
    for (unsigned r = slot.first_row; r < unsigned{slot.first_row} + slot.rows; ++r) {
        const Row& row = rows_[r];
        out.progress += row.progress;
        if (row.threads == 0)
            continue;
        include(out.warps, row.progress, first);
        include(sample.progress, row.progress, sample.warps == 0);
        first = false;
        sample.threads += row.threads;
        ++sample.warps;
    }
    return out;
}

void Residency::take(Cycle at, std::span<const std::uint64_t> block_order, unsigned requests) {
    if (!range_.meets(at, at)) {
        if (at < range_.from)
            start_ = {at + 1, thread_instructions_};
        due_ = (at / interval_ + 1) * interval_ + 1;
        return;
    }
    Sample sample{.at = at, .thread_instructions = thread_instructions_, .requests = requests};
    sample.first_block = static_cast<std::uint32_t>(sampled_.size());
    for (const Slot& slot : slots_) {
        if (!slot.resident)
            continue;
        SampledBlock block = sample_block(slot, sample);
        const auto rank = std::find(block_order.begin(), block_order.end(), block.global_id);
        if (rank != block_order.end())
            block.rank = static_cast<std::uint32_t>(rank - block_order.begin());
        sampled_.push_back(block);
        ++sample.blocks;
    }
    samples_.push_back(sample);
    while (samples_.size() + sampled_.size() > limit_ && !samples_.empty())
        thin_out();
    due_ = (at / interval_ + 1) * interval_ + 1;
}

// Drops every second sample, also samples at the ends of launches.
void Residency::thin_out() {
    interval_ *= 2;
    std::size_t samples = 0;
    std::uint32_t rows = 0;
    for (Sample sample : samples_) {
        if (sample.at % interval_ != 0 || sample.at == 0)
            continue;
        std::copy_n(sampled_.begin() + sample.first_block, sample.blocks, sampled_.begin() + rows);
        sample.first_block = rows;
        rows += sample.blocks;
        samples_[samples++] = sample;
    }
    samples_.resize(samples);
    sampled_.resize(rows);
}

} // namespace heddle::probe
