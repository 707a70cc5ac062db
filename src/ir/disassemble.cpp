#include "ir/disassemble.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "ir/fetch.h"

namespace heddle::ir {

namespace {

constexpr std::uint32_t kSlotBytes = 4 * kVectorLanes;

constexpr std::array<std::string_view, 11> kRoundings{"",     ".rn",  ".rz",  ".rm",  ".rp", ".rni",
                                                      ".rzi", ".rmi", ".rpi", ".rna", ".rs"};

constexpr std::array<std::string_view, 71> kSubs{"",
                                                 ".lo",
                                                 ".hi",
                                                 ".wide",
                                                 ".eq",
                                                 ".ne",
                                                 ".lt",
                                                 ".le",
                                                 ".gt",
                                                 ".ge",
                                                 ".ltu",
                                                 ".leu",
                                                 ".gtu",
                                                 ".geu",
                                                 ".equ",
                                                 ".neu",
                                                 ".num",
                                                 ".nan",
                                                 ".and",
                                                 ".or",
                                                 ".xor",
                                                 ".exch",
                                                 ".cas",
                                                 ".add",
                                                 ".inc",
                                                 ".dec",
                                                 ".min",
                                                 ".max",
                                                 ".arrive",
                                                 ".arrive_drop",
                                                 ".up",
                                                 ".down",
                                                 ".bfly",
                                                 ".idx",
                                                 ".all",
                                                 ".any",
                                                 ".uni",
                                                 ".ballot",
                                                 ".sync",
                                                 ".arrive",
                                                 ".red.popc",
                                                 ".red.and",
                                                 ".red.or",
                                                 ".cluster.arrive",
                                                 ".cluster.wait",
                                                 "",
                                                 ".f4e",
                                                 ".b4e",
                                                 ".rc8",
                                                 ".ecl",
                                                 ".ecr",
                                                 ".rc16",
                                                 ".l",
                                                 ".r",
                                                 ".finite",
                                                 ".infinite",
                                                 ".number",
                                                 ".notanumber",
                                                 ".normal",
                                                 ".subnormal",
                                                 ".rows",
                                                 ".trans",
                                                 ".trans.b8",
                                                 ".meet",
                                                 ".1d",
                                                 ".2d",
                                                 ".3d",
                                                 ".a1d",
                                                 ".a2d",
                                                 ".cube",
                                                 ".acube"};
static_assert(static_cast<unsigned>(Sub::GeometryACube) == kSubs.size() - 1, "kSubs lists the members of Sub in order");

constexpr std::array<std::string_view, 4> kCombines{"", ".and", ".or", ".xor"};

constexpr std::array<std::string_view, static_cast<std::size_t>(SpecialRegister::kCount)> kSpecials{
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%dynamic_smem_size",
    "%total_smem_size",
    "%envreg1",
    "%envreg2",
    "%cluster_ctaid.x",
    "%cluster_ctaid.y",
    "%cluster_ctaid.z",
    "%cluster_nctaid.x",
    "%cluster_nctaid.y",
    "%cluster_nctaid.z",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%clusterid.x",
    "%clusterid.y",
    "%clusterid.z",
    "%nclusterid.x",
    "%nclusterid.y",
    "%nclusterid.z",
    "%is_explicit_cluster",
    "%aggr_smem_size",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "0"};

struct FlagName {
    Flag flag;
    std::string_view text;
};
constexpr FlagName kFlags[] = {
    {kApprox, ".approx"},
    {kFull, ".full"},
    {kFtz, ".ftz"},
    {kSaturate, ".sat"},
    {kClamp, ".clamp"},
    {kRelu, ".relu"},
    {kSatFinite, ".satfinite"},
    {kNanResult, ".NaN"},
    {kXorSign, ".xorsign"},
    {kMagnitudes, ".abs"},
    {kShiftAmount, ".shiftamt"},
    {kToSpace, ".to"},
    {kUniform, ".uni"},
    {kVolatile, ".volatile"},
    {kFormatted, ".p"},
};

const Kernel* kernel_of(const Program& program, Pc pc) {
    for (const Kernel& kernel : program.kernels)
        if (pc >= kernel.begin && pc < kernel.end)
            return &kernel;
    return nullptr;
}

class Printer {
public:
    Printer(const Program& program, Pc pc)
        : program_(program), op_(program.ops.at(pc)), kernel_(kernel_of(program, pc)) {}

    std::string run() {
        std::string text;
        if (op_.guard != kNowhere)
            text = fmt::format("@{}{} ", op_.guard_negated ? "!" : "", place(op_.guard, 4));
        text += name();
        operands();
        for (std::size_t i = 0; i < words_.size(); ++i)
            text.append(i == 0 ? " " : ", ").append(words_[i]);
        if (op_.target != kNoPc)
            text += fmt::format(" -> {}", op_.target);
        if (op_.reconvergence != kNoPc)
            text += fmt::format(" (meets at {})", op_.reconvergence);
        if (op_.has(kDivergesAtReturn))
            text += " (meets at the return)";
        if (op_.loops)
            text += " (delimits a loop)";
        return text;
    }

private:
    [[nodiscard]] std::string name() const {
        std::string text(info(op_.opcode).name);
        switch (op_.opcode) {
        case Opcode::MovSpecial:
        case Opcode::Pack:
        case Opcode::Unpack:
            text = "mov";
            break;
        case Opcode::WmmaAddress:
            text = "wmma.address";
            break;
        default:
            break;
        }
        if (op_.kind == Kind::Nop)
            return text;
        text += kRoundings.at(static_cast<std::size_t>(op_.rounding));
        for (const FlagName& f : kFlags)
            if (op_.has(f.flag))
                text += f.text;
        if (op_.has(kHasMask) && op_.opcode != Opcode::WarpBarrier)
            text += ".sync";
        if (op_.space != Space::Generic)
            text.append(".").append(ptx::name_of(op_.space));
        if (op_.sub != Sub::None)
            text += kSubs.at(static_cast<std::size_t>(op_.sub));
        text += kCombines.at(static_cast<std::size_t>(op_.combine));
        const bool memory =
            op_.kind == Kind::Load || op_.kind == Kind::Store || op_.kind == Kind::Texture || op_.kind == Kind::Surface;
        if (memory && op_.vector > 1)
            text += fmt::format(".v{}", op_.vector);
        if (op_.is_matrix_product()) {
            const Matrix& x = matrix();
            text += fmt::format(".m{}n{}k{}.{}.{}.{}.{}", x.a.shape.m, x.a.shape.n, x.a.shape.k, name_of(x.d.element),
                                name_of(x.a.element), name_of(x.b.element), name_of(x.c.element));
        }
        if (op_.type != Type::None)
            text.append(".").append(ptx::name_of(op_.type));
        if (op_.from != Type::None && op_.opcode != Opcode::Pack && op_.opcode != Opcode::Unpack)
            text.append(".").append(ptx::name_of(op_.from));
        return text;
    }

    [[nodiscard]] const Matrix& matrix() const {
        return program_.matrices.at(static_cast<std::size_t>(op_.imm));
    }

    [[nodiscard]] std::string place(Place p, unsigned bytes) const {
        if (p == kNowhere)
            return "_";
        if ((p & kPool) != 0) {
            std::uint64_t value = 0;
            const std::size_t at = (p & ~kPool) + (kernel_ != nullptr ? kernel_->pool_begin : 0);
            if (at + bytes <= program_.pool.size())
                std::memcpy(&value, &program_.pool[at], bytes);
            return fmt::format("{:#x}", value);
        }
        const std::uint32_t slots = kernel_ != nullptr ? kernel_->slots * kSlotBytes : 0;
        if (p >= slots)
            return fmt::format("p{}", (p - slots) / 4);
        return fmt::format("{}{}", bytes == 8 ? "rd" : "r", p / kSlotBytes);
    }

    [[nodiscard]] std::string address(Place base, unsigned bytes) const {
        if (base == kNowhere)
            return fmt::format("[{}]", op_.imm);
        return op_.imm == 0 ? fmt::format("[{}]", place(base, bytes))
                            : fmt::format("[{}{:+}]", place(base, bytes), op_.imm);
    }

    // "[handle, sampler, coordinates]", so many of the last at most.
    [[nodiscard]] std::string object(unsigned most) const {
        std::string text = place(op_.src[0], 8);
        if (op_.src[fetch::kSampler] != kNowhere && is_fetch())
            text.append(", ").append(place(op_.src[fetch::kSampler], 8));
        for (unsigned i = 1; i <= most && op_.src.at(i) != kNowhere; ++i)
            text.append(", ").append(place(op_.src.at(i), 4));
        return fmt::format("[{}]", text);
    }

    [[nodiscard]] bool is_fetch() const {
        return op_.opcode == Opcode::Tex || op_.opcode == Opcode::Tld4;
    }

    void add(Place p, unsigned bytes) {
        words_.push_back(place(p, bytes));
    }

    // Storage of source i of an Alu operation: those of 64-bit operations that PTX types as .u32 are narrow.
    [[nodiscard]] unsigned source_bytes(std::size_t i) const {
        switch (op_.opcode) {
        case Opcode::Shl:
        case Opcode::Shr:
        case Opcode::Bfe:
            return i == 0 ? op_.src_bytes : 4;
        case Opcode::Bfi:
            return i < 2 ? op_.src_bytes : 4;
        case Opcode::Mad:
            return i == 2 ? op_.dst_bytes : op_.src_bytes;
        case Opcode::Wgmma:
            return i < 2 ? 8 : 4;
        case Opcode::Selp:
        case Opcode::Setp:
        case Opcode::Set:
        case Opcode::Slct:
            return i == 2 ? 4 : op_.src_bytes;
        default:
            return op_.src_bytes;
        }
    }

    void operands() {
        switch (op_.kind) {
        case Kind::Load:
            for (unsigned i = 0; i < op_.vector; ++i)
                add(op_.dst.at(i), op_.dst_bytes);
            words_.push_back(address(op_.src[0], op_.src_bytes));
            return;
        case Kind::Store:
            words_.push_back(address(op_.src[0], op_.dst_bytes));
            for (unsigned i = 0; i < op_.vector; ++i)
                add(op_.src.at(i + 1), op_.src_bytes);
            return;
        case Kind::Texture:
            for (unsigned i = 0; i < op_.vector; ++i)
                add(op_.dst.at(i), op_.dst_bytes);
            words_.push_back(object(4));
            if (is_fetch() && op_.src[fetch::kLevel] != kNowhere)
                add(op_.src[fetch::kLevel], 4);
            if (is_fetch() && op_.src[fetch::kExtra] != kNowhere)
                add(op_.src[fetch::kExtra], 8);
            return;
        case Kind::Surface:
            words_.push_back(object(3));
            for (unsigned i = 0; i < op_.vector; ++i)
                add(op_.src.at(4 + i), op_.src_bytes);
            return;
        case Kind::Atomic:
            if (op_.opcode != Opcode::Red)
                add(op_.dst[0], op_.dst_bytes);
            words_.push_back(address(op_.src[0], op_.src_bytes));
            add(op_.src[1], op_.dst_bytes);
            if (op_.src[2] != kNowhere)
                add(op_.src[2], op_.dst_bytes);
            return;
        default:
            break;
        }
        for (const Place p : op_.dst)
            if (p != kNowhere)
                add(p, op_.dst_bytes);
        if (op_.opcode == Opcode::MovSpecial)
            words_.emplace_back(kSpecials.at(static_cast<std::size_t>(op_.imm)));
        for (std::size_t i = 0; i < op_.src.size(); ++i) {
            if (op_.src[i] == kNowhere)
                continue;
            const bool negated = op_.has(kSourceNegated) && i == predicate_source();
            const bool combine = op_.has(kCombineNegated) && i == 2;
            words_.push_back(fmt::format("{}{}", negated || combine ? "!" : "", place(op_.src[i], source_bytes(i))));
        }
        if (op_.is_matrix_product())
            for (unsigned i = 0; i < matrix().sources(); ++i)
                add(matrix().source.at(i), 4);
        if (op_.opcode == Opcode::Lop3)
            words_.push_back(fmt::format("{:#x}", op_.imm));
    }

    [[nodiscard]] std::size_t predicate_source() const {
        return op_.opcode == Opcode::Selp || op_.opcode == Opcode::Wgmma || op_.kind == Kind::Barrier ? 2 : 0;
    }

    const Program& program_;
    const MicroOp& op_;
    const Kernel* kernel_;
    std::vector<std::string> words_;
};

} // namespace

std::string to_string(const Program& program, Pc pc) {
    return Printer(program, pc).run();
}

} // namespace heddle::ir
