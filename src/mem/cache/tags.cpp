#include "mem/cache/tags.h"

#include <bit>
#include <cassert>

namespace heddle::mem {

Tags::Tags(const TagShape& shape, Prefetching* prefetching)
    : line_shift_(static_cast<unsigned>(std::countr_zero(shape.line))),
      set_mask_(shape.bytes / (shape.line * shape.ways) - 1),
      set_bits_(static_cast<unsigned>(std::bit_width(set_mask_))), hashed_(shape.hashed), ways_(shape.ways),
      replacement_(replacements().make(shape.replacement, {sets(), static_cast<unsigned>(ways_), shape.seed})),
      prefetching_(prefetching), renews_(replacement_->order() == Replacement::Order::Use),
      chooses_(replacement_->order() == Replacement::Order::Own), learns_(chooses_ && replacement_->learns()),
      watched_(learns_ || prefetching != nullptr), flags_(shape.bytes / shape.line), stamps_(flags_.size()),
      miss_(flags_.size()), tags_(flags_.size() + kCompared, kNone), marks_(tags_.size()) {
    assert(std::has_single_bit(shape.line) && std::has_single_bit(set_mask_ + 1) && ways_ <= kWay + 1);
    for (std::size_t line = 0; line < stamps_.size(); ++line)
        stamps_[line] = line % ways_;
}

// The way for a new line: an empty one, else the victim. Some way is not held.
std::size_t Tags::way_for(std::size_t first, CacheAccess access) {
    if (chooses_)
        return chosen_way(first, access);
    const std::uint64_t* const stamps = stamps_.data() + first;
    std::uint64_t least = stamps[0];
    for (std::size_t way = 1; way < ways_; ++way) {
        const std::uint64_t stamp = stamps[way];
        least = stamp < least ? stamp : least;
    }
    return least & kWay;
}

// The same where the policy chooses.
std::size_t Tags::chosen_way(std::size_t first, CacheAccess access) {
    WayMask candidates = 0;
    for (std::size_t way = 0; way < ways_; ++way) {
        const std::uint8_t flags = flags_[first + way];
        if (flags == 0)
            return way;
        candidates |= stamps_[first + way] < kHeld ? WayMask{1} << way : 0;
    }
    assert(candidates != 0);
    return replacement_->victim(set_of_line(first), candidates, access);
}

void Tags::tell_use(LineId line, CacheAccess access, bool pending) {
    last_hit_ = kNone;
    if (pending)
        return;
    if (learns_)
        replacement_->hit(set_of_line(line), way_of_line(line), access);
    note_first_use(line);
}

LineId Tags::reserve(CacheAccess access, MissId miss, Victim& victim) {
    last_hit_ = kNone;
    const std::size_t first = first_way(access.address);
    const std::size_t line = first + way_for(first, access);
    if (learns_) {
        if (flags_[line] != 0)
            replacement_->evict(set_of_line(line), way_of_line(line));
        replacement_->fill(set_of_line(line), way_of_line(line), access);
    }
    leave(line);
    victim = {(flags_[line] & kDirty) != 0, tags_[line] << line_shift_, (flags_[line] & kExclusive) != 0};
    tags_[line] = access.address >> line_shift_;
    marks_[line] = mark_of(tags_[line]);
    flags_[line] = static_cast<std::uint8_t>(kPending | (access.writes ? kDirty : 0));
    stamps_[line] |= kHeld;
    renew(line);
    miss_[line] = miss;
    return static_cast<LineId>(line);
}

void Tags::fill(LineId line) {
    assert((flags_[line] & kPending) != 0);
    flags_[line] = static_cast<std::uint8_t>((flags_[line] & kDirty) | kValid);
    stamps_[line] &= ~kHeld;
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
    const Victim out{(flags_[line] & kDirty) != 0, address_of(line), (flags_[line] & kExclusive) != 0};
    forget(line);
    last_hit_ = kNone;
    return out;
}

void Tags::set_state(LineId line, Mesi state) {
    assert(flags_[line] != 0);
    constexpr std::uint8_t kFlags[] = {0, kValid, kValid | kExclusive, kValid | kExclusive | kDirty};
    stamps_[line] &= ~kHeld;
    if (state == Mesi::Invalid) {
        forget(line);
        last_hit_ = kNone;
        return;
    }
    flags_[line] = static_cast<std::uint8_t>(kFlags[static_cast<std::size_t>(state)] | (flags_[line] & kPrefetched));
}

void Tags::await(LineId line, MissId miss, bool copy) {
    assert((flags_[line] & (kValid | kPrefetched)) == kValid);
    miss_[line] = miss;
    stamps_[line] |= kHeld;
    flags_[line] = copy ? kValid | kLocked : kPending;
    if (!copy)
        last_hit_ = kNone;
}

bool Tags::drop(Address address) {
    const LineId line = find(address);
    if (line == kNoLine || (flags_[line] & kValid) == 0)
        return false;
    return take_out(line).dirty;
}

} // namespace heddle::mem
