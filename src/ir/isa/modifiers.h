// An instruction's modifiers (".rn.ftz.f32"), decoded by one dictionary for all opcodes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/source.h"
#include "ir/fetch.h"
#include "ir/isa/refusal.h"
#include "ir/micro_op.h"
#include "ptx/syntax.h"

namespace heddle::ir {

// Groups of modifiers that exclude each other within an instruction; a set of them is a bit mask.
using Groups = std::uint64_t;

inline constexpr Groups kWithRound = 1ULL << 0;    // rn rz rm rp
inline constexpr Groups kWithRoundInt = 1ULL << 1; // rni rzi rmi rpi
inline constexpr Groups kWithFtz = 1ULL << 2;
inline constexpr Groups kWithSat = 1ULL << 3;
inline constexpr Groups kWithApprox = 1ULL << 4;
inline constexpr Groups kWithFull = 1ULL << 5;
inline constexpr Groups kWithNan = 1ULL << 6;
inline constexpr Groups kWithXorSign = 1ULL << 7; // xorsign
inline constexpr Groups kWithAbs = 1ULL << 8;     // abs, behind xorsign
inline constexpr Groups kWithHalf = 1ULL << 9;    // lo hi wide
inline constexpr Groups kWithCompare = 1ULL << 10;
inline constexpr Groups kWithCombine = 1ULL << 11; // and or xor of set and setp
inline constexpr Groups kWithAtomOp = 1ULL << 12;
inline constexpr Groups kWithShflMode = 1ULL << 13;
inline constexpr Groups kWithVoteMode = 1ULL << 14;
inline constexpr Groups kWithBarMode = 1ULL << 15; // sync arrive red
inline constexpr Groups kWithBarRed = 1ULL << 16;  // popc and or
inline constexpr Groups kWithWarp = 1ULL << 17;
inline constexpr Groups kWithAligned = 1ULL << 18;
inline constexpr Groups kWithPrmtMode = 1ULL << 19;
inline constexpr Groups kWithShfDirection = 1ULL << 20; // l r
inline constexpr Groups kWithShfMode = 1ULL << 21;      // clamp wrap
inline constexpr Groups kWithTestp = 1ULL << 22;
inline constexpr Groups kWithShiftAmount = 1ULL << 23;
inline constexpr Groups kWithTo = 1ULL << 24;
inline constexpr Groups kWithUni = 1ULL << 25;
inline constexpr Groups kWithSync = 1ULL << 26;      // shfl.sync, vote.sync
inline constexpr Groups kWithSemantics = 1ULL << 27; // volatile weak relaxed acquire release acq_rel sc
inline constexpr Groups kWithScope = 1ULL << 28;     // cta cluster gpu sys; membar's gl
inline constexpr Groups kWithCache = 1ULL << 29;     // ca cg cs lu cv wb wt nc
inline constexpr Groups kWithEvict1 = 1ULL << 30;    // L1::... hints
inline constexpr Groups kWithEvict2 = 1ULL << 31;    // L2::evict_... hints
inline constexpr Groups kWithFetch2 = 1ULL << 32;    // L2::64B ...
inline constexpr Groups kWithPolicy = 1ULL << 33;    // L2::cache_hint: one more operand
inline constexpr Groups kWithVector = 1ULL << 34;    // v2 v4
inline constexpr Groups kWithLevel = 1ULL << 35;     // L1 L2 of prefetch
inline constexpr Groups kWithSpace = 1ULL << 36;
inline constexpr Groups kWithIndex = 1ULL << 37;       // idx of brx
inline constexpr Groups kWithCarry = 1ULL << 38;       // cc
inline constexpr Groups kWithNoFtz = 1ULL << 39;       // noftz of atom and red
inline constexpr Groups kWithGeometry = 1ULL << 40;    // 1d 2d 3d a1d a2d cube acube
inline constexpr Groups kWithBase = 1ULL << 41;        // of a mipmapped texture
inline constexpr Groups kWithLod = 1ULL << 42;         // level: one more operand
inline constexpr Groups kWithGradient = 1ULL << 43;    // grad: two more operands
inline constexpr Groups kWithComponent = 1ULL << 44;   // r g b a of tld4
inline constexpr Groups kWithUnit = 1ULL << 45;        // b p of surface accesses
inline constexpr Groups kWithOutside = 1ULL << 46;     // trap clamp zero, behind the type
inline constexpr Groups kWithRoundAway = 1ULL << 47;   // rna, of cvt to tf32
inline constexpr Groups kWithQuery = 1ULL << 48;       // of txq and suq
inline constexpr Groups kWithOutOfBounds = 1ULL << 49; // oob of fma
inline constexpr Groups kWithRelu = 1ULL << 56;
inline constexpr Groups kWithSatFinite = 1ULL << 57;
inline constexpr Groups kWithVector8 = 1ULL << 54;    // v8 of loads and stores
inline constexpr Groups kWithMask = 1ULL << 55;       // mask of pmevent
inline constexpr Groups kWithStochastic = 1ULL << 58; // rs: one more operand
inline constexpr Groups kWithTensorMap = 1ULL << 59;  // tensormap of prefetch
inline constexpr Groups kWithMmio = 1ULL << 60;       // mmio of loads and stores

struct Modifiers {
    Groups present = 0;
    Rounding rounding = Rounding::None;
    Sub sub = Sub::None;
    BoolOp combine = BoolOp::None;
    Space space = Space::Generic;
    std::uint8_t vector = 1;
    std::uint8_t component = 0;
    Outside outside = Outside::Trap;
    Query query = Query::Width;
    std::uint32_t flags = 0;
    bool unsigned_only = false;  // a comparison was written lo, ls, hi or hs
    std::array<Type, 4> types{}; // in text order
    unsigned type_count = 0;
    // The first modifier that PTX has and heddle does not execute (relu, cc, b128 ...).
    std::string_view not_executable;

    [[nodiscard]] bool has(Groups g) const {
        return (present & g) != 0;
    }
};

// Decodes the modifiers of `instruction`, in which the `allowed` groups may occur. Reports unknown, misplaced and
// doubled modifiers and returns false then.
[[nodiscard]] bool decode(const ptx::Instruction& instruction, Groups allowed, const SourceText& text,
                          Diagnostics& diagnostics, Modifiers& out);

// The modifiers that PTX has and heddle does not execute.
[[nodiscard]] std::span<const Refusal> refused_modifiers();
[[nodiscard]] bool is_refused(std::string_view modifier); // one of them

// The text of a group's members, for messages: "rn, rz, rm or rp".
[[nodiscard]] std::string members_of(Groups groups);

// "add.rn.f32", as written.
[[nodiscard]] std::string text_of(const ptx::Instruction&);

// Position of a piece of an instruction's text; the instruction's own when `piece` is not in `text`.
[[nodiscard]] Position position_of(std::string_view piece, const ptx::Instruction&, const SourceText& text);

} // namespace heddle::ir
