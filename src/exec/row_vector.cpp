#include "exec/row_vector.h"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/row_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::rows::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::CappedTag<std::uint64_t, 8>;
using D32 = hn::CappedTag<std::uint32_t, 16>;
using D16 = hn::CappedTag<std::uint16_t, 32>;
using D8 = hn::CappedTag<std::uint8_t, 32>;

// Lanes [first, first + N) of a bit mask.
template <class D>
HWY_INLINE hn::Mask<D> lanes_of(D d, std::uint32_t mask, unsigned first) {
    using T = hn::TFromD<D>;
    const auto bit = hn::Shl(hn::Set(d, T{1}), hn::Iota(d, static_cast<T>(first)));
    return hn::TestBit(hn::Set(d, static_cast<T>(mask)), bit);
}

template <class D>
HWY_INLINE hn::Vec<D> base_at(D d, const std::byte* base, bool wide, unsigned lane) {
    if (wide)
        return hn::Load(d, reinterpret_cast<const std::uint64_t*>(base) + lane);
    const hn::Rebind<std::uint32_t, D> half;
    return hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const std::uint32_t*>(base) + lane));
}

HWY_INLINE void extremes(const Address* address, std::uint32_t mask, AddressScan& result) {
    const D64 d;
    const unsigned n = static_cast<unsigned>(hn::Lanes(d));
    const auto substitute = hn::Set(d, result.first);
    auto min = substitute;
    auto max = substitute;
    auto bits = substitute;
    for (unsigned i = 0; i < kVectorLanes; i += n) {
        auto a = hn::Load(d, address + i);
        if (mask != ~0U)
            a = hn::IfThenElse(lanes_of(d, mask, i), a, substitute);
        min = hn::Min(min, a);
        max = hn::Max(max, a);
        bits = hn::Or(bits, a);
    }
    alignas(64) std::uint64_t lane[3][8];
    hn::Store(min, d, lane[0]);
    hn::Store(max, d, lane[1]);
    hn::Store(bits, d, lane[2]);
    for (unsigned i = 0; i < n; ++i) {
        result.min = lane[0][i] < result.min ? lane[0][i] : result.min;
        result.max = lane[1][i] > result.max ? lane[1][i] : result.max;
        result.bits |= lane[2][i];
    }
}

void scan(const std::byte* base, bool wide, std::int64_t displacement, std::uint32_t mask, unsigned bytes,
          Address* address, AddressScan& result) {
    const D64 d;
    const unsigned n = static_cast<unsigned>(hn::Lanes(d));
    const auto first_lane = static_cast<unsigned>(std::countr_zero(mask));
    const auto last_lane = 31U - static_cast<unsigned>(std::countl_zero(mask));
    const Address first_base = wide ? reinterpret_cast<const std::uint64_t*>(base)[first_lane]
                                    : reinterpret_cast<const std::uint32_t*>(base)[first_lane];
    result.first = first_base + static_cast<Address>(displacement);

    const auto shift = hn::Set(d, static_cast<std::uint64_t>(displacement));
    const auto same = hn::Set(d, result.first);
    const auto step = hn::Set(d, static_cast<std::uint64_t>(n) * bytes);
    const std::uint64_t log2_bytes = static_cast<unsigned>(std::countr_zero(bytes));
    auto expected = hn::Add(hn::Set(d, result.first - std::uint64_t{first_lane} * bytes),
                            hn::Shl(hn::Iota(d, std::uint64_t{0}), hn::Set(d, log2_bytes)));
    auto differs_from_row = hn::Zero(d);
    auto differs_from_first = hn::Zero(d);
    for (unsigned i = 0; i < kVectorLanes; i += n) {
        const auto a = hn::Add(base_at(d, base, wide, i), shift);
        hn::Store(a, d, address + i);
        auto from_row = hn::Xor(a, expected);
        auto from_first = hn::Xor(a, same);
        if (mask != ~0U) {
            const auto active = lanes_of(d, mask, i);
            from_row = hn::IfThenElseZero(active, from_row);
            from_first = hn::IfThenElseZero(active, from_first);
        }
        differs_from_row = hn::Or(differs_from_row, from_row);
        differs_from_first = hn::Or(differs_from_first, from_first);
        expected = hn::Add(expected, step);
    }
    const auto zero = hn::Zero(d);
    result.uniform = hn::AllTrue(d, hn::Eq(differs_from_first, zero));
    const Address last = result.first + std::uint64_t{last_lane - first_lane} * bytes;
    // A row that wraps around the end of the address space would hide from the check of its ends.
    result.consecutive = last >= result.first && hn::AllTrue(d, hn::Eq(differs_from_row, zero));
    result.min = result.first;
    result.bits = result.first;
    if (result.uniform)
        result.max = result.first;
    else if (result.consecutive)
        result.max = last;
    else {
        result.max = result.first;
        extremes(address, mask, result);
    }
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void copy(std::byte* to, const std::byte* from, std::uint32_t mask) {
    const D d;
    const unsigned n = static_cast<unsigned>(hn::Lanes(d));
    T* out = reinterpret_cast<T*>(to);
    const T* in = reinterpret_cast<const T*>(from);
    if (mask == ~0U) {
        for (unsigned i = 0; i < kVectorLanes; i += n)
            hn::Store(hn::LoadU(d, in + i), d, out + i);
        return;
    }
    for (unsigned i = 0; i < kVectorLanes; i += n)
        hn::Store(hn::IfThenElse(lanes_of(d, mask, i), hn::LoadU(d, in + i), hn::Load(d, out + i)), d, out + i);
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void fill(std::byte* to, T value, std::uint32_t mask) {
    const D d;
    const unsigned n = static_cast<unsigned>(hn::Lanes(d));
    T* out = reinterpret_cast<T*>(to);
    const auto v = hn::Set(d, value);
    for (unsigned i = 0; i < kVectorLanes; i += n)
        hn::Store(mask == ~0U ? v : hn::IfThenElse(lanes_of(d, mask, i), v, hn::Load(d, out + i)), d, out + i);
}

void copy32(std::byte* to, const std::byte* from, std::uint32_t mask) {
    copy<D32>(to, from, mask);
}
void copy64(std::byte* to, const std::byte* from, std::uint32_t mask) {
    copy<D64>(to, from, mask);
}
void fill32(std::byte* to, std::uint32_t value, std::uint32_t mask) {
    fill<D32>(to, value, mask);
}
void fill64(std::byte* to, std::uint64_t value, std::uint32_t mask) {
    fill<D64>(to, value, mask);
}

void record(Address* to, std::uint8_t* lanes, RowId* rows, const Address* address, unsigned first_lane, RowId row) {
    const D64 d64;
    for (unsigned i = 0; i < kVectorLanes; i += static_cast<unsigned>(hn::Lanes(d64)))
        hn::StoreU(hn::Load(d64, address + i), d64, to + i);
    const D8 d8;
    for (unsigned i = 0; i < kVectorLanes; i += static_cast<unsigned>(hn::Lanes(d8)))
        hn::StoreU(hn::Iota(d8, static_cast<std::uint8_t>(first_lane + i)), d8, lanes + i);
    const D16 d16;
    for (unsigned i = 0; i < kVectorLanes; i += static_cast<unsigned>(hn::Lanes(d16)))
        hn::StoreU(hn::Set(d16, row), d16, rows + i);
}

} // namespace heddle::exec::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace heddle::exec {
namespace rows {
namespace {

HWY_EXPORT(scan);
HWY_EXPORT(copy32);
HWY_EXPORT(copy64);
HWY_EXPORT(fill32);
HWY_EXPORT(fill64);
HWY_EXPORT(record);

RowVectorOps choose() {
    hwy::GetChosenTarget().Update(hwy::SupportedTargets()); // else the tables give their choose-and-call entries
    return {HWY_DYNAMIC_DISPATCH(scan),   HWY_DYNAMIC_DISPATCH(copy32), HWY_DYNAMIC_DISPATCH(copy64),
            HWY_DYNAMIC_DISPATCH(fill32), HWY_DYNAMIC_DISPATCH(fill64), HWY_DYNAMIC_DISPATCH(record)};
}

} // namespace
} // namespace rows

const RowVectorOps& row_vector_ops() {
    static const RowVectorOps ops = rows::choose();
    return ops;
}

} // namespace heddle::exec

#endif
