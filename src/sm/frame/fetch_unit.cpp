#include "sm/frame/fetch_unit.h"

namespace heddle::sm {

using mem::Cache;

// Requests the line of a missing instruction, for which the unit waits: false. True where fetch is ideal.
bool FetchUnit::miss(mem::CacheAccess access, Cycle now) {
    if (ideal_)
        return true;
    const UnitId unit = access.requester;
    ++waiting_units_;
    awaited_[unit] = line_of(access.address);
    if (path_ == nullptr && !memory_.has_room()) {
        ++cache_.stats().port_full;
        stuck_.insert(unit);
        return false;
    }
    const Cache::Answer answer = cache_.look_up(access, unit);
    switch (answer.result) {
    case Cache::Result::Miss:
        if (path_ == nullptr)
            send(access, answer.miss, now);
        else if (is_in_path(access, answer.miss, now))
            return true;
        [[fallthrough]];
    case Cache::Result::Merged:
        waiting_.insert(unit);
        if (cache_.prefetches()) [[unlikely]]
            prefetch(access, false, now);
        break;
    case Cache::Result::Hit: // cannot happen after a look-up that missed
        break;
    case Cache::Result::SetReserved:
    case Cache::Result::MshrFull:
    case Cache::Result::MshrMergeFull:
        stuck_.insert(unit);
        break;
    }
    return false;
}

// The line of a miss that has just been found. True when it is there at once: then nothing waits.
bool FetchUnit::is_in_path(const mem::CacheAccess& access, mem::MissId miss, Cycle now) {
    if (!path_->take(miss, line_of(access.address), access.pc, now))
        return false;
    cache_.fill(miss, [](std::uint32_t /*the unit, which goes on*/) {});
    --waiting_units_;
    return true;
}

void FetchUnit::send(mem::CacheAccess access, mem::MissId miss, Cycle now) {
    access.address = line_of(access.address);
    memory_.read(access, line_bytes_, mem::Requester::Instruction, miss * count_ + index_, now);
}

void FetchUnit::prefetch(const mem::CacheAccess& access, bool hit, Cycle now) {
    cache_.tell_prefetcher(access, hit);
    cache_.send_prefetches(
        [&] { return memory_.has_room_to_spare(); },
        [&](const mem::CacheAccess& line, const Cache::Answer& answer) { send(line, answer.miss, now); });
}

bool FetchUnit::take_served(UnitId unit, Address address, bool there) {
    if (!served_.contains(unit))
        return there;
    served_.erase(unit);
    --served_units_;
    if (line_of(address) != awaited_[unit]) // the line came for another unit with this number, or for another PC
        return there;
    cache_.stats().hits += there ? 0 : 1;
    return true;
}

void FetchUnit::go_elsewhere(UnitId unit, Pc pc, UnitSet& blocked) {
    if (line_of(address_of(pc)) == awaited_[unit])
        return;
    blocked.erase(unit);
    waiting_.erase(unit);
    stuck_.erase(unit);
    --waiting_units_;
}

void FetchUnit::fill(std::uint32_t id, UnitSet& blocked) {
    fill_miss(id / count_, blocked);
}

void FetchUnit::arrived(std::uint32_t id, UnitSet& blocked, Cycle now) {
    if (const mem::MissId miss = path_->arrived(id, now); miss != mem::kNoMiss)
        fill_miss(miss, blocked);
}

void FetchUnit::fill_miss(mem::MissId miss, UnitSet& blocked) {
    const Address line = cache_.line_of(miss);
    cache_.fill(miss, [&](std::uint32_t waiter) {
        const auto unit = static_cast<UnitId>(waiter);
        if (!waiting_.contains(unit) || awaited_[unit] != line) // go_elsewhere() since
            return;
        waiting_.erase(unit);
        blocked.erase(unit);
        served_.insert(unit);
        ++served_units_;
        --waiting_units_;
    });
    retry(blocked);
}

void FetchUnit::retry(UnitSet& blocked) {
    stuck_.for_each([&](UnitId u) {
        blocked.erase(u);
        --waiting_units_;
    });
    stuck_ = UnitSet(blocked.words() * 64);
}

} // namespace heddle::sm
