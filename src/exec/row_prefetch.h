// Prefetches the registers of a row for its next instruction.
//
// Between two instructions of a row, the other rows of all SMs execute theirs. Where the registers of all SMs are more
// than the host's second-level cache holds, each instruction would wait for the host's memory, for each register.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/launch.h"

namespace heddle::exec {

class BoundProgram;

class RowPrefetch {
public:
    // For a launch of a bound program. Off unless the launch keeps lines whole and has so many registers.
    void begin(const Launch& launch, const BoundProgram& code);
    [[nodiscard]] bool is_on() const {
        return is_on_;
    }
    // The registers that the instruction at `pc` names, with those of the straight line that begins there, in the frame
    // of a row.
    void prefetch(Pc pc, const std::byte* frame) const {
        if (const std::size_t at = pc - begin_; at < lines_.size())
            lines_[at].prefetch(frame);
    }

    // Bytes of registers that the host's second-level cache holds for sure not.
    static constexpr std::size_t kHostCache = std::size_t{8} << 20;

private:
    class Lines { // of the host's caches, in a frame
    public:
        static constexpr std::size_t kMost = 14; // so that an element has 32 bytes

        void add(const ir::MicroOp& op, std::size_t predicates);
        [[nodiscard]] bool is_full() const {
            return count_ == kMost;
        }
        void prefetch(const std::byte* frame) const {
            for (std::size_t n = 0; n < count_; ++n)
                __builtin_prefetch(frame + std::size_t{line_[n]} * kBytes);
            asm volatile(""); // else GCC takes a function of nothing but prefetches for one without effect
        }

    private:
        static constexpr std::size_t kBytes = 64;
        void add(ir::Place place, std::size_t predicates);

        std::uint16_t count_ = 0;
        std::array<std::uint16_t, kMost> line_{};
    };

    void find_lines(const ir::Kernel& kernel, const BoundProgram& code);

    bool is_on_ = false;
    const ir::Kernel* kernel_ = nullptr; // whose lines these are
    Pc begin_ = 0;
    std::vector<Lines> lines_; // by Pc, from begin_ on
};

} // namespace heddle::exec
