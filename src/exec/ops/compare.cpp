// setp and set: comparisons into predicates and registers.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/compare.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/families.h"
#include "exec/ops/float-inl.h"
#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using std::uint32_t;

// The ordered comparisons are false with a NaN; those named ..u are true.
template <class T, ir::Sub Relation, bool Ftz>
HWY_INLINE bool compare(T a, T b) {
    using enum ir::Sub;
    if constexpr (Ftz) {
        a = flush(a);
        b = flush(b);
    }
    if constexpr (Relation == Eq) {
        return a == b;
    } else if constexpr (Relation == Ne) {
        return std::is_floating_point_v<T> ? (a < b) | (a > b) : a != b;
    } else if constexpr (Relation == Lt) {
        return a < b;
    } else if constexpr (Relation == Le) {
        return a <= b;
    } else if constexpr (Relation == Gt) {
        return a > b;
    } else if constexpr (Relation == Ge) {
        return a >= b;
    } else if constexpr (Relation == Equ) {
        return !((a < b) | (a > b));
    } else if constexpr (Relation == Neu) {
        return a != b;
    } else if constexpr (Relation == Ltu) {
        return !(a >= b);
    } else if constexpr (Relation == Leu) {
        return !(a > b);
    } else if constexpr (Relation == Gtu) {
        return !(a <= b);
    } else if constexpr (Relation == Geu) {
        return !(a < b);
    } else if constexpr (Relation == Num) {
        return (a == a) & (b == b);
    } else {
        static_assert(Relation == Nan);
        return (a != a) | (b != b);
    }
}

HWY_INLINE uint32_t load_mask(ir::Place place, const std::byte* frame, const std::byte* pool) {
    uint32_t bits;
    std::memcpy(&bits, source(place, frame, pool), sizeof bits);
    return bits;
}

// A comparison's result, combined with predicate src[2] where the instruction names one.
HWY_INLINE uint32_t combine(const ir::MicroOp& op, const std::byte* frame, const std::byte* pool, uint32_t bits) {
    if (op.combine == ir::BoolOp::None) {
        return bits;
    }
    const uint32_t c = load_mask(op.src[2], frame, pool) ^ (op.has(ir::kCombineNegated) ? ~uint32_t{0} : 0);
    switch (op.combine) {
    case ir::BoolOp::And:
        return bits & c;
    case ir::BoolOp::Or:
        return bits | c;
    default:
        return bits ^ c;
    }
}

// setp p|q: q combines the opposite of the comparison.
template <auto Compare>
void setp(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, uint32_t mask) {
    const uint32_t bits = lane_mask<Compare>(op, frame, pool);
    const uint32_t p = combine(op, frame, pool, bits);
    const uint32_t q = op.dst[1] == ir::kNowhere ? 0 : combine(op, frame, pool, ~bits);
    write_predicate(frame, op.dst[0], mask, p);
    write_predicate(frame, op.dst[1], mask, q);
}

// set: all ones, or 1.0f, where true.
template <auto Compare>
void set(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, uint32_t mask) {
    const uint32_t bits = combine(op, frame, pool, lane_mask<Compare>(op, frame, pool));
    const uint32_t yes = op.type == ir::Type::F32 ? std::bit_cast<uint32_t>(1.0F) : ~uint32_t{0};
    auto* to = reinterpret_cast<uint32_t*>(frame + op.dst[0]);
    HEDDLE_EACH_LANE
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const uint32_t result = (bits & kLaneBit[lane]) != 0 ? yes : 0;
        to[lane] = (mask & kLaneBit[lane]) != 0 ? result : to[lane];
    }
}

template <auto Compare>
VectorOp instance(const ir::MicroOp& op) {
    return op.opcode == ir::Opcode::Setp ? &each_row<setp<Compare>> : &each_row<set<Compare>>;
}

template <class T>
VectorOp select_integer(const ir::MicroOp& op) {
    using enum ir::Sub;
    using U = std::make_unsigned_t<T>;
    switch (op.sub) {
    case Eq:
        return instance<compare<U, Eq, false>>(op);
    case Ne:
        return instance<compare<U, Ne, false>>(op);
    case Lt:
        return instance<compare<T, Lt, false>>(op);
    case Le:
        return instance<compare<T, Le, false>>(op);
    case Gt:
        return instance<compare<T, Gt, false>>(op);
    case Ge:
        return instance<compare<T, Ge, false>>(op);
    default:
        return nullptr;
    }
}

template <class T, bool Ftz>
VectorOp select_float(const ir::MicroOp& op) {
    using enum ir::Sub;
    switch (op.sub) {
    case Eq:
        return instance<compare<T, Eq, Ftz>>(op);
    case Ne:
        return instance<compare<T, Ne, Ftz>>(op);
    case Lt:
        return instance<compare<T, Lt, Ftz>>(op);
    case Le:
        return instance<compare<T, Le, Ftz>>(op);
    case Gt:
        return instance<compare<T, Gt, Ftz>>(op);
    case Ge:
        return instance<compare<T, Ge, Ftz>>(op);
    case Equ:
        return instance<compare<T, Equ, Ftz>>(op);
    case Neu:
        return instance<compare<T, Neu, Ftz>>(op);
    case Ltu:
        return instance<compare<T, Ltu, Ftz>>(op);
    case Leu:
        return instance<compare<T, Leu, Ftz>>(op);
    case Gtu:
        return instance<compare<T, Gtu, Ftz>>(op);
    case Geu:
        return instance<compare<T, Geu, Ftz>>(op);
    case Num:
        return instance<compare<T, Num, Ftz>>(op);
    case Nan:
        return instance<compare<T, Nan, Ftz>>(op);
    default:
        return nullptr;
    }
}

VectorOp select(const ir::MicroOp& op) {
    const bool setp = op.opcode == ir::Opcode::Setp;
    if (!setp && op.opcode != ir::Opcode::Set) {
        return nullptr;
    }
    if (!setp && (ptx::size_of(op.type) != 4 || op.dst_bytes != 4)) { // set.f16
        return nullptr;
    }
    const ir::Type type = setp || op.from == ir::Type::None ? op.type : op.from;
    switch (type) {
    case ir::Type::F32:
        return op.has(ir::kFtz) ? select_float<float, true>(op) : select_float<float, false>(op);
    case ir::Type::F64:
        return select_float<double, false>(op);
    default:
        return for_integer(type, [&]<class T> { return select_integer<T>(op); });
    }
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_compare(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
