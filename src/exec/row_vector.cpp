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

// Lanes [first, first + N) of a bit mask.
template <class D>
HWY_INLINE hn::Mask<D> lanes_of(D d, std::uint32_t mask, unsigned first) {
    using T = hn::TFromD<D>;
    const auto bit = hn::Shl(hn::Set(d, T{1}), hn::Iota(d, static_cast<T>(first)));
    return hn::TestBit(hn::Set(d, static_cast<T>(mask)), bit);
}

// Addresses of lanes from `lane` on. A sum with a base of 32 bits has 32 bits.
template <bool kWide, class D>
HWY_INLINE hn::Vec<D> addresses_at(D d, const AddressQuery& q, unsigned lane) {
    const auto displacement = static_cast<std::uint64_t>(q.displacement);
    if constexpr (kWide)
        return hn::Add(hn::Load(d, reinterpret_cast<const std::uint64_t*>(q.base) + lane), hn::Set(d, displacement));
    const hn::Rebind<std::uint32_t, D> half;
    const auto base = hn::LoadU(half, reinterpret_cast<const std::uint32_t*>(q.base) + lane);
    return hn::PromoteTo(d, hn::Add(base, hn::Set(half, static_cast<std::uint32_t>(displacement))));
}

template <bool kFull, bool kWide>
HWY_INLINE void scan_lanes(const AddressQuery& q, Address* address, AddressScan& result) {
    const D64 d;
    const unsigned n = static_cast<unsigned>(hn::Lanes(d));
    const unsigned first_lane = kFull ? 0 : static_cast<unsigned>(std::countr_zero(q.mask));
    const auto displacement = static_cast<Address>(q.displacement);
    result.first =
        kWide ? reinterpret_cast<const std::uint64_t*>(q.base)[first_lane] + displacement
              : static_cast<std::uint32_t>(reinterpret_cast<const std::uint32_t*>(q.base)[first_lane] + displacement);

    const auto same = hn::Set(d, result.first);
    const auto begin = hn::Set(d, q.begin);
    const auto span = hn::Set(d, q.span);
    const auto misaligned = hn::Set(d, std::uint64_t{q.bytes} - 1);
    const auto step = hn::Set(d, std::uint64_t{n} * q.bytes);
    const auto log2_bytes = hn::Set(d, static_cast<std::uint64_t>(std::countr_zero(q.bytes)));
    auto expected =
        hn::Add(hn::Set(d, result.first - std::uint64_t{first_lane} * q.bytes), hn::Shl(hn::Iota(d, 0), log2_bytes));
    auto differs_from_row = hn::Zero(d);
    auto differs_from_first = hn::Zero(d);
    auto bad = hn::Zero(d);
    for (unsigned i = 0; i < kVectorLanes; i += n) {
        const auto a = addresses_at<kWide>(d, q, i);
        hn::StoreU(a, d, address + i);
        auto from_row = hn::Xor(a, expected);
        auto from_first = hn::Xor(a, same);
        auto wrong = hn::Or(hn::VecFromMask(d, hn::Gt(hn::Sub(a, begin), span)), hn::And(a, misaligned));
        if constexpr (!kFull) {
            const auto active = lanes_of(d, q.mask, i);
            from_row = hn::IfThenElseZero(active, from_row);
            from_first = hn::IfThenElseZero(active, from_first);
            wrong = hn::IfThenElseZero(active, wrong);
        }
        differs_from_row = hn::Or(differs_from_row, from_row);
        differs_from_first = hn::Or(differs_from_first, from_first);
        bad = hn::Or(bad, wrong);
        expected = hn::Add(expected, step);
    }
    const auto zero = hn::Zero(d);
    result.good = hn::AllTrue(d, hn::Eq(bad, zero));
    result.uniform = hn::AllTrue(d, hn::Eq(differs_from_first, zero));
    result.consecutive = hn::AllTrue(d, hn::Eq(differs_from_row, zero));
}

void scan(const AddressQuery& query, Address* address, AddressScan& result) {
    const bool full = query.mask == ~0U;
    if (query.wide)
        full ? scan_lanes<true, true>(query, address, result) : scan_lanes<false, true>(query, address, result);
    else
        full ? scan_lanes<true, false>(query, address, result) : scan_lanes<false, false>(query, address, result);
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

RowVectorOps choose() {
    hwy::GetChosenTarget().Update(
        hwy::SupportedTargets()); // without it the tables hold entries that choose the target at each call
    return {HWY_DYNAMIC_DISPATCH(scan), HWY_DYNAMIC_DISPATCH(copy32), HWY_DYNAMIC_DISPATCH(copy64),
            HWY_DYNAMIC_DISPATCH(fill32), HWY_DYNAMIC_DISPATCH(fill64)};
}

} // namespace
} // namespace rows

const RowVectorOps& row_vector_ops() {
    static const RowVectorOps ops = rows::choose();
    return ops;
}

} // namespace heddle::exec

#endif
