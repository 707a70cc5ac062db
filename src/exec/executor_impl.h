// The state of an Executor, shared by the files of this folder that each execute one kind of instruction.
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include <hwy/aligned_allocator.h>

#include "exec/executor.h"
#include "exec/frame.h"
#include "exec/lane_move.h"
#include "exec/matrix_positions.h"
#include "exec/row_vector.h"
#include "exec/vector_ops.h"
#include "exec/window_log.h"

namespace heddle::exec {

// The properties of a micro-op that bind() computes once.
struct Bound {
    VectorOp vector = nullptr;         // Alu
    LaneMove move = nullptr;           // Load, Store, Atomic
    ThreadMove move_threads = nullptr; // Load, Store
    std::uint8_t bytes = 0;            // that each thread accesses: element size times vector length
    std::uint8_t direct = 0; // 4 or 8: one element, the same width in memory and register: whole-row copies do
    bool wide_base = true;   // the base address register has 64 bits
    bool executable = false;
};

[[nodiscard]] Bound bind_op(const ir::MicroOp& op);

// The range that the last access of a micro-op lay in, an allocation or a window: addresses with address - begin <=
// span are valid for it, and lie in `space`. Empty (`space` is Generic) at each launch.
struct LastRange {
    ir::Space space = ir::Space::Generic;
    Address begin = 0;
    Address span = 0;
};

// The lanes of one frame that take part in an instruction.
struct Segment {
    std::byte* frame;
    std::uint32_t mask; // guard included, not 0
    RowId row;
    std::uint16_t half; // 1: lanes 32 to 63 of the row
    std::uint16_t part; // index in the group

    [[nodiscard]] unsigned lane(unsigned i) const { // home lane of the frame's lane i
        return half * kVectorLanes + i;
    }
};

// Counts threads of several rows. Threads of different lanes are counted at once: most groups have no two threads of
// one lane.
class ThreadCount {
public:
    void add(LaneMask lanes) {
        if ((lanes_ & lanes) != 0) {
            counted_ += count_lanes(lanes_);
            lanes_ = 0;
        }
        lanes_ |= lanes;
    }
    [[nodiscard]] unsigned total() const {
        return counted_ + count_lanes(lanes_);
    }

private:
    LaneMask lanes_ = 0;
    unsigned counted_ = 0;
};

// The memory behind a thread's address.
struct Target {
    ir::Space space = ir::Space::Generic; // Generic: the access is not allowed
    Address begin = 0;                    // the allocation's or window's first address, in the space of the access
    Address span = 0;                     // the last valid address behind it
    std::uint64_t host = 0;
};

struct ReturnAddress {
    Pc pc;
    std::uint32_t call; // index in Program::calls
};

struct CallStack {
    std::vector<ReturnAddress> frames;
    std::vector<std::byte> saved; // registers and memory saved by recursive calls
};

struct RowState {
    LaneMask live = 0;
    std::uint32_t first_thread = 0; // linear index in the block
    std::uint16_t slot = 0;
    std::uint16_t first_row = 0; // of the block
    bool swizzled = false;       // thread t of the row has lane t ^ 1
};

// Memory that launches reuse; zero when it is new. start_block() zeroes the part of a block.
class Storage {
public:
    // Makes room for so many bytes; their contents are arbitrary.
    void hold(std::size_t bytes);
    [[nodiscard]] std::byte* get() const {
        return data_.get();
    }

private:
    hwy::AlignedFreeUniquePtr<std::byte[]> data_;
    std::size_t size_ = 0;
};

// Tables that the executors of a device read alike and that do not change during a launch. The first executor makes
// them, so the host's caches hold them once.
struct LaunchTables {
    std::vector<Bound> bound;                                     // by Pc
    std::vector<MatrixPositions> matrices;                        // by index in Program::matrices
    hwy::AlignedFreeUniquePtr<std::byte[]> pool_copy, parameters; // of the kernel
    std::vector<std::uint32_t> threads;                           // tables of special_registers.cpp
    std::size_t threads_length = 0;                               // of one
};

struct Executor::Impl {
    Impl(const Executor& self, MemoryImage& memory, std::uint32_t number, Effects effects)
        : owner(&self), image(memory), sm(number), windowed(effects == Effects::Windowed), log(memory) {}

    const Executor* owner;

    MemoryImage& image;
    const std::uint32_t sm;
    const bool windowed;
    WindowLog log;
    Cycle now = 0; // of the memory instruction being executed
    const RowVectorOps& rowops = row_vector_ops();

    // Bound programs
    const ir::Program* program = nullptr;
    std::shared_ptr<LaunchTables> tables = std::make_shared<LaunchTables>();
    bool follows = false; // another executor has worked them out
    const Bound* bound = nullptr;
    std::vector<LastRange> ranges; // by Pc

    // Of the launch
    Launch launch;
    const ir::MicroOp* ops = nullptr;
    const std::byte* pool = nullptr;
    unsigned halves = 1; // frames of a row
    std::size_t stride = 0;
    Frames operands{}; // addresses of the frames
    std::size_t shared_stride = 0;
    std::size_t local_stride = 0;
    std::uint32_t shared_bytes = 0;
    Storage frames, shared, local;
    std::vector<RowState> rows;
    std::vector<Dim3> ctaid;       // by block slot
    std::vector<CallStack> stacks; // by row * width + lane

    [[nodiscard]] std::byte* frame(RowId row, unsigned half) const {
        return frames.get() + (std::size_t{row} * halves + half) * stride;
    }
    [[nodiscard]] std::byte* shared_of(RowId row) const {
        return shared.get() + kRowSlack + rows[row].slot * shared_stride;
    }
    [[nodiscard]] std::byte* local_of(RowId row, unsigned lane) const {
        return local.get() + kRowSlack + (std::size_t{row} * launch.width + lane) * local_stride;
    }
    [[nodiscard]] std::byte* parameter_block() const {
        return tables->parameters.get() + kRowSlack;
    }
    [[nodiscard]] CallStack& stack_of(RowId row, unsigned lane) {
        return stacks[std::size_t{row} * launch.width + lane];
    }
    [[nodiscard]] std::uint32_t thread_of(RowId row, unsigned lane) const {
        return rows[row].first_thread + (lane ^ static_cast<unsigned>(rows[row].swizzled));
    }
    // The lowest thread in the frame of a segment.
    [[nodiscard]] std::uint32_t first_thread(const Segment& s) const {
        return rows[s.row].first_thread + s.lane(0);
    }

    // Accessible bytes around memory that row copies read: a copy reads a whole row and drops the lanes outside the
    // mask.
    static constexpr std::size_t kRowSlack = 256;

    [[nodiscard]] std::uint32_t guard_bits(const ir::MicroOp& op, const std::byte* at) const {
        if (op.guard == ir::kNowhere)
            return ~0U;
        std::uint32_t bits;
        std::memcpy(&bits, source(op.guard, at, pool), sizeof bits);
        return op.guard_negated ? ~bits : bits;
    }
    [[nodiscard]] std::uint32_t predicate_bits(ir::Place place, const std::byte* at) const {
        std::uint32_t bits;
        std::memcpy(&bits, source(place, at, pool), sizeof bits);
        return bits;
    }
    static void write_predicate(std::byte* at, ir::Place place, std::uint32_t value, std::uint32_t mask) {
        if (place == ir::kNowhere)
            return;
        std::uint32_t old;
        std::memcpy(&old, at + place, sizeof old);
        old = (old & ~mask) | (value & mask);
        std::memcpy(at + place, &old, sizeof old);
    }

    // Calls f(Segment) for each frame of the parts with a thread whose guard is true. Returns the number of threads.
    template <class F>
    unsigned for_each_segment(std::span<const warp::Part> parts, const ir::MicroOp& op, F&& f) const {
        ThreadCount executed;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const warp::Part& part = parts[p];
            for (unsigned half = 0; half < halves; ++half) {
                const auto lanes = static_cast<std::uint32_t>(part.lanes >> (half * kVectorLanes));
                std::byte* at = frame(part.row, half);
                const std::uint32_t mask = lanes == 0 ? 0 : lanes & guard_bits(op, at);
                if (mask == 0)
                    continue;
                executed.add(LaneMask{mask} << (half * kVectorLanes));
                f(Segment{at, mask, part.row, static_cast<std::uint16_t>(half), static_cast<std::uint16_t>(p)});
            }
        }
        return executed.total();
    }
    [[nodiscard]] static std::span<const warp::Part> parts_of(const warp::Group& group) {
        return {group.part.data(), group.parts};
    }
    // Sets outcome.taken of the parts in use to the threads whose guard is true.
    void take_by_guard(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

    // executor.cpp
    void compute(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    // compute() for threads with false guards, and for rows of two frames.
    void compute_under_guard(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);

    // launch.cpp
    void begin(const Launch& what);
    void make_tables();
    void start_block(unsigned slot, Dim3 where, RowId first_row);

    // control.cpp
    void branch(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    void call(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    void ret(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    void exit(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    void trap(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;
    void mark_divergence(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    void push_call(const ir::Call& site, std::uint32_t index, Pc pc, const Segment& segment, unsigned i);
    void pop_call(const Segment& segment, unsigned i);
    [[nodiscard]] bool in_function(const warp::Group& group);

    // load_store.cpp
    void memory(const warp::Group& group, const ir::MicroOp& op, Cycle at, warp::Outcome& outcome, Access& access);
    void access_segment(const ir::MicroOp& op, Pc pc, const Segment& segment, Access& access);
    void access_mixed(const ir::MicroOp& op, Pc pc, const Segment& segment, Address* address, Access& access);
    void move(const ir::MicroOp& op, const Bound& b, const Segment& s, const HostRow& host,
              const AddressScan& scan) const;
    [[nodiscard]] bool one_range(const ir::MicroOp& op, const Bound& b, const Segment& s, const Address* address,
                                 LastRange& range) const;
    [[nodiscard]] Target resolve(const ir::MicroOp& op, const Segment& s, unsigned i, unsigned bytes,
                                 Address address) const;
    [[nodiscard]] std::uint32_t declared_local(std::uint32_t mask, const Address* address) const;
    // The bits of the entries in a space with timing.
    [[nodiscard]] static std::uint64_t& entries_in(ir::Space space, Access& access) {
        switch (space) {
        case ir::Space::Shared:
            return access.shared;
        case ir::Space::Local:
            return access.local;
        case ir::Space::Const:
            return access.constant;
        default:
            return access.global;
        }
    }

    // scattered.cpp Whether threads of many rows are handled faster one by one.
    [[nodiscard]] bool is_scattered(const warp::Group& group) const;
    // A load or store of such threads. False: some threads need separate handling, and nothing has been done.
    bool access_scattered(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome, Access& access);
    unsigned gather_addresses(const warp::Group& group, const ir::MicroOp& op, std::byte** frame_of, Address* address,
                              Access& access) const;
    void find_host(const LastRange& range, unsigned n, const Access& access, Address* host) const;
    void move_scattered_in_window(const ir::MicroOp& op, const Bound& b, const MovedThreads& threads,
                                  const GlobalRow& row);
    void enter_scattered(const LastRange& range, unsigned n, Access& access) const;

    // texture_access.cpp
    void texture(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome, Access& access);
    void surface(const warp::Group& group, const ir::MicroOp& op, Cycle at, warp::Outcome& outcome, Access& access);
    void fetch_segment(const ir::MicroOp& op, Pc pc, const Segment& segment, Access& access);
    void load_surface(const ir::MicroOp& op, Pc pc, const Segment& segment, Access& access);
    void store_surface(const ir::MicroOp& op, Pc pc, const Segment& segment, Access& access);
    // The object that a lane names. `last`: the object of the lane before, null at first. Throws Fault.
    [[nodiscard]] const Texture& object_of(const ir::MicroOp& op, Pc pc, const Segment& s, unsigned i,
                                           const Texture* last) const;
    [[nodiscard]] Footprint footprint_of(const ir::MicroOp& op, const Segment& s, unsigned i,
                                         const Texture& from) const;
    [[nodiscard]] Address surface_address(const ir::MicroOp& op, Pc pc, const Segment& s, unsigned i,
                                          const Texture& surface) const;
    struct SurfacePlaces { // of a row's threads
        std::array<Address, kVectorLanes> address{};
        std::uint32_t inside = 0; // threads with a place inside
    };
    [[nodiscard]] SurfacePlaces surface_places(const ir::MicroOp& op, Pc pc, const Segment& s) const;

    // windowed.cpp
    void move_in_window(const ir::MicroOp& op, const Bound& b, const Segment& s, const HostRow& host,
                        const AddressScan& scan, const Address* address, Address allocation);

    // special_registers.cpp
    void special(const warp::Group& group, const ir::MicroOp& op, Cycle now, warp::Outcome& outcome);
    void make_thread_tables();
    void write_row(const Segment& segment, const ir::MicroOp& op, const std::uint32_t* values) const;

    // barrier.cpp
    void barrier(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);

    // system_calls.cpp
    void system_call(const warp::Group& group, const ir::MicroOp& op, Cycle now, warp::Outcome& outcome);
    void print(const ir::SystemCall& call, Pc pc, RowId row, unsigned lane, Cycle now);
    [[noreturn]] void assert_fail(const ir::SystemCall& call, Pc pc, RowId row, unsigned lane) const;
    [[noreturn]] void bad_free(const ir::SystemCall& call, Pc pc, RowId row, unsigned lane);
    // The bytes behind a generic address of a thread; null where there are none.
    [[nodiscard]] const std::byte* generic(RowId row, unsigned lane, Address address, std::uint64_t bytes) const;
    [[nodiscard]] std::string text_at(Address address, Pc pc, RowId row, unsigned lane) const;
    std::vector<Printed> printed;

    // warp_sync.cpp
    void warp_sync(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    void activemask(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    [[nodiscard]] std::span<Segment> gather_segments(std::span<const warp::Part> parts, const ir::MicroOp& op,
                                                     unsigned* threads) const;
    [[nodiscard]] bool complete(const ir::MicroOp& op, std::span<Segment> all) const;
    void exchange(const ir::MicroOp& op, std::span<Segment> all) const;
    void shuffle(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void vote_over(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    struct Answer;
    template <class F>
    void answer_each(const ir::MicroOp& op, std::span<const Segment> of_warp, F&& f) const;
    void match(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void reduce(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void elect(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    [[nodiscard]] unsigned shift_of(const Segment& s) const;
    [[nodiscard]] std::uint64_t warp_of(const Segment& s) const;
    // Lanes of a segment's frame as threads counted from its lowest, or the other way round.
    [[nodiscard]] std::uint32_t reordered(const Segment& s, std::uint32_t lanes) const {
        return rows[s.row].swizzled ? static_cast<std::uint32_t>(swap_pairs(lanes)) : lanes;
    }
    [[nodiscard]] std::uint32_t present(std::span<const Segment> of_warp) const;
    [[nodiscard]] std::uint32_t live_of_warp(const Segment& s) const;
    // Values of registers of words, of 32 or 64 bits, by laneid.
    template <class Word>
    void read_lanes(ir::Place place, const Segment& s, Word* by_laneid) const;
    template <class Word>
    void write_lanes(const Segment& s, ir::Place place, const Word* by_laneid) const;

    // matrix.cpp
    void multiply(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void exchange_matrices(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void give_row_addresses(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void piece_address(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);

    // fault.cpp
    [[noreturn]] void fault(Fault::Kind kind, Pc pc, RowId row, unsigned lane, const std::string& what,
                            const std::string& more = {}) const;
    // Of the first lane in the segment whose address (by lane) is wrong.
    [[noreturn]] void memory_fault(const ir::MicroOp& op, Pc pc, const Segment& s, const Address* address) const;
    // The error of an access; empty when there is none. `more`: the memory around the address.
    [[nodiscard]] std::string address_error(const ir::MicroOp& op, unsigned bytes, Address address,
                                            std::string& more) const;
    [[nodiscard]] std::string place_text(Pc pc) const;
    [[nodiscard]] std::string instruction_text(Pc pc) const;

    std::array<warp::Part, kMaxParts> guarded;          // of an operation, by frame: not more than threads
    mutable std::vector<Segment> segments;              // of gather_segments, sized at begin()
    std::vector<std::byte> results;                     // of a return, on their way
    alignas(64) std::byte zeros[kVectorLanes * 8] = {}; // the base of absolute addresses
};

} // namespace heddle::exec
