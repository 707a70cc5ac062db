// The partitions of a last level whose slices are not equally far from an SM ([l2]). Each slice and each SM belongs to
// one. An answer from a slice of another partition comes `far_latency` cycles later.
//
// With copies (l2.copies) a read of an SM goes to a slice of its own partition, which stands for the line's own slice:
//
//   copy       is there: that slice answers, as it does for a line of its own
//   no copy    the request goes on to the line's own slice at once. The answer is in the SM's partition `far_latency`
//              cycles later, leaves a copy there, and goes on to the SM
//   write      or an atomic operation: goes to the line's own slice and takes the copies of its line away, after
//              `far_latency` cycles, too
//
// Copies lie in the cache of their slice, among its own lines, and are replaced as these are. (Fan et al., "Dissecting
// How Die Scaling Breaks GPU Fine-grained Scheduling": data of the other partition are copied into the near one, where
// they compete for room.) What is between the partitions has no bound of its own: none is published.
#pragma once

#include <cstdint>
#include <vector>

#include "mem/network/gpc_config.h"
#include "mem/system/llc_config.h"
#include "mem/system/transaction.h"

namespace heddle::mem {

class Partitions {
public:
    // With [gpc] the SMs of a GPC are in one partition, GPCs in turn; else neighbouring SMs are.
    Partitions(const L2Config& config, const LlcConfig& llc, const GpcConfig& gpcs, unsigned sms)
        : slices_each_(static_cast<unsigned>(llc.slices / config.partitions)),
          partitions_(static_cast<unsigned>(config.partitions)),
          far_latency_(config.partitions > 1 ? config.far_latency : 0),
          has_copies_(far_latency_ != 0 && config.copies) {
        const std::vector<std::uint16_t> gpc_of = gpcs.any() ? gpcs.gpc_of_sm() : std::vector<std::uint16_t>();
        for (unsigned sm = 0; sm < sms; ++sm)
            of_sm_.push_back(
                static_cast<unsigned>((gpc_of.empty() ? sm / config.partition_sms : gpc_of[sm]) % config.partitions));
    }

    // Whether any answer comes later than others.
    [[nodiscard]] bool any() const {
        return far_latency_ != 0;
    }
    [[nodiscard]] bool has_copies() const {
        return has_copies_;
    }
    [[nodiscard]] Cycle far_latency() const {
        return far_latency_;
    }
    [[nodiscard]] bool is_far(unsigned sm, unsigned slice) const {
        return of_sm_[sm] != partition_of(slice);
    }
    // Whether a request is a read of a line whose own slice, the one that it is at, is in another partition than its
    // SM, and that leaves a copy.
    [[nodiscard]] bool leaves_copy(const Transaction& t) const {
        return has_copies_ && t.request.use() == DramUse::Read && is_far(t.sm, t.slice);
    }
    // The slice of an SM's partition that stands for the slice of a line.
    [[nodiscard]] unsigned near_slice(unsigned sm, unsigned slice) const {
        return of_sm_[sm] * slices_each_ + slice % slices_each_;
    }
    // What tells the copies of lines of a slice from other lines, in the slice that stands for it.
    [[nodiscard]] Address mark_of(unsigned slice) const {
        return copy_mark(partition_of(slice));
    }
    // Calls f(slice) for the slices of other partitions that may have copies of lines of a slice.
    template <class F>
    void for_each_stand_in(unsigned slice, F&& f) const {
        for (unsigned partition = 0; partition < partitions_; ++partition)
            if (partition != partition_of(slice))
                f(partition * slices_each_ + slice % slices_each_);
    }

private:
    [[nodiscard]] unsigned partition_of(unsigned slice) const {
        return slice / slices_each_;
    }

    unsigned slices_each_;
    unsigned partitions_;
    Cycle far_latency_; // core cycles; 0: all slices are equally far
    bool has_copies_;
    std::vector<unsigned> of_sm_;
};

} // namespace heddle::mem
