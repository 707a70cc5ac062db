// The ceiling: what a loop that only executes could do on this computer.
#pragma once

#include <cstdint>

namespace heddle::bench {

struct BareLoop {
    std::uint64_t instructions = 0;
    double seconds = 0;
    [[nodiscard]] double rate() const {
        return static_cast<double>(instructions) / seconds;
    }
};

// Round-robin over 48 warps of 32 lanes: in eight instructions, seven vector operations of the kinds that kernels use
// most and one load whose lines are counted; no pipeline, no scheduler, no cache, no statistics.
[[nodiscard]] BareLoop run_bare_loop(std::uint64_t instructions);

} // namespace heddle::bench
