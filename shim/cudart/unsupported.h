// Functions that heddle does not serve yet, of the runtime and of the driver: each says so once.
#pragma once

#include <cstdio>
#include <mutex>
#include <set>
#include <string>

namespace heddle::cudart {

// Prints that function `name` is not supported, once.
inline void tell_unsupported(const char* name) {
    static std::mutex mutex;
    static auto* const told = new std::set<std::string>;
    const std::lock_guard lock(mutex);
    if (!told->insert(name).second)
        return;
    std::fflush(stdout); // keeps the order of a program's output and heddle's
    std::fprintf(stderr, "heddle: %s is not supported yet\n", name);
}

} // namespace heddle::cudart

// Defines function `name`, which takes its arguments as whatever the caller passes and looks at none: it tells that it
// is not supported and returns `result`. Under an internal name, so that the functions of CUDA's headers are not
// declared twice.
#define HEDDLE_DEFINE_UNSUPPORTED(type, name, result)                                                                  \
    extern "C" __attribute__((visibility("default"))) type heddle_unsupported_##name() __asm__(#name);                 \
    type heddle_unsupported_##name() {                                                                                 \
        heddle::cudart::tell_unsupported(#name);                                                                       \
        return result;                                                                                                 \
    }
