#include "report/machine_facts.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

class Settings {
public:
    explicit Settings(const Json& config) : config_(config) {}

    [[nodiscard]] std::uint64_t number(const std::string& key) const {
        const Json* const value = find(key);
        if (value == nullptr || !value->is_number())
            return 0;
        const auto given =
            value->get<double>(); // clocks have fractions; the conversion of what does not fit is undefined
        return given >= 0 && given < 0x1p63 ? value->get<std::uint64_t>() : 0;
    }
    [[nodiscard]] std::string text(const std::string& key) const {
        const Json* const value = find(key);
        return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
    }
    [[nodiscard]] bool flag(const std::string& key) const {
        const Json* const value = find(key);
        return value != nullptr && value->is_boolean() && value->get<bool>();
    }
    [[nodiscard]] std::vector<std::string> pipes() const {
        constexpr std::string_view kBegin = "pipe.", kEnd = ".width";
        std::vector<std::string> out;
        for (const auto& [key, value] : config_.items())
            if (key.starts_with(kBegin) && key.ends_with(kEnd))
                out.push_back(key.substr(kBegin.size(), key.size() - kBegin.size() - kEnd.size()));
        std::sort(out.begin(), out.end());
        return out;
    }

    [[nodiscard]] bool has_tensor_unit() const {
        return number("tensor.f16") + number("tensor.f16_f32") != 0;
    }

private:
    [[nodiscard]] const Json* find(const std::string& key) const {
        const auto at = config_.find(key);
        return at == config_.end() ? nullptr : &at->at("value");
    }

    const Json& config_;
};

// Cycles of another clock in one of the core's; a clock of 0 is the core's.
double ratio(std::uint64_t mhz, double core_mhz) {
    return mhz == 0 || core_mhz == 0 ? 1 : static_cast<double>(mhz) / core_mhz;
}

double dram_bytes(const Settings& settings, double mhz) {
    const auto channels = static_cast<double>(settings.number("dram.channels"));
    if (settings.text("dram.model") == "timed")
        return channels *
               static_cast<double>(settings.number("dram.bus_bytes") * settings.number("dram.data_per_clock")) *
               ratio(settings.number("dram.clock_mhz"), mhz);
    return channels * static_cast<double>(settings.number("dram.bytes_per_cycle"));
}

} // namespace

MachineFacts machine_facts(const Json& config) {
    const Settings settings(config);
    MachineFacts out;
    out.sms = settings.number("gpu.sms");
    out.width = settings.number("core.width");
    out.warps = out.width == 0 ? 0 : settings.number("core.threads") / out.width;
    out.mhz = static_cast<double>(settings.number("core.clock_mhz"));
    if (settings.text("core.model") == "scoreboard")
        for (const std::string& pipe : settings.pipes())
            if (const std::uint64_t width = settings.number(fmt::format("pipe.{}.width", pipe)); width != 0)
                out.pipes.push_back({pipe, width * (settings.flag(fmt::format("pipe.{}.shared", pipe))
                                                        ? 1
                                                        : settings.number("scoreboard.schedulers"))});
    if (settings.has_tensor_unit())
        out.pipes.insert(std::find_if(out.pipes.begin(), out.pipes.end(),
                                      [](const PipeFacts& pipe) { return pipe.name > "tensor"; }),
                         {"tensor", settings.number("scoreboard.schedulers")});
    out.l1_line = settings.number("dcache.line");
    if (settings.number("dcache.banks") == 0) // else the banks bound it, by the addresses
        out.l1_bytes = static_cast<double>(out.sms * out.l1_line);
    const bool shared = settings.text("interconnect.kind") != "none"; // else each SM has a memory of its own
    if (shared && settings.number("llc.size") != 0) {
        out.l2_line = settings.number("llc.line");
        out.l2_bytes = static_cast<double>(settings.number("llc.slices") * out.l2_line) *
                       ratio(settings.number("llc.clock_mhz"), out.mhz);
    }
    out.dram_bytes = dram_bytes(settings, out.mhz) * (shared ? 1 : static_cast<double>(out.sms));
    return out;
}

} // namespace heddle::report
