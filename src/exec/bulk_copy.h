// Bulk copies (cp.async.bulk, cp.async.bulk.tensor, cp.reduce.async.bulk): bytes, or boxes of tensors, between global
// memory and the shared memory of a cluster. A micro-op copies at once, which PTX allows.
//
// A load is one micro-op, which touches all lines of its source. A store, or a reduction, is a sequence of pieces of
// ir::bulk::kPiece bytes of shared memory, a micro-op each. The address unit takes kMaxWidth entries of a micro-op;
// where so many threads execute a piece together that it has more, the time of the others is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/executor.h"
#include "exec/fault_report.h"
#include "exec/global_bytes.h"
#include "exec/global_memory.h"
#include "exec/launch_state.h"
#include "exec/overruns.h"
#include "exec/tensor_map.h"

namespace heddle::exec {

class BulkCopies {
public:
    BulkCopies(const LaunchState& state, GlobalMemory& global, const FaultReporter& faults)
        : state_(state), global_(global), faults_(faults) {}

    // Kind::Texture: to shared memory, from global or shared memory. Throws Fault.
    void load(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome, Access& access);
    // Kind::Surface, Kind::Atomic: a piece from shared to global memory. Throws Fault.
    void store(const warp::Group& group, const ir::MicroOp& op, Cycle now, warp::Outcome& outcome, Access& access);
    // The accesses of the launch that have passed though no allocation holds them.
    [[nodiscard]] std::vector<Overrun> take_overruns() {
        return overruns_.take();
    }
    // Kind::Special: the bytes of a box of a tensor. Throws Fault.
    void box_bytes(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

private:
    struct Thread { // that executes a micro-op
        const ir::MicroOp& op;
        Pc pc;
        const Segment& s;
        unsigned i; // lane of the segment
    };

    template <class T>
    [[nodiscard]] T value(const Thread& t, unsigned source) const;
    [[noreturn]] void fault(const Thread& t, Fault::Kind kind, const std::string& what) const;
    [[nodiscard]] TensorMap map_of(const Thread& t) const;
    [[nodiscard]] TensorRows rows_of(const Thread& t, const TensorMap& map) const;
    // The bytes at an address of shared memory, of the thread's block or of another one.
    [[nodiscard]] std::byte* shared(const Thread& t, Address address, std::uint64_t bytes) const;
    // The begin of the shared memory of a block of the cluster.
    [[nodiscard]] std::byte* memory_of(const Thread& t, unsigned rank) const;
    void check_alignment(const Thread& t, Address address, unsigned alignment) const;
    // A range of global memory. Overruns that a GPU lets pass are kept; other errors throw Fault. True: an allocation
    // holds the range.
    bool check_global(const Thread& t, Address address, std::uint32_t bytes, bool writes);
    [[nodiscard]] bool is_in_used_pages(Address address, std::uint32_t bytes, bool writes) const;
    // Log an access for the checker, where there is one. `address`: as the instruction has it; `value`: what is
    // written, where it is known.
    void observe_global(const Thread& t, check::How how, Address address, std::uint64_t bytes,
                        const std::byte* value = nullptr) const;
    void observe_shared(const Thread& t, check::How how, Address address, std::uint64_t bytes,
                        const std::byte* value = nullptr) const;

    // Fill data_, in the order without swizzle, and enter what they read. Return the swizzle.
    Swizzle load_bytes(const Thread& t, Access& access);
    Swizzle load_box(const Thread& t, Access& access);
    void deliver(const Thread& t, Swizzle swizzle);
    void store_bytes(const Thread& t, Access& access);
    void store_box(const Thread& t, Access& access);
    // `type`: of the elements, for a reduction.
    void store_run(const Thread& t, ir::Type type, Address address, std::uint32_t bytes, const std::byte* from,
                   Access& access);
    // The reduction of a micro-op on elements of a type. Throws Fault where there is none.
    const ir::MicroOp& reduction_of(const Thread& t, ir::Type type);

    const LaunchState& state_;
    GlobalMemory& global_;
    const FaultReporter& faults_;
    GlobalBytes bytes_{global_};
    Reductions reductions_;
    Overruns overruns_;
    std::vector<std::byte> data_; // of one copy
};

} // namespace heddle::exec
