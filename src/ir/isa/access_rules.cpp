#include "ir/isa/access_rules.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

namespace heddle::ir {

namespace {

constexpr std::string_view kOrders[] = {"volatile", "weak", "relaxed", "acquire", "release", "acq_rel", "sc"};

bool has_word(const ptx::Instruction& instruction, std::string_view word) {
    return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), word) != instruction.modifiers.end();
}

// The order among the modifiers; empty: there is none.
std::string_view order_of(const ptx::Instruction& instruction) {
    for (const std::string_view order : kOrders)
        if (has_word(instruction, order))
            return order;
    return {};
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_order(Opcode opcode, std::string_view order) {
    switch (opcode) {
    case Opcode::Ld:
        return is_one_of(order, {"volatile", "weak", "relaxed", "acquire"});
    case Opcode::St:
        return is_one_of(order, {"volatile", "weak", "relaxed", "release"});
    case Opcode::Atom:
        return is_one_of(order, {"relaxed", "acquire", "release", "acq_rel"});
    case Opcode::Red:
        return is_one_of(order, {"relaxed", "release"});
    default: // fence
        return is_one_of(order, {"acq_rel", "sc", "acquire", "release"});
    }
}

std::string wrong_order(const ptx::Instruction& instruction, Opcode opcode, const Modifiers& modifiers) {
    const std::string_view order = order_of(instruction);
    const bool scope = modifiers.has(kWithScope);
    if (!order.empty() && !has_order(opcode, order))
        return fmt::format("'{}' is never .{}", instruction.opcode, order);
    if (opcode == Opcode::Fence)
        return scope ? std::string() : "a fence has a scope: .cta, .cluster, .gpu or .sys";
    if (opcode == Opcode::Atom || opcode == Opcode::Red)
        return {};
    const bool plain = order.empty() || order == "volatile" || order == "weak";
    if (plain && scope)
        return "a scope goes with .relaxed, .acquire or .release";
    if (!plain && !scope)
        return fmt::format(".{} needs a scope: .cta, .cluster, .gpu or .sys", order);
    return {};
}

std::string wrong_hint(const ptx::Instruction& instruction, Opcode opcode, const Modifiers& modifiers) {
    const bool global = modifiers.space == Space::Global || modifiers.space == Space::Generic;
    if (modifiers.has(kWithEvict1 | kWithEvict2 | kWithFetch2) && !global)
        return "hints for caches go with global memory";
    if (modifiers.has(kWithCache) && modifiers.has(kWithEvict1) && !has_word(instruction, "nc"))
        return fmt::format("{} goes with hints for L1 only as .nc", members_of(kWithCache));
    if (opcode == Opcode::Ld && has_word(instruction, "nc") && modifiers.space != Space::Global)
        return ".nc loads from .global";
    if (opcode == Opcode::Ldu && !global)
        return "ldu loads from global memory";
    if (opcode == Opcode::Prefetch && modifiers.has(kWithTensorMap)) {
        const bool holds =
            modifiers.space == Space::Generic || modifiers.space == Space::Param || modifiers.space == Space::Const;
        if (modifiers.has(kWithLevel | kWithEvict2) || !holds)
            return "a prefetch of a tensor map names no cache, and as its memory .param or .const";
        return {};
    }
    if (opcode == Opcode::Prefetch) {
        if (!modifiers.has(kWithLevel | kWithEvict2))
            return "a prefetch names a cache: .L1 or .L2";
        if (!global && modifiers.space != Space::Local)
            return "a prefetch is of global or local memory";
    }
    return {};
}

std::string wrong_mmio(const ptx::Instruction& instruction, const Modifiers& modifiers) {
    if (!modifiers.has(kWithMmio))
        return {};
    const bool global = modifiers.space == Space::Global || modifiers.space == Space::Generic;
    if (!has_word(instruction, "relaxed") || !has_word(instruction, "sys") || !global ||
        modifiers.has(kWithVector | kWithVector8 | kWithCache | kWithEvict1 | kWithEvict2 | kWithFetch2 | kWithPolicy))
        return fmt::format(".mmio is {0}.mmio.relaxed.sys or {0}.mmio.relaxed.sys.global, of one number and without "
                           "hints for caches",
                           instruction.opcode);
    return {};
}

// min and max of two: .xorsign.abs; of three, which f32 has: .abs alone.
std::string wrong_magnitudes(const ptx::Instruction& instruction, const Modifiers& modifiers) {
    if (instruction.operands.size() == 4)
        return modifiers.has(kWithXorSign) ? ".xorsign goes with two sources" : std::string();
    if (modifiers.has(kWithXorSign) != modifiers.has(kWithAbs))
        return modifiers.has(kWithAbs) ? ".abs of two sources goes with .xorsign" : ".xorsign goes with .abs";
    return {};
}

std::string wrong_barrier(const ptx::Instruction& instruction, Opcode opcode, const Modifiers& modifiers) {
    if (opcode == Opcode::Bar && modifiers.has(kWithAligned))
        return "bar is always aligned: .aligned goes with barrier";
    if (modifiers.has(kWithScope) && instruction.modifiers.front() != "cta")
        return fmt::format("the only scope is .cta, in front: {}.cta", instruction.opcode);
    return {};
}

} // namespace

std::string wrong_access(const ptx::Instruction& instruction, Opcode opcode, const Modifiers& modifiers) {
    switch (opcode) {
    case Opcode::Ld:
    case Opcode::St:
    case Opcode::Atom:
    case Opcode::Red:
    case Opcode::Fence:
        if (std::string wrong = wrong_order(instruction, opcode, modifiers); !wrong.empty())
            return wrong;
        if (std::string wrong = wrong_mmio(instruction, modifiers); !wrong.empty())
            return wrong;
        return wrong_hint(instruction, opcode, modifiers);
    case Opcode::Ldu:
    case Opcode::Prefetch:
        return wrong_hint(instruction, opcode, modifiers);
    case Opcode::PrefetchU:
        return has_word(instruction, "L1") ? std::string() : "the only cache is .L1";
    case Opcode::Membar:
        return has_word(instruction, "gpu") || has_word(instruction, "cluster") ? "the scopes are .cta, .gl and .sys"
                                                                                : std::string();
    case Opcode::Bar:
    case Opcode::Barrier:
        return wrong_barrier(instruction, opcode, modifiers);
    case Opcode::Min:
    case Opcode::Max:
        return wrong_magnitudes(instruction, modifiers);
    case Opcode::Set:
        return modifiers.has(kWithFtz) && modifiers.types[0] == Type::BF16 ? ".ftz does not go with .bf16"
                                                                           : std::string();
    default:
        return {};
    }
}

} // namespace heddle::ir
