// The partitions of a last level whose slices are not equally far from an SM ([l2]). Each slice and each SM belongs to
// one. An answer from a slice of another partition comes `far_latency` cycles later, unless the SM's own partition has
// a copy of the line. A read leaves a copy; a write or an atomic operation takes the copies of its line away. Copies
// are tags alone: they have a room of their own and take none from the slices, and the network carries the answer from
// the line's own slice in any case.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mem/system/llc_config.h"
#include "mem/system/transaction.h"

namespace heddle::mem {

class Partitions {
public:
    Partitions(const L2Config& config, const LlcConfig& llc)
        : partitions_(config.partitions), sms_in_turn_(config.partition_sms), slices_(llc.slices), line_(llc.line),
          far_latency_(config.partitions > 1 ? config.far_latency : 0),
          sets_(far_latency_ == 0 ? 0 : config.copies / llc.line / kWays),
          copies_(sets_ * kWays * config.partitions, kNone) {}

    // Whether any answer comes later than others.
    [[nodiscard]] bool any() const {
        return far_latency_ != 0;
    }
    // Cycles by which the answer of a request comes later.
    [[nodiscard]] Cycle extra(const Transaction& t) {
        const std::uint64_t at = t.sm / sms_in_turn_ % partitions_;
        if (at == t.slice * partitions_ / slices_)
            return 0;
        const bool reads = t.request.use() == DramUse::Read;
        return reads && has_copy(at, line_of(t.slice, t.request.address)) ? 0 : far_latency_;
    }
    // A request has come to its slice. When it writes the line, the copies of all partitions go.
    void arrived(const Transaction& t) {
        if (sets_ == 0 || t.request.use() == DramUse::Read)
            return;
        const std::uint64_t line = line_of(t.slice, t.request.address);
        for (std::uint64_t partition = 0; partition < partitions_; ++partition)
            std::replace(set(partition, line), set(partition, line) + kWays, line, kNone);
    }

private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    static constexpr std::uint64_t kWays = L2Config::kCopyWays;

    // `address`: within the slice, as that of a request which has come there.
    [[nodiscard]] std::uint64_t line_of(unsigned slice, Address address) const {
        return address / line_ * slices_ + slice;
    }
    // The copies of a set, the one that was read last first.
    [[nodiscard]] std::vector<std::uint64_t>::iterator set(std::uint64_t partition, std::uint64_t line) {
        return copies_.begin() + static_cast<std::ptrdiff_t>((partition * sets_ + line % sets_) * kWays);
    }
    // Afterwards there is one; that which was not read for longest makes room.
    bool has_copy(std::uint64_t partition, std::uint64_t line) {
        if (sets_ == 0)
            return false;
        const auto begin = set(partition, line);
        const auto found = std::find(begin, begin + kWays, line);
        const bool there = found != begin + kWays;
        std::rotate(begin, there ? found : begin + kWays - 1, there ? found + 1 : begin + kWays);
        *begin = line;
        return there;
    }

    std::uint64_t partitions_, sms_in_turn_, slices_, line_;
    Cycle far_latency_; // core cycles; 0: all slices are equally far
    std::uint64_t sets_;
    std::vector<std::uint64_t> copies_; // lines, by partition and set
};

} // namespace heddle::mem
