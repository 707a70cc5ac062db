#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "command_pages.h"
#include "report/result.h"

namespace heddle::cli {

namespace {

// Text of man(7): no escape and no request of its own.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += std::string("\\&") + c;
        else
            out += c;
    }
    return out;
}

void add_option(std::string& out, const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::string value = option.get_expected_max() == 0 || type.empty() || option.get_positional()
                                  ? ""
                                  : fmt::format(" \\fI{}\\fR", roff(type));
    out += fmt::format(".TP\n\\fB{}\\fR{}\n{}",
                       roff(option.get_positional() ? option.get_name(true) : option.get_name(false, true)), value,
                       roff(option.get_description()));
    if (!option.get_default_str().empty())
        out += fmt::format(" (default: {})", roff(option.get_default_str()));
    out += "\n";
}

void add_options(std::string& out, const CLI::App& app) {
    const auto add = [&](const char* heading, bool positional) {
        bool first = true;
        for (const CLI::Option* option : app.get_options(
                 [&](const CLI::Option* o) { return o->get_positional() == positional && !o->get_group().empty(); })) {
            if (std::exchange(first, false))
                out += fmt::format(".SH {}\n", heading);
            add_option(out, *option);
        }
    };
    add("ARGUMENTS", true);
    add("OPTIONS", false);
}

// What a command is for, and how it is called: "Runs a CUDA program: heddle run [OPTIONS] -- PROGRAM".
struct Use {
    std::string meaning, line;
};
Use use_of(const CLI::App& app, const CLI::App* command) {
    if (command == nullptr)
        return {app.get_description(), "heddle [OPTIONS] COMMAND ..."};
    const std::string text = command->get_description();
    if (const std::size_t at = text.find(": heddle "); at != std::string::npos)
        return {text.substr(0, at), text.substr(at + 2)};
    std::string line = fmt::format("heddle {} [OPTIONS]", command->get_name());
    for (const CLI::Option* option : command->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
        const std::string name = option->get_name(true) + (option->get_expected_max() > 1 ? " ..." : "");
        line += option->get_required() ? " " + name : " [" + name + "]";
    }
    return {text, line};
}

} // namespace

std::string man_page(const CLI::App& app, const CLI::App* command) {
    const std::string title = command == nullptr ? app.get_name() : app.get_name() + "-" + command->get_name();
    const CLI::App& shown = command == nullptr ? app : *command;
    const Use use = use_of(app, command);
    std::string out = fmt::format(".TH {} 1 \"\" \"heddle {}\"\n.SH NAME\n{} \\- {}\n", title, report::version(),
                                  roff(title), roff(use.meaning));
    out += fmt::format(".SH SYNOPSIS\n{}\n", roff(use.line));
    add_options(out, shown);
    if (command == nullptr) {
        out += ".SH COMMANDS\n";
        for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
            out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(each->get_name()), roff(use_of(app, each).meaning));
    }
    if (!shown.get_footer().empty())
        out += fmt::format(".SH NOTES\n{}\n", roff(shown.get_footer()));
    out += fmt::format(".SH SEE ALSO\n{}the pages in share/doc/heddle\n", command == nullptr ? "" : "heddle(1), ");
    return out;
}

} // namespace heddle::cli
