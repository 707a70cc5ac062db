// The directory of a slice of an inclusive last level (docs/coherence.md): for each block, a data cache's line within a
// line of the last level, which SMs may have a copy. It uses time only to count waiting, and sends nothing itself.
//
// One request of a block at a time: while copies are probed for one, later ones wait in order. States of a block:
//
//   no copies      owner none, no sharers
//   shared         sharers: a superset of the copies, because a cache that evicts a copy in S sends nothing
//   owned          owner: one copy in E or M, or a PutE or PutM of it on its way
//
// An SM's messages come in the order in which it sent them. So its answer to a probe comes after any Put of the block,
// and no request of the owner comes before its Put.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ring_queue.h"
#include "mem/cache/tags.h"
#include "mem/coherence.h"
#include "mem/sm_set.h"
#include "mem/system/transaction.h"

namespace heddle::mem {

using BlockId = std::uint32_t; // line of the last level * blocks of a line + block within it

class Directory {
public:
    struct Request {
        TransactionId id = 0;
        std::uint16_t sm = 0;
        Message message = Message::None; // GetS, GetM or Upgrade; None: an atomic operation, done behind the SMs
    };
    // The next step of a request: the owner sends `probe` to the SMs in `probed`; when there is none, the request is
    // granted.
    struct Turn {
        Request request;
        SmSet probed = {};
        Message probe = Message::None;
        Message grant = Message::None; // None for an atomic
    };
    enum class Answered : std::uint8_t {
        Partly,  // others have not answered yet
        Request, // next() goes on with the request
        Recall,  // no copy of the line is left
    };

    // Lines of the slice's part of the last level, blocks of each, SMs of the device.
    Directory(std::size_t lines, unsigned blocks, unsigned sms)
        : blocks_(blocks), words_(SmSet(sms).words()), entries_(lines * blocks), sharers_(entries_.size() * words_) {}

    // A request has come; next() decides about it.
    void request(BlockId block, const Request& request, Cycle now);
    // The next step for the requests of a block; nothing while answers are awaited, or when no request is left. The
    // owner calls it until there is nothing.
    std::optional<Turn> next(BlockId block, Cycle now);
    // An SM has answered the probe of a block.
    Answered answer(BlockId block, unsigned sm, Message answer);
    // An SM's PutE or PutM has come.
    void put(BlockId block, unsigned sm, Message put);
    // All copies of a line have to go: calls f(block, SMs to be invalidated) for the blocks that may have some. False
    // when there are none. The line is not busy.
    template <class F>
    [[nodiscard]] bool recall(LineId line, F&& f) {
        const BlockId first = line * blocks_;
        std::uint32_t copies = 0;
        for (BlockId block = first; block < first + blocks_; ++block)
            copies += holders(block).count();
        if (copies == 0)
            return false;
        const BusyId id = open(kRecall);
        busy_[id].awaited = copies;
        ++stats_.recalls;
        stats_.invalidations += copies;
        for (BlockId block = first; block < first + blocks_; ++block) {
            entries_[block].busy = id;
            if (const SmSet sms = holders(block); !sms.empty())
                f(block, sms);
        }
        return true;
    }
    // Whether a request or a recall is at work on some block of a line.
    [[nodiscard]] bool is_busy(LineId line) const;

    // The SMs that may have a copy.
    [[nodiscard]] SmSet holders(BlockId block) const {
        SmSet out = sharers(block);
        if (entries_[block].owner != kNoSm)
            out.insert(entries_[block].owner);
        return out;
    }
    [[nodiscard]] bool is_owned(BlockId block) const {
        return entries_[block].owner != kNoSm;
    }
    [[nodiscard]] unsigned blocks() const { // of a line
        return blocks_;
    }
    // Requests and recalls that are at work; 0 when all is quiet.
    [[nodiscard]] std::size_t busy_blocks() const {
        return busy_.size() - free_busy_.size();
    }
    [[nodiscard]] CoherenceStats& stats() {
        return stats_;
    }

private:
    using BusyId = std::uint32_t;
    static constexpr BusyId kIdle = ~BusyId{0};
    static constexpr std::uint16_t kNoSm = 0xffff;

    struct Entry {
        BusyId busy = kIdle;
        std::uint16_t owner = kNoSm;
    };
    enum Kind : std::uint8_t { kRequests, kRecall };
    struct Waiting {
        Request request;
        Cycle since;
    };
    struct Busy {
        Kind kind = kRequests;
        bool probes = false; // for `current`
        std::uint32_t awaited = 0;
        Request current;
        RingQueue<Waiting> waiting;
    };

    [[nodiscard]] SmSet sharers(BlockId block) const {
        return SmSet(std::span(sharers_).subspan(std::size_t{block} * words_, words_));
    }
    void set_shares(BlockId block, unsigned sm, bool shares);
    void no_sharers(BlockId block);
    BusyId open(Kind kind);
    void close(BlockId block);
    Turn decide(BlockId block, const Request& request);
    Turn share(BlockId block, const Request& request);
    Turn own(BlockId block, const Request& request);
    void count_request(Message message);

    unsigned blocks_;
    unsigned words_;                     // of 64 SMs
    std::vector<Entry> entries_;         // by BlockId
    std::vector<std::uint64_t> sharers_; // words_ of them a block: bit i of word w stands for SM 64 w + i
    std::vector<Busy> busy_;
    std::vector<BusyId> free_busy_;
    CoherenceStats stats_;
};

} // namespace heddle::mem
