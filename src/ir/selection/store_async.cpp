// Asynchronous stores and reductions in the shared memory of a cluster (st.async, red.async): a store or an atomic
// operation, then the bytes are complete at a barrier object. They execute at once, which PTX allows.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/reductions.h"

namespace heddle::ir {

namespace {

struct AsyncWords {
    Sub how = Sub::None; // of red.async
    Type type = Type::None;
    std::uint8_t vector = 1;
    Space space = Space::Generic;
    bool completes = false, relaxed = false, cluster = false;
    std::string_view unknown;
};

bool apply(std::string_view word, bool reduces, AsyncWords& out) {
    if (const Type type = ptx::type_named(word); type != Type::None) {
        const bool first = out.type == Type::None;
        out.type = type;
        return first;
    }
    if (out.type != Type::None) // nothing stands behind the type
        return false;
    if (const Sub how = reduction_named(word); how != Sub::None) {
        const bool first = out.how == Sub::None;
        out.how = how;
        return reduces && first;
    }
    if (word == "v2" || word == "v4") {
        out.vector = word == "v2" ? 2 : 4;
        return !reduces;
    }
    if (word == "shared::cluster") {
        out.space = Space::SharedCluster;
        return true;
    }
    if (word == "mbarrier::complete_tx::bytes")
        return out.completes = true;
    if (word == "relaxed")
        return out.relaxed = reduces;
    if (word == "cluster")
        return out.cluster = out.relaxed;
    return word == "async" || (word == "weak" && !reduces);
}

bool type_exists(const AsyncWords& words, bool reduces) {
    if (reduces)
        return shared_reduction_exists(words.how, words.type);
    constexpr Type kTypes[] = {Type::B32, Type::B64, Type::U32, Type::U64, Type::S32, Type::S64, Type::F32, Type::F64};
    return std::find(std::begin(kTypes), std::end(kTypes), words.type) != std::end(kTypes) &&
           words.vector * ptx::size_of(words.type) <= 16;
}

} // namespace

bool is_async_store(const ptx::Instruction& instruction) {
    return (instruction.opcode == "st" || instruction.opcode == "red") && !instruction.modifiers.empty() &&
           instruction.modifiers.front() == "async";
}

// st.async{.weak}{.shared::cluster}{.mbarrier::complete_tx::bytes}{.vec}.type [a], b, [object];
// red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.op.type [a], b, [object];
void select_async_store(FunctionLowering& f) {
    const bool reduces = f.cursor.instruction().opcode == "red";
    AsyncWords words;
    for (const std::string_view word : f.cursor.instruction().modifiers)
        if (!apply(word, reduces, words))
            return f.cursor.error_misplaced(word);
    const bool named = words.space == Space::SharedCluster || reduces; // then the completion is named, too
    if ((named && !words.completes) || (reduces && !words.cluster) || !type_exists(words, reduces))
        return f.cursor.error(
            fmt::format("'{}': there are {}", f.cursor.text(),
                        reduces ? "red.async.relaxed.cluster.mbarrier::complete_tx::bytes with inc and dec of .u32, "
                                  "min and max of .u32 and .s32, add of .u32, .s32 and .u64, and, or and xor of .b32"
                                : "st.async.mbarrier::complete_tx::bytes of types of 32 and 64 bits, up to 16 bytes"));
    if (!f.cursor.count(3, 3))
        return;
    MicroOp op = make_op(reduces ? Opcode::Red : Opcode::St, words.type);
    op.space = words.space;
    op.sub = words.how;
    op.vector = words.vector;
    if (reduces) {
        const std::optional<Place> b = f.operands.source(f.cursor.operand(1), words.type);
        if (!read_address(f, f.cursor.operand(0), op, op.src_bytes) || !b)
            return;
        op.src[1] = *b;
        op.dst_bytes = ptx::size_of(op.type) == 8 ? 8 : 4;
    } else if (!read_address(f, f.cursor.operand(0), op, op.dst_bytes) ||
               !read_elements_from(f, f.cursor.operand(1), op, 1)) {
        return;
    }
    f.emitter.emit(op);
    emit_completion(f, words.space, f.cursor.operand(2), f.places.constant(words.vector * ptx::size_of(words.type)));
}

} // namespace heddle::ir
