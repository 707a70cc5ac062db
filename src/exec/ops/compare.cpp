// setp and set: comparisons into predicates and registers.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/compare.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/compare-inl.h"
#include "exec/ops/families.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

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
    return for_relation(op.sub, [&]<ir::Sub Relation> { return instance<compare<T, Relation, Ftz>>(op); });
}

VectorOp select(const ir::MicroOp& op) {
    const bool setp = op.opcode == ir::Opcode::Setp;
    if (!setp && op.opcode != ir::Opcode::Set) {
        return nullptr;
    }
    if (!setp && op.dst_bytes != 4) {
        return nullptr;
    }
    const ir::Type type = compared_type(op);
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
