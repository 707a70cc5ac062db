// Loops and how often they go round, where that is constant.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/analysis/loops.h"
#include "native/ssa/form.h"

namespace heddle::native {

// A loop without a loop in it. `blocks` are in the order of the text, turned so that the header is the first.
struct InnerLoop {
    std::uint32_t header = 0;
    std::vector<std::uint32_t> blocks;
    std::vector<bool> holds; // by block of the form
};
[[nodiscard]] std::vector<InnerLoop> inner_loops(const SsaForm& form);

// A conditional branch out of a loop that every round executes.
struct LoopExit {
    std::uint32_t block = 0;
    std::uint32_t branch = 0;  // op
    std::uint32_t inside = 0;  // block at which a thread goes on that stays
    std::uint32_t outside = 0; // and one that leaves
    bool taken_stays = false;
};
[[nodiscard]] std::vector<LoopExit> exits_of_each_round(const SsaForm& form, const InnerLoop& loop);

// Where the values of an SSA form come from.
class Definitions {
public:
    explicit Definitions(const SsaForm& form);
    // The op that defines a place; null: a phi, or nothing.
    [[nodiscard]] const ir::MicroOp* op(ir::Place place) const;
    [[nodiscard]] std::uint32_t number(ir::Place place) const; // of that op; kNone: none
    // The place that this one is a copy of, also by phis that have one value.
    [[nodiscard]] ir::Place past_copies(ir::Place place) const;
    static constexpr std::uint32_t kNone = 0xffffffffU;

private:
    bool find_only_value(const Phi& phi);
    [[nodiscard]] bool is_copy(const ir::MicroOp& op) const;

    const SsaForm& form_;
    std::vector<std::uint32_t> op_of_;
    std::vector<ir::Place> only_; // by phi
};

// A value that begins a loop with a constant and gets a constant added in each round.
struct Induction {
    const Phi* phi = nullptr;
    std::optional<std::uint64_t> begin;    // where it is constant
    const ir::MicroOp* addition = nullptr; // a sum or difference with a constant
};
[[nodiscard]] std::vector<Induction> inductions(const SsaForm& form, const Definitions& definitions,
                                                const InnerLoop& loop);

// Tests of an exit, in order: how many let a thread stay, and the first operand of the comparison in each.
struct Trips {
    LoopExit exit;
    std::uint32_t stays = 0;           // tests before the one that leaves
    std::uint32_t compare = 0;         // op that defines the guard of the exit
    std::vector<std::uint64_t> tested; // stays + 1 values of the operand that changes; empty: it is not one operand
    unsigned operand = 0;              // which source of the comparison changes
};

// The exit that is left first among those whose rounds are constant: its guard comes, by operations on constants, from
// inductions that begin with a constant. At most kMostRounds are counted.
inline constexpr std::uint32_t kMostRounds = 1U << 16;
[[nodiscard]] std::optional<Trips> constant_trips(const SsaForm& form, const Definitions& definitions,
                                                  const InnerLoop& loop);

} // namespace heddle::native
