#include "ptx/parse_module.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ptx/parser.h"

namespace heddle::ptx {

namespace {

constexpr unsigned kNewestMajor = 9; // of the PTX versions that are known

struct Version {
    std::uint32_t major = 0, minor = 0;
};
std::optional<Version> version_of(const Token& token) {
    const std::string_view text = token.text;
    const std::size_t dot = text.find('.');
    if (!token.is(Token::Kind::Float) || dot == std::string_view::npos)
        return std::nullopt;
    Version out;
    const char* const end = text.data() + text.size();
    const auto before = std::from_chars(text.data(), end, out.major);
    const auto behind = std::from_chars(text.data() + dot + 1, end, out.minor);
    const bool is_read =
        before.ptr == text.data() + dot && behind.ptr == end && before.ec == std::errc{} && behind.ec == std::errc{};
    return is_read ? std::optional(out) : std::nullopt;
}

} // namespace

bool is_of_newer_version(std::string_view text) {
    Diagnostics unused(nullptr);
    TokenCursor tokens(text, unused);
    if (!tokens.at_suffix("version"))
        return false;
    const std::optional<Version> version = version_of(tokens.peek());
    return version && version->major > kNewestMajor;
}

void ModuleParser::run() {
    try {
        if (!tokens_.at_suffix("version"))
            tokens_.report(tokens_.current().where,
                           tokens_.at(Kind::End)
                               ? "the file is empty: PTX starts with .version"
                               : fmt::format("PTX starts with .version, found {}", describe(tokens_.current())));
        if (!tokens_.at(Kind::Suffix) || tokens_.peek().is(Kind::End))
            return; // the text is no PTX: further messages do not help
        statements();
    } catch (const ParseStop&) { // everything is reported
    }
    for (InlinedCall& call : module_.calls) // sections stand behind the functions
        call.function = names_.name(call.label, call.offset);
}

void ModuleParser::statements() {
    while (!tokens_.at(Kind::End)) {
        const Position start = tokens_.current().where;
        tokens_.start_statement();
        try {
            statement();
        } catch (ParseFailure& failure) {
            tokens_.report(failure.where, std::move(failure.message));
            tokens_.recover_in_module(start);
        }
    }
}

void ModuleParser::statement() {
    if (!tokens_.at(Kind::Suffix))
        tokens_.fail_expected("a directive");
    if (!simple_directive())
        definition();
}

bool ModuleParser::simple_directive() {
    const std::string_view word = tokens_.current().word();
    if (word == "version")
        version();
    else if (word == "target")
        target();
    else if (word == "address_size")
        address_size();
    else if (word == "file")
        directives_.file();
    else if (word == "loc")
        directives_.location(); // a body starts without a source line
    else if (word == "section")
        section();
    else if (word == "alias")
        alias();
    else if (word == "pragma")
        directives_.pragma();
    else
        return false;
    return true;
}

void ModuleParser::version() {
    const Token directive = tokens_.current();
    tokens_.advance();
    const std::optional<Version> version = version_of(tokens_.current());
    if (!version)
        tokens_.fail_expected("a version such as 7.5 after .version");
    if (module_.version_major != 0)
        tokens_.fail(directive, "a second .version");
    if (version->major == 0 || version->major > kNewestMajor)
        tokens_.fail(fmt::format("PTX version {} is not known: 1.0 to {}.x are", tokens_.current().text, kNewestMajor));
    module_.version_major = version->major;
    module_.version_minor = version->minor;
    tokens_.advance();
}

void ModuleParser::target() {
    tokens_.advance();
    module_.target = tokens_.identifier("a target such as sm_75 after .target");
    while (tokens_.accept(Kind::Comma)) {
        const Token option = tokens_.current();
        const std::string_view name = tokens_.identifier("a target option");
        if (name == "map_f64_to_f32")
            tokens_.fail(option, "the target option map_f64_to_f32 is not supported");
        module_.for_debugger |= name == "debug";
    }
}

void ModuleParser::address_size() {
    tokens_.advance();
    const Token size = tokens_.current();
    const std::uint32_t bits = tokens_.small_number("64 after .address_size");
    if (bits == 32)
        tokens_.fail(size, "32-bit addresses are not supported: compile for 64 bits (.address_size 64)");
    if (bits != 64)
        tokens_.fail(size, fmt::format("expected .address_size 64, found {}", bits));
}

// Debug information: the positions that matter are in .loc. Names of functions are in .debug_str.
void ModuleParser::section() {
    tokens_.advance();
    if (!tokens_.at(Kind::Suffix) && !tokens_.at(Kind::Identifier))
        tokens_.fail_expected("a section's name");
    const bool has_names = tokens_.current().word() == "debug_str";
    tokens_.advance();
    if (!tokens_.at(Kind::LeftBrace))
        tokens_.fail_expected("'{'");
    const std::string_view text = module_.source->text();
    const auto begin = static_cast<std::size_t>(tokens_.current().text.data() - text.data());
    tokens_.skip_braces();
    const auto end =
        tokens_.at(Kind::End) ? text.size() : static_cast<std::size_t>(tokens_.current().text.data() - text.data());
    if (has_names)
        names_.read(text.substr(begin, end - begin));
}

void ModuleParser::alias() {
    tokens_.advance();
    Alias alias;
    alias.where = tokens_.current().where;
    alias.name = tokens_.identifier("an alias");
    tokens_.expect(Kind::Comma, "','");
    alias.function = tokens_.identifier("the function that the alias stands for");
    tokens_.expect_semicolon(".alias");
    module_.aliases.push_back(alias);
}

Linkage ModuleParser::linkage() {
    Linkage linkage;
    for (;; tokens_.advance()) {
        if (tokens_.at_suffix("extern"))
            linkage.is_extern = true;
        else if (tokens_.at_suffix("visible"))
            linkage.is_visible = true;
        else if (tokens_.at_suffix("weak") || tokens_.at_suffix("common"))
            linkage.is_weak = true;
        else
            return linkage;
        linkage.any = true;
    }
}

void ModuleParser::definition() {
    const Linkage linked = linkage();
    if (tokens_.at_suffix("entry") || tokens_.at_suffix("func"))
        module_.functions.push_back(functions_.function(linked));
    else if (variables_.at_space())
        module_variables(linked);
    else if (linked.any)
        tokens_.fail_expected("'.entry', '.func' or a variable");
    else if (tokens_.at(Kind::Suffix))
        tokens_.fail(fmt::format("unknown directive {}", describe(tokens_.current())));
    else
        tokens_.fail_expected("a directive");
}

void ModuleParser::module_variables(Linkage linked) {
    if (tokens_.at_suffix("reg") || tokens_.at_suffix("local") || tokens_.at_suffix("param"))
        tokens_.fail(fmt::format("a {} variable stands inside a function", tokens_.current().text));
    Variable shape = variables_.variable_shape(linked);
    do {
        Variable variable = shape;
        variables_.declarator(variable);
        declarations_.in_module(variable.name, false, variable.is_extern, variable.where);
        module_.variables.push_back(std::move(variable));
    } while (tokens_.accept(Kind::Comma));
    tokens_.expect_semicolon("a variable");
}

} // namespace heddle::ptx
