// The requests that wait in a memory channel, oldest first: all of them, those of each bank, and those of each bank
// that are for its open row. A list of hits is made when a row is opened and grows as requests come, so that no queue
// has to be searched for one.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "mem/dram/address_map.h"
#include "mem/dram/bank_timing.h"
#include "mem/dram/channel.h"

namespace heddle::mem {

using DramSlot = std::uint32_t; // of a waiting request; used again once it is served
inline constexpr DramSlot kNoDramSlot = ~DramSlot{0};
inline constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

struct alignas(64) WaitingRequest { // what every command looks at comes first, in one line of the host's cache
    DramPlace place;
    Cycle arrival;
    std::uint64_t order;  // smaller: older
    unsigned columns;     // column commands left
    bool started = false; // has had one, and has its bank until it is served
    bool classed = false; // has had a command: is counted as hit, conflict or closed
    bool writes = false;  // its next column command is a write

    struct Links {
        DramSlot older = kNoDramSlot;
        DramSlot newer = kNoDramSlot;
    };
    Links of_all = {};
    Links of_bank = {};
    DramSlot next_hit = kNoDramSlot;
    DramRequest request;

    [[nodiscard]] DramCommand column_command() const {
        return writes ? DramCommand::Write : DramCommand::Read;
    }
};

class DramQueue {
public:
    // `capacity` requests; 0: without bound.
    explicit DramQueue(std::uint64_t capacity) : capacity_(capacity) {}

    [[nodiscard]] bool full() const {
        return capacity_ != 0 && size_ == capacity_;
    }
    [[nodiscard]] std::size_t size() const {
        return size_;
    }

    // For schedulers. Slots are kNoDramSlot where there is no such request.
    [[nodiscard]] const WaitingRequest& operator[](DramSlot slot) const {
        return slots_[slot];
    }
    [[nodiscard]] DramSlot oldest() const {
        return all_.head;
    }
    [[nodiscard]] DramSlot oldest(unsigned bank) const {
        return banks_[bank].list.head;
    }
    [[nodiscard]] DramSlot oldest_hit(unsigned bank) const {
        return banks_[bank].hits_head;
    }
    // The request that the bank serves.
    [[nodiscard]] DramSlot serving(unsigned bank) const {
        return banks_[bank].serving;
    }
    [[nodiscard]] std::uint64_t open_row(unsigned bank) const {
        return banks_[bank].row;
    }
    // Of `banks`, which is not empty and all of which serve a request, the one that serves the oldest.
    [[nodiscard]] unsigned oldest_served(BankMask banks) const;

    // For the channel.
    DramSlot insert(const DramRequest& request, DramPlace place, unsigned columns, Cycle now);
    // A served request: its bank serves none after it.
    void remove(DramSlot slot);
    [[nodiscard]] WaitingRequest& operator[](DramSlot slot) {
        return slots_[slot];
    }
    void serve(unsigned bank, DramSlot slot) {
        banks_[bank].serving = slot;
        served_order_[bank] = slots_[slot].order;
    }
    void open_row(unsigned bank, std::uint64_t row);
    void close_row(unsigned bank);

private:
    struct List {
        DramSlot head = kNoDramSlot;
        DramSlot tail = kNoDramSlot;
    };
    struct Bank {
        List list;
        DramSlot hits_head = kNoDramSlot;
        DramSlot hits_tail = kNoDramSlot;
        DramSlot serving = kNoDramSlot;
        std::uint64_t row = kNoRow;
    };

    DramSlot take_slot();
    void append(List& list, WaitingRequest::Links WaitingRequest::*links, DramSlot slot);
    void unlink(List& list, WaitingRequest::Links WaitingRequest::*links, DramSlot slot);
    void append_hit(Bank& bank, DramSlot slot);

    std::uint64_t capacity_;
    std::size_t size_ = 0;
    std::uint64_t next_order_ = 0;
    std::vector<WaitingRequest> slots_;
    std::vector<DramSlot> free_;
    List all_;
    std::array<Bank, kMaxTimedBanks> banks_;
    std::array<std::uint64_t, kMaxTimedBanks> served_order_{}; // side by side: they are compared every command
};

} // namespace heddle::mem
