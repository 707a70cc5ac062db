#include "formation/warp_splits.h"

#include "formation/maws_units.h"

namespace heddle::formation {

WarpSplits::WarpSplits(warp::UnitTable& units, unsigned rows, unsigned width, const StackConfig& stack)
    : units_(units), splits_(units.capacity()), flights_(units.capacity()), joined_(units.capacity(), kNoUnit),
      reserved_(units.capacity()), free_(units.capacity()) {
    units_.words = 1;
    warps_.assign(rows, {SplitWarp::Stack(stack), 0, {}, 0, 0});
    for (SplitWarp& w : warps_)
        w.splits.reserve(width);
    for (unsigned u = 0; u < units.capacity(); ++u)
        free_.insert(static_cast<UnitId>(u));
}

UnitId WarpSplits::begin_warp(const warp::Part& row, Pc entry, std::uint16_t block, std::uint32_t latency) {
    SplitWarp& w = warps_[row.row];
    w.stack.start(entry, row.lanes);
    w.waiting = 0;
    w.birth = births_++;
    WarpSplit all;
    all.part = row;
    all.at = w.stack.running.at;
    all.count = w.furthest;
    all.latency = latency;
    return place(free_.contains(row.row) ? row.row : free_.first(), all, block, w.birth);
}

UnitId WarpSplits::place(UnitId unit, const WarpSplit& split, std::uint16_t block, std::uint64_t birth) {
    free_.erase(unit);
    units_.words = std::max(units_.words, unit / 64U + 1);
    splits_[unit] = split;
    units_.begin(unit, block, birth);
    miss_free_cycles_left(units_, unit) = 0;
    warps_[split.part.row].splits.push_back(unit);
    return unit;
}

void WarpSplits::restart(UnitId unit) {
    const SplitWarp& w = warp_of(unit);
    WarpSplit& s = splits_[unit];
    s.part.lanes = w.stack.running.threads;
    s.at = w.stack.running.at;
    s.count = w.furthest;
    s.parked = false;
    units_.set_birth(unit, w.birth);
}

UnitId WarpSplits::create(const WarpSplit& split, std::uint16_t block) {
    const UnitId beyond = free_.first_from(static_cast<unsigned>(warps_.size()));
    return place(beyond != kNoUnit ? beyond : free_.first(), split, block, births_++);
}

void WarpSplits::release(UnitId unit) {
    joined_[unit] = kNoUnit;
    reserved_.erase(unit);
    free_.insert(unit);
}

void WarpSplits::end(UnitId unit) {
    redirect(unit, kNoUnit);
    remove(unit);
}

void WarpSplits::remove(UnitId unit) {
    units_.alive.erase(unit);
    units_.eligible.erase(unit);
    units_.boosted.erase(unit);
    std::erase(warp_of(unit).splits, unit);
    if (flights_[unit] == 0)
        release(unit);
    else
        reserved_.insert(unit);
}

void WarpSplits::redirect(UnitId from, UnitId to) {
    reserved_.for_each([&](UnitId u) {
        if (joined_[u] == from)
            joined_[u] = to;
    });
}

void WarpSplits::merge(UnitId from, UnitId into) {
    const WarpSplit& a = splits_[from];
    WarpSplit& b = splits_[into];
    b.part.lanes |= a.part.lanes;
    b.count = std::min(b.count, a.count);
    b.mfc = std::max(b.mfc, a.mfc);
    b.latency = std::max(b.latency, a.latency);
    b.waits = static_cast<std::uint16_t>(b.waits + a.waits);
    b.lags = static_cast<std::uint16_t>(b.lags + a.lags);
    miss_free_cycles_left(units_, into) =
        std::max(miss_free_cycles_left(units_, into), miss_free_cycles_left(units_, from));
    units_.set_birth(into, std::min(units_.birth()[into], units_.birth()[from]));
    redirect(from, into);
    remove(from);
    if (flights_[from] != 0)
        joined_[from] = into;
}

void WarpSplits::boost(const SplitWarp& w) {
    UnitId last = w.splits.front();
    bool differ = false;
    for (const UnitId u : w.splits) {
        units_.boosted.erase(u);
        differ |= splits_[u].count != splits_[last].count;
        if (splits_[u].count < splits_[last].count)
            last = u;
    }
    if (differ)
        units_.boosted.insert(last);
}

UnitId WarpSplits::flight_returned(UnitId unit, bool committed) {
    const UnitId in = holder(unit);
    if (units_.alive.contains(in))
        --(committed ? splits_[in].lags : splits_[in].waits);
    if (--flights_[unit] == 0 && reserved_.contains(unit))
        release(unit);
    return in;
}

} // namespace heddle::formation
