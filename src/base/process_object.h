// Objects of which a process has one, however many libraries with the code that uses them it has loaded. A program may
// have several versions of the CUDA runtime (its own, and those of its libraries): they have one device together.
#pragma once

#include <string_view>

namespace heddle {

// The object of a name. The first call makes it; it is never destroyed.
[[nodiscard]] void* process_object(std::string_view name, void* (*make)());

template <class T>
[[nodiscard]] T& process_object(std::string_view name) {
    return *static_cast<T*>(process_object(name, []() -> void* { return new T{}; }));
}

} // namespace heddle
