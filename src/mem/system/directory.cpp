#include "mem/system/directory.h"

#include <algorithm>
#include <cassert>

namespace heddle::mem {

void Directory::set_shares(BlockId block, unsigned sm, bool shares) {
    std::uint64_t& word = sharers_[std::size_t{block} * words_ + sm / 64];
    const std::uint64_t bit = std::uint64_t{1} << (sm % 64);
    word = shares ? word | bit : word & ~bit;
}

void Directory::no_sharers(BlockId block) {
    std::fill_n(sharers_.begin() + static_cast<std::ptrdiff_t>(std::size_t{block} * words_), words_, 0);
}

Directory::BusyId Directory::open(Kind kind) {
    if (free_busy_.empty()) {
        free_busy_.push_back(static_cast<BusyId>(busy_.size()));
        busy_.emplace_back();
    }
    const BusyId id = free_busy_.back();
    free_busy_.pop_back();
    busy_[id].kind = kind;
    busy_[id].probes = false;
    busy_[id].awaited = 0;
    return id;
}

void Directory::close(BlockId block) {
    const BusyId id = entries_[block].busy;
    const BlockId first = block - block % blocks_;
    for (BlockId b = first; b < first + blocks_; ++b)
        if (entries_[b].busy == id)
            entries_[b].busy = kIdle;
    free_busy_.push_back(id);
}

bool Directory::is_busy(LineId line) const {
    for (BlockId block = line * blocks_; block < (line + 1) * blocks_; ++block)
        if (entries_[block].busy != kIdle)
            return true;
    return false;
}

void Directory::count_request(Message message) {
    if (message == Message::GetS)
        ++stats_.gets;
    else if (message == Message::GetM)
        ++stats_.getm;
    else if (message == Message::Upgrade)
        ++stats_.upgrades;
}

void Directory::request(BlockId block, const Request& request, Cycle now) {
    Entry& entry = entries_[block];
    count_request(request.message);
    if (entry.busy == kIdle)
        entry.busy = open(kRequests);
    else
        ++stats_.waits;
    assert(busy_[entry.busy].kind == kRequests && "nothing is looked up in a slice that recalls a line");
    busy_[entry.busy].waiting.push({request, now});
}

std::optional<Directory::Turn> Directory::next(BlockId block, Cycle now) {
    if (entries_[block].busy == kIdle)
        return std::nullopt;
    Busy& busy = busy_[entries_[block].busy];
    if (busy.awaited != 0)
        return std::nullopt;
    if (!busy.probes) {
        if (busy.waiting.empty()) {
            close(block);
            return std::nullopt;
        }
        const Waiting first = busy.waiting.pop();
        busy.current = first.request;
        stats_.wait_cycles += now - first.since;
    }
    const Turn turn = decide(block, busy.current);
    assert(!busy.probes || turn.probed.empty());
    busy.probes = !turn.probed.empty();
    busy.awaited = turn.probed.count();
    return turn;
}

// Probes the copies that stand in a request's way. When they have answered, none does.
Directory::Turn Directory::decide(BlockId block, const Request& request) {
    if (request.message == Message::GetS)
        return share(block, request);
    if (request.message != Message::None)
        return own(block, request);
    const SmSet copies = holders(block); // the sender's too: where an atomic is done, no copy is left
    if (!copies.empty()) {
        ++stats_.atomic_recalls;
        stats_.invalidations += copies.count();
    }
    return {request, copies, Message::Invalidate};
}

Directory::Turn Directory::share(BlockId block, const Request& request) {
    Entry& entry = entries_[block];
    assert(entry.owner != request.sm && "its Put came before");
    if (entry.owner != kNoSm) {
        ++stats_.downgrades;
        SmSet owner(64 * words_);
        owner.insert(entry.owner);
        return {request, owner, Message::Downgrade};
    }
    SmSet others = sharers(block);
    others.erase(request.sm);
    if (!others.empty()) {
        set_shares(block, request.sm, true);
        return {.request = request, .grant = Message::DataS};
    }
    ++stats_.exclusive_grants;
    no_sharers(block);
    entry.owner = request.sm;
    return {.request = request, .grant = Message::DataE};
}

Directory::Turn Directory::own(BlockId block, const Request& request) {
    Entry& entry = entries_[block];
    assert(entry.owner != request.sm && "its Put came before");
    SmSet others = holders(block);
    const bool shares = others.contains(request.sm);
    others.erase(request.sm);
    if (!others.empty()) {
        stats_.invalidations += others.count();
        return {request, others, Message::Invalidate};
    }
    // The sender of an upgrade keeps its copy until it is answered, or invalidated; then it is no sharer any more.
    const bool upgrade = request.message == Message::Upgrade;
    const bool has_copy = upgrade && shares;
    stats_.lost_upgrades += upgrade && !has_copy ? 1 : 0;
    no_sharers(block);
    entry.owner = request.sm;
    return {.request = request, .grant = has_copy ? Message::MayWrite : Message::DataM};
}

Directory::Answered Directory::answer(BlockId block, unsigned sm, Message answer) {
    Entry& entry = entries_[block];
    assert(entry.busy != kIdle && busy_[entry.busy].awaited != 0 && "an answer to no probe");
    ++(carries_dirty_data(answer) ? stats_.forwarded : stats_.acknowledgements);
    if (entry.owner == sm)
        entry.owner = kNoSm;
    set_shares(block, sm, answer == Message::Kept || answer == Message::KeptDirty);
    Busy& busy = busy_[entry.busy];
    if (--busy.awaited != 0)
        return Answered::Partly;
    if (busy.kind == kRequests)
        return Answered::Request;
    close(block);
    return Answered::Recall;
}

void Directory::put(BlockId block, unsigned sm, Message put) {
    Entry& entry = entries_[block];
    assert(entry.owner == sm && "ownership goes on only after the owner's answer, which follows its Put");
    static_cast<void>(sm);
    entry.owner = kNoSm;
    ++(put == Message::PutM ? stats_.write_backs : stats_.clean_evictions);
    // The probe finds no copy, and the answer to it is still to come.
    stats_.write_back_races += entry.busy != kIdle ? 1 : 0;
}

} // namespace heddle::mem
