// A slice as the home of its lines: what its directory decides is carried out here (docs/coherence.md).
#include "mem/system/slice.h"

namespace heddle::mem {

std::optional<BlockId> Slice::block_of(Address address) const {
    const LineId line = cache_->find(address);
    if (line == kNoLine)
        return std::nullopt;
    return line * directory_->blocks() + static_cast<BlockId>((address & (line_ - 1)) / block_);
}

// A Put, or the answer to a probe. It needs no look-up: the line is there because copies are only of lines that are,
// and whoever waits for the answer is known. Data take the place of a look-up while they are written (assumed).
void Slice::be_told(TransactionId id, Cycle now) {
    const Transaction told = transactions_[id];
    transactions_.close(id);
    const Message message = told.request.message;
    const std::optional<BlockId> block = block_of(told.request.address);
    assert(block && "a copy of a line that the last level does not have");
    if (carries_dirty_data(message)) {
        static_cast<void>(cache_->hits(access_of(told)));
        busy(1, now);
    }
    if (message == Message::PutE || message == Message::PutM) {
        directory_->put(*block, told.sm, message);
        return;
    }
    switch (directory_->answer(*block, told.sm, message)) {
    case Directory::Answered::Partly:
        break;
    case Directory::Answered::Request:
        go_on(*block, now);
        break;
    case Directory::Answered::Recall:
        end_recall(now);
        break;
    }
}

// Sees to it that a miss finds a way without a line. False while copies of the line that has to leave are
// recalled: the head of the queue waits for them, so there is one recall at a time.
bool Slice::make_room(CacheAccess access, Cycle now) {
    if (leaving_ != kNoLine)
        return false;
    const LineId line = cache_->must_leave(access);
    if (line == kNoLine)
        return true;
    if (!directory_->recall(line,
                            [&](BlockId block, const SmSet& sms) { probe(block, sms, Message::Invalidate, now); })) {
        evict(cache_->evict(line), now);
        return can_fetch();
    }
    leaving_ = line;
    return false;
}

// Answers come between the ticks of the slice, in which alone its channel is asked.
void Slice::end_recall(Cycle now) {
    if (const Victim victim = cache_->evict(leaving_); victim.dirty)
        evicted_.push(victim.address);
    leaving_ = kNoLine;
    retry(now);
}

// The line of a request is there. What data caches do not ask for is not tracked: code and constants are not written.
void Slice::ask_directory(TransactionId id, Cycle now) {
    const Transaction& t = transactions_[id];
    if (t.request.message == Message::None && t.request.use() != DramUse::Atomic)
        return complete(id, now);
    const BlockId block = *block_of(t.request.address);
    directory_->request(block, {id, t.sm, t.request.message}, now);
    go_on(block, now);
}

// Requests of a block have their turns as far as no copies have to be probed. Its line stays meanwhile.
void Slice::go_on(BlockId block, Cycle now) {
    while (const std::optional<Directory::Turn> turn = directory_->next(block, now))
        carry_out(block, *turn, now);
    const LineId line = block / directory_->blocks();
    if (directory_->is_busy(line)) {
        cache_->lock(line);
    } else if (cache_->is_locked(line)) {
        cache_->unlock(line);
        retry(now);
    }
}

void Slice::carry_out(BlockId block, const Directory::Turn& turn, Cycle now) {
    if (!turn.probed.empty())
        return probe(block, turn.probed, turn.probe, now);
    transactions_[turn.request.id].grant = turn.grant;
    complete(turn.request.id, now);
}

void Slice::probe(BlockId block, const SmSet& sms, Message message, Cycle now) {
    const Address in_slice =
        cache_->address_of(block / directory_->blocks()) + Address{block % directory_->blocks()} * block_;
    const Address address = interleave_.address_of(in_slice, number_);
    sms.for_each([&](unsigned sm) {
        reply(transactions_.open({.address = address,
                                  .bytes = static_cast<std::uint16_t>(block_),
                                  .kind = AccessKind::WriteBack, // its packet carries no data
                                  .requester = Requester::Probe,
                                  .message = message},
                                 sm, number_),
              now);
    });
}

} // namespace heddle::mem
