#include "ir/isa/modifiers.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.h"

namespace heddle::ir {

namespace {

struct Word {
    std::string_view text;
    Groups group;
    unsigned value = 0; // of the enumeration that the group selects
};

template <typename T>
constexpr Word word(std::string_view text, Groups g, T value) {
    return {text, g, static_cast<unsigned>(value)};
}

// One text may stand in several groups (and, lo, min, cta): the opcode's allowed groups decide.
constexpr Word kWords[] = {
    word("rn", kWithRound, Rounding::Rn),
    word("rz", kWithRound, Rounding::Rz),
    word("rm", kWithRound, Rounding::Rm),
    word("rp", kWithRound, Rounding::Rp),
    word("rna", kWithRoundAway, Rounding::Rna),
    word("rs", kWithStochastic, Rounding::Rs),
    word("rni", kWithRoundInt, Rounding::Rni),
    word("rzi", kWithRoundInt, Rounding::Rzi),
    word("rmi", kWithRoundInt, Rounding::Rmi),
    word("rpi", kWithRoundInt, Rounding::Rpi),
    word("ftz", kWithFtz, kFtz),
    word("noftz", kWithNoFtz, 0),
    word("sat", kWithSat, kSaturate),
    word("relu", kWithRelu, kRelu),
    word("oob", kWithOutOfBounds, kOutOfBounds),
    word("satfinite", kWithSatFinite, kSatFinite),
    word("approx", kWithApprox, kApprox),
    word("full", kWithFull, kFull),
    word("NaN", kWithNan, kNanResult),
    word("xorsign", kWithXorSign, kXorSign),
    word("abs", kWithAbs, kMagnitudes),
    word("lo", kWithHalf, Sub::Lo),
    word("hi", kWithHalf, Sub::Hi),
    word("wide", kWithHalf, Sub::Wide),
    word("eq", kWithCompare, Sub::Eq),
    word("ne", kWithCompare, Sub::Ne),
    word("lt", kWithCompare, Sub::Lt),
    word("le", kWithCompare, Sub::Le),
    word("gt", kWithCompare, Sub::Gt),
    word("ge", kWithCompare, Sub::Ge),
    word("lo", kWithCompare, Sub::Lt),
    word("ls", kWithCompare, Sub::Le),
    word("hi", kWithCompare, Sub::Gt),
    word("hs", kWithCompare, Sub::Ge),
    word("equ", kWithCompare, Sub::Equ),
    word("neu", kWithCompare, Sub::Neu),
    word("ltu", kWithCompare, Sub::Ltu),
    word("leu", kWithCompare, Sub::Leu),
    word("gtu", kWithCompare, Sub::Gtu),
    word("geu", kWithCompare, Sub::Geu),
    word("num", kWithCompare, Sub::Num),
    word("nan", kWithCompare, Sub::Nan),
    word("and", kWithCombine, BoolOp::And),
    word("or", kWithCombine, BoolOp::Or),
    word("xor", kWithCombine, BoolOp::Xor),
    word("and", kWithAtomOp, Sub::AtomAnd),
    word("or", kWithAtomOp, Sub::AtomOr),
    word("xor", kWithAtomOp, Sub::AtomXor),
    word("exch", kWithAtomOp, Sub::AtomExch),
    word("cas", kWithAtomOp, Sub::AtomCas),
    word("add", kWithAtomOp, Sub::AtomAdd),
    word("inc", kWithAtomOp, Sub::AtomInc),
    word("dec", kWithAtomOp, Sub::AtomDec),
    word("min", kWithAtomOp, Sub::AtomMin),
    word("max", kWithAtomOp, Sub::AtomMax),
    word("up", kWithShflMode, Sub::ShflUp),
    word("down", kWithShflMode, Sub::ShflDown),
    word("bfly", kWithShflMode, Sub::ShflBfly),
    word("idx", kWithShflMode, Sub::ShflIdx),
    word("all", kWithVoteMode, Sub::VoteAll),
    word("any", kWithVoteMode, Sub::VoteAny),
    word("uni", kWithVoteMode, Sub::VoteUni),
    word("ballot", kWithVoteMode, Sub::VoteBallot),
    word("sync", kWithBarMode, Sub::BarSync),
    word("arrive", kWithBarMode, Sub::BarArrive),
    word("red", kWithBarMode, Sub::None),
    word("popc", kWithBarRed, Sub::BarRedPopc),
    word("and", kWithBarRed, Sub::BarRedAnd),
    word("or", kWithBarRed, Sub::BarRedOr),
    word("warp", kWithWarp, 0),
    word("aligned", kWithAligned, kAligned),
    word("f4e", kWithPrmtMode, Sub::PrmtF4e),
    word("b4e", kWithPrmtMode, Sub::PrmtB4e),
    word("rc8", kWithPrmtMode, Sub::PrmtRc8),
    word("ecl", kWithPrmtMode, Sub::PrmtEcl),
    word("ecr", kWithPrmtMode, Sub::PrmtEcr),
    word("rc16", kWithPrmtMode, Sub::PrmtRc16),
    word("mask", kWithMask, 0),
    word("tensormap", kWithTensorMap, 0),
    word("l", kWithShfDirection, Sub::ShfLeft),
    word("r", kWithShfDirection, Sub::ShfRight),
    word("clamp", kWithShfMode, kClamp),
    word("wrap", kWithShfMode, 0),
    word("finite", kWithTestp, Sub::TestFinite),
    word("infinite", kWithTestp, Sub::TestInfinite),
    word("number", kWithTestp, Sub::TestNumber),
    word("notanumber", kWithTestp, Sub::TestNotANumber),
    word("normal", kWithTestp, Sub::TestNormal),
    word("subnormal", kWithTestp, Sub::TestSubnormal),
    word("shiftamt", kWithShiftAmount, kShiftAmount),
    word("to", kWithTo, kToSpace),
    word("uni", kWithUni, kUniform),
    word("idx", kWithIndex, 0),
    word("cc", kWithCarry, 0),
    word("sync", kWithSync, kHasMask),
    word("mmio", kWithMmio, 0), // no access is split, repeated or left out, so that nothing is left to do for it
    word("volatile", kWithSemantics, kVolatile),
    word("weak", kWithSemantics, 0),
    word("relaxed", kWithSemantics, kStrong),
    word("acquire", kWithSemantics, kStrong | kAcquire),
    word("release", kWithSemantics, kStrong | kRelease),
    word("acq_rel", kWithSemantics, kStrong | kAcquire | kRelease),
    word("sc", kWithSemantics, kStrong | kAcquire | kRelease),
    word("cta", kWithScope, kBlockScope),
    word("cluster", kWithScope, 0),
    word("gpu", kWithScope, 0),
    word("gl", kWithScope, 0),
    word("sys", kWithScope, 0),
    word("ca", kWithCache, 0),
    word("cg", kWithCache, kUncached),
    word("cs", kWithCache, 0),
    word("lu", kWithCache, 0),
    word("cv", kWithCache, kUncached),
    word("wb", kWithCache, 0),
    word("wt", kWithCache, 0),
    word("nc", kWithCache, 0),
    word("L1::evict_normal", kWithEvict1, 0),
    word("L1::evict_unchanged", kWithEvict1, 0),
    word("L1::evict_first", kWithEvict1, 0),
    word("L1::evict_last", kWithEvict1, 0),
    word("L1::no_allocate", kWithEvict1, kUncached),
    word("L2::evict_normal", kWithEvict2, 0),
    word("L2::evict_first", kWithEvict2, 0),
    word("L2::evict_last", kWithEvict2, 0),
    word("L2::64B", kWithFetch2, 0),
    word("L2::128B", kWithFetch2, 0),
    word("L2::256B", kWithFetch2, 0),
    word("L2::cache_hint", kWithPolicy, 0),
    word("1d", kWithGeometry, Sub::Geometry1d),
    word("2d", kWithGeometry, Sub::Geometry2d),
    word("3d", kWithGeometry, Sub::Geometry3d),
    word("a1d", kWithGeometry, Sub::GeometryA1d),
    word("a2d", kWithGeometry, Sub::GeometryA2d),
    word("cube", kWithGeometry, Sub::GeometryCube),
    word("acube", kWithGeometry, Sub::GeometryACube),
    word("base", kWithBase, 0),
    word("level", kWithLod, 0),
    word("grad", kWithGradient, 0),
    word("r", kWithComponent, 0),
    word("g", kWithComponent, 1),
    word("b", kWithComponent, 2),
    word("a", kWithComponent, 3),
    word("b", kWithUnit, 0),
    word("p", kWithUnit, kFormatted),
    word("width", kWithQuery, Query::Width),
    word("height", kWithQuery, Query::Height),
    word("depth", kWithQuery, Query::Depth),
    word("channel_data_type", kWithQuery, Query::ChannelDataType),
    word("channel_order", kWithQuery, Query::ChannelOrder),
    word("normalized_coords", kWithQuery, Query::NormalizedCoords),
    word("array_size", kWithQuery, Query::ArraySize),
    word("num_mipmap_levels", kWithQuery, Query::MipmapLevels),
    word("num_samples", kWithQuery, Query::Samples),
    word("memory_layout", kWithQuery, Query::MemoryLayout),
    word("force_unnormalized_coords", kWithQuery, Query::ForceUnnormalizedCoords),
    word("filter_mode", kWithQuery, Query::FilterMode),
    word("addr_mode_0", kWithQuery, Query::AddressMode0),
    word("addr_mode_1", kWithQuery, Query::AddressMode1),
    word("addr_mode_2", kWithQuery, Query::AddressMode2),
    word("trap", kWithOutside, Outside::Trap),
    word("clamp", kWithOutside, Outside::Clamp),
    word("zero", kWithOutside, Outside::Zero),
    word("v2", kWithVector, 2),
    word("v4", kWithVector, 4),
    word("v8", kWithVector8, 8),
    word("L1", kWithLevel, 0),
    word("L2", kWithLevel, 0),
    word("const", kWithSpace, Space::Const),
    word("global", kWithSpace, Space::Global),
    word("local", kWithSpace, Space::Local),
    word("param", kWithSpace, Space::Param),
    word("param::entry", kWithSpace, Space::Param),
    word("param::func", kWithSpace, Space::Param),
    word("shared", kWithSpace, Space::Shared),
    word("shared::cta", kWithSpace, Space::Shared),
    word("shared::cluster", kWithSpace, Space::SharedCluster),
};

// Modifiers of PTX that heddle does not execute: a launch of the kernel reports them.
constexpr Refusal kNotExecutable[] = {
    {"s8x4", "operations on four bytes, of a later PTX"},
    {"u8x4", "operations on four bytes, of a later PTX"},
    {"2dms", "textures of several samples"},
    {"a2dms", "textures of several samples"},
    {"scaled", "scale factors of conversions, of a later PTX"},
    {"unified", "unified texture addresses"},
    {"L2::evict_normal_prefetch", "prefetches with a priority"},
    {"im2col::w", "tensor copies along one dimension of an image, of devices after sm_90"},
    {"im2col::w::128", "tensor copies along one dimension of an image, of devices after sm_90"},
    {"cta_group::1", "pairs of blocks, of devices after sm_90"},
    {"cta_group::2", "pairs of blocks, of devices after sm_90"},
    {"cp_mask", "masks of bytes in bulk copies, of devices after sm_90"},
};

const std::unordered_map<std::string_view, std::vector<const Word*>>& dictionary() {
    static const auto words = [] {
        std::unordered_map<std::string_view, std::vector<const Word*>> map;
        for (const Word& w : kWords)
            map[w.text].push_back(&w);
        return map;
    }();
    return words;
}

void apply(const Word& w, Modifiers& out) {
    switch (w.group) {
    case kWithRound:
    case kWithRoundInt:
    case kWithRoundAway:
    case kWithStochastic:
        out.rounding = static_cast<Rounding>(w.value);
        return;
    case kWithCombine:
        out.combine = static_cast<BoolOp>(w.value);
        return;
    case kWithComponent:
        out.component = static_cast<std::uint8_t>(w.value);
        return;
    case kWithQuery:
        out.query = static_cast<Query>(w.value);
        return;
    case kWithOutside:
        out.outside = static_cast<Outside>(w.value);
        return;
    case kWithVector:
    case kWithVector8:
        out.vector = static_cast<std::uint8_t>(w.value);
        return;
    case kWithSpace:
        out.space = static_cast<Space>(w.value);
        return;
    case kWithCompare:
        out.sub = static_cast<Sub>(w.value);
        out.unsigned_only = w.text == "lo" || w.text == "ls" || w.text == "hi" || w.text == "hs";
        return;
    case kWithHalf:
    case kWithAtomOp:
    case kWithShflMode:
    case kWithVoteMode:
    case kWithBarRed:
    case kWithPrmtMode:
    case kWithShfDirection:
    case kWithTestp:
    case kWithGeometry:
        out.sub = static_cast<Sub>(w.value);
        return;
    case kWithBarMode:
        if (w.text != "red")
            out.sub = static_cast<Sub>(w.value);
        return;
    default:
        out.flags |= w.value;
        return;
    }
}

// The nearest modifier that the opcode allows, else the nearest of all.
std::string nearest_word(std::string_view text, Groups allowed) {
    Suggestion near(text);
    for (const Word& w : kWords)
        if ((w.group & allowed) != 0)
            near.consider(w.text);
    for (unsigned t = 1; t <= static_cast<unsigned>(Type::Pred); ++t)
        near.consider(ptx::name_of(static_cast<Type>(t)));
    return near.name().empty() ? std::string() : fmt::format(".{}", near.name());
}

enum class Found { Applied, NotAllowed, Unknown, Doubled };

Found apply_word(std::string_view text, Groups allowed, Modifiers& out) {
    const auto entry = dictionary().find(text);
    if (entry == dictionary().end())
        return Found::Unknown;
    Found found = Found::NotAllowed;
    for (const Word* w : entry->second) {
        if ((w->group & allowed) == 0)
            continue;
        if (out.has(w->group)) {
            found = Found::Doubled; // unless it stands for another group as well: setp.lo.and, bar.red.and
            continue;
        }
        out.present |= w->group;
        apply(*w, out);
        return Found::Applied;
    }
    return found;
}

} // namespace

std::string text_of(const ptx::Instruction& instruction) {
    std::string text(instruction.opcode);
    for (const std::string_view m : instruction.modifiers)
        text.append(".").append(m);
    return text;
}

Position position_of(std::string_view piece, const ptx::Instruction& instruction, const SourceText& text) {
    const char* begin = text.text().data();
    const char* end = begin + text.text().size();
    const std::less<const char*> before;
    if (before(piece.data(), begin) || !before(piece.data(), end) || before(piece.data(), instruction.opcode.data()))
        return instruction.where;
    // Opcode and modifiers stand on one line: the column is the distance from its start.
    const std::string_view ahead = text.text().substr(0, static_cast<std::size_t>(piece.data() - begin));
    const std::size_t newline = ahead.rfind('\n');
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return {instruction.where.line, static_cast<std::uint32_t>(ahead.size() - start + 1)};
}

// Modifiers that ptxas takes for a part of the opcode. The others may also stand behind the type, as CUDA's headers
// have it (max.s32.relu, ex2.approx.f32.ftz).
constexpr Groups kPartOfName = kWithHalf | kWithFull | kWithShfDirection | kWithTo | kWithBarMode | kWithUnit |
                               kWithLod | kWithBase | kWithGradient;

bool decode(const ptx::Instruction& instruction, Groups allowed, const SourceText& text, Diagnostics& diagnostics,
            Modifiers& out) {
    bool good = true;
    const auto fail = [&](std::string_view modifier, std::string message) {
        diagnostics.error(position_of(modifier, instruction, text), std::move(message));
        good = false;
    };
    for (const std::string_view m : instruction.modifiers) {
        if (const Type type = ptx::type_named(m); type != Type::None) {
            if (out.type_count == out.types.size())
                fail(m, fmt::format("too many types in '{}'", text_of(instruction)));
            else
                out.types[out.type_count++] = type;
            continue;
        }
        const Groups before = out.present;
        const Found found = apply_word(m, allowed, out);
        if (found == Found::Applied) {
            if (out.type_count != 0 && ((out.present ^ before) & kPartOfName) != 0)
                fail(m, fmt::format("modifier '.{}' is misplaced: it stands before the type", m));
        } else if (is_refused(m)) {
            if (out.not_executable.empty())
                out.not_executable = m;
        } else if (found == Found::Doubled) {
            fail(m,
                 fmt::format("modifier '.{}' contradicts or repeats an earlier one of '{}'", m, text_of(instruction)));
        } else if (found == Found::NotAllowed) {
            fail(m, fmt::format("'{}' takes no modifier '.{}'", instruction.opcode, m));
        } else {
            fail(m, fmt::format("unknown modifier '.{}'{}", m, did_you_mean(nearest_word(m, allowed))));
        }
    }
    return good;
}

std::span<const Refusal> refused_modifiers() {
    return kNotExecutable;
}

bool is_refused(std::string_view modifier) {
    return std::any_of(std::begin(kNotExecutable), std::end(kNotExecutable),
                       [modifier](const Refusal& r) { return r.name == modifier; });
}

std::string members_of(Groups groups) {
    std::vector<std::string_view> names;
    for (const Word& w : kWords)
        if ((w.group & groups) != 0)
            names.push_back(w.text);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += fmt::format("{}.{}", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
    return text;
}

} // namespace heddle::ir
