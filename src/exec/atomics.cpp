// Atomic operations: read, modify and write, one lane after the other.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "exec/copy_arrival.h"
#include "exec/lane_move.h"
#include "exec/ops/sums.h"
#include "exec/vector_ops.h"
#include "ir/barrier_object.h"

namespace heddle::exec {

namespace {

using ir::MicroOp;
using ir::Sub;
using ptx::Type;

// The bytes of a lane of a register: 16-bit values lie in 32 bits.
template <class T>
inline constexpr std::size_t kLaneBytes = std::max(sizeof(T), sizeof(std::uint32_t));

template <class T>
T operand(const std::byte* at, unsigned lane) {
    T value;
    std::memcpy(&value, at + lane * kLaneBytes<T>, sizeof(T));
    return value;
}

// Formats in memory whose sums have PTX's NaNs. A pair is two numbers of 16 bits.
struct F64 {
    double value;
    friend F64 operator+(F64 a, F64 b) {
        return {ops::sum_f64(a.value, b.value)};
    }
};
// The lesser or the greater of two numbers of 16 bits, as min and max have it: a NaN only of two, -0 below +0.
// `infinity`: the bits of the format's.
std::uint16_t bound(std::uint16_t a, std::uint16_t b, bool greater, unsigned infinity) {
    constexpr unsigned kSign = 0x8000, kMagnitude = 0x7fff, kNan = 0x7fff;
    const auto is_nan = [&](unsigned bits) { return (bits & kMagnitude) > infinity; };
    const auto place = [](unsigned bits) {
        return (bits & kSign) != 0 ? kMagnitude - (bits & kMagnitude) : bits | kSign;
    };
    if (is_nan(a) || is_nan(b))
        return is_nan(a) && is_nan(b) ? std::uint16_t{kNan} : is_nan(a) ? b : a;
    return (place(a) < place(b)) == greater ? b : a;
}
struct F16 {
    std::uint16_t bits;
    friend F16 operator+(F16 a, F16 b) {
        return {ops::sum_f16(a.bits, b.bits)};
    }
    friend F16 bound_of(F16 a, F16 b, bool greater) {
        return {bound(a.bits, b.bits, greater, 0x7c00)};
    }
};
struct BF16 {
    std::uint16_t bits;
    friend BF16 operator+(BF16 a, BF16 b) {
        return {ops::sum_bf16(a.bits, b.bits)};
    }
    friend BF16 bound_of(BF16 a, BF16 b, bool greater) {
        return {bound(a.bits, b.bits, greater, 0x7f80)};
    }
};
template <class H>
struct Pair {
    H low, high;
    friend Pair operator+(Pair a, Pair b) {
        return {a.low + b.low, a.high + b.high};
    }
    friend Pair bound_of(Pair a, Pair b, bool greater) {
        return {bound_of(a.low, b.low, greater), bound_of(a.high, b.high, greater)};
    }
};

template <class F>
F flushed(F value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(F{0}, value) : value;
}

// An update of a barrier object; ir/barrier_object.h has the layouts of both. Later phases do not expect the arrivals
// that drop out.
std::uint64_t arrived(std::uint64_t object, std::uint64_t update, bool drop) {
    using namespace ir::barrier_object;
    const std::uint64_t many = object & kMany;
    const unsigned count_bits = many != 0 ? kManyBits : kCountBits;
    const std::uint64_t count = mask(count_bits);
    const std::uint64_t arrivals = update >> 32;
    const std::uint64_t expected = ((object >> count_bits) - (drop ? arrivals : 0)) & count;
    const std::uint64_t pending = (object - arrivals) & count;
    const std::uint64_t bytes = // modulo 2^22: the sign needs no extension
        many != 0 ? 0 : ((object >> kTxShift) + update) & mask(kTxBits);
    const bool over = pending == 0 && bytes == 0;
    const std::uint64_t phase = (object & kPhase) ^ (over ? kPhase : 0);
    return phase | many | bytes << kTxShift | expected << count_bits | (over ? expected : pending);
}

template <Sub kOp, class T>
T apply(T old, T b, [[maybe_unused]] T c) {
    if constexpr (kOp == Sub::AtomAnd)
        return old & b;
    else if constexpr (kOp == Sub::AtomOr)
        return old | b;
    else if constexpr (kOp == Sub::AtomXor)
        return old ^ b;
    else if constexpr (kOp == Sub::AtomExch)
        return b;
    else if constexpr (kOp == Sub::AtomCas)
        return old == b ? c : old;
    else if constexpr (kOp == Sub::AtomInc)
        return old >= b ? T{0} : old + 1;
    else if constexpr (kOp == Sub::AtomDec)
        return old == 0 || old > b ? b : old - 1;
    else if constexpr (kOp == Sub::AtomMin || kOp == Sub::AtomMax) {
        constexpr bool kGreater = kOp == Sub::AtomMax;
        if constexpr (std::is_arithmetic_v<T>)
            return (old < b) == kGreater ? b : old;
        else
            return bound_of(old, b, kGreater);
    } else if constexpr (kOp == Sub::AtomArrive || kOp == Sub::AtomArriveDrop)
        return arrived(old, b, kOp == Sub::AtomArriveDrop);
    else {
        static_assert(kOp == Sub::AtomAdd);
        return old + b;
    }
}

template <Sub kOp, class T>
void update(const MicroOp& op, std::byte* frame, const std::byte* pool, const HostRow& memory, std::uint32_t mask) {
    const std::byte* b = source(op.src[1], frame, pool);
    const std::byte* c = kOp == Sub::AtomCas ? source(op.src[2], frame, pool) : b;
    std::byte* dst = op.dst[0] == ir::kNowhere ? nullptr : frame + op.dst[0];
    for (; mask != 0; mask &= mask - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(mask));
        std::byte* at = memory.at(i);
        T old;
        std::memcpy(&old, at, sizeof old);
        T value;
        if constexpr (std::is_same_v<T, float>) {
            // PTX ISA, "atom": add.f32 flushes subnormal inputs and results on global memory, but not on shared memory.
            const bool flush = ((memory.global >> i) & 1) != 0;
            const float x = operand<T>(b, i);
            value = flush ? flushed(flushed(old) + flushed(x)) : old + x;
            if (std::isnan(value)) // PTX's one NaN of f32 arithmetic
                value = std::bit_cast<float>(0x7fffffffU);
        } else {
            value = apply<kOp, T>(old, operand<T>(b, i), operand<T>(c, i));
        }
        std::memcpy(at, &value, sizeof value);
        if (dst != nullptr)
            std::memcpy(dst + i * kLaneBytes<T>, &old, sizeof old);
    }
}

// 128 bits: operands and result in two registers of 64 bits each, the lower first.
struct Halves {
    std::uint64_t low, high;
    friend bool operator==(const Halves&, const Halves&) = default;
};

template <Sub kOp>
void update_wide(const MicroOp& op, std::byte* frame, const std::byte* pool, const HostRow& memory,
                 std::uint32_t mask) {
    const auto read = [&](std::size_t first, unsigned lane) {
        return Halves{operand<std::uint64_t>(source(op.src[first], frame, pool), lane),
                      operand<std::uint64_t>(source(op.src[first + 1], frame, pool), lane)};
    };
    for (; mask != 0; mask &= mask - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(mask));
        std::byte* at = memory.at(i);
        Halves old;
        std::memcpy(&old, at, sizeof old);
        const Halves value = apply<kOp, Halves>(old, read(1, i), read(kOp == Sub::AtomCas ? 3 : 1, i));
        std::memcpy(at, &value, sizeof value);
        if (op.dst[0] != ir::kNowhere) {
            std::memcpy(frame + op.dst[0] + i * sizeof old.low, &old.low, sizeof old.low);
            std::memcpy(frame + op.dst[1] + i * sizeof old.high, &old.high, sizeof old.high);
        }
    }
}

// Bitwise operations, and operations that test for equality only: signs have no effect.
template <class U>
LaneMove bits(Sub op) {
    switch (op) {
    case Sub::AtomAnd:
        return update<Sub::AtomAnd, U>;
    case Sub::AtomOr:
        return update<Sub::AtomOr, U>;
    case Sub::AtomXor:
        return update<Sub::AtomXor, U>;
    case Sub::AtomExch:
        return update<Sub::AtomExch, U>;
    case Sub::AtomCas:
        return update<Sub::AtomCas, U>;
    default:
        return nullptr;
    }
}

template <class T>
LaneMove integer(Sub op) {
    using U = std::make_unsigned_t<T>;
    switch (op) {
    case Sub::AtomAdd:
        return update<Sub::AtomAdd, U>;
    case Sub::AtomMin:
        return update<Sub::AtomMin, T>;
    case Sub::AtomMax:
        return update<Sub::AtomMax, T>;
    case Sub::AtomInc:
        return std::is_same_v<T, std::uint32_t> ? update<Sub::AtomInc, U> : nullptr;
    case Sub::AtomDec:
        return std::is_same_v<T, std::uint32_t> ? update<Sub::AtomDec, U> : nullptr;
    default:
        return bits<U>(op);
    }
}

template <class T>
LaneMove of_halves(Sub op) {
    return op == Sub::AtomAdd   ? update<Sub::AtomAdd, T>
           : op == Sub::AtomMin ? update<Sub::AtomMin, T>
           : op == Sub::AtomMax ? update<Sub::AtomMax, T>
                                : nullptr;
}

} // namespace

LaneMove select_atomic(const MicroOp& op) {
    if (op.opcode == ir::Opcode::Mbarrier)
        return op.sub == Sub::AtomArriveDrop ? update<Sub::AtomArriveDrop, std::uint64_t>
                                             : update<Sub::AtomArrive, std::uint64_t>;
    if (op.opcode != ir::Opcode::Atom && op.opcode != ir::Opcode::Red)
        return nullptr;
    switch (op.type) {
    case Type::U32:
        return integer<std::uint32_t>(op.sub);
    case Type::S32:
        return integer<std::int32_t>(op.sub);
    case Type::U64:
        return integer<std::uint64_t>(op.sub);
    case Type::S64:
        return integer<std::int64_t>(op.sub);
    case Type::B16:
        return bits<std::uint16_t>(op.sub);
    case Type::B32:
        return bits<std::uint32_t>(op.sub);
    case Type::B64:
        return bits<std::uint64_t>(op.sub);
    case Type::B128:
        return op.sub == Sub::AtomExch  ? update_wide<Sub::AtomExch>
               : op.sub == Sub::AtomCas ? update_wide<Sub::AtomCas>
                                        : nullptr;
    case Type::F32:
        return op.sub == Sub::AtomAdd ? update<Sub::AtomAdd, float> : bits<std::uint32_t>(op.sub);
    case Type::F64:
        return op.sub == Sub::AtomAdd ? update<Sub::AtomAdd, F64> : bits<std::uint64_t>(op.sub);
    case Type::F16:
        return of_halves<F16>(op.sub);
    case Type::F16x2:
        return of_halves<Pair<F16>>(op.sub);
    case Type::BF16:
        return of_halves<BF16>(op.sub);
    case Type::BF16x2:
        return of_halves<Pair<BF16>>(op.sub);
    default:
        return nullptr;
    }
}

void perform(const CopyArrival& arrival) {
    std::uint64_t object = 0;
    std::memcpy(&object, arrival.object, sizeof object);
    object = arrived(object, arrival.update, false);
    std::memcpy(arrival.object, &object, sizeof object);
}

} // namespace heddle::exec
