#include "mem/dram/queue.h"

#include <bit>

namespace heddle::mem {

unsigned DramQueue::oldest_served(BankMask banks) const {
    auto best = static_cast<unsigned>(std::countr_zero(banks));
    std::uint64_t oldest = served_order_[best];
    for (banks &= banks - 1; banks != 0; banks &= banks - 1) {
        const auto bank = static_cast<unsigned>(std::countr_zero(banks));
        const std::uint64_t order = served_order_[bank];
        const bool older = order < oldest;
        best = older ? bank : best;
        oldest = older ? order : oldest;
    }
    return best;
}

DramSlot DramQueue::take_slot() {
    if (free_.empty()) {
        slots_.emplace_back();
        return static_cast<DramSlot>(slots_.size() - 1);
    }
    const DramSlot slot = free_.back();
    free_.pop_back();
    return slot;
}

void DramQueue::append(List& list, WaitingRequest::Links WaitingRequest::*links, DramSlot slot) {
    (slots_[slot].*links).older = list.tail;
    (list.tail == kNoDramSlot ? list.head : (slots_[list.tail].*links).newer) = slot;
    list.tail = slot;
}

void DramQueue::unlink(List& list, WaitingRequest::Links WaitingRequest::*links, DramSlot slot) {
    const auto [older, newer] = slots_[slot].*links;
    (older == kNoDramSlot ? list.head : (slots_[older].*links).newer) = newer;
    (newer == kNoDramSlot ? list.tail : (slots_[newer].*links).older) = older;
}

void DramQueue::append_hit(Bank& bank, DramSlot slot) {
    slots_[slot].next_hit = kNoDramSlot;
    (bank.hits_head == kNoDramSlot ? bank.hits_head : slots_[bank.hits_tail].next_hit) = slot;
    bank.hits_tail = slot;
}

DramSlot DramQueue::insert(const DramRequest& request, DramPlace place, unsigned columns, Cycle now) {
    assert(!full());
    const DramSlot slot = take_slot();
    slots_[slot] = {.place = place,
                    .arrival = now,
                    .order = next_order_++,
                    .columns = columns,
                    .writes = request.use == DramUse::Write,
                    .request = request};
    Bank& bank = banks_[place.bank];
    append(all_, &WaitingRequest::of_all, slot);
    append(bank.list, &WaitingRequest::of_bank, slot);
    if (bank.row == place.row)
        append_hit(bank, slot);
    ++size_;
    return slot;
}

void DramQueue::remove(DramSlot slot) {
    const WaitingRequest& gone = slots_[slot];
    Bank& bank = banks_[gone.place.bank];
    // A bank serves its oldest request or its oldest hit, so what is served of a row is always its oldest.
    assert(bank.serving == slot && bank.hits_head == slot);
    bank.hits_head = gone.next_hit;
    bank.serving = kNoDramSlot;
    unlink(all_, &WaitingRequest::of_all, slot);
    unlink(bank.list, &WaitingRequest::of_bank, slot);
    free_.push_back(slot);
    --size_;
}

void DramQueue::open_row(unsigned number, std::uint64_t row) {
    Bank& bank = banks_[number];
    bank.row = row;
    bank.hits_head = kNoDramSlot;
    for (DramSlot slot = bank.list.head; slot != kNoDramSlot; slot = slots_[slot].of_bank.newer)
        if (slots_[slot].place.row == row)
            append_hit(bank, slot);
}

void DramQueue::close_row(unsigned bank) {
    banks_[bank].row = kNoRow;
    banks_[bank].hits_head = kNoDramSlot;
}

} // namespace heddle::mem
