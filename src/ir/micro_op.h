// The result of lowering PTX: flat micro-ops with operands resolved to places in a row's frame.
//
// A frame is the storage of one row of up to 32 lanes (exec/frame.h lays rows out):
//   slots       each 32 lanes x 32 bits = 128 bytes, lane by lane. A register of 8 to 32 bits takes
//               one slot (value in the low bits, the rest undefined), one of 64 bits takes two
//               consecutive slots as 32 lanes x 64 bits, one of 128 bits two 64-bit registers.
//               A slot holds registers of one width only, for all functions of a kernel: threads of a row
//               on different paths share the slots lane by lane, and lanes lie elsewhere in a pair.
//   predicates  behind the slots, one 32-bit mask each: bit i is lane i's predicate.
// Constants (immediates and addresses of variables) lie in a pool in the same shape, every lane holding the value, so
// that operations need no special case.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/types.h"
#include "ptx/syntax.h"

namespace heddle::ir {

using ptx::Space;
using ptx::Type;

enum class Opcode : std::uint8_t {
#define HEDDLE_OPCODE(name, text, kind, work, executable, meaning) name,
#include "ir/isa/opcodes.def"
#undef HEDDLE_OPCODE
    kCount,
};

enum class Kind : std::uint8_t {
    Alu,     // registers to registers, lane by lane
    Special, // depends on the thread: special registers
    Load,
    Store,
    Atomic,
    Texture, // a load through a texture or surface object, or a bulk copy to shared memory (ir/bulk.h)
    Surface, // a store through a surface object
    Fence,
    Branch,   // target, or the next micro-op, by guard
    Indirect, // a target for each thread
    Call,
    System, // a call that the device's runtime serves
    Return,
    Exit,
    Barrier,  // of a block
    WarpSync, // of a PTX warp, or of a warpgroup
    Trap,
    Nop,
};

// Writes memory and no register.
[[nodiscard]] constexpr bool stores(Kind kind) {
    return kind == Kind::Store || kind == Kind::Surface;
}

// Rows of a machine's latency table. Logic: also moves, conversions and comparisons.
enum class Work : std::uint8_t { Add, Max, Mul, Mad, Div, Special, Logic, Shuffle, Memory, Control };
enum class Domain : std::uint8_t { Int, F32, F64 };

enum class Rounding : std::uint8_t { None, Rn, Rz, Rm, Rp, Rni, Rzi, Rmi, Rpi, Rna, Rs };

// What an opcode's modifiers select beyond type and rounding; which group applies follows from the opcode.
enum class Sub : std::uint8_t {
    None,
    // mul, mad, mul24, mad24
    Lo,
    Hi,
    Wide,
    // set, setp
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Equ,
    Neu,
    Num,
    Nan, // (lo, ls, hi, hs are lt, le, gt, ge of u*)
    // atom, red, redux
    AtomAnd,
    AtomOr,
    AtomXor,
    AtomExch,
    AtomCas,
    AtomAdd,
    AtomInc,
    AtomDec,
    AtomMin,
    AtomMax,
    // mbarrier
    AtomArrive,
    AtomArriveDrop,
    // shfl
    ShflUp,
    ShflDown,
    ShflBfly,
    ShflIdx,
    // vote, match
    VoteAll,
    VoteAny,
    VoteUni,
    VoteBallot,
    // bar, barrier
    BarSync,
    BarArrive,
    BarRedPopc,
    BarRedAnd,
    BarRedOr,
    BarClusterArrive,
    BarClusterWait,
    // prmt
    PrmtIndex,
    PrmtF4e,
    PrmtB4e,
    PrmtRc8,
    PrmtEcl,
    PrmtEcr,
    PrmtRc16,
    // shf
    ShfLeft,
    ShfRight,
    // testp
    TestFinite,
    TestInfinite,
    TestNumber,
    TestNotANumber,
    TestNormal,
    TestSubnormal,
    // ldmatrix, stmatrix, movmatrix
    MatrixRows, // gives each thread the address of a row
    MatrixTransposed,
    MatrixBytes, // transposed, elements of 8 bits
    // wgmma
    WarpgroupMeets,
    // textures, surfaces: meaning of the coordinates
    Geometry1d,
    Geometry2d,
    Geometry3d,
    GeometryA1d, // an array; the first coordinate is the layer
    GeometryA2d,
    GeometryCube,
    GeometryACube,
};

enum class BoolOp : std::uint8_t { None, And, Or, Xor }; // combines set/setp with a predicate

enum Flag : std::uint32_t {
    kFtz = 1 << 0,
    kSaturate = 1 << 1,
    kApprox = 1 << 2,
    kFull = 1 << 3,            // div.full
    kClamp = 1 << 4,           // shf.clamp (else .wrap)
    kNanResult = 1 << 5,       // min.NaN, max.NaN
    kXorSign = 1 << 6,         // min/max.xorsign.abs
    kShiftAmount = 1 << 7,     // bfind.shiftamt
    kToSpace = 1 << 8,         // cvta.to.<space> (else <space> to generic)
    kUniform = 1 << 9,         // .uni
    kCombineNegated = 1 << 10, // set/setp: the combining predicate was written !c
    kSourceNegated = 1 << 11,  // a predicate source was written !p (selp, vote, bar.red, mov.pred ...)
    kVolatile = 1 << 12,
    kDivergesAtReturn = 1 << 13, // its paths meet again only at the return address of the function
    kHasMask = 1 << 14,          // vote/shfl with a member mask (.sync)
    kBlockScope = 1 << 15,       // .cta
    kUncached = 1 << 16,         // .cg, .cv or .L1::no_allocate (is_uncached() in ir/cache_operator.h)
    kFormatted = 1 << 17,        // a surface access in elements, in the format of the surface
    kStrong = 1 << 18,           // .relaxed, .acquire, .release, .acq_rel or .sc; atomics are strong without it
    kAcquire = 1 << 19,          // .acquire, .acq_rel or .sc
    kRelease = 1 << 20,          // .release, .acq_rel or .sc
    kAsyncCopy = 1 << 21,        // a part of cp.async, or a wait for such copies (ir/async_copy.h)
    kAligned = 1 << 22,          // a barrier that all threads of a warp execute together
    kMagnitudes = 1 << 23,       // min.abs, max.abs of three operands
    kRelu = 1 << 24,             // a negative result is 0
    kSatFinite = 1 << 25,        // a result beyond the largest number is that number
    kOutOfBounds = 1 << 26,      // fma.oob: the result is 0 where a factor comes from outside a tensor
    // An arrival at a barrier object when the thread's last bulk copy is there (ir/bulk.h); with kAsyncCopy when its
    // asynchronous copies so far are.
    kWithCopy = 1 << 27,
    kReachesL2 = 1 << 28,  // a fence of the block that takes the time of one of the GPU
    kTestsPhase = 1 << 29, // a load of a barrier object whose phase the next micro-ops compare
    kSuspends = 1 << 30,   // such a load of mbarrier.try_wait: its thread may wait for the phase
};

// The rule for the elements of vadd2 and similar instructions, as bits of MicroOp::imm.
namespace element_rule {
inline constexpr std::int64_t kMask = 0xf; // elements that are computed
inline constexpr std::int64_t kSignedB = 0x10;
inline constexpr std::int64_t kAdds = 0x20; // elements are added to c; else elements outside the mask come from c
} // namespace element_rule

// The rule for vadd, vmad and similar instructions, as bits of MicroOp::imm. A selector is a part of a register.
namespace video_rule {
inline constexpr std::int64_t kWord = 0, kByte = 1, kHalf = 5; // selectors: kByte + 0..3, kHalf + 0..1
inline constexpr int kSelectA = 0, kSelectB = 3, kSelectD = 6; // shifts of selectors of three bits
inline constexpr std::int64_t kSignedB = 1 << 9;
inline constexpr std::int64_t kMerges = 1 << 10; // the result replaces the selected part of c
inline constexpr std::int64_t kAdds = 1 << 11, kMinimum = 1 << 12, kMaximum = 1 << 13;            // of the result and c
inline constexpr std::int64_t kNegatedProduct = 1 << 14, kNegatedC = 1 << 15, kPlusOne = 1 << 16; // vmad
inline constexpr int kShift = 17; // of the bits that vmad cuts off: 0, 7 or 15
} // namespace video_rule

// The effect of a surface access outside the surface.
enum class Outside : std::uint8_t { Trap, Clamp, Zero }; // Zero: loads give 0, stores do nothing

// A place in a frame or in the constant pool: a byte offset, the top bit set for the pool.
using Place = std::uint32_t;
inline constexpr Place kNowhere = 0xffffffffU;
inline constexpr Place kPool = 0x80000000U;
// Whether all threads have one value there; kNowhere is no such place.
constexpr bool is_constant(Place place) {
    return (place & kPool) != 0 && place != kNowhere;
}

enum class SpecialRegister : std::uint8_t {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    Laneid,
    Warpid,
    Nwarpid,
    Smid,
    Nsmid,
    Gridid,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    Clock,
    ClockHi,
    Clock64,
    Globaltimer,
    GlobaltimerLo,
    GlobaltimerHi,
    DynamicSmemSize,
    TotalSmemSize,
    Envreg1,
    Envreg2,
    ClusterCtaidX,
    ClusterCtaidY,
    ClusterCtaidZ,
    ClusterNctaidX,
    ClusterNctaidY,
    ClusterNctaidZ,
    ClusterCtarank,
    ClusterNctarank,
    ClusteridX,
    ClusteridY,
    ClusteridZ,
    NclusteridX,
    NclusteridY,
    NclusteridZ,
    IsExplicitCluster, // a predicate; 1 or 0
    AggrSmemSize,
    ReservedSmemBegin, // this and the following: Launch::reserved_shared
    ReservedSmemEnd,
    ReservedSmemCap,
    ReservedSmemOffset0,
    ReservedSmemOffset1,
    Zero, // %current_graph_exec, performance counters, %envreg but 1 and 2
    kCount,
};

// Operand conventions, by kind and opcode (src[i] in PTX operand order unless said):
//   Alu        dst[0] (setp: dst[0] and dst[1], predicates, kNowhere for a sink or none);
//              set/setp: src[2] = combining predicate; selp: src[2] = predicate; slct: src[2] = c.
//              lop3: imm = truth table; with a combination dst[1] = (dst[0] != 0) op src[3], predicates. Pack:
//              src[0..vector) -> dst[0]; Unpack: src[0] -> dst[0..vector). mov/not/and/or/xor of type Pred work on
//              predicate places. isspacep: dst[0] a predicate, `space`; of .const and .global it is of kind Special,
//              dst[0] 1 or 0. vadd2 and similar: type of the result (u32,
//              s32), `from` of a, src[0..3); sub: comparison of vset; imm: an element_rule. vadd, vmad and similar: the
//              same, with a video_rule. cvta: `space`; type is the address type.
//   Special    dst[0]; imm = SpecialRegister (MovSpecial).
//              txq, suq: src[0] handle, src[1] level or kNowhere, imm a Query. istypep: src[0] handle, `type`.
//              TexLevel: src[0] handle, src[1..4) direction of a cube, the rest in ir/fetch.h. SuredAddress: dst[0] of
//              8 bytes, src[0..4) as for Surface, imm in ir/fetch.h. WmmaAddress: src[0] base address of src_bytes,
//              src[1] distance of lines, imm a PieceOfMatrix (ir/isa/matrix.h).
//   Load       dst[0..vector) (kNowhere: dropped); src[0] = base address register or constant, kNowhere
//              for an absolute address; imm = displacement. Kernel parameters: space Param, address =
//              offset in the parameter block. CpAsync, in native code: the elements go on to shared memory, to the
//              address in src[1], 4 bytes; dst are temporaries.
//   Store      src[0] base, imm displacement, data src[1..1+vector).
//   Texture    dst[0..vector) (kNowhere: dropped); src[0] = the object's handle, 8 bytes, src[1..] = coordinates,
//              `sub`: their meaning; `from`: their type. suld: imm = Outside. Fetches: other sources and imm in
//              ir/fetch.h.
//   Surface    src[0] and src[1..4) as for Texture, imm = Outside, data src[4..4+vector), of src_bytes.
//   Atomic     dst[0] or kNowhere, src[0] base, imm displacement, src[1] (and src[2] for cas). b128: two places each.
//   Branch     target.
//   Call       target; imm = index in Program::calls.
//   System     imm = index in Program::system_calls; arguments and result lie in local memory as those of a Call.
//   Barrier    bar.cluster: no operands. Else src[0] = barrier number, src[1] = thread count or kNowhere; bar.red:
//   dst[0] (register for popc,
//              predicate for and/or), src[2] = predicate.
//   WarpSync   shfl: dst[0], dst[1] predicate or kNowhere, src[0] a, src[1] b, src[2] c, src[3] member mask;
//              vote: dst[0] (predicate, or register for ballot), src[0] predicate, src[3] member mask;
//              match: dst[0], dst[1] predicate or kNowhere, src[0] a, src[3] member mask; sub VoteAny or VoteAll;
//              redux: dst[0], src[0] a, src[3] member mask; sub AtomAdd, AtomMin, AtomMax, AtomAnd, AtomOr or AtomXor;
//              elect: dst[0] or kNowhere, dst[1] predicate, src[3] member mask;
//              bar.warp.sync: src[3] member mask;
//              wmma, mma, wgmma: dst[0..4) or kNowhere, imm = index in Program::matrices, which has the sources;
//              src[3] mask, src[4] metadata of a sparse matrix; wgmma: src[0] and [1] descriptors of A (or kNowhere)
//              and B, 8 bytes, src[2] predicate: C is added; wgmma with sub WarpgroupMeets: waits for the live threads
//              of four PTX warps; ldmatrix, stmatrix: `vector` registers of a thread; sub MatrixRows: dst[0] and src[0]
//              addresses of src_bytes, dst[1] predicate or kNowhere: the thread gives a row; else src[3] mask and
//              ldmatrix: dst[0..vector), src[0], [1], [2], [4] the four words that each thread has loaded, imm: bits of
//              an element in memory that becomes a byte, or 0;
//              stmatrix: dst[0..4) the words that each thread stores, src[0], [1], [2], [4] the registers;
//              movmatrix: dst[0], src[0], src[3] mask.
//
// Storage and shapes:
//   - Sources that PTX types as .u32 whatever the operation's type (shift amounts, bit positions and
//     lengths, shfl's b and c, masks, barrier numbers) are 32-bit places; so are popc, clz and bfind results.
//   - A predicate constant is a pool entry like a 32-bit one: its first word is the mask, 0 or ~0.
//   - The storage of an address register may be 4 bytes (zero-extended): Load and Atomic give it in
//     src_bytes, Store in dst_bytes. Store gives the data's in src_bytes, Atomic in dst_bytes (also
//     without a result). Constant bases always have 8 bytes.
//   - Pack and Unpack: `type` is the wide type (b32, b64), `from` the element's (b16, b32).
//   - cvt: source storage src_bytes, source type `from`; a result narrower than its register is
//     extended to dst_bytes (sign or zero, after `type`). To a vector of two or four numbers: a source for each, of 4
//     bytes, the first for the highest; then the random bits of .rs.
//   - add, sub and fma of mixed precision: `from` is the type of src[0] (fma: and src[1]).
//   - cvt.pack: src[0], src[1] and src[2] or kNowhere; imm: bits of an element, negative where it is signed.
// Rounding: Rn where PTX lets add, sub, mul go without one. mad and fma of floating type are the same.
// Domain: of `from` for set; for cvt F64 when either type is f64, else F32 when either is f32.
// Function parameters (.param of a .func and of call sequences) lie in local memory at and beyond
// Kernel::declared_local_bytes: their accesses have space Local with such offsets.
// An operation that cannot execute (Kernel::not_executable, undefined_calls) keeps its opcode but has
// kind Nop and no operands. Hints (prefetch, brkpt, nanosleep) also have kind Nop and no operands.
// No source place overlaps a destination place except (1) in an Alu operation with one destination, a
// source at exactly the destination's place and of its size: lane-by-lane evaluation in place is safe;
// (2) where the PTX text names one register as source and destination (ld %r1,[%r1]; shfl).
struct MicroOp {
    Opcode opcode = Opcode::Mov;
    Kind kind = Kind::Alu;
    Type type = Type::None; // the operation's type (loads and stores: the memory type)
    Type from = Type::None; // source type where it differs: cvt, set, slct (type of c)
    Rounding rounding = Rounding::None;
    Sub sub = Sub::None;
    BoolOp combine = BoolOp::None;
    Space space = Space::Generic;
    Work work = Work::Add;
    Domain domain = Domain::Int;
    std::uint8_t vector = 1;    // elements of a load, store, pack or unpack: 1, 2, 4
    std::uint8_t dst_bytes = 4; // storage of dst (4 or 8): may be wider than `type` in ld, cvt, mov
    std::uint8_t src_bytes = 4; // storage of src[0] (st: of the data)
    bool guard_negated = false;
    bool meets = false; // the immediate post-dominator of a branch lies here
    bool loops = false; // a conditional branch that delimits the iterations of a loop (ir/analysis/loops.h)
    std::uint32_t flags = 0;
    Place guard = kNowhere; // predicate place
    std::array<Place, 4> dst{kNowhere, kNowhere, kNowhere, kNowhere};
    std::array<Place, 8> src{kNowhere, kNowhere, kNowhere, kNowhere, kNowhere, kNowhere, kNowhere, kNowhere};
    std::int64_t imm = 0;
    Pc target = kNoPc;
    Pc reconvergence = kNoPc; // Branch, Return and Exit under a guard: immediate post-dominator;
                              // kNoPc: only the end of the thread (or kDivergesAtReturn)
    [[nodiscard]] bool has(Flag f) const {
        return (flags & f) != 0;
    }
    // Whether `imm` is the index of a Matrix, whose sources are read as well.
    [[nodiscard]] bool is_matrix_product() const {
        return kind == Kind::WarpSync && (opcode == Opcode::Wmma || opcode == Opcode::Mma ||
                                          (opcode == Opcode::Wgmma && sub != Sub::WarpgroupMeets));
    }
    // Whether the threads of four PTX warps wait for each other.
    [[nodiscard]] bool is_of_warpgroup() const {
        return sub == Sub::WarpgroupMeets;
    }
    [[nodiscard]] bool is_conditional_branch() const {
        return kind == Kind::Branch && guard != kNowhere;
    }
};

struct OpcodeInfo {
    std::string_view name; // the name in PTX
    Kind kind;
    Work work;
    bool executable;
    std::string_view meaning;
};
[[nodiscard]] const OpcodeInfo& info(Opcode);

} // namespace heddle::ir
