// The types that cvt knows, for its two halves.

#if defined(HEDDLE_EXEC_OPS_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_EXEC_OPS_CONVERT_INL_H_
#undef HEDDLE_EXEC_OPS_CONVERT_INL_H_
#else
#define HEDDLE_EXEC_OPS_CONVERT_INL_H_
#endif

#include <limits>

#include "exec/ops/float-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {

// make.template operator()<T>() for an integer type of any width; null for other types.
template <class Make>
VectorOp for_any_integer(ir::Type type, Make make) {
    switch (type) {
    case ir::Type::U8:
        return make.template operator()<std::uint8_t>();
    case ir::Type::S8:
        return make.template operator()<std::int8_t>();
    default:
        return ptx::is_float(type) ? nullptr : for_integer(type, make);
    }
}

} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
