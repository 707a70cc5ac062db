#include "mem/cache.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace heddle::mem {

Cache::Cache(const CacheShape& shape)
    : line_shift_(static_cast<unsigned>(std::countr_zero(shape.line))),
      set_mask_(shape.bytes / (shape.line * shape.ways) - 1), ways_(shape.ways), tags_(shape.bytes / shape.line),
      flags_(tags_.size()), used_(tags_.size()) {
    assert(std::has_single_bit(shape.line) && std::has_single_bit(set_mask_ + 1));
}

Cache::Found Cache::access(Address address, bool write) {
    const Address tag = address >> line_shift_;
    const std::size_t first = first_way(address);
    bool free_way = false;
    for (std::size_t i = first; i < first + ways_; ++i) {
        if (tags_[i] == tag && flags_[i] != 0) {
            used_[i] = ++clock_;
            if (write)
                flags_[i] |= kDirty;
            const bool pending = (flags_[i] & kPending) != 0;
            last_hit_ = pending ? kNone : tag;
            return {pending ? Result::Pending : Result::Hit, static_cast<LineId>(i)};
        }
        free_way |= (flags_[i] & kPending) == 0;
    }
    return {free_way ? Result::Miss : Result::Full, kNoLine};
}

Cache::Victim Cache::reserve(Address address, bool write) {
    last_hit_ = kNone;
    const std::size_t first = first_way(address);
    std::size_t best = tags_.size();
    for (std::size_t i = first; i < first + ways_; ++i) {
        if (flags_[i] == 0) {
            best = i;
            break;
        }
        if ((flags_[i] & kPending) == 0 && (best == tags_.size() || used_[i] < used_[best]))
            best = i;
    }
    assert(best != tags_.size());
    const Victim victim{static_cast<LineId>(best), (flags_[best] & kDirty) != 0, tags_[best] << line_shift_};
    tags_[best] = address >> line_shift_;
    flags_[best] = static_cast<std::uint8_t>(kPending | (write ? kDirty : 0));
    used_[best] = ++clock_;
    return victim;
}

void Cache::fill(LineId line) {
    assert((flags_[line] & kPending) != 0);
    flags_[line] = static_cast<std::uint8_t>((flags_[line] & kDirty) | kValid);
}

bool Cache::drop(Address address) {
    const Address tag = address >> line_shift_;
    const std::size_t first = first_way(address);
    for (std::size_t i = first; i < first + ways_; ++i) {
        if (tags_[i] != tag || (flags_[i] & kValid) == 0)
            continue;
        const bool dirty = (flags_[i] & kDirty) != 0;
        flags_[i] = 0;
        last_hit_ = kNone;
        return dirty;
    }
    return false;
}

void Cache::clear() {
    std::fill(flags_.begin(), flags_.end(), std::uint8_t{0});
    last_hit_ = kNone;
}

} // namespace heddle::mem
