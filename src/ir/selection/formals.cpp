#include "ir/selection/formals.h"

#include "ir/selection/make_op.h"

namespace heddle::ir {

namespace {

// Storage type for moving a register of `type` through parameter memory.
Type memory_type(Type type) {
    return ptx::size_of(type) == 8   ? Type::B64
           : ptx::size_of(type) == 4 ? Type::B32
           : ptx::size_of(type) == 2 ? Type::B16
                                     : Type::B8;
}

void move_formals(FunctionLowering& f, Opcode opcode, Symbol::Owner owner, const std::vector<ptx::Variable>& formals) {
    for (std::uint32_t i = 0; i < formals.size(); ++i) {
        const ptx::Variable& v = formals[i];
        if (v.space != Space::Reg)
            continue;
        const Place value = f.places.virtual_register({Symbol::Kind::Register, owner, &v, i, 0});
        const std::uint32_t offset = f.variables.formal_offset(owner, i);
        f.emitter.emit(parameter_move(f.places, opcode, v.type, offset, value));
    }
}

} // namespace

MicroOp parameter_move(Places& places, Opcode opcode, Type type, std::uint32_t offset, Place value) {
    MicroOp op = make_op(opcode, memory_type(type));
    op.space = Space::Local;
    op.src[0] = places.constant(Variables::parameter_address(offset));
    if (opcode == Opcode::Ld) {
        op.dst[0] = value;
        op.dst_bytes = places.storage(value);
        op.src_bytes = 8;
    } else {
        op.src[1] = value;
        op.src_bytes = places.storage(value);
        op.dst_bytes = 8;
    }
    return op;
}

void load_formals(FunctionLowering& f) {
    if (!f.cursor.function().is_entry)
        move_formals(f, Opcode::Ld, Symbol::Owner::Parameter, f.cursor.function().parameters);
}

void store_results(FunctionLowering& f) {
    move_formals(f, Opcode::St, Symbol::Owner::Result, f.cursor.function().results);
}

} // namespace heddle::ir
