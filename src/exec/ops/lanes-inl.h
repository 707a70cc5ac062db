// Turns a function of one lane into an operation over a row, for the instruction set that is being compiled.
//
//   lanewise<F>   F(a, b, ...) with src[0], src[1], ... into dst[0]. F's parameter and result types say how a lane
//                 is stored: 8 to 32 bits in a 32-bit slot, 64 bits in a 64-bit one, bool in a predicate.
//   each_row<R>   R(op, frame, pool, mask), which computes one row, for each row: R is inlined, so that threads of many
//                 rows cost one call.
//   collect<F>    F(a, b, ...) with a bool result, as a mask of the lanes.
//
// The loops are written so that compilers vectorise them; F must have no unpredictable branches and no traps,
// because it also runs for inactive lanes.

#if defined(HEDDLE_EXEC_OPS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_EXEC_OPS_LANES_INL_H_
#undef HEDDLE_EXEC_OPS_LANES_INL_H_
#else
#define HEDDLE_EXEC_OPS_LANES_INL_H_
#endif

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include <hwy/highway.h>

#include "exec/ops/lane_bits.h"
#include "exec/vector_ops.h"

// Lanes are independent: a source does not overlap the destination, or is at exactly its place (micro_op.h). Clang
// would unroll loops of 32 before it vectorises them.
#if defined(__clang__)
#define HEDDLE_EACH_LANE _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define HEDDLE_EACH_LANE _Pragma("GCC ivdep")
#endif

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {

inline constexpr std::size_t kLanes = kVectorLanes;

template <class T>
using Slot = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
HWY_INLINE T from_slot(Slot<T> bits) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::bit_cast<T>(bits);
    } else {
        return static_cast<T>(bits);
    }
}

// Narrow results are extended to the whole slot by their sign.
template <class T>
HWY_INLINE Slot<T> to_slot(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::bit_cast<Slot<T>>(value);
    } else {
        return static_cast<Slot<T>>(value);
    }
}

template <class Word>
HWY_INLINE Word lane_bit(std::size_t lane) {
    if constexpr (sizeof(Word) == 8) {
        return kLaneBit64[lane];
    } else {
        return kLaneBit[lane];
    }
}

template <class T>
struct Input {
    const Slot<T>* from;
    HWY_INLINE T operator[](std::size_t lane) const {
        return from_slot<T>(from[lane]);
    }
};

template <>
struct Input<bool> {
    std::uint32_t mask;
    HWY_INLINE bool operator[](std::size_t lane) const {
        return (mask & kLaneBit[lane]) != 0;
    }
};

template <class T>
HWY_INLINE Input<T> open(const ir::MicroOp& op, ir::Place place, const std::byte* frame, const std::byte* pool) {
    const std::byte* from = source(place, frame, pool);
    if constexpr (std::is_same_v<T, bool>) {
        std::uint32_t mask;
        std::memcpy(&mask, from, sizeof mask);
        return {op.has(ir::kSourceNegated) ? ~mask : mask};
    } else {
        return {reinterpret_cast<const Slot<T>*>(from)};
    }
}

// Whether full rows have a separate loop. Not for types with many long operations: each loop takes long to compile.
template <class T>
inline constexpr bool has_full_rows = true;

template <auto F, class R, class... A>
HWY_INLINE void write_lanes(Slot<R>* to, std::uint32_t mask, const Input<A>... in) {
    if constexpr (has_full_rows<R> && (... && has_full_rows<A>)) {
        if (HWY_LIKELY(mask == ~std::uint32_t{0})) {
            HEDDLE_EACH_LANE
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                to[lane] = to_slot<R>(F(in[lane]...));
            }
            return;
        }
    }
    const Slot<R> wide_mask = mask;
    HEDDLE_EACH_LANE
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const Slot<R> result = to_slot<R>(F(in[lane]...));
        to[lane] = (wide_mask & lane_bit<Slot<R>>(lane)) != 0 ? result : to[lane];
    }
}

// A mask whose bit i is F of lane i.
template <auto F, class... A>
HWY_INLINE std::uint32_t collect(const Input<A>... in) {
    using Word = std::conditional_t<(... || (sizeof(A) == 8)), std::uint64_t, std::uint32_t>;
    Word bits = 0;
    HEDDLE_EACH_LANE
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        bits |= F(in[lane]...) ? lane_bit<Word>(lane) : Word{0};
    }
    return static_cast<std::uint32_t>(bits);
}

// Writes the bits of a predicate for the lanes in `mask`; no effect for the place kNowhere.
HWY_INLINE void write_predicate(std::byte* frame, ir::Place place, std::uint32_t mask, std::uint32_t bits) {
    if (place == ir::kNowhere) {
        return;
    }
    std::uint32_t old;
    std::memcpy(&old, frame + place, sizeof old);
    const std::uint32_t merged = (old & ~mask) | (bits & mask);
    std::memcpy(frame + place, &merged, sizeof merged);
}

template <class Function>
struct Lanewise;

template <class R, class... A>
struct Lanewise<R (*)(A...)> {
    using Indices = std::index_sequence_for<A...>;

    template <auto F>
    static HWY_INLINE void run(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
        run_with<F>(op, frame, pool, mask, Indices{});
    }

    template <auto F>
    static std::uint32_t bits(const ir::MicroOp& op, std::byte* frame, const std::byte* pool) {
        return bits_with<F>(op, frame, pool, Indices{});
    }

private:
    template <auto F, std::size_t... I>
    static HWY_INLINE void run_with(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask,
                                    std::index_sequence<I...>) {
        if constexpr (std::is_same_v<R, bool>) {
            write_predicate(frame, op.dst[0], mask, bits_with<F>(op, frame, pool, Indices{}));
        } else {
            write_lanes<F, R, A...>(reinterpret_cast<Slot<R>*>(frame + op.dst[0]), mask,
                                    open<A>(op, op.src[I], frame, pool)...);
        }
    }

    template <auto F, std::size_t... I>
    static HWY_INLINE std::uint32_t bits_with(const ir::MicroOp& op, const std::byte* frame, const std::byte* pool,
                                              std::index_sequence<I...>) {
        return collect<F, A...>(open<A>(op, op.src[I], frame, pool)...);
    }
};

using RowOp = void (*)(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask);

template <RowOp Row>
void each_row(const ir::MicroOp& op, const Frames& frames, std::span<const warp::Part> parts) {
    for (const warp::Part& part : parts) {
        Row(op, frames.of(part.row), frames.pool, static_cast<std::uint32_t>(part.lanes));
    }
}

template <auto F>
inline constexpr RowOp lanewise_row = &Lanewise<decltype(F)>::template run<F>;

template <auto F>
inline constexpr VectorOp lanewise = &each_row<lanewise_row<F>>;

// Bits of a bool function over the sources, for any use.
template <auto F>
HWY_INLINE std::uint32_t lane_mask(const ir::MicroOp& op, std::byte* frame, const std::byte* pool) {
    return Lanewise<decltype(F)>::template bits<F>(op, frame, pool);
}

// Choice of an instance by type: make.template operator()<T>() for the T that `type` stands for, null for others.
template <class Make>
VectorOp for_unsigned(ir::Type type, Make make) { // by width: signs have no effect
    using enum ir::Type;
    switch (type) {
    case U16:
    case S16:
    case B16:
        return make.template operator()<std::uint16_t>();
    case U32:
    case S32:
    case B32:
        return make.template operator()<std::uint32_t>();
    case U64:
    case S64:
    case B64:
        return make.template operator()<std::uint64_t>();
    default:
        return nullptr;
    }
}

template <class Make>
auto for_integer(ir::Type type, Make make) -> decltype(make.template operator()<std::uint16_t>()) {
    using enum ir::Type;
    switch (type) {
    case U16:
    case B16:
        return make.template operator()<std::uint16_t>();
    case U32:
    case B32:
        return make.template operator()<std::uint32_t>();
    case U64:
    case B64:
        return make.template operator()<std::uint64_t>();
    case S16:
        return make.template operator()<std::int16_t>();
    case S32:
        return make.template operator()<std::int32_t>();
    case S64:
        return make.template operator()<std::int64_t>();
    default:
        return nullptr;
    }
}

template <class Make>
VectorOp for_float(ir::Type type, Make make) {
    switch (type) {
    case ir::Type::F32:
        return make.template operator()<float>();
    case ir::Type::F64:
        return make.template operator()<double>();
    default:
        return nullptr;
    }
}

} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
