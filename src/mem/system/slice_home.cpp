// A slice as the home of its lines: this file carries out the decisions of the directory (docs/coherence.md).
#include "mem/system/slice.h"

namespace heddle::mem {

std::optional<BlockId> Slice::block_of(Address address) const {
    const LineId line = cache_->find(address);
    if (line == kNoLine)
        return std::nullopt;
    return line * directory_->blocks() + static_cast<BlockId>((address & (line_ - 1)) / block_);
}

// A Put, or the answer to a probe. It needs no look-up: the line is there, because only lines of the last level have
// copies, and the directory has the request that waits for the answer. The write of the data takes the time of a
// look-up (assumed).
void Slice::take_notice(TransactionId id, Cycle now) {
    const Transaction notice = transactions_[id];
    transactions_.close(id);
    const Message message = notice.request.message;
    const std::optional<BlockId> block = block_of(notice.request.address);
    assert(block && "a copy of a line that the last level does not have");
    if (carries_dirty_data(message)) {
        static_cast<void>(cache_->hits(access_of(notice)));
        look_ups_.take_ticks(1, now);
    }
    if (message == Message::PutE || message == Message::PutM) {
        directory_->put(*block, notice.sm, message);
        return;
    }
    switch (directory_->answer(*block, notice.sm, message)) {
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

// Makes a way without a line for a miss. False while copies of the line that has to leave are recalled: the head of the
// queue waits for them, so there is one recall at a time.
bool Slice::make_room(CacheAccess access, Cycle now) {
    if (leaving_ != kNoLine)
        return false;
    const LineId line = cache_->must_leave(access);
    if (line == kNoLine)
        return true;
    if (!directory_->recall(line,
                            [&](BlockId block, const SmSet& sms) { probe(block, sms, Message::Invalidate, now); })) {
        evict(cache_->evict(line), now);
        return channel_.can_fetch();
    }
    leaving_ = line;
    return false;
}

// Answers come between the ticks of the slice. Only a tick pushes requests to the channel, so the line waits.
void Slice::end_recall(Cycle now) {
    channel_.evict(cache_->evict(leaving_));
    leaving_ = kNoLine;
    retry(now);
}

// The line of a request is there. The directory does not track requests of other caches than data caches, because code
// and constants are not written.
void Slice::request_block(TransactionId id, Cycle now) {
    const Transaction& t = transactions_[id];
    if (t.request.message == Message::None && t.request.use() != DramUse::Atomic)
        return complete(id, now);
    const BlockId block = *block_of(t.request.address);
    directory_->request(block, {id, t.sm, t.request.message}, now);
    go_on(block, now);
}

// The requests of a block are granted in turn until one has to wait for probes. Its line stays in the cache meanwhile.
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
    const Address address = channel_.interleave().address_of(in_slice, channel_.slice());
    sms.for_each([&](unsigned sm) {
        reply(transactions_.open({.address = address,
                                  .bytes = static_cast<std::uint16_t>(block_),
                                  .kind = AccessKind::WriteBack, // its packet carries no data
                                  .requester = Requester::Probe,
                                  .message = message},
                                 sm, channel_.slice()),
              now);
    });
}

} // namespace heddle::mem
