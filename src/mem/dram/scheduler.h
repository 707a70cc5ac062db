// The contract of a DRAM scheduler: which waiting request goes next. It decides by the queue, without timing; the
// channel masks out banks and requests that can have no command, and keeps the starvation bound.
#pragma once

#include <memory>

#include "base/registry.h"
#include "mem/dram/config.h"
#include "mem/dram/queue.h"

namespace heddle::mem {

class DramScheduler {
public:
    DramScheduler() = default;
    virtual ~DramScheduler() = default;
    DramScheduler(const DramScheduler&) = delete;
    DramScheduler& operator=(const DramScheduler&) = delete;

    // Which request `bank` serves next: its oldest one, or its oldest hit. Called when a request has come or has been
    // served, and only while the bank has requests and has not begun to transfer one.
    [[nodiscard]] virtual DramSlot serve(unsigned bank, const DramQueue& queue) = 0;

    // Called once. False: all banks may transfer, and may_transfer() is never called.
    [[nodiscard]] virtual bool restricts_transfers() const {
        return false;
    }
    // The banks that may transfer data for the requests they serve; the others may open rows meanwhile. Depends on the
    // queue alone.
    [[nodiscard]] virtual BankMask may_transfer(const DramQueue& /*queue*/) {
        return ~BankMask{0};
    }

    // Which bank gets the command of this clock: one of `columns`, banks that can transfer, or of `rows`, banks that
    // can open or close a row. Not both are empty.
    [[nodiscard]] virtual unsigned pick(BankMask columns, BankMask rows, const DramQueue& queue) {
        return queue.oldest_served(columns != 0 ? columns : rows);
    }
};

// DRAM schedulers by name. A scheduler's file ends with HEDDLE_DRAM_SCHEDULER(Class, "name", "meaning", "source"); its
// constructor takes (const DramConfig&).
using DramSchedulers = Registry<DramScheduler, const DramConfig&>;
[[nodiscard]] DramSchedulers& dram_schedulers();

#define HEDDLE_DRAM_SCHEDULER(Class, ...) HEDDLE_REGISTERED(::heddle::mem::dram_schedulers(), Class, __VA_ARGS__)

} // namespace heddle::mem
