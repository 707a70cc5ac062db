// Global memory as one SM sees it.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "exec/memory_image.h"
#include "exec/window_log.h"

namespace heddle::exec {

// An SM that is the only one of its device (`windowed` false) reads and writes the image. One of several writes to its
// log, and reads the image with the stores of its log applied (exec/window_log.h).
struct GlobalMemory {
    GlobalMemory(MemoryImage& memory, bool keeps_log) : image(memory), windowed(keeps_log), log(memory) {}

    const MemoryImage& image;
    const bool windowed;
    Cycle now = 0; // of the memory instruction that is executed
    WindowLog log;

    // Host address minus device address, of all global memory.
    [[nodiscard]] std::uint64_t host_delta() const {
        return reinterpret_cast<std::uint64_t>(image.host(kGlobalBase)) - kGlobalBase;
    }
};

} // namespace heddle::exec
