// What an access will have to do in the memory stage: worked out when it executes.
#include <algorithm>

#include "sm/load_store/coalescer.h"
#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

void DataPath::prepare(const warp::Flight& flight, const exec::Access& access) {
    Job& job = jobs_[flight.id];
    job.start(access);
    if (access.count == 0)
        return;
    const std::uint64_t all = first_lanes(access.count);
    if (access.global == all || ((access.global | access.constant) == all && !constants_))
        prepare_lines(job, {access.address.data(), access.count}, access);
    else if (access.shared == all)
        prepare_shared(job, {access.address.data(), access.count}, access);
    else if (flight.op->kind == ir::Kind::Texture)
        return prepare_texels(job, flight.id, access);
    else
        prepare_mixed(job, access);
    if (divergence_)
        find_lanes(flight.id, job, access);
    if (job.lines == 0)
        return;
    ++(access.atomic ? stats_.atomics : access.store ? stats_.stores : stats_.loads);
    ++stats_.transactions[job.lines];
    if (!job.store) { // nothing waits for the data of a store
        if (job.data_lines != 0)
            job.latency = std::max(job.latency, static_cast<std::uint16_t>(config_.latency));
        return;
    }
    if (config_.ideal) // done in the memory stage
        return;
    unsigned sent = 0;
    for (unsigned i = 0; i < job.data_lines; ++i)
        sent += policy_of(job.line[i] << cache_.line_shift()) == Write::Back ? 0 : 1;
    // Where its threads do not wait at a store, their fences and exits have to.
    job.into_line = holds_ && sent != job.data_lines;
    sent += job.into_line ? 1 : 0;
    if (sent != 0)
        job.sent = stores_.open(flight.group, sent);
}

void DataPath::prepare_fence(const warp::Flight& flight) {
    Job& job = jobs_[flight.id];
    job.lines = job.data_lines = job.next = 0;
    job.bank_cycles = 0;
    job.latency = 1;
    job.fence = true;
    job.left = job.into_line = false;
    ++stats_.fences;
}

void DataPath::prepare_lines(Job& job, std::span<const Address> addresses, const exec::Access& access) {
    job.lines = static_cast<std::uint8_t>(mem::distinct_lines(addresses, cache_.line_shift(), job.line.data()));
    job.data_lines = job.lines;
    if (access.atomic)
        job.operations = static_cast<std::uint8_t>(mem::most_on_one_word(addresses));
    const bool sends = write_ != Write::Back || write_local_ != Write::Back || !config_.write_allocate;
    if (access.atomic || (access.store && sends)) {
        mem::count_on_lines(addresses, cache_.line_shift(), {job.line.data(), job.lines}, job.bytes.data());
        for (unsigned i = 0; i < job.lines; ++i)
            job.bytes[i] = static_cast<std::uint16_t>(
                std::min<std::uint64_t>(config_.line, std::uint64_t{job.bytes[i]} * access.bytes));
    }
    if (config_.banks != 0) { // look-ups go on while further words of a bank are served
        const unsigned cycles = mem::bank_cycles(addresses, access.bytes, static_cast<unsigned>(config_.banks));
        stats_.bank_conflicts += cycles - 1;
        job.bank_cycles = static_cast<std::uint16_t>(cycles);
        job.per_cycle = static_cast<std::uint8_t>((job.lines + cycles - 1) / cycles);
    }
}

void DataPath::prepare_constants(Job& job, std::span<const Address> addresses) {
    job.lines = static_cast<std::uint8_t>(
        job.lines + mem::distinct_lines(addresses, constants_->line_shift(), job.line.data() + job.lines));
    job.latency = std::max(job.latency, constant_latency_);
}

// Each line of the texels that threads read takes a look-up.
void DataPath::prepare_texels(Job& job, warp::FlightId flight, const exec::Access& access) {
    std::vector<Address>& lines = texture_lines_[flight];
    lines.clear();
    const unsigned shift = textures_ ? textures_->line_shift() : cache_.line_shift();
    for (const Address texel : access.texels) {
        const Address line = texel >> shift;
        if (lines.empty() || (line != lines.back() && std::find(lines.begin(), lines.end(), line) == lines.end()))
            lines.push_back(line);
    }
    job.texels = true;
    job.lines = static_cast<std::uint16_t>(lines.size());
    job.latency = textures_ ? texture_latency_ : static_cast<std::uint16_t>(config_.latency);
    ++stats_.loads;
    ++stats_.transactions[std::min<std::size_t>(lines.size(), kMaxWidth)];
}

DataPath::Served DataPath::served(const exec::Access& access, unsigned entry) const {
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
void DataPath::find_lanes(warp::FlightId flight, const Job& job, const exec::Access& access) {
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
        if (!constant && seen < job.data_lines && job.line[seen] == line)
            ++seen;
        else
            for (index = constant ? job.data_lines : 0; job.line[index] != line;)
                ++index;
        divergence_->needs(flight, index, access.row[i], access.lane[i]);
    }
}

// Lanes in several memories, or none in the data cache.
void DataPath::prepare_mixed(Job& job, const exec::Access& access) {
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
        prepare_lines(job, {cached.data(), n_cached}, access);
    if (n_constant != 0)
        prepare_constants(job, {constant.data(), n_constant});
    if (n_private != 0) { // a bank a lane: as many cycles as words
        const unsigned cycles = std::max(1U, access.bytes / 4U);
        ++stats_.private_accesses;
        stats_.private_cycles += cycles;
        job.bank_cycles = static_cast<std::uint16_t>(job.bank_cycles + cycles);
    }
    if (n_shared != 0)
        prepare_shared(job, {shared.data(), n_shared}, access);
}

void DataPath::prepare_shared(Job& job, std::span<const Address> offsets, const exec::Access& access) {
    const unsigned cycles = access.atomic ? mem::atomic_bank_cycles(offsets, access.bytes, shared_banks_)
                                          : mem::bank_cycles(offsets, access.bytes, shared_banks_);
    ++stats_.shared_accesses;
    stats_.shared_cycles += cycles;
    job.bank_cycles = static_cast<std::uint16_t>(job.bank_cycles + cycles);
    if (!access.store)
        job.latency = std::max(job.latency, shared_latency_);
}

Address DataPath::spill_address(const exec::Access& access, unsigned entry) const {
    const Address beyond = access.address[entry] - std::min<Address>(private_bytes_, access.address[entry]);
    const std::uint64_t thread = std::uint64_t{access.row[entry]} * width_ + access.lane[entry];
    return spill_base_ + (beyond / 4 * threads_ + thread) * 4 + beyond % 4;
}

} // namespace heddle::sm
