// Masks in place of branches, where neither the compiler nor the host's branch prediction can foretell which way it
// goes: a wrong guess costs as much as some 50 instructions. (The compiler makes branches of many a ?: and std::min.)
#pragma once

#include <cstdint>

namespace heddle {

// All bits when it holds, else none.
[[nodiscard]] constexpr std::uint64_t mask_if(bool holds) {
    return std::uint64_t{0} - static_cast<std::uint64_t>(holds);
}

// One of two values; both are there.
[[nodiscard]] inline std::uint64_t select(bool holds, std::uint64_t yes, std::uint64_t no) {
    return no ^ ((yes ^ no) & mask_if(holds));
}
template <class T>
[[nodiscard]] T* select(bool holds, T* yes, T* no) {
    return reinterpret_cast<T*>(
        select(holds, reinterpret_cast<std::uintptr_t>(yes), reinterpret_cast<std::uintptr_t>(no)));
}

} // namespace heddle
