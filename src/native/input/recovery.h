// How a kernel becomes a draft again (recover.h). Only recover.cpp and recursion.cpp use it.
#pragma once

#include <unordered_map>

#include "native/input/call_cycles.h"
#include "native/input/recover.h"

namespace heddle::native {

class Recovery {
public:
    Recovery(const ir::Program& program, const ir::Kernel& kernel, std::span<const std::uint32_t> called)
        : program_(program), kernel_(kernel), called_(called), cycles_(program, kernel) {}
    [[nodiscard]] Recovered run(std::uint32_t which); // as recover()

private:
    using Place = ir::Place;
    using MicroOp = ir::MicroOp;
    static constexpr std::uint32_t kSlot = 4 * kVectorLanes;

    // The functions of a call cycle, each of which is in the draft once, while they are appended.
    struct Cycle {
        std::vector<std::uint32_t> members;
        std::map<std::uint32_t, std::uint32_t> begin;                 // by function: its first op
        std::map<Pc, std::vector<Place>> live;                        // by call
        std::vector<std::pair<std::uint32_t, std::uint32_t>> entries; // branches; the functions that they go to
        std::vector<std::uint32_t> returns;                           // branches
        std::vector<std::uint32_t> landings; // where threads go on behind call 1, 2, ... in the cycle
        Place site = ir::kNowhere;           // number of the call that called; 0: from outside
    };

    // recover.cpp
    void find_widths();
    [[nodiscard]] bool writes_pairs(const MicroOp& op) const;
    [[nodiscard]] Place first_predicate() const {
        return kernel_.slots * kSlot;
    }
    Place register_at(Place place);
    Place constant_at(Place place);
    void rename(Place& place);
    void append(MicroOp op, Pc pc);          // whose places are those of the program
    MicroOp& push(const MicroOp& op, Pc pc); // whose places are those of the draft
    Place fresh(ir::Type type);
    void append_function(std::uint32_t number, Cycle* cycle, Pc site = kNoPc); // of the call that it stands for
    [[nodiscard]] bool is_bad_free(const MicroOp& op) const;
    [[nodiscard]] std::uint32_t callee_of(const MicroOp& call) const {
        return program_.origins[call.target].function;
    }
    void append_call(const MicroOp& call, Pc pc);
    void append_callee(std::uint32_t function, Pc pc);                   // its code, or a call of it
    void append_code(std::uint32_t function, Pc pc);                     // with those of its cycle
    [[nodiscard]] std::uint32_t append_skip(const MicroOp& call, Pc pc); // a branch for threads without the guard
    void land_skip(const MicroOp& call, std::uint32_t skip, Pc pc);
    void append_copy(const ir::Call::Copy& copy, Pc pc);

    // recursion.cpp
    void begin_stack(bool is_kernel);
    void hand_on_stack(Pc pc);
    void end_stack();
    void append_cycle(std::uint32_t entry, Pc pc);
    void append_recursive_call(const MicroOp& call, Pc pc, Cycle& cycle);
    void check_depth(Pc pc);
    [[nodiscard]] std::uint32_t transfer(const MicroOp& call, Pc pc, const Cycle& cycle, bool saves);
    std::uint32_t transfer_memory(std::uint32_t begin, std::uint32_t bytes, std::uint32_t at, bool saves, Pc pc);
    void transfer_register(Place place, std::uint32_t at, bool saves, Pc pc);
    void access(bool stores, ir::Type type, Place base, std::int64_t offset, Place value, Pc pc);
    void move(Place to, std::uint32_t value, Pc pc);
    void add_to(Place to, std::uint32_t value, Pc pc);
    [[nodiscard]] Place number(std::uint32_t value);

    const ir::Program& program_;
    const ir::Kernel& kernel_;
    const std::span<const std::uint32_t> called_;
    const CallCycles cycles_;
    ir::Draft draft_;
    std::vector<Pc> pcs_;
    Place wide_end_ = 0;
    std::unordered_map<Place, Place> registers_, constants_; // looked up only
    Place stack_ = ir::kNowhere, limit_ = ir::kNowhere;      // offset of the next frame; the constant behind the stack
    std::vector<std::uint32_t> traps_;                       // of calls that nest too deep
    std::uint32_t largest_frame_ = 0;                        // bytes
    std::uint32_t stack_word_ = 0;                           // offset in local memory
    unsigned around_ = 0;                                    // cycles around the ops that are appended
};

// Bytes of the largest power of two, 8 at most, that fit `bytes` and at which both offsets are aligned.
[[nodiscard]] std::uint32_t piece_of(std::uint32_t bytes, std::uint32_t from, std::uint32_t to);
[[nodiscard]] ir::Type type_of_piece(std::uint32_t bytes);

} // namespace heddle::native
