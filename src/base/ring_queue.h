// A queue in a ring: grows by doubling, never shrinks, so that a steady state allocates nothing.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

namespace heddle {

template <class T>
class RingQueue {
public:
    RingQueue() = default;
    RingQueue(RingQueue&&) noexcept = default;
    RingQueue& operator=(RingQueue&&) noexcept = default;
    RingQueue(const RingQueue&) = delete;
    RingQueue& operator=(const RingQueue&) = delete;

    [[nodiscard]] bool empty() const {
        return head_ == tail_;
    }
    [[nodiscard]] std::size_t size() const {
        return tail_ - head_;
    }
    [[nodiscard]] const T& front() const {
        assert(!empty());
        return data_[head_ & mask_];
    }
    [[nodiscard]] T& front() {
        assert(!empty());
        return data_[head_ & mask_];
    }
    // front(), or any element there has been when the queue is empty: for who looks before asking which. Something has
    // been pushed before.
    [[nodiscard]] const T& front_or_any() const {
        assert(data_ != nullptr);
        return data_[head_ & mask_];
    }
    [[nodiscard]] const T& at(std::size_t i) const { // i-th from the front
        assert(i < size());
        return data_[(head_ + i) & mask_];
    }
    void push(const T& value) {
        if (size() == mask_ + 1) [[unlikely]]
            grow();
        data_[tail_++ & mask_] = value;
    }
    // Keeps a queue that is ascending by less(a, b) so; equal ones keep their order. Cheap where most go to the end.
    template <class Less>
    void push_sorted(const T& value, Less&& less) {
        push(value);
        for (std::size_t i = tail_ - 1; i != head_ && less(value, data_[(i - 1) & mask_]); --i) {
            data_[i & mask_] = data_[(i - 1) & mask_];
            data_[(i - 1) & mask_] = value;
        }
    }
    T pop() {
        const T value = front();
        ++head_;
        return value;
    }

private:
    [[gnu::noinline]] void grow() {
        std::vector<T> wider(ring_.empty() ? 16 : ring_.size() * 2);
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i)
            wider[i] = data_[(head_ + i) & mask_];
        ring_ = std::move(wider);
        data_ = ring_.data();
        mask_ = ring_.size() - 1;
        head_ = 0;
        tail_ = n;
    }

    std::vector<T> ring_;
    T* data_ = nullptr;                  // ring_'s
    std::size_t mask_ = ~std::size_t{0}; // its length less one
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
};

} // namespace heddle
