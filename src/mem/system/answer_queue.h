// The answers of a slice until they enter the reply network, in order of the cycle from which on they may leave, and in
// order of push() for equal cycles.
#pragma once

#include "base/ring_queue.h"
#include "mem/system/transaction.h"

namespace heddle::mem {

class AnswerQueue {
public:
    // `capacity`: answers from which on the queue is full(); it takes more.
    explicit AnswerQueue(std::size_t capacity) : capacity_(capacity) {}

    [[nodiscard]] bool full() const {
        return answers_.size() >= capacity_;
    }
    void push(TransactionId id, Cycle at) {
        answers_.push_sorted({at, id}, [](const Answer& a, const Answer& b) { return a.at < b.at; });
    }
    // Whether front() may leave in cycle `now`.
    [[nodiscard]] bool is_due(Cycle now) const {
        return !answers_.empty() && answers_.front().at <= now;
    }
    // The cycle from which on front() may leave; kNever when there is none.
    [[nodiscard]] Cycle next() const {
        return answers_.empty() ? kNever : answers_.front().at;
    }
    [[nodiscard]] TransactionId front() const {
        return answers_.front().id;
    }
    void pop() {
        answers_.pop();
    }

private:
    struct Answer {
        Cycle at;
        TransactionId id;
    };

    std::size_t capacity_;
    RingQueue<Answer> answers_;
};

} // namespace heddle::mem
