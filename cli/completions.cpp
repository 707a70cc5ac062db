#include <algorithm>

#include <fmt/format.h>

#include "command_pages.h"

namespace heddle::cli {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option* o) { return !o->get_positional(); });
}

// "-m", "--machine".
std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> out;
    for (const std::string& name : option.get_snames())
        out.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        out.push_back("--" + name);
    return out;
}

bool takes_value(const CLI::Option& option) {
    return option.get_expected_max() != 0;
}

// What completes the value of an option or an argument.
enum class Value { Machine, Key, File };
Value value_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    return type == "MACHINE" ? Value::Machine : type == "KEY=VALUE" ? Value::Key : Value::File;
}

// A line with a word for each machine or key, by the command itself.
constexpr const char* kMachines = "heddle describe words machines 2>/dev/null";
constexpr const char* kKeys = "heddle describe words parameters 2>/dev/null";

std::string words_of(const CLI::App& app) {
    std::string out;
    for (const CLI::Option* option : options_of(app))
        for (const std::string& name : names_of(*option))
            out += (out.empty() ? "" : " ") + name;
    return out;
}

std::string escaped(std::string text, std::string_view special) {
    for (std::size_t at = 0; (at = text.find_first_of(special, at)) != std::string::npos; at += 2)
        text.insert(at, 1, '\\');
    return text;
}

// In single quotes of a shell.
std::string in_quotes(const std::string& text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// "-m|--machine" of all options with such a value.
std::string pattern_of(const CLI::App& app, Value value) {
    std::vector<std::string> out;
    const auto add = [&](const CLI::App& each) {
        for (const CLI::Option* option : options_of(each))
            if (takes_value(*option) && value_of(*option) == value)
                for (const std::string& name : names_of(*option))
                    out.push_back(name);
    };
    add(app);
    for (const CLI::App* command : commands_of(app))
        add(*command);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return fmt::format("{}", fmt::join(out, "|"));
}

} // namespace

std::string bash_completion(const CLI::App& app) {
    std::string commands, cases;
    for (const CLI::App* command : commands_of(app)) {
        commands += (commands.empty() ? "" : " ") + command->get_name();
        cases += fmt::format("    {}) words={} ;;\n", command->get_name(), in_quotes(words_of(*command)));
    }
    return fmt::format(R"sh(# bash completion of heddle, written by `heddle describe completions bash`
_heddle() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= words= i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${{COMP_WORDS[i]}} in
        --) COMPREPLY=($(compgen -f -- "$word")); return ;;
        --plugin) ((++i)) ;;
        -*) ;;
        *) [ -n "$command" ] || command=${{COMP_WORDS[i]}} ;;
        esac
    done
    case $before in
    {0}) COMPREPLY=($(compgen -W "$({1})" -- "$word") $(compgen -f -X '!*.toml' -- "$word")); return ;;
    {2}) compopt -o nospace; COMPREPLY=($(compgen -S = -W "$({3})" -- "$word")); return ;;
    esac
    case $command in
    '') words={4} ;;
{5}    esac
    case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) if [ -z "$command" ]; then COMPREPLY=($(compgen -W {6} -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi ;;
    esac
}}
complete -o filenames -F _heddle heddle
)sh",
                       pattern_of(app, Value::Machine), kMachines, pattern_of(app, Value::Key), kKeys,
                       in_quotes(words_of(app)), cases, in_quotes(commands));
}

namespace {

// "'(-m --machine)'{-m,--machine}'[machine to simulate]:MACHINE:...'" of _arguments.
std::string zsh_option(const CLI::Option& option) {
    const std::vector<std::string> names = names_of(option);
    const std::string text = escaped(option.get_description(), "[]:\\");
    std::string action;
    if (takes_value(option))
        action = fmt::format(":{}:{}", escaped(option.get_type_name(), ":"),
                             value_of(option) == Value::Machine ? "_heddle_machines"
                             : value_of(option) == Value::Key   ? "_heddle_keys"
                                                                : "_files");
    std::string out;
    for (const std::string& name : names)
        out += fmt::format("            {} \\\n", in_quotes(fmt::format("*{}[{}]{}", name, text, action)));
    return out;
}

} // namespace

std::string zsh_completion(const CLI::App& app) {
    std::string commands, cases, own;
    for (const CLI::Option* option : options_of(app))
        own += zsh_option(*option);
    for (const CLI::App* command : commands_of(app)) {
        commands += fmt::format("        {}\n",
                                in_quotes(command->get_name() + ":" + escaped(command->get_description(), ":\\")));
        cases += fmt::format("        {})\n          _arguments \\\n", command->get_name());
        for (const CLI::Option* option : options_of(*command))
            cases += zsh_option(*option);
        cases += "            '*: :_files' ;;\n";
    }
    return fmt::format(R"sh(#compdef heddle
# zsh completion of heddle, written by `heddle describe completions zsh`
_heddle_machines() {{
    local -a machines=(${{(f)"$({0})"}})
    compadd -a machines
    _files -g '*.toml'
}}
_heddle_keys() {{
    local -a keys=(${{(f)"$({1})"}})
    compadd -S = -a keys
}}
_heddle() {{
    local -a commands=(
{2}    )
    local line state
    _arguments -C \
{3}            '1:command:->command' '*::argument:->argument'
    case $state in
    command) _describe command commands ;;
    argument)
        case $line[1] in
{4}        esac ;;
    esac
}}
_heddle "$@"
)sh",
                       kMachines, kKeys, commands, own, cases);
}

namespace {

std::string fish_option(const CLI::Option& option, const std::string& condition) {
    std::string out = "complete -c heddle -n " + in_quotes(condition);
    for (const std::string& name : option.get_snames())
        out += " -s " + name;
    for (const std::string& name : option.get_lnames())
        out += " -l " + name;
    if (takes_value(option))
        out += value_of(option) == Value::Machine ? fmt::format(" -r -a {}", in_quotes(fmt::format("({})", kMachines)))
               : value_of(option) == Value::Key   ? fmt::format(" -x -a {}", in_quotes(fmt::format("({})", kKeys)))
                                                  : " -r";
    return out + " -d " + in_quotes(option.get_description()) + "\n";
}

} // namespace

std::string fish_completion(const CLI::App& app) {
    std::string out = "# fish completion of heddle, written by `heddle describe completions fish`\n";
    for (const CLI::Option* option : options_of(app))
        out += fish_option(*option, "__fish_use_subcommand");
    for (const CLI::App* command : commands_of(app)) {
        out += fmt::format("complete -c heddle -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                           in_quotes(command->get_description()));
        for (const CLI::Option* option : options_of(*command))
            out += fish_option(*option, "__fish_seen_subcommand_from " + command->get_name());
    }
    return out;
}

} // namespace heddle::cli
