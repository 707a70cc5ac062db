#include "probe/sm_profile.h"

#include <algorithm>

namespace heddle::probe {

void SmProfile::begin_launch(std::size_t kernel) {
    kernel_ = kernel;
    tables_ = kNoPc;
    if (kernel >= elsewhere_.size())
        elsewhere_.resize(kernel + 1);
}

// A launch that was stopped leaves loads and divergences behind.
void SmProfile::end_launch() {
    for (std::size_t flight = 0; flight < load_stalls_.size(); ++flight)
        loaded(flight, Slot::ScoreboardMemory);
    divergences_.clear();
    for (const std::unique_ptr<Page>& page : pages_)
        if (page != nullptr)
            for (Instruction& instruction : *page)
                instruction.awaited = 0;
}

void SmProfile::make_page(std::size_t page) {
    if (page >= pages_.size())
        pages_.resize(page + 1);
    pages_[page] = std::make_unique<Page>();
}

void SmProfile::met(Pc pc, RowId row, LaneMask lanes, Cycle now) {
    divergences_.arrive(
        pc, row, lanes, now, [&](Pc branch, Cycle cycles) { at(branch)[Counter::Apart] += cycles; },
        [&](Pc meet) { --at(meet).awaited; });
}

void SmProfile::stall(Pc waits_at, Stall stall) {
    if (waits_at == kNoPc) {
        elsewhere_[kernel_][static_cast<std::size_t>(stall.cause)] += stall.slots;
        return;
    }
    std::vector<Stall>& stalls = at(waits_at).stalls;
    const auto same = [&](const Stall& s) { return s.cause == stall.cause && s.producer == stall.producer; };
    if (const auto known = std::find_if(stalls.begin(), stalls.end(), same); known != stalls.end())
        known->slots += stall.slots;
    else
        stalls.push_back(stall);
}

void SmProfile::stall_for_load(std::size_t flight, Pc waits_at, Pc producer, std::uint64_t slots) {
    if (flight >= load_stalls_.size())
        load_stalls_.resize(flight + 1);
    for (LoadStall& stall : load_stalls_[flight])
        if (stall.waits_at == waits_at) {
            stall.slots += slots;
            return;
        }
    load_stalls_[flight].push_back({waits_at, producer, slots});
}

void SmProfile::loaded(std::size_t flight, Slot cause) {
    if (flight >= load_stalls_.size())
        return;
    for (const LoadStall& s : load_stalls_[flight])
        stall(s.waits_at, {cause, s.producer, s.slots});
    load_stalls_[flight].clear();
}

void SmProfile::add(const SmProfile& other) {
    for (std::size_t page = 0; page < other.pages_.size(); ++page) {
        if (other.pages_[page] == nullptr)
            continue;
        for (Pc i = 0; i < kPage; ++i) {
            const Instruction& from = (*other.pages_[page])[i];
            const auto pc = static_cast<Pc>(page * kPage + i);
            Instruction& to = at(pc);
            for (std::size_t c = 0; c < kCounters; ++c)
                to.counters[c] += from.counters[c];
            for (const Stall& s : from.stalls)
                stall(pc, s);
        }
    }
    if (elsewhere_.size() < other.elsewhere_.size())
        elsewhere_.resize(other.elsewhere_.size());
    for (std::size_t k = 0; k < other.elsewhere_.size(); ++k)
        for (std::size_t c = 0; c < kSlots.size(); ++c)
            elsewhere_[k][c] += other.elsewhere_[k][c];
}

} // namespace heddle::probe
