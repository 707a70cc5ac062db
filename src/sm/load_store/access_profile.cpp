#include "sm/load_store/access_profile.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sm/frame/core_config.h"
#include "sm/load_store/address_unit.h"
#include "sm/load_store/coalescer.h"

namespace heddle::sm {

using probe::Counter;
using Memory = ThreadAccess::Memory;

namespace {

// Addresses of the threads of one access.
struct Addresses {
    unsigned count = 0;
    std::array<Address, kMaxWidth> address;

    void add(Address a) {
        address[count++] = a;
    }
    [[nodiscard]] std::span<const Address> all() const {
        return {address.data(), count};
    }
};

// The number of different addresses among up to 64. `ascends`: no address is lower than the one before it.
unsigned distinct(std::span<const Address> addresses, bool ascends) {
    if (ascends) {
        unsigned n = addresses.empty() ? 0 : 1;
        for (std::size_t i = 1; i < addresses.size(); ++i)
            n += addresses[i] != addresses[i - 1] ? 1 : 0;
        return n;
    }
    std::array<Address, kMaxWidth> different;
    return distinct_lines(addresses, 0, different.data());
}

// Whether several threads access one 4-byte word.
bool share_words(std::span<const Address> offsets) {
    std::array<Address, kMaxWidth> different;
    return distinct_lines(offsets, 2, different.data()) != offsets.size();
}

unsigned texel_line_bytes(const config::Machine& machine) {
    const auto textures = machine.get<TCacheConfig>();
    return static_cast<unsigned>(textures.size != 0 ? textures.line : machine.get<DCacheConfig>().line);
}

} // namespace

AccessProfile::AccessProfile(probe::SmProfile& profile, const config::Machine& machine)
    : profile_(profile), line_bytes_(static_cast<unsigned>(machine.get<DCacheConfig>().line)),
      texel_line_bytes_(texel_line_bytes(machine)), caches_constants_(machine.get<CCacheConfig>().size != 0),
      private_bytes_(machine.get<PrivateConfig>().bytes_per_thread),
      shared_banks_(static_cast<unsigned>(machine.get<SharedConfig>().banks)) {}

void AccessProfile::prepared(const warp::Flight& flight, const exec::Access& access, const PendingAccess& pending) {
    const LaneMask all = first_lanes(access.count);
    if (pending.texels)
        count_texels(pending, access);
    else if (access.global == all)
        count({.pc = pending.pc,
               .bytes = access.bytes,
               .store = access.store,
               .atomic = access.atomic,
               .ascends = access.ascends,
               .cached = {access.address.data(), access.count},
               .lines = pending.data_lines,
               .operations = pending.operations});
    else if (access.shared == all)
        count({.pc = pending.pc,
               .bytes = access.bytes,
               .store = access.store,
               .atomic = access.atomic,
               .shared = {access.address.data(), access.count},
               .shared_cycles = pending.bank_cycles});
    else
        gather(pending, access);
    await(flight);
}

// Counts an access whose threads use several memories, or local memory or constants.
void AccessProfile::gather(const PendingAccess& pending, const exec::Access& access) {
    Addresses cached, shared;
    Threads threads{.pc = pending.pc,
                    .bytes = access.bytes,
                    .store = access.store,
                    .atomic = access.atomic,
                    .lines = pending.data_lines,
                    .operations = pending.operations};
    for (unsigned i = 0; i < access.count; ++i) {
        const LaneMask bit = LaneMask{1} << i;
        if ((access.shared & bit) != 0)
            shared.add(access.address[i]);
        else if ((access.local & bit) == 0 && !(caches_constants_ && (access.constant & bit) != 0))
            cached.add(access.address[i]);
        else if ((access.local & bit) != 0) {
            ++threads.local;
            threads.spilled += access.address[i] + access.bytes > private_bytes_ ? 1 : 0;
        }
    }
    threads.cached = cached.all();
    threads.shared = shared.all();
    if (shared.count != 0)
        threads.shared_cycles = access.atomic ? atomic_bank_cycles(shared.all(), access.bytes, shared_banks_)
                                              : bank_cycles(shared.all(), access.bytes, shared_banks_);
    count(threads);
}

// Local memory: no two threads access the same bytes.
void AccessProfile::count(const Threads& threads) {
    probe::SmProfile::Instruction& counted = profile_.at(threads.pc);
    const std::uint64_t on_lines = threads.cached.size() + threads.spilled;
    if (on_lines != 0) {
        const std::uint64_t different =
            threads.lines == 1 && threads.spilled == 0 && threads.cached.size() * threads.bytes <= line_bytes_
                ? 1 // the fewest lines are known without it
                : distinct(threads.cached, threads.ascends) + threads.spilled;
        count_lines(threads.pc, on_lines * threads.bytes, different * threads.bytes, threads.lines, line_bytes_);
    }
    if (threads.atomic && !threads.cached.empty()) {
        ++counted[Counter::Atomics];
        counted[Counter::AtomicOperations] += threads.operations;
    }
    if (!threads.shared.empty()) {
        ++counted[Counter::OnChipAccesses];
        counted[Counter::OnChipCycles] += threads.shared_cycles;
        counted[Counter::Broadcasts] += !threads.store && !threads.atomic && share_words(threads.shared) ? 1 : 0;
    }
    if (threads.local != 0) {
        ++counted[Counter::LocalAccesses];
        counted[Counter::LocalBytes] += std::uint64_t{threads.local} * threads.bytes;
    }
}

void AccessProfile::count_texels(const PendingAccess& pending, const exec::Access& access) {
    std::vector<Address> texels = access.texels;
    std::sort(texels.begin(), texels.end());
    const auto different = static_cast<std::uint64_t>(std::unique(texels.begin(), texels.end()) - texels.begin());
    count_lines(pending.pc, access.texels.size() * access.bytes, different * access.bytes, pending.lines,
                pending.uncached ? line_bytes_ : texel_line_bytes_);
}

// An access that asks for `asked` bytes, `distinct` of them different, and touches `lines` lines.
void AccessProfile::count_lines(Pc pc, std::uint64_t asked, std::uint64_t distinct, unsigned lines,
                                unsigned line_bytes) {
    probe::SmProfile::Instruction& counted = profile_.at(pc);
    ++counted[Counter::Accesses];
    counted[Counter::Transactions] += lines;
    counted[Counter::IdealTransactions] += (distinct + line_bytes - 1) / line_bytes;
    counted[Counter::BytesAsked] += asked;
    counted[Counter::BytesMoved] += std::uint64_t{lines} * line_bytes;
}

void AccessProfile::hit(const PendingAccess& pending, unsigned index) {
    if ((!pending.store || pending.atomic) && (pending.texels || index < pending.data_lines))
        ++profile_.at(pending.pc)[Counter::L1Hits];
}

void AccessProfile::came(const PendingAccess& pending, mem::Level level) {
    if (!pending.store || pending.atomic)
        ++profile_.at(pending.pc)[level == mem::Level::Llc ? Counter::LlcHits : Counter::DramAccesses];
}

void AccessProfile::await(const warp::Flight& flight) {
    if (flight.op->dst[0] == ir::kNowhere)
        return;
    if (flight.id >= issues_.size())
        issues_.resize(flight.id + 1U);
    issues_[flight.id] = {flight.group.pc, profile_.now()};
}

void AccessProfile::written(warp::FlightId flight, Cycle now) {
    if (flight >= issues_.size() || issues_[flight].pc == kNoPc)
        return;
    probe::SmProfile::Instruction& counted = profile_.at(issues_[flight].pc);
    ++counted[Counter::Waited];
    counted[Counter::Latency] += now - issues_[flight].at;
    issues_[flight].pc = kNoPc;
}

void AccessProfile::prepared_thread(const warp::Flight& flight, const exec::Access& access,
                                    const PendingAccess& pending) {
    if (pending.texels)
        count_texels(pending, access); // texels on several lines are not shared
    await(flight);
}

void AccessProfile::bundle(std::span<const PendingAccess* const> threads, std::span<const PendingAccess* const> heads) {
    for (std::size_t i = 0; i < threads.size(); ++i) {
        const auto same = [&](const PendingAccess* other) { return other->pc == threads[i]->pc; };
        if (std::none_of(threads.begin(), threads.begin() + static_cast<std::ptrdiff_t>(i), same))
            count_bundle(threads, heads, *threads[i]);
    }
}

// Counts the threads of a bundle that are at the PC of `first`.
void AccessProfile::count_bundle(std::span<const PendingAccess* const> threads,
                                 std::span<const PendingAccess* const> heads, const PendingAccess& first) {
    Addresses cached, shared;
    Threads out{.pc = first.pc, .bytes = first.thread.bytes, .store = first.store, .atomic = first.atomic};
    for (const PendingAccess* thread : threads) {
        if (thread->pc != first.pc)
            continue;
        const Address address = thread->thread.address;
        const bool spilled = thread->thread.memory == Memory::Data && AddressUnit::is_spilled(address);
        if (thread->thread.memory == Memory::Shared)
            shared.add(address);
        else if (thread->thread.memory == Memory::Data && !spilled)
            cached.add(address);
        out.local += spilled || thread->thread.memory == Memory::Private ? 1 : 0;
        out.spilled += spilled ? 1 : 0;
    }
    for (const PendingAccess* head : heads)
        out.lines += head->pc == first.pc && head->thread.memory == Memory::Data ? 1 : 0;
    out.cached = cached.all();
    out.shared = shared.all();
    if (out.atomic && cached.count != 0)
        out.operations = most_on_one_word(cached.all());
    if (shared.count != 0)
        out.shared_cycles = out.atomic ? atomic_bank_cycles(shared.all(), out.bytes, shared_banks_)
                                       : bank_cycles(shared.all(), out.bytes, shared_banks_);
    count(out);
}

} // namespace heddle::sm
