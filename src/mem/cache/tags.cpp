#include "mem/cache/tags.h"

#include <cassert>

namespace heddle::mem {

Tags::Tags(const TagShape& shape, Prefetching* prefetching)
    : index_(shape.line, shape.bytes / (shape.line * shape.ways), shape.hash), ways_(shape.ways),
      tags_(shape.bytes / shape.line), stamps_(shape.bytes / shape.line, shape.ways),
      replacement_(replacements().make(shape.replacement, {sets(), static_cast<unsigned>(ways_), shape.seed})),
      prefetching_(prefetching), renews_(replacement_->order() == Replacement::Order::Use),
      chooses_(replacement_->order() == Replacement::Order::Own), learns_(chooses_ && replacement_->learns()),
      has_sectors_(shape.sectors != 0), watched_(learns_ || prefetching != nullptr || has_sectors_),
      flags_(shape.bytes / shape.line), miss_(flags_.size()), sectors_(has_sectors_ ? flags_.size() : 0) {
    assert(ways_ <= AgeStamps::kMaxWays);
}

void Tags::reshape(const TagShape& shape) {
    const std::size_t lines = shape.bytes / shape.line;
    index_ = SetIndex(shape.line, shape.bytes / (shape.line * shape.ways), shape.hash);
    ways_ = shape.ways;
    assert(ways_ <= AgeStamps::kMaxWays);
    tags_.reset(lines);
    stamps_.reset(lines, ways_);
    last_hit_ = TagArray::kNone;
    end_ = 0;
    replacement_ = replacements().make(shape.replacement, {sets(), static_cast<unsigned>(ways_), shape.seed});
    flags_.assign(lines, 0);
    miss_.assign(lines, {});
    sectors_.assign(has_sectors_ ? lines : 0, {});
}

// The way for a new line: an empty one, else the victim. Some way is not held.
std::size_t Tags::way_for(std::size_t first, CacheAccess access) {
    if (chooses_)
        return chosen_way(first, access);
    return stamps_.oldest(first, ways_);
}

// As way_for(), where the policy chooses the victim.
std::size_t Tags::chosen_way(std::size_t first, CacheAccess access) {
    WayMask candidates = 0;
    for (std::size_t way = 0; way < ways_; ++way) {
        const std::uint8_t flags = flags_[first + way];
        if (flags == 0)
            return way;
        candidates |= stamps_.is_held(first + way) ? 0 : WayMask{1} << way;
    }
    assert(candidates != 0);
    return replacement_->victim(set_of_line(first), candidates, access);
}

void Tags::pass_on_use(LineId line, CacheAccess access, bool pending) {
    last_hit_ = TagArray::kNone;
    if (has_sectors_ && access.writes)
        sectors_[line].dirty |= sectors_in(access.address);
    if (pending)
        return;
    if (learns_)
        replacement_->hit(set_of_line(line), way_of_line(line), access);
    note_first_use(line);
}

LineId Tags::reserve(CacheAccess access, MissId miss, Victim& victim) {
    last_hit_ = TagArray::kNone;
    const std::size_t first = first_way(access.address);
    const std::size_t line = first + way_for(first, access);
    if (learns_) {
        if (flags_[line] != 0)
            replacement_->evict(set_of_line(line), way_of_line(line));
        replacement_->fill(set_of_line(line), way_of_line(line), access);
    }
    leave(line);
    victim = {(flags_[line] & kDirty) != 0, address_of(static_cast<LineId>(line)), (flags_[line] & kExclusive) != 0};
    if (has_sectors_) {
        victim.sectors = sectors_[line].dirty;
        sectors_[line] = {};
    }
    tags_.set(line, index_.line_number(access.address));
    end_ = std::max(end_, access.address + 1);
    flags_[line] = static_cast<std::uint8_t>(kPending | (access.writes ? kDirty : 0));
    stamps_.hold(line);
    stamps_.renew(line);
    miss_[line] = miss;
    return static_cast<LineId>(line);
}

void Tags::fill(LineId line) {
    assert((flags_[line] & kPending) != 0);
    flags_[line] = static_cast<std::uint8_t>((flags_[line] & kDirty) | kValid);
    stamps_.release(line);
}

void Tags::put(LineId line, SectorMask sectors, bool whole, bool writes) {
    if (whole)
        sectors_[line].there |= sectors;
    if (!writes)
        return;
    sectors_[line].dirty |= sectors;
    flags_[line] |= kDirty;
}

LineId Tags::next_victim(CacheAccess access) {
    const std::size_t first = first_way(access.address);
    if (!has_free_way(first))
        return kNoLine;
    const std::size_t line = first + way_for(first, access);
    return flags_[line] == 0 ? kNoLine : static_cast<LineId>(line);
}

Victim Tags::evict(LineId line) {
    if (learns_)
        replacement_->evict(set_of_line(line), way_of_line(line));
    return take_out(line);
}

Victim Tags::take_out(LineId line) {
    assert((flags_[line] & kValid) != 0);
    const Victim out{(flags_[line] & kDirty) != 0, address_of(line), (flags_[line] & kExclusive) != 0,
                     has_sectors_ ? sectors_[line].dirty : SectorMask{0}};
    forget(line);
    last_hit_ = TagArray::kNone;
    return out;
}

void Tags::set_state(LineId line, Mesi state) {
    assert(flags_[line] != 0);
    constexpr std::uint8_t kFlags[] = {0, kValid, kValid | kExclusive, kValid | kExclusive | kDirty};
    stamps_.release(line);
    if (state == Mesi::Invalid) {
        forget(line);
        last_hit_ = TagArray::kNone;
        return;
    }
    flags_[line] = static_cast<std::uint8_t>(kFlags[static_cast<std::size_t>(state)] | (flags_[line] & kPrefetched));
}

void Tags::await(LineId line, MissId miss, bool copy) {
    assert((flags_[line] & (kValid | kPrefetched)) == kValid);
    miss_[line] = miss;
    stamps_.hold(line);
    flags_[line] = copy ? kValid | kLocked : kPending;
    if (!copy)
        last_hit_ = TagArray::kNone;
}

void Tags::drop_clean() {
    last_hit_ = TagArray::kNone;
    for (std::size_t i = 0; i < flags_.size(); ++i)
        if ((flags_[i] & (kValid | kPending | kDirty | kLocked)) == kValid)
            forget(i);
}

bool Tags::drop(Address address) {
    const LineId line = find(address);
    if (line == kNoLine || (flags_[line] & kValid) == 0)
        return false;
    return take_out(line).dirty;
}

} // namespace heddle::mem
