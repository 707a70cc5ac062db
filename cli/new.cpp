// heddle new: a directory with a plug-in to start from, of templates/ (docs/plug-ins.md).
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/suggest.h"
#include "child.h"
#include "command.h"
#include "config/parameter.h"
#include "formation/formation.h"
#include "mem/cache/prefetcher.h"
#include "mem/cache/replacement.h"
#include "own_folder.h"
#include "sched/scheduler.h"
#include "workloads.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

struct NewOptions {
    std::string kind, name, folder;
};

struct Kind {
    std::string_view name;
    std::string_view noun; // of one
    std::string_view key;  // that selects a policy of the kind in a test; empty: it is no policy
    bool (*is_taken)(const std::string& policy);
};
constexpr Kind kKinds[] = {
    {"formation", "formation", "core.formation",
     [](const std::string& p) { return formation::formations().contains(p); }},
    {"prefetcher", "prefetcher", "dcache.prefetch",
     [](const std::string& p) { return mem::prefetchers().contains(p); }},
    {"replacement", "replacement", "dcache.replacement",
     [](const std::string& p) { return mem::replacements().contains(p); }},
    {"scheduler", "scheduler", "core.scheduler", [](const std::string& p) { return sched::schedulers().contains(p); }},
    {"workloads", "workload set", "", [](const std::string& s) { return program_sets().contains(s); }},
};

const Kind& find_kind(const std::string& name) {
    std::vector<std::string> known;
    for (const Kind& kind : kKinds) {
        if (kind.name == name)
            return kind;
        known.emplace_back(kind.name);
    }
    throw UsageError(
        fmt::format("there is no template for a {}; valid: {}{}", name, comma_list(known), did_you_mean(name, known)));
}

// What stands in a template as @NAME@, @TARGET@, @TYPE@ and @KEY@.
struct Names {
    std::string name;   // "least-recent": of the policy and the plug-in
    std::string target; // "least_recent": of files, the CMake target and the section of settings
    std::string type;   // "LeastRecentPolicy"
    std::string key;    // "core.scheduler"
};

Names names_of(const std::string& name, const Kind& kind) {
    const auto is_good = [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-'; };
    if (name.empty() || std::islower(static_cast<unsigned char>(name[0])) == 0 || name.ends_with('-') ||
        !std::all_of(name.begin(), name.end(), is_good))
        throw UsageError(fmt::format("'{}' is not a name for a {}: write lower-case letters, digits and '-', a letter "
                                     "first, for example least-recent",
                                     name, kind.noun));
    Names out{name, name, "", std::string(kind.key)};
    std::replace(out.target.begin(), out.target.end(), '-', '_');
    bool upper = true;
    for (const char c : name) {
        if (c != '-')
            out.type += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        upper = c == '-';
    }
    out.type += kind.key.empty() ? "Set" : "Policy"; // no name of a class of heddle
    return out;
}

std::string replaced(std::string text, const Names& names) {
    const std::pair<std::string_view, const std::string&> words[] = {
        {"@NAME@", names.name}, {"@TARGET@", names.target}, {"@TYPE@", names.type}, {"@KEY@", names.key}};
    for (const auto& [word, value] : words)
        for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size())
            text.replace(at, word.size(), value);
    return text;
}

void refuse_taken(const Kind& kind, const Names& names) {
    if (kind.is_taken(names.name))
        throw UsageError(fmt::format("there is a {} '{}' already; give yours another name", kind.noun, names.name));
    if (config::sections().contains(names.target))
        throw UsageError(fmt::format("there is a section [{}] of settings already; give the {} another name",
                                     names.target, kind.noun));
    constexpr std::string_view kOfCMake[] = {"all", "clean", "help", "install", "package", "test"};
    if (std::find(std::begin(kOfCMake), std::end(kOfCMake), names.target) != std::end(kOfCMake))
        throw UsageError(
            fmt::format("'{}' is the name of a target of CMake; give the {} another name", names.target, kind.noun));
}

int write_new(const NewOptions& options) {
    const fs::path templates = own_folder("share/heddle", "templates");
    if (!fs::is_directory(templates))
        throw UserError(fmt::format("{}: not there; build heddle with `make`", templates.string()));
    const Kind& kind = find_kind(options.kind);
    const Names names = names_of(options.name, kind);
    refuse_taken(kind, names);
    const fs::path folder = options.folder.empty() ? fs::path(options.name) : fs::path(options.folder);
    std::error_code error;
    if (fs::exists(folder, error))
        throw UsageError(fmt::format("{}: there already; --folder names another folder", folder.string()));
    if (!fs::create_directories(folder, error))
        throw UserError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
    std::vector<fs::path> sources{templates / options.kind};
    if (!kind.key.empty())
        sources.push_back(templates / "policy"); // what all policies have in common
    for (const fs::path& source : sources)
        for (const fs::directory_entry& entry : fs::directory_iterator(source))
            write_file((folder / replaced(entry.path().filename().string(), names)).string(),
                       replaced(read_file(entry.path()), names));
    fmt::print("{0}: a {1} to start from. Build it and try it:\n"
               "  cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH={2}\n"
               "  cmake --build {0}/build\n"
               "  ctest --test-dir {0}/build\n",
               folder.string(), kind.noun, own_prefix().string());
    return 0;
}

} // namespace

void add_new(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("new", "Writes a plug-in to start from: heddle new scheduler NAME");
    const auto options = std::make_shared<NewOptions>();
    command->add_option("KIND", options->kind, "scheduler, formation, replacement, prefetcher or workloads")
        ->required();
    command->add_option("NAME", options->name, "name of the policy or set, as files will say it")->required();
    command->add_option("--folder", options->folder, "folder to write (default: NAME)")->type_name("DIR");
    command->callback([options, &status] { status = write_new(*options); });
}

} // namespace heddle::cli
