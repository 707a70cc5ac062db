// The products of warpgroups (wgmma) that are on their way in the tensor units of an SM. A warp issues its part of a
// product, eight columns in an instruction, and goes on; it waits where the program waits for groups of products
// (wgmma.wait_group).
//
//   unit     each part takes the tensor unit of its sub-core for its interval, in the order of issue
//   shared   the factors in shared memory come at a number of bytes a cycle for the whole SM, ahead of the units: A
//            once for each product, B once for the four warps. A part does not begin before its bytes have come; the
//            time of a product's A is within the published tail
//   tail     the results are there some cycles behind the last part: once for all products of a chain
//
// So a product of many takes max(multiply-adds / rate, bytes / bytes a cycle), as measured by Luo et al. (arXiv
// 2501.12084).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "sm/sub_core/tensor_config.h"

namespace heddle::sm {

// A warp's share of eight columns of a product.
struct ProductPart {
    std::uint32_t a_bytes = 0; // of the warp's rows of A, if in shared memory: they come with the first part
    std::uint32_t b_bytes = 0; // a quarter of B's eight columns
    bool first = false;        // of its warp's share of the product
    bool a_in_registers = false;
};
[[nodiscard]] ProductPart part_of(const ir::Matrix& matrix);

class WarpgroupProducts {
public:
    WarpgroupProducts(const WarpgroupConfig& config, unsigned sub_cores, unsigned warps)
        : config_(config), next_of_registers_(sub_cores, 0), warps_(warps) {}

    // Starts a kernel: nothing is on its way.
    void begin() {
        std::fill(warps_.begin(), warps_.end(), Warp{});
    }
    // A part issues at `now`. Returns the first cycle in which the unit of its sub-core may begin it.
    [[nodiscard]] Cycle ready(const ProductPart& part, unsigned sub_core, Cycle now);
    // The unit of a sub-core begins a warp's part at `start`; its results are there `latency` later.
    void begun(UnitId warp, const ProductPart& part, unsigned sub_core, Cycle start, Cycle latency);
    // The products of the warp since the last call are a group.
    void commit(UnitId warp);
    // The first cycle in which at most `groups` groups of the warp are on their way.
    [[nodiscard]] Cycle done(UnitId warp, unsigned groups) const {
        const Warp& w = warps_[warp];
        return groups < kGroups && groups < w.groups ? w.ends[(w.groups - 1 - groups) % kGroups] : 0;
    }

private:
    static constexpr unsigned kGroups = 8; // of a warp that are told apart; earlier ones count as done

    struct Warp {
        Cycle end = 0; // of the products that are in no group yet, or of the last group
        std::uint64_t groups = 0;
        std::array<Cycle, kGroups> ends{}; // of group g: g mod kGroups. In the order of time
    };

    const WarpgroupConfig config_;
    std::uint64_t bytes_end_ = 0;          // the cycle in which all bytes so far have come, times bytes a cycle
    std::vector<Cycle> next_of_registers_; // by sub-core: the first cycle for a product with A in registers
    std::vector<Warp> warps_;
};

} // namespace heddle::sm
