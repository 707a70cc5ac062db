#include "sm/sub_core/scoreboard_config.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace heddle::sm {
namespace {

std::optional<UnitsConfig::Timing> parse(std::string_view text) {
    const auto number = [&](std::string_view digits) -> std::optional<std::uint16_t> {
        std::uint16_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size() || value == 0 ||
            value > UnitsConfig::kMostCycles)
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
    return UnitsConfig::Timing{*latency, *interval};
}

using Text = std::string UnitsConfig::*;
constexpr std::array<std::array<Text, 5>, 3> kArithmetic{{
    {&UnitsConfig::int_add, &UnitsConfig::int_max, &UnitsConfig::int_mul, &UnitsConfig::int_mad, &UnitsConfig::int_div},
    {&UnitsConfig::fp32_add, &UnitsConfig::fp32_max, &UnitsConfig::fp32_mul, &UnitsConfig::fp32_mad,
     &UnitsConfig::fp32_div},
    {&UnitsConfig::fp64_add, &UnitsConfig::fp64_max, &UnitsConfig::fp64_mul, &UnitsConfig::fp64_mad,
     &UnitsConfig::fp64_div},
}};

} // namespace

UnitsConfig::Timing UnitsConfig::timing(ir::Work work, ir::Domain domain) const {
    switch (work) {
    case ir::Work::Special:
        return *parse(special);
    case ir::Work::Shuffle:
        return *parse(shuffle);
    case ir::Work::Logic:
    case ir::Work::Control:
    case ir::Work::Memory:
        return *parse(logic);
    default:
        return *parse(this->*kArithmetic[static_cast<std::size_t>(domain)][static_cast<std::size_t>(work)]);
    }
}

std::vector<std::string> UnitsConfig::problems() const {
    std::vector<std::string> out;
    for (const config::Parameter<UnitsConfig>& p : parameters())
        if (const Text* text = std::get_if<Text>(&p.member); text != nullptr && !parse(this->**text))
            out.push_back(fmt::format("units.{} = '{}' is not 'latency/interval': two numbers of cycles from 1 to {}, "
                                      "the interval not above the latency",
                                      p.name, this->**text, kMostCycles));
    return out;
}

std::span<const config::Parameter<ScoreboardConfig>> ScoreboardConfig::parameters() {
    using C = ScoreboardConfig;
    static const config::Parameter<C> table[] = {
        {"schedulers", &C::schedulers, "schedulers", "1..8",
         "warp schedulers of the SM, each issues at most one instruction a cycle; unit u belongs to scheduler u modulo "
         "their number",
         "PRO Table I; division assumed"},
        {"buffer", &C::buffer, "instructions", "1..16",
         "instruction buffer of a unit, fetched at once when it is empty", "GPGPU-Sim"},
        {"decode", &C::decode, "cycles", "1..16", "from an instruction's fetch to its earliest issue", "GPGPU-Sim"},
        {"branch", &C::branch, "cycles", "1..64", "from the issue of a control transfer until its next PC counts",
         "GPGPU-Sim"},
        {"register_banks", &C::register_banks, "banks", "1..64",
         "register banks, each read or written once a cycle; register r of home row w lies in bank r + w modulo their "
         "number",
         "PRO Table I; bank GPGPU-Sim"},
        {"collect", &C::collect, "cycles", "1..16", "from issue to the first operand read", "GPGPU-Sim"},
        {"dispatch", &C::dispatch, "cycles", "1..16", "from the last operand read to the first cycle of execution",
         "GPGPU-Sim"},
        {"collectors_sp", &C::collectors_sp, "units", "1..64", "collector units for the SP units", "GPGPU-Sim"},
        {"collectors_sfu", &C::collectors_sfu, "units", "1..64", "collector units for the SFUs", "GPGPU-Sim"},
        {"collectors_dp", &C::collectors_dp, "units", "1..64", "collector units for the DP units", "assumed"},
        {"collectors_ldst", &C::collectors_ldst, "units", "1..64", "collector units for the load/store unit",
         "GPGPU-Sim"},
        {"result_buses", &C::result_buses, "results", "1..15", "results of SP, SFU and DP units a cycle", "GPGPU-Sim"},
        {"write_back", &C::write_back, "cycles", "1..16", "from the end of execution until the registers are written",
         "GPGPU-Sim"},
        {"long_latency", &C::long_latency, "", "load|miss",
         "whose results units wait long for: loads that go through the data cache, from their issue on, or those that "
         "have missed in it",
         "GPGPU-Sim has load"},
    };
    return table;
}

std::span<const config::Parameter<UnitsConfig>> UnitsConfig::parameters() {
    using C = UnitsConfig;
    static const auto table = [] {
        std::vector<config::Parameter<C>> out{
            {"sp", &C::sp, "units", "1..8", "SP units: integers, single precision, control", "PRO Table I"},
            {"sfu", &C::sfu, "units", "1..8", "special-function units: approximate functions, divisions",
             "PRO Table I"},
            {"dp", &C::dp, "units", "0..8", "double-precision units; 0: that work is done by the SFUs",
             "PRO Table I; GPGPU-Sim"},
            {"int_add", &C::int_add, "", "", "latency/initiation interval of add, sub on integers", "PRO Table I"},
            {"int_max", &C::int_max, "", "", "the same of max, min", "PRO Table I"},
            {"int_mul", &C::int_mul, "", "", "of mul", "PRO Table I"},
            {"int_mad", &C::int_mad, "", "", "of mad", "PRO Table I"},
            {"int_div", &C::int_div, "", "", "of div, rem", "PRO Table I"},
            {"fp32_add", &C::fp32_add, "", "", "of add, sub in single precision", "PRO Table I"},
            {"fp32_max", &C::fp32_max, "", "", "of max, min", "PRO Table I"},
            {"fp32_mul", &C::fp32_mul, "", "", "of mul", "PRO Table I"},
            {"fp32_mad", &C::fp32_mad, "", "", "of mad, fma", "PRO Table I"},
            {"fp32_div", &C::fp32_div, "", "", "of div", "PRO Table I"},
            {"fp64_add", &C::fp64_add, "", "", "of add, sub in double precision", "PRO Table I"},
            {"fp64_max", &C::fp64_max, "", "", "of max, min", "PRO Table I"},
            {"fp64_mul", &C::fp64_mul, "", "", "of mul", "PRO Table I"},
            {"fp64_mad", &C::fp64_mad, "", "", "of mad, fma", "PRO Table I"},
            {"fp64_div", &C::fp64_div, "", "", "of div", "PRO Table I"},
            {"logic", &C::logic, "", "", "of logic, moves, conversions, comparisons, control", "GPGPU-Sim"},
            {"special", &C::special, "", "", "of approximate functions: rcp, sqrt, sin, ...", "GPGPU-Sim"},
            {"shuffle", &C::shuffle, "", "", "of shfl", "GPGPU-Sim"},
        };
        return out;
    }();
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::ScoreboardConfig, "the scoreboarded core (core.model = \"scoreboard\")")
HEDDLE_CONFIG_SECTION(heddle::sm::UnitsConfig, "execution units of the scoreboarded core")
