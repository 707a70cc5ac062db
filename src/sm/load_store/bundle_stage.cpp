// The load/store unit for bundles of threads: accesses are merged when the bundle comes to the unit.
#include "sm/load_store/bundle_stage.h"

#include <algorithm>

#include "sm/load_store/coalescer.h"

namespace heddle::sm {

using warp::FlightId;
using warp::kNoFlight;
using Memory = ThreadAccess::Memory;
using Kind = Bundle::Kind;

namespace {

// The 4-byte words that a bundle accesses in a banked memory.
struct Words {
    static constexpr unsigned kMost = 4; // words of a thread: vector accesses have 16 bytes
    unsigned count = 0;
    std::array<Address, kMaxWidth * kMost> address; // not initialised, because a Words is made for each bundle

    void add(const ThreadAccess& thread) {
        for (unsigned byte = 0; byte == 0 || byte < thread.bytes; byte += 4)
            address[count++] = thread.address + byte;
    }
    [[nodiscard]] unsigned cycles(unsigned banks) const {
        return count == 0 ? 0 : bank_cycles({address.data(), count}, 4, banks);
    }
    [[nodiscard]] unsigned atomic_cycles(unsigned banks) const {
        return count == 0 ? 0 : atomic_bank_cycles({address.data(), count}, 4, banks);
    }
};

Kind kind_of(Memory memory, bool store, bool atomic) {
    if (memory == Memory::Constant)
        return Kind::Constant;
    if (memory == Memory::Texels)
        return Kind::Texels;
    return atomic ? Kind::Atomic : store ? Kind::Store : Kind::Load;
}

} // namespace

void BundleStage::prepare(const warp::Flight& flight, const exec::Access& access, unsigned block) {
    PendingAccess& pending = unit_.pending_.use(flight.id);
    pending.start(flight, access);
    pending.thread = {};
    if (access.count != 0)
        unit_.addresses_.prepare_thread(pending, flight, access, block);
    if (access.count != 0 && unit_.profile_) [[unlikely]]
        unit_.profile_->prepared_thread(flight, access, pending);
}

LoadStoreUnit::Step BundleStage::step(FlightId first, Cycle now) {
    Bundle& b = bundle_;
    if (!b.open)
        open(first);
    for (unsigned n = 0; n < b.per_cycle && b.next < b.lines; ++n) {
        const FlightId head = b.head[b.next];
        if (unit_.pending_[head].store && unit_.data_.is_filled(now)) { // fills have priority on the write port
            ++unit_.stats_.port_conflicts;
            break;
        }
        unit_.take_line(unit_.flights_[head], unit_.pending_[head], now);
        if (unit_.pending_[head].next == unit_.pending_[head].lines)
            ++b.next;
    }
    if (b.bank_cycles != 0)
        --b.bank_cycles;
    if (b.next < b.lines)
        return LoadStoreUnit::Step::Line;
    if (b.bank_cycles != 0)
        return LoadStoreUnit::Step::Bank;
    close(first);
    return LoadStoreUnit::Step::Done;
}

void BundleStage::open(FlightId first) {
    Bundle& b = bundle_;
    b.open = true;
    b.lines = b.next = 0;
    b.per_cycle = 1;
    Words data, shared, shared_atomic;
    std::array<std::uint16_t, kMaxWidth> private_words{}; // by bank
    unsigned private_cycles = 0;
    for (FlightId f = first; f != kNoFlight; f = unit_.flights_[f].along) {
        const PendingAccess& pending = unit_.pending_[f];
        const ThreadAccess& thread = pending.thread;
        if (thread.memory == Memory::Data || thread.memory == Memory::Constant || thread.memory == Memory::Texels)
            merge_line(f);
        if (thread.memory == Memory::Data && unit_.data_.config().banks != 0)
            data.add(thread);
        if (thread.memory == Memory::Shared)
            (pending.atomic ? shared_atomic : shared).add(thread);
        if (thread.memory == Memory::Private) {
            std::uint16_t& words = private_words[thread.lane];
            words = static_cast<std::uint16_t>(words + std::max(1, thread.bytes / 4));
            private_cycles = std::max<unsigned>(private_cycles, words);
        }
    }
    for (unsigned line = 0; line < b.lines; ++line)
        prepare_line(b.head[line]);
    const unsigned data_cycles = data.cycles(static_cast<unsigned>(unit_.data_.config().banks));
    const unsigned shared_cycles =
        shared.cycles(unit_.addresses_.shared_banks()) + shared_atomic.atomic_cycles(unit_.addresses_.shared_banks());
    b.bank_cycles = static_cast<std::uint16_t>(std::max({data_cycles, shared_cycles, private_cycles}));
    if (data_cycles != 0)
        b.per_cycle = static_cast<std::uint8_t>((b.lines + data_cycles - 1) / data_cycles);
    count(data_cycles, shared_cycles, private_cycles);
    if (unit_.profile_) [[unlikely]]
        profile(first);
}

void BundleStage::profile(FlightId first) {
    std::vector<const PendingAccess*> threads, heads;
    for (FlightId f = first; f != kNoFlight; f = unit_.flights_[f].along)
        if (const PendingAccess& access = unit_.pending_[f]; access.thread.memory != Memory::None && !access.texels)
            threads.push_back(&access);
    for (unsigned line = 0; line < bundle_.lines; ++line)
        heads.push_back(&unit_.pending_[bundle_.head[line]]);
    unit_.profile_->bundle(threads, heads);
}

// The first thread on a line requests it; later threads on that line wait with it.
void BundleStage::merge_line(FlightId f) {
    Bundle& b = bundle_;
    const PendingAccess& pending = unit_.pending_[f];
    Address line = pending.line[0];
    if (pending.thread.memory == Memory::Texels) // texels on several lines are not shared
        line = pending.lines == 1 ? unit_.addresses_.texture_lines(f)[0] : ~Address{f};
    const Address key = Bundle::key_of(line, kind_of(pending.thread.memory, pending.store, pending.atomic));
    const unsigned at = b.find(key);
    if (at == b.lines) {
        b.key[at] = key;
        b.head[at] = b.tail[at] = f;
        ++b.lines;
        return;
    }
    unit_.pending_[b.tail[at]].rider = f;
    b.tail[at] = f;
}

// Makes the pending access of a line's first thread that of all its threads.
void BundleStage::prepare_line(FlightId head) {
    PendingAccess& pending = unit_.pending_[head];
    if (pending.atomic) {
        std::array<Address, kMaxWidth> words;
        unsigned n = 0;
        for (FlightId f = head; f != kNoFlight; f = unit_.pending_[f].rider)
            words[n++] = unit_.pending_[f].thread.address;
        pending.operations = static_cast<std::uint8_t>(most_on_one_word({words.data(), n}));
    }
    const bool sends = pending.store && unit_.data_.sends_stores(pending.thread.address);
    if (sends)
        pending.sent = unit_.stores_.open(unit_.flights_[head].group, 1);
    for (FlightId f = pending.rider; f != kNoFlight; f = unit_.pending_[f].rider) {
        if (sends)
            unit_.stores_.join(pending.sent, unit_.flights_[f].group);
        pending.bytes[0] = static_cast<std::uint16_t>(std::min<std::uint64_t>(
            unit_.data_.config().line, std::uint64_t{pending.bytes[0]} + unit_.pending_[f].thread.bytes));
    }
}

// A bundle counts as one instruction of each kind of access that is in it.
void BundleStage::count(unsigned data_cycles, unsigned shared_cycles, unsigned private_cycles) {
    const Bundle& b = bundle_;
    unit_.stats_.loads += b.has(Kind::Load) || b.has(Kind::Constant) || b.has(Kind::Texels) ? 1 : 0;
    unit_.stats_.stores += b.has(Kind::Store) ? 1 : 0;
    unit_.stats_.atomics += b.has(Kind::Atomic) ? 1 : 0;
    unit_.stats_.transactions[b.lines] += b.lines != 0 ? 1 : 0;
    unit_.stats_.bank_conflicts += data_cycles != 0 ? data_cycles - 1 : 0;
    unit_.stats_.shared_accesses += shared_cycles != 0 ? 1 : 0;
    unit_.stats_.shared_cycles += shared_cycles;
    unit_.stats_.private_accesses += private_cycles != 0 ? 1 : 0;
    unit_.stats_.private_cycles += private_cycles;
}

// The bundle leaves the load/store unit: sets what each of its threads waits for.
void BundleStage::close(FlightId first) {
    Bundle& b = bundle_;
    b.open = false;
    for (unsigned line = 0; line < b.lines; ++line)
        for (FlightId f = unit_.pending_[b.head[line]].rider; f != kNoFlight; f = unit_.pending_[f].rider)
            unit_.flights_[f].lines_left = unit_.flights_[b.head[line]].lines_left;
    for (FlightId f = first; f != kNoFlight; f = unit_.flights_[f].along) {
        PendingAccess& pending = unit_.pending_[f];
        if (pending.fence)
            unit_.flights_[f].lines_left = unit_.stores_.fence(unit_.flights_[f]) ? 1 : 0;
        pending.leave(unit_.flights_[f].lines_left != 0);
        unit_.stats_.put_aside += unit_.flights_[f].lines_left != 0 ? 1 : 0;
    }
}

} // namespace heddle::sm
