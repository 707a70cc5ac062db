// Functional execution: the results of instructions, without timing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "check/event_log.h"
#include "exec/copy_arrival.h"
#include "exec/fault.h"
#include "exec/launch.h"
#include "exec/memory_image.h"
#include "exec/overruns.h"
#include "exec/row_state.h"
#include "ir/program.h"
#include "warp/group.h"

namespace heddle::exec {

// The addresses that one memory instruction of a group touched, for the timing side. Entries are compact: one for each
// thread with a true guard, parts in order, lanes ascending.
struct Access {
    bool store = false;
    bool atomic = false;
    std::uint8_t bytes = 0; // of each thread: element size times vector length
    bool ascends = false;   // addresses rise from entry to entry, or are all equal; false where this is not known
    std::uint16_t count = 0;
    // Bit masks of entries by the memory of their (resolved) address. Disjoint; parameters of functions and kernels are
    // in none.
    std::uint64_t global = 0, shared = 0, local = 0, constant = 0;
    std::uint64_t other_block = 0; // of `shared`: in another block of the cluster, whose rank is in `rank`
    // global and constant: device address; shared: offset in the block's window; local: offset in the thread's local
    // memory. (The entries behind kMaxWidth let exec write whole vectors.)
    alignas(64) std::array<Address, kMaxWidth + kVectorLanes> address;
    std::array<std::uint8_t, kMaxWidth + 8> lane; // home lane of the entry
    std::array<RowId, kMaxWidth> row;             // home row of the entry
    std::array<std::uint8_t, kMaxWidth> rank;     // by entry
    // For loads through a texture or surface object (ir::Kind::Texture), whose entries are in none of the masks: all
    // texels that threads read, `bytes` each. The texels of an entry are adjacent, the first at the entry's address.
    std::vector<Address> texels;
};

class Observer;

// When stores and atomics on global memory take effect.
enum class Effects : std::uint8_t {
    Immediate, // at execute(): the only SM
    Windowed,  // at apply_window(): one SM of several
};

// A call of printf.
struct Printed {
    Cycle at;
    std::string text;
};

// The functional side of one SM. Several may work on one image, all with Effects::Windowed. Then
//   - a load of global memory sees the image as it was when the window began, with the stores of this SM since then;
//   - a global atomic changes memory and writes its registers in apply_window(): until then its threads must execute
//     no global access, fence or barrier, and their rows get no new block;
//   - execute() only reads the image and touches nothing of another executor, so that between two apply_window()
//     executors may run in any order or on a thread each. Nothing else may change the image meanwhile.
class Executor {
public:
    // `sm`: the SM's number, %smid.
    explicit Executor(MemoryImage& image, std::uint32_t sm = 0, Effects effects = Effects::Immediate);
    ~Executor();

    // From now on logs there what its threads do, for the checker.
    void observe(check::EventLog& log);
    [[nodiscard]] Observer* observer() const; // null: nothing is checked

    // Binds handlers to the program's micro-ops from the first unbound one on. Call after each module is lowered.
    void bind(const ir::Program& program);
    // From now on the executor reads the tables of a program and a launch that `first`, another executor of the device,
    // has made: bind() and begin() of `first` are called before its own.
    void share_tables_of(const Executor& first);
    // Reasons why a kernel cannot be launched, a line each: opcodes that cannot execute yet and calls of functions
    // without a body, with their places. Empty when it can be launched.
    [[nodiscard]] std::string unsupported(const ir::Kernel& kernel) const;

    // Sizes frames, shared windows and local memory for a launch on this SM. Records that a fault has left in the
    // window's log are dropped.
    void begin(const Launch& launch);
    // Puts block `ctaid` into block slot `slot`, its threads into rows first_row, first_row + 1, ...: thread t (x
    // fastest) has row first_row + t / width and lane t % width, in a swizzled row (t % width) ^ 1.
    // Registers, predicates, shared and local memory are zeroed.
    void start_block(unsigned slot, Dim3 ctaid, RowId first_row);

    // Executes `op` (at `pc`) for the threads of `group`, now; fills `outcome`, and `access` when op touches memory
    // (access.count = 0 otherwise). Throws Fault. Within a window `now` never decreases.
    //
    // Synchronising operations: Barrier sets Outcome::Barrier with the waiting threads in `taken` (bar.arrive: none
    // waits) and changes nothing else. WarpSync executes at once when the group holds every live member of each
    // thread's mask, with this mask (Outcome::Next); else it sets Outcome::WarpSync and the core parks the threads
    // until rendezvous_complete() and then calls execute_rendezvous().
    void execute(const warp::Group& group, Cycle now, warp::Outcome& outcome, Access& access);
    // Whether prefetch() saves the host more time than it takes.
    [[nodiscard]] bool should_prefetch() const;
    // The row will execute the instruction at `pc` soon: its registers come into the host's caches.
    void prefetch(Pc pc, RowId row) const;

    // From now on execute() keeps the arrivals of copies in copy_arrivals(), and the caller performs them.
    void keep_copy_arrivals();
    [[nodiscard]] std::vector<CopyArrival>& copy_arrivals();

    // Threads of a row whose guard for `op` is true, among `lanes` (for packing by predicate).
    [[nodiscard]] LaneMask guard(Pc pc, RowId row, LaneMask lanes) const;

    // The operands of an arrival at a barrier, from the first thread of the group with a true guard (undefined without
    // such a thread). Throws Fault for a barrier that does not exist.
    static constexpr unsigned kBarriers = 16; // of a block
    struct BarrierUse {
        bool reduces;
        unsigned number;
        unsigned threads; // expected; 0: all live threads of the block
    };
    [[nodiscard]] BarrierUse barrier_use(const warp::Group& group) const;
    // bar.red: writes the result for all threads that waited at a barrier, each with the instruction at which it waits:
    // threads may reach the barrier by different instructions. Threads at a plain bar.sync are not counted and get no
    // result.
    void execute_barrier_reduction(std::span<const warp::Waiting> waiting);

    // Warp-sync rendezvous: threads (row, lanes) parked at `pc`. True when for every parked thread the
    // live members of its mask, which are threads of its PTX warp, are parked at this pc with the same mask; where a
    // warpgroup meets, all live threads of the warpgroup.
    [[nodiscard]] bool rendezvous_complete(Pc pc, std::span<const warp::Part> parked) const;
    void execute_rendezvous(Pc pc, std::span<const warp::Part> parked);
    // Threads of a PTX warp with one member mask meet wherever they execute bar.warp.sync, shfl.sync, vote.sync,
    // match.sync, redux.sync or elect.sync with the same qualifiers (PTX ISA). can_meet(): whether two instructions are
    // of this kind. meet_by_mask(): `waiting` are threads of one warp at such instructions. True when the live members
    // of a mask that one of them has wait with this mask: they have met, and `waiting` has no others any more.
    [[nodiscard]] bool can_meet(Pc a, Pc b) const;
    [[nodiscard]] bool meet_by_mask(std::vector<warp::Waiting>& waiting);
    // The member masks of threads that wait at such instructions; empty: they wait at others.
    [[nodiscard]] std::set<std::uint32_t> member_masks(std::span<const warp::Waiting> waiting) const;
    // Consecutive PTX warps whose threads meet at `pc`: 1, or the 4 of a warpgroup.
    [[nodiscard]] unsigned warps_that_meet(Pc pc) const;

    // The home rows of the SM; valid until the next begin().
    [[nodiscard]] std::span<const RowState> rows() const;
    // The threads of a row that have not exited.
    [[nodiscard]] LaneMask live(RowId row) const;
    // "block (1,0,0) thread (33,0,0)" of a thread, for messages.
    [[nodiscard]] std::string describe_thread(RowId row, unsigned lane) const;
    // The cluster of the block in a slot; null: the launch has no clusters. Valid until all threads of the cluster have
    // exited.
    [[nodiscard]] Cluster* cluster(unsigned slot) const;
    [[nodiscard]] ClusterTable* clusters() const; // of the launch; null: it has none
    [[nodiscard]] unsigned sm() const;            // the SM's number
    // Block slot of a row.
    [[nodiscard]] unsigned block_slot(RowId row) const;
    // Registers and predicates of lanes 32 * half and up of a row, laid out as ir/micro_op.h and exec/frame.h say:
    // for traces and tests. Valid until the next begin(). With Launch::keeps_lines_whole the results of a straight line
    // are there once its first operation has executed.
    [[nodiscard]] std::span<std::byte> frame(RowId row, unsigned half = 0);
    [[nodiscard]] unsigned halves() const; // of a row

    // The output of threads since the last call, in order.
    [[nodiscard]] std::vector<Printed> take_printed();

    // The accesses since the last call that have passed though no allocation holds them, by PC.
    [[nodiscard]] std::vector<Overrun> take_overruns();

    struct Impl;

private:
    friend void apply_window(std::span<Executor* const> sms);

    std::unique_ptr<Impl> impl_;
};

// The end of a window: the stores and atomics of the SMs (`sms` in order of their numbers) since the last window take
// effect, in the order of cycle, SM, execution and lane. Every SM of the device must have reached the window's end.
// Call it before blocks start and before any other access to the image.
void apply_window(std::span<Executor* const> sms);

} // namespace heddle::exec
