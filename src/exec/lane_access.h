// What instructions that go from lane to lane share: operands of a lane, and the entries of an access.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exec/executor.h"
#include "exec/segment.h"
#include "exec/vector_ops.h"

namespace heddle::exec {

// Calls f(lane) for each lane of the mask, in ascending order.
template <class F>
void for_each_lane(std::uint32_t mask, F&& f) {
    for (; mask != 0; mask &= mask - 1)
        f(static_cast<unsigned>(std::countr_zero(mask)));
}

// A source of lane i of a segment, which has as many bytes as T.
template <class T>
T lane_value(ir::Place place, const Segment& s, const std::byte* pool, unsigned i) {
    T value;
    std::memcpy(&value, source(place, s.frame, pool) + std::size_t{i} * sizeof value, sizeof value);
    return value;
}

// Adds an entry of lane i of a segment.
inline void enter(const Segment& s, unsigned i, Address address, Access& access) {
    access.address[access.count] = address;
    access.lane[access.count] = static_cast<std::uint8_t>(s.lane(i));
    access.row[access.count] = s.row;
    ++access.count;
}

} // namespace heddle::exec
