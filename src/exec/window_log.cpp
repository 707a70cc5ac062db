#include "exec/window_log.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <type_traits>

#include "exec/lane_access.h"
#include "exec/vector_ops.h"

namespace heddle::exec {

namespace {

constexpr std::size_t kAddressBytes = kVectorLanes * sizeof(Address);

unsigned lowest(std::uint32_t mask) {
    return static_cast<unsigned>(std::countr_zero(mask));
}
unsigned highest(std::uint32_t mask) {
    return kVectorLanes - 1 - static_cast<unsigned>(std::countl_zero(mask));
}

// Calls f(n) with the number of bytes as a constant, so that copies of n bytes become plain moves.
template <class F>
void with_size(unsigned bytes, F&& f) {
    switch (bytes) {
    case 1:
        return f(std::integral_constant<std::size_t, 1>{});
    case 2:
        return f(std::integral_constant<std::size_t, 2>{});
    case 4:
        return f(std::integral_constant<std::size_t, 4>{});
    case 8:
        return f(std::integral_constant<std::size_t, 8>{});
    case 16:
        return f(std::integral_constant<std::size_t, 16>{});
    default:
        return f(std::integral_constant<std::size_t, GlobalRow::kMaxBytes>{});
    }
}

// Registers among the operands of an atomic operation: from src[1] on.
std::size_t operand_count(const ir::MicroOp& op) {
    std::size_t count = 1;
    while (count < 4 && op.src[1 + count] != ir::kNowhere)
        ++count;
    return count;
}

} // namespace

std::size_t WindowLog::room(std::size_t bytes) {
    const std::size_t at = used_;
    used_ += bytes;
    if (used_ > bytes_.size())
        bytes_.resize(std::max(used_, 2 * bytes_.size()));
    return at;
}

void WindowLog::note_allocation(Address allocation) {
    if (allocation == GlobalRow::kSeveral) {
        stored_anywhere_ = true;
        return;
    }
    if (stored_to(allocation))
        return;
    if (allocations_ == allocation_.size())
        stored_anywhere_ = true;
    else
        allocation_[allocations_++] = allocation;
}

std::byte* WindowLog::store(Cycle now, const GlobalRow& row) {
    assert(records_.empty() || records_.back().cycle <= now);
    note_allocation(row.allocation);
    const std::size_t data_bytes = std::size_t{kVectorLanes} * row.bytes;
    Record record{now, 0, 0, 0, row.mask, row.bytes, row.consecutive, nullptr, nullptr, nullptr};
    if (row.consecutive) {
        const unsigned first = lowest(row.mask);
        record.low = row.address[first] - Address{first} * row.bytes;
        record.high = record.low + Address{highest(row.mask) + 1} * row.bytes;
        for (Address g = row.address[first] >> kGranuleShift; g <= (record.high - 1) >> kGranuleShift; ++g)
            put_in_filter(g);
        record.at = room(data_bytes);
        records_.push_back(record);
        return &bytes_[record.at];
    }
    record.low = row.address[lowest(row.mask)];
    Address last = record.low;
    for_each_lane(row.mask, [&](unsigned i) {
        const Address a = row.address[i];
        record.low = std::min(record.low, a);
        last = std::max(last, a);
        put_in_filter(a >> kGranuleShift);
    });
    record.high = last + row.bytes;
    record.at = room(kAddressBytes + data_bytes);
    records_.push_back(record);
    std::memcpy(&bytes_[record.at], row.address, kAddressBytes);
    return &bytes_[record.at + kAddressBytes];
}

void WindowLog::atomic(Cycle now, const GlobalRow& row, const ir::MicroOp& op, LaneMove move, std::byte* frame,
                       const std::byte* pool) {
    assert(records_.empty() || records_.back().cycle <= now);
    const std::size_t operand_bytes = std::size_t{kVectorLanes} * op.dst_bytes;
    const std::size_t operands = operand_count(op);
    const std::size_t at = room(kAddressBytes + operands * operand_bytes);
    records_.push_back({now, 0, 0, at, row.mask, row.bytes, false, move, &op, frame});
    std::memcpy(&bytes_[at], row.address, kAddressBytes);
    std::byte* operand = &bytes_[at + kAddressBytes];
    for (std::size_t k = 0; k < operands; ++k)
        std::memcpy(operand + k * operand_bytes, source(op.src[1 + k], frame, pool), operand_bytes);
}

std::uint32_t WindowLog::lanes_in_granules(const GlobalRow& row) const {
    if (row.consecutive || row.uniform) {
        const unsigned first = lowest(row.mask);
        const Address steps = row.uniform ? 0 : highest(row.mask) - first;
        const Address low = row.address[first];
        const Address last = (low + steps * row.bytes) >> kGranuleShift;
        for (Address g = low >> kGranuleShift; g <= last; ++g)
            if (in_filter(g))
                return row.mask;
        return 0;
    }
    std::uint32_t lanes = 0;
    for_each_lane(row.mask,
                  [&](unsigned i) { lanes |= std::uint32_t{in_filter(row.address[i] >> kGranuleShift)} << i; });
    return lanes;
}

// Calls f(address, data, bytes) for the pieces that a store writes, in order of lanes.
template <class F>
void WindowLog::for_each_run(const Record& r, F&& f) const {
    const std::byte* data = &bytes_[r.at];
    if (r.consecutive) {
        for (std::uint32_t m = r.mask; m != 0; m &= m + (m & (~m + 1))) { // without its lowest run of ones
            const unsigned first = lowest(m);
            const auto lanes = static_cast<unsigned>(std::countr_one(m >> first));
            f(r.low + Address{first} * r.bytes, data + std::size_t{first} * r.bytes, std::size_t{lanes} * r.bytes);
        }
        return;
    }
    const auto* address = reinterpret_cast<const Address*>(data);
    data += kAddressBytes;
    with_size(r.bytes, [&](auto n) { for_each_lane(r.mask, [&](unsigned i) { f(address[i], data + i * n, n); }); });
}

void WindowLog::read(const GlobalRow& row, std::uint32_t lanes, std::byte* data) const {
    with_size(row.bytes, [&](auto bytes) { read_lanes<bytes>(row.address, lanes, data); });
}

template <std::size_t kBytes>
void WindowLog::read_lanes(const Address* address, std::uint32_t lanes, std::byte* data) const {
    Address low = address[lowest(lanes)];
    Address high = low;
    std::array<std::uint64_t, 4>
        granules{}; // a filter: avoids comparing every lane of the log with every lane of the row
    const auto word = [](Address at) { return (at >> (kGranuleShift + 6)) % 4; };
    const auto bit = [](Address at) { return std::uint64_t{1} << ((at >> kGranuleShift) % 64); };
    for_each_lane(lanes, [&](unsigned i) {
        low = std::min(low, address[i]);
        high = std::max(high, address[i] + kBytes);
        granules[word(address[i])] |= bit(address[i]);
        std::memcpy(data + i * kBytes, image_->host(address[i]), kBytes);
    });
    for (const Record& r : records_) {
        if (r.move != nullptr || r.high <= low || high <= r.low)
            continue;
        for_each_run(r, [&](Address at, const std::byte* from, std::size_t n) {
            if (!r.consecutive && (granules[word(at)] & bit(at)) == 0)
                return;
            for_each_lane(lanes, [&](unsigned i) {
                const Address to = address[i];
                std::byte* out = data + i * kBytes;
                if (n >= kBytes && to - at <= n - kBytes) {
                    std::memcpy(out, from + (to - at), kBytes);
                    return;
                }
                const Address begin = std::max(at, to);
                const Address end = std::min(at + n, to + kBytes);
                if (begin < end)
                    std::memcpy(out + (begin - to), from + (begin - at), end - begin);
            });
        });
    }
}

void WindowLog::apply(const Record& r) const {
    if (r.move == nullptr)
        return for_each_run(r,
                            [&](Address at, const std::byte* from, auto n) { std::memcpy(image_->host(at), from, n); });
    // The operation, with its operands taken from the log.
    ir::MicroOp op = *r.op;
    for (std::size_t k = 0, operands = operand_count(op); k < operands; ++k)
        op.src[1 + k] = ir::kPool | static_cast<ir::Place>(k * kVectorLanes * op.dst_bytes);
    const std::byte* at = &bytes_[r.at];
    const std::uint64_t delta = reinterpret_cast<std::uint64_t>(image_->host(kGlobalBase)) - kGlobalBase;
    const HostRow memory{reinterpret_cast<const Address*>(at), delta, 0, r.mask};
    r.move(op, r.frame, at + kAddressBytes, memory, r.mask);
}

Cycle WindowLog::apply_cycle(Cycle cycle) {
    for (; applied_ < records_.size(); ++applied_) {
        if (records_[applied_].cycle != cycle)
            return records_[applied_].cycle;
        apply(records_[applied_]);
    }
    return kNever;
}

void WindowLog::apply(WindowLog* first) {
    Cycle cycle = kNever;
    for (const WindowLog* log = first; log != nullptr; log = log->next)
        cycle = std::min(cycle, log->records_.front().cycle);
    while (first != nullptr) {
        Cycle following = kNever;
        for (WindowLog** link = &first; *link != nullptr;) {
            WindowLog& log = **link;
            const Cycle its = log.apply_cycle(cycle);
            following = std::min(following, its);
            if (its != kNever) {
                link = &log.next;
                continue;
            }
            *link = log.next;
            log.clear();
        }
        cycle = following;
    }
}

void WindowLog::clear() {
    if (allocations_ != 0 || stored_anywhere_)
        filter_.fill(0);
    allocations_ = 0;
    stored_anywhere_ = false;
    records_.clear();
    applied_ = 0;
    used_ = 0;
}

} // namespace heddle::exec
