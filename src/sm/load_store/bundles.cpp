// The memory stage for bundles of threads: their accesses are merged when the bundle comes to it.
#include <algorithm>

#include "sm/load_store/coalescer.h"
#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

using warp::FlightId;
using warp::kNoFlight;
using Memory = ThreadAccess::Memory;
using Kind = Bundle::Kind;

namespace {

// The 4-byte words that a bundle accesses in a banked memory.
struct Words {
    static constexpr unsigned kMost = 4; // of a thread: vector accesses have 16 bytes
    unsigned count = 0;
    std::array<Address, kMaxWidth * kMost> address; // not initialised: this is made for each bundle

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

void LoadStoreUnit::prepare_thread(const warp::Flight& flight, const exec::Access& access, unsigned block) {
    PendingAccess& pending = pending_[flight.id];
    pending.start(access);
    ThreadAccess& thread = pending.thread;
    thread = {};
    if (access.count == 0)
        return;
    thread = {Memory::Data, access.lane[0], access.bytes, access.address[0]};
    std::uint16_t latency = 1;
    if ((access.shared & 1) != 0) {
        thread.memory = Memory::Shared;
        thread.address += block * shared_window_;
        latency = shared_latency_;
    } else if (constants_ && (access.constant & 1) != 0) {
        thread.memory = Memory::Constant;
        pending.line[0] = thread.address >> constants_->line_shift();
        pending.lines = 1;
        latency = constant_latency_;
    } else if (flight.op->kind == ir::Kind::Texture) {
        prepare_texels(pending, flight.id, access);
        thread.memory = Memory::Texels;
        latency = pending.latency;
    } else if ((access.local & 1) != 0 && thread.address + thread.bytes <= private_bytes_) {
        thread.memory = Memory::Private;
    } else {
        if ((access.local & 1) != 0) {
            thread.address = spill_address(access, 0);
            ++stats_.spilled_accesses;
        }
        pending.line[0] = thread.address >> cache_.line_shift();
        pending.lines = pending.data_lines = 1;
        pending.bytes[0] = thread.bytes;
        latency = static_cast<std::uint16_t>(config_.latency);
    }
    if (!pending.store) // nothing waits for the data of a store
        pending.latency = latency;
}

LoadStoreUnit::Step LoadStoreUnit::step_bundle(FlightId first, Cycle now) {
    Bundle& b = bundle_;
    if (!b.open)
        open_bundle(first);
    for (unsigned n = 0; n < b.per_cycle && b.next < b.lines; ++n) {
        const FlightId head = b.head[b.next];
        if (pending_[head].store && fill_cycle_ == now) { // fills go first on the write port
            ++stats_.port_conflicts;
            break;
        }
        take_line(flights_[head], pending_[head], now);
        if (pending_[head].next == pending_[head].lines)
            ++b.next;
    }
    if (b.bank_cycles != 0)
        --b.bank_cycles;
    if (b.next < b.lines)
        return Step::Line;
    if (b.bank_cycles != 0)
        return Step::Bank;
    close_bundle(first);
    return Step::Done;
}

void LoadStoreUnit::open_bundle(FlightId first) {
    Bundle& b = bundle_;
    b.open = true;
    b.lines = b.next = 0;
    b.per_cycle = 1;
    Words data, shared, shared_atomic;
    std::array<std::uint16_t, kMaxWidth> private_words{}; // by bank
    unsigned private_cycles = 0;
    for (FlightId f = first; f != kNoFlight; f = flights_[f].along) {
        const PendingAccess& pending = pending_[f];
        const ThreadAccess& thread = pending.thread;
        if (thread.memory == Memory::Data || thread.memory == Memory::Constant || thread.memory == Memory::Texels)
            merge_line(f);
        if (thread.memory == Memory::Data && config_.banks != 0)
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
    const unsigned data_cycles = data.cycles(static_cast<unsigned>(config_.banks));
    const unsigned shared_cycles = shared.cycles(shared_banks_) + shared_atomic.atomic_cycles(shared_banks_);
    b.bank_cycles = static_cast<std::uint16_t>(std::max({data_cycles, shared_cycles, private_cycles}));
    if (data_cycles != 0)
        b.per_cycle = static_cast<std::uint8_t>((b.lines + data_cycles - 1) / data_cycles);
    count_bundle(data_cycles, shared_cycles, private_cycles);
}

// The first thread on a line asks for it; the others ride along.
void LoadStoreUnit::merge_line(FlightId f) {
    Bundle& b = bundle_;
    const PendingAccess& pending = pending_[f];
    Address line = pending.line[0];
    if (pending.thread.memory == Memory::Texels) // of several lines: nobody rides along
        line = pending.lines == 1 ? texture_lines_[f][0] : ~Address{f};
    const Address key = Bundle::key_of(line, kind_of(pending.thread.memory, pending.store, pending.atomic));
    const unsigned at = b.find(key);
    if (at == b.lines) {
        b.key[at] = key;
        b.head[at] = b.tail[at] = f;
        ++b.lines;
        return;
    }
    pending_[b.tail[at]].rider = f;
    b.tail[at] = f;
}

// Makes the pending of a line's first thread that of all its threads.
void LoadStoreUnit::prepare_line(FlightId head) {
    PendingAccess& pending = pending_[head];
    if (pending.atomic) {
        std::array<Address, kMaxWidth> words;
        unsigned n = 0;
        for (FlightId f = head; f != kNoFlight; f = pending_[f].rider)
            words[n++] = pending_[f].thread.address;
        pending.operations = static_cast<std::uint8_t>(most_on_one_word({words.data(), n}));
    }
    const bool sends = pending.store && policy_of(pending.thread.address) != Write::Back;
    if (sends)
        pending.sent = stores_.open(flights_[head].group, 1);
    for (FlightId f = pending.rider; f != kNoFlight; f = pending_[f].rider) {
        if (sends)
            stores_.join(pending.sent, flights_[f].group);
        pending.bytes[0] = static_cast<std::uint16_t>(
            std::min<std::uint64_t>(config_.line, std::uint64_t{pending.bytes[0]} + pending_[f].thread.bytes));
    }
}

// A bundle counts as one instruction of each kind of access that is in it.
void LoadStoreUnit::count_bundle(unsigned data_cycles, unsigned shared_cycles, unsigned private_cycles) {
    const Bundle& b = bundle_;
    stats_.loads += b.has(Kind::Load) || b.has(Kind::Constant) || b.has(Kind::Texels) ? 1 : 0;
    stats_.stores += b.has(Kind::Store) ? 1 : 0;
    stats_.atomics += b.has(Kind::Atomic) ? 1 : 0;
    stats_.transactions[b.lines] += b.lines != 0 ? 1 : 0;
    stats_.bank_conflicts += data_cycles != 0 ? data_cycles - 1 : 0;
    stats_.shared_accesses += shared_cycles != 0 ? 1 : 0;
    stats_.shared_cycles += shared_cycles;
    stats_.private_accesses += private_cycles != 0 ? 1 : 0;
    stats_.private_cycles += private_cycles;
}

// The bundle leaves the memory stage: what each of its threads waits for from now on.
void LoadStoreUnit::close_bundle(FlightId first) {
    Bundle& b = bundle_;
    b.open = false;
    for (unsigned line = 0; line < b.lines; ++line)
        for (FlightId f = pending_[b.head[line]].rider; f != kNoFlight; f = pending_[f].rider)
            flights_[f].lines_left = flights_[b.head[line]].lines_left;
    for (FlightId f = first; f != kNoFlight; f = flights_[f].along) {
        PendingAccess& pending = pending_[f];
        pending.left = true;
        if (pending.fence)
            flights_[f].lines_left = stores_.fence(flights_[f]) ? 1 : 0;
        stats_.put_aside += flights_[f].lines_left != 0 ? 1 : 0;
    }
}

} // namespace heddle::sm
