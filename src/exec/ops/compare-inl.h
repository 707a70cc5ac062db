// Common parts of setp and set for all types: relations, the combining predicate, the value of "true".

#if defined(HEDDLE_EXEC_OPS_COMPARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_EXEC_OPS_COMPARE_INL_H_
#undef HEDDLE_EXEC_OPS_COMPARE_INL_H_
#else
#define HEDDLE_EXEC_OPS_COMPARE_INL_H_
#endif

#include "exec/ops/float-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {

// The ordered comparisons are false with a NaN; comparisons named ..u are true.
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

HWY_INLINE std::uint32_t load_mask(ir::Place place, const std::byte* frame, const std::byte* pool) {
    std::uint32_t bits;
    std::memcpy(&bits, source(place, frame, pool), sizeof bits);
    return bits;
}

// A comparison's result, combined with predicate src[2] where the instruction names one.
HWY_INLINE std::uint32_t combine(const ir::MicroOp& op, const std::byte* frame, const std::byte* pool,
                                 std::uint32_t bits) {
    if (op.combine == ir::BoolOp::None) {
        return bits;
    }
    const std::uint32_t c = load_mask(op.src[2], frame, pool) ^ (op.has(ir::kCombineNegated) ? ~std::uint32_t{0} : 0);
    switch (op.combine) {
    case ir::BoolOp::And:
        return bits & c;
    case ir::BoolOp::Or:
        return bits | c;
    default:
        return bits ^ c;
    }
}

// The value that set writes where the comparison is true: one, or all ones; in each half of a pair.
HWY_INLINE std::uint32_t true_value(ir::Type type) {
    switch (type) {
    case ir::Type::F32:
        return 0x3f800000;
    case ir::Type::F16:
        return 0x3c00;
    case ir::Type::F16x2:
        return 0x3c003c00;
    case ir::Type::BF16:
        return 0x3f80;
    case ir::Type::BF16x2:
        return 0x3f803f80;
    default:
        return ~std::uint32_t{0};
    }
}

// The operands of setp and set.
HWY_INLINE ir::Type compared_type(const ir::MicroOp& op) {
    return op.opcode == ir::Opcode::Setp || op.from == ir::Type::None ? op.type : op.from;
}

// setp p|q: q is the combination with the negated comparison.
HWY_INLINE void write_setp(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask,
                           std::uint32_t bits, std::uint32_t opposite) {
    const std::uint32_t p = combine(op, frame, pool, bits);
    const std::uint32_t q = op.dst[1] == ir::kNowhere ? 0 : combine(op, frame, pool, opposite);
    write_predicate(frame, op.dst[0], mask, p);
    write_predicate(frame, op.dst[1], mask, q);
}

// `low`, `high`: lanes whose lower, upper halves become the value of "true". Equal for single numbers.
HWY_INLINE void write_set(const ir::MicroOp& op, std::byte* frame, std::uint32_t mask, std::uint32_t low,
                          std::uint32_t high) {
    const std::uint32_t yes = true_value(op.type);
    auto* to = reinterpret_cast<std::uint32_t*>(frame + op.dst[0]);
    HEDDLE_EACH_LANE
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t result =
            ((low & kLaneBit[lane]) != 0 ? yes & 0xffff : 0) | ((high & kLaneBit[lane]) != 0 ? yes & 0xffff0000 : 0);
        to[lane] = (mask & kLaneBit[lane]) != 0 ? result : to[lane];
    }
}

template <auto Compare>
void setp(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    const std::uint32_t bits = lane_mask<Compare>(op, frame, pool);
    write_setp(op, frame, pool, mask, bits, ~bits);
}

template <auto Compare>
void set(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    const std::uint32_t bits = combine(op, frame, pool, lane_mask<Compare>(op, frame, pool));
    write_set(op, frame, mask, bits, bits);
}

template <auto Compare>
VectorOp instance(const ir::MicroOp& op) {
    return op.opcode == ir::Opcode::Setp ? &each_row<setp<Compare>> : &each_row<set<Compare>>;
}

// make.template operator()<Relation>() for a relation of floating-point numbers; null for others.
template <class Make>
VectorOp for_relation(ir::Sub relation, Make make) {
    using enum ir::Sub;
    switch (relation) {
    case Eq:
        return make.template operator()<Eq>();
    case Ne:
        return make.template operator()<Ne>();
    case Lt:
        return make.template operator()<Lt>();
    case Le:
        return make.template operator()<Le>();
    case Gt:
        return make.template operator()<Gt>();
    case Ge:
        return make.template operator()<Ge>();
    case Equ:
        return make.template operator()<Equ>();
    case Neu:
        return make.template operator()<Neu>();
    case Ltu:
        return make.template operator()<Ltu>();
    case Leu:
        return make.template operator()<Leu>();
    case Gtu:
        return make.template operator()<Gtu>();
    case Geu:
        return make.template operator()<Geu>();
    case Num:
        return make.template operator()<Num>();
    case Nan:
        return make.template operator()<Nan>();
    default:
        return nullptr;
    }
}

} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
