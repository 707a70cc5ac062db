// heddle describe: lists the contents of the registries that the components fill.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "base/suggest.h"
#include "command.h"
#include "config/parameter.h"
#include "config/plugins.h"
#include "config/value.h"
#include "describe_command.h"
#include "formation/formation.h"
#include "ir/isa/page.h"
#include "mem/cache/bypass.h"
#include "mem/cache/prefetcher.h"
#include "mem/cache/replacement.h"
#include "mem/dram/scheduler.h"
#include "mem/network/allocator.h"
#include "probe/profile.h"
#include "probe/slot.h"
#include "report/run_summary.h"
#include "report/table.h"
#include "sched/scheduler.h"
#include "sm/frame/core.h"
#include "stats/statistic.h"
#include "validation.h"
#include "workloads.h"

namespace heddle::cli {

namespace {

using report::Table;

[[noreturn]] void unknown(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
    throw UsageError(
        fmt::format("there is no {} '{}'; valid: {}{}", what, name, comma_list(known), did_you_mean(name, known)));
}

void columns(Table& table, std::initializer_list<const char*> headings) {
    for (const char* heading : headings)
        table.column(heading, Table::Align::Left);
}

std::string with_unit(const std::string& value, const std::string& unit) {
    if (unit == "bytes")
        if (std::string readable = config::readable_bytes(config::parse_integer(value)); readable != value)
            return readable;
    return unit.empty() ? value : value + " " + unit;
}

// The valid values; the names of a registry where the range is one.
std::string valid_values(const config::ParameterInfo& p) {
    const std::vector<std::string> names = config::choices(p.range);
    return names.empty() ? p.range : fmt::format("{}", fmt::join(names, "|"));
}

// Behind what a plug-in has brought.
std::string of_plugin(const std::string& plugin) {
    return plugin.empty() ? "" : fmt::format(" (plug-in {})", plugin);
}

void describe_section(const config::SectionInfo& section) {
    fmt::print("[{}] {}{}\n", section.name, section.meaning, of_plugin(section.plugin));
    Table table;
    columns(table, {"Key", "Default", "Valid", "Meaning", "Source"});
    for (const config::ParameterInfo& p : section.parameters)
        table.row(
            {section.name + "." + p.name, with_unit(p.default_value, p.unit), valid_values(p), p.meaning, p.source});
    fmt::print("{}", table.render());
}

void describe_parameter(const config::SectionInfo& section, const config::ParameterInfo& p) {
    fmt::print("{}.{}: {}\n", section.name, p.name, p.meaning);
    fmt::print("  section  {}: {}\n  type     {}\n", section.name, section.meaning, config::type_name(p.type));
    if (!p.unit.empty())
        fmt::print("  unit     {}{}\n", p.unit, p.unit == "bytes" ? " (KiB, MiB and GiB may follow the number)" : "");
    fmt::print("  default  {}\n", with_unit(p.default_value, p.unit));
    if (!p.range.empty())
        fmt::print("  valid    {}\n", valid_values(p));
    if (!p.source.empty())
        fmt::print("  source   {}\n", p.source);
}

// `name`: a section, or the dotted key of one parameter.
void parameters(const std::string& name) {
    std::vector<std::string> known;
    bool first = true;
    for (const auto& [key, section] : config::sections()) {
        known.push_back(key);
        if (name.empty() || name == key) {
            fmt::print("{}", std::exchange(first, false) ? "" : "\n");
            describe_section(section);
        }
        for (const config::ParameterInfo& p : section.parameters) {
            known.push_back(key + "." + p.name);
            if (name == known.back())
                return describe_parameter(section, p);
        }
    }
    if (first)
        throw UsageError(fmt::format("there is no section or parameter '{}'{}; `heddle describe parameters` lists them",
                                     name, did_you_mean(name, known)));
}

void one_machine(const std::string& name, bool toml) {
    config::Machine machine;
    try {
        machine = config::Machine::load(name, {});
    } catch (const UserError& e) {
        throw UsageError(e.what());
    }
    if (toml) {
        fmt::print("{}", machine.to_toml());
        return;
    }
    fmt::print("{}: {}\n", machine.name(), machine.description());
    Table table;
    columns(table, {"Key", "Value", "From", "Meaning"});
    const auto add = [&](const std::string& name, const config::SectionInfo& section) {
        for (const config::ParameterInfo& p : section.parameters) {
            const auto at = machine.values().find(name + "." + p.name);
            if (at != machine.values().end()) // else the key is in an optional section that the machine does not have
                table.row({at->first, with_unit(at->second.text, p.unit), at->second.origin, p.meaning});
        }
    };
    for (const auto& [name, section] : config::sections()) {
        if (!section.family)
            add(name, section);
        for (const std::string& member : machine.members(name))
            add(name + "." + member, section);
    }
    fmt::print("{}", table.render());
}

// How many published values the machine is compared with, and where the comparison stands.
std::string compared(const std::string& machine) {
    const std::size_t values = published_values_of(machine).size();
    return values == 0 ? "" : fmt::format("{}: docs/modern-machines.md", values);
}

void machines(const std::string& name, bool toml) {
    if (!name.empty())
        return one_machine(name, toml);
    Table table;
    columns(table, {"Machine", "Year", "Published values", "Meaning"});
    for (const std::string& name : config::machine_names()) {
        const config::Machine machine = config::Machine::load(name, {});
        std::string year = machine.year() == 0 ? "" : std::to_string(machine.year());
        if (name == config::default_machine())
            year += " (default)";
        if (machine.preliminary())
            year += " (preliminary)";
        table.row({name, std::move(year), compared(name), machine.description()});
    }
    fmt::print("{}", table.render());
}

template <class T, class... Args>
void policies(const Registry<T, Args...>& registry, const std::string& name) {
    if (!name.empty() && !registry.contains(name))
        unknown(registry.kind(), name, registry.names());
    Table table;
    columns(table, {"Name", "Meaning", "Source"});
    for (const auto& [key, entry] : registry.entries())
        if (name.empty() || name == key)
            table.row({key, entry.meaning, entry.source + of_plugin(entry.plugin)});
    fmt::print("{}", table.render());
    // The settings of a policy are in the section with its name.
    if (const auto section = config::sections().find(name); section != config::sections().end()) {
        fmt::print("\n");
        describe_section(section->second);
    }
}

void plugins(const std::string& name) {
    std::vector<std::string> known;
    Table table;
    columns(table, {"Plug-in", "Meaning", "File", "Digest"});
    for (const config::Plugin& plugin : config::plugins()) {
        known.push_back(plugin.name);
        if (name.empty() || name == plugin.name)
            table.row({plugin.name, plugin.meaning, plugin.file.string(), plugin.digest});
    }
    if (!name.empty() && table.empty())
        unknown("loaded plug-in", name, known);
    fmt::print("{}", known.empty() ? "no plug-in is loaded; --plugin FILE.so loads one\n" : table.render());
}

void describe_stalls() {
    fmt::print("stalls: every issue slot of every cycle has one of these causes; they add up to the slots\n");
    Table table;
    columns(table, {"Cause", "In words", "Meaning"});
    for (const probe::SlotInfo& slot : probe::kSlots)
        table.row({std::string(slot.name), std::string(slot.words), std::string(slot.meaning)});
    fmt::print("{}", table.render());
}

void describe_profile(bool among_others) {
    fmt::print("{}profile: counters of an instruction, of runs with --profile\n", among_others ? "\n" : "");
    Table table;
    columns(table, {"Name", "Unit", "Meaning"});
    for (const probe::CounterInfo& counter : probe::kCounterInfo)
        table.row({std::string(counter.name), std::string(counter.unit), std::string(counter.meaning)});
    fmt::print("{}", table.render());
}

void statistics(const std::string& name) {
    std::vector<std::string> known{"stalls", "profile"};
    bool found = name == "stalls" || name == "profile";
    if (name == "stalls" || name.empty())
        describe_stalls();
    if (name == "profile" || name.empty())
        describe_profile(name.empty());
    for (const auto& [key, section] : stats::sections()) {
        known.push_back(key);
        if (!name.empty() && name != key)
            continue;
        found = true;
        fmt::print("{}{}: {}\n", name.empty() ? "\n" : "", key, section.meaning);
        Table table;
        columns(table, {"Name", "Kind", "Unit", "Meaning"});
        for (const stats::StatisticInfo& s : section.statistics)
            table.row({key + "." + s.name, s.kind, s.unit, s.meaning});
        fmt::print("{}", table.render());
    }
    if (!found && !name.empty())
        unknown("section of statistics", name, known);
}

void views(const std::string& name) {
    Table table;
    columns(table, {"View", "What `heddle run --view` shows"});
    std::vector<std::string> known;
    for (const report::View& view : report::views()) {
        known.emplace_back(view.name);
        if (name.empty() || name == view.name)
            table.row({std::string(view.name), std::string(view.meaning)});
    }
    if (table.empty())
        unknown("view", name, known);
    fmt::print("{}", table.render());
}

struct OpcodeRow {
    const char *name, *kind, *unit;
    bool executable;
    const char* meaning;
};

constexpr OpcodeRow kOpcodes[] = {
#define HEDDLE_OPCODE(enumerator, name, kind, unit, executable, meaning) {name, #kind, #unit, executable, meaning},
#include "ir/isa/opcodes.def"
#undef HEDDLE_OPCODE
};

void opcodes(const std::string& name) {
    Table table;
    columns(table, {"Opcode", "Kind", "Unit", "Executable", "Meaning"});
    std::vector<std::string> known;
    for (const OpcodeRow& row : kOpcodes) {
        known.emplace_back(row.name);
        if (name.empty() || name == row.name)
            table.row({row.name, row.kind, row.unit, row.executable ? "yes" : "not yet", row.meaning});
    }
    if (table.empty())
        throw UsageError(fmt::format("there is no opcode '{}'{}; `heddle describe opcodes` lists them", name,
                                     did_you_mean(name, known)));
    fmt::print("{}", table.render());
}

void topics() {
    Table table;
    columns(table, {"Topic", "What it lists"});
    table.row({"machines", "shipped machines; with a NAME or a file: the value of every parameter and its source"});
    table.row({"cores", "core models: how instructions pass through an SM"});
    table.row({"formations", "how threads form issue units"});
    table.row({"schedulers", "which ready unit goes next"});
    table.row({"replacements", "which line of a cache set is replaced"});
    table.row({"prefetchers", "which lines a cache fetches before an instruction needs them"});
    table.row({"bypasses", "which loads do not allocate a line in the data cache"});
    table.row({"allocators", "which input of a crossbar sends to which output"});
    table.row({"dram-schedulers", "which request a DRAM channel serves next"});
    table.row({"workloads", "the sets of programs that experiments name; NAME is a set"});
    table.row({"plugins", "the plug-ins that --plugin, HEDDLE_PLUGINS or a machine file has loaded"});
    table.row({"parameters", "the keys of machine files; NAME is a section or a key"});
    table.row({"statistics", "stall causes and counters; NAME is a section, `stalls` or `profile`"});
    table.row({"views", "figures and tables of papers that `heddle run --view NAME` adds to its summary"});
    table.row({"opcodes", "PTX instructions"});
    table.row({"man", "the manual page of heddle; NAME is a command; --folder DIR writes all pages"});
    table.row({"completions", "the completion of a shell; NAME is bash, zsh or fish"});
    table.row({"words", "names for completions, a line each; NAME is machines or parameters"});
    table.row({"ptx-isa", "every form of PTX instructions with its state: the page docs/ptx-isa.md"});
    fmt::print("{}", table.render());
}

struct Request {
    std::string topic, name, folder;
    bool toml = false;
};

void describe(const CLI::App& app, const Request& request) {
    if (!request.folder.empty() && request.topic != "man")
        throw UsageError("--folder is for manual pages: heddle describe man --folder DIR");
    if (request.toml && (request.topic != "machines" || request.name.empty()))
        throw UsageError("--toml prints one machine: heddle describe machines NAME --toml");
    if (request.topic.empty())
        topics();
    else if (request.topic == "machines")
        machines(request.name, request.toml);
    else if (request.topic == "cores")
        policies(sm::cores(), request.name);
    else if (request.topic == "formations")
        policies(formation::formations(), request.name);
    else if (request.topic == "schedulers")
        policies(sched::schedulers(), request.name);
    else if (request.topic == "replacements")
        policies(mem::replacements(), request.name);
    else if (request.topic == "prefetchers")
        policies(mem::prefetchers(), request.name);
    else if (request.topic == "bypasses")
        policies(mem::bypasses(), request.name);
    else if (request.topic == "allocators")
        policies(mem::crossbar_allocators(), request.name);
    else if (request.topic == "dram-schedulers")
        policies(mem::dram_schedulers(), request.name);
    else if (request.topic == "workloads")
        describe_workloads(request.name);
    else if (request.topic == "plugins")
        plugins(request.name);
    else if (request.topic == "parameters")
        parameters(request.name);
    else if (request.topic == "statistics")
        statistics(request.name);
    else if (request.topic == "views")
        views(request.name);
    else if (request.topic == "opcodes")
        opcodes(request.name);
    else if (request.topic == "man")
        describe_man(app, request.name, request.folder);
    else if (request.topic == "completions")
        describe_completions(app, request.name);
    else if (request.topic == "words")
        describe_words(request.name);
    else if (request.topic == "ptx-isa")
        fmt::print("{}", ir::isa_page());
    else
        unknown("topic", request.topic,
                {"machines", "cores", "formations", "schedulers", "replacements", "prefetchers", "bypasses",
                 "allocators", "dram-schedulers", "workloads", "plugins", "parameters", "statistics", "views",
                 "opcodes", "man", "completions", "words", "ptx-isa"});
}

} // namespace

void add_describe(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("describe", "Lists machines, policies, parameters, statistics, opcodes");
    const auto request = std::make_shared<Request>();
    command->add_option("TOPIC", request->topic, "one of the topics that `heddle describe` lists");
    command->add_option("NAME", request->name, "an entry of the topic");
    command->add_flag("--toml", request->toml, "with machines NAME: a complete machine file to start from");
    command->add_option("--folder", request->folder, "with man: write the pages of all commands into this folder")
        ->type_name("DIR");
    command->callback([&app, request, &status] {
        describe(app, *request);
        status = 0;
    });
}

} // namespace heddle::cli
