// A queue in a ring: grows by doubling, never shrinks, so that a steady state allocates nothing.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

namespace heddle {

template <class T>
class RingQueue {
public:
    [[nodiscard]] bool empty() const {
        return head_ == tail_;
    }
    [[nodiscard]] std::size_t size() const {
        return tail_ - head_;
    }
    [[nodiscard]] const T& front() const {
        assert(!empty());
        return ring_[head_ & (ring_.size() - 1)];
    }
    void push(const T& value) {
        if (size() == ring_.size())
            grow();
        ring_[tail_++ & (ring_.size() - 1)] = value;
    }
    // Keeps a queue that is ascending by less(a, b) so; equal ones keep their order. Cheap where most go to the end.
    template <class Less>
    void push_sorted(const T& value, Less&& less) {
        push(value);
        const std::size_t mask = ring_.size() - 1;
        for (std::size_t i = tail_ - 1; i != head_ && less(value, ring_[(i - 1) & mask]); --i) {
            ring_[i & mask] = ring_[(i - 1) & mask];
            ring_[(i - 1) & mask] = value;
        }
    }
    T pop() {
        const T value = front();
        ++head_;
        return value;
    }

private:
    void grow() {
        std::vector<T> wider(ring_.empty() ? 16 : ring_.size() * 2);
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i)
            wider[i] = ring_[(head_ + i) & (ring_.size() - 1)];
        ring_ = std::move(wider);
        head_ = 0;
        tail_ = n;
    }

    std::vector<T> ring_;
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
};

} // namespace heddle
