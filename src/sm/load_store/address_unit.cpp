#include "sm/load_store/address_unit.h"

#include <algorithm>
#include <bit>

#include "sm/load_store/coalescer.h"

namespace heddle::sm {
namespace {

CacheGeometry geometry(const mem::CacheConfig& config) {
    return {static_cast<unsigned>(std::countr_zero(config.line)), static_cast<std::uint16_t>(config.latency)};
}

} // namespace

AddressUnit::AddressUnit(const config::Machine& machine, unsigned sm, std::size_t flights, bool sends, DataStats& stats)
    : data_config_(dcache_of(machine)), data_(geometry(data_config_)),
      look_ups_(static_cast<unsigned>(machine.get<L1Config>().look_ups)),
      bytes_(static_cast<unsigned>(machine.get<L1Config>().bytes)), sends_(sends),
      private_bytes_(machine.get<PrivateConfig>().bytes_per_thread), threads_(machine.get<CoreConfig>().threads),
      spill_base_(kSpillBase + (Address{sm} << kSpillShift)),
      width_(static_cast<unsigned>(machine.get<CoreConfig>().width)),
      shared_banks_(static_cast<unsigned>(machine.get<SharedConfig>().banks)),
      shared_latency_(static_cast<std::uint16_t>(machine.get<SharedConfig>().latency)),
      cluster_latency_(static_cast<std::uint16_t>(
          std::max(machine.get<ClusterConfig>().latency, machine.get<SharedConfig>().latency))),
      cluster_bytes_(static_cast<unsigned>(machine.get<ClusterConfig>().bytes)),
      shared_window_((machine.get<SharedConfig>().size / (4 * shared_banks_) + 1) * 4 * shared_banks_),
      texture_lines_(flights), stats_(stats) {
    if (const auto constants = machine.get<CCacheConfig>(); constants.size != 0)
        constants_ = geometry(constants);
    if (const auto textures = machine.get<TCacheConfig>(); textures.size != 0)
        textures_ = geometry(textures);
}

void AddressUnit::prepare(PendingAccess& pending, const warp::Flight& flight, const exec::Access& access) {
    const std::uint64_t all = first_lanes(access.count);
    if (access.global == all || ((access.global | access.constant) == all && !constants_))
        prepare_lines(pending, {access.address.data(), access.count}, access, access.bytes, access.ascends);
    else if (access.shared == all)
        prepare_shared(pending, {access.address.data(), access.count}, access);
    else if (flight.op->kind == ir::Kind::Texture)
        prepare_texels(pending, flight.id, access);
    else
        prepare_mixed(pending, access);
}

void AddressUnit::prepare_thread(PendingAccess& pending, const warp::Flight& flight, const exec::Access& access,
                                 unsigned block) {
    ThreadAccess& thread = pending.thread;
    thread = {ThreadAccess::Memory::Data, access.lane[0], access.bytes, access.address[0]};
    std::uint16_t latency = 1;
    if ((access.shared & 1) != 0) {
        thread.memory = ThreadAccess::Memory::Shared;
        thread.address += block * shared_window_;
        latency = (access.other_block & 1) != 0 ? cluster_latency_ : shared_latency_;
    } else if (constants_ && (access.constant & 1) != 0) {
        thread.memory = ThreadAccess::Memory::Constant;
        pending.line[0] = thread.address >> constants_->line_shift;
        pending.lines = 1;
        latency = constants_->latency;
    } else if (flight.op->kind == ir::Kind::Texture) {
        prepare_texels(pending, flight.id, access);
        thread.memory = ThreadAccess::Memory::Texels;
        latency = pending.latency;
    } else if ((access.local & 1) != 0 && thread.address + thread.bytes <= private_bytes_) {
        thread.memory = ThreadAccess::Memory::Private;
    } else {
        if ((access.local & 1) != 0) {
            thread.address = spill_address(access, 0);
            ++stats_.spilled_accesses;
        }
        pending.line[0] = thread.address >> data_.line_shift;
        pending.lines = pending.data_lines = 1;
        pending.bytes[0] = thread.bytes;
        ++stats_.threads;
        stats_.bytes += thread.bytes;
        latency = data_.latency;
    }
    if (!pending.store) // a store's data are not waited for
        pending.latency = latency;
}

void AddressUnit::prepare_lines(PendingAccess& pending, std::span<const Address> addresses, const exec::Access& access,
                                unsigned bytes, bool ascends) {
    stats_.threads += addresses.size();
    stats_.bytes += addresses.size() * bytes;
    pending.line[0] = addresses.front() >> data_.line_shift;
    if (ascends && addresses.back() >> data_.line_shift == pending.line[0]) [[likely]]
        pending.lines = 1;
    else
        pending.lines = static_cast<std::uint8_t>(distinct_lines(addresses, data_.line_shift, pending.line.data()));
    pending.data_lines = pending.lines;
    if (data_config_.sector != 0) [[unlikely]]
        find_sectors(pending, addresses, ascends ? bytes : 0);
    if (access.atomic)
        pending.operations = static_cast<std::uint8_t>(most_on_one_word(addresses));
    if (access.atomic || (access.store && sends_)) {
        count_on_lines(addresses, data_.line_shift, {pending.line.data(), pending.lines}, pending.bytes.data());
        for (unsigned i = 0; i < pending.lines; ++i)
            pending.bytes[i] = static_cast<std::uint16_t>(
                std::min<std::uint64_t>(data_config_.line, std::uint64_t{pending.bytes[i]} * bytes));
    }
    if (data_config_.banks != 0) { // lines are looked up while further words of a bank are served
        const auto banks = static_cast<unsigned>(data_config_.banks);
        const bool once = pending.lines == 1 && data_config_.line <= 4 * banks; // a bank has one word of a line
        unsigned cycles = once ? 1 : bank_cycles(addresses, bytes, banks, ascends);
        stats_.bank_conflicts += cycles - 1;
        if (look_ups_ != 0 || bytes_ != 0)
            cycles = data_cycles(cycles, pending.lines, addresses.size() * bytes);
        pending.bank_cycles = static_cast<std::uint16_t>(cycles);
        pending.per_cycle = static_cast<std::uint8_t>((pending.lines + cycles - 1) / cycles);
    }
}

void AddressUnit::find_sectors(PendingAccess& pending, std::span<const Address> addresses, unsigned step) const {
    const auto shift = static_cast<unsigned>(std::countr_zero(data_config_.sector));
    const Address last = data_config_.line / data_config_.sector - 1;
    if (pending.lines == 1 && step != 0 && have_no_gap(addresses, step)) {
        const auto from = static_cast<unsigned>(addresses.front() >> shift & last);
        const auto to = static_cast<unsigned>(addresses.back() >> shift & last);
        pending.sectors[0] = static_cast<mem::SectorMask>((2U << to) - (1U << from));
        return;
    }
    std::fill_n(pending.sectors.begin(), pending.lines, mem::SectorMask{0});
    std::size_t at = 0; // neighbours mostly lie on one line, or on the next
    for (const Address a : addresses) {
        while (pending.line[at] != a >> data_.line_shift)
            at = at + 1 == pending.lines ? 0 : at + 1;
        pending.sectors[at] = static_cast<mem::SectorMask>(pending.sectors[at] | 1U << (a >> shift & last));
    }
}

// An access to n lines takes 1 + (n - 1) / look_ups_ cycles: what is left of a cycle serves the next access.
unsigned AddressUnit::data_cycles(unsigned banks, unsigned lines, std::uint64_t bytes) {
    unsigned cycles = banks;
    if (bytes_ != 0)
        cycles = std::max(cycles, static_cast<unsigned>((bytes + bytes_ - 1) / bytes_));
    if (look_ups_ == 0)
        return cycles;
    const unsigned look_ups = look_ups_left_ + look_ups_ + lines - 1;
    cycles = std::max(cycles, look_ups / look_ups_);
    look_ups_left_ = look_ups > cycles * look_ups_ ? look_ups - cycles * look_ups_ : 0;
    return cycles;
}

void AddressUnit::prepare_constants(PendingAccess& pending, std::span<const Address> addresses) const {
    pending.lines = static_cast<std::uint8_t>(
        pending.lines + distinct_lines(addresses, constants_->line_shift, pending.line.data() + pending.lines));
    pending.latency = std::max(pending.latency, constants_->latency);
}

// Each line of the texels that threads read takes a look-up. Bulk copies do not use the texture cache.
void AddressUnit::prepare_texels(PendingAccess& pending, warp::FlightId flight, const exec::Access& access) {
    std::vector<Address>& lines = texture_lines_[flight];
    lines.clear();
    const CacheGeometry& cache = textures_ && !pending.uncached ? *textures_ : data_;
    for (const Address texel : access.texels) {
        const Address line = texel >> cache.line_shift;
        if (lines.empty() || (line != lines.back() && std::find(lines.begin(), lines.end(), line) == lines.end()))
            lines.push_back(line);
    }
    pending.texels = true;
    pending.lines = static_cast<std::uint16_t>(lines.size());
    pending.latency = cache.latency;
    ++stats_.loads;
    ++stats_.transactions[std::min<std::size_t>(lines.size(), kMaxWidth)];
}

AddressUnit::Served AddressUnit::served(const exec::Access& access, unsigned entry) const {
    const std::uint64_t bit = std::uint64_t{1} << entry;
    if ((access.shared & bit) != 0)
        return Served::Shared;
    if (constants_ && (access.constant & bit) != 0)
        return Served::Constant;
    if ((access.local & bit) == 0)
        return Served::Cached;
    return access.address[entry] + access.bytes <= private_bytes_ ? Served::Private : Served::Spilled;
}

void AddressUnit::find_lanes(Divergence& divergence, const warp::Flight& flight, const PendingAccess& pending,
                             const exec::Access& access) const {
    divergence.begin(flight);
    unsigned seen = 0; // lines are in order of first appearance; the first `seen` ones have appeared
    for (unsigned i = 0; i < access.count; ++i) {
        const Served by = served(access, i);
        if (by == Served::Shared || by == Served::Private)
            continue;
        const bool constant = by == Served::Constant;
        const Address address = by == Served::Spilled ? spill_address(access, i) : access.address[i];
        const Address line = address >> (constant ? constants_->line_shift : data_.line_shift);
        unsigned index = seen;
        if (!constant && seen < pending.data_lines && pending.line[seen] == line)
            ++seen;
        else
            for (index = constant ? pending.data_lines : 0; pending.line[index] != line;)
                ++index;
        divergence.needs(flight.id, index, access.row[i], access.lane[i]);
        const unsigned words = by == Served::Spilled && rows_are_lines() ? spilled_words(access, i) : 1;
        for (unsigned word = 1; word < words; ++word) {
            const auto end = pending.line.begin() + pending.lines;
            const auto further = std::find(pending.line.begin(), end, line + word * words_apart());
            if (further != end)
                divergence.needs_also(flight.id, static_cast<unsigned>(further - pending.line.begin()));
        }
    }
}

// Lanes access several memories, or none accesses the data cache.
void AddressUnit::prepare_mixed(PendingAccess& pending, const exec::Access& access) {
    std::array<Address, kMaxWidth> cached; // accesses to the data cache
    std::array<Address, kMaxWidth> shared, constant;
    unsigned n_cached = 0, n_spilled = 0, first_spilled = 0, n_shared = 0, n_private = 0, n_constant = 0;
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
            if (n_spilled++ == 0)
                first_spilled = i;
            ++stats_.spilled_accesses;
            break;
        case Served::Cached:
            cached[n_cached++] = access.address[i];
            break;
        }
    }
    if (n_cached != 0 && n_cached == n_spilled && n_constant == 0 && rows_are_lines())
        prepare_spilled(pending, {cached.data(), n_cached}, access, spilled_words(access, first_spilled));
    else if (n_cached != 0)
        prepare_lines(pending, {cached.data(), n_cached}, access, access.bytes, false);
    if (n_constant != 0)
        prepare_constants(pending, {constant.data(), n_constant});
    if (n_private != 0)
        prepare_private(pending, access);
    if (n_shared != 0)
        prepare_shared(pending, {shared.data(), n_shared}, access);
}

// The words of a thread's element lie apart, each in a row of the words of all threads. An access to more lines than
// there is room for has those of its first words; so has one where rows are no whole lines, or whose other threads read
// constants.
void AddressUnit::prepare_spilled(PendingAccess& pending, std::span<const Address> first_words,
                                  const exec::Access& access, unsigned words) {
    const unsigned of_row = std::min<unsigned>(access.bytes, 4);
    prepare_lines(pending, first_words, access, of_row, false);
    const unsigned lines = pending.lines;
    for (unsigned word = 1; word < words && pending.lines + lines <= pending.line.size(); ++word)
        for (unsigned i = 0; i < lines; ++i) {
            const unsigned to = pending.lines++;
            pending.line[to] = pending.line[i] + word * words_apart();
            pending.bytes[to] = pending.bytes[i];
            pending.sectors[to] = pending.sectors[i];
        }
    pending.data_lines = pending.lines;
    pending.bank_cycles = static_cast<std::uint16_t>(pending.bank_cycles * words);
    stats_.bytes += first_words.size() * (words - 1) * 4;
}

// Words of an element that do not lie on chip.
unsigned AddressUnit::spilled_words(const exec::Access& access, unsigned entry) const {
    const Address end = access.address[entry] + access.bytes;
    return std::max(1U, static_cast<unsigned>(std::min<Address>(access.bytes, end - private_bytes_) / 4));
}

// Each lane has a bank: an access takes as many cycles as words.
void AddressUnit::prepare_private(PendingAccess& pending, const exec::Access& access) {
    const unsigned cycles = std::max(1U, access.bytes / 4U);
    ++stats_.private_accesses;
    stats_.private_cycles += cycles;
    pending.bank_cycles = static_cast<std::uint16_t>(pending.bank_cycles + cycles);
}

void AddressUnit::prepare_shared(PendingAccess& pending, std::span<const Address> offsets, const exec::Access& access) {
    unsigned cycles = access.atomic ? atomic_bank_cycles(offsets, access.bytes, shared_banks_)
                                    : bank_cycles(offsets, access.bytes, shared_banks_, access.ascends);
    std::uint16_t latency = shared_latency_;
    if (access.other_block != 0) [[unlikely]] {
        latency = cluster_latency_;
        cycles = std::max(cycles, cluster_cycles(access));
    }
    ++stats_.shared_accesses;
    stats_.shared_cycles += cycles;
    pending.bank_cycles = static_cast<std::uint16_t>(pending.bank_cycles + cycles);
    if (!access.store)
        pending.latency = std::max(pending.latency, latency);
}

// The cycles in which the words for and from other SMs pass between the load/store unit and the network.
unsigned AddressUnit::cluster_cycles(const exec::Access& access) const {
    const unsigned bytes = count_lanes(access.other_block) * access.bytes;
    return cluster_bytes_ == 0 ? 0 : (bytes + cluster_bytes_ - 1) / cluster_bytes_;
}

Address AddressUnit::spill_address(const exec::Access& access, unsigned entry) const {
    const Address beyond = access.address[entry] - std::min<Address>(private_bytes_, access.address[entry]);
    const std::uint64_t thread = std::uint64_t{access.row[entry]} * width_ + access.lane[entry];
    return spill_base_ + (beyond / 4 * threads_ + thread) * 4 + beyond % 4;
}

} // namespace heddle::sm
