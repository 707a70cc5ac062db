// Sums of a profile by source line, call path, function, instruction or kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/profile.h"

namespace heddle::report {

// What the instructions of a row have in common.
enum class RowsBy {
    Line,        // the innermost source line, of all kernels; the PTX line where the PTX names no source line
    Path,        // the same with the calls that were inlined
    Function,    // the function of the innermost line, of all kernels
    Instruction, // of a kernel
    Kernel,
};

struct RowStall {
    std::string cause;
    std::optional<std::size_t> producer; // row whose result was missing
    std::uint64_t slots = 0;
};

struct ProfileRow {
    // Of the first instruction that was added; what of it holds for all of the row depends on RowsBy.
    const ProfiledKernel* kernel = nullptr;
    const ProfiledInstruction* instruction = nullptr;
    std::string function; // readable; RowsBy::Function only
    probe::Counters counters{};
    std::vector<RowStall> stalls;   // largest first
    std::uint64_t stalled = 0;      // slots that stayed empty at its instructions
    std::uint64_t waited_for = 0;   // slots that stayed empty, here or elsewhere, for results of its instructions
    std::uint64_t with_inlined = 0; // slots of a function and what was inlined in it; RowsBy::Function only

    [[nodiscard]] std::uint64_t counter(probe::Counter c) const {
        return counters[static_cast<std::size_t>(c)];
    }
    // Issue slots, used or not: the cost of the row.
    [[nodiscard]] std::uint64_t slots() const {
        return counter(probe::Counter::Executions) + stalled;
    }
    // Slots by cause, the largest first; producers together.
    [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> causes() const;
};

// Valid while the profile is.
struct ProfileRows {
    RowsBy by = RowsBy::Line;
    std::vector<ProfileRow> rows; // lines by file and number, the others in the order of the profile
    std::vector<std::pair<std::string, std::uint64_t>> elsewhere; // empty slots of no instruction, by cause
    std::uint64_t slots = 0;                                      // all, those elsewhere too
    bool timed = false;                                           // some kernel was: there are stalls

    // Of all slots, 0 to 1.
    [[nodiscard]] double share(std::uint64_t part) const {
        return slots == 0 ? 0 : static_cast<double>(part) / static_cast<double>(slots);
    }
    // The rows' indices by cost, the greatest first.
    [[nodiscard]] std::vector<std::size_t> costliest() const;
};

[[nodiscard]] ProfileRows rows_of(const Profile&, RowsBy);

// A profile of the kernels of this name alone: as the PTX or CUDA C++ says it, or else a part of their names. Throws
// UserError with the names that there are.
[[nodiscard]] Profile only_kernels(Profile, const std::string& name);

} // namespace heddle::report
