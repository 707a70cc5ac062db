// A vector that begins with a line of the host's cache, so that a group of elements as long as a line lies in one.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace heddle {

template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kLine{64};

    LineAllocator() = default;
    template <class U>
    explicit LineAllocator(const LineAllocator<U>& /*other*/) {}

    [[nodiscard]] T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), kLine));
    }
    void deallocate(T* elements, std::size_t /*n*/) {
        ::operator delete(elements, kLine);
    }
    template <class U>
    bool operator==(const LineAllocator<U>& /*other*/) const {
        return true;
    }
};

template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

} // namespace heddle
