// What an access of the checker's log means: a read of what was never written, a race, a synchronisation.
#include <algorithm>
#include <cstring>

#include "check/checker.h"

namespace heddle::check {

void Checker::access(const EventLog& log, const Event& e) {
    const auto threads = log.threads(e);
    const auto addresses = log.addresses(e);
    const std::byte* const values = log.values(e);
    for (std::size_t i = 0; i < threads.size(); ++i)
        access_of_thread(e, threads[i], addresses[i], values == nullptr ? nullptr : values + i * e.bytes);
}

void Checker::access_of_thread(const Event& e, ThreadId thread, Address address, const std::byte* value) {
    const std::uint32_t number = thread / launch_.threads_of_block;
    if (checks_.barriers)
        if (Block* const b = block(number); b != nullptr)
            b->check.executes(thread % launch_.threads_of_block, e.pc);
    if (checks_.uninitialised)
        check_written(e, thread, address);
    if (!checks_.races || e.space == Space::Local)
        return;
    synchronise_before(e, thread, address);
    if (!is_own_code(e.pc))
        check_races(e, thread, address, value);
    synchronise_after(e, thread, address);
}

// A value, also a vector, counts as read before it was written where none of its bytes was: programs copy structures
// with the holes between their members.
void Checker::check_written(const Event& e, ThreadId thread, Address address) {
    if (e.space == Space::Local && address >= launch_.spill_base)
        return; // registers are no memory of the program, which may copy those without a value
    WrittenBytes* written = &memory;
    Address at = address;
    if (e.space != Space::Global) {
        const auto number =
            static_cast<std::uint32_t>(e.space == Space::Shared ? address >> 32 : thread / launch_.threads_of_block);
        Block* const b = block(number);
        if (b == nullptr)
            return;
        written = e.space == Space::Shared ? &b->written_shared : &b->written_local;
        at = e.space == Space::Shared ? address & UINT32_MAX
                                      : address + Address{launch_.local_bytes} * (thread % launch_.threads_of_block);
    }
    if (e.how != How::Write && !is_own_code(e.pc) && !written->any(at, e.bytes)) {
        Finding finding;
        finding.kind = Kind::Uninitialised;
        finding.space = e.space;
        finding.address = e.space == Space::Shared ? address & UINT32_MAX : address;
        finding.bytes = e.bytes;
        finding.second = place({thread, e.pc, e.how, e.strength});
        report(finding);
    }
    if (e.how != How::Read)
        written->write(at, e.bytes);
}

Histories::Word* Checker::word(const Event& e, Address address) {
    if (e.space == Space::Global)
        return &global_.at(address);
    Block* const b = block(static_cast<std::uint32_t>(address >> 32));
    if (b == nullptr)
        return nullptr;
    if (b->shared.empty())
        b->shared.resize((launch_.shared_bytes + 3) / 4);
    return &b->shared[(address & UINT32_MAX) / 4];
}

void Checker::check_races(const Event& e, ThreadId thread, Address address, const std::byte* value) {
    WordAccess what{.who = e.by_copy && e.how == How::Write ? clocks_.copies_of(thread) : clocks_.accessor(thread),
                    .block = thread / launch_.threads_of_block,
                    .pc = e.pc,
                    .how = e.how,
                    .strength = e.strength};
    std::optional<Party> other;
    for (unsigned at = 0; at < e.bytes;) {
        const auto low = static_cast<unsigned>((address + at) % 4);
        const unsigned here = std::min(4 - low, e.bytes - at);
        if (value != nullptr) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, value + at, here);
            what.value = bits << (8 * low);
        }
        Histories::Word* const w = word(e, address + at);
        if (w == nullptr)
            return;
        const std::optional<Party> found = histories_.access(*w, ((1U << here) - 1) << low, what);
        other = other ? other : found;
        at += here;
    }
    if (!other)
        return;
    Finding finding;
    finding.kind = Kind::Race;
    finding.space = e.space;
    finding.address = e.space == Space::Shared ? address & UINT32_MAX : address;
    finding.bytes = e.bytes;
    finding.first = place(*other);
    finding.second = place({what.who.id, e.pc, e.how, e.strength});
    report(finding);
}

namespace {

// Locations of synchronisation: addresses of shared and of global memory never have the same number.
std::uint64_t location(const Event& e, Address address) {
    return e.space == Space::Shared ? address | std::uint64_t{1} << 63 : address;
}

} // namespace

void Checker::synchronise_before(const Event& e, ThreadId thread, Address address) {
    if (e.by_copy && e.how == How::Atomic)
        clocks_.wait_for_copies(thread, 0, true);
    if (e.strength != Strength::Weak && e.how != How::Write)
        clocks_.acquire(thread, location(e, address));
}

void Checker::synchronise_after(const Event& e, ThreadId thread, Address address) {
    if (e.strength == Strength::Weak || e.how == How::Read)
        return;
    clocks_.release(thread, location(e, address),
                    {.scope = e.strength == Strength::Device ? Scope::Device : Scope::Block,
                     .fenced = e.releases || is_own_code(e.pc),
                     .replaces = e.how == How::Write});
}

} // namespace heddle::check
