// Ports of register banks: each serves one register a cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "sm/sub_core/reservation_table.h"

namespace heddle::sm {

class BankPorts {
public:
    // `ports`: of each bank; with 0 no bank has any, and nothing may be asked but there_are().
    BankPorts(std::uint64_t banks, std::uint64_t ports)
        : ports_(static_cast<unsigned>(ports)), schedules_(banks * ports) {}

    [[nodiscard]] bool there_are() const {
        return ports_ != 0;
    }
    // The ports of a bank that are free in `cycles` cycles from `from` on, summed over the cycles: at most 64.
    [[nodiscard]] unsigned free_in(std::size_t bank, Cycle from, unsigned cycles) const {
        if (ports_ == 1) [[likely]]
            return schedules_[bank].free_in(from, cycles);
        unsigned sum = 0;
        for (unsigned p = 0; p < ports_; ++p)
            sum += schedules_[bank * ports_ + p].free_in(from, cycles);
        return sum;
    }
    // Takes a port of a bank in the first cycle from `at` on in which one is free. Returns this cycle.
    Cycle book(std::size_t bank, Cycle at) {
        return ports_ == 1 ? schedules_[bank].book(at) : book_one_of_several(bank, at);
    }
    // The same for `count` registers, at least one. Returns the cycle of the last one.
    Cycle book(std::size_t bank, Cycle at, unsigned count) {
        if (ports_ == 1 && schedules_[bank].ends_by(at)) [[likely]] {
            schedules_[bank].take(at, count);
            return at + count - 1;
        }
        Cycle last = at;
        for (unsigned n = 0; n < count; ++n)
            last = book(bank, at);
        return last;
    }

private:
    [[gnu::noinline]] Cycle book_one_of_several(std::size_t bank, Cycle at) {
        const auto [start, port] = first_free_of(schedules_.data() + bank * ports_, ports_, at, 1);
        port->take(start, 1);
        return start;
    }

    unsigned ports_;
    std::vector<UnitReservations> schedules_; // of a bank side by side
};

} // namespace heddle::sm
