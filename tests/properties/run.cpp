#include "run.h"

#include <cctype>
#include <cstdlib>

#include "../unit/fermi.h"
#include "base/source.h"
#include "formation/formation.h"

namespace heddle::properties {
namespace {

using Settings = std::vector<std::string>;

struct Choices {
    const char* formation;
    std::vector<Settings> each;
    bool home_lanes = true;
};

const std::vector<Choices>& known() {
    static const std::vector<Choices> table = {
        {"pdom", {{}, {"stack.first=not-taken"}}},
        {"lwm",
         {{"lwm.size=32"},
          {"lwm.size=64"},
          {"lwm.size=64", "lwm.refetch=all"},
          {"lwm.size=32", "lwm.miss=warp"},
          {"lwm.size=32", "lwm.miss=stall"},
          {"lwm.size=64", "lwm.jump_once=false", "lwm.pack_predicate=false"},
          {"lwm.size=64", "lwm.refetch=all", "lwm.memory_rows=true"}}},
        {"tbc", {{}}},
        {"dwf",
         {{"dwf.lanes=aware"},
          {"dwf.swizzle=true"},
          {"dwf.miss=thread", "dcache.size=2KiB", "dcache.line=32"},
          {"dwf.lut_entries=2", "dwf.lut_ways=1"}}},
        {"dwf", {{"dwf.lanes=ideal"}, {"dwf.lanes=conflict"}}, false},
        {"mimd", {{}}, false},
        {"maws", // small lines in a small cache: many accesses hit in part
         {{"maws.split=none"},
          {"maws.split=aggress", "dcache.size=2KiB", "dcache.line=32"},
          {"maws.split=aggress", "maws.loop_push=divergent", "dcache.size=2KiB", "dcache.line=32"},
          {"maws.split=aggress", "maws.loop_bypass=false", "dcache.size=2KiB", "dcache.line=32"},
          {"maws.split=lazy", "dcache.size=2KiB", "dcache.line=32"},
          {"maws.split=lazy", "maws.loop_bypass=false", "dcache.size=2KiB", "dcache.line=32"},
          {"maws.split=latspec", "dcache.size=2KiB", "dcache.line=32"}}},
    };
    return table;
}

std::vector<std::uint32_t> words_of(const runtime::Device& device, runtime::ModuleId module, const char* name) {
    const runtime::Variable variable = device.variable(module, name);
    std::vector<std::uint32_t> words(variable.bytes / 4);
    device.read(words.data(), variable.address, variable.bytes);
    return words;
}

std::uint64_t from_environment(const char* name) {
    const char* const text = std::getenv(name);
    const std::uint64_t value = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
    return value == 0 ? 1 : value;
}

} // namespace

std::string test_name(const Variant& variant) {
    std::string out = variant.formation;
    for (const std::string& setting : variant.settings)
        out.append("_").append(setting, setting.find('.') + 1);
    for (char& c : out)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0)
            c = '_';
    return out;
}

void PrintTo(const Variant& variant, std::ostream* out) {
    *out << test_name(variant);
}

std::vector<Variant> variants() {
    std::vector<Variant> out;
    for (const std::string& name : formation::formations().names()) {
        const std::size_t before = out.size();
        if (name == "checked" || name == "its") // its needs native code: workloads:native, ptx:native-timed
            continue;
        for (const Choices& choices : known())
            if (choices.formation == name)
                for (const Settings& settings : choices.each)
                    out.push_back({name, settings, choices.home_lanes});
        if (out.size() == before)
            out.push_back({name});
    }
    return out;
}

const std::vector<Setting>& all_settings() {
    // Small caches, so that loads miss again and again.
    static const Settings small = {"dcache.size=1KiB", "dcache.ways=2", "icache.size=512", "icache.ways=2"};
    static const auto and_small = [](Settings more) {
        more.insert(more.end(), small.begin(), small.end());
        return more;
    };
    static const std::vector<Setting> table = {
        {"lwm11", {"core.threads=256"}, {128, 3}},
        {"dwf07", {"gpu.sms=2"}, {64, 5}},
        {"lwm11", and_small({"core.width=4", "core.threads=64"}), {33, 3}},
        {"lwm11", {"core.threads=256"}, {100, 2}},
        {"lwm11", and_small({"core.width=16", "core.threads=128"}), {128, 2}},
        {"lwm11", and_small({"core.width=4", "core.threads=64", "private.bytes_per_thread=16"}), {64, 2}},
        {"lwm11", and_small({"core.threads=128"}), {33, 4}},
        {"dwf07", {"gpu.sms=2"}, {1, 7}},
    };
    return table;
}

const std::vector<Setting>& scoreboard_settings() {
    static const std::vector<Setting> table = {
        {"gtx480", {"gpu.sms=2", "core.threads=256"}, {128, 3}},
        {"gtx480",
         {"gpu.sms=2", "dcache.size=1KiB", "dcache.ways=2", "dcache.mshrs=2", "dcache.merges=2", "icache.size=512",
          "icache.ways=2"},
         {100, 5}},
        {"lwm11", fermi({"core.threads=64", "core.width=4", "scoreboard.schedulers=1"}), {33, 3}},
        {"lwm11", fermi({"core.threads=256", "scoreboard.schedulers=4", "dcache.size=1KiB"}), {64, 5}},
        {"dwf07",
         fermi({"gpu.sms=2", "scoreboard.long_latency=miss", "scoreboard.buffer=1", "scoreboard.branch=3"}),
         {64, 5}},
        {"gtx480", {"gpu.sms=3", "scoreboard.register_banks=1", "pipe.dp.width=1"}, {1, 7}},
    };
    return table;
}

Outcome run_on(const std::string& machine, const std::vector<std::string>& settings, const Program& program) {
    Outcome run;
    try {
        runtime::Options options;
        options.max_cycles = 20'000'000;
        runtime::Device device(config::Machine::load(machine, settings), options);
        const runtime::ModuleId module = device.load_module("random.ptx", ptx_of(program));
        const runtime::LaunchShape shape{{program.shape.grid, 1, 1}, {program.shape.block, 1, 1}, 0};
        const runtime::LaunchResult launched =
            device.launch(device.kernel(module, "main"), shape, std::span<const std::byte>());
        run.cycles = launched.cycles;
        run.thread_instructions = launched.thread_instructions;
        run.result = nlohmann::json::parse(device.result_json());
        if (run.result["status"] != "complete")
            throw std::runtime_error("the kernel did not end within 20 million cycles");
        run.cells = words_of(device, module, "cells");
        run.spread = words_of(device, module, "spread");
        run.counters = words_of(device, module, "counters");
    } catch (const UserError& error) {
        run.refused = error.what();
    }
    return run;
}

std::vector<std::string> with(std::vector<std::string> settings, const Variant& variant, bool checked) {
    if (checked) {
        settings.emplace_back("core.formation=checked");
        settings.push_back("checked.formation=" + variant.formation);
        settings.push_back(std::string("checked.home_lanes=") + (variant.home_lanes ? "true" : "false"));
    } else {
        settings.push_back("core.formation=" + variant.formation);
    }
    settings.insert(settings.end(), variant.settings.begin(), variant.settings.end());
    return settings;
}

std::uint64_t programs(std::uint64_t usual) {
#ifdef HEDDLE_SANITIZED // each takes ten times as long, and the release build runs them all
    usual = (usual + 5) / 6;
#endif
    return usual * from_environment("HEDDLE_PROPERTY_FACTOR");
}
std::uint64_t first_seed() {
    return from_environment("HEDDLE_PROPERTY_SEED");
}

} // namespace heddle::properties
