// What an access will have to do in the memory stage: worked out when it executes.
#include <algorithm>

#include "sm/load_store/coalescer.h"
#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

void LoadStoreUnit::prepare(const warp::Flight& flight, const exec::Access& access) {
    PendingAccess& pending = pending_[flight.id];
    pending.start(access);
    if (access.count == 0)
        return;
    const std::uint64_t all = first_lanes(access.count);
    if (access.global == all || ((access.global | access.constant) == all && !constants_))
        prepare_lines(pending, {access.address.data(), access.count}, access);
    else if (access.shared == all)
        prepare_shared(pending, {access.address.data(), access.count}, access);
    else if (flight.op->kind == ir::Kind::Texture)
        return prepare_texels(pending, flight.id, access);
    else
        prepare_mixed(pending, access);
    if (divergence_)
        find_lanes(flight.id, pending, access);
    if (pending.lines == 0)
        return;
    ++(access.atomic ? stats_.atomics : access.store ? stats_.stores : stats_.loads);
    ++stats_.transactions[pending.lines];
    if (!pending.store) { // nothing waits for the data of a store
        if (pending.data_lines != 0)
            pending.latency = std::max(pending.latency, static_cast<std::uint16_t>(config_.latency));
        return;
    }
    if (config_.ideal) // done in the memory stage
        return;
    unsigned sent = 0;
    for (unsigned i = 0; i < pending.data_lines; ++i)
        sent += policy_of(pending.line[i] << cache_.line_shift()) == Write::Back ? 0 : 1;
    // Where its threads do not wait at a store, their fences and exits have to.
    pending.into_line = holds_ && sent != pending.data_lines;
    sent += pending.into_line ? 1 : 0;
    if (sent != 0)
        pending.sent = stores_.open(flight.group, sent);
}

void LoadStoreUnit::prepare_fence(const warp::Flight& flight) {
    PendingAccess& pending = pending_[flight.id];
    pending.lines = pending.data_lines = pending.next = 0;
    pending.bank_cycles = 0;
    pending.latency = 1;
    pending.fence = true;
    pending.left = pending.into_line = false;
    ++stats_.fences;
}

void LoadStoreUnit::prepare_lines(PendingAccess& pending, std::span<const Address> addresses,
                                  const exec::Access& access) {
    pending.lines = static_cast<std::uint8_t>(distinct_lines(addresses, cache_.line_shift(), pending.line.data()));
    pending.data_lines = pending.lines;
    if (access.atomic)
        pending.operations = static_cast<std::uint8_t>(most_on_one_word(addresses));
    const bool sends = write_ != Write::Back || write_local_ != Write::Back || !config_.write_allocate;
    if (access.atomic || (access.store && sends)) {
        count_on_lines(addresses, cache_.line_shift(), {pending.line.data(), pending.lines}, pending.bytes.data());
        for (unsigned i = 0; i < pending.lines; ++i)
            pending.bytes[i] = static_cast<std::uint16_t>(
                std::min<std::uint64_t>(config_.line, std::uint64_t{pending.bytes[i]} * access.bytes));
    }
    if (config_.banks != 0) { // look-ups go on while further words of a bank are served
        const unsigned cycles = bank_cycles(addresses, access.bytes, static_cast<unsigned>(config_.banks));
        stats_.bank_conflicts += cycles - 1;
        pending.bank_cycles = static_cast<std::uint16_t>(cycles);
        pending.per_cycle = static_cast<std::uint8_t>((pending.lines + cycles - 1) / cycles);
    }
}

void LoadStoreUnit::prepare_constants(PendingAccess& pending, std::span<const Address> addresses) {
    pending.lines = static_cast<std::uint8_t>(
        pending.lines + distinct_lines(addresses, constants_->line_shift(), pending.line.data() + pending.lines));
    pending.latency = std::max(pending.latency, constant_latency_);
}

// Each line of the texels that threads read takes a look-up.
void LoadStoreUnit::prepare_texels(PendingAccess& pending, warp::FlightId flight, const exec::Access& access) {
    std::vector<Address>& lines = texture_lines_[flight];
    lines.clear();
    const unsigned shift = textures_ ? textures_->line_shift() : cache_.line_shift();
    for (const Address texel : access.texels) {
        const Address line = texel >> shift;
        if (lines.empty() || (line != lines.back() && std::find(lines.begin(), lines.end(), line) == lines.end()))
            lines.push_back(line);
    }
    pending.texels = true;
    pending.lines = static_cast<std::uint16_t>(lines.size());
    pending.latency = textures_ ? texture_latency_ : static_cast<std::uint16_t>(config_.latency);
    ++stats_.loads;
    ++stats_.transactions[std::min<std::size_t>(lines.size(), kMaxWidth)];
}

LoadStoreUnit::Served LoadStoreUnit::served(const exec::Access& access, unsigned entry) const {
    const std::uint64_t bit = std::uint64_t{1} << entry;
    if ((access.shared & bit) != 0)
        return Served::Shared;
    if (constants_ && (access.constant & bit) != 0)
        return Served::Constant;
    if ((access.local & bit) == 0)
        return Served::Cached;
    return access.address[entry] + access.bytes <= private_bytes_ ? Served::Private : Served::Spilled;
}

// Which lanes need which line.
void LoadStoreUnit::find_lanes(warp::FlightId flight, const PendingAccess& pending, const exec::Access& access) {
    divergence_->begin(flight);
    unsigned seen = 0; // lines are in order of first appearance: up to where they have appeared
    for (unsigned i = 0; i < access.count; ++i) {
        const Served by = served(access, i);
        if (by == Served::Shared || by == Served::Private)
            continue;
        const bool constant = by == Served::Constant;
        const Address address = by == Served::Spilled ? spill_address(access, i) : access.address[i];
        const Address line = address >> (constant ? constants_->line_shift() : cache_.line_shift());
        unsigned index = seen;
        if (!constant && seen < pending.data_lines && pending.line[seen] == line)
            ++seen;
        else
            for (index = constant ? pending.data_lines : 0; pending.line[index] != line;)
                ++index;
        divergence_->needs(flight, index, access.row[i], access.lane[i]);
    }
}

// Lanes in several memories, or none in the data cache.
void LoadStoreUnit::prepare_mixed(PendingAccess& pending, const exec::Access& access) {
    std::array<Address, kMaxWidth> cached; // what goes through the data cache
    std::array<Address, kMaxWidth> shared, constant;
    unsigned n_cached = 0, n_shared = 0, n_private = 0, n_constant = 0;
    for (unsigned i = 0; i < access.count; ++i) {
        switch (served(access, i)) {
        case Served::Shared:
            shared[n_shared++] = access.address[i];
            break;
        case Served::Constant:
            constant[n_constant++] = access.address[i];
            break;
        case Served::Private:
            ++n_private;
            break;
        case Served::Spilled:
            cached[n_cached++] = spill_address(access, i);
            ++stats_.spilled_accesses;
            break;
        case Served::Cached:
            cached[n_cached++] = access.address[i];
            break;
        }
    }
    if (n_cached != 0)
        prepare_lines(pending, {cached.data(), n_cached}, access);
    if (n_constant != 0)
        prepare_constants(pending, {constant.data(), n_constant});
    if (n_private != 0) { // a bank a lane: as many cycles as words
        const unsigned cycles = std::max(1U, access.bytes / 4U);
        ++stats_.private_accesses;
        stats_.private_cycles += cycles;
        pending.bank_cycles = static_cast<std::uint16_t>(pending.bank_cycles + cycles);
    }
    if (n_shared != 0)
        prepare_shared(pending, {shared.data(), n_shared}, access);
}

void LoadStoreUnit::prepare_shared(PendingAccess& pending, std::span<const Address> offsets,
                                   const exec::Access& access) {
    const unsigned cycles = access.atomic ? atomic_bank_cycles(offsets, access.bytes, shared_banks_)
                                          : bank_cycles(offsets, access.bytes, shared_banks_);
    ++stats_.shared_accesses;
    stats_.shared_cycles += cycles;
    pending.bank_cycles = static_cast<std::uint16_t>(pending.bank_cycles + cycles);
    if (!access.store)
        pending.latency = std::max(pending.latency, shared_latency_);
}

Address LoadStoreUnit::spill_address(const exec::Access& access, unsigned entry) const {
    const Address beyond = access.address[entry] - std::min<Address>(private_bytes_, access.address[entry]);
    const std::uint64_t thread = std::uint64_t{access.row[entry]} * width_ + access.lane[entry];
    return spill_base_ + (beyond / 4 * threads_ + thread) * 4 + beyond % 4;
}

} // namespace heddle::sm
