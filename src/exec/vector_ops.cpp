#include "exec/vector_ops.h"

#include <string_view>

#include "exec/ops/families.h"

namespace heddle::exec {

VectorOp select_vector_op(const ir::MicroOp& op) {
    using Select = VectorOp (*)(const ir::MicroOp&);
    static constexpr Select kFamilies[] = {
        ops::select_predicate,  ops::select_move,         ops::select_int_arith,
        ops::select_int_pairs,  ops::select_lop3,         ops::select_carry,
        ops::select_bits,       ops::select_elements,     ops::select_video,
        ops::select_compare,    ops::select_float_arith,  ops::select_float_misc,
        ops::select_convert,    ops::select_convert_pack, ops::select_approximate,
        ops::select_half_arith, ops::select_half_compare, ops::select_half_approximate,
    };
    for (const Select select : kFamilies) {
        if (const VectorOp found = select(op)) {
            return found;
        }
    }
    return nullptr;
}

const char* vector_target() {
    // Highway 1.0 has no target for SSE2 alone and calls a build for it an emulation.
    const std::string_view name = ops::target_name();
    return name == "EMU128" || name == "SCALAR" ? "SSE2" : ops::target_name();
}

} // namespace heddle::exec
