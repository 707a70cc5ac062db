// A request on its way through the hierarchy, and the pool that all of them live in.
#pragma once

#include <cassert>
#include <vector>

#include "base/source.h"
#include "mem/request.h"

namespace heddle::mem {

using TransactionId = std::uint32_t;

// Bits of a TransactionId. The rest of a word names a slice.
inline constexpr unsigned kTransactionBits = 22;

struct alignas(64) Transaction { // a line of the host's cache
    Request request;
    std::uint16_t sm = 0;
    std::uint16_t slice = 0;
    bool from_memory = false; // not found in the last-level cache
    Message grant = Message::None;
    // Core cycles in which it came to its slice, left it for memory, and had its answer there.
    Cycle arrived = 0, missed = 0, answered = 0;

    // Data in the packet that leaves for the SM.
    [[nodiscard]] unsigned answer_bytes() const {
        if (grant == Message::MayWrite)
            return 0;
        return request.use() == DramUse::Read ? request.bytes : request.use() == DramUse::Atomic ? request.carried : 0U;
    }
};

// The address within a slice of a copy of a line of a partition's slice has a mark above all bits of addresses.
[[nodiscard]] constexpr Address copy_mark(unsigned partition) {
    return Address{partition + 1} << 56;
}
[[nodiscard]] constexpr bool is_copy(Address in_slice) {
    return in_slice >> 56 != 0;
}

// The access of a transaction to the slice's cache.
[[nodiscard]] inline CacheAccess access_of(const Transaction& t) {
    return {.address = t.request.address,
            .pc = t.request.pc,
            .requester = t.sm,
            .kind = t.request.kind,
            .writes = t.request.use() != DramUse::Read};
}

class Transactions {
public:
    // Throws UserError when there are too many at once.
    TransactionId open(const Request& request, unsigned sm, unsigned slice) {
        if (free_.empty()) {
            if (all_.size() == kMost)
                throw UserError("more than 4194303 requests are between the SMs and the memory at once, which is more "
                                "than heddle can tell apart: smaller buffers or fewer threads make fewer");
            free_.push_back(static_cast<TransactionId>(all_.size()));
            all_.emplace_back();
        }
        const TransactionId id = free_.back();
        free_.pop_back();
        all_[id] = {
            request, static_cast<std::uint16_t>(sm), static_cast<std::uint16_t>(slice), false, Message::None, 0, 0, 0};
        return id;
    }
    void close(TransactionId id) {
        assert(all_[id].request.bytes != 0 && "each transaction ends once");
        all_[id].request.bytes = 0;
        free_.push_back(id);
    }
    [[nodiscard]] Transaction& operator[](TransactionId id) {
        return all_[id];
    }
    [[nodiscard]] std::size_t open_count() const {
        return all_.size() - free_.size();
    }

private:
    static constexpr std::size_t kMost = (std::size_t{1} << kTransactionBits) - 1;

    std::vector<Transaction> all_;
    std::vector<TransactionId> free_;
};

} // namespace heddle::mem
