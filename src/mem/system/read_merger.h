// Reads of SMs of one GPC that are for the same sectors go to the last level once: Nsight Compute's "L2 request
// coalescer", which merges reads before they are sent to the L2. The first read leads, and its answer goes to the SMs
// of those that have joined it, too.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "mem/system/transaction.h"

namespace heddle::mem {

class ReadMerger {
public:
    // A read that has joined another one, at the network in cycle `at`.
    struct Follower {
        Request request;
        unsigned sm;
        Cycle at;
    };

    // `gpc_of_sm`: by SM; empty: nothing is merged.
    explicit ReadMerger(std::vector<std::uint16_t> gpc_of_sm) : gpc_of_sm_(std::move(gpc_of_sm)) {
        if (!gpc_of_sm_.empty())
            leaders_.resize(std::size_t{1} + *std::max_element(gpc_of_sm_.begin(), gpc_of_sm_.end()), no_leaders());
    }

    [[nodiscard]] bool is_on() const {
        return !gpc_of_sm_.empty();
    }
    [[nodiscard]] static bool merges(const Request& request) {
        return request.use() == DramUse::Read && request.requester <= Requester::Instruction;
    }
    // A read of an SM joins one for the same sectors that is on its way. False: there is none.
    [[nodiscard]] bool join(const Request& request, unsigned sm, Cycle at) {
        const Address key = key_of(request);
        for (TransactionId id = first_of(sm, key); id != kNone; id = reads_[id].next)
            if (reads_[id].key == key) {
                reads_[id].followers.push_back({request, sm, at});
                return true;
            }
        return false;
    }
    // A read that has joined none leads from now on. (Its address in the transaction changes on its way.)
    void lead(const Request& request, unsigned sm, TransactionId id) {
        if (id >= reads_.size())
            reads_.resize(std::size_t{id} + 1);
        const Address key = key_of(request);
        reads_[id].key = key;
        reads_[id].next = std::exchange(first_of(sm, key), id);
    }
    // The answer of a read of an SM is there. Calls visit(follower) for those that have joined it, which must not
    // change what is merged.
    template <class Visit>
    void end(TransactionId id, unsigned sm, Visit visit) {
        Read& read = reads_[id];
        TransactionId* link = &first_of(sm, read.key);
        while (*link != id)
            link = &reads_[*link].next;
        *link = read.next;
        for (const Follower& follower : read.followers)
            visit(follower);
        read.followers.clear(); // the next transaction with this number uses their place
    }
    // An answer that is there before its request has come to the network, in cycle `at`.
    void keep(Cycle at, const Transaction& answer) {
        kept_.emplace(at, answer);
    }
    [[nodiscard]] std::size_t kept() const {
        return kept_.size();
    }
    [[nodiscard]] Cycle next_kept() const {
        return kept_.empty() ? kNever : kept_.begin()->first;
    }
    // Of the least cycle; there is one.
    [[nodiscard]] Transaction take_kept() {
        const Transaction out = kept_.begin()->second;
        kept_.erase(kept_.begin());
        return out;
    }

private:
    static constexpr TransactionId kNone = ~TransactionId{0};
    static constexpr unsigned kListBits = 9;                                // a GPC has some hundred reads on their way
    using Leaders = std::array<TransactionId, std::size_t{1} << kListBits>; // the first of each list

    [[nodiscard]] static Leaders no_leaders() {
        Leaders out;
        out.fill(kNone);
        return out;
    }
    // The list of the reads of an SM's GPC that a key may be in.
    [[nodiscard]] TransactionId& first_of(unsigned sm, Address key) {
        return leaders_[gpc_of_sm_[sm]][(key * 0x9e3779b97f4a7c15U) >> (64 - kListBits)];
    }
    // What equal reads have in common: the address with its sectors, and the bytes.
    [[nodiscard]] static Address key_of(const Request& request) {
        return request.address | Address{request.bytes} << 48;
    }
    struct Read {
        Address key = 0;
        TransactionId next = kNone; // in its list
        std::vector<Follower> followers;
    };
    std::vector<std::uint16_t> gpc_of_sm_;
    std::vector<Leaders> leaders_; // by GPC
    std::vector<Read> reads_;      // by transaction: those that lead
    std::multimap<Cycle, Transaction> kept_;
};

} // namespace heddle::mem
