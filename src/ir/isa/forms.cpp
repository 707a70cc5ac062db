#include "ir/isa/forms.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace heddle::ir {

namespace {

using enum Opcode;

constexpr TypeSet sets(std::initializer_list<Type> types) {
    TypeSet all = 0;
    for (const Type t : types)
        all |= set_of(t);
    return all;
}

constexpr TypeSet kNone = set_of(Type::None);
constexpr TypeSet kU16 = set_of(Type::U16), kU32 = set_of(Type::U32), kU64 = set_of(Type::U64);
constexpr TypeSet kS16 = set_of(Type::S16), kS32 = set_of(Type::S32), kS64 = set_of(Type::S64);
constexpr TypeSet kB16 = set_of(Type::B16), kB32 = set_of(Type::B32), kB64 = set_of(Type::B64);
constexpr TypeSet kB128 = set_of(Type::B128);
constexpr TypeSet kF32 = set_of(Type::F32), kF64 = set_of(Type::F64), kPred = set_of(Type::Pred);
constexpr TypeSet kF16 = set_of(Type::F16), kF16x2 = set_of(Type::F16x2);
constexpr TypeSet kBF16 = set_of(Type::BF16), kBF16x2 = set_of(Type::BF16x2);
constexpr TypeSet kF16s = kF16 | kF16x2, kBF16s = kBF16 | kBF16x2, kHalves = kF16s | kBF16s;
constexpr TypeSet kFloats = kF32 | kF64;
constexpr TypeSet kSigned = kS16 | kS32 | kS64;
constexpr TypeSet kInts = kU16 | kU32 | kU64 | kSigned;
constexpr TypeSet kWords = kU32 | kS32 | kU64 | kS64;
constexpr TypeSet kBits = kB16 | kB32 | kB64;
constexpr TypeSet kBytes = sets({Type::U8, Type::S8, Type::B8});
constexpr TypeSet kData = kInts | kBits | kFloats;
constexpr TypeSet kConverted = kInts | kFloats | sets({Type::U8, Type::S8}) | kF16 | kBF16;

constexpr TypeSet kU16x2 = set_of(Type::U16x2), kS16x2 = set_of(Type::S16x2), kF32x2 = set_of(Type::F32x2);
constexpr TypeSet kBytePairs = sets({Type::E4M3x2, Type::E5M2x2});
constexpr TypeSet kSmallPairs = kBytePairs | sets({Type::E2M3x2, Type::E3M2x2, Type::E2M1x2});
constexpr TypeSet kSmallFours = sets({Type::E4M3x4, Type::E5M2x4, Type::E2M3x4, Type::E3M2x4, Type::E2M1x4});
constexpr TypeSet kScales = set_of(Type::UE8M0x2);

constexpr Groups kHints = kWithCache | kWithEvict1 | kWithEvict2 | kWithFetch2 | kWithPolicy;
constexpr Groups kAccess = kWithSemantics | kWithMmio | kWithScope | kWithSpace | kWithVector | kWithVector8 | kHints;
constexpr Groups kAtomic =
    kWithSemantics | kWithScope | kWithSpace | kWithAtomOp | kWithVector | kWithVector8 | kWithPolicy;
constexpr Groups kFetch = kWithGeometry | kWithVector | kWithBase | kWithLod | kWithGradient;
constexpr Groups kSurface = kWithUnit | kWithGeometry | kWithVector | kWithCache | kWithOutside;
constexpr Groups kBounded = kWithRelu | kWithSatFinite;
constexpr Groups kCompared = kWithCompare | kWithCombine;
constexpr Groups kMinMaxBF16 = kWithNan | kWithXorSign | kWithAbs;
constexpr Groups kMinMaxF32 = kMinMaxBF16 | kWithFtz;

// Sorted by opcode.
constexpr Form kForms[] = {
    {Add, kS32, 0, kWithSat, 0, 0, "DAA"},
    {Add, kInts & ~kS32, 0, 0, 0, 0, "DAA"},
    {Add, kF32 | kF16s, 0, kWithRound | kWithFtz | kWithSat, 0, 0, "DAA"},
    {Add, kF64 | kBF16s, 0, kWithRound, 0, 0, "DAA"},
    {Add, kU16x2 | kS16x2, 0, 0, 0, 0, "DAA"},
    {Add, kF32x2, 0, kWithRound | kWithFtz, 0, 0, "DAA"},
    {Add, kF32, kF16 | kBF16, kWithRound | kWithSat, 0, 0, "DFA"},
    {Add, kWords, 0, kWithCarry, kWithCarry, 0, ""},
    {Sub, kS32, 0, kWithSat, 0, 0, "DAA"},
    {Sub, kInts & ~kS32, 0, 0, 0, 0, "DAA"},
    {Sub, kF32 | kF16s, 0, kWithRound | kWithFtz | kWithSat, 0, 0, "DAA"},
    {Sub, kF64 | kBF16s, 0, kWithRound, 0, 0, "DAA"},
    {Sub, kF32x2, 0, kWithRound | kWithFtz, 0, 0, "DAA"},
    {Sub, kF32, kF16 | kBF16, kWithRound | kWithSat, 0, 0, "DFA"},
    {Sub, kWords, 0, kWithCarry, kWithCarry, 0, ""},
    {AddC, kWords, 0, kWithCarry, 0, 0, ""},
    {SubC, kWords, 0, kWithCarry, 0, 0, ""},
    {Mul, kInts, 0, kWithHalf, kWithHalf, 0, "DAA"},
    {Mul, kF32 | kF16s, 0, kWithRound | kWithFtz | kWithSat, 0, 0, "DAA"},
    {Mul, kF64 | kBF16s, 0, kWithRound, 0, 0, "DAA"},
    {Mul, kF32x2, 0, kWithRound | kWithFtz, 0, 0, "DAA"},
    {Mad, kS32, 0, kWithHalf | kWithSat, kWithHalf, 0, "DAAA"},
    {Mad, kInts & ~kS32, 0, kWithHalf, kWithHalf, 0, "DAAA"},
    {Mad, kF32, 0, kWithRound | kWithFtz | kWithSat, kWithRound, 0, "DAAA"},
    {Mad, kF64, 0, kWithRound, kWithRound, 0, "DAAA"},
    {Mad, kWords, 0, kWithHalf | kWithCarry, kWithHalf, kWithCarry, ""},
    {MadC, kWords, 0, kWithHalf | kWithCarry, kWithHalf, 0, ""},
    {Mul24, kU32 | kS32, 0, kWithHalf, kWithHalf, 0, "DAA"},
    {Mad24, kU32, 0, kWithHalf, kWithHalf, 0, "DAAA"},
    {Mad24, kS32, 0, kWithHalf | kWithSat, kWithHalf, 0, "DAAA"},
    {Fma, kF32 | kF16s, 0, kWithRound | kWithFtz | kWithSat, kWithRound, 0, "DAAA"},
    {Fma, kF64 | kBF16s, 0, kWithRound, kWithRound, 0, "DAAA"},
    {Fma, kF16s, 0, kWithRound | kWithFtz | kWithRelu, kWithRound, 0, "DAAA"},
    {Fma, kBF16s, 0, kWithRound | kWithRelu, kWithRound, 0, "DAAA"},
    {Fma, kF16s, 0, kWithRound | kWithOutOfBounds | kWithSat, kWithRound, kWithOutOfBounds, "DAAA"},
    {Fma, kHalves, 0, kWithRound | kWithOutOfBounds | kWithRelu, kWithRound, kWithOutOfBounds, "DAAA"},
    {Fma, kF32x2, 0, kWithRound | kWithFtz, kWithRound, 0, "DAAA"},
    {Fma, kF32, kF16 | kBF16, kWithRound | kWithSat, kWithRound, 0, "DFFA"},
    {Div, kInts, 0, 0, 0, 0, "DAA"},
    {Div, kF32, 0, kWithRound | kWithApprox | kWithFull | kWithFtz, kWithRound | kWithApprox | kWithFull, 0, "DAA"},
    {Div, kF64, 0, kWithRound, kWithRound, 0, "DAA"},
    {Rem, kInts, 0, 0, 0, 0, "DAA"},
    {Neg, kSigned, 0, 0, 0, 0, "DA"},
    {Neg, kF32 | kF16s, 0, kWithFtz, 0, 0, "DA"},
    {Neg, kF64 | kBF16s, 0, 0, 0, 0, "DA"},
    {Abs, kSigned, 0, 0, 0, 0, "DA"},
    {Abs, kF32 | kF16s, 0, kWithFtz, 0, 0, "DA"},
    {Abs, kF64 | kBF16s, 0, 0, 0, 0, "DA"},
    {Min, kInts | kF64 | kU16x2 | kS16x2, 0, 0, 0, 0, "DAA"},
    {Min, kS32 | kS16x2, 0, kWithRelu, 0, 0, "DAA"},
    {Min, kBF16s, 0, kMinMaxBF16, 0, 0, "DAA"},
    {Min, kF32 | kF16s, 0, kMinMaxF32, 0, 0, "DAA"},
    {Max, kInts | kF64 | kU16x2 | kS16x2, 0, 0, 0, 0, "DAA"},
    {Max, kS32 | kS16x2, 0, kWithRelu, 0, 0, "DAA"},
    {Max, kBF16s, 0, kMinMaxBF16, 0, 0, "DAA"},
    {Max, kF32 | kF16s, 0, kMinMaxF32, 0, 0, "DAA"},
    {Sad, kInts, 0, 0, 0, 0, "DAAA"},
    {Copysign, kFloats, 0, 0, 0, 0, "DAA"},
    {Testp, kFloats, 0, kWithTestp, kWithTestp, 0, "PA"},
    {Dp4a, kU32 | kS32, kU32 | kS32, 0, 0, 0, "DAFA"},
    {Dp2a, kU32 | kS32, kU32 | kS32, kWithHalf, kWithHalf, 0, "DAFA"},
    {Rcp, kF32, 0, kWithRound | kWithApprox | kWithFtz, kWithRound | kWithApprox, 0, "DA"},
    {Rcp, kF64, 0, kWithRound | kWithApprox | kWithFtz, kWithRound | kWithApprox, 0, "DA"},
    {Sqrt, kF32, 0, kWithRound | kWithApprox | kWithFtz, kWithRound | kWithApprox, 0, "DA"},
    {Sqrt, kF64, 0, kWithRound, kWithRound, 0, "DA"},
    {Rsqrt, kFloats, 0, kWithApprox | kWithFtz, kWithApprox, 0, "DA"},
    {Sin, kF32, 0, kWithApprox | kWithFtz, kWithApprox, 0, "DA"},
    {Cos, kF32, 0, kWithApprox | kWithFtz, kWithApprox, 0, "DA"},
    {Lg2, kF32, 0, kWithApprox | kWithFtz, kWithApprox, 0, "DA"},
    {Ex2, kF32, 0, kWithApprox | kWithFtz, kWithApprox, 0, "DA"},
    {Ex2, kF16s, 0, kWithApprox, kWithApprox, 0, "DA"},
    {Ex2, kBF16s, 0, kWithApprox | kWithFtz, kWithApprox, kWithFtz, "DA"},
    {Tanh, kF32 | kHalves, 0, kWithApprox, kWithApprox, 0, "DA"},
    {And, kBits | kPred, 0, 0, 0, 0, "DAA"},
    {Or, kBits | kPred, 0, 0, 0, 0, "DAA"},
    {Xor, kBits | kPred, 0, 0, 0, 0, "DAA"},
    {Not, kBits | kPred, 0, 0, 0, 0, "DA"},
    {Cnot, kBits, 0, 0, 0, 0, "DA"},
    {Lop3, kB32, 0, kWithCombine, 0, 0, ""},
    {Shl, kBits, 0, 0, 0, 0, "DAu"},
    {Shr, kBits | kInts, 0, 0, 0, 0, "DAu"},
    {Shf, kB32, 0, kWithShfDirection | kWithShfMode, kWithShfDirection, kWithShfMode, "DAAu"},
    {Bfe, kWords, 0, 0, 0, 0, "DAuu"},
    {Bfi, kB32 | kB64, 0, 0, 0, 0, "DAAuu"},
    {Bfind, kWords, 0, kWithShiftAmount, 0, 0, "oA"},
    {Brev, kB32 | kB64, 0, 0, 0, 0, "DA"},
    {Clz, kB32 | kB64, 0, 0, 0, 0, "oA"},
    {Popc, kB32 | kB64, 0, 0, 0, 0, "oA"},
    {Prmt, kB32, 0, kWithPrmtMode, 0, 0, "DAAA"},
    {Bmsk, kB32, 0, kWithShfMode, kWithShfMode, 0, "ouu"},
    {Szext, kU32 | kS32, 0, kWithShfMode, kWithShfMode, 0, "DAu"},
    {Fns, kB32, 0, 0, 0, 0, "DAAA"},
    {Setp, kBits | kInts | kF64 | kBF16s, 0, kCompared, kWithCompare, 0, ""},
    {Setp, kF32 | kF16s, 0, kCompared | kWithFtz, kWithCompare, 0, ""},
    {Set, kU32 | kS32 | kF32 | kF16 | kBF16, kBits | kInts | kF64, kCompared, kWithCompare, 0, ""},
    {Set, kU32 | kS32 | kF32 | kF16 | kBF16, kF32, kCompared | kWithFtz, kWithCompare, 0, ""},
    {Set, kU16 | kS16 | kU32 | kS32 | kF16 | kBF16, kF16, kCompared | kWithFtz, kWithCompare, 0, ""},
    {Set, kU16 | kS16 | kU32 | kS32 | kBF16, kBF16, kCompared, kWithCompare, 0, ""},
    {Set, kU32 | kS32 | kF16x2, kF16x2, kCompared | kWithFtz, kWithCompare, 0, ""},
    {Set, kU32 | kS32 | kBF16x2, kBF16x2, kCompared, kWithCompare, 0, ""},
    {Selp, kData, 0, 0, 0, 0, "DAAp"},
    {Slct, kData, kS32, 0, 0, 0, "DAAF"},
    {Slct, kData, kF32, kWithFtz, 0, 0, "DAAF"},
    {Mov, kData, 0, kWithVector, 0, 0, ""},
    {Mov, kPred | kB128, 0, 0, 0, 0, ""},
    {Cvt, kConverted, kConverted, kWithRound | kWithRoundInt | kWithFtz | kWithSat, 0, 0, ""},
    {Cvt, kF16 | kBF16, kF32, kWithRound | kBounded, kWithRound, 0, ""},
    {Cvt, kF16x2 | kBF16x2, kF32, kWithRound | kWithStochastic | kBounded, kWithRound | kWithStochastic, 0, ""},
    {Cvt, set_of(Type::TF32), kF32, kWithRound | kWithRoundAway | kBounded, 0, 0, ""},
    {Cvt, kSmallPairs, kF32, kWithRound | kBounded, kWithRound, kWithSatFinite, ""},
    {Cvt, kBytePairs | set_of(Type::E2M1x2), kF16x2, kWithRound | kBounded, kWithRound, kWithSatFinite, ""},
    {Cvt, kF16x2, kSmallPairs, kWithRound | kWithRelu, kWithRound, 0, ""},
    {Cvt, kSmallFours, kF32, kWithStochastic | kBounded, kWithStochastic, kWithSatFinite, ""},
    {Cvt, kScales, kF32 | kBF16x2, kWithRound | kWithSatFinite, kWithRound, 0, ""},
    {Cvt, kBF16x2, kScales, kWithRound, kWithRound, 0, ""},
    {Cvta, kU32 | kU64, 0, kWithTo | kWithSpace, kWithSpace, 0, ""},
    {Isspacep, kNone, 0, kWithSpace, kWithSpace, 0, ""},
    {Alloca, kU32 | kU64, 0, 0, 0, 0, ""},
    {Stacksave, kU32 | kU64, 0, 0, 0, 0, ""},
    {Stackrestore, kU32 | kU64, 0, 0, 0, 0, ""},
    {Istypep, sets({Type::Texref, Type::Samplerref, Type::Surfref}), 0, 0, 0, 0, ""},
    {Ld, kData | kBytes | kB128, 0, kAccess, 0, 0, ""},
    {Ldu, kData | kBytes | kB128, 0, kWithSpace | kWithVector, 0, 0, ""},
    {St, kData | kBytes | kB128, 0, kAccess, 0, 0, ""},
    {Atom, kData | kB128, 0, kAtomic, kWithAtomOp, 0, ""},
    {Atom, kHalves, 0, kAtomic | kWithNoFtz, kWithAtomOp, kWithNoFtz, ""},
    {Red, kData, 0, kAtomic, kWithAtomOp, 0, ""},
    {Red, kHalves, 0, kAtomic | kWithNoFtz, kWithAtomOp, kWithNoFtz, ""},
    {Prefetch, kNone, 0, kWithSpace | kWithLevel | kWithEvict2 | kWithTensorMap, 0, 0, ""},
    {PrefetchU, kNone, 0, kWithLevel, kWithLevel, 0, ""},
    {Membar, kNone, 0, kWithScope, kWithScope, 0, ""},
    {Fence, kNone, 0, kWithSemantics | kWithScope, 0, 0, ""},
    {Tex, kF32 | kU32 | kS32 | kF16 | kF16x2, kF32 | kS32, kFetch, kWithGeometry, kWithVector, ""},
    {Tld4, kF32 | kU32 | kS32, kF32, kWithComponent | kWithGeometry | kWithVector, kWithComponent, kWithGeometry, ""},
    {Suld, kBits | set_of(Type::B8), 0, kSurface, kWithGeometry, kWithOutside, ""},
    {Sust, kBits | set_of(Type::B8), 0, kSurface, kWithGeometry, kWithOutside, ""},
    {Sured, kU32 | kS32 | kU64 | kS64 | kB32 | kB64, 0, kWithUnit | kWithAtomOp | kWithGeometry | kWithOutside,
     kWithGeometry, kWithOutside, ""},
    {Txq, kB32, 0, kWithQuery | kWithLod, kWithQuery, 0, ""},
    {Suq, kB32, 0, kWithQuery, kWithQuery, 0, ""},
    {Bra, kNone, 0, kWithUni, 0, 0, ""},
    {BrxIdx, kNone, 0, kWithIndex | kWithUni, kWithIndex, 0, ""},
    {Call, kNone, 0, kWithUni, 0, 0, ""},
    {Ret, kNone, 0, kWithUni, 0, 0, ""},
    {Exit, kNone, 0, 0, 0, 0, ""},
    {Trap, kNone, 0, 0, 0, 0, ""},
    {Brkpt, kNone, 0, 0, 0, 0, ""},
    {Pmevent, kNone, 0, kWithMask, 0, 0, ""},
    {Nanosleep, kU32, 0, 0, 0, 0, ""},
    {Bar, kNone | kU32 | kPred, 0, kWithBarMode | kWithBarRed | kWithWarp | kWithScope | kWithAligned, kWithBarMode, 0,
     ""},
    {Barrier, kNone | kU32 | kPred, 0, kWithBarMode | kWithBarRed | kWithScope | kWithAligned, kWithBarMode, 0, ""},
    {Shfl, kB32, 0, kWithSync | kWithShflMode, kWithShflMode, 0, ""},
    {Vote, kPred | kB32, 0, kWithSync | kWithVoteMode, kWithVoteMode, 0, ""},
    {Match, kB32 | kB64, 0, kWithSync | kWithVoteMode, kWithVoteMode, 0, ""},
    {Redux, kB32 | kU32 | kS32, 0, kWithSync | kWithAtomOp, kWithAtomOp, kWithSync, ""},
    {Redux, kF32, 0, kWithSync | kWithAtomOp | kWithAbs | kWithNan, kWithAtomOp, kWithSync, ""},
    {Elect, kNone, 0, kWithSync, kWithSync, 0, ""},
    {Activemask, kB32, 0, 0, 0, 0, ""},
};

struct Row {
    std::uint16_t begin = 0, end = 0;
    Groups groups = 0;
};

constexpr auto kRows = [] {
    std::array<Row, static_cast<std::size_t>(kCount)> rows{};
    for (std::size_t i = 0; i < std::size(kForms); ++i) {
        Row& row = rows[static_cast<std::size_t>(kForms[i].opcode)];
        if (row.end == 0)
            row.begin = static_cast<std::uint16_t>(i);
        row.end = static_cast<std::uint16_t>(i + 1);
        row.groups |= kForms[i].allowed;
    }
    return rows;
}();

} // namespace

std::string names_of(TypeSet types) {
    std::string text;
    for (unsigned t = 1; t <= static_cast<unsigned>(Type::Surfref); ++t)
        if ((types & set_of(static_cast<Type>(t))) != 0)
            text += fmt::format("{}.{}", text.empty() ? "" : " ", ptx::name_of(static_cast<Type>(t)));
    return text;
}

std::span<const Form> forms_of(Opcode opcode) {
    const Row& row = kRows.at(static_cast<std::size_t>(opcode));
    return std::span(kForms).subspan(row.begin, static_cast<std::size_t>(row.end - row.begin));
}

Groups groups_of(Opcode opcode) {
    return kRows.at(static_cast<std::size_t>(opcode)).groups;
}

} // namespace heddle::ir
