// Elements by a small number. An element is made when its number is first used, and never moves: of room for many, the
// host touches only what a run needs.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace heddle {

template <class T>
class SlotArray {
public:
    // Numbers are below `capacity`.
    explicit SlotArray(std::size_t capacity)
        : elements_(static_cast<T*>(::operator new(capacity * sizeof(T), std::align_val_t(alignof(T))))),
          capacity_(capacity) {}
    ~SlotArray() {
        std::destroy_n(elements_, made_);
        ::operator delete(elements_, std::align_val_t(alignof(T)));
    }
    SlotArray(const SlotArray&) = delete;
    SlotArray& operator=(const SlotArray&) = delete;

    // Number `n` is used from now on.
    T& use(std::size_t n) {
        assert(n < capacity_);
        while (made_ <= n)
            [[unlikely]] new (elements_ + made_++) T();
        return elements_[n];
    }
    // One that has been used.
    T& operator[](std::size_t n) {
        assert(n < made_);
        return elements_[n];
    }
    const T& operator[](std::size_t n) const {
        assert(n < made_);
        return elements_[n];
    }
    [[nodiscard]] std::size_t capacity() const {
        return capacity_;
    }
    // Those that have been used, from number 0 on.
    [[nodiscard]] std::span<const T> used() const {
        return {elements_, made_};
    }

private:
    T* elements_;
    std::size_t capacity_;
    std::size_t made_ = 0; // the first ones
};

} // namespace heddle
