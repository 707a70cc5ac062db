#include "sm/sub_core/pipe_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "sm/frame/core_config.h"
#include "sm/sub_core/config.h"

namespace heddle::sm {
namespace {

std::optional<PipeTiming> parse(std::string_view text) {
    const auto number = [&](std::string_view digits) -> std::optional<std::uint16_t> {
        std::uint16_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size() || value == 0 ||
            value > PipeTiming::kMostCycles)
            return std::nullopt;
        return value;
    };
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos)
        return std::nullopt;
    const auto latency = number(text.substr(0, slash));
    const auto interval = number(text.substr(slash + 1));
    if (!latency || !interval || *interval > *latency)
        return std::nullopt;
    return PipeTiming{*latency, *interval};
}

using Text = std::string PipeConfig::*;
struct Class {
    std::string_view name;
    Text text;
    std::string_view meaning;
};
constexpr std::array<Class, 18> kClasses{{
    {"int_add", &PipeConfig::int_add,
     "latency/initiation interval of integer add, sub, in cycles; empty: the pipe does not execute it"},
    {"int_max", &PipeConfig::int_max,
     "latency/initiation interval of integer max, min, in cycles; empty: the pipe does not execute it"},
    {"int_mul", &PipeConfig::int_mul,
     "latency/initiation interval of integer mul, in cycles; empty: the pipe does not execute it"},
    {"int_mad", &PipeConfig::int_mad,
     "latency/initiation interval of integer mad, in cycles; empty: the pipe does not execute it"},
    {"int_div", &PipeConfig::int_div,
     "latency/initiation interval of integer div, rem, in cycles; empty: the pipe does not execute it"},
    {"fp32_add", &PipeConfig::fp32_add,
     "latency/initiation interval of single-precision add, sub, in cycles; empty: the pipe does not execute it"},
    {"fp32_max", &PipeConfig::fp32_max,
     "latency/initiation interval of single-precision max, min, in cycles; empty: the pipe does not execute it"},
    {"fp32_mul", &PipeConfig::fp32_mul,
     "latency/initiation interval of single-precision mul, in cycles; empty: the pipe does not execute it"},
    {"fp32_mad", &PipeConfig::fp32_mad,
     "latency/initiation interval of single-precision mad, fma, in cycles; empty: the pipe does not execute it"},
    {"fp32_div", &PipeConfig::fp32_div,
     "latency/initiation interval of single-precision div, in cycles; empty: the pipe does not execute it"},
    {"fp64_add", &PipeConfig::fp64_add,
     "latency/initiation interval of double-precision add, sub, in cycles; empty: the pipe does not execute it"},
    {"fp64_max", &PipeConfig::fp64_max,
     "latency/initiation interval of double-precision max, min, in cycles; empty: the pipe does not execute it"},
    {"fp64_mul", &PipeConfig::fp64_mul,
     "latency/initiation interval of double-precision mul, in cycles; empty: the pipe does not execute it"},
    {"fp64_mad", &PipeConfig::fp64_mad,
     "latency/initiation interval of double-precision mad, fma, in cycles; empty: the pipe does not execute it"},
    {"fp64_div", &PipeConfig::fp64_div,
     "latency/initiation interval of double-precision div, in cycles; empty: the pipe does not execute it"},
    {"logic", &PipeConfig::logic,
     "latency/initiation interval of logic, moves, conversions, comparisons, control, in cycles; empty: the pipe does "
     "not execute it"},
    {"special", &PipeConfig::special,
     "latency/initiation interval of approximate functions (rcp, sqrt, sin, ...), in cycles; empty: the pipe does not "
     "execute it"},
    {"shuffle", &PipeConfig::shuffle,
     "latency/initiation interval of shfl, in cycles; empty: the pipe does not execute it"},
}};

constexpr std::size_t kLogic = 15, kSpecial = 16, kShuffle = 17;

// Index of the class in kClasses.
std::size_t class_of(ir::Work work, ir::Domain domain) {
    switch (work) {
    case ir::Work::Special:
        return kSpecial;
    case ir::Work::Shuffle:
        return kShuffle;
    case ir::Work::Logic:
    case ir::Work::Control:
    case ir::Work::Memory:
        return kLogic;
    default:
        return static_cast<std::size_t>(domain) * 5 + static_cast<std::size_t>(work);
    }
}

// The members of ClassesConfig, by ir::NativeInstruction::Class.
struct OwnClass {
    std::string_view name;
    std::string ClassesConfig::*text;
    std::string_view meaning;
};
constexpr std::array<OwnClass, 8> kOwn{{
    {"popc", &ClassesConfig::popc,
     "pipe and latency/initiation interval of POPC; empty: as [pipe.NAME] times special functions"},
    {"flo", &ClassesConfig::flo, "likewise of FLO and BREV: the leading one, bit reversal"},
    {"half", &ClassesConfig::half, "likewise of half precision; empty: as single precision"},
    {"convert", &ClassesConfig::convert, "likewise of conversions between numbers of at most 32 bits"},
    {"convert_wide", &ClassesConfig::convert_wide, "likewise of conversions from or to 64 bits"},
    {"compare", &ClassesConfig::compare,
     "likewise of comparisons: from one to its use as a guard; empty: as [pipe.NAME] times logic. Control bits keep "
     "this latency in any case"},
    {"single", &ClassesConfig::single, "likewise of single-precision add, sub, mul, mad, fma"},
    {"redux", &ClassesConfig::redux, "likewise of match and redux; empty: as shfl"},
}};
constexpr std::size_t kSingle = kOwn.size() - 2, kRedux = kOwn.size() - 1; // no classes of ir::NativeInstruction

// "PIPE latency/interval" as the names of pipes and the timing; nothing when it cannot be read.
std::optional<std::pair<std::string_view, PipeTiming>> parse_own(std::string_view text) {
    const std::size_t space = text.rfind(' ');
    if (space == std::string_view::npos)
        return std::nullopt;
    const auto timing = parse(text.substr(space + 1));
    if (!timing)
        return std::nullopt;
    return std::pair{text.substr(0, space), *timing};
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> out;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;)
        out.push_back(word);
    return out;
}

PipeKind kind_of(const std::string& name) {
    return name == "sfu" ? PipeKind::Sfu : name == "dp" ? PipeKind::Dp : PipeKind::Alu;
}

} // namespace

PipeTable::PipeTable(const config::Machine& machine)
    : tensor_(machine.get<TensorConfig>()), warpgroup_(machine.get<WarpgroupConfig>()),
      sub_cores_(machine.get<SubCoreConfig>().schedulers) {
    for (const std::string& name : machine.members(PipeConfig::kFamily)) {
        const auto config = machine.get<PipeConfig>(name);
        if (config.width == 0)
            continue;
        specs_.push_back({name, kind_of(config.kind), static_cast<unsigned>(config.width),
                          static_cast<unsigned>(config.collectors), config.shared});
        configs_.push_back(config);
    }
    const auto own = machine.get<ClassesConfig>();
    for (std::size_t c = 0; c < kOwn.size(); ++c)
        if (const auto timing = parse_own(own.*kOwn[c].text))
            (c == kSingle ? single_ : c == kRedux ? redux_ : own_[c]) = Place{index_of(timing->first), timing->second};
    if (const auto uniform = machine.get<UniformConfig>(); uniform.latency != 0)
        own_[static_cast<std::size_t>(ir::NativeInstruction::Class::Uniform)] =
            Place{add_unit("uniform", 1),
                  {static_cast<std::uint16_t>(uniform.latency), static_cast<std::uint16_t>(uniform.interval)}};
    if (tensor_.is_present())
        tensor_pipe_ = add_unit("tensor", 2);
}

unsigned PipeTable::add_unit(std::string_view name, unsigned collectors) {
    specs_.push_back({std::string(name), PipeKind::Alu, 1, collectors, false});
    configs_.emplace_back(); // executes no class
    return count() - 1;
}

unsigned PipeTable::index_of(std::string_view names) {
    const auto same = std::find_if(specs_.begin(), specs_.end(), [&](const Spec& spec) { return spec.name == names; });
    if (same != specs_.end())
        return static_cast<unsigned>(same - specs_.begin());
    Spec spec{std::string(names), PipeKind::Alu, 1, 1, false};
    for (const std::string& name : words_of(names))
        spec.members = static_cast<std::uint8_t>(spec.members | 1U << index_of(name));
    specs_.push_back(spec);
    configs_.emplace_back(); // executes no class by itself
    return count() - 1;
}

PipeTable::Place PipeTable::place(ir::Work work, ir::Domain domain) const {
    const bool is_single = work == ir::Work::Add || work == ir::Work::Mul || work == ir::Work::Mad;
    if (single_ && domain == ir::Domain::F32 && is_single)
        return *single_;
    const Text text = kClasses[class_of(work, domain)].text;
    for (unsigned pipe = 0; pipe < configs_.size(); ++pipe)
        if (const std::string& timing = configs_[pipe].*text; !timing.empty())
            return {pipe, *parse(timing)};
    return {};
}

PipeTable::Place PipeTable::place(const ir::MicroOp& op) const {
    using enum ir::Opcode;
    const bool exchanges_rows = op.opcode == Ldmatrix || op.opcode == Stmatrix;
    if (tensor_.is_present() && exchanges_rows) // the load or store between them has the time of the instruction
        return {place(ir::Work::Logic, op.domain).pipe, {}};
    if (redux_ && (op.opcode == Match || op.opcode == Redux))
        return *redux_;
    return place(op.work, op.domain);
}

std::optional<PipeTable::Place> PipeTable::place(const ir::Matrix& matrix) const {
    const std::optional<PipeTiming> timing =
        is_asynchronous(matrix) ? warpgroup_.timing(matrix, sub_cores_) : tensor_.timing(matrix, sub_cores_);
    return timing ? std::optional(Place{tensor_pipe_, *timing}) : std::nullopt;
}

bool PipeTable::is_asynchronous(const ir::Matrix& matrix) const {
    return matrix.b_in_memory.present && warpgroup_.timing(matrix, sub_cores_).has_value();
}

std::vector<std::string> PipeConfig::problems(const config::Machine& machine) {
    std::vector<std::string> out;
    std::array<bool, kClasses.size()> executed{};
    unsigned present = 0;
    for (const std::string& name : machine.members(kFamily)) {
        const auto pipe = machine.get<PipeConfig>(name);
        const bool works =
            std::any_of(kClasses.begin(), kClasses.end(), [&](const Class& c) { return !(pipe.*c.text).empty(); });
        if (pipe.width != 0 && !works)
            out.push_back(fmt::format("pipe.{}.width = {}, but no class of instructions has a timing there: set "
                                      "pipe.{}.int_add and the like, or width = 0",
                                      name, pipe.width, name));
        present += pipe.width != 0 ? 1 : 0;
        for (std::size_t c = 0; c < kClasses.size(); ++c) {
            const std::string& text = pipe.*kClasses[c].text;
            executed[c] |= pipe.width != 0 && !text.empty();
            if (!text.empty() && !parse(text))
                out.push_back(
                    fmt::format("pipe.{}.{} = '{}' is not 'latency/interval': two numbers of cycles from 1 to "
                                "{}, the interval not above the latency",
                                name, kClasses[c].name, text, PipeTiming::kMostCycles));
        }
    }
    if (machine.get<CoreConfig>().model != "scoreboard")
        return out;
    present += machine.get<UniformConfig>().latency != 0 ? 1 : 0;
    present += machine.get<TensorConfig>().is_present() ? 1 : 0;
    if (present > PipeTable::kMostWithUnits || present + machine.get<ClassesConfig>().unions() > PipeTable::kMost)
        out.push_back(fmt::format("the machine has {} pipes (pipe.NAME.width above 0); {} are the most", present,
                                  PipeTable::kMostWithUnits));
    for (std::size_t c = 0; c < kClasses.size(); ++c)
        if (!executed[c])
            out.push_back(fmt::format("no pipe executes {0}: a section [pipe.NAME] has to say {0} = "
                                      "\"latency/interval\" (core.model = 'scoreboard')",
                                      kClasses[c].name));
    return out;
}

std::vector<std::string> UniformConfig::problems() const {
    std::vector<std::string> out;
    if (latency != 0 && interval > latency)
        out.push_back(fmt::format("uniform.interval = {} is above uniform.latency = {}", interval, latency));
    if (vector_latency != 0 && vector_latency < latency)
        out.push_back(fmt::format("uniform.vector_latency = {} is below uniform.latency = {}: the uniform path has its "
                                  "results first",
                                  vector_latency, latency));
    return out;
}

std::span<const config::Parameter<UniformConfig>> UniformConfig::parameters() {
    using C = UniformConfig;
    static const config::Parameter<C> table[] = {
        {"latency", &C::latency, "cycles", "0..100",
         "from an instruction on uniform registers to its result; 0: such instructions are executed as those on vector "
         "registers",
         "Huerta et al."},
        {"interval", &C::interval, "cycles", "1..100", "until the uniform path takes the next instruction",
         "Huerta et al."},
        {"vector_latency", &C::vector_latency, "cycles", "0..100",
         "from an instruction on uniform registers to one on vector registers that needs its result, by a scoreboard; "
         "control bits have it in any case; 0: as latency",
         "Huerta et al.: 11 to 13"},
    };
    return table;
}

std::span<const config::Parameter<PipeConfig>> PipeConfig::parameters() {
    using C = PipeConfig;
    static const auto table = [] {
        std::vector<config::Parameter<C>> out{
            {"width", &C::width, "units", "0..8",
             "units of the pipe: instructions that can begin in one cycle; 0: the machine has no such pipe",
             "PRO Table I"},
            {"collectors", &C::collectors, "units", "1..64", "operand collector units of the pipe", "GPGPU-Sim"},
            {"shared", &C::shared, "", "", "all sub-cores share the pipe; false: each sub-core has its own",
             "PRO Table I; modern SMs have their own"},
            {"kind", &C::kind, "", "alu|sfu|dp",
             "stall causes of slots that wait for the pipe or for its results. alu: pipe_sp, sb_alu; sfu: pipe_sfu, "
             "sb_sfu; dp: pipe_dp, sb_dp",
             "none"},
        };
        for (const Class& c : kClasses)
            out.push_back({c.name, c.text, "", "", c.meaning, "PRO Table I"});
        return out;
    }();
    return table;
}

unsigned ClassesConfig::unions() const {
    std::set<std::string_view> names;
    for (const OwnClass& c : kOwn)
        if (const auto timing = parse_own(this->*c.text); timing && words_of(timing->first).size() > 1)
            names.insert(timing->first);
    return static_cast<unsigned>(names.size());
}

std::vector<std::string> ClassesConfig::problems(const config::Machine& machine) const {
    std::vector<std::string> out;
    const std::vector<std::string> pipes = machine.members(PipeConfig::kFamily);
    const auto exists = [&](const std::string& name) {
        return std::find(pipes.begin(), pipes.end(), name) != pipes.end() && machine.get<PipeConfig>(name).width != 0;
    };
    const auto can_share = [&](const std::string& name) {
        const auto pipe = machine.get<PipeConfig>(name);
        return !pipe.shared && pipe.kind == "alu" && machine.get<SubCoreStagesConfig>().read_stages != 0;
    };
    for (const OwnClass& c : kOwn) {
        const std::string& text = this->*c.text;
        const auto timing = parse_own(text);
        if (text.empty())
            continue;
        if (!timing)
            out.push_back(fmt::format("classes.{} = '{}' is not 'PIPE latency/interval': a pipe and two numbers of "
                                      "cycles from 1 to {}, the interval not above the latency",
                                      c.name, text, PipeTiming::kMostCycles));
        for (const std::vector<std::string> names = timing ? words_of(timing->first) : words_of("");
             const std::string& name : names)
            if (!exists(name))
                out.push_back(fmt::format("classes.{} = '{}': the machine has no pipe.{}", c.name, text, name));
            else if (names.size() > 1 && !can_share(name))
                out.push_back(fmt::format("classes.{} = '{}': of several pipes each needs shared = false, kind = 'alu' "
                                          "and sub_core.read_stages; pipe.{} has not",
                                          c.name, text, name));
    }
    return out;
}

std::span<const config::Parameter<ClassesConfig>> ClassesConfig::parameters() {
    static const auto table = [] {
        std::vector<config::Parameter<ClassesConfig>> out;
        for (const OwnClass& c : kOwn)
            out.push_back({c.name, c.text, "", "", c.meaning, "Jia et al., arXiv 1804.06826"});
        return out;
    }();
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::UniformConfig, "the uniform path of native code, one value a warp")
HEDDLE_CONFIG_SECTION(heddle::sm::ClassesConfig, "classes of native instructions with a timing of their own")
HEDDLE_CONFIG_SECTION(heddle::sm::PipeConfig, "a pipe of the sub-cores (core.model = \"scoreboard\")")
