#include "mem/cache/tags.h"

#include <bit>
#include <cassert>

namespace heddle::mem {

Tags::Tags(const TagShape& shape)
    : line_shift_(static_cast<unsigned>(std::countr_zero(shape.line))),
      set_mask_(shape.bytes / (shape.line * shape.ways) - 1),
      set_bits_(static_cast<unsigned>(std::bit_width(set_mask_))), hashed_(shape.hashed), ways_(shape.ways),
      replacement_(replacements().make(shape.replacement, shape.seed)), renews_(replacement_->renews_on_use()),
      chooses_(replacement_->chooses()), flags_(shape.bytes / shape.line), stamps_(flags_.size()), miss_(flags_.size()),
      tags_(flags_.size() + kCompared, kNone), marks_(tags_.size()) {
    assert(std::has_single_bit(shape.line) && std::has_single_bit(set_mask_ + 1) && ways_ <= kWay + 1);
    for (std::size_t line = 0; line < stamps_.size(); ++line)
        stamps_[line] = line % ways_;
}

// The way for a new line: an empty one, else the victim. Some way is not held.
std::size_t Tags::way_for(std::size_t first) {
    if (chooses_)
        return chosen_way(first);
    const std::uint64_t* const stamps = stamps_.data() + first;
    std::uint64_t least = stamps[0];
    for (std::size_t way = 1; way < ways_; ++way) {
        const std::uint64_t stamp = stamps[way];
        least = stamp < least ? stamp : least;
    }
    return least & kWay;
}

// The same where the policy chooses.
std::size_t Tags::chosen_way(std::size_t first) {
    std::uint64_t candidates = 0;
    for (std::size_t way = 0; way < ways_; ++way) {
        const std::uint8_t flags = flags_[first + way];
        if (flags == 0)
            return way;
        candidates |= stamps_[first + way] < kHeld ? std::uint64_t{1} << way : 0;
    }
    assert(candidates != 0);
    return replacement_->victim({&stamps_[first], ways_}, candidates);
}

LineId Tags::reserve(Address address, bool write, MissId miss, Victim& victim) {
    last_hit_ = kNone;
    const std::size_t first = first_way(address);
    const std::size_t line = first + way_for(first);
    victim = {(flags_[line] & kDirty) != 0, tags_[line] << line_shift_, (flags_[line] & kExclusive) != 0};
    tags_[line] = address >> line_shift_;
    marks_[line] = mark_of(tags_[line]);
    flags_[line] = static_cast<std::uint8_t>(kPending | (write ? kDirty : 0));
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

LineId Tags::next_victim(Address address) {
    const std::size_t first = first_way(address);
    if (!has_free_way(first))
        return kNoLine;
    const std::size_t line = first + way_for(first);
    return flags_[line] == 0 ? kNoLine : static_cast<LineId>(line);
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
    flags_[line] = kFlags[static_cast<std::size_t>(state)];
    stamps_[line] &= ~kHeld;
    if (state == Mesi::Invalid) {
        forget(line);
        last_hit_ = kNone;
    }
}

void Tags::await(LineId line, MissId miss, bool copy) {
    assert((flags_[line] & kValid) != 0);
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
