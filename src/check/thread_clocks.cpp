#include "check/thread_clocks.h"

#include <algorithm>

namespace heddle::check {

void ThreadClocks::begin(ThreadId threads, std::uint32_t threads_of_block) {
    threads_ = threads;
    threads_of_block_ = threads_of_block;
    blocks_.clear();
    variables_.clear();
    last_block_ = UINT32_MAX;
}

void ThreadClocks::start_block(std::uint32_t block) {
    blocks_[block].assign(threads_of_block_, Thread{});
    last_block_ = UINT32_MAX;
}

void ThreadClocks::end_block(std::uint32_t block) {
    blocks_.erase(block);
    last_block_ = UINT32_MAX;
}

ThreadClocks::Thread& ThreadClocks::thread(ThreadId id) {
    const std::uint32_t block = id / threads_of_block_;
    if (block != last_block_) {
        last_ = &blocks_.at(block);
        last_block_ = block;
    }
    return (*last_)[id % threads_of_block_];
}

Accessor ThreadClocks::accessor(ThreadId id) {
    const Thread& t = thread(id);
    return {id, id, t.own, t.known.get()};
}

Accessor ThreadClocks::copies_of(ThreadId id) {
    const Thread& t = thread(id);
    return {copies(id), id, t.group, t.known.get()};
}

// What `known` and the thread itself up to its clock then make together.
SharedClock ThreadClocks::with_own(const Snapshot& snapshot, ThreadId thread) {
    if (snapshot.own == 0)
        return snapshot.known;
    auto out = snapshot.known ? std::make_shared<VectorClock>(*snapshot.known) : std::make_shared<VectorClock>();
    out->raise(thread, thread + 1, snapshot.own);
    return out;
}

void ThreadClocks::join(VectorClock& into, SharedClock& last, const Snapshot& what, ThreadId thread) {
    if (what.known != nullptr && what.known != last) {
        last = what.known;
        into.join(*last);
    }
    if (what.own != 0)
        into.raise(thread, thread + 1, what.own);
}

void ThreadClocks::arrive(Meeting& meeting, ThreadId id, bool waits) {
    Thread& t = thread(id);
    meeting.empty_ = false;
    meeting.highest_ = std::max(meeting.highest_, t.own);
    join(meeting.known_, meeting.last_known_, {t.known, waits ? 0 : t.own}, id);
    join(meeting.fenced_block_, meeting.last_fenced_block_, t.fenced_block, id);
    join(meeting.fenced_device_, meeting.last_fenced_device_, t.fenced_device, id);
    if (!waits)
        ++t.own;
}

// All that have waited get one clock, above that of each: then they are one run in what others know of them.
void ThreadClocks::meet(Meeting& meeting, std::span<const ThreadId> waiting) {
    VectorClock together;
    for (std::size_t i = 0; i < waiting.size();) {
        std::size_t end = i + 1;
        while (end < waiting.size() && waiting[end] == waiting[end - 1] + 1)
            ++end;
        together.raise(waiting[i], waiting[end - 1] + 1, meeting.highest_);
        i = end;
    }
    meeting.known_.join(together);
    const auto shared = [](VectorClock& clock) {
        return clock.empty() ? nullptr : std::make_shared<const VectorClock>(std::move(clock));
    };
    const SharedClock known = shared(meeting.known_);
    const SharedClock fenced_block = shared(meeting.fenced_block_), fenced_device = shared(meeting.fenced_device_);
    for (const ThreadId id : waiting) {
        Thread& t = thread(id);
        t.own = meeting.highest_ + 1;
        t.known = known;
        t.fenced_block = {fenced_block, 0};
        t.fenced_device = {fenced_device, 0};
    }
    meeting = {};
}

SharedClock ThreadClocks::known_to(Meeting& meeting) {
    return std::make_shared<const VectorClock>(std::move(meeting.known_));
}

void ThreadClocks::learn(const SharedClock& known, ThreadId id) {
    Thread& t = thread(id);
    t.known = joined(t.known, known);
}

void ThreadClocks::fence(ThreadId id, Scope scope) {
    Thread& t = thread(id);
    t.fenced_block = {t.known, t.own};
    if (scope == Scope::Device)
        t.fenced_device = t.fenced_block;
    ++t.own;
}

void ThreadClocks::acquire(ThreadId id, std::uint64_t location) {
    const auto found = variables_.find(location);
    if (found == variables_.end())
        return;
    Thread& t = thread(id);
    const Variable& v = found->second;
    t.known = joined(t.known, v.device);
    if (v.block == id / threads_of_block_)
        t.known = joined(t.known, v.of_block);
}

void ThreadClocks::release(ThreadId id, std::uint64_t location, const Release& how) {
    Thread& t = thread(id);
    Snapshot block = t.fenced_block, device = t.fenced_device;
    if (how.fenced) {
        block = {t.known, t.own++};
        if (how.scope == Scope::Device)
            device = block;
    }
    if (how.scope == Scope::Block)
        device = {};
    if (block.empty() && device.empty()) {
        if (how.replaces)
            variables_.erase(location);
        return;
    }
    Variable& v = variables_[location];
    const std::uint32_t mine = id / threads_of_block_;
    const SharedClock for_block = with_own(block, id);
    const SharedClock for_device =
        device.known == block.known && device.own == block.own ? for_block : with_own(device, id);
    v.of_block = how.replaces || v.block != mine ? for_block : joined(v.of_block, for_block);
    v.block = mine;
    v.device = how.replaces ? for_device : joined(v.device, for_device);
}

void ThreadClocks::close_group(ThreadId id) {
    ++thread(id).group;
}

void ThreadClocks::wait_for_copies(ThreadId id, std::uint64_t pending, bool all) {
    Thread& t = thread(id);
    const Clock closed = t.group - 1;
    const Clock over = all ? t.group : pending >= closed ? 0 : closed - static_cast<Clock>(pending);
    if (all)
        ++t.group;
    if (over == 0)
        return;
    t.known = joined(t.known, std::make_shared<const VectorClock>(copies(id), copies(id) + 1, over));
}

} // namespace heddle::check
