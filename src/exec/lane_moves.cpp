// Loads and stores lane by lane, for every pair of widths in memory and register.
#include <bit>
#include <cstring>
#include <type_traits>

#include "exec/lane_move.h"
#include "exec/vector_ops.h"

namespace heddle::exec {

namespace {

using ir::MicroOp;
using ptx::Type;

// Calls f(lane) for each lane of the mask, in ascending order; a full row is a loop that the compiler can unroll.
template <class F>
void move_lanes(std::uint32_t mask, F&& f) {
    if (mask == ~0U) {
        for (unsigned i = 0; i < kVectorLanes; ++i)
            f(i);
        return;
    }
    for (; mask != 0; mask &= mask - 1)
        f(static_cast<unsigned>(std::countr_zero(mask)));
}

// Register = Memory, sign-extended when Memory is signed.
template <class Memory, class Register>
void load(const MicroOp& op, std::byte* frame, const std::byte*, const HostRow& memory, std::uint32_t mask) {
    for (unsigned e = 0; e < op.vector; ++e) {
        if (op.dst[e] == ir::kNowhere)
            continue;
        auto* to = reinterpret_cast<Register*>(frame + op.dst[e]);
        const HostRow at = memory.element(e * sizeof(Memory));
        move_lanes(mask, [&](unsigned i) {
            Memory value;
            std::memcpy(&value, at.at(i), sizeof value);
            to[i] = static_cast<Register>(value);
        });
    }
}

// One element after the other, for all lanes. The address of a vector is a multiple of its size, so the vectors of two
// lanes have one address or do not overlap, and each element keeps the value of the highest lane.
template <class Memory, class Register>
void store(const MicroOp& op, std::byte* frame, const std::byte* pool, const HostRow& memory, std::uint32_t mask) {
    for (unsigned e = 0; e < op.vector; ++e) {
        const auto* from = reinterpret_cast<const Register*>(source(op.src[1 + e], frame, pool));
        const HostRow at = memory.element(e * sizeof(Memory));
        move_lanes(mask, [&](unsigned i) {
            const auto value = static_cast<Memory>(from[i]);
            std::memcpy(at.at(i), &value, sizeof value);
        });
    }
}

// Moves the data of threads of several rows, in the order of the threads.
template <class Memory, class Register>
void load_threads(const MicroOp& op, const std::byte*, const MovedThreads& threads) {
    for (unsigned e = 0; e < op.vector; ++e) {
        if (op.dst[e] == ir::kNowhere)
            continue;
        for (unsigned i = 0; i < threads.count; ++i) {
            Memory value;
            std::memcpy(&value, reinterpret_cast<const Memory*>(threads.host[i]) + e, sizeof value);
            reinterpret_cast<Register*>(threads.frame[i] + op.dst[e])[threads.lane[i]] = static_cast<Register>(value);
        }
    }
}

template <class Memory, class Register>
void store_threads(const MicroOp& op, const std::byte* pool, const MovedThreads& threads) {
    for (unsigned e = 0; e < op.vector; ++e)
        for (unsigned i = 0; i < threads.count; ++i) {
            const std::byte* from = source(op.src[1 + e], threads.frame[i], pool);
            const auto value = static_cast<Memory>(reinterpret_cast<const Register*>(from)[threads.lane[i]]);
            std::memcpy(reinterpret_cast<Memory*>(threads.host[i]) + e, &value, sizeof value);
        }
}

template <class Memory, class Register>
constexpr Moves kLoads{load<Memory, Register>, load_threads<Memory, Register>};
template <class Memory, class Register>
constexpr Moves kStores{store<Memory, Register>, store_threads<Memory, Register>};

template <class Register>
Moves load_into(Type type) {
    if (ptx::is_signed(type))
        switch (ptx::size_of(type)) {
        case 1:
            return kLoads<std::int8_t, Register>;
        case 2:
            return kLoads<std::int16_t, Register>;
        case 4:
            return kLoads<std::int32_t, Register>;
        default:
            break; // a 64-bit register holds all 64 bits
        }
    switch (ptx::size_of(type)) {
    case 1:
        return kLoads<std::uint8_t, Register>;
    case 2:
        return kLoads<std::uint16_t, Register>;
    case 4:
        return kLoads<std::uint32_t, Register>;
    case 8:
        return sizeof(Register) == 8 ? kLoads<std::uint64_t, Register> : Moves{};
    default:
        return {};
    }
}

template <class Register>
Moves store_from(Type type) {
    switch (ptx::size_of(type)) {
    case 1:
        return kStores<std::uint8_t, Register>;
    case 2:
        return kStores<std::uint16_t, Register>;
    case 4:
        return kStores<std::uint32_t, Register>;
    case 8:
        return sizeof(Register) == 8 ? kStores<std::uint64_t, Register> : Moves{};
    default:
        return {};
    }
}

bool is_plain(const MicroOp& op) {
    return op.type != Type::Pred && !ptx::is_opaque(op.type) && (op.vector == 1 || op.vector == 2 || op.vector == 4);
}

} // namespace

Moves select_load(const MicroOp& op) {
    const bool loads = op.opcode == ir::Opcode::Ld || op.opcode == ir::Opcode::Ldu || op.opcode == ir::Opcode::CpAsync;
    if (!loads || !is_plain(op))
        return {};
    return op.dst_bytes == 8 ? load_into<std::uint64_t>(op.type) : load_into<std::uint32_t>(op.type);
}

Moves select_store(const MicroOp& op) {
    if (op.opcode != ir::Opcode::St || !is_plain(op))
        return {};
    return op.src_bytes == 8 ? store_from<std::uint64_t>(op.type) : store_from<std::uint32_t>(op.type);
}

} // namespace heddle::exec
