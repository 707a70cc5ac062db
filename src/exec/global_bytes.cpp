#include "exec/global_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/frame.h"
#include "exec/lane_move.h"

namespace heddle::exec {

using ir::MicroOp;

namespace {

// Rows of lanes, side by side, that cover a range: calls f(row, offset in the range).
template <class F>
void for_each_row(Address address, std::uint32_t bytes, std::uint32_t element, F&& f) {
    std::array<Address, kVectorLanes> at{};
    for (std::uint32_t offset = 0; offset < bytes;) {
        const std::uint32_t lanes = std::min<std::uint32_t>(kVectorLanes, (bytes - offset) / element);
        for (unsigned i = 0; i < kVectorLanes; ++i)
            at[i] = address + offset + std::uint64_t{i} * element;
        f(GlobalRow{at.data(), static_cast<std::uint32_t>(first_lanes(lanes)), static_cast<std::uint8_t>(element),
                    true},
          offset);
        offset += lanes * element;
    }
}

// The largest element of up to 16 bytes of which a range consists.
std::uint32_t element_of(Address address, std::uint32_t bytes) {
    return 1U << std::countr_zero(address | bytes | 16);
}

} // namespace

const MicroOp* Reductions::of(ir::Sub how, ir::Type type) {
    for (const MicroOp& known : known_)
        if (known.type == type && known.sub == how)
            return &known;
    MicroOp op;
    op.opcode = ir::Opcode::Red;
    op.kind = ir::Kind::Atomic;
    op.space = ir::Space::Global;
    op.type = type;
    op.sub = how;
    op.src[1] = slot_place(0);
    op.dst_bytes = ptx::size_of(type) == 8 ? 8 : 4;
    return select_atomic(op) == nullptr ? nullptr : &known_.emplace_back(op);
}

void GlobalBytes::read(Address address, std::uint32_t bytes, std::byte* to) const {
    std::memcpy(to, global_.image.host(address), bytes);
    if (!global_.windowed || global_.log.empty())
        return;
    for_each_row(address, bytes, element_of(address, bytes), [&](const GlobalRow& row, std::uint32_t offset) {
        if (const std::uint32_t stored = global_.log.perhaps_stored(row); stored != 0)
            global_.log.read(row, stored, to + offset);
    });
}

void GlobalBytes::write(Address address, std::uint32_t bytes, const std::byte* from) {
    if (!global_.windowed) {
        std::memcpy(global_.image.host(address), from, bytes);
        return;
    }
    for_each_row(address, bytes, element_of(address, bytes), [&](const GlobalRow& row, std::uint32_t offset) {
        std::memcpy(global_.log.store(global_.now, row), from + offset, std::size_t{count_lanes(row.mask)} * row.bytes);
    });
}

template <class Apply>
void GlobalBytes::reduce_rows(const MicroOp& reduction, Address address, std::uint32_t bytes, const std::byte* from,
                              Apply&& apply) {
    const std::uint32_t element = ptx::size_of(reduction.type);
    for_each_row(address, bytes, element, [&](const GlobalRow& row, std::uint32_t offset) {
        for (unsigned i = 0; i < count_lanes(row.mask); ++i)
            std::memcpy(&operands_[std::size_t{i} * reduction.dst_bytes], from + offset + std::size_t{i} * element,
                        element);
        apply(row);
    });
}

void GlobalBytes::reduce(const MicroOp& reduction, Address address, std::uint32_t bytes, const std::byte* from) {
    const LaneMove move = select_atomic(reduction);
    reduce_rows(reduction, address, bytes, from, [&](const GlobalRow& row) {
        if (global_.windowed)
            return global_.log.atomic(global_.now, row, reduction, move, operands_.data(), nullptr);
        move(reduction, operands_.data(), nullptr, {row.address, global_.host_delta(), 0, row.mask}, row.mask);
    });
}

void GlobalBytes::reduce_host(const MicroOp& reduction, std::byte* at, std::uint32_t bytes, const std::byte* from) {
    const LaneMove move = select_atomic(reduction);
    reduce_rows(reduction, reinterpret_cast<std::uint64_t>(at), bytes, from, [&](const GlobalRow& row) {
        move(reduction, operands_.data(), nullptr, {row.address, 0, 0, 0}, row.mask);
    });
}

} // namespace heddle::exec
