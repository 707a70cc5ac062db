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
#include "formation/formation.h"
#include "mem/cache/prefetcher.h"
#include "mem/cache/replacement.h"
#include "own_folder.h"
#include "sched/scheduler.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
    std::string kind, name, folder;
};

struct Names {
    std::string name;    // "least-recent": of the policy and the plug-in
    std::string target;  // "least_recent": of files, the CMake target and the section of settings
    std::string type;    // "LeastRecent"
    std::string section; // as `target`
};

Names names_of(const std::string& name) {
    const auto is_good = [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-'; };
    if (name.empty() || std::islower(static_cast<unsigned char>(name[0])) == 0 || name.ends_with('-') ||
        !std::all_of(name.begin(), name.end(), is_good))
        throw UsageError(
            fmt::format("'{}' is not a name for a policy: write lower-case letters, digits and '-', a letter "
                        "first, for example least-recent",
                        name));
    Names out{name, name, "", ""};
    std::replace(out.target.begin(), out.target.end(), '-', '_');
    bool upper = true;
    for (const char c : name) {
        if (c != '-')
            out.type += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        upper = c == '-';
    }
    out.section = out.target;
    return out;
}

std::string replaced(std::string text, const Names& names) {
    const std::pair<std::string_view, const std::string&> words[] = {
        {"@NAME@", names.name}, {"@TARGET@", names.target}, {"@TYPE@", names.type}, {"@SECTION@", names.section}};
    for (const auto& [word, value] : words)
        for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size())
            text.replace(at, word.size(), value);
    return text;
}

void refuse_taken(const std::string& kind, const std::string& name) {
    const bool taken = (kind == "scheduler" && sched::schedulers().contains(name)) ||
                       (kind == "formation" && formation::formations().contains(name)) ||
                       (kind == "replacement" && mem::replacements().contains(name)) ||
                       (kind == "prefetcher" && mem::prefetchers().contains(name));
    if (taken)
        throw UsageError(fmt::format("there is a {} '{}' already; give yours another name", kind, name));
}

std::vector<std::string> kinds(const fs::path& templates) {
    std::vector<std::string> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(templates))
        if (entry.is_directory())
            out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    std::erase(out, "common");
    return out;
}

int write_new(const Options& options) {
    const fs::path templates = own_folder("share/heddle", "templates");
    if (!fs::is_directory(templates))
        throw UserError(fmt::format("{}: not there; build heddle with `make`", templates.string()));
    const std::vector<std::string> known = kinds(templates);
    if (std::find(known.begin(), known.end(), options.kind) == known.end())
        throw UsageError(fmt::format("there is no template for a {}; valid: {}{}", options.kind, comma_list(known),
                                     did_you_mean(options.kind, known)));
    const Names names = names_of(options.name);
    refuse_taken(options.kind, names.name);
    const fs::path folder = options.folder.empty() ? fs::path(options.name) : fs::path(options.folder);
    std::error_code error;
    if (fs::exists(folder, error))
        throw UsageError(fmt::format("{}: there already; --folder names another folder", folder.string()));
    if (!fs::create_directories(folder, error))
        throw UserError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
    for (const fs::path& source : {templates / "common", templates / options.kind})
        for (const fs::directory_entry& entry : fs::directory_iterator(source))
            write_file((folder / replaced(entry.path().filename().string(), names)).string(),
                       replaced(read_file(entry.path()), names));
    fmt::print("{0}: a {1} to start from. Build it and try it:\n"
               "  cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH={2}\n"
               "  cmake --build {0}/build\n"
               "  ctest --test-dir {0}/build\n",
               folder.string(), options.kind, own_prefix().string());
    return 0;
}

} // namespace

void add_new(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("new", "Writes a plug-in to start from: heddle new scheduler NAME");
    const auto options = std::make_shared<Options>();
    command->add_option("KIND", options->kind, "scheduler, formation, replacement or prefetcher")->required();
    command->add_option("NAME", options->name, "name of the policy, as machine files will say it")->required();
    command->add_option("--folder", options->folder, "folder to write (default: NAME)")->type_name("DIR");
    command->callback([options, &status] { status = write_new(*options); });
}

} // namespace heddle::cli
