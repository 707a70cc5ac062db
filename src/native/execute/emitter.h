// Micro-ops for native instructions: places of operands, temporaries, constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <unordered_map>
#include <vector>

#include "ir/program.h"
#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

class Emitter {
public:
    using Place = ir::Place;
    using MicroOp = ir::MicroOp;

    Emitter(const Function& function, const Target& target);

    // From here on micro-ops belong to this instruction, and its temporaries are free again.
    void begin(const Instruction& instruction);
    // Whether no thread ever executes the instruction.
    [[nodiscard]] bool never() const {
        return never_;
    }

    // Sources. Micro-ops are appended where an operand is no place yet.
    [[nodiscard]] Place word(const Operand& operand, unsigned part = 0); // inverted where the operand is
    [[nodiscard]] Place raw(const Operand& operand, unsigned part = 0);  // without signs and inversion
    [[nodiscard]] Place pair(const Operand& operand, unsigned part = 0); // of 64 bits
    [[nodiscard]] Place packed(Place low, Place high);
    [[nodiscard]] Place number(const Operand& operand, ir::Type type); // with the signs of floating point
    [[nodiscard]] Place predicate(const Operand& operand);             // inverted where the operand is
    [[nodiscard]] Place raw_predicate(const Operand& operand);
    [[nodiscard]] Place constant(std::uint64_t value);
    [[nodiscard]] Place wide_constant(std::uint64_t value);

    [[nodiscard]] Place temporary();
    [[nodiscard]] Place wide_temporary();
    [[nodiscard]] Place predicate_temporary();

    // Destinations. RZ and PT are none.
    [[nodiscard]] Place target(const Operand& operand, unsigned part = 0) const;
    void write_pair(const Operand& operand, Place wide, unsigned part = 0); // from a 64-bit place, under the guard

    // Append a micro-op. compute() is for intermediate values and executes without a guard.
    MicroOp& compute(ir::Opcode opcode, ir::Type type, Place to, std::initializer_list<Place> from);
    MicroOp& result(ir::Opcode opcode, ir::Type type, Place to, std::initializer_list<Place> from);
    MicroOp& result(const MicroOp& op); // adds the guard

    [[nodiscard]] bool is_wide(Place place) const;
    void set_sizes(MicroOp& op) const; // dst_bytes and src_bytes by the first destination and source

    [[nodiscard]] std::vector<MicroOp>& ops() {
        return ops_;
    }
    [[nodiscard]] const std::vector<std::byte>& pool() const {
        return pool_;
    }
    [[nodiscard]] std::uint32_t slots() const {
        return slots_;
    }
    [[nodiscard]] std::uint32_t temporary_slots() const {
        return slots_ - vector_;
    }
    [[nodiscard]] std::uint32_t predicates() const;
    [[nodiscard]] std::uint32_t temporary_predicates() const;
    [[nodiscard]] const std::vector<ir::LaunchConstant>& launch_constants() const {
        return launch_constants_;
    }

private:
    // Uniform registers and predicates lie behind those of the lanes, a copy of the value in each lane.
    [[nodiscard]] Place register_place(const Operand& operand, unsigned part = 0) const;
    [[nodiscard]] Place launch_constant(const Operand& operand, unsigned part, unsigned bytes);
    [[nodiscard]] Place pool_entry(std::uint64_t value, unsigned bytes);

    const Target& machine_;
    const std::uint32_t lanes_, vector_, slots_; // registers of lanes; with uniform ones; with temporaries
    const std::uint32_t local_bytes_;            // of a thread
    const std::uint32_t bits_begin_;             // of temporary predicates
    std::vector<MicroOp> ops_;
    std::vector<std::byte> pool_;
    std::unordered_map<std::uint64_t, Place> narrow_, wide_; // entries of the pool; looked up only
    std::vector<bool> is_wide_entry_;                        // by slot of the pool
    std::vector<ir::LaunchConstant> launch_constants_;
    Place guard_ = ir::kNowhere;
    bool guard_negated_ = false;
    bool never_ = false;
    unsigned words_ = 0, pairs_ = 0, bits_ = 0; // temporaries of the instruction in use
};

} // namespace heddle::native
