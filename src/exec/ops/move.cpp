// Copies, packing, selection and address spaces.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/move.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/memory_image.h"
#include "exec/ops/families.h"
#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using std::int32_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

template <class To, class From>
HWY_INLINE To copy(From a) {
    return static_cast<To>(a);
}

// mov d, {a, b, ...}: the first element in the low bits.
template <class Whole, class Part>
HWY_INLINE Whole pack2(Part a, Part b) {
    return static_cast<Whole>(a | Whole{b} << (8 * sizeof(Part)));
}

template <class Whole, class Part>
HWY_INLINE Whole pack4(Part a, Part b, Part c, Part d) {
    using Half = std::conditional_t<sizeof(Whole) == 8, uint32_t, uint16_t>;
    return pack2<Whole, Half>(pack2<Half, Part>(a, b), pack2<Half, Part>(c, d));
}

// mov {a, b, ...}, s: one element after the other; a kNowhere element is dropped.
template <class Whole, class Part, unsigned Element>
HWY_INLINE Part element(Whole a) {
    return static_cast<Part>(a >> (8 * sizeof(Part) * Element));
}

template <class Whole, class Part, unsigned... Elements>
void unpack(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    const auto one = [&]<unsigned E>() {
        if (op.dst[E] != ir::kNowhere) {
            write_lanes<element<Whole, Part, E>, Part, Whole>(reinterpret_cast<Slot<Part>*>(frame + op.dst[E]), mask,
                                                              open<Whole>(op, op.src[0], frame, pool));
        }
    };
    (one.template operator()<Elements>(), ...);
}

template <class T>
HWY_INLINE T select_by_predicate(T a, T b, bool p) {
    return p ? a : b;
}

// slct: a where c >= 0; a NaN is not.
template <class T, class C, bool Ftz>
HWY_INLINE T select_by_sign(T a, T b, C c) {
    if constexpr (Ftz) { // a flushed c is a zero of either sign, which is >= 0
        return c >= C{0} || (std::bit_cast<uint32_t>(c) & 0x7f800000U) == 0 ? a : b;
    } else {
        return c >= C{0} ? a : b;
    }
}

template <Address Window>
HWY_INLINE uint64_t to_generic(uint64_t offset) {
    return offset + Window;
}

template <Address Window>
HWY_INLINE uint64_t from_generic(uint64_t address) {
    return address - Window;
}

template <Address Begin, Address Bytes>
HWY_INLINE bool lies_in(uint64_t address) {
    return address - Begin < Bytes;
}

VectorOp select_mov(const ir::MicroOp& op) {
    if (op.type == ir::Type::B128 || op.type == ir::Type::Pred) {
        return nullptr;
    }
    if (op.dst_bytes == 8) {
        return op.src_bytes == 8 ? lanewise<copy<uint64_t, uint64_t>> : lanewise<copy<uint64_t, uint32_t>>;
    }
    return op.src_bytes == 8 ? lanewise<copy<uint32_t, uint64_t>> : lanewise<copy<uint32_t, uint32_t>>;
}

VectorOp select_pack(const ir::MicroOp& op) {
    const unsigned bytes = ptx::size_of(op.type);
    switch (bytes * 10U + op.vector) {
    case 22:
        return lanewise<pack2<uint16_t, uint8_t>>;
    case 42:
        return lanewise<pack2<uint32_t, uint16_t>>;
    case 44:
        return lanewise<pack4<uint32_t, uint8_t>>;
    case 82:
        return lanewise<pack2<uint64_t, uint32_t>>;
    case 84:
        return lanewise<pack4<uint64_t, uint16_t>>;
    default:
        return nullptr;
    }
}

VectorOp select_unpack(const ir::MicroOp& op) {
    const unsigned bytes = ptx::size_of(op.type);
    switch (bytes * 10U + op.vector) {
    case 22:
        return each_row<unpack<uint16_t, uint8_t, 0, 1>>;
    case 42:
        return each_row<unpack<uint32_t, uint16_t, 0, 1>>;
    case 44:
        return each_row<unpack<uint32_t, uint8_t, 0, 1, 2, 3>>;
    case 82:
        return each_row<unpack<uint64_t, uint32_t, 0, 1>>;
    case 84:
        return each_row<unpack<uint64_t, uint16_t, 0, 1, 2, 3>>;
    default:
        return nullptr;
    }
}

VectorOp select_slct(const ir::MicroOp& op) {
    const auto with = [&]<class C, bool Ftz> {
        switch (ptx::size_of(op.type)) {
        case 2:
            return lanewise<select_by_sign<uint16_t, C, Ftz>>;
        case 4:
            return lanewise<select_by_sign<uint32_t, C, Ftz>>;
        case 8:
            return lanewise<select_by_sign<uint64_t, C, Ftz>>;
        default:
            return VectorOp{nullptr};
        }
    };
    if (op.from == ir::Type::S32) {
        return with.template operator()<int32_t, false>();
    }
    if (op.from != ir::Type::F32) {
        return nullptr;
    }
    return op.has(ir::kFtz) ? with.template operator()<float, true>() : with.template operator()<float, false>();
}

VectorOp select_selp(const ir::MicroOp& op) {
    switch (ptx::size_of(op.type)) {
    case 2:
    case 4:
        return lanewise<select_by_predicate<uint32_t>>;
    case 8:
        return lanewise<select_by_predicate<uint64_t>>;
    default:
        return nullptr;
    }
}

// Global and constant addresses are generic addresses. The windows of the other spaces lie above 32 bits.
VectorOp select_cvta(const ir::MicroOp& op) {
    using enum ir::Space;
    const bool shared = op.space == Shared || op.space == SharedCluster;
    const bool window = shared || op.space == Local;
    if (ptx::size_of(op.type) != 8) {
        return window ? nullptr : lanewise<copy<uint32_t, uint32_t>>;
    }
    if (op.space == Param) {
        return op.has(ir::kToSpace) ? lanewise<from_generic<kParameterWindow>> : lanewise<to_generic<kParameterWindow>>;
    }
    if (!window) {
        return lanewise<copy<uint64_t, uint64_t>>;
    }
    if (op.has(ir::kToSpace)) {
        return shared ? lanewise<from_generic<kSharedWindow>> : lanewise<from_generic<kLocalWindow>>;
    }
    return shared ? lanewise<to_generic<kSharedWindow>> : lanewise<to_generic<kLocalWindow>>;
}

// Constant, global and the block's own shared memory: exec/space_queries.h.
VectorOp select_isspacep(const ir::MicroOp& op) {
    switch (op.space) {
    case ir::Space::SharedCluster:
        return lanewise<lies_in<kSharedWindow, kWindowBytes>>;
    case ir::Space::Param:
        return lanewise<lies_in<kParameterWindow, kWindowBytes>>;
    case ir::Space::Local:
        return lanewise<lies_in<kLocalWindow, kWindowBytes>>;
    default:
        return nullptr;
    }
}

VectorOp select(const ir::MicroOp& op) {
    using enum ir::Opcode;
    switch (op.opcode) {
    case Mov:
        return select_mov(op);
    case Pack:
        return select_pack(op);
    case Unpack:
        return select_unpack(op);
    case Selp:
        return select_selp(op);
    case Slct:
        return select_slct(op);
    case Cvta:
        return select_cvta(op);
    case Isspacep:
        return select_isspacep(op);
    default:
        return nullptr;
    }
}

const char* name() {
    return hwy::TargetName(HWY_TARGET);
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);
HWY_EXPORT(name);

VectorOp select_move(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

const char* target_name() {
    return HWY_DYNAMIC_DISPATCH(name)();
}

} // namespace heddle::exec::ops
#endif
