// The stores and atomics of one SM of several on global memory in a window, kept until the window's end.
//
// SMs are simulated a window of cycles at a time, in any order. No result may depend on this order, so the memory image
// is not written while a window runs: an SM keeps its stores and global atomics in its log, and its loads see its own
// stores over the image. At the window's end the logs of all SMs are applied in the order (cycle, SM, record, lane),
// and atomics read, modify and write the image there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "exec/lane_move.h"
#include "exec/memory_image.h"
#include "ir/micro_op.h"

namespace heddle::exec {

// An access of the lanes of a frame, or of up to as many threads of several frames, to global memory: lane i accesses
// the `bytes` bytes at the device address address[i].
struct GlobalRow {
    // The value of `allocation` where the lanes lie in several allocations.
    static constexpr Address kSeveral = 0;

    const Address* address;        // kVectorLanes of them, those outside the mask arbitrary
    std::uint32_t mask;            // not 0
    std::uint8_t bytes;            // a power of two up to kMaxBytes; the addresses are multiples of it
    bool consecutive = false;      // lane i is at (lane 0's address) + i * bytes
    bool uniform = false;          // all at one address
    Address allocation = kSeveral; // begin of the allocation that holds all lanes

    static constexpr unsigned kMaxBytes = 32;
};

class WindowLog {
public:
    explicit WindowLog(MemoryImage& image) : image_(&image) {}

    // Enters a store of cycle `now` (not less than the cycle of the record before). Returns room for the data, which
    // the caller fills before the next call: lane i's at i * row.bytes; lanes outside the mask may hold any value.
    [[nodiscard]] std::byte* store(Cycle now, const GlobalRow& row);
    // Enters an atomic, which `move` executes on `frame` when the log is applied. Its operands are read now: the
    // program may overwrite their registers before that. `op` and `frame` must live until the log is applied.
    void atomic(Cycle now, const GlobalRow& row, const ir::MicroOp& op, LaneMove move, std::byte* frame,
                const std::byte* pool);

    // The lanes of the row whose bytes a store in the log may have changed: a superset of the changed lanes.
    [[nodiscard]] std::uint32_t perhaps_stored(const GlobalRow& row) const {
        return stored_to(row.allocation) ? lanes_in_granules(row) : 0;
    }
    // The values that `lanes` of the row load with the stores of the log applied: lane i's bytes at data + i *
    // row.bytes.
    void read(const GlobalRow& row, std::uint32_t lanes, std::byte* data) const;

    [[nodiscard]] bool empty() const {
        return records_.empty();
    }
    void clear();

    // Applies and clears logs, linked through `next` in SM order; none of them is empty.
    static void apply(WindowLog* first);
    WindowLog* next = nullptr;

private:
    struct Record {
        Cycle cycle;
        Address low, high; // a store writes within [low, high); low: lane 0's address when consecutive
        std::size_t at;    // in bytes_: addresses by lane unless consecutive, then data or operands by lane
        std::uint32_t mask;
        std::uint8_t bytes;
        bool consecutive;
        // Atomics; else null
        LaneMove move;
        const ir::MicroOp* op;
        std::byte* frame;
    };

    // A filter over the stores: one bit for (many) granules, wide enough that no access straddles two.
    static constexpr unsigned kGranuleShift = 5;
    static constexpr unsigned kFilterBits = 4096;
    static_assert(GlobalRow::kMaxBytes <= 1U << kGranuleShift);
    // Higher address bits count too; otherwise the rows of a matrix whose pitch is a power of two would share bits.
    [[nodiscard]] static unsigned filter_bit(Address granule) {
        return static_cast<unsigned>(granule ^ (granule >> 12)) % kFilterBits;
    }
    [[nodiscard]] bool in_filter(Address granule) const {
        const unsigned bit = filter_bit(granule);
        return ((filter_[bit / 64] >> (bit % 64)) & 1) != 0;
    }
    void put_in_filter(Address granule) {
        const unsigned bit = filter_bit(granule);
        filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    [[nodiscard]] std::uint32_t lanes_in_granules(const GlobalRow& row) const;

    [[nodiscard]] bool stored_to(Address allocation) const {
        if (allocation == GlobalRow::kSeveral || stored_anywhere_)
            return stored_anywhere_ || allocations_ != 0;
        for (unsigned i = 0; i < allocations_; ++i)
            if (allocation_[i] == allocation)
                return true;
        return false;
    }
    void note_allocation(Address allocation);

    [[nodiscard]] std::size_t room(std::size_t bytes);
    template <std::size_t kBytes>
    void read_lanes(const Address* address, std::uint32_t lanes, std::byte* data) const;
    template <class F>
    void for_each_run(const Record& record, F&& f) const;
    void apply(const Record& record) const;
    // Applies the records of a cycle. Returns the cycle of the next record, kNever when there is none.
    Cycle apply_cycle(Cycle cycle);

    MemoryImage* image_;
    std::vector<Record> records_;
    std::size_t applied_ = 0;      // records, while the logs are being applied
    std::vector<std::byte> bytes_; // never shrinks; the first used_ bytes are in use
    std::size_t used_ = 0;

    // Allocations with stores. When there are more than fit, every allocation counts as stored to.
    std::array<Address, 4> allocation_{};
    unsigned allocations_ = 0;
    bool stored_anywhere_ = false;
    std::array<std::uint64_t, kFilterBits / 64> filter_{};
};

} // namespace heddle::exec
